//! Placing a hunk by hand, where the engine found no place, several, or one that is not sure.
//!
//! A person goes through the places that come near, or names any line; the hunk shows there at once as it would change the
//! file, and is a hunk like any other once it is kept. What it looks for and the file does not have at that place is not
//! removed, so no line goes that the edit does not show.

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

use super::file::FileReview;
use super::hunk::{ChangedLine, HunkId, HunkReview, HunkState, Outcome, StatedHunk};
use super::in_progress::PlacingInProgress;
use super::pair::pair_placed;
use super::review_session::ReviewSession;
use super::steps::Saved;
use crate::locate::{Placement, Unplaced, place_at};
use crate::proposal::{Body, FinalNewline, Hunk};
use crate::text::{LineIdx, LineNo};

/// Reasons why a hunk cannot be placed at a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotPlaced {
    /// Its place is sure, or none could be right.
    #[error("only a hunk without a sure place can be placed by hand")]
    HasPlace,
    /// It was split, and a place is for the whole.
    #[error("a hunk that was split cannot be placed by hand: undo the split first")]
    Split,
    /// It leaves lines out, so that only the engine could tell what it means; or it changes nothing.
    #[error("this hunk cannot be placed by hand: it leaves lines out, or changes nothing")]
    NoLines,
    /// The file would be the same.
    #[error("at line {0} the file is as the hunk wants it already")]
    Applied(LineNo),
    /// The file has other lines there than those that the hunk was made for.
    #[error("line {0} and those after it have changed since")]
    Changed(LineNo),
    /// Another hunk changes the same lines.
    #[error("at line {0} another hunk changes the same lines")]
    Overlaps(LineNo),
}

impl ReviewSession {
    /// The places that come near, by their first line: the best first, or in file order where all are alike. Empty if the
    /// hunk has a place, or if nothing comes near.
    pub fn places_near(&self, id: HunkId) -> Vec<LineIdx> {
        let Some(Outcome::Unplaced(unplaced)) = self.hunk(id).map(|hunk| &hunk.outcome) else {
            return Vec::new();
        };
        match unplaced {
            Unplaced::Ambiguous { places, .. } => {
                places.iter().map(|place| place.line.idx()).collect()
            }
            Unplaced::NotFound { nearest } | Unplaced::Conflict { nearest, .. } => {
                nearest.iter().map(|near| near.line.idx()).collect()
            }
            Unplaced::Overlap { at, .. } => vec![at.idx()],
            Unplaced::Unclear { .. }
            | Unplaced::Elisions { .. }
            | Unplaced::NoTarget { .. }
            | Unplaced::Nowhere
            | Unplaced::NoChange => Vec::new(),
        }
    }

    /// Begins to place a hunk by hand; it stays without a place until [`ReviewSession::try_place`] gives it one.
    ///
    /// # Errors
    ///
    /// [`NotPlaced`] if this is no hunk to be placed.
    pub fn begin_place(&mut self, id: HunkId) -> Result<(), NotPlaced> {
        let hunk = self.hunk(id).filter(|_| id.is_open(self));
        let hunk = hunk.ok_or(NotPlaced::HasPlace)?;
        let before = Box::new(hunk.clone());
        match (&hunk.outcome, &hunk.asked) {
            (Outcome::Placed(_), Some(_)) if hunk.part.is_some() => return Err(NotPlaced::Split),
            _ if hunk.kept_edit.is_some() && hunk.can_be_placed() => (),
            (
                Outcome::Unplaced(
                    Unplaced::Elisions { .. } | Unplaced::NoTarget { .. } | Unplaced::NoChange,
                ),
                _,
            )
            | (Outcome::Unplaced(_), None) => return Err(NotPlaced::NoLines),
            (Outcome::Unplaced(_), Some(_)) => (),
            (Outcome::Placed(_), Some(_)) if hunk.can_be_placed() => (),
            (
                Outcome::Placed(_)
                | Outcome::AlreadyApplied { .. }
                | Outcome::Follows { .. }
                | Outcome::Refused,
                _,
            ) => return Err(NotPlaced::HasPlace),
        }
        self.finish_edit();
        self.cancel_place();
        self.placing_by_hand = Some(PlacingInProgress { id, before });
        Ok(())
    }

    /// Shows the hunk that is being placed at a line of its file: what it would change there.
    ///
    /// # Errors
    ///
    /// [`NotPlaced`] if it cannot be placed there; the hunk is then as it was before it was being placed.
    pub fn try_place(&mut self, at: LineIdx) -> Result<(), NotPlaced> {
        let Some(PlacingInProgress { id, before }) = self.placing_by_hand.clone() else {
            return Err(NotPlaced::HasPlace);
        };
        let file = &mut self.files[id.file];
        file.hunks[id.hunk] = HunkReview {
            // Its own lines are no obstacle to another place.
            outcome: match &before.outcome {
                Outcome::Placed(_) => Outcome::Unplaced(Unplaced::Nowhere),
                other @ (Outcome::AlreadyApplied { .. }
                | Outcome::Follows { .. }
                | Outcome::Unplaced(_)
                | Outcome::Refused) => other.clone(),
            },
            ..HunkReview::clone(&before)
        };
        file.rebuild();
        let placed = file.placed_at(id.hunk, at);
        let result = placed.as_ref().map(|_| ()).map_err(|why| *why);
        file.hunks[id.hunk] = placed.unwrap_or(*before);
        file.rebuild();
        result
    }

    /// Returns true if a hunk is being placed by hand: what is shown of it is only tried.
    pub fn is_being_placed(&self, id: HunkId) -> bool {
        let placing = self.placing_by_hand.as_ref();
        placing.is_some_and(|placing| placing.id == id)
    }

    /// Returns true if some hunk is being placed by hand.
    pub fn is_placing(&self) -> bool {
        self.placing_by_hand.is_some()
    }

    /// Keeps the place that a hunk was shown at, as one step to take back; whether it was given one.
    pub fn finish_place(&mut self) -> bool {
        let Some(PlacingInProgress { id, before: hunk }) = self.placing_by_hand.take() else {
            return false;
        };
        let placed = self.hunk(id).is_some_and(|now| *now != *hunk);
        if placed {
            self.history.record(vec![Saved::Hunk { id, hunk }]);
        }
        placed
    }

    /// A file as it is without the place that is only being tried.
    pub(in crate::review) fn without_place_in_progress<'a>(
        &self,
        file: &'a FileReview,
    ) -> Cow<'a, FileReview> {
        let tried = self.placing_by_hand.as_ref().filter(|placing| {
            let own = self.files.get(placing.id.file);
            own.is_some_and(|own| std::ptr::eq(own, file))
        });
        let mut file = Cow::Borrowed(file);
        if let Some(PlacingInProgress { id, before }) = tried {
            file.to_mut().hunks[id.hunk] = HunkReview::clone(before);
        }
        file
    }

    /// Leaves a hunk where it was before it was being placed.
    pub fn cancel_place(&mut self) {
        if let Some(PlacingInProgress { id, before }) = self.placing_by_hand.take() {
            self.files[id.file].hunks[id.hunk] = *before;
            self.files[id.file].rebuild();
        }
    }
}

impl HunkReview {
    /// Returns what these lines state about the newline after the last line of the file.
    pub(in crate::review) fn stated_final_newline(&self) -> FinalNewline {
        if self.kept_edit().is_some() {
            return self.final_newline;
        }
        let stated = self.asked.as_ref().and_then(StatedHunk::hunk);
        stated.map_or(FinalNewline::Keep, |hunk| hunk.final_newline)
    }

    /// Returns the similarity of a place that was found similar to what the hunk expects.
    fn similarity_at(&self, at: LineIdx) -> Option<f64> {
        let Outcome::Unplaced(Unplaced::NotFound { nearest } | Unplaced::Conflict { nearest, .. }) =
            &self.outcome
        else {
            return None;
        };
        let known = nearest.iter().find(|near| near.line.idx() == at)?;
        Some(known.similarity)
    }
}

impl FileReview {
    /// Returns a hunk as placed at a line, undecided. Its comments are kept.
    pub(in crate::review) fn placed_at(
        &self,
        hunk: usize,
        at: LineIdx,
    ) -> Result<HunkReview, NotPlaced> {
        let review = self.hunks.get(hunk).ok_or(NotPlaced::HasPlace)?;
        match &review.kept_edit {
            Some(edit) => self.edit_placed_at(hunk, edit, at),
            None => self.stated_placed_at(hunk, at),
        }
    }

    /// Returns a hunk with the person's kept edit of it at a line. The agent's lines are put at the same line, to go back to.
    fn edit_placed_at(
        &self,
        hunk: usize,
        edit: &Body,
        at: LineIdx,
    ) -> Result<HunkReview, NotPlaced> {
        let review = self.hunks.get(hunk).ok_or(NotPlaced::HasPlace)?;
        let own = Hunk {
            final_newline: review.final_newline,
            ..Hunk::new(edit.clone(), review.span)
        };
        let placement = place_at(&own, &self.base, at).ok_or(NotPlaced::NoLines)?;
        let mut placed = self.placed_with(hunk, placement)?;
        if let Ok(stated) = self.stated_placed_at(hunk, at) {
            let differs = placed.placement().map(|own| own.differs.clone());
            placed.outcome = stated.outcome;
            if let (Outcome::Placed(placement), Some(differs)) = (&mut placed.outcome, differs) {
                placement.differs = differs;
            }
            placed.proposed = stated.proposed;
        }
        placed.state.edited = true;
        placed.kept_edit = None;
        Ok(placed)
    }

    /// Returns a hunk with the agent's lines as placed at a line.
    fn stated_placed_at(&self, hunk: usize, at: LineIdx) -> Result<HunkReview, NotPlaced> {
        let review = self.hunks.get(hunk).ok_or(NotPlaced::HasPlace)?;
        let asked = review.asked.as_ref().and_then(StatedHunk::hunk);
        let asked = asked.ok_or(NotPlaced::NoLines)?;
        let mut placement = place_at(asked, &self.base, at).ok_or(NotPlaced::NoLines)?;
        // Its similarity was computed with the search, for the list of similar places.
        if let Some(known) = review.similarity_at(at) {
            placement.similarity = known;
        }
        self.placed_with(hunk, placement)
    }

    /// Returns the changed lines of a hunk as placed at a line, even if another hunk changes the same lines.
    pub(in crate::review) fn lines_placed_at(
        &self,
        hunk: usize,
        at: LineIdx,
    ) -> Option<Vec<ChangedLine>> {
        let asked = self.hunks.get(hunk)?.asked.as_ref();
        let placement = place_at(asked.and_then(StatedHunk::hunk)?, &self.base, at)?;
        let changes = placement.changes.iter();
        Some(
            changes
                .flat_map(|change| pair_placed(&self.base, change))
                .collect(),
        )
    }

    /// Returns a hunk as placed by a placement, undecided.
    pub(in crate::review) fn placed_with(
        &self,
        hunk: usize,
        placement: Placement,
    ) -> Result<HunkReview, NotPlaced> {
        let review = self.hunks.get(hunk).ok_or(NotPlaced::HasPlace)?;
        if placement.changes.is_empty() {
            return Err(NotPlaced::Applied(LineNo::from_idx(placement.lines.start)));
        }
        if let Some(line) = self.overlap(hunk, &placement) {
            return Err(NotPlaced::Overlaps(LineNo::from_idx(line)));
        }
        let lines = placement
            .changes
            .iter()
            .flat_map(|change| pair_placed(&self.base, change));
        let proposed: Arc<[ChangedLine]> = lines.collect();
        let state = HunkState {
            comment: review.state.comment.clone(),
            ..HunkState::new(Arc::clone(&proposed), false)
        };
        Ok(HunkReview {
            final_newline: placement.final_newline.or(review.final_newline),
            outcome: Outcome::Placed(placement),
            // Only what was on the screen there counts as shown.
            seen: review.seen.moved_to(&proposed, [&self.base, &self.base]),
            proposed,
            state,
            ..review.clone()
        })
    }

    /// A line that a placement and another hunk change both.
    fn overlap(&self, hunk: usize, placement: &Placement) -> Option<LineIdx> {
        let others = || self.groups.iter().filter(|group| group.hunk != hunk);
        placement.changed_ranges().iter().find_map(|own| {
            let mut bases = others().map(|group| &group.base);
            let other = bases.find(|other| own.start < other.end && other.start < own.end);
            other.map(|other| own.start.max(other.start))
        })
    }
}
