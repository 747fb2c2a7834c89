//! The outcome of a batch, for people, scripts and agents.

pub(super) mod agent;
pub(super) mod batch;
pub(super) mod hunk;
mod hunk_status;
pub(super) mod parts;
pub(super) mod retry;
pub(super) mod text;
pub(super) mod write_result;
