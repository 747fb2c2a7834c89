//! In which order files are listed, and in which groups.

use crate::review::{FileKind, FileReview, Mark};
use crate::ui::summary::FileSummary;

/// Sort orders of the file list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// As in the proposal.
    #[default]
    Proposal,
    /// By name.
    Path,
    /// Files that need attention first, then the largest.
    Attention,
    /// In groups, what is undecided first.
    State,
}

/// Files that are listed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// With hunks that have no place.
    Attention,
    /// With nothing decided.
    Undecided,
    /// Decided in part, or in more than one way.
    Mixed,
    /// Rejected.
    Rejected,
    /// Accepted.
    Accepted,
    /// With nothing to decide.
    Settled,
}

impl Sort {
    /// The next way.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Proposal => Self::Path,
            Self::Path => Self::Attention,
            Self::Attention => Self::State,
            Self::State => Self::Proposal,
        }
    }

    /// Returns the name of the order, for the title.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposal => "as proposed",
            Self::Path => "by path",
            Self::Attention => "attention first",
            Self::State => "by state",
        }
    }
}

impl Group {
    /// The group of a file.
    pub(crate) fn of(summary: &FileSummary) -> Self {
        if summary.needs_attention > 0 {
            return Self::Attention;
        }
        match summary.mark {
            Some(Mark::Undecided) => Self::Undecided,
            Some(Mark::Mixed) => Self::Mixed,
            Some(Mark::Rejected) => Self::Rejected,
            Some(Mark::Accepted) => Self::Accepted,
            None => Self::Settled,
        }
    }

    /// Returns the heading of the group.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attention => "Need attention",
            Self::Undecided => "Undecided",
            Self::Mixed => "Decided in part",
            Self::Rejected => "Rejected",
            Self::Accepted => "Accepted",
            Self::Settled => "Nothing to decide",
        }
    }
}

/// Sort key of [`Sort::Attention`]: unplaced, protected, loosely placed, deleted, large.
pub(crate) fn attention(review: &FileReview, summary: &FileSummary) -> impl Ord + use<> {
    (
        summary.attention == 0,
        summary.needs_attention == 0,
        review.protected.is_none(),
        summary.loose.is_none(),
        review.kind != FileKind::Deleted,
        usize::MAX - (summary.added + summary.removed),
    )
}
