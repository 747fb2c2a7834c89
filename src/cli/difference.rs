//! A difference that git knows: what is compared with what, and where.

use std::path::PathBuf;

use crate::agent::git::{Repository, Span};
use crate::store::{ContentHash, Root};

/// A difference that git knows.
pub(super) struct Difference {
    /// Where it is.
    pub(super) repository: Repository,
    /// Its working tree.
    pub(super) root: Root,
    /// What is compared with what.
    pub(super) span: Span,
    /// The files that count; none for all.
    pub(super) paths: Vec<PathBuf>,
    /// It in words.
    pub(super) intent: String,
}

impl Difference {
    /// What a review of it is known by.
    pub(super) fn hash(&self) -> ContentHash {
        ContentHash::of(format!("git {:?} {:?}", self.span, self.paths).as_bytes())
    }
}
