//! Decisions taken up by a session: after a break, or when the files have changed in between.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::decisions::{Decisions, FileDecisions, HunkDecisions, PassageDecision};
use super::snapshot::FileImprint;
use crate::review::session::decision::Decision;
use crate::review::session::file::FileReview;
use crate::review::session::file::PassageComment;
use crate::review::session::hunk::{HunkId, HunkReview, HunkState, Outcome};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::steps::Saved;
use crate::text::LineIdx;

/// The source of decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionSource {
    /// From a review of the same proposal: what was said of a hunk belongs to the same hunk, whatever became of its text.
    SameProposal,
    /// From a review of another one: only what is known by its content is taken.
    AnotherProposal,
}

/// Counts of restored decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenUp {
    /// The number of hunks that are as they were left.
    pub hunks: usize,
    /// Hunks with accepted lines whose text has changed since: the file, and the number in it.
    pub lost: Vec<(String, usize)>,
    /// Hunks whose edit was made for lines that have changed since, and is kept to be placed by hand: the file, and the number in it.
    pub kept_edits: Vec<(String, usize)>,
}

impl ReviewSession {
    /// Restores every decision, edit and comment whose hunk replaces the same lines by the same lines. Decisions that
    /// were made in this session already are kept.
    pub fn take_up(&mut self, decisions: &Decisions, origin: DecisionSource) -> TakenUp {
        let mut taken = TakenUp::default();
        if origin == DecisionSource::SameProposal && self.comment.is_none() {
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
        let in_advance = std::mem::take(&mut self.history);
        if before.unread() == 0 {
            self.keep_decided_in_advance(before);
        }
        let taken = self.take_up(&Decisions::of(before), DecisionSource::SameProposal);
        self.take_seen(before);
        // Before an outline was placed, there was nothing to decide, and no rule could.
        self.history = if before.unread() == 0 {
            before.history.clone()
        } else {
            in_advance
        };
        let mut moves: FxHashMap<usize, Vec<Option<isize>>> = FxHashMap::default();
        self.history.retain(|saved| {
            let (id, state) = match saved {
                Saved::State { id, state } => (*id, state),
                Saved::FileComment { .. } | Saved::BatchComment { .. } => return true,
                // A place that was chosen by hand, what a split made, or lines that stay may be something else now.
                Saved::Hunk { .. } | Saved::Tail { .. } | Saved::Passages { .. } => return false,
            };
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

    /// Takes back what is decided in advance now and was not before: the person may have decided otherwise, or left it open.
    pub(in crate::review) fn keep_decided_in_advance(&mut self, before: &Self) {
        for (file, review) in self.files.iter_mut().enumerate() {
            for (hunk, review) in review.hunks.iter_mut().enumerate() {
                let was = before.hunk(HunkId { file, hunk });
                let is_kept = was.is_some_and(|was| was.state.in_advance.is_some());
                if review.state.in_advance.is_some() && !is_kept {
                    review.put_back();
                }
            }
        }
    }

    /// Keeps of the steps that can be taken back what still fits one file, which took the place of what it was `before`.
    pub(in crate::review) fn keep_steps(&mut self, before: &Self, file: usize) {
        let moves = moves_of(&self.files, before, file);
        self.history.retain(|saved| match saved {
            _ if saved.file() != Some(file) => true,
            Saved::State { id, state } => {
                let by = moves.get(id.hunk).copied().flatten();
                !state.edited && by.is_some_and(|by| state.shift(by))
            }
            Saved::FileComment { .. } | Saved::BatchComment { .. } => true,
            Saved::Hunk { .. } | Saved::Tail { .. } | Saved::Passages { .. } => false,
        });
    }
}

/// By how many lines each hunk of a file has moved since an earlier session; `None` for those that are not what they were.
fn moves_of(now: &[FileReview], before: &ReviewSession, file: usize) -> Vec<Option<isize>> {
    let (Some(now), Some(before)) = (now.get(file), before.files.get(file)) else {
        return Vec::new();
    };
    let is_split = |file: &FileReview| file.hunks.iter().any(|hunk| hunk.part.is_some());
    if now.path != before.path || is_split(now) || is_split(before) {
        return Vec::new();
    }
    let (now, before) = (FileImprint::of(now), FileImprint::of(before));
    let pairs = now.contents().into_iter().zip(before.contents());
    let moves = pairs.enumerate().map(|(hunk, (is, was))| {
        let (to, from) = (now.anchor(hunk)?, before.anchor(hunk)?);
        (is == was).then_some(to.cast_signed() - from.cast_signed())
    });
    moves.collect()
}

impl TakenUp {
    fn lose(&mut self, path: &str, hunk: &HunkDecisions) {
        if hunk.accepts() {
            self.lost.push((path.to_owned(), hunk.hunk));
        }
    }

    /// Keeps the person's edit of a hunk whose lines have changed, to be placed by hand.
    fn keep_edit(&mut self, path: &str, hunk: &mut HunkReview, from: &HunkDecisions) {
        hunk.kept_edit = from.edit_body().or(hunk.kept_edit.take());
        if hunk.kept_edit.is_some() && hunk.state.in_advance.is_some() {
            hunk.put_back();
        }
        if from.is_edited() && hunk.kept_edit.is_some() {
            self.kept_edits.push((path.to_owned(), from.hunk));
        }
    }
}

impl FileReview {
    fn take_up(&mut self, from: &FileDecisions, origin: DecisionSource, taken: &mut TakenUp) {
        if origin == DecisionSource::SameProposal && self.comment.is_none() {
            self.comment.clone_from(&from.comment);
        }
        if origin == DecisionSource::SameProposal {
            from.hunks.iter().for_each(|hunk| self.take_place(hunk));
            from.passages
                .iter()
                .for_each(|said| self.take_passage(said));
        }
        let imprint = FileImprint::of(self);
        let contents = imprint.contents().into_iter().enumerate();
        let known: FxHashMap<String, usize> = contents
            .filter_map(|(at, content)| Some((content?, at)))
            .collect();
        let mut edited = Vec::new();
        for hunk in &from.hunks {
            let at = hunk.content.as_ref().and_then(|content| known.get(content));
            let fresh = |at: &usize| self.hunks[*at].state.is_untouched();
            if at.is_some_and(|at| !fresh(at)) {
                continue;
            }
            let pieces = at.and_then(|&at| self.pieces(at, imprint.anchor(at)?, hunk));
            let Some(pieces) = pieces else {
                taken.lose(&from.path, hunk);
                taken.hunks += usize::from(self.take_without_content(hunk, origin));
                let number = hunk
                    .hunk
                    .checked_sub(1)
                    .filter(|_| origin == DecisionSource::SameProposal);
                if let Some(own) = number.and_then(|at| self.hunks.get_mut(at)) {
                    taken.keep_edit(&from.path, own, hunk);
                }
                continue;
            };
            taken.hunks += 1;
            if !hunk.is_edited()
                && let Some((first, ..)) = pieces.first()
            {
                self.hunks[*first].kept_edit = hunk.edit_body();
            }
            for (at, state, from) in pieces {
                if state.edited {
                    edited.push((at, from));
                }
                self.hunks[at].state = state;
            }
        }
        self.rebuild();
        // An edit may reach beyond the hunk's own lines, into what another hunk changes now.
        let mut split = Vec::new();
        for (at, hunk) in edited {
            let whole_at = self.hunks[at].part.as_ref().map_or(at, |part| part.of);
            if split.contains(&whole_at) || !self.overlaps(at) {
                continue;
            }
            let is_part = self.hunks[at].part.is_some();
            let parts = self.parts(whole_at);
            for part in parts {
                let review = &mut self.hunks[part];
                let agents = HunkState::new(Arc::clone(&review.proposed), false);
                review.state = HunkState {
                    comment: review.state.comment.take(),
                    ..agents
                };
            }
            self.rebuild();
            taken.hunks -= 1;
            let whole = from.hunks.iter().find(|whole| whole.hunk == hunk.hunk);
            let whole = whole.unwrap_or(hunk);
            taken.lose(&from.path, whole);
            taken.keep_edit(&from.path, &mut self.hunks[whole_at], whole);
            if is_part {
                split.push(whole_at);
            }
        }
        // The edit is of the whole hunk, and so is the place that it is given.
        for &whole in &split {
            self.join_parts(whole);
        }
        if !split.is_empty() {
            self.rebuild();
        }
    }

    /// The states of a hunk, or of the parts that it was split into, which are made; `None` if they do not fit.
    fn pieces<'a>(
        &mut self,
        at: usize,
        anchor: LineIdx,
        from: &'a HunkDecisions,
    ) -> Option<Vec<(usize, HunkState, &'a HunkDecisions)>> {
        let before = (!from.parts.is_empty()).then(|| (self.hunks[at].clone(), self.hunks.len()));
        let mut pieces = vec![(at, from)];
        let mut begun = 0;
        for part in &from.parts {
            let last = pieces.last().map_or(at, |(last, _)| *last);
            let cut = part.begins.and_then(|begins| begins.checked_sub(begun));
            let len = self.hunks[last].state.lines.len();
            if let Some(cut) = cut.filter(|cut| (1..len).contains(cut)) {
                pieces.push((self.hunks.len(), part));
                self.cut(last, cut, cut);
                begun += cut;
            }
        }
        let states = pieces.iter().map(|&(at, from)| {
            let state = from.state(&self.base, anchor, &self.hunks[at].state)?;
            Some((at, state, from))
        });
        let states: Option<Vec<_>> = states.collect();
        let whole = pieces.len() == from.parts.len() + 1;
        let states = states.filter(|_| whole);
        if let (None, Some((hunk, len))) = (&states, before) {
            self.hunks[at] = hunk;
            self.hunks.truncate(len);
        }
        states
    }

    /// Puts a hunk without a place where a person or the apply model had put it, if the lines of that place are known again.
    fn take_place(&mut self, from: &HunkDecisions) {
        let (Some(place), Some(hunk)) = (&from.place, from.hunk.checked_sub(1)) else {
            return;
        };
        let unplaced = |hunk: &HunkReview| matches!(hunk.outcome, Outcome::Unplaced(_));
        if self.hunks.get(hunk).is_some_and(unplaced)
            && let Some(line) = place.find(&self.base)
            && let Ok(placed) = match place.answer(line) {
                Some(answer) => self.answered_hunk(hunk, &answer),
                None => self.placed_at(hunk, line),
            }
        {
            self.hunks[hunk] = placed;
            self.rebuild();
        }
    }

    /// Restores the comment on unchanged lines, if those lines are found and have no other comment.
    fn take_passage(&mut self, said: &PassageDecision) {
        let Some(start) = said.place.find(&self.base) else {
            return;
        };
        let lines = start..start + said.place.lines.len();
        if self.passage(&lines).is_none() {
            let text = said.text.clone();
            self.passages.push(PassageComment { lines, text });
            self.passages
                .sort_by_key(|said| (said.lines.end, said.lines.start));
        }
    }

    /// Restores what does not depend on the lines of a hunk: the comment on it, and its rejection if it had no place. Returns true if
    /// it is rejected again.
    fn take_without_content(&mut self, from: &HunkDecisions, origin: DecisionSource) -> bool {
        let hunk = (from.hunk.checked_sub(1)).and_then(|at| self.hunks.get_mut(at));
        let Some(hunk) = hunk.filter(|_| origin == DecisionSource::SameProposal) else {
            return false;
        };
        let was_dropped = from.content.is_none() && from.decision == Some(Decision::Rejected);
        let is_dropped = was_dropped && hunk.state.is_untouched();
        if is_dropped {
            hunk.state.reject_all();
        }
        if hunk.state.comment.is_none() {
            hunk.state.comment.clone_from(&from.comment);
        }
        is_dropped
    }

    /// Returns true if a hunk's lines overlap those of another.
    fn overlaps(&self, hunk: usize) -> bool {
        self.groups.windows(2).any(|pair| {
            let [a, b] = pair else { return false };
            a.hunk != b.hunk && (a.hunk == hunk || b.hunk == hunk) && b.base.start < a.base.end
        })
    }
}
