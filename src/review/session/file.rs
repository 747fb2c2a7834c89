//! A file under review: its base, its hunks, and the texts that they make of it.
//!
//! Its name is a text and no `RepoPath`, for a refused file may have any name. What is written is the path of the snapshot that was
//! read, which is one.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::decision::{Decision, Mark};
use super::hunk::{HunkReview, Step};
use super::outline::Outline;
use super::placed_thread::PlacedThread;
use super::request::{Call, Standing};
use super::versions::{Found, Opaque, Refusal, Sides, Stance};
use crate::text::{Document, LineEnding, LineIdx};

/// A file under review.
#[derive(Debug, Clone)]
pub struct FileReview {
    /// Its name, relative to the root.
    pub path: String,
    /// The change of the file as a whole.
    pub kind: FileKind,
    /// Its text on disk, or that of the file that it is copied from; empty for a file that is not there.
    pub base: Arc<Document>,
    /// Its hunks, in the order of the proposal.
    pub hunks: Vec<HunkReview>,
    /// The hunks' changed lines in base order.
    pub groups: Vec<ChangeGroup>,
    /// Its content, as far as it can be reviewed.
    pub content: FileContent,
    /// Its two versions, if both are known: what is decided is carried out between them.
    pub sides: Option<Sides>,
    /// Why it may not be accepted in batch, if it may not.
    pub protected: Option<String>,
    /// The reviewer's comment on it, for the agent.
    pub comment: Option<String>,
    /// The reviewer's comments on unchanged lines, in the order of the lines.
    pub passages: Vec<PassageComment>,
    /// The call that it came with, in a review that stays open.
    pub call: Option<Arc<Call>>,
    /// The state of its request, in a review that stays open.
    pub standing: Standing,
    /// Conflicts with other pending proposals, in sentences.
    pub forecasts: Vec<String>,
    /// The threads at it.
    pub threads: Vec<PlacedThread>,
    /// [`FileReview::yours`], once someone has asked for it.
    pub(in crate::review) yours: OnceLock<Arc<Document>>,
    pub(in crate::review) revision: u64,
}

/// The content of a file, as far as it can be reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// A text, or a change of the directory entry alone.
    Text,
    /// A binary file, decided as a whole.
    Opaque(Opaque),
    /// Nothing can be done with it, for this reason.
    Refused(Refusal),
    /// It is not placed yet, and only its edits are counted.
    Outline(Outline),
}

/// A comment on unchanged lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageComment {
    /// The lines, in the base.
    pub lines: Range<LineIdx>,
    /// The text of the comment.
    pub text: String,
}

/// The change of a file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileKind {
    /// It is there and stays.
    Modified,
    /// It is made.
    Created,
    /// It goes.
    Deleted,
    /// It gets this name, relative to the root.
    Renamed {
        /// The new name.
        to: String,
    },
    /// It is made of another file's text, which is its base.
    Copied {
        /// The other file's name, relative to the root.
        from: String,
        /// True if the owner of the other file may execute it.
        executable: bool,
    },
}

/// Adjacent changed lines of one hunk, between lines that stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeGroup {
    /// The base lines that go; empty for an insertion.
    pub base: Range<LineIdx>,
    /// The hunk's position in the file.
    pub hunk: usize,
    /// The positions of the lines among the hunk's changed lines.
    pub lines: Range<usize>,
    /// The number of new lines.
    pub adds: usize,
}

impl FileReview {
    /// A file without a name and with nothing laid out yet.
    pub(in crate::review) fn new(
        kind: FileKind,
        base: Arc<Document>,
        hunks: Vec<HunkReview>,
        content: FileContent,
    ) -> Self {
        Self {
            path: String::new(),
            kind,
            base,
            hunks,
            groups: Vec::new(),
            content,
            sides: None,
            protected: None,
            comment: None,
            passages: Vec::new(),
            call: None,
            standing: Standing::Open,
            forecasts: Vec::new(),
            threads: Vec::new(),
            yours: OnceLock::new(),
            revision: 0,
        }
    }

    /// Returns why nothing can be done with it, if nothing can.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.content {
            FileContent::Refused(refusal) => Some(refusal),
            FileContent::Text | FileContent::Opaque(_) | FileContent::Outline(_) => None,
        }
    }

    /// Returns a description of it, if it is binary.
    pub fn opaque(&self) -> Option<&Opaque> {
        match &self.content {
            FileContent::Opaque(opaque) => Some(opaque),
            FileContent::Text | FileContent::Refused(_) | FileContent::Outline(_) => None,
        }
    }

    /// Returns its numbers while it is not placed yet.
    pub fn outline(&self) -> Option<Outline> {
        match &self.content {
            FileContent::Outline(outline) => Some(*outline),
            FileContent::Text | FileContent::Opaque(_) | FileContent::Refused(_) => None,
        }
    }

    /// Returns the permission to execute that its hunks give it, if they do.
    pub(in crate::review) fn permits(&self) -> Option<bool> {
        (self.hunks.iter().rev()).find_map(|hunk| match hunk.step {
            Some(Step::Mode { executable }) => Some(executable),
            _ => None,
        })
    }

    /// Returns true if the deletion of the file was edited so that lines of it stay.
    pub(crate) fn is_kept_by_edit(&self) -> bool {
        let is_edited = self.hunks.iter().any(|hunk| hunk.state.edited);
        self.kind == FileKind::Deleted && is_edited && !self.is_right_empty()
    }

    /// Returns true if a name is its own, or the new one that it will get.
    pub fn concerns(&self, path: &str) -> bool {
        self.path == path || self.new_path() == path
    }

    /// Returns the name that it has after the change.
    pub fn new_path(&self) -> &str {
        match &self.kind {
            FileKind::Renamed { to } => to,
            FileKind::Modified
            | FileKind::Created
            | FileKind::Deleted
            | FileKind::Copied { .. } => &self.path,
        }
    }

    /// Returns the ending of a line of its right side, as in the version that is compared with, if there is one.
    pub fn right_ending(&self, line: LineIdx) -> LineEnding {
        let new = self.sides.as_ref().map(|sides| &sides.new);
        match new {
            Some(Found::Text { document, .. }) if document.len() == self.right_len() => {
                document.ending(line)
            }
            _ => self.yours().ending(line),
        }
    }

    /// The number of lines of its right side, which is not made for that.
    pub fn right_len(&self) -> usize {
        let groups = self.groups.iter();
        let (adds, goes) = groups.fold((0, 0), |(adds, goes), group| {
            (adds + group.adds, goes + group.base.len())
        });
        (self.base.len() + adds).saturating_sub(goes)
    }

    /// Returns true if its right side has no lines. Looks at groups up to the first line that stays or comes.
    pub(crate) fn is_right_empty(&self) -> bool {
        let mut gone = 0;
        let only_goes = self.groups.iter().all(|group| {
            let follows = group.base.start == gone;
            gone = group.base.end;
            follows && group.adds == 0
        });
        only_goes && gone == self.base.len()
    }

    /// Another number whenever its lines are others.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns true if it is a copy that is not accepted: then its other hunks change nothing.
    pub(in crate::review) fn is_unmade_copy(&self) -> bool {
        let is_made = |hunk: &HunkReview| {
            hunk.step == Some(Step::Copy) && hunk.mark() == Some(Mark::Accepted)
        };
        matches!(self.kind, FileKind::Copied { .. }) && !self.hunks.iter().any(is_made)
    }

    /// Returns the sum of the decisions about its hunks; `None` if there is nothing to decide.
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.hunks.iter().filter_map(HunkReview::mark))
    }

    /// Counts the added and the removed lines of all placed hunks.
    pub fn counts(&self) -> (usize, usize) {
        self.hunks
            .iter()
            .filter(|hunk| hunk.is_decidable())
            .map(HunkReview::counts)
            .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Counts the hunks without a place that were not rejected; a file that cannot be changed counts as one.
    pub fn unplaced(&self) -> usize {
        if self.refusal().is_some() {
            return usize::from(!self.is_dropped());
        }
        let is_left = |hunk: &&HunkReview| hunk.is_unplaced() && !hunk.is_dropped();
        self.hunks.iter().filter(is_left).count()
    }

    /// Returns true if all its hunks were rejected although they cannot be written.
    pub fn is_dropped(&self) -> bool {
        !self.hunks.is_empty() && self.hunks.iter().all(HunkReview::is_dropped)
    }

    /// Returns true if all its hunks are applied already.
    pub fn is_already_applied(&self) -> bool {
        !self.hunks.is_empty() && self.hunks.iter().all(HunkReview::is_applied)
    }

    /// Returns the positions of its hunks in file order: those without a place first, then by their first changed
    /// line.
    pub fn in_file_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.hunks.len()).collect();
        order.sort_by_key(|&i| {
            self.hunks[i]
                .is_decidable()
                .then(|| self.hunks[i].first_line())
        });
        order
    }

    /// Returns the number of a hunk as the input, the plan and the report count it, and the number of hunks. The parts of
    /// a split hunk share its number.
    pub fn number_of(&self, hunk: usize) -> (usize, usize) {
        let parted = |at: &usize| self.hunks[*at].part.as_ref().map_or(*at, |part| part.of) == *at;
        let count = (0..self.hunks.len()).filter(parted).count();
        let part = self.hunks.get(hunk).and_then(|hunk| hunk.part.as_ref());
        (part.map_or(hunk, |part| part.of) + 1, count)
    }

    /// Returns the version of it that is on disk: the old one for edits.
    pub fn stance(&self) -> Stance {
        self.sides
            .as_ref()
            .map_or(Stance::Proposed, |sides| sides.stance)
    }

    /// Returns true if its undecided hunks are selected, with the edits in them.
    pub(in crate::review) fn selects_undecided(&self) -> bool {
        self.sides.as_ref().is_some_and(|sides| sides.selects)
    }

    /// Returns true if lines that the person wrote in a hunk are not written because they are undecided.
    pub(in crate::review) fn drops_edit_of(&self, hunk: &HunkReview) -> bool {
        hunk.state.edited
            && match (self.stance(), hunk.mark()) {
                (_, Some(Mark::Undecided)) => !self.selects_undecided(),
                (Stance::Proposed, Some(Mark::Mixed)) => hunk.has_decision(Decision::Undecided),
                (_, Some(Mark::Mixed | Mark::Accepted | Mark::Rejected) | None) => false,
            }
    }

    /// The positions of the parts of a hunk, the first first; the hunk alone if it was not split.
    pub fn parts(&self, hunk: usize) -> Vec<usize> {
        if self.hunks[hunk].part.is_none() {
            return vec![hunk];
        }
        let part = |i: usize| self.hunks[i].part.as_ref();
        let mut parts: Vec<usize> = (0..self.hunks.len())
            .filter(|&i| part(i).map_or(i, |part| part.of) == hunk)
            .collect();
        parts.sort_by_key(|&i| part(i).map_or(0, |part| part.lines.start));
        parts
    }

    /// Returns the position on the right side of the line that a changed line adds, or would precede.
    pub fn new_line(&self, hunk: usize, line: usize) -> Option<LineIdx> {
        let mut shift = 0_isize;
        for group in &self.groups {
            if group.hunk == hunk && group.lines.contains(&line) {
                let lines = &self.hunks[hunk].state.lines[group.lines.start..line];
                let above = lines.iter().filter(|line| line.adds.is_some()).count();
                return Some(group.base.start.saturating_add_signed(shift) + above);
            }
            shift += group.adds.cast_signed() - group.base.len().cast_signed();
        }
        None
    }

    /// The position on the right side of the first of some base lines, if all of them stay.
    pub fn right_of(&self, lines: Range<LineIdx>) -> Option<LineIdx> {
        let above = self
            .groups
            .iter()
            .filter(|group| group.base.end <= lines.start);
        let shift: isize = above
            .map(|group| group.adds.cast_signed() - group.base.len().cast_signed())
            .sum();
        let goes =
            |group: &ChangeGroup| group.base.start < lines.end && lines.start < group.base.end;
        (!self.groups.iter().any(goes)).then(|| lines.start.saturating_add_signed(shift))
    }

    /// Puts the hunks' lines in base order and forgets the right side, which they make. To be called whenever lines change.
    pub(in crate::review) fn rebuild(&mut self) {
        let mut groups = Vec::new();
        for (hunk, review) in self
            .hunks
            .iter()
            .enumerate()
            .filter(|(_, review)| review.is_decidable())
        {
            for lines in review.state.runs() {
                let run = &review.state.lines[lines.clone()];
                let adds = run.iter().filter(|line| line.adds.is_some()).count();
                groups.push(ChangeGroup {
                    base: run[0].at..run[run.len() - 1].end(),
                    hunk,
                    lines,
                    adds,
                });
            }
        }
        // Where parts of one hunk insert at the same place, they come in the order of the hunk.
        groups.sort_by_key(|group| {
            let part = self.hunks[group.hunk].part.as_ref();
            let rank = part.map_or(0, |part| part.lines.start);
            (group.base.start, group.base.end, rank)
        });
        self.groups = groups;
        self.yours = OnceLock::new();
        self.revision += 1;
    }
}
