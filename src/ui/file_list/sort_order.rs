//! Orders of the files.

use super::list_group::ListGroup;
use super::row::FileListRow;
use crate::review::{ByIntent, FilePart, ReviewSession, by_intent, riskiest_first};
use crate::ui::summary::Summaries;

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
    /// In groups, by the purpose of the hunks.
    Intent,
    /// In groups, by what the files are for.
    Kind,
    /// In groups, what is undecided first.
    State,
}

impl Sort {
    /// Returns the next order.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Risk => Self::Intent,
            Self::Intent => Self::Kind,
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
            Self::Intent => "by intent",
            Self::Kind => "by kind",
            Self::State => "by state",
        }
    }

    /// Returns the parts of a session in this order, with their purposes if it is by intent.
    pub(crate) fn parts(self, session: &ReviewSession, summaries: &Summaries) -> ByIntent {
        let parts = match self {
            Self::Intent => return by_intent(session),
            Self::Risk => riskiest_first(session, &summaries.risks),
            Self::Proposal | Self::Path | Self::Kind | Self::State => {
                let files = self.arranged(session, summaries).into_iter();
                files.map(FilePart::whole).collect()
            }
        };
        ByIntent {
            purposes: Vec::new(),
            parts,
        }
    }

    /// Returns the rows of the list in this order, without headings.
    pub(super) fn rows(self, session: &ReviewSession, summaries: &Summaries) -> Vec<FileListRow> {
        match self {
            // The list shows each part, as the parts of a file have headings of their own.
            Self::Intent => {
                let parts = summaries.order.iter().enumerate();
                let rows = parts.map(|(at, part)| FileListRow::Part {
                    file: part.file,
                    at,
                });
                rows.collect()
            }
            // Decisions change the state, and the order of the stream stays.
            Self::State => {
                let files = self.arranged(session, summaries).into_iter();
                files.map(FileListRow::File).collect()
            }
            Self::Proposal | Self::Path | Self::Risk | Self::Kind => {
                let files = summaries.files_in_order().into_iter();
                files.map(FileListRow::File).collect()
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
            Self::Risk | Self::Intent => return summaries.files_in_order(),
            Self::Kind => files.sort_by_key(|&file| (summaries.risks[file].group, path(file))),
            Self::State => files.sort_by_key(|&file| ListGroup::of(&summaries.files[file])),
        }
        files
    }

    /// Returns the group of a row in the list; `None` for an order without groups.
    pub(crate) fn group(self, row: FileListRow, summaries: &Summaries) -> Option<ListGroup> {
        let file = match row {
            FileListRow::File(file) => file,
            FileListRow::Part { at, .. } => {
                let part = summaries.order.get(at);
                return part.and_then(|part| part.purpose).map(ListGroup::Purpose);
            }
            FileListRow::Group(_) | FileListRow::Folder(_) | FileListRow::Problem(_) => {
                return None;
            }
        };
        match self {
            Self::Kind => Some(ListGroup::Kind(summaries.risks[file].group)),
            Self::State => Some(ListGroup::of(&summaries.files[file])),
            Self::Proposal | Self::Path | Self::Risk | Self::Intent => None,
        }
    }
}
