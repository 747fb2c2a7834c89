//! The display of a session as data: rows, notes, previews.

pub(super) mod blanks;
mod block_comment;
pub(super) mod enclosing_definitions;
pub(super) mod file_group;
pub(super) mod file_mentions;
pub(super) mod intent;
pub(super) mod line_difference;
pub(super) mod long_words;
pub(super) mod look_alikes;
pub(super) mod moved_lines;
pub(super) mod note;
pub(super) mod notes;
pub(super) mod preview;
pub(super) mod problem_marks;
pub(super) mod reading_order;
pub(super) mod result_text;
pub(super) mod risk;
pub(super) mod rows;
mod section;
pub(super) mod three_texts;
mod unplaced_notes;
pub(super) mod whitespace;
pub mod words;
