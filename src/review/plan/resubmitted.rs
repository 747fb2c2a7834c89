//! Edits that were written already and are sent again.
//!
//! What an edit leaves tells most of them, and that is looked for first (`locate`). It does not tell a line that is added without
//! any context, or hunks that leave behind what they look for, in a file of many equal lines. But where it is known what the
//! last batch found in the file, and the file is as that batch left it, the same edit makes the one of the other.

use std::sync::Arc;

use super::file_review::file_review;
use super::new_hunk::hunk_review;
use super::part::{Intake, Versions};
use crate::locate::Tolerance;
use crate::proposal::FinalNewline;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{ChangedLine, HunkReview, Outcome};
use crate::review::session::versions::Found;
use crate::text::LineNo;

/// Returns the review of a file in which hunks that the last batch wrote are marked as already applied.
pub(in crate::review) fn told(
    mut review: FileReview,
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn Versions,
) -> FileReview {
    if !review.hunks.iter().any(asks) {
        return review;
    }
    let Some(then) = before(group, versions) else {
        return review;
    };
    let then = file_review(&then, tolerance, versions);
    if then.refusal.is_some()
        || then.hunks.len() != review.hunks.len()
        || then.yours().text() != review.base.text()
    {
        return review;
    }
    let lines = after(&then.hunks);
    for ((hunk, then), line) in review.hunks.iter_mut().zip(&then.hunks).zip(lines) {
        let was_written = match then.outcome {
            Outcome::Placed(_) | Outcome::Follows { .. } | Outcome::AlreadyApplied { .. } => true,
            Outcome::Unplaced(_) | Outcome::Refused => false,
        };
        if was_written && asks(hunk) {
            let outcome = Outcome::AlreadyApplied { at: line };
            let (remarks, asked) = (std::mem::take(&mut hunk.remarks), hunk.asked.take());
            *hunk = HunkReview {
                remarks,
                asked,
                ..hunk_review(
                    hunk.dialect,
                    hunk.span,
                    outcome,
                    FinalNewline::Keep,
                    None,
                    Vec::new(),
                )
            };
        }
    }
    review.rebuild();
    review
}

/// Returns true if a hunk asks for lines that are not in the file yet, as far as the file shows.
fn asks(hunk: &HunkReview) -> bool {
    hunk.step.is_none()
        && !matches!(
            hunk.outcome,
            Outcome::AlreadyApplied { .. } | Outcome::Refused
        )
}

/// The parts for a file as it was before the last batch.
fn before(group: &[Intake], versions: &dyn Versions) -> Option<Vec<Intake>> {
    let first = group.first()?;
    let Found::Text { executable, .. } = first.found else {
        return None;
    };
    let document = Arc::new(versions.replaced(&first.path)?);
    let part = |part: &Intake| Intake {
        found: Found::Text {
            document: Arc::clone(&document),
            executable,
        },
        ..part.clone()
    };
    Some(group.iter().map(part).collect())
}

/// Returns for each hunk the line of its result in the file after all hunks are written.
fn after(hunks: &[HunkReview]) -> Vec<Option<LineNo>> {
    let mut all: Vec<&ChangedLine> = hunks.iter().flat_map(|hunk| hunk.proposed.iter()).collect();
    all.sort_by_key(|line| line.at);
    // How many lines the file has grown by before each of them.
    let mut grown = vec![0_isize];
    for line in &all {
        let before = grown.last().copied().unwrap_or_default();
        grown.push(before + isize::from(line.adds.is_some()) - isize::from(line.removes));
    }
    let line = |hunk: &HunkReview| {
        let at = match hunk.outcome {
            Outcome::Follows { hunk } => hunks.get(hunk)?.proposed.first()?.at,
            Outcome::AlreadyApplied { at } => at?.idx(),
            Outcome::Placed(_) | Outcome::Unplaced(_) | Outcome::Refused => {
                hunk.proposed.first()?.at
            }
        };
        let grown = grown[all.partition_point(|line| line.at < at)];
        Some(LineNo::from_idx(at.saturating_add_signed(grown)))
    };
    hunks.iter().map(line).collect()
}
