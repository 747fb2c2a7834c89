//! Changed lines that were shown on the screen.
//!
//! A line is counted by side: a replaced line is two lines, as in the numbers `+1 −1`.

use std::iter::Sum;

use serde::Serialize;

use super::decide::Target;
use super::decision::Decision;
use super::file::FileReview;
use super::hunk::{HunkId, HunkReview, Side};
use super::review_session::ReviewSession;

/// Number of changed lines that were shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ShownCount {
    /// The lines that were shown.
    pub lines: usize,
    /// All lines.
    pub of: usize,
}

impl Sum for ShownCount {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, count| Self {
            lines: sum.lines + count.lines,
            of: sum.of + count.of,
        })
    }
}

impl ShownCount {
    /// Returns the number of lines that were never shown.
    pub fn missed(self) -> usize {
        self.of - self.lines
    }

    fn of(sides: impl Iterator<Item = (Decision, bool)>) -> Self {
        sides.fold(Self::default(), |count, (_, is_seen)| Self {
            lines: count.lines + usize::from(is_seen),
            of: count.of + 1,
        })
    }
}

impl HunkReview {
    /// Returns every side of its changed lines: the decision about it, and true if it was shown, now or when it was accepted.
    fn sides(&self) -> impl Iterator<Item = (Decision, bool)> {
        let seen = self.seen.of(&self.state.lines).into_owned();
        let lines = self.state.lines.iter().zip(&self.state.marks).zip(seen);
        let lines = lines.filter(|_| self.is_decidable());
        let was_shown = self.is_known_whole();
        lines.flat_map(move |((line, marks), seen)| {
            let (is_old, is_new) = (seen.removed || was_shown, seen.added || was_shown);
            let removed = line.removes.then_some((marks.removed, is_old));
            let added = line.adds.is_some().then_some((marks.added, is_new));
            removed.into_iter().chain(added)
        })
    }
}

impl FileReview {
    /// Takes over which lines were shown in an earlier placement, of the hunks that still change the same lines.
    fn take_seen(&mut self, before: &Self) {
        if self.path != before.path || self.hunks.len() != before.hunks.len() {
            return;
        }
        for (now, was) in self.hunks.iter_mut().zip(&before.hunks) {
            let old = [(&*self.base), (&*before.base)];
            now.seen = was.seen.moved_to(&now.state.lines, old);
        }
    }
}

impl ReviewSession {
    /// Begins to count the lines that are shown: the session is reviewed by a person.
    pub fn count_seen(&mut self) {
        self.counts_seen = true;
    }

    /// Takes note that a changed line, or one side of it, is on the screen as a whole.
    pub fn mark_seen(&mut self, id: HunkId, line: usize, side: Side) {
        let file = self.files.get_mut(id.file);
        if let Some(hunk) = file.and_then(|file| file.hunks.get_mut(id.hunk)) {
            hunk.seen.mark(&hunk.state.lines, line, side);
        }
    }

    /// Takes note that all changed lines of a hunk were printed.
    pub fn mark_hunk_seen(&mut self, id: HunkId) {
        let lines = self.hunk(id).map_or(0, |hunk| hunk.state.lines.len());
        (0..lines).for_each(|line| self.mark_seen(id, line, Side::Both));
    }

    /// Counts the changed lines that were shown; `None` if no person reviewed the session.
    pub fn seen(&self) -> Option<ShownCount> {
        self.counts_seen.then(|| self.count(|_| true))
    }

    /// Counts the accepted lines that were shown; `None` if no person reviewed the session.
    pub fn seen_of_accepted(&self) -> Option<ShownCount> {
        let is_accepted = |decision| decision == Decision::Accepted;
        self.counts_seen.then(|| self.count(is_accepted))
    }

    /// Counts the lines that a decision would accept in addition; `None` if no person reviewed the session.
    pub fn seen_of(&self, target: &Target) -> Option<ShownCount> {
        let is_rest = target.is_rest();
        let hunks = self.taken_by(target, Decision::Accepted);
        let sides = hunks.flat_map(|id| self.files[id.file].hunks[id.hunk].sides());
        let sides = sides.filter(|(decision, _)| match decision {
            Decision::Undecided => true,
            Decision::Rejected => !is_rest,
            Decision::Accepted => false,
        });
        self.counts_seen.then(|| ShownCount::of(sides))
    }

    /// Takes over which lines were shown in an earlier session on the same proposal.
    pub(in crate::review) fn take_seen(&mut self, before: &Self) {
        self.counts_seen |= before.counts_seen;
        for (now, was) in self.files.iter_mut().zip(&before.files) {
            now.take_seen(was);
        }
    }

    fn count(&self, is_wanted: impl Fn(Decision) -> bool) -> ShownCount {
        let hunks = self.files.iter().flat_map(|file| &file.hunks);
        let sides = hunks.flat_map(HunkReview::sides);
        ShownCount::of(sides.filter(|(decision, _)| is_wanted(*decision)))
    }
}
