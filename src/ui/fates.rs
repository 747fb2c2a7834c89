//! What becomes of hunks when the review is finished, in numbers and words.

use crate::review::{Counts, ReviewSession, Stance};

/// What becomes of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It was accepted.
    Accepted,
    /// Some of its lines were accepted.
    Mixed,
    /// It was rejected.
    Rejected,
    /// It was not decided.
    Undecided,
    /// It stands there already.
    Stands,
    /// It has no place.
    Attention,
    /// Its lines are the person's; it is counted above as well.
    Edited,
}

/// The hunks of which one thing becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fates {
    /// What.
    pub(super) what: Fate,
    /// How many there are.
    pub(super) count: usize,
    /// It in words.
    pub(super) words: &'static str,
}

/// What becomes of the hunks of a session, each fate that there is once.
pub(super) fn fates(session: &ReviewSession, counts: &Counts) -> impl Iterator<Item = Fates> {
    let [accepted, mixed, rejected, undecided] = match session.stance() {
        Stance::Proposed => [
            "accepted: will be written",
            "accepted in part: the accepted lines will be written",
            "rejected: the files stay as they are there",
            "undecided: count as rejected",
        ],
        Stance::Standing => [
            "accepted: stay as they are",
            "accepted in part: the rejected lines will be taken back",
            "rejected: will be taken back",
            "undecided: stay as they are",
        ],
    };
    let stands = match counts.already_applied {
        1 => "stands there already",
        _ => "stand there already",
    };
    let attention = match counts.attention {
        1 => "needs attention: cannot be written",
        _ => "need attention: cannot be written",
    };
    let all = [
        (Fate::Accepted, counts.accepted, accepted),
        (Fate::Mixed, counts.mixed, mixed),
        (Fate::Rejected, counts.rejected, rejected),
        (Fate::Undecided, counts.undecided, undecided),
        (Fate::Stands, counts.already_applied, stands),
        (Fate::Attention, counts.attention, attention),
        (Fate::Edited, counts.edited, "with your edits"),
    ];
    let there = all.into_iter().filter(|(_, count, _)| *count > 0);
    there.map(|(what, count, words)| Fates { what, count, words })
}
