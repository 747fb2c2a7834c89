//! The display of a session as data: rows, notes, previews.

pub(super) mod announced;
pub(super) mod enclosing;
pub(super) mod file_group;
pub(super) mod moved;
pub(super) mod note;
pub(super) mod notes;
pub(super) mod preview;
pub(super) mod reading_order;
pub(super) mod result_text;
pub(super) mod risk;
pub(super) mod rows;
mod section;
pub(super) mod three_texts;
mod unplaced_notes;
pub(super) mod whitespace;
pub mod words;
