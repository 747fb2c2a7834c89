//! Deciding: a verdict on lines, on hunks, on files, or on all the rest.

use std::ops::Range;
use std::sync::Arc;

use super::decision::Decision;
use super::file::FileReview;
use super::hunk::{ByPolicy, HunkId, HunkReview, HunkState, InAdvance, LineMarks, Side};
use super::review_session::ReviewSession;
use super::steps::Saved;

/// The target of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Some of a hunk's changed lines.
    Lines {
        /// The hunk.
        hunk: HunkId,
        /// Positions among its changed lines.
        lines: Range<usize>,
        /// The side of them that is meant.
        side: Side,
    },
    /// A hunk; one without a place can only be rejected, and only by itself.
    Hunk(HunkId),
    /// All hunks of a file.
    File(usize),
    /// All hunks of some files; accepting takes only those that may be accepted in batch.
    Files(Vec<usize>),
    /// Some hunks; accepting takes only those that may be accepted in batch.
    Hunks(Vec<HunkId>),
    /// Every undecided line of the batch; accepting takes only those that may be accepted in batch.
    Rest,
    /// Every undecided line of some files; accepting takes only those that may be accepted in batch.
    RestOf(Vec<usize>),
}

impl Target {
    /// Returns true if it is only about lines that are undecided.
    pub(super) fn is_rest(&self) -> bool {
        matches!(self, Self::Rest | Self::RestOf(_))
    }

    /// Returns true if a decision about it takes a hunk, which it concerns.
    fn takes(&self, file: &FileReview, hunk: &HunkReview, decision: Decision) -> bool {
        match self {
            Self::Hunk(_) | Self::Lines { .. } => true,
            Self::File(_) => decision == Decision::Undecided || hunk.kept_edit().is_none(),
            Self::Files(_) | Self::Hunks(_) | Self::Rest | Self::RestOf(_) => {
                file.may_be_decided_with_others(hunk, decision)
            }
        }
    }
}

/// The result of a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decided {
    /// Hunks whose decisions changed.
    pub changed: usize,
    /// Undecided hunks that need a decision of their own: a fuzzy match, or a protected file.
    pub left: usize,
}

impl ReviewSession {
    /// Decides. What cannot be decided is passed over.
    pub fn decide(&mut self, target: &Target, decision: Decision) -> Decided {
        self.decide_all(std::slice::from_ref(target), decision)
    }

    /// Decides several things at once, which is one step to take back.
    pub fn decide_all(&mut self, targets: &[Target], decision: Decision) -> Decided {
        let mut decided = Decided::default();
        let mut saved = Vec::new();
        for target in targets {
            self.decide_one(target, decision, &mut decided, &mut saved);
        }
        self.history.record(saved);
        decided
    }

    fn decide_one(
        &mut self,
        target: &Target,
        decision: Decision,
        decided: &mut Decided,
        saved: &mut Vec<Saved>,
    ) {
        for id in self.targets(target, decision) {
            let file = &self.files[id.file];
            let hunk = &file.hunks[id.hunk];
            let rest = target.is_rest();
            if !target.takes(file, hunk, decision) {
                decided.left += usize::from(hunk.is_open());
                continue;
            }
            let before = hunk.state.clone();
            let (lines, side) = match target {
                Target::Lines { lines, side, .. } => (lines.clone(), *side),
                Target::Hunk(_)
                | Target::File(_)
                | Target::Files(_)
                | Target::Hunks(_)
                | Target::Rest
                | Target::RestOf(_) => (0..usize::MAX, Side::Both),
            };
            let state = &mut self.files[id.file].hunks[id.hunk].state;
            // What the person decides is no longer decided in advance, even if it is the same.
            if !rest || state.is_open() {
                state.in_advance = None;
            }
            let end = lines.end.min(state.marks.len());
            for marks in &mut state.marks[lines.start.min(end)..end] {
                let is_wanted = |old: Decision| !rest || old == Decision::Undecided;
                if side != Side::New && is_wanted(marks.removed) {
                    marks.removed = decision;
                }
                if side != Side::Old && is_wanted(marks.added) {
                    marks.added = decision;
                }
            }
            if *state != before {
                decided.changed += 1;
                saved.push(Saved::State { id, state: before });
            }
        }
    }

    /// Decides hunks without an undo step, for a policy that decides in place of the person.
    pub fn settle(&mut self, hunks: &[HunkId], decision: Decision) {
        for &id in hunks {
            self.mark_whole(id, decision, None);
        }
    }

    /// Rejects hunks that the person has rejected before, without an undo step, until the person decides about them.
    pub fn reject_again(&mut self, hunks: &[HunkId]) {
        for &id in hunks {
            self.mark_whole(id, Decision::Rejected, Some(InAdvance::RejectedBefore));
        }
    }

    /// Accepts hunks by rules of the person, which is one step to take back.
    pub fn accept_by_policy(&mut self, hunks: impl IntoIterator<Item = (HunkId, ByPolicy)>) {
        let hunks = hunks.into_iter();
        self.accept_in_advance(hunks.map(|(id, by)| (id, InAdvance::Accepted(Arc::new(by)))));
    }

    /// Accepts hunks that the person accepted in an earlier review, which is one step to take back. With each goes whether all of its
    /// lines were shown then.
    pub fn accept_again(&mut self, hunks: impl IntoIterator<Item = (HunkId, bool)>) {
        let hunks = hunks.into_iter();
        self.accept_in_advance(hunks.map(|(id, shown)| (id, InAdvance::AcceptedBefore { shown })));
    }

    fn accept_in_advance(&mut self, hunks: impl Iterator<Item = (HunkId, InAdvance)>) {
        let mut saved = Vec::new();
        for (id, why) in hunks {
            if let Some(state) = self.mark_whole(id, Decision::Accepted, Some(why)) {
                saved.push(Saved::State { id, state });
            }
        }
        self.history.record(saved);
    }

    /// Decides all of a hunk that can be decided. Returns its state before.
    fn mark_whole(
        &mut self,
        id: HunkId,
        decision: Decision,
        in_advance: Option<InAdvance>,
    ) -> Option<HunkState> {
        let rejects = decision == Decision::Rejected;
        let may_be_marked =
            |hunk: &HunkReview| hunk.is_decidable() || rejects && hunk.can_be_dropped();
        if !self.hunk(id).is_some_and(may_be_marked) || !id.is_open(self) {
            return None;
        }
        let state = &mut self.files[id.file].hunks[id.hunk].state;
        let before = state.clone();
        state.marks.fill(LineMarks {
            removed: decision,
            added: decision,
        });
        state.in_advance = in_advance;
        Some(before)
    }

    /// Counts the hunks that a decision would change, and those that it would leave.
    pub fn would_decide(&self, target: &Target, decision: Decision) -> Decided {
        let mut decided = Decided::default();
        for id in self.targets(target, decision) {
            let file = &self.files[id.file];
            let hunk = &file.hunks[id.hunk];
            let wanted = match target {
                Target::Rest | Target::RestOf(_) => hunk.is_open(),
                Target::Lines { .. }
                | Target::Hunk(_)
                | Target::File(_)
                | Target::Files(_)
                | Target::Hunks(_) => hunk.mark() != Some(decision.into()),
            };
            if target.takes(file, hunk, decision) {
                decided.changed += usize::from(wanted);
            } else {
                decided.left += usize::from(hunk.is_open());
            }
        }
        decided
    }

    /// Rejects everything: the base stays.
    pub fn reject_all(&mut self) {
        let decidable = self.hunks().filter(|(_, hunk)| hunk.is_decidable());
        let targets: Vec<Target> = decidable.map(|(id, _)| Target::Hunk(id)).collect();
        self.decide_all(&targets, Decision::Rejected);
    }

    /// Returns the hunks that a decision about a target takes.
    pub(super) fn taken_by(
        &self,
        target: &Target,
        decision: Decision,
    ) -> impl Iterator<Item = HunkId> {
        let targets = self.targets(target, decision).into_iter();
        targets.filter(move |id| {
            let file = &self.files[id.file];
            target.takes(file, &file.hunks[id.hunk], decision)
        })
    }

    /// Lists the hunks of a file.
    fn hunk_ids(&self, file: usize) -> impl Iterator<Item = HunkId> + use<> {
        let count = self.files.get(file).map_or(0, |file| file.hunks.len());
        (0..count).map(move |hunk| HunkId { file, hunk })
    }

    /// Lists the hunks that a decision about a target concerns.
    fn targets(&self, target: &Target, decision: Decision) -> Vec<HunkId> {
        let all: Vec<HunkId> = match target {
            Target::Lines { hunk, .. } | Target::Hunk(hunk) => vec![*hunk],
            Target::File(file) => self.hunk_ids(*file).collect(),
            Target::Files(files) | Target::RestOf(files) => (files.iter())
                .flat_map(|file| self.hunk_ids(*file))
                .collect(),
            Target::Hunks(hunks) => hunks.clone(),
            Target::Rest => (0..self.files.len())
                .flat_map(|file| self.hunk_ids(file))
                .collect(),
        };
        all.into_iter()
            .filter(|id| {
                let drops = matches!(target, Target::Hunk(_)) && decision != Decision::Accepted;
                self.hunk(*id)
                    .is_some_and(|hunk| hunk.is_decidable() || drops && hunk.can_be_dropped())
            })
            .filter(|id| id.is_open(self))
            .collect()
    }
}
