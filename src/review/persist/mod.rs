//! Decisions that outlive a session: saved, restored, and moved to a new placing.

pub(super) mod decisions;
mod join;
pub(super) mod rebase;
pub(super) mod restore;
pub(super) mod snapshot;
