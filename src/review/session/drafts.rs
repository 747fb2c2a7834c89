//! Drafts of the apply model: for a hunk without a place, and for lines that it was asked to rewrite.
//!
//! Neither is ever decided: a hunk is placed where the model put it, marked as the model's and never surer than fuzzy,
//! and lines that it wrote are an edit of the hunk around them, undecided even where that was accepted. Each is one
//! undo step.

use std::ops::Range;

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::edit::EditRegion;
use super::file::FileReview;
use super::hunk::{ChangedLine, HunkId, HunkReview, LineMarks, Outcome, Remark};
use super::manual::NotPlaced;
use super::review_session::ReviewSession;
use super::steps::Saved;
use crate::locate::{Chosen, Confidence, Placement, Unplaced, place_at};
use crate::proposal::Hunk;
use crate::text::{LineIdx, LineNo};

/// A question to the apply model about a hunk without a place.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelQuestion<'a> {
    /// The hunk as its dialect states it.
    pub asked: &'a Hunk,
    /// The lines near which it belongs, if anything is known of that.
    pub near: Option<Range<LineIdx>>,
}

impl ReviewSession {
    /// Returns the question to the apply model about a hunk. `None` if it has a place, or if it is ambiguous, contradicts itself
    /// or overlaps another: that is for a person. `None` if it has a place, or if it could be meant for several or contradicts
    /// itself or another: that is for a person.
    pub fn question(&self, id: HunkId) -> Option<ModelQuestion<'_>> {
        let hunk = self.hunk(id).filter(|_| id.is_open(self))?;
        let Outcome::Unplaced(unplaced) = &hunk.outcome else {
            return None;
        };
        let near = match unplaced {
            Unplaced::NotFound { nearest } => {
                (nearest.first()).map(|near| near.line.idx()..near.last.idx() + 1)
            }
            Unplaced::Nowhere => None,
            Unplaced::Ambiguous { .. }
            | Unplaced::Overlap { .. }
            | Unplaced::Conflict { .. }
            | Unplaced::Unclear { .. }
            | Unplaced::Elisions { .. }
            | Unplaced::NoTarget { .. }
            | Unplaced::NoChange => return None,
        };
        let asked = hunk.asked.as_ref()?.hunk()?;
        Some(ModelQuestion { asked, near })
    }

    /// Puts what the model answered in the place of a hunk that had none, as one step to take back.
    ///
    /// # Errors
    ///
    /// [`NotPlaced`] if the hunk is none to be asked about any more, or if the answer does not fit the file.
    pub fn take_answer(&mut self, id: HunkId, answer: &Hunk) -> Result<(), NotPlaced> {
        if self.question(id).is_none() {
            return Err(NotPlaced::HasPlace);
        }
        let file = &mut self.files[id.file];
        let answered = file.answered_hunk(id.hunk, answer)?;
        let hunk = Box::new(std::mem::replace(&mut file.hunks[id.hunk], answered));
        file.rebuild();
        self.finish_edit();
        self.history.record(vec![Saved::Hunk { id, hunk }]);
        Ok(())
    }
}

/// Why no hunk takes up what a model makes of some lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotDrafted {
    /// No hunk reaches to them.
    #[error("no hunk of this file includes these lines, so none can hold the change")]
    NoHunk,
    /// They are of several.
    #[error("these lines are of several hunks: select lines of one of them")]
    Several,
    /// They are others than those that were asked about.
    #[error("line {0} and those after it have changed since, so the model's answer is not used")]
    Changed(LineNo),
}

impl ReviewSession {
    /// The region of the hunk that takes up a change of some lines of a file's right side: the one that changes them, else
    /// the nearest that reaches to them.
    ///
    /// # Errors
    ///
    /// [`NotDrafted`] if there is none, or more than one.
    pub fn region_of(&self, file: usize, lines: &Range<LineIdx>) -> Result<EditRegion, NotDrafted> {
        let review = self.files.get(file).ok_or(NotDrafted::NoHunk)?;
        let (mut own, mut near) = (Vec::new(), Vec::new());
        let mut shift = 0_isize;
        for group in &review.groups {
            let start = group.base.start.saturating_add_signed(shift);
            let end = start + group.adds;
            shift += group.adds.cast_signed() - group.base.len().cast_signed();
            if start < lines.end && lines.start < end {
                own.push(group.hunk);
            }
            let away = start
                .saturating_sub(lines.end)
                .max(lines.start.saturating_sub(end));
            near.push((away, group.hunk));
        }
        own.dedup();
        if own.len() > 1 {
            return Err(NotDrafted::Several);
        }
        near.sort_unstable();
        let mut hunks = own
            .into_iter()
            .chain(near.into_iter().map(|(_, hunk)| hunk));
        let region = hunks.find_map(|hunk| self.reaching(HunkId { file, hunk }, lines));
        region.ok_or(NotDrafted::NoHunk)
    }

    /// The region of a hunk, as large as it has to be to hold some lines, if it can.
    fn reaching(&self, id: HunkId, lines: &Range<LineIdx>) -> Option<EditRegion> {
        let end = |region: &EditRegion| region.first_new + region.lines.len();
        let region = self.edit_region(id, 0)?;
        let below = lines.end.saturating_sub(end(&region));
        let above = region.first_new.saturating_sub(lines.start);
        let region = self.edit_region(id, above.max(below))?;
        (region.first_new <= lines.start && lines.end <= end(&region)).then_some(region)
    }

    /// Puts what a model made of some lines of a file's right side in their place: an edit of the hunk around them, of which
    /// nothing new is decided. `old` is how they read when it was asked.
    ///
    /// # Errors
    ///
    /// [`NotDrafted`] if they read otherwise by now, or if no hunk takes the change up.
    pub fn take_draft(
        &mut self,
        file: usize,
        lines: &Range<LineIdx>,
        old: &[String],
        new: &[String],
    ) -> Result<HunkId, NotDrafted> {
        let region = self.region_of(file, lines)?;
        let (id, first) = (region.hunk, region.first_new);
        let own = lines.start - first..lines.end - first;
        if region.lines[own.clone()] != *old {
            return Err(NotDrafted::Changed(LineNo::from_idx(lines.start)));
        }
        let mut text = region.lines.clone();
        text.splice(own, new.iter().cloned());
        let state = self.files[file].hunks[id.hunk].state.clone();
        let known: FxHashSet<&ChangedLine> = state.lines.iter().collect();
        self.finish_edit();
        self.edit(&region, &text);
        let now = &mut self.files[file].hunks[id.hunk].state;
        for (line, marks) in now.lines.iter().zip(&mut now.marks) {
            if !known.contains(line) {
                *marks = LineMarks::default();
            }
        }
        drop(known);
        if *now != state {
            self.history.record(vec![Saved::State { id, state }]);
        }
        Ok(id)
    }
}

impl FileReview {
    /// Returns a hunk as an answer of the apply model places it. The answer has a line number and the file's lines
    /// from there.
    pub(in crate::review) fn answered_hunk(
        &self,
        hunk: usize,
        answer: &Hunk,
    ) -> Result<HunkReview, NotPlaced> {
        let at = answer.hint.map_or(0, LineNo::idx);
        let mut lines = answer.body.preimage.iter().zip(at..);
        if !lines.all(|(line, idx)| idx < self.base.len() && self.base.line(idx) == line) {
            return Err(NotPlaced::Changed(LineNo::from_idx(at)));
        }
        let placement = place_at(answer, &self.base, at).ok_or(NotPlaced::NoLines)?;
        // The place is certain, but not that it says what was meant.
        let placement = Placement {
            confidence: Confidence::Fuzzy,
            chosen: Some(Chosen::Model),
            version: None,
            offset: None,
            ..placement
        };
        let mut answered = self.placed_with(hunk, placement)?;
        answered.remarks.push(Remark::ByModel);
        Ok(answered)
    }
}
