//! The value in the middle: everything proposed, what was decided about it, and how to go back.
//!
//! A session is made from a proposal and the files as they are ([`super::intake()`]); a person or a policy changes the
//! decisions in it; [`super::compose()`] makes the files' new texts of it. It touches no file and no terminal.

use std::ops::Range;

use super::call::CallReview;
use super::compare::Stance;
use super::decision::{Decision, Mark};
use super::edit::Editing;
use super::file::FileReview;
use super::history::{History, Saved};
use super::hunk::{HunkId, HunkReview, Side};
use crate::proposal::Problem;

/// A proposal under review.
#[derive(Debug, Clone, Default)]
pub struct ReviewSession {
    /// The agent's prose.
    pub intent: String,
    /// The files, in the order of the proposal.
    pub files: Vec<FileReview>,
    /// What could not be read in the input.
    pub problems: Vec<Problem>,
    /// What the person says of the whole batch, for the agent.
    pub comment: Option<String>,
    /// Which placing of the proposal this is: a later one has a greater number. For whoever keeps what it was placed in.
    pub placing: u64,
    /// Those who wait for an answer, the earliest first, in a review that stays open.
    pub calls: Vec<CallReview>,
    pub(super) history: History,
    pub(super) editing: Option<Editing>,
}

/// What a decision is about.
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
    /// A hunk.
    Hunk(HunkId),
    /// All hunks of a file.
    File(usize),
    /// All hunks of some files; of those accepted, only what may be taken without a look.
    Files(Vec<usize>),
    /// Every undecided line of the batch that may be taken without a look.
    Rest,
}

impl Target {
    /// Whether a decision about it takes only what needs no look.
    fn sweeps(&self, decision: Decision) -> bool {
        decision == Decision::Accepted && matches!(self, Self::Files(_) | Self::Rest)
    }
}

/// What came of a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decided {
    /// Hunks whose decisions changed.
    pub changed: usize,
    /// Undecided hunks that were left for a look: loosely placed, or in a protected file.
    pub left: usize,
}

/// Which way to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end.
    Forward,
    /// Towards the start.
    Backward,
}

/// The batch in numbers, in hunks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files.
    pub files: usize,
    /// Hunks with something to decide.
    pub hunks: usize,
    /// Those accepted.
    pub accepted: usize,
    /// Those rejected.
    pub rejected: usize,
    /// Those with some lines accepted or rejected and others not.
    pub mixed: usize,
    /// Those undecided.
    pub undecided: usize,
    /// Those whose lines the person changed.
    pub edited: usize,
    /// Hunks that stand in their file already.
    pub already_applied: usize,
    /// Hunks and files that have no place, and parts of the input that could not be read.
    pub attention: usize,
}

impl ReviewSession {
    /// Which version is on disk: of a proposal always the old one.
    pub fn stance(&self) -> Stance {
        let sides = self.files.iter().find_map(|file| file.sides.as_ref());
        sides.map_or(Stance::Proposed, |sides| sides.stance)
    }

    /// The hunk at a position.
    pub fn hunk(&self, id: HunkId) -> Option<&HunkReview> {
        self.files.get(id.file)?.hunks.get(id.hunk)
    }

    /// How many files are not placed yet: while there are any, it is to be looked at and no more.
    pub fn unread(&self) -> usize {
        self.files
            .iter()
            .filter(|file| file.outline.is_some())
            .count()
    }

    /// Every hunk with its position, files in order, and in each file as they stand in it.
    pub fn hunks(&self) -> impl DoubleEndedIterator<Item = (HunkId, &HunkReview)> {
        self.files.iter().enumerate().flat_map(|(file, review)| {
            review
                .in_file_order()
                .into_iter()
                .map(move |hunk| (HunkId { file, hunk }, &review.hunks[hunk]))
        })
    }

    /// Decides. What cannot be decided is passed over.
    pub fn decide(&mut self, target: &Target, decision: Decision) -> Decided {
        let mut decided = Decided::default();
        let mut saved = Vec::new();
        for id in self.targets(target) {
            let file = &self.files[id.file];
            let hunk = &file.hunks[id.hunk];
            let rest = matches!(target, Target::Rest);
            if target.sweeps(decision) && !file.may_be_swept(hunk) {
                decided.left += usize::from(hunk.is_open());
                continue;
            }
            let before = hunk.state.clone();
            let (lines, side) = match target {
                Target::Lines { lines, side, .. } => (lines.clone(), *side),
                Target::Hunk(_) | Target::File(_) | Target::Files(_) | Target::Rest => {
                    (0..usize::MAX, Side::Both)
                }
            };
            let state = &mut self.files[id.file].hunks[id.hunk].state;
            let end = lines.end.min(state.marks.len());
            for marks in &mut state.marks[lines.start.min(end)..end] {
                let wanted = |old: Decision| {
                    if rest && old != Decision::Undecided {
                        old
                    } else {
                        decision
                    }
                };
                if side != Side::New {
                    marks.removed = wanted(marks.removed);
                }
                if side != Side::Old {
                    marks.added = wanted(marks.added);
                }
            }
            if *state != before {
                decided.changed += 1;
                saved.push(Saved { id, state: before });
            }
        }
        self.history.record(saved);
        decided
    }

    /// How many hunks [`Target::Rest`] would change and leave.
    pub fn would_decide_rest(&self, decision: Decision) -> Decided {
        self.would_decide(&Target::Rest, decision)
    }

    /// How many hunks a decision would change and leave.
    pub fn would_decide(&self, target: &Target, decision: Decision) -> Decided {
        let mut decided = Decided::default();
        for id in self.targets(target) {
            let file = &self.files[id.file];
            let hunk = &file.hunks[id.hunk];
            let wanted = match target {
                Target::Rest => hunk.is_open(),
                Target::Lines { .. } | Target::Hunk(_) | Target::File(_) | Target::Files(_) => {
                    hunk.mark() != Some(decision.into())
                }
            };
            if target.sweeps(decision) && !file.may_be_swept(hunk) {
                decided.left += usize::from(hunk.is_open());
            } else {
                decided.changed += usize::from(wanted);
            }
        }
        decided
    }

    /// Says something of a hunk, for the agent; `None` takes it back.
    pub fn comment(&mut self, id: HunkId, comment: Option<String>) {
        let says_more = |hunk: &HunkReview| hunk.state.comment != comment;
        if id.is_open(self) && self.hunk(id).is_some_and(says_more) {
            let state = &mut self.files[id.file].hunks[id.hunk].state;
            let before = state.clone();
            state.comment = comment;
            self.history.record(vec![Saved { id, state: before }]);
        }
    }

    /// Takes the last step back; the hunk it was about, or the first of them. `None` if there is nothing to take back.
    pub fn undo(&mut self) -> Option<HunkId> {
        let saved = self.history.undo.pop()?;
        let (id, redo) = self.swap(saved)?;
        self.history.redo.push(redo);
        Some(id)
    }

    /// Takes the last undo back.
    pub fn redo(&mut self) -> Option<HunkId> {
        let saved = self.history.redo.pop()?;
        let (id, undo) = self.swap(saved)?;
        self.history.undo.push(undo);
        Some(id)
    }

    /// The nearest hunk after (or before) `from` that is not wholly decided, over all files. `None` as `from` looks at the
    /// whole batch from its end.
    pub fn next_undecided(&self, from: Option<HunkId>, direction: Direction) -> Option<HunkId> {
        let open = HunkReview::is_open;
        let mut hunks = self.hunks().filter(|(id, _)| id.is_open(self));
        match direction {
            Direction::Forward => {
                let found = from.is_none_or(|from| hunks.any(|(id, _)| id == from));
                hunks
                    .find(|(_, hunk)| found && open(hunk))
                    .map(|(id, _)| id)
            }
            Direction::Backward => {
                let mut hunks = hunks.rev();
                let found = from.is_none_or(|from| hunks.any(|(id, _)| id == from));
                hunks
                    .find(|(_, hunk)| found && open(hunk))
                    .map(|(id, _)| id)
            }
        }
    }

    /// The batch in numbers.
    pub fn counts(&self) -> Counts {
        let open = || self.files.iter().filter(|file| file.is_open());
        let mut counts = Counts {
            files: open().count(),
            attention: self.problems.len(),
            ..Counts::default()
        };
        for file in open() {
            counts.attention += file.attention();
            for hunk in &file.hunks {
                match hunk.mark() {
                    Some(Mark::Accepted) => counts.accepted += 1,
                    Some(Mark::Rejected) => counts.rejected += 1,
                    Some(Mark::Mixed) => counts.mixed += 1,
                    Some(Mark::Undecided) => counts.undecided += 1,
                    None => (),
                }
                counts.hunks += usize::from(hunk.is_decidable());
                counts.edited += usize::from(hunk.state.edited);
                counts.already_applied += usize::from(matches!(
                    hunk.outcome,
                    super::Outcome::AlreadyApplied { .. }
                ));
            }
        }
        counts
    }

    fn targets(&self, target: &Target) -> Vec<HunkId> {
        let of_file = |file: usize| {
            (0..self.files.get(file).map_or(0, |f| f.hunks.len()))
                .map(move |hunk| HunkId { file, hunk })
        };
        let all: Vec<HunkId> = match target {
            Target::Lines { hunk, .. } | Target::Hunk(hunk) => vec![*hunk],
            Target::File(file) => of_file(*file).collect(),
            Target::Files(files) => files.iter().copied().flat_map(of_file).collect(),
            Target::Rest => (0..self.files.len()).flat_map(of_file).collect(),
        };
        all.into_iter()
            .filter(|id| self.hunk(*id).is_some_and(HunkReview::is_decidable))
            .filter(|id| id.is_open(self))
            .collect()
    }

    /// Puts saved states in place and gives those that they replace.
    fn swap(&mut self, saved: Vec<Saved>) -> Option<(HunkId, Vec<Saved>)> {
        let id = saved.first()?.id;
        let mut replaced = Vec::with_capacity(saved.len());
        let mut files = Vec::new();
        for Saved { id, state } in saved {
            let hunk = &mut self.files[id.file].hunks[id.hunk];
            if hunk.state.lines != state.lines && !files.contains(&id.file) {
                files.push(id.file);
            }
            replaced.push(Saved {
                id,
                state: std::mem::replace(&mut hunk.state, state),
            });
        }
        for file in files {
            self.files[file].rebuild();
        }
        Some((id, replaced))
    }
}
