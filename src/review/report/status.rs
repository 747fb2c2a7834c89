//! The status of one hunk.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::write_result::Writing;
use crate::locate::Unplaced;
use crate::review::session::decision::Mark;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkReview, Outcome};
use crate::review::session::versions::{Refusal, Stance};
use crate::review::wording::{refusal_words, unplaced_words};

/// The first words of the reason for a hunk that is not applied only because another one could not be.
pub const HELD_BACK: &str = "another part of the batch";

/// The first words of the reason for a hunk whose place is doubtful.
pub const DOUBTFUL: &str = "its place is doubtful";

/// The status of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HunkStatus {
    /// Written as it was sent.
    Applied,
    /// Written in part, or as the person changed it.
    AppliedWithEdits,
    /// Written before the review, and kept.
    Kept,
    /// Written before the review, and kept in part, or as the person changed it.
    KeptWithEdits,
    /// Written before the review and not decided, so it stays; or the review of it continues later.
    Undecided,
    /// Its lines are in the file already.
    AlreadyApplied,
    /// Not accepted.
    Rejected,
    /// Written before the review, and taken back.
    Reverted,
    /// It has a best place, and something speaks against it.
    Doubtful,
    /// It matches several places.
    Ambiguous,
    /// It matches no place.
    NotFound,
    /// Another hunk changes the same lines in another way.
    Overlap,
    /// It cannot be read.
    Malformed,
    /// Written before the review, in a file that cannot be reviewed.
    LeftAlone,
    /// Its file may not be touched.
    Forbidden,
    /// Its file is not as the edit takes it to be.
    Conflict,
    /// Writing failed.
    Failed,
}

impl HunkStatus {
    /// The status as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::AppliedWithEdits => "applied-with-edits",
            Self::Kept => "kept",
            Self::KeptWithEdits => "kept-with-edits",
            Self::Undecided => "undecided",
            Self::AlreadyApplied => "already-applied",
            Self::Rejected => "rejected",
            Self::Reverted => "reverted",
            Self::Doubtful => "doubtful",
            Self::Ambiguous => "ambiguous",
            Self::NotFound => "not-found",
            Self::Overlap => "overlap",
            Self::Malformed => "malformed",
            Self::LeftAlone => "left-alone",
            Self::Forbidden => "forbidden",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
        }
    }

    /// Returns true if the file is as the hunk wants it.
    pub fn is_done(self) -> bool {
        self <= Self::AlreadyApplied
    }

    /// Returns true if it failed for a reason that a new version of the hunk could fix.
    pub fn is_to_be_sent_again(self) -> bool {
        match self {
            Self::Doubtful
            | Self::Ambiguous
            | Self::NotFound
            | Self::Overlap
            | Self::Malformed
            | Self::Conflict => true,
            Self::Applied
            | Self::AppliedWithEdits
            | Self::Kept
            | Self::KeptWithEdits
            | Self::Undecided
            | Self::Reverted
            | Self::LeftAlone
            | Self::AlreadyApplied
            | Self::Rejected
            | Self::Forbidden
            | Self::Failed => false,
        }
    }

    /// Advice on the next attempt.
    pub(in crate::review) fn advice(self) -> Option<&'static str> {
        Some(match self {
            Self::Applied
            | Self::AppliedWithEdits
            | Self::Kept
            | Self::KeptWithEdits
            | Self::LeftAlone
            | Self::Undecided
            | Self::AlreadyApplied
            | Self::Rejected
            | Self::Reverted
            | Self::Failed => return None,
            Self::Ambiguous => "add a line of context that only the intended place has",
            Self::Doubtful | Self::NotFound => {
                "read the file again and send this hunk for its lines as they are now"
            }
            Self::Overlap => "put the two changes into one hunk",
            Self::Malformed => "send this part again in the form that is expected",
            Self::Forbidden => "leave this file out",
            Self::Conflict => "read the file again and send an edit of what is there",
        })
    }
}

/// Returns the status of a hunk, and the reason if it did not apply.
pub(in crate::review) fn hunk_status(
    file: &FileReview,
    hunk: usize,
    writing: &Writing,
) -> (HunkStatus, Option<String>) {
    let marked = marked(file, hunk..hunk + 1);
    hunk_status_as(file, &file.hunks[hunk], marked, writing)
}

/// The same for a hunk whose decisions add up to a mark, and whose lines the person changed or not.
pub(in crate::review) fn hunk_status_as(
    file: &FileReview,
    review: &HunkReview,
    (mark, edited): (Option<Mark>, bool),
    writing: &Writing,
) -> (HunkStatus, Option<String>) {
    match &review.outcome {
        Outcome::AlreadyApplied { .. } => return (HunkStatus::AlreadyApplied, None),
        Outcome::Refused => return refused(file),
        Outcome::Follows { hunks } => {
            return match file.hunks.get(hunks.start) {
                Some(leader) => hunk_status_as(file, leader, marked(file, hunks.clone()), writing),
                None => (HunkStatus::Rejected, None),
            };
        }
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
            return (status, Some(unplaced_words(unplaced)));
        }
        Outcome::Placed(_) => (),
    }
    if *writing == Writing::Postponed {
        let why = "the review is kept for later";
        return (HunkStatus::Undecided, Some(why.into()));
    }
    let stands = file.stance() == Stance::Standing;
    let accepted = match mark {
        Some(Mark::Accepted | Mark::Mixed) if file.is_unmade_copy() => {
            let why = "the copy that it changes is not made".into();
            return (HunkStatus::Rejected, Some(why));
        }
        Some(Mark::Undecided) if stands && edited => {
            let why = "your edit was not accepted, so the agent's lines stay";
            return (HunkStatus::Undecided, Some(why.into()));
        }
        Some(Mark::Undecided) if stands => return (HunkStatus::Undecided, None),
        Some(Mark::Accepted) if stands && !edited => HunkStatus::Kept,
        Some(Mark::Accepted | Mark::Mixed) if stands => HunkStatus::KeptWithEdits,
        Some(Mark::Rejected) if stands => HunkStatus::Reverted,
        None if stands && edited => HunkStatus::Reverted,
        Some(Mark::Accepted) if edited => HunkStatus::AppliedWithEdits,
        Some(Mark::Accepted) => HunkStatus::Applied,
        Some(Mark::Mixed) => HunkStatus::AppliedWithEdits,
        // All of the change was edited away.
        None if edited => {
            return (
                HunkStatus::Rejected,
                Some("edited back to what the file has".into()),
            );
        }
        Some(Mark::Undecided) => return (HunkStatus::Rejected, Some("left undecided".into())),
        Some(Mark::Rejected) | None => return (HunkStatus::Rejected, None),
    };
    match writing {
        Writing::Done { .. } | Writing::Rehearsed | Writing::Postponed => (accepted, None),
        Writing::Conflict { paths, .. } if paths.contains(&file.path) => (
            HunkStatus::Conflict,
            Some("the file changed since it was read".into()),
        ),
        Writing::Refused { path, error, .. } if file.concerns(path) => {
            (HunkStatus::Forbidden, Some(error.clone()))
        }
        Writing::Refused { .. } => (
            HunkStatus::Rejected,
            Some(format!("{HELD_BACK} cannot be written, so none of it is")),
        ),
        Writing::Conflict { .. } | Writing::Failed { .. } => (
            HunkStatus::Failed,
            Some("nothing of the batch was written".into()),
        ),
    }
}

fn refused(file: &FileReview) -> (HunkStatus, Option<String>) {
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
    (status, Some(refusal_words(refusal)))
}

/// Returns the sum of the decisions about some hunks and all their parts, and true if the person changed any of their lines.
fn marked(file: &FileReview, hunks: Range<usize>) -> (Option<Mark>, bool) {
    let last = hunks.end.min(file.hunks.len());
    let pieces = (hunks.start..last).flat_map(|hunk| file.parts(hunk));
    let pieces: Vec<&HunkReview> = pieces.map(|piece| &file.hunks[piece]).collect();
    let mark = Mark::of(pieces.iter().filter_map(|piece| piece.mark()));
    let edited = pieces.iter().any(|piece| piece.state.edited);
    (mark, edited)
}
