//! Counts of hunks by their outcome when the review is finished.

use std::borrow::Cow;

use crate::review::{Mark, ReviewSession};
use crate::ui::summary::Summaries;

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
    /// It needs attention; unless it cannot be written, it is counted above as well.
    Attention,
    /// Its lines are the person's; it is counted above as well.
    Edited,
}

/// The hunks of which one thing becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutcomeCount {
    /// Outcome.
    pub(crate) what: HunkOutcome,
    /// Number of hunks.
    pub(crate) count: usize,
    /// It in words.
    pub(crate) words: Cow<'static, str>,
}

/// Returns the outcomes that occur, with their counts.
pub(crate) fn outcome_counts(
    session: &ReviewSession,
    summaries: &Summaries,
) -> impl Iterator<Item = OutcomeCount> {
    let [accepted, mixed, rejected, undecided] =
        [Mark::Accepted, Mark::Mixed, Mark::Rejected, Mark::Undecided]
            .map(|mark| mark.effect(session.stance()));
    let counts = &summaries.counts;
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
        (HunkOutcome::Edited, counts.edited, "with your edits"),
    ];
    let all = all.map(|(what, count, words)| (what, count, Cow::Borrowed(words)));
    let attention = (
        HunkOutcome::Attention,
        summaries.needs_attention,
        Cow::Owned(attention(summaries)),
    );
    let there = all.into_iter().chain([attention]);
    let there = there.filter(|(_, count, _)| *count > 0);
    there.map(|(what, count, words)| OutcomeCount { what, count, words })
}

/// Describes what needs attention: it is undecided, or cannot be written.
fn attention(summaries: &Summaries) -> String {
    let (all, unplaced) = (summaries.needs_attention, summaries.counts.unplaced);
    let need = if all == 1 { "needs" } else { "need" };
    let why = match (unplaced, all.saturating_sub(unplaced)) {
        (0, _) => "undecided".to_owned(),
        (_, 0) => "cannot be written".to_owned(),
        (unplaced, undecided) => format!("{unplaced} cannot be written, {undecided} undecided"),
    };
    format!("{need} attention: {why}")
}
