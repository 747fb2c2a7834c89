//! Reviews a file whose parts change its text.

use super::copy;
use super::file_plan::Plan;
use super::new_hunk::hunk_review;
use super::part::{Intake, Versions};
use crate::locate::Tolerance;
use crate::proposal::{FinalNewline, Operation};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::Outcome;

/// Reviews the parts as changes of text.
pub(in crate::review) fn text_review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn Versions,
) -> FileReview {
    let plan = if let [part] = group
        && let Operation::CopyOf(from) = &part.change.operation
    {
        copy::plan(part, from)
    } else {
        Plan::of(group)
    };
    let protected = group.iter().find_map(|part| part.protected.clone());
    let path = group
        .first()
        .map(|part| part.path.clone())
        .unwrap_or_default();
    let mut hunks = Vec::new();
    if plan.refusal.is_none() {
        hunks = plan.place(group, tolerance, versions);
    } else {
        for part in group {
            let refused = |span, newline| {
                hunk_review(
                    part.change.dialect,
                    span,
                    Outcome::Refused,
                    newline,
                    None,
                    Vec::new(),
                )
            };
            hunks.extend(
                part.change
                    .hunks
                    .iter()
                    .map(|hunk| refused(hunk.span, hunk.final_newline)),
            );
            if part.change.hunks.is_empty() {
                hunks.push(refused(part.change.span, FinalNewline::Keep));
            }
        }
    }
    let mut review = FileReview::new(plan.kind, plan.base, hunks, plan.refusal);
    (review.path, review.protected) = (path, protected);
    review.opaque = plan.opaque;
    review.rebuild();
    review
}
