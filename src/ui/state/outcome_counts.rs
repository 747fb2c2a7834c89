//! Counts of hunks by their outcome when the review is finished.

use std::borrow::Cow;

use crate::review::{HunkId, HunkReview, Mark, ReviewSession};
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
            .map(|mark| session.effect(mark));
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
        Cow::Owned(attention(session, summaries)),
    );
    let there = all.into_iter().chain([attention]);
    let there = there.filter(|(_, count, _)| *count > 0);
    there.map(|(what, count, words)| OutcomeCount { what, count, words })
}

/// Describes what needs attention: it is undecided, or cannot be written, or an edit of it has no place.
fn attention(session: &ReviewSession, summaries: &Summaries) -> String {
    let all = summaries.needs_attention;
    let is_unplaced = |id: &HunkId| session.hunk(*id).is_some_and(HunkReview::is_unplaced);
    let (unplaced_edits, edits): (Vec<_>, Vec<_>) = session.waiting_edits().partition(is_unplaced);
    let unplaced = summaries
        .counts
        .unplaced
        .saturating_sub(unplaced_edits.len());
    let edits = edits.len() + unplaced_edits.len();
    let undecided = all.saturating_sub(unplaced + edits);
    let parts = [
        (unplaced, "cannot be written"),
        (edits, "with an edit of yours that has no place"),
        (undecided, "undecided"),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|(count, _)| *count > 0).collect();
    let why = match parts.as_slice() {
        [(_, words)] => (*words).to_owned(),
        several => {
            let several = several
                .iter()
                .map(|(count, words)| format!("{count} {words}"));
            several.collect::<Vec<_>>().join(", ")
        }
    };
    let need = if all == 1 { "needs" } else { "need" };
    format!("{need} attention: {why}")
}
