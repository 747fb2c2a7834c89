//! Reviews a file whose parts change its text.

use std::sync::Arc;

use super::copy;
use super::file_plan::FilePlan;
use super::new_hunk::bare;
use super::part::{Intake, VersionSource, named};
use super::text_doubt::{PlacedHunks, withhold_doubtful};
use crate::locate::Tolerance;
use crate::proposal::Operation;
use crate::review::session::file::{FileContent, FileReview};
use crate::review::session::hunk::{HunkReview, Outcome, StatedHunk};
use crate::review::session::versions::Refusal;

/// Reviews the parts as changes of text.
pub(in crate::review) fn text_review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> FileReview {
    let mut plan = if let [part] = group
        && let Operation::CopyOf(from) = &part.change.operation
    {
        copy::plan(part, from)
    } else {
        FilePlan::of(group)
    };
    let placed = if let FileContent::Refused(_) = plan.content {
        None
    } else {
        match plan.place(group, tolerance, versions) {
            Ok(placed) => Some(placed),
            Err(lost) => {
                plan.content = FileContent::Refused(internal(lost));
                None
            }
        }
    };
    let refused = || PlacedHunks::certain(group.iter().flat_map(refused).collect());
    let placed = placed.unwrap_or_else(refused);
    let review = FileReview::new(plan.kind, plan.base, placed.hunks, plan.content);
    let mut review = named(review, group);
    withhold_doubtful(&mut review, group, placed.doubts);
    review
}

/// A refusal because of a mistake in this program: a hunk would be reported as written, and be lost.
fn internal(hunk: usize) -> Refusal {
    let number = hunk + 1;
    Refusal::Contradiction(format!(
        "internal error: hunk {number} would be lost beside the others; apply the edits one after the other, and please report this"
    ))
}

/// The hunks of a part of which nothing can be done.
fn refused(part: &Intake) -> Vec<HunkReview> {
    let change = &part.change;
    if change.hunks.is_empty() {
        return vec![bare(change.dialect, change.span, Outcome::Refused, None)];
    }
    let hunks = change
        .hunks
        .iter()
        .enumerate()
        .map(|(at, hunk)| HunkReview {
            final_newline: hunk.final_newline,
            asked: Some(StatedHunk {
                change: Arc::clone(change),
                hunk: at,
            }),
            ..bare(change.dialect, hunk.span, Outcome::Refused, None)
        });
    hunks.collect()
}
