//! In which order files are listed, and in which groups.

use crate::review::{FileGroup, FilePart, Mark, ReviewSession, riskiest_first};
use crate::ui::summary::{FileSummary, Summaries};

/// Orders of the files, in the stream and in the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// As in the proposal.
    #[default]
    Proposal,
    /// By name.
    Path,
    /// Files that need attention first, then those in whose lines a mistake is likeliest.
    Risk,
    /// In groups, by what the files are for.
    Kind,
    /// In groups, what is undecided first.
    State,
}

/// Files that are listed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListGroup {
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
    /// For one purpose.
    Kind(FileGroup),
}

impl Sort {
    /// Returns the next order.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Risk => Self::Kind,
            Self::Kind => Self::Path,
            Self::Path => Self::Proposal,
            Self::Proposal => Self::State,
            Self::State => Self::Risk,
        }
    }

    /// Returns the name of the order, for the title.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposal => "as proposed",
            Self::Path => "by path",
            Self::Risk => "riskiest first",
            Self::Kind => "by kind",
            Self::State => "by state",
        }
    }

    /// Returns the parts of a session in this order.
    pub(crate) fn parts(self, session: &ReviewSession, summaries: &Summaries) -> Vec<FilePart> {
        match self {
            Self::Risk => riskiest_first(session, &summaries.risks),
            Self::Proposal | Self::Path | Self::Kind | Self::State => {
                let files = self.arranged(session, summaries).into_iter();
                files.map(FilePart::whole).collect()
            }
        }
    }

    /// Returns the files of a session in this order, each by its position.
    pub(crate) fn arranged(self, session: &ReviewSession, summaries: &Summaries) -> Vec<usize> {
        let mut files: Vec<usize> = (0..session.files.len()).collect();
        let path = |file: usize| &session.files[file].path;
        match self {
            Self::Proposal => (),
            Self::Path => files.sort_by_key(|&file| path(file)),
            Self::Risk => return summaries.files_in_order(),
            Self::Kind => files.sort_by_key(|&file| (summaries.risks[file].group, path(file))),
            Self::State => files.sort_by_key(|&file| ListGroup::of(&summaries.files[file])),
        }
        files
    }

    /// Returns the group of a file in the list; `None` for an order without groups.
    pub(crate) fn group(self, file: usize, summaries: &Summaries) -> Option<ListGroup> {
        match self {
            Self::Kind => Some(ListGroup::Kind(summaries.risks[file].group)),
            Self::State => Some(ListGroup::of(&summaries.files[file])),
            Self::Proposal | Self::Path | Self::Risk => None,
        }
    }
}

impl ListGroup {
    /// The group of a file.
    pub(crate) fn of(summary: &FileSummary) -> Self {
        if summary.needs_attention() {
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
            Self::Kind(group) => group.name(),
        }
    }
}
