//! Placement by an earlier version of the file.

pub(super) mod composition;
pub(super) mod line_map;
pub(super) mod merge;
pub(super) mod version_diff;
