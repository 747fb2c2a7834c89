//! Envelopes of `apply_patch`: `*** Begin Patch`, a section for each file, `*** End Patch`, and the here-document around them.

pub(in crate::dialect) mod apply_patch;
pub(in crate::dialect) mod file_section;
pub(in crate::dialect) mod heredoc;
pub(in crate::dialect) mod unmarked_section;
