//! Reviews a file whose parts change its text.

use std::sync::Arc;

use super::copy;
use super::file_plan::FilePlan;
use super::new_hunk::bare;
use super::part::{Intake, VersionSource, named};
use crate::locate::Tolerance;
use crate::proposal::Operation;
use crate::review::session::file::{FileContent, FileReview};
use crate::review::session::hunk::{HunkReview, Outcome, StatedHunk};

/// Reviews the parts as changes of text.
pub(in crate::review) fn text_review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> FileReview {
    let plan = if let [part] = group
        && let Operation::CopyOf(from) = &part.change.operation
    {
        copy::plan(part, from)
    } else {
        FilePlan::of(group)
    };
    let hunks = if let FileContent::Refused(_) = plan.content {
        group.iter().flat_map(refused).collect()
    } else {
        plan.place(group, tolerance, versions)
    };
    let review = FileReview::new(plan.kind, plan.base, hunks, plan.content);
    named(review, group)
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
