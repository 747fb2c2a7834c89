//! A difference that git knows: what is compared with what, and where.

use std::path::PathBuf;

use crate::agent::git::{DiffSides, Repository};
use crate::store::{ContentHash, Root};

/// A difference that git knows.
pub(crate) struct GitDifference {
    pub(crate) repository: Repository,
    /// Its working tree.
    pub(crate) root: Root,
    /// The two sides that are compared.
    pub(crate) span: DiffSides,
    /// The files that count; none for all.
    pub(crate) paths: Vec<PathBuf>,
    /// It in words.
    pub(crate) intent: String,
}

impl GitDifference {
    /// Returns the hash by which reviews of this difference are saved.
    pub(crate) fn hash(&self) -> ContentHash {
        ContentHash::of(format!("git {:?} {:?}", self.span, self.paths).as_bytes())
    }
}
