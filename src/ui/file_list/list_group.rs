//! Groups of the list of all files.

use std::borrow::Cow;

use crate::review::{ChangePurpose, FileGroup, Mark};
use crate::ui::summary::FileSummary;

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
    /// Of one kind.
    Kind(FileGroup),
    /// With hunks of one purpose, by its position.
    Purpose(usize),
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
    pub fn name(self, purposes: &[ChangePurpose]) -> Cow<'static, str> {
        let name = match self {
            Self::Attention => "Need attention",
            Self::Undecided => "Undecided",
            Self::Mixed => "Decided in part",
            Self::Rejected => "Rejected",
            Self::Accepted => "Accepted",
            Self::Settled => "Nothing to decide",
            Self::Kind(group) => group.name(),
            Self::Purpose(at) => {
                let name = purposes.get(at).map(ChangePurpose::to_string);
                return name.unwrap_or_default().into();
            }
        };
        name.into()
    }
}
