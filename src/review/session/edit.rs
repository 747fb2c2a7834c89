//! Editing a hunk's new lines in place.
//!
//! An edit works on a region: the base lines that the hunk changes and some lines around them, as they would read with the
//! hunk accepted. Whatever text the person leaves there is compared with the base's lines of the region, and the
//! difference is the hunk from then on. A region never reaches into another hunk's changes, so an edit of one hunk cannot
//! change another.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::comments::carried_comments;
use super::decide::Target;
use super::decision::{Decision, Mark};
use super::hunk::{ChangedLine, HunkId, HunkReview, HunkState, LineMarks, Side};
use super::in_progress::EditInProgress;
use super::pair::pair;
use super::review_session::ReviewSession;
use super::steps::Saved;
use crate::text::LineIdx;

/// The lines of a hunk that can be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditRegion {
    /// The hunk.
    pub hunk: HunkId,
    /// The base lines that the region replaces.
    pub base: Range<LineIdx>,
    /// The position of the region's first line in the file's right side.
    pub first_new: LineIdx,
    /// The region's lines on the right side, without endings.
    pub lines: Vec<String>,
}

impl ReviewSession {
    /// Starts an edit, and returns the region to edit for a hunk, with up to `context` lines around its changes.
    /// `None` if the hunk has no lines to edit, or if another hunk's changes are between its own.
    pub fn begin_edit(&mut self, id: HunkId, context: usize) -> Option<EditRegion> {
        let region = self.edit_region(id, context)?;
        self.finish_edit();
        let state = self.hunk(id)?.state.clone();
        self.editing = Some(EditInProgress { id, state });
        Some(region)
    }

    /// Puts `lines` in the place of a region's lines. The decisions of lines that stay as they were are kept; the others
    /// take the hunk's decision if it has one for all of its lines.
    pub fn edit(&mut self, region: &EditRegion, lines: &[String]) {
        let EditRegion { hunk: id, base, .. } = region;
        let Some(file) = self.files.get_mut(id.file) else {
            return;
        };
        let changed: Arc<[ChangedLine]> = {
            let document = &file.base;
            let old: Vec<&str> = base.clone().map(|idx| document.line(idx)).collect();
            let new: Vec<&str> = lines.iter().map(String::as_str).collect();
            capture_diff_slices(Algorithm::Myers, &old, &new)
                .into_iter()
                .filter(|op| op.tag() != DiffTag::Equal)
                .flat_map(|op| {
                    let removed = op.old_range();
                    let added = lines[op.new_range()].to_vec();
                    pair(
                        document,
                        base.start + removed.start..base.start + removed.end,
                        added,
                    )
                })
                .collect()
        };
        let Some(hunk) = file.hunks.get_mut(id.hunk) else {
            return;
        };
        let marks = carried(&hunk.state, &changed);
        hunk.state.line_comments = carried_comments(&hunk.state, &changed);
        hunk.state.edited = changed != hunk.proposed;
        hunk.state.lines = changed;
        hunk.state.marks = marks;
        file.rebuild();
    }

    /// Ends an edit and keeps it, as one step to undo.
    pub fn finish_edit(&mut self) {
        if let Some(EditInProgress { id, state }) = self.editing.take()
            && self.hunk(id).is_some_and(|hunk| hunk.state != state)
        {
            self.history.record(vec![Saved::State { id, state }]);
        }
    }

    /// Ends an edit and drops it.
    pub fn cancel_edit(&mut self) {
        if let Some(EditInProgress { id, state }) = self.editing.take() {
            self.files[id.file].hunks[id.hunk].state = state;
            self.files[id.file].rebuild();
        }
    }

    /// Puts the agent's lines back, undecided; whether anything changed.
    pub fn restore(&mut self, id: HunkId) -> bool {
        let open = id.is_open(self);
        let Some(hunk) = self
            .files
            .get_mut(id.file)
            .and_then(|file| file.hunks.get_mut(id.hunk))
        else {
            return false;
        };
        if !open {
            return false;
        }
        if hunk.kept_edit.is_some() {
            let before = Box::new(hunk.clone());
            hunk.kept_edit = None;
            self.history.record(vec![Saved::Hunk { id, hunk: before }]);
            return true;
        }
        if !hunk.state.edited {
            return false;
        }
        let state = hunk.put_back();
        self.history.record(vec![Saved::State { id, state }]);
        self.files[id.file].rebuild();
        true
    }

    /// Returns the hunks with an edit of which some is dropped at the end: it has a place, and nothing is decided about it.
    pub fn dropped_edits(&self) -> impl Iterator<Item = HunkId> {
        let hunks = self.hunks().filter(|(id, _)| id.is_open(self));
        let is_dropped =
            |(id, hunk): &(HunkId, &HunkReview)| self.files[id.file].drops_edit_of(hunk);
        hunks.filter(is_dropped).map(|(id, _)| id)
    }

    /// Returns the hunks with an edit that is written although nothing is decided about it, because undecided hunks are selected.
    pub fn selected_edits(&self) -> impl Iterator<Item = HunkId> {
        let hunks = self.hunks().filter(|(id, _)| id.is_open(self));
        let hunks = hunks.filter(|(id, _)| self.files[id.file].selects_undecided());
        let edited = hunks.filter(|(_, hunk)| hunk.state.edited);
        let undecided = edited.filter(|(_, hunk)| hunk.mark() == Some(Mark::Undecided));
        undecided.map(|(id, _)| id)
    }

    /// Accepts the undecided lines of the hunks with an edit that would be dropped, as one step to undo. Returns true if there
    /// are any.
    pub fn accept_dropped_edits(&mut self) -> bool {
        let mut targets = Vec::new();
        for hunk in self.dropped_edits() {
            let marks = self.hunk(hunk).map(|review| &review.state.marks);
            for (line, marks) in marks.into_iter().flatten().enumerate() {
                let sides = [(Side::Old, marks.removed), (Side::New, marks.added)];
                let open = sides
                    .into_iter()
                    .filter(|(_, of)| *of == Decision::Undecided);
                targets.extend(open.map(|(side, _)| Target::Lines {
                    hunk,
                    lines: line..line + 1,
                    side,
                }));
            }
        }
        self.decide_all(&targets, Decision::Accepted).changed > 0
    }

    pub(in crate::review) fn edit_region(&self, id: HunkId, context: usize) -> Option<EditRegion> {
        let file = self.files.get(id.file).filter(|file| file.is_open())?;
        let hunk = self
            .hunk(id)
            .filter(|hunk| hunk.is_decidable() && hunk.step.is_none())?;
        let own = |i: &usize| file.groups[*i].hunk == id.hunk;
        let matched = match (&hunk.part, hunk.proposed.first(), hunk.proposed.last()) {
            (Some(_), Some(first), Some(last)) => first.at..last.end(),
            _ => hunk.placement()?.lines.clone(),
        };
        let groups = 0..file.groups.len();
        let (Some(first), Some(last)) = (groups.clone().find(own), groups.clone().rfind(own))
        else {
            // All of the change was edited away: the region is what the preimage matched.
            return self.emptied_region(id, matched);
        };
        if (first..=last).any(|i| !own(&i)) {
            return None;
        }
        let before = first.checked_sub(1).map_or(0, |i| file.groups[i].base.end);
        let after = file
            .groups
            .get(last + 1)
            .map_or(file.base.len(), |group| group.base.start);
        let start = file.groups[first]
            .base
            .start
            .saturating_sub(context)
            .max(before);
        let end = (file.groups[last].base.end + context).min(after);
        // Added lines before the region shift the right side, removed ones shift it back.
        let (adds, goes) = file.groups[..first].iter().fold((0, 0), |(a, g), group| {
            (a + group.adds, g + group.base.len())
        });
        let first_new = start + adds - goes;
        let (inner_adds, inner_goes) = file.groups[first..=last]
            .iter()
            .fold((0, 0), |(a, g), group| {
                (a + group.adds, g + group.base.len())
            });
        let len = end - start + inner_adds - inner_goes;
        let lines = (first_new..first_new + len)
            .map(|idx| file.yours().line(idx).to_owned())
            .collect();
        Some(EditRegion {
            hunk: id,
            base: start..end,
            first_new,
            lines,
        })
    }

    fn emptied_region(&self, id: HunkId, matched: Range<LineIdx>) -> Option<EditRegion> {
        let file = self.files.get(id.file)?;
        if file
            .groups
            .iter()
            .any(|group| group.base.start < matched.end && matched.start < group.base.end)
        {
            return None;
        }
        let before = file
            .groups
            .iter()
            .filter(|group| group.base.end <= matched.start);
        let (adds, goes) = before.fold((0, 0), |(a, g), group| {
            (a + group.adds, g + group.base.len())
        });
        let lines = matched
            .clone()
            .map(|idx| file.base.line(idx).to_owned())
            .collect();
        Some(EditRegion {
            hunk: id,
            first_new: matched.start + adds - goes,
            base: matched,
            lines,
        })
    }
}

/// The marks of edited lines: those of equal lines before, else the decision that the hunk had as a whole.
fn carried(before: &HunkState, lines: &[ChangedLine]) -> Vec<LineMarks> {
    let mut decisions = before.decisions(0..usize::MAX);
    let first = decisions.next().unwrap_or_default();
    let whole = if decisions.all(|decision| decision == first) {
        first
    } else {
        Decision::Undecided
    };
    let whole = LineMarks {
        removed: whole,
        added: whole,
    };
    let known: FxHashMap<&ChangedLine, LineMarks> = before
        .lines
        .iter()
        .zip(before.marks.iter().copied())
        .collect();
    lines
        .iter()
        .map(|line| known.get(line).copied().unwrap_or(whole))
        .collect()
}
