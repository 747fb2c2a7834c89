//! The review as rows: laid out once as data, from which every view draws, scrolls, searches and hit-tests.
//!
//! A row holds positions, never text or style, so that laying out costs a pass over the changes and their context only.
//! Each file has its own rows; a file whose lines changed is laid out again without the others.

mod change_folds;
mod entry;
mod layout;
mod open_lines;
mod part;
mod problem_rows;
mod row;

use std::ops::Range;

use super::note::Note;
use crate::review::session::hunk::HunkId;
use crate::review::session::review_session::ReviewSession;
use crate::text::LineIdx;
use layout::{FileRows, Neighbours, file_rows};

pub use part::FilePart;
pub use row::{ChangeFold, Folds, Layout, Row, SideLines, Subject};

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
        Subject::Thread(nth) => review.threads.get(nth).map(|thread| thread.text.as_str()),
    }
}

/// All rows of a review.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// The order of the stream.
    order: Vec<FilePart>,
    /// The rows of each part, in the order of the stream.
    parts: Vec<FileRows>,
    /// The position of each part's first row, in the order of the stream.
    starts: Vec<usize>,
    /// The parts of each file, as positions in the order of the stream.
    of_files: Vec<Vec<usize>>,
    len: usize,
}

impl Rows {
    /// Lays out a whole session.
    pub fn lay_out(session: &ReviewSession, layout: Layout, folds: &Folds) -> Self {
        let order = (0..session.files.len()).map(FilePart::whole).collect();
        Self::lay_out_each(session, order, |_| layout, folds)
    }

    /// Lays out a whole session in an order of its parts, each file in a layout of its own.
    pub fn lay_out_each(
        session: &ReviewSession,
        order: Vec<FilePart>,
        layout_of: impl Fn(usize) -> Layout,
        folds: &Folds,
    ) -> Self {
        let mut of_files = vec![Vec::new(); session.files.len()];
        for (at, part) in order.iter().enumerate() {
            of_files[part.file].push(at);
        }
        let mut rows = Self {
            order,
            parts: Vec::new(),
            starts: Vec::new(),
            of_files,
            len: 0,
        };
        for (at, part) in rows.order.iter().enumerate() {
            let layout = layout_of(part.file);
            let part = file_rows(session, rows.neighbours(at), layout, folds);
            rows.parts.push(part);
        }
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
        for at in self.of_files.get(file).cloned().unwrap_or_default() {
            self.parts[at] = file_rows(session, self.neighbours(at), layout, folds);
        }
        self.count();
    }

    /// The order of the parts.
    pub fn order(&self) -> &[FilePart] {
        &self.order
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
        let at = self.part_of(idx)?;
        self.parts[at].rows.get(idx - self.starts[at]).copied()
    }

    /// A line of the notes on a file or on one of its hunks, as [`crate::review::notes()`] found them when the file was laid out.
    pub fn note(&self, file: usize, hunk: Option<usize>, line: usize) -> Option<&Note> {
        let mut parts = self.of_files.get(file)?.iter();
        parts.find_map(|&at| self.parts[at].notes.get(&hunk)?.get(line))
    }

    /// The rows of a file's first part, as positions.
    pub fn of_file(&self, file: usize) -> Range<usize> {
        let first = self.of_files.get(file).and_then(|parts| parts.first());
        first.map_or(self.len..self.len, |&at| self.range(at))
    }

    /// The rows of a part, by its position in the order, as positions.
    pub fn of_part(&self, at: usize) -> Range<usize> {
        if at < self.parts.len() {
            self.range(at)
        } else {
            self.len..self.len
        }
    }

    /// The heading of a part with the name of its file, by the part's position in the order. Above it may be the heading of a purpose,
    /// and above the first part what could not be read of the input.
    pub fn heading_of_part(&self, at: usize) -> Option<usize> {
        let mut rows = self.parts.get(at)?.rows.iter();
        let heading = rows.position(|row| matches!(row, Row::File { .. }))?;
        Some(self.starts[at] + heading)
    }

    /// The heading of a file's first part.
    pub fn heading_of_file(&self, file: usize) -> Option<usize> {
        self.heading_of_part(*self.of_files.get(file)?.first()?)
    }

    /// The rows of every part of a file, as positions.
    pub fn parts_of(&self, file: usize) -> impl Iterator<Item = Range<usize>> {
        let parts = self.of_files.get(file).map_or(&[][..], Vec::as_slice);
        parts.iter().map(|&at| self.range(at))
    }

    /// The rows of the part that a row belongs to, as positions.
    pub fn part_at(&self, idx: usize) -> Range<usize> {
        let part = self.part_of(idx.min(self.len.saturating_sub(1)));
        part.map_or(self.len..self.len, |at| self.range(at))
    }

    /// The part that a row belongs to.
    pub fn part(&self, idx: usize) -> Option<&FilePart> {
        self.order.get(self.part_of(idx)?)
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

    /// The first row of a file that a test picks.
    pub fn find_in_file(&self, file: usize, mut test: impl FnMut(Row) -> bool) -> Option<usize> {
        self.of_files.get(file)?.iter().find_map(|&at| {
            let mut rows = self.parts[at].rows.iter();
            Some(self.starts[at] + rows.position(|&row| test(row))?)
        })
    }

    /// The first row of a hunk: its head, or its note if it has no place.
    pub fn of_hunk(&self, id: HunkId) -> Option<usize> {
        self.find_in_file(id.file, |row| row.hunk() == Some(id))
    }

    /// The row that shows a line of a file's right side.
    pub fn of_new_line(&self, file: usize, line: LineIdx) -> Option<usize> {
        self.find_in_file(file, |row| row.new_line() == Some(line))
    }

    fn count(&mut self) {
        self.starts.clear();
        self.len = 0;
        for part in &self.parts {
            self.starts.push(self.len);
            self.len += part.rows.len();
        }
    }

    /// The position in the order of the part that a row belongs to.
    pub fn part_of(&self, idx: usize) -> Option<usize> {
        let above = self.starts.partition_point(|&start| start <= idx);
        above.checked_sub(1)
    }

    fn range(&self, at: usize) -> Range<usize> {
        self.starts[at]..self.starts[at] + self.parts[at].rows.len()
    }

    /// Returns the part at a position of the order, with those before and after it.
    fn neighbours(&self, at: usize) -> Neighbours<'_> {
        Neighbours {
            before: &self.order[..at],
            part: &self.order[at],
            after: &self.order[at + 1..],
        }
    }
}
