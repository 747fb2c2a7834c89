//! A file that an agent is to write by itself.

use std::time::Instant;

use crate::proposal::RepoPath;
use crate::store::{ContentHash, Root, Snapshot};

/// A file that an agent is to write by itself. The next proposal for it waits until that has happened.
pub(super) struct Expected {
    /// Who is to write it.
    pub(super) agent: String,
    /// The file itself.
    pub(super) file: RepoPath,
    /// It as it was before.
    pub(super) before: Snapshot,
    /// What its bytes are to be; `None` if it is to go.
    pub(super) after: Option<ContentHash>,
    /// How long that is waited for.
    pub(super) until: Instant,
}

impl Expected {
    /// Whether the file is as it is to be.
    pub(super) fn has_come(&self, root: &Root) -> bool {
        let now = root.read(&self.before.path);
        now.is_ok_and(|now| now.hash() == self.after)
    }
}
