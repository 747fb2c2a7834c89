//! Reviews a file by the kind of its parts: an entry as a whole, several parts in sequence, the diffs of successive versions, or text.

use super::part::{Intake, VersionSource};
use super::text_review::text_review;
use super::{entry, sequence, version_series};
use crate::locate::Tolerance;
use crate::review::session::file::FileReview;

/// The parts of a proposal for one file, placed in it.
pub(in crate::review) fn file_review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> FileReview {
    if let Some(review) = entry::review(group, tolerance, versions) {
        return review;
    }
    if let Some(review) = sequence::review(group, tolerance, versions) {
        return review;
    }
    if let Some(review) = version_series::review(group, tolerance, versions) {
        return review;
    }
    let review = text_review(group, tolerance, versions);
    sequence::in_order(group, review, tolerance, versions)
}
