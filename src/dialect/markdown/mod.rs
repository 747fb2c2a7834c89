//! Markdown around edits: code fences, also in lists, and the names of files that are above them or in them.

pub(in crate::dialect) mod fence;
pub(in crate::dialect) mod fenced_file;
pub(in crate::dialect) mod file_name;
pub(in crate::dialect) mod file_tree;
mod info_string;
pub(in crate::dialect) mod inner_block;
mod language;
mod name_shape;
pub(in crate::dialect) mod next_fence;
mod unspaced_name;
