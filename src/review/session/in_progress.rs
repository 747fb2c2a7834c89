//! State of an edit or a manual placement that is not finished.

use super::hunk::{HunkId, HunkReview, HunkState};

/// The state that an edit in progress would go back to.
#[derive(Debug, Clone)]
pub(in crate::review) struct EditInProgress {
    pub(super) id: HunkId,
    pub(super) state: HunkState,
}

/// A hunk that is being placed, and how it was before.
#[derive(Debug, Clone)]
pub(in crate::review) struct PlacingInProgress {
    pub(super) id: HunkId,
    pub(super) before: Box<HunkReview>,
}
