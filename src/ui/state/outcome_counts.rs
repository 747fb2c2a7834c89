//! Counts of hunks by their outcome when the review is finished.

use crate::review::{Counts, Mark, ReviewSession};

/// Outcome of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HunkOutcome {
    /// It was accepted.
    Accepted,
    /// Some of its lines were accepted.
    Mixed,
    /// It was rejected.
    Rejected,
    /// It was not decided.
    Undecided,
    /// Already applied.
    Stands,
    /// It has no place.
    Attention,
    /// Its lines are the person's; it is counted above as well.
    Edited,
}

/// The hunks of which one thing becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutcomeCount {
    /// Outcome.
    pub(crate) what: HunkOutcome,
    /// Number of hunks.
    pub(crate) count: usize,
    /// It in words.
    pub(crate) words: &'static str,
}

/// Returns the outcomes that occur, with their counts.
pub(crate) fn outcome_counts(
    session: &ReviewSession,
    counts: &Counts,
) -> impl Iterator<Item = OutcomeCount> {
    let [accepted, mixed, rejected, undecided] =
        [Mark::Accepted, Mark::Mixed, Mark::Rejected, Mark::Undecided]
            .map(|mark| mark.effect(session.stance()));
    let attention = match counts.attention {
        1 => "needs attention: cannot be written",
        _ => "need attention: cannot be written",
    };
    let all = [
        (HunkOutcome::Accepted, counts.accepted, accepted),
        (HunkOutcome::Mixed, counts.mixed, mixed),
        (HunkOutcome::Rejected, counts.rejected, rejected),
        (HunkOutcome::Undecided, counts.undecided, undecided),
        (
            HunkOutcome::Stands,
            counts.already_applied,
            "already applied",
        ),
        (HunkOutcome::Attention, counts.attention, attention),
        (HunkOutcome::Edited, counts.edited, "with your edits"),
    ];
    let there = all.into_iter().filter(|(_, count, _)| *count > 0);
    there.map(|(what, count, words)| OutcomeCount { what, count, words })
}
