//! A file that an agent is to write by itself.

use std::time::Instant;

use crate::proposal::RepoPath;
use crate::store::{ContentHash, Root, Snapshot};

/// A file that an agent is to write by itself. The next proposal for it waits until that has happened.
pub(super) struct ExpectedWrite {
    pub(super) agent: String,
    /// The file itself.
    pub(super) file: RepoPath,
    /// The file as it was before.
    pub(super) before: Snapshot,
    /// The hash of its new bytes; `None` if it is to be deleted.
    pub(super) after: Option<ContentHash>,
    /// The end of the wait.
    pub(super) until: Instant,
}

impl ExpectedWrite {
    /// Returns whether the file has been written as expected.
    pub(super) fn has_come(&self, root: &Root) -> bool {
        let now = root.read(&self.before.path);
        now.is_ok_and(|now| now.hash() == self.after)
    }
}
