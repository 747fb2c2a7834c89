//! Hypotheses about the hunks of a file, and the choice between them.

pub(super) mod assign;
pub(super) mod choose;
pub(super) mod entities;
pub(super) mod escapes;
pub(super) mod evidence;
pub(super) mod interpretation;
pub(super) mod occupied;
pub(super) mod permit;
pub(super) mod scale;
pub(super) mod search;
pub(super) mod variants;
