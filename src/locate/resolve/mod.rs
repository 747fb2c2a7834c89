//! From the chosen hypothesis of a hunk to its location and the changes of the file.

pub(super) mod chained;
pub(super) mod file_changes;
pub(super) mod guards;
pub(super) mod location;
pub(super) mod overlap;
pub(super) mod reindent;
mod typography;
