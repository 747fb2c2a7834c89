//! The review as rows: laid out once as data, from which every view draws, scrolls, searches and hit-tests.
//!
//! A row holds positions, never text or style, so that laying out costs a pass over the changes and their context only.
//! Each file has its own rows; a file whose lines changed is laid out again without the others.

mod layout;
mod row;

use std::ops::Range;

use super::note::Note;
use crate::review::session::hunk::HunkId;
use crate::review::session::review_session::ReviewSession;
use crate::text::LineIdx;
use layout::{FileRows, Neighbours, file_rows};

pub use row::{Folds, Layout, Row, Subject};

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
    /// The order of the files, each by its position in the session.
    order: Vec<usize>,
    /// The position of each file's first row.
    starts: Vec<usize>,
    /// The same, in the order of the files.
    starts_in_order: Vec<usize>,
    len: usize,
}

impl Rows {
    /// Lays out a whole session.
    pub fn lay_out(session: &ReviewSession, layout: Layout, folds: &Folds) -> Self {
        let order = (0..session.files.len()).collect();
        Self::lay_out_each(session, order, |_| layout, folds)
    }

    /// Lays out a whole session in an order of its files, each file in a layout of its own.
    pub fn lay_out_each(
        session: &ReviewSession,
        order: Vec<usize>,
        layout_of: impl Fn(usize) -> Layout,
        folds: &Folds,
    ) -> Self {
        let files = (0..session.files.len())
            .map(|_| FileRows::default())
            .collect();
        let mut rows = Self {
            files,
            order,
            starts: Vec::new(),
            starts_in_order: Vec::new(),
            len: 0,
        };
        for at in 0..rows.order.len() {
            let file = rows.order[at];
            rows.files[file] = file_rows(session, rows.neighbours(at), layout_of(file), folds);
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
        if let Some(at) = self.order.iter().position(|&other| other == file) {
            self.files[file] = file_rows(session, self.neighbours(at), layout, folds);
            self.count();
        }
    }

    /// The order of the files, each by its position in the session.
    pub fn order(&self) -> &[usize] {
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
        let at = self
            .starts_in_order
            .partition_point(|&start| start <= idx)
            .checked_sub(1)?;
        let rows = &self.files[self.order[at]].rows;
        rows.get(idx - self.starts_in_order[at]).copied()
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
        self.starts = vec![0; self.files.len()];
        self.starts_in_order.clear();
        self.len = 0;
        for &file in &self.order {
            self.starts[file] = self.len;
            self.starts_in_order.push(self.len);
            self.len += self.files[file].rows.len();
        }
    }

    /// Returns the file at a position of the order, with those before and after it.
    fn neighbours(&self, at: usize) -> Neighbours<'_> {
        Neighbours {
            before: &self.order[..at],
            file: self.order[at],
            after: &self.order[at + 1..],
        }
    }
}
