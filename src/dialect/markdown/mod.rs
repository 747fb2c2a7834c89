//! Markdown around edits: code fences, also in lists, and the names of files that are above them or in them.

pub(in crate::dialect) mod fence;
pub(in crate::dialect) mod fenced_file;
pub(in crate::dialect) mod file_name;
mod info_string;
pub(in crate::dialect) mod inner_block;
mod name_shape;
mod unspaced_name;
