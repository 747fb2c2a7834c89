//! Code fences that hold a file: its whole text, a sketch of its new text, or a suggestion for some of its lines. Also
//! decides if an edit inside a file in a fence is an edit or a part of the file.

pub(in crate::dialect) mod edit_in_fence;
pub(in crate::dialect) mod sketch;
pub(in crate::dialect) mod suggestion;
pub(in crate::dialect) mod whole;
