//! Decisions taken up by a session: after a break, or when the files have changed in between.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::decision::Decision;
use super::decisions::{Decisions, FileDecisions, HunkDecisions, LineDecisions};
use super::file::FileReview;
use super::history::Saved;
use super::hunk::{ChangedLine, HunkState, LineMarks};
use super::imprint::FileImprint;
use super::session::{ReviewSession, Target};
use crate::text::{Document, LineIdx};

/// Where decisions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From a review of the same proposal: what was said of a hunk belongs to the same hunk, whatever became of its text.
    SameProposal,
    /// From a review of another one: only what is known by its content is taken.
    AnotherProposal,
}

/// What was taken up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenUp {
    /// How many hunks are as they were left.
    pub hunks: usize,
    /// Hunks of which something was accepted and whose text is another now: the file, and the number in it.
    pub lost: Vec<(String, usize)>,
}

impl ReviewSession {
    /// Takes up every decision, edit and comment whose hunk stands on the same lines and makes the same of them. What was
    /// decided in this session already stays.
    pub fn take_up(&mut self, decisions: &Decisions, origin: Origin) -> TakenUp {
        let mut taken = TakenUp::default();
        if origin == Origin::SameProposal && self.comment.is_none() {
            self.comment.clone_from(&decisions.comment);
        }
        let files = self.files.iter().enumerate();
        let known: FxHashMap<String, usize> =
            files.map(|(at, file)| (file.path.clone(), at)).collect();
        for from in &decisions.files {
            match known.get(&from.path) {
                Some(&at) => self.files[at].take_up(from, origin, &mut taken),
                None => (from.hunks.iter()).for_each(|hunk| taken.lose(&from.path, hunk)),
            }
        }
        taken
    }

    /// Takes over every decision, edit and comment of an earlier session on the same proposal, and the steps that can be
    /// taken back. A hunk whose text on disk was touched is undecided again.
    pub fn carry_over(&mut self, before: &Self) -> TakenUp {
        let taken = self.take_up(&Decisions::of(before), Origin::SameProposal);
        self.history = before.history.clone();
        let mut moves: FxHashMap<usize, Vec<Option<isize>>> = FxHashMap::default();
        self.history.retain(|Saved { id, state }| {
            let moves =
                (moves.entry(id.file)).or_insert_with(|| moves_of(&self.files, before, id.file));
            let Some(Some(by)) = moves.get(id.hunk) else {
                return false;
            };
            // An edit may reach to lines that are others now.
            !state.edited && state.shift(*by)
        });
        taken
    }

    /// Keeps of the steps that can be taken back what still fits one file, which took the place of what it was `before`.
    pub(super) fn keep_steps(&mut self, before: &Self, file: usize) {
        let moves = moves_of(&self.files, before, file);
        self.history.retain(|Saved { id, state }| {
            let by = || moves.get(id.hunk).copied().flatten();
            id.file != file || !state.edited && by().is_some_and(|by| state.shift(by))
        });
    }

    /// Rejects everything: the base stays.
    pub fn reject_all(&mut self) {
        for file in 0..self.files.len() {
            self.decide(&Target::File(file), Decision::Rejected);
        }
    }
}

/// By how many lines each hunk of a file has moved since an earlier session; `None` for those that are not what they were.
fn moves_of(now: &[FileReview], before: &ReviewSession, file: usize) -> Vec<Option<isize>> {
    let (Some(now), Some(before)) = (now.get(file), before.files.get(file)) else {
        return Vec::new();
    };
    if now.path != before.path {
        return Vec::new();
    }
    let (now, before) = (FileImprint::of(now), FileImprint::of(before));
    let pairs = now.contents().into_iter().zip(before.contents());
    let moved = |(hunk, (is, was)): (usize, (Option<String>, Option<String>))| {
        let (to, from) = (now.anchor(hunk)?, before.anchor(hunk)?);
        (is == was).then_some(to.cast_signed() - from.cast_signed())
    };
    pairs.enumerate().map(moved).collect()
}

impl TakenUp {
    fn lose(&mut self, path: &str, hunk: &HunkDecisions) {
        if hunk.accepts() {
            self.lost.push((path.to_owned(), hunk.hunk));
        }
    }
}

impl FileReview {
    fn take_up(&mut self, from: &FileDecisions, origin: Origin, taken: &mut TakenUp) {
        if origin == Origin::SameProposal && self.comment.is_none() {
            self.comment.clone_from(&from.comment);
        }
        let imprint = FileImprint::of(self);
        let contents = imprint.contents().into_iter().enumerate();
        let known: FxHashMap<String, usize> = contents
            .filter_map(|(at, content)| Some((content?, at)))
            .collect();
        let mut edited = Vec::new();
        for hunk in &from.hunks {
            let at = hunk.content.as_ref().and_then(|content| known.get(content));
            let state = at.and_then(|&at| {
                let anchor = imprint.anchor(at)?;
                hunk.state(&self.base, anchor, &self.hunks[at].state)
            });
            match (at, state) {
                (Some(&at), Some(state)) if self.hunks[at].state.is_fresh() => {
                    taken.hunks += 1;
                    if state.edited {
                        edited.push((at, hunk));
                    }
                    self.hunks[at].state = state;
                }
                (Some(_), Some(_)) => (),
                (_, None) | (None, _) => {
                    taken.lose(&from.path, hunk);
                    self.take_comment(hunk, origin);
                }
            }
        }
        self.rebuild();
        // An edit may reach beyond the hunk's own lines, into what another hunk changes now.
        for (at, hunk) in edited {
            if self.overlaps(at) {
                let agents = HunkState::new(Arc::clone(&self.hunks[at].proposed), false);
                self.hunks[at].state = HunkState {
                    comment: hunk.comment.clone(),
                    ..agents
                };
                self.rebuild();
                taken.hunks -= 1;
                taken.lose(&from.path, hunk);
            }
        }
    }

    /// What was said of a hunk stays with it.
    fn take_comment(&mut self, from: &HunkDecisions, origin: Origin) {
        let hunk = (from.hunk.checked_sub(1)).and_then(|at| self.hunks.get_mut(at));
        if origin == Origin::SameProposal
            && let Some(hunk) = hunk
            && hunk.state.comment.is_none()
        {
            hunk.state.comment.clone_from(&from.comment);
        }
    }

    /// Whether a hunk's lines lie on those of another.
    fn overlaps(&self, hunk: usize) -> bool {
        self.groups.windows(2).any(|pair| {
            let [a, b] = pair else { return false };
            a.hunk != b.hunk && (a.hunk == hunk || b.hunk == hunk) && b.base.start < a.base.end
        })
    }
}

impl HunkDecisions {
    /// The state of a hunk that stands at `anchor`; `None` if the lines do not fit there.
    fn state(&self, base: &Document, anchor: LineIdx, fresh: &HunkState) -> Option<HunkState> {
        let mut state = HunkState {
            comment: self.comment.clone(),
            ..fresh.clone()
        };
        if let Some(lines) = &self.lines {
            let is_step = fresh.marks.len() != fresh.lines.len();
            if is_step {
                return None;
            }
            let placed = placed(lines, base, anchor)?;
            if !self.edited && placed != *fresh.lines {
                return None;
            }
            state.marks = lines.iter().map(LineDecisions::marks).collect();
            state.edited = self.edited;
            state.lines = placed.into();
        }
        if let Some(decision) = self.decision {
            state.marks.fill(LineMarks {
                removed: decision,
                added: decision,
            });
        }
        Some(state)
    }
}

impl LineDecisions {
    fn marks(&self) -> LineMarks {
        LineMarks {
            removed: self.removed,
            added: self.added,
        }
    }
}

/// The changed lines of a hunk that stands at `anchor`, if all that they take away stands there and they come in order.
fn placed(lines: &[LineDecisions], base: &Document, anchor: LineIdx) -> Option<Vec<ChangedLine>> {
    let mut end = 0;
    let mut place = |line: &LineDecisions| {
        let at = anchor.checked_add_signed(line.at)?;
        let stands = match &line.removes {
            Some(text) => at < base.len() && base.line(at) == text,
            None => at <= base.len() && line.adds.is_some(),
        };
        let whole = !line.adds.as_ref().is_some_and(|text| text.contains('\n'));
        let changed = ChangedLine {
            at,
            removes: line.removes.is_some(),
            adds: line.adds.clone(),
        };
        let fits = stands && whole && end <= at;
        end = changed.end();
        fits.then_some(changed)
    };
    lines.iter().map(&mut place).collect()
}
