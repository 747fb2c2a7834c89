//! Forms of hunks that are not searched for line by line.

pub(super) mod elision;
pub(super) mod hashed_lines;
pub(super) mod insertion;
pub(super) mod json_patch;
pub(super) mod notebook_cell;
pub(super) mod numbered_lines;
pub(super) mod regular_expression;
pub(super) mod sketch;
pub(super) mod substring;
pub(super) mod whole_text;
