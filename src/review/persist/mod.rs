//! Decisions that outlive a session: saved, restored, and moved to a new placing.

pub(super) mod decisions;
mod hunk_snapshot;
mod join;
pub(super) mod rebase;
pub(super) mod restore;
pub(super) mod snapshot;
