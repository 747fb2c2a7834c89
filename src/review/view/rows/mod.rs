//! The review as rows: laid out once as data, from which every view draws, scrolls, searches and hit-tests.
//!
//! A row holds positions, never text or style, so that laying out costs a pass over the changes and their context only.
//! Each file has its own rows; a file whose lines changed is laid out again without the others.

mod layout;

use std::ops::Range;

use super::notes::Note;
use crate::review::session::hunk::{HunkId, Side};
use crate::review::session::review_session::ReviewSession;
use crate::text::LineIdx;
use layout::{FileRows, file_rows};

/// One row of the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The name of a file.
    File {
        /// Its position.
        file: usize,
    },
    /// Something to know about a file before its changes: a hunk without a place, a refusal.
    Note {
        /// The file.
        file: usize,
        /// The hunk that it is about; `None` for the file as a whole.
        hunk: Option<usize>,
        /// The position among the lines of [`Rows::note`] for it.
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
    },
    /// Room between two files.
    Gap {
        /// The file above.
        file: usize,
    },
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
}

impl Row {
    /// The file that the row belongs to.
    pub fn file(self) -> usize {
        match self {
            Self::File { file }
            | Self::Note { file, .. }
            | Self::Context { file, .. }
            | Self::Fold { file, .. }
            | Self::Comment { file, .. }
            | Self::Problem { file, .. }
            | Self::Gap { file } => file,
            Self::Hunk { id } | Self::Change { id, .. } => id.file,
        }
    }

    /// The line of the base that the row shows, and the line of the file's right side.
    pub fn lines(self) -> (Option<LineIdx>, Option<LineIdx>) {
        match self {
            Self::Context { old, new, .. } => (Some(old), Some(new)),
            Self::Change { old, new, .. } => (old, new),
            Self::File { .. }
            | Self::Note { .. }
            | Self::Hunk { .. }
            | Self::Fold { .. }
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
            Self::Hunk { id } | Self::Change { id, .. } => Some(id),
            Self::Note { file, hunk, .. } => hunk.map(|hunk| HunkId { file, hunk }),
            Self::Comment { file, about, .. } => match about {
                Subject::Hunk(hunk) | Subject::Lines { hunk, .. } => Some(HunkId { file, hunk }),
                Subject::File | Subject::Passage(_) | Subject::Batch => None,
            },
            Self::File { .. }
            | Self::Context { .. }
            | Self::Fold { .. }
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

/// The folding of unchanged lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// Lines shown around each change.
    pub context: usize,
    /// Base lines opened by hand, a file each.
    pub opened: Vec<(usize, Range<LineIdx>)>,
    /// Files of which only the name is shown.
    pub closed: Vec<usize>,
}

/// Returns the comment on a subject, if there is one.
pub fn said_of(session: &ReviewSession, file: usize, about: Subject) -> Option<&str> {
    let review = session.files.get(file)?;
    match about {
        Subject::Batch => session.said_of_batch(Some(file)),
        Subject::File => review.comment.as_deref(),
        Subject::Hunk(hunk) => review.hunks.get(hunk)?.state.comment.as_deref(),
        Subject::Lines { hunk, nth } => {
            let said = review.hunks.get(hunk)?.state.line_comments.get(nth)?;
            Some(&said.text)
        }
        Subject::Passage(nth) => review.passages.get(nth).map(|said| said.text.as_str()),
    }
}

/// All rows of a review.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    files: Vec<FileRows>,
    /// The position of each file's first row.
    starts: Vec<usize>,
    len: usize,
}

impl Rows {
    /// Lays out a whole session.
    pub fn lay_out(session: &ReviewSession, layout: Layout, folds: &Folds) -> Self {
        Self::lay_out_each(session, |_| layout, folds)
    }

    /// Lays out a whole session, each file in a layout of its own.
    pub fn lay_out_each(
        session: &ReviewSession,
        layout_of: impl Fn(usize) -> Layout,
        folds: &Folds,
    ) -> Self {
        let files = (0..session.files.len())
            .map(|file| file_rows(session, file, layout_of(file), folds))
            .collect();
        let mut rows = Self {
            files,
            starts: Vec::new(),
            len: 0,
        };
        rows.count();
        rows
    }

    /// Lays out one file again.
    pub fn lay_out_file(
        &mut self,
        session: &ReviewSession,
        file: usize,
        layout: Layout,
        folds: &Folds,
    ) {
        if let Some(rows) = self.files.get_mut(file) {
            *rows = file_rows(session, file, layout, folds);
            self.count();
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A row by its position.
    pub fn get(&self, idx: usize) -> Option<Row> {
        let file = self
            .starts
            .partition_point(|&start| start <= idx)
            .checked_sub(1)?;
        self.files[file].rows.get(idx - self.starts[file]).copied()
    }

    /// A line of the notes on a file or on one of its hunks, as [`crate::review::notes()`] found them when the file was laid out.
    pub fn note(&self, file: usize, hunk: Option<usize>, line: usize) -> Option<&Note> {
        self.files.get(file)?.notes.get(&hunk)?.get(line)
    }

    /// The rows of a file, as positions.
    pub fn of_file(&self, file: usize) -> Range<usize> {
        match (self.starts.get(file), self.files.get(file)) {
            (Some(&start), Some(file)) => start..start + file.rows.len(),
            _ => self.len..self.len,
        }
    }

    /// The first row in a range of positions, from either end, that a test picks.
    pub fn find(
        &self,
        range: Range<usize>,
        backward: bool,
        mut test: impl FnMut(Row) -> bool,
    ) -> Option<usize> {
        let mut test = |&idx: &usize| self.get(idx).is_some_and(&mut test);
        if backward {
            range.rev().find(&mut test)
        } else {
            range.into_iter().find(&mut test)
        }
    }

    /// The first row of a hunk: its head, or its note if it has no place.
    pub fn of_hunk(&self, id: HunkId) -> Option<usize> {
        let range = self.of_file(id.file);
        let file = self.files.get(id.file)?;
        (file.rows.iter())
            .position(|row| row.hunk() == Some(id))
            .map(|i| range.start + i)
    }

    /// The row that shows a line of a file's right side.
    pub fn of_new_line(&self, file: usize, line: LineIdx) -> Option<usize> {
        let start = self.of_file(file).start;
        let mut rows = self.files.get(file)?.rows.iter();
        let shown = rows.position(|row| row.new_line() == Some(line))?;
        Some(start + shown)
    }

    fn count(&mut self) {
        self.starts.clear();
        self.len = 0;
        for file in &self.files {
            self.starts.push(self.len);
            self.len += file.rows.len();
        }
    }
}
