//! The value in the middle: everything proposed, what was decided about it, and how to go back.
//!
//! A session is made from a proposal and the files as they are ([`crate::review::intake()`]); a person or a policy changes the
//! decisions in it; [`crate::review::compose()`] makes the files' new texts of it. It touches no file and no terminal.

use super::decision::Mark;
use super::file::FileReview;
use super::hunk::{HunkId, HunkReview, Side};
use super::in_progress::{EditInProgress, PlacingInProgress};
use super::request::CallReview;
use super::steps::History;
use super::versions::Stance;
use crate::proposal::{Problem, Reading};

/// A proposal under review.
#[derive(Debug, Clone, Default)]
pub struct ReviewSession {
    /// The agent's prose.
    pub intent: String,
    /// The files, in the order of the proposal.
    pub files: Vec<FileReview>,
    /// Parts of the input that could not be read.
    pub problems: Vec<Problem>,
    /// The dialects that the input was read in.
    pub readings: Vec<Reading>,
    /// The reviewer's comment on the whole batch, for the agent.
    pub comment: Option<String>,
    /// The number of this placement of the proposal; a later one is greater. For the owner of the files that it was placed in.
    pub placing: u64,
    /// Those who wait for an answer, the earliest first, in a review that stays open.
    pub calls: Vec<CallReview>,
    /// True if the lines that are shown are counted.
    pub(in crate::review) counts_seen: bool,
    pub(in crate::review) history: History,
    pub(in crate::review) editing: Option<EditInProgress>,
    pub(in crate::review) placing_by_hand: Option<PlacingInProgress>,
}

/// The direction of a search.
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
    /// Hunks whose lines are in their file already.
    pub already_applied: usize,
    /// Hunks and files that cannot be written, and parts of the input that could not be read.
    pub unplaced: usize,
}

impl ReviewSession {
    /// Returns the version that is on disk: always the old one for a proposal.
    pub fn stance(&self) -> Stance {
        // Where both are reviewed, who waits for an answer counts.
        let asks = |file: &&FileReview| file.call.is_some() && file.sides.is_none();
        if self
            .files
            .iter()
            .filter(|file| file.is_open())
            .any(|file| asks(&file))
        {
            return Stance::Proposed;
        }
        let sides = self.files.iter().find_map(|file| file.sides.as_ref());
        sides.map_or(Stance::Proposed, |sides| sides.stance)
    }

    /// The hunk at a position.
    pub fn hunk(&self, id: HunkId) -> Option<&HunkReview> {
        self.files.get(id.file)?.hunks.get(id.hunk)
    }

    /// Returns the text of one side of a changed line; `None` if it has no such side.
    pub fn line_text(&self, (id, line): (HunkId, usize), side: Side) -> Option<&str> {
        let changed = self.hunk(id)?.state.lines.get(line)?;
        match side {
            Side::Old => (changed.removes).then(|| self.files[id.file].base.line(changed.at)),
            Side::New => changed.adds.as_deref(),
            Side::Both => None,
        }
    }

    /// Counts the files that are not placed yet. While there are any, nothing can be decided.
    pub fn unread(&self) -> usize {
        self.files
            .iter()
            .filter(|file| file.outline().is_some())
            .count()
    }

    /// Returns every hunk with its position: files in order, hunks in file order.
    pub fn hunks(&self) -> impl DoubleEndedIterator<Item = (HunkId, &HunkReview)> {
        self.files.iter().enumerate().flat_map(|(file, review)| {
            review
                .in_file_order()
                .into_iter()
                .map(move |hunk| (HunkId { file, hunk }, &review.hunks[hunk]))
        })
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

    /// Counts the hunks that cannot be written, and the parts of the input that could not be read.
    pub fn unplaced(&self) -> usize {
        let open = self.files.iter().filter(|file| file.is_open());
        self.problems.len() + open.map(FileReview::unplaced).sum::<usize>()
    }

    /// The batch in numbers.
    pub fn counts(&self) -> Counts {
        let open = || self.files.iter().filter(|file| file.is_open());
        let mut counts = Counts {
            files: open().count(),
            unplaced: self.unplaced(),
            ..Counts::default()
        };
        for file in open() {
            for hunk in &file.hunks {
                match hunk.mark() {
                    Some(Mark::Accepted) => counts.accepted += 1,
                    Some(Mark::Rejected) => counts.rejected += 1,
                    Some(Mark::Mixed) => counts.mixed += 1,
                    Some(Mark::Undecided) => counts.undecided += 1,
                    None => (),
                }
                counts.hunks += usize::from(hunk.is_decidable() || hunk.is_dropped());
                counts.edited += usize::from(hunk.state.edited);
                counts.already_applied += usize::from(hunk.is_applied());
            }
        }
        counts
    }
}
