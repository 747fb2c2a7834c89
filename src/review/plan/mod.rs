//! From a proposal, or from two versions of a tree, to a session; and from a session back to the bytes of the files.

pub(super) mod apply_decisions;
pub(super) mod compare;
pub(super) mod copy;
pub(super) mod decode;
pub(super) mod edit_markers;
pub(super) mod entry;
pub(super) mod file_format;
pub(super) mod file_plan;
pub(super) mod file_review;
mod foreign_comment;
pub(super) mod foreign_line;
pub(super) mod gap;
pub(super) mod guess;
pub(super) mod intake;
pub(super) mod line_changes;
pub(super) mod loss;
pub(super) mod new_hunk;
pub(super) mod outline;
pub(super) mod part;
pub(super) mod replay;
pub(super) mod resubmission;
pub(super) mod revert;
pub(super) mod separate;
pub(super) mod sequence;
pub(super) mod text_review;
pub(super) mod whole_file;
