//! Attention: things that a person must decide one by one, because no decision about several hunks takes them.
//!
//! The screen, the plan, the list of what waits and the order of a review all ask here, so that they count the same hunks.

use std::collections::HashMap;

use super::decision::Decision;
use super::file::FileReview;
use super::hunk::{HunkId, HunkReview, Outcome};
use super::review_session::ReviewSession;
use crate::locate::Unplaced;

/// The reason why something needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// The file would lose text by it, or its text may not be meant for the file: the kind of loss in words.
    Loss(&'static str),
    /// The file cannot be changed.
    Refused,
    /// The person's edit of it has no place: the lines that it was made for have changed since.
    KeptEdit,
    /// It has no place.
    NoPlace,
    /// Another hunk changes the same lines in another way.
    Overlaps,
    /// It was rejected in an earlier review.
    RejectedBefore,
    /// A record of what was rejected cannot be read.
    RejectionsUnread,
    /// Its file is protected.
    Protected,
    /// It is not placed surely: similar, doubtful, chosen among several places, or placed by hand.
    Loose,
    /// It is a part of the input that could not be read.
    NotUnderstood,
}

impl Concern {
    /// Returns true if it cannot be written, whatever is decided.
    pub fn prevents_writing(self) -> bool {
        match self {
            Self::KeptEdit
            | Self::NoPlace
            | Self::Overlaps
            | Self::Refused
            | Self::NotUnderstood => true,
            Self::Loss(_)
            | Self::RejectedBefore
            | Self::RejectionsUnread
            | Self::Loose
            | Self::Protected => false,
        }
    }
}

/// A thing that needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConcernedPart {
    /// A hunk.
    Hunk(HunkId),
    /// A file that cannot be changed, with all its hunks, by its position.
    File(usize),
    /// A part of the input that could not be read, by its position.
    Problem(usize),
}

impl FileReview {
    /// Returns why no decision about several hunks takes a hunk, whatever is decided about it so far; `None` if one may.
    pub fn concern(&self, hunk: &HunkReview) -> Option<Concern> {
        if hunk.kept_edit().is_some() {
            return Some(Concern::KeptEdit);
        }
        match &hunk.outcome {
            Outcome::Unplaced(Unplaced::Overlap { .. }) => return Some(Concern::Overlaps),
            Outcome::Unplaced(_) => return Some(Concern::NoPlace),
            // Of a refused file the file counts. About the others nothing is to be decided.
            Outcome::Refused | Outcome::AlreadyApplied { .. } | Outcome::Follows { .. } => {
                return None;
            }
            Outcome::Placed(_) => (),
        }
        if let Some(loss) = hunk.loss() {
            return Some(Concern::Loss(loss.reason()));
        }
        let all = [
            (hunk.is_rejected_before(), Concern::RejectedBefore),
            (
                hunk.unread_rejections().is_some(),
                Concern::RejectionsUnread,
            ),
            (self.protected.is_some(), Concern::Protected),
            (!hunk.is_sure(), Concern::Loose),
        ];
        let found = all.into_iter().find(|(holds, _)| *holds);
        found.map(|(_, concern)| concern)
    }

    /// Returns the hunk that changes the same lines as a hunk that has no place for that reason.
    pub fn overlapped(&self, hunk: usize) -> Option<usize> {
        match self.hunks.get(hunk)?.outcome {
            Outcome::Unplaced(Unplaced::Overlap { with, .. }) => Some(with),
            Outcome::Unplaced(_)
            | Outcome::Placed(_)
            | Outcome::AlreadyApplied { .. }
            | Outcome::Follows { .. }
            | Outcome::Refused => None,
        }
    }

    /// Returns true if a hunk may be accepted in batch.
    pub fn may_be_swept(&self, hunk: &HunkReview) -> bool {
        hunk.is_decidable() && self.concern(hunk).is_none()
    }

    /// Returns true if a decision about several hunks may take a hunk. One with an edit that has no place is decided by itself.
    pub fn may_be_decided_with_others(&self, hunk: &HunkReview, decision: Decision) -> bool {
        match decision {
            Decision::Accepted => self.may_be_swept(hunk),
            Decision::Rejected => hunk.kept_edit().is_none(),
            Decision::Undecided => true,
        }
    }

    /// Returns why a hunk needs attention: it cannot be written, or it is undecided and must be decided by itself.
    pub fn attention(&self, hunk: &HunkReview) -> Option<Concern> {
        self.concern(hunk)
            .filter(|concern| is_left(*concern, hunk))
            .filter(|_| self.is_open())
    }

    /// Returns true if it cannot be changed, and so needs attention as a whole.
    pub fn needs_attention_itself(&self) -> bool {
        self.is_open() && self.refusal().is_some() && !self.is_dropped()
    }

    /// Counts what needs attention in it.
    pub fn attention_count(&self) -> usize {
        let hunks = self.hunks.iter();
        let own = hunks.filter(|hunk| self.attention(hunk).is_some()).count();
        own + usize::from(self.needs_attention_itself())
    }
}

/// Returns true if a reason for attention still holds, with what was decided about the hunk.
fn is_left(concern: Concern, hunk: &HunkReview) -> bool {
    if concern == Concern::KeptEdit {
        return hunk.is_edit_waiting();
    }
    concern.prevents_writing() && !hunk.is_dropped() || hunk.is_open()
}

impl ReviewSession {
    /// Returns for each part of the input that could not be read the file that it names, if that is in the review.
    pub fn files_of_problems(&self) -> Vec<Option<usize>> {
        if self.problems.is_empty() {
            return Vec::new();
        }
        let files = self.files.iter().enumerate().rev();
        let by_path: HashMap<&str, usize> =
            files.map(|(at, file)| (file.path.as_str(), at)).collect();
        let named = self.problems.iter().map(|problem| {
            let path = problem.path.as_ref()?.to_string();
            by_path.get(path.as_str()).copied()
        });
        named.collect()
    }

    /// Returns the hunks with an edit by the person that has no place, and that would not be written.
    pub fn waiting_edits(&self) -> impl Iterator<Item = HunkId> {
        let is_waiting =
            |id: &HunkId, hunk: &HunkReview| id.is_open(self) && hunk.is_edit_waiting();
        let hunks = self.hunks();
        hunks.filter_map(move |(id, hunk)| is_waiting(&id, hunk).then_some(id))
    }

    /// Returns all that needs attention, with the reasons: files in order with their hunks, and then the input.
    pub fn attention(&self) -> impl Iterator<Item = (ConcernedPart, Concern)> {
        let files = self.files.iter().enumerate().flat_map(|(file, review)| {
            let itself = review.needs_attention_itself();
            let itself = itself.then_some((ConcernedPart::File(file), Concern::Refused));
            let order = review.in_file_order().into_iter();
            let hunks = order.filter_map(move |hunk| {
                let concern = review.attention(&review.hunks[hunk])?;
                Some((ConcernedPart::Hunk(HunkId { file, hunk }), concern))
            });
            itself.into_iter().chain(hunks)
        });
        let problems = (0..self.problems.len()).map(ConcernedPart::Problem);
        files.chain(problems.map(|part| (part, Concern::NotUnderstood)))
    }
}
