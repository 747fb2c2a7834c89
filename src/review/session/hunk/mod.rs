//! A hunk under review: what was asked for, the place that was found for it, and what was made of it.

mod loss;
mod outcome;
mod recurrence;
mod remark;
mod seen_lines;
mod state;

use std::ops::Range;
use std::sync::Arc;

use super::decision::{Decision, Mark};
use crate::locate::{Chosen, Placement, Rung, Unplaced};
use crate::proposal::{Body, FileChange, FinalNewline, Hunk, InputSpan};
use crate::text::LineIdx;
pub use loss::Loss;
pub use outcome::{Outcome, Step};
pub use recurrence::{Recurrence, RecurrenceKind, ShownBefore};
pub use remark::Remark;
pub(in crate::review) use seen_lines::SeenLines;
pub use state::{ByPolicy, ChangedLine, HunkState, InAdvance, LineComment, LineMarks, Side};

/// The position of a hunk in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HunkId {
    /// The position of its file among the files.
    pub file: usize,
    /// Its position among the hunks of the file, which are in the order of the proposal.
    pub hunk: usize,
}

/// A hunk under review.
#[derive(Debug, Clone, PartialEq)]
pub struct HunkReview {
    /// The dialect that it was written in.
    pub dialect: &'static str,
    /// Its lines in the input.
    pub span: InputSpan,
    /// The result of placing it.
    pub outcome: Outcome,
    /// The change of the file as a whole, if it is one.
    pub step: Option<Step>,
    /// Its statement about the newline at the end of the file.
    pub final_newline: FinalNewline,
    /// Oddities that were tolerated in reading it.
    pub remarks: Vec<Remark>,
    /// The lines that the agent proposed, to return to after an edit.
    pub proposed: Arc<[ChangedLine]>,
    /// Its decisions and edits.
    pub state: HunkState,
    /// The requested hunk, for manual placement; `None` for a hunk that needs no place.
    pub asked: Option<StatedHunk>,
    /// Its part of a split hunk.
    pub part: Option<Part>,
    /// The identity of its change with the lines around it, by which an approval of it is found again; `None` if it has none.
    pub(in crate::review) identity: Option<Arc<str>>,
    /// Those of its lines that were shown.
    pub(in crate::review) seen: SeenLines,
    /// The person's edit of it that was made for lines which have changed on disk since. It is written once it is placed by hand.
    pub(in crate::review) kept_edit: Option<Arc<Body>>,
}

/// A hunk as its dialect states it.
#[derive(Debug, Clone)]
pub struct StatedHunk {
    /// The change of the file that it is in.
    pub change: Arc<FileChange>,
    /// Its position among the hunks of that change.
    pub hunk: usize,
}

/// Equal are those of one proposal: comparing texts would be slow, and nobody asks for it.
impl PartialEq for StatedHunk {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.change, &other.change) && self.hunk == other.hunk
    }
}

impl StatedHunk {
    /// The hunk.
    pub fn hunk(&self) -> Option<&Hunk> {
        self.change.hunks.get(self.hunk)
    }
}

/// A part of a hunk that was split. The first part takes the place of the hunk; the others follow all hunks of the
/// file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The position of the first part, which is the position of the hunk as it was proposed.
    pub of: usize,
    /// Its lines among the changed lines that were proposed.
    pub lines: Range<usize>,
    /// All changed lines that were proposed.
    pub whole: Arc<[ChangedLine]>,
}

impl HunkReview {
    /// The placement, if it has one.
    pub fn placement(&self) -> Option<&Placement> {
        match &self.outcome {
            Outcome::Placed(placement) => Some(placement),
            Outcome::AlreadyApplied { .. }
            | Outcome::Follows { .. }
            | Outcome::Unplaced(_)
            | Outcome::Refused => None,
        }
    }

    /// Puts the agent's lines back, undecided. What was said stays.
    pub(in crate::review) fn put_back(&mut self) -> HunkState {
        let fresh = HunkState {
            comment: self.state.comment.clone(),
            ..HunkState::new(
                Arc::clone(&self.proposed),
                self.step.is_some() || self.can_be_dropped(),
            )
        };
        std::mem::replace(&mut self.state, fresh)
    }

    /// Returns true if there is anything to decide.
    pub fn is_decidable(&self) -> bool {
        self.placement().is_some()
    }

    /// Returns true if its lines are in the file already.
    pub(crate) fn is_applied(&self) -> bool {
        matches!(self.outcome, Outcome::AlreadyApplied { .. })
    }

    /// Returns true if it cannot be written: it has no place, or its file cannot be changed.
    pub fn is_unplaced(&self) -> bool {
        matches!(self.outcome, Outcome::Unplaced(_) | Outcome::Refused)
    }

    /// Returns true if the only decision about it is to reject it: it is an edit that cannot be written. A change that is in the
    /// tree already, of a file that cannot be changed, is left alone.
    pub fn can_be_dropped(&self) -> bool {
        match self.outcome {
            Outcome::Unplaced(_) => true,
            Outcome::Refused => self.asked.is_some(),
            Outcome::Placed(_) | Outcome::AlreadyApplied { .. } | Outcome::Follows { .. } => false,
        }
    }

    /// Returns true if it cannot be written and was rejected, so that the agent does not send it again.
    pub fn is_dropped(&self) -> bool {
        self.can_be_dropped() && self.mark() == Some(Mark::Rejected)
    }

    /// Returns how the hunk relates to a change that was rejected in an earlier review.
    pub fn recurrence(&self) -> Option<&Recurrence> {
        self.remarks.iter().find_map(|remark| {
            let Remark::Rejected(recurrence) = remark else {
                return None;
            };
            Some(recurrence.as_ref())
        })
    }

    /// Returns the sentence with which the agent announced the hunk.
    pub fn announcement(&self) -> Option<&Arc<str>> {
        self.remarks.iter().find_map(|remark| {
            let Remark::Announced(sentence) = remark else {
                return None;
            };
            Some(sentence)
        })
    }

    /// Returns true if the hunk proposes what was rejected in an earlier review.
    pub fn is_rejected_before(&self) -> bool {
        self.recurrence()
            .is_some_and(|earlier| earlier.kind.is_rejected())
    }

    /// Returns the remark about a record of rejections that cannot be read.
    pub fn unread_rejections(&self) -> Option<&Remark> {
        let is_it = |remark: &&Remark| matches!(remark, Remark::RejectionsUnread(_));
        self.remarks.iter().find(is_it)
    }

    /// Returns true if a changed line adds what an earlier, rejected version of the hunk did not have.
    pub fn is_new_since_rejected(&self, line: usize) -> bool {
        self.rejected_version()
            .is_some_and(|earlier| earlier.fresh.contains(&line))
    }

    /// Returns what is known of a changed line that the rejected version of the hunk had as well and that was shown in its review.
    pub fn shown_before(&self, line: usize) -> Option<ShownBefore> {
        let shown = &self.rejected_version()?.shown;
        let at = shown.binary_search_by_key(&line, |known| known.line).ok()?;
        shown.get(at).copied()
    }

    /// Returns true if changed lines of it were shown in the review of its rejected version.
    pub(in crate::review) fn has_shown_before(&self) -> bool {
        self.rejected_version()
            .is_some_and(|earlier| !earlier.shown.is_empty())
    }

    /// Returns the rejected change that the hunk is, or of which it is another version, as long as its lines are those that the agent proposed.
    fn rejected_version(&self) -> Option<&Recurrence> {
        let is_as_proposed = !self.state.edited && self.part.is_none();
        let earlier = self.recurrence().filter(|_| is_as_proposed);
        let is_version = |kind| matches!(kind, RecurrenceKind::Revised | RecurrenceKind::Same);
        earlier.filter(|earlier| is_version(earlier.kind))
    }

    /// Returns `true` if the hunk may be accepted in batch: a placement of `exact` or `safe` confidence, no loss, and not rejected before, as
    /// far as the records can be read.
    pub fn is_sure(&self) -> bool {
        self.loss().is_none()
            && !self.is_rejected_before()
            && self.unread_rejections().is_none()
            && self.placement().is_some_and(Placement::is_sure)
    }

    /// Returns what the file would lose by the hunk, which only a person can accept.
    pub fn loss(&self) -> Option<&Loss> {
        self.remarks.iter().find_map(|remark| {
            let Remark::Loss(loss) = remark else {
                return None;
            };
            Some(loss)
        })
    }

    /// Returns true if anything in it is undecided.
    pub fn is_open(&self) -> bool {
        matches!(self.mark(), Some(Mark::Undecided | Mark::Mixed))
    }

    /// Returns true if a person placed it.
    pub fn is_by_hand(&self) -> bool {
        self.placement()
            .is_some_and(|placement| placement.chosen == Some(Chosen::Hand))
    }

    /// Returns the person's edit of it that was made for lines which have changed on disk since.
    pub fn kept_edit(&self) -> Option<&Body> {
        self.kept_edit.as_deref()
    }

    /// Returns true if the person's edit of it has no place and was not dropped. Rejecting the hunk by itself drops it.
    pub fn is_edit_waiting(&self) -> bool {
        let is_rejected = self.mark() == Some(Mark::Rejected) && self.state.in_advance.is_none();
        self.kept_edit.is_some() && !is_rejected
    }

    /// Returns the lines that it expects and those that it makes of them: the person's of a kept edit, else the agent's.
    pub fn stated_lines(&self) -> Option<&Body> {
        let stated = || Some(&self.asked.as_ref()?.hunk()?.body);
        self.kept_edit().or_else(stated)
    }

    /// Returns true if a person can choose its place: it has none, one that is not sure, or one that was chosen before, or it has a
    /// kept edit. A new file states no lines to look for.
    pub fn can_be_placed(&self) -> bool {
        if self.kept_edit.is_some() && self.part.is_none() && self.outcome != Outcome::Refused {
            return true;
        }
        let has_lines = self.asked.is_some();
        let is_unsure = |placement: &Placement| self.is_by_hand() || !placement.is_sure();
        match &self.outcome {
            Outcome::Unplaced(
                Unplaced::Elisions { .. } | Unplaced::NoTarget { .. } | Unplaced::NoChange,
            )
            | Outcome::AlreadyApplied { .. }
            | Outcome::Follows { .. }
            | Outcome::Refused => false,
            Outcome::Unplaced(_) => has_lines,
            Outcome::Placed(placement) => has_lines && self.part.is_none() && is_unsure(placement),
        }
    }

    /// Returns true if the apply model placed it and wrote its lines.
    pub fn is_by_model(&self) -> bool {
        self.placement()
            .is_some_and(|placement| placement.chosen == Some(Chosen::Model))
    }

    /// All changed lines that were proposed, those of other parts included.
    pub(in crate::review) fn whole(&self) -> &Arc<[ChangedLine]> {
        self.part
            .as_ref()
            .map_or(&self.proposed, |part| &part.whole)
    }

    /// Returns the rule that accepted it, as long as its decision holds.
    pub fn by_policy(&self) -> Option<&ByPolicy> {
        let holds =
            !self.state.edited && self.part.is_none() && self.mark() == Some(Mark::Accepted);
        match &self.state.in_advance {
            Some(InAdvance::Accepted(by)) if holds => Some(by),
            Some(
                InAdvance::Accepted(_)
                | InAdvance::RejectedBefore
                | InAdvance::AcceptedBefore { .. },
            )
            | None => None,
        }
    }

    /// Returns true if it is accepted because the person accepted it in an earlier review, as long as that decision holds.
    pub fn is_accepted_before(&self) -> bool {
        let is_whole = !self.state.edited && self.part.is_none();
        let by = self.state.in_advance.as_ref();
        let is_by = by.is_some_and(|by| matches!(by, InAdvance::AcceptedBefore { .. }));
        is_by && is_whole && self.mark() == Some(Mark::Accepted)
    }

    /// Returns true if it was accepted before the person saw it, by a rule or as in an earlier review.
    pub(crate) fn is_accepted_in_advance(&self) -> bool {
        self.by_policy().is_some() || self.is_accepted_before()
    }

    /// Describes why it was accepted before the person saw it, if it was.
    pub(crate) fn words_in_advance(&self) -> Option<String> {
        let by_policy = self.by_policy();
        let by_policy = by_policy.map(|by_policy| format!("by policy: {}", by_policy.rule));
        by_policy.or_else(|| (self.is_accepted_before()).then(|| "accepted before".to_owned()))
    }

    /// Returns true if it is accepted as in an earlier review in which all of its lines were shown.
    pub(in crate::review) fn is_known_whole(&self) -> bool {
        let shown = InAdvance::AcceptedBefore { shown: true };
        self.is_accepted_before() && self.state.in_advance == Some(shown)
    }

    /// Returns true if all of its changed lines were shown to the person, in this review or in the one in which they were accepted.
    pub(in crate::review) fn is_shown_whole(&self) -> bool {
        let seen = self.seen.of(&self.state.lines);
        let mut lines = self.state.lines.iter().zip(seen.iter());
        let is_seen = lines.all(|(line, seen)| {
            (!line.removes || seen.removed) && (line.adds.is_none() || seen.added)
        });
        is_seen || self.is_known_whole()
    }

    /// Returns the lines that a hunk placed by hand replaces and that the file does not have at its place, so that they are not
    /// removed.
    pub fn not_removed(&self) -> Vec<&str> {
        let by_hand = self.placement().filter(|_| self.is_by_hand());
        let differs = by_hand.map_or(&[][..], |placement| &placement.differs);
        let expected = differs.iter().filter_map(|line| line.expected.as_deref());
        expected.collect()
    }

    /// Returns true if nothing was decided, edited or commented on.
    pub(crate) fn is_fresh(&self) -> bool {
        let is_placed = self.is_by_hand() || self.is_by_model();
        self.state.is_fresh() && self.part.is_none() && !is_placed && self.kept_edit.is_none()
    }

    /// Returns true if it is a later part of a split hunk, and so not a hunk of the proposal.
    pub fn is_later_part(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.lines.start > 0)
    }

    /// Returns the sum of the decisions about it; `None` if there is nothing to decide.
    pub fn mark(&self) -> Option<Mark> {
        let mark = Mark::of(self.state.decisions(0..usize::MAX));
        match self.outcome {
            Outcome::Placed(_) => mark,
            Outcome::Unplaced(_) | Outcome::Refused => mark.filter(|mark| *mark == Mark::Rejected),
            Outcome::AlreadyApplied { .. } | Outcome::Follows { .. } => None,
        }
    }

    /// Returns the sum of the decisions about some of its lines.
    pub fn mark_of(&self, lines: Range<usize>) -> Option<Mark> {
        self.is_decidable()
            .then(|| Mark::of(self.state.decisions(lines)))
            .flatten()
    }

    /// Returns true if anything of it is decided so.
    pub fn has_decision(&self, wanted: Decision) -> bool {
        let mut decisions = self.state.decisions(0..usize::MAX);
        decisions.any(|decision| decision == wanted)
    }

    /// Returns true if nothing is left to decide: every line is decided on each side, or it has no place. An edit by the person
    /// that has no place is left to be decided.
    pub fn is_decided(&self) -> bool {
        let mut decisions = self.state.decisions(0..usize::MAX);
        let is_open = |decision| decision == Decision::Undecided;
        !self.is_edit_waiting() && (!self.is_decidable() || !decisions.any(is_open))
    }

    /// Counts the added and the removed lines.
    pub fn counts(&self) -> (usize, usize) {
        let added = self
            .state
            .lines
            .iter()
            .filter(|line| line.adds.is_some())
            .count();
        let removed = self.state.lines.iter().filter(|line| line.removes).count();
        (added, removed)
    }

    /// Returns true if it has its place although the file differs from it in blanks, indentation, blank lines or punctuation alone.
    pub fn differs_in_blanks(&self) -> bool {
        let is_forgiven =
            |placement: &Placement| !matches!(placement.rung, Rung::Exact | Rung::Similar);
        self.placement().is_some_and(is_forgiven) && !self.is_by_hand()
    }

    /// The first base line that it touches, context left aside.
    pub fn first_line(&self) -> LineIdx {
        self.state.lines.first().map_or(0, |line| line.at)
    }
}
