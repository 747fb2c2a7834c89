//! One row of a review, and the options of its layout.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::review::session::hunk::{HunkId, Side};
use crate::review::session::review_session::Direction;
use crate::review::view::moved_lines::Moved;
use crate::text::LineIdx;

/// One row of the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The name of a file.
    File {
        /// Its position.
        file: usize,
        /// The position of the part that follows among the parts of the file.
        part: usize,
    },
    /// The heading over the parts of one purpose.
    Purpose {
        /// The file of the first part.
        file: usize,
        /// The purpose, by its position.
        purpose: usize,
    },
    /// Something to know about a file before its changes: a hunk without a place, a refusal.
    Note {
        /// The file.
        file: usize,
        /// The hunk that it is about; `None` for the file as a whole.
        hunk: Option<usize>,
        /// The position among the lines of [`Rows::note`](super::Rows::note) for it.
        line: usize,
    },
    /// The head of a hunk.
    Hunk {
        /// The hunk.
        id: HunkId,
    },
    /// A line that stays.
    Context {
        /// The file.
        file: usize,
        /// Its position in the base.
        old: LineIdx,
        /// Its position on the right side.
        new: LineIdx,
    },
    /// A changed line, or one side of it.
    Change {
        /// The hunk.
        id: HunkId,
        /// The position among the hunk's changed lines.
        line: usize,
        /// The side that the row shows.
        side: Side,
        /// The base line that goes, if the row shows one.
        old: Option<LineIdx>,
        /// The line that comes, by its position on the right side, if the row shows one.
        new: Option<LineIdx>,
    },
    /// Lines that stay and are not shown.
    Fold {
        /// The file.
        file: usize,
        /// The first of them, in the base.
        start: LineIdx,
        /// The one after the last.
        end: LineIdx,
    },
    /// Changed lines that the person knows and that are not shown.
    FoldedChange {
        /// The hunk.
        id: HunkId,
        /// The position of the first of them among the hunk's changed lines.
        start: usize,
        /// The position after the last.
        end: usize,
        /// Their side; [`Side::Both`] if lines of both are folded.
        side: Side,
        /// The base lines that go.
        old: SideLines,
        /// The lines that come, on the right side.
        new: SideLines,
        /// The reason why they are folded.
        fold: ChangeFold,
    },
    /// Hunks between two others that belong to other parts of the file.
    Elsewhere {
        /// The file.
        file: usize,
        /// The first of them.
        hunk: usize,
        /// Number of them.
        count: usize,
        /// The direction of the parts that have them.
        direction: Direction,
        /// The position of the part that has the row among the parts of the file.
        part: usize,
    },
    /// A line of what the person says.
    Comment {
        /// The file.
        file: usize,
        /// Its subject.
        about: Subject,
        /// The position among the lines of what is said.
        line: usize,
    },
    /// A part of the input that could not be read: at the head of its file, or of all files if it names none of them.
    Problem {
        /// The file that it is shown at.
        file: usize,
        /// Its position among the problems of the session.
        problem: usize,
        /// 0 for the message; after it come the lines of the part.
        line: usize,
    },
    /// Room between two files.
    Gap {
        /// The file above.
        file: usize,
    },
}

/// Adjacent lines of one side of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SideLines {
    /// The first of them.
    pub first: LineIdx,
    /// Their number.
    pub count: usize,
}

impl SideLines {
    /// Returns true if a line is among them.
    pub fn contains(self, line: LineIdx) -> bool {
        (self.first..self.first + self.count).contains(&line)
    }
}

/// The reason why changed lines are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeFold {
    /// They are moved, and the same at their other end.
    Moved,
    /// They are as in the version of the hunk that the person rejected, and were shown then.
    ShownBefore,
    /// The person accepted them in an earlier review, and they were shown then.
    AcceptedBefore,
}

/// The subject of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The batch.
    Batch,
    /// The file.
    File,
    /// A hunk of the file.
    Hunk(usize),
    /// Lines of a hunk of the file.
    Lines {
        /// The hunk.
        hunk: usize,
        /// The position among the comments on its lines.
        nth: usize,
    },
    /// Lines of the file that stay: the position among what is said of such lines.
    Passage(usize),
    /// A thread: the position among those of the file.
    Thread(usize),
}

impl Row {
    /// The file that the row belongs to.
    pub fn file(self) -> usize {
        match self {
            Self::File { file, .. }
            | Self::Purpose { file, .. }
            | Self::Elsewhere { file, .. }
            | Self::Note { file, .. }
            | Self::Context { file, .. }
            | Self::Fold { file, .. }
            | Self::Comment { file, .. }
            | Self::Problem { file, .. }
            | Self::Gap { file } => file,
            Self::Hunk { id } | Self::Change { id, .. } | Self::FoldedChange { id, .. } => id.file,
        }
    }

    /// The line of the base that the row shows, and the line of the file's right side.
    pub fn lines(self) -> (Option<LineIdx>, Option<LineIdx>) {
        match self {
            Self::Context { old, new, .. } => (Some(old), Some(new)),
            Self::Change { old, new, .. } => (old, new),
            Self::File { .. }
            | Self::Purpose { .. }
            | Self::Note { .. }
            | Self::Hunk { .. }
            | Self::Fold { .. }
            | Self::FoldedChange { .. }
            | Self::Elsewhere { .. }
            | Self::Comment { .. }
            | Self::Problem { .. }
            | Self::Gap { .. } => (None, None),
        }
    }

    /// The line of the file's right side that the row shows.
    pub fn new_line(self) -> Option<LineIdx> {
        self.lines().1
    }

    /// The hunk that the row is a part of.
    pub fn hunk(self) -> Option<HunkId> {
        match self {
            Self::Hunk { id } | Self::Change { id, .. } | Self::FoldedChange { id, .. } => Some(id),
            Self::Note { file, hunk, .. } => hunk.map(|hunk| HunkId { file, hunk }),
            Self::Comment { file, about, .. } => match about {
                Subject::Hunk(hunk) | Subject::Lines { hunk, .. } => Some(HunkId { file, hunk }),
                Subject::File | Subject::Passage(_) | Subject::Thread(_) | Subject::Batch => None,
            },
            Self::File { .. }
            | Self::Purpose { .. }
            | Self::Context { .. }
            | Self::Fold { .. }
            | Self::Elsewhere { .. }
            | Self::Problem { .. }
            | Self::Gap { .. } => None,
        }
    }
}

/// The layout of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Base on the left, right side on the right.
    Split,
    /// Removed lines above added lines.
    Unified,
}

/// The folding of unchanged lines and of changed ones that are known, and the pairs that are laid out apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// Lines shown around each change.
    pub context: usize,
    /// Base lines opened by hand, a file each.
    pub opened: Vec<(usize, Range<LineIdx>)>,
    /// Files of which only the name is shown.
    pub closed: Vec<usize>,
    /// Files that have no rows, as a filter leaves them out.
    pub hidden: BTreeSet<usize>,
    /// The moved lines, which are folded where many follow each other.
    pub moved: Arc<Moved>,
    /// True if changed lines are never folded.
    pub shows_all_changes: bool,
    /// Folded changed lines of hunks that were opened by hand.
    pub opened_changes: Vec<(HunkId, Range<usize>)>,
    /// Changed lines of hunks whose two sides are laid out one below the other.
    pub apart: Vec<(HunkId, Range<usize>)>,
    /// Hunks whose notes are shown as a whole.
    pub opened_notes: Vec<HunkId>,
}

impl Folds {
    /// Returns true if the two sides of a changed line are laid out one below the other.
    pub fn is_apart(&self, id: HunkId, line: usize) -> bool {
        holds(&self.apart, id, line)
    }

    /// Returns true if a changed line was opened by hand.
    pub(super) fn is_opened_change(&self, id: HunkId, line: usize) -> bool {
        holds(&self.opened_changes, id, line)
    }
}

fn holds(ranges: &[(HunkId, Range<usize>)], id: HunkId, line: usize) -> bool {
    let mut own = ranges.iter().filter(|(of, _)| *of == id);
    own.any(|(_, lines)| lines.contains(&line))
}
