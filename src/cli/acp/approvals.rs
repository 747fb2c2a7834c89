//! Texts that were approved when the agent asked for permission, and that it writes afterwards.

use std::path::{Path, PathBuf};

use super::super::hook::review::settled;
use super::super::hook::write::write;
use crate::agent::{Approved, FileVerdict};
use crate::store::Root;

/// Approved text of a file.
pub(super) struct Approval {
    pub(super) root: PathBuf,
    /// The file, without links.
    pub(super) path: PathBuf,
    pub(super) verdict: FileVerdict,
}

impl Approval {
    /// Returns whether it is for this file and text.
    pub(super) fn is(&self, path: &Path, content: &str) -> bool {
        let text = match &self.verdict.result {
            Some(Approved::Text(text)) => text,
            Some(Approved::Deleted) | None => return false,
        };
        self.path == path && text == content
    }

    /// Writes the text, if the file is as it was when it was approved.
    pub(super) fn carry_out(&self) -> anyhow::Result<()> {
        let root = Root::open(&self.root)?;
        let snapshot = settled(&root, &self.verdict)?;
        match &self.verdict.result {
            Some(approved) => write(&root, &[(&self.verdict, approved, &snapshot)]),
            None => Ok(()),
        }
    }
}
