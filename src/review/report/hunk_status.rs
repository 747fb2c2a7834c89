//! Finds the status of a hunk.

use std::ops::Range;

use super::write_result::Writing;
use crate::locate::Unplaced;
use crate::review::session::decision::{Decision, Mark};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkReview, Outcome};
use crate::review::session::versions::{Refusal, Stance};
use crate::review::status::{HunkStatus, Reason};
use crate::review::wording::{refusal_words, unplaced_words};

/// Returns the status of a hunk, and the reason if it did not apply.
pub(in crate::review) fn hunk_status(
    file: &FileReview,
    hunk: usize,
    writing: &Writing,
) -> (HunkStatus, Option<Reason>) {
    let marked = marked(file, hunk..hunk + 1);
    hunk_status_as(file, &file.hunks[hunk], marked, writing)
}

/// The same for a hunk whose decisions add up to a mark, and whose lines the person changed or not.
pub(in crate::review) fn hunk_status_as(
    file: &FileReview,
    review: &HunkReview,
    (mark, edited): (Option<Mark>, bool),
    writing: &Writing,
) -> (HunkStatus, Option<Reason>) {
    match &review.outcome {
        Outcome::AlreadyApplied { .. } => return (HunkStatus::AlreadyApplied, None),
        Outcome::Follows { hunks } => {
            return match file.hunks.get(hunks.start) {
                Some(leader) => hunk_status_as(file, leader, marked(file, hunks.clone()), writing),
                None => (HunkStatus::Rejected, None),
            };
        }
        Outcome::Unplaced(_) | Outcome::Refused if mark == Some(Mark::Rejected) => {
            return (HunkStatus::Rejected, None);
        }
        Outcome::Refused => return refused(file),
        Outcome::Unplaced(unplaced) => {
            let status = match unplaced {
                Unplaced::Ambiguous { .. } => HunkStatus::Ambiguous,
                Unplaced::NotFound { .. } | Unplaced::NoTarget { .. } | Unplaced::Nowhere => {
                    HunkStatus::NotFound
                }
                Unplaced::Conflict { .. } => HunkStatus::Conflict,
                Unplaced::Overlap { .. } => HunkStatus::Overlap,
                Unplaced::Unclear { .. } | Unplaced::Elisions { .. } | Unplaced::NoChange => {
                    HunkStatus::Malformed
                }
            };
            return (status, Some(Reason::Other(unplaced_words(unplaced))));
        }
        Outcome::Placed(_) => (),
    }
    if *writing == Writing::Postponed {
        return (HunkStatus::Undecided, Some(Reason::Postponed(mark)));
    }
    let stands = file.stance() == Stance::Standing;
    let accepted = match mark {
        Some(Mark::Accepted | Mark::Mixed) if file.is_unmade_copy() => {
            return (HunkStatus::Rejected, Some(Reason::CopyNotMade));
        }
        Some(Mark::Undecided) if edited && file.selects_undecided() => HunkStatus::KeptWithEdits,
        Some(Mark::Undecided) if stands && edited => {
            return (HunkStatus::Undecided, Some(Reason::EditNotAccepted));
        }
        Some(Mark::Undecided) if stands => return (HunkStatus::Undecided, None),
        Some(Mark::Accepted) if stands && !edited => HunkStatus::Kept,
        Some(Mark::Accepted | Mark::Mixed) if stands => HunkStatus::KeptWithEdits,
        Some(Mark::Rejected) if stands => HunkStatus::Reverted,
        None if stands && edited => HunkStatus::Reverted,
        Some(Mark::Accepted) if edited => HunkStatus::AppliedWithEdits,
        Some(Mark::Accepted) => HunkStatus::Applied,
        Some(Mark::Mixed) => HunkStatus::AppliedWithEdits,
        None if edited => return (HunkStatus::Rejected, Some(Reason::EditedAway)),
        Some(Mark::Undecided) => return (HunkStatus::Rejected, Some(Reason::LeftUndecided)),
        Some(Mark::Rejected) | None => return (HunkStatus::Rejected, None),
    };
    match writing {
        Writing::Done { .. } | Writing::Rehearsed | Writing::Postponed => (accepted, None),
        Writing::Conflict { paths, .. } if paths.contains(&file.path) => {
            (HunkStatus::Conflict, Some(Reason::FileChanged))
        }
        Writing::Refused { path, error, .. } if file.concerns(path) => {
            (HunkStatus::Forbidden, Some(Reason::Other(error.clone())))
        }
        Writing::Refused { .. } => (HunkStatus::Rejected, Some(Reason::HeldBack)),
        Writing::Conflict { .. } | Writing::Failed { .. } => {
            (HunkStatus::Failed, Some(Reason::WritingFailed))
        }
    }
}

fn refused(file: &FileReview) -> (HunkStatus, Option<Reason>) {
    let Some(refusal) = file.refusal() else {
        return (HunkStatus::Rejected, None);
    };
    let status = match refusal {
        _ if file.sides.is_some() => HunkStatus::LeftAlone,
        Refusal::Forbidden(_) | Refusal::Unreadable(_) => HunkStatus::Forbidden,
        Refusal::Missing(_) => HunkStatus::NotFound,
        Refusal::Exists | Refusal::Contradiction(_) => HunkStatus::Conflict,
        Refusal::Unclear(_) | Refusal::Unnamed(_) | Refusal::Undecodable(_) => {
            HunkStatus::Malformed
        }
    };
    (status, Some(Reason::Other(refusal_words(refusal))))
}

/// Returns the mark of some hunks with one where nothing is accepted, or nothing rejected, as what becomes of their lines: a line
/// that is undecided is not written, and one that is written already stays.
pub(super) fn effective(stance: Stance, mark: Mark, hunks: &[&HunkReview]) -> Mark {
    let has = |decision| hunks.iter().any(|hunk| hunk.has_decision(decision));
    match (mark, stance) {
        (Mark::Mixed, Stance::Proposed) if !has(Decision::Accepted) => Mark::Rejected,
        (Mark::Mixed, Stance::Standing) if !has(Decision::Rejected) => Mark::Accepted,
        (mark, _) => mark,
    }
}

/// Returns the sum of the decisions about some hunks and all their parts, and true if the person changed any of their lines.
fn marked(file: &FileReview, hunks: Range<usize>) -> (Option<Mark>, bool) {
    let last = hunks.end.min(file.hunks.len());
    let pieces = (hunks.start..last).flat_map(|hunk| file.parts(hunk));
    let pieces: Vec<&HunkReview> = pieces.map(|piece| &file.hunks[piece]).collect();
    let mark = Mark::of(pieces.iter().filter_map(|piece| piece.mark()));
    let mark = mark.map(|mark| effective(file.stance(), mark, &pieces));
    let edited = pieces.iter().any(|piece| piece.state.edited);
    (mark, edited)
}
