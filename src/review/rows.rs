//! The review as rows: laid out once as data, from which every view draws, scrolls, searches and hit-tests.
//!
//! A row holds positions, never text or style, so that laying out costs a pass over the changes and their context only.
//! Each file has its own rows; a file whose lines changed is laid out again without the others.

use std::ops::Range;

use super::call::Standing;
use super::file::{FileReview, Group};
use super::hunk::{HunkId, Side};
use super::session::ReviewSession;
use crate::text::LineIdx;

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
        /// The position among the lines of [`super::notes()`] for it.
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
        /// What of it the row shows.
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
    /// Room between two files.
    Gap {
        /// The file above.
        file: usize,
    },
}

impl Row {
    /// The file that the row belongs to.
    pub fn file(self) -> usize {
        match self {
            Self::File { file }
            | Self::Note { file, .. }
            | Self::Context { file, .. }
            | Self::Fold { file, .. }
            | Self::Gap { file } => file,
            Self::Hunk { id } | Self::Change { id, .. } => id.file,
        }
    }

    /// The hunk that the row is a part of.
    pub fn hunk(self) -> Option<HunkId> {
        match self {
            Self::Hunk { id } | Self::Change { id, .. } => Some(id),
            Self::Note { file, hunk, .. } => hunk.map(|hunk| HunkId { file, hunk }),
            Self::File { .. } | Self::Context { .. } | Self::Fold { .. } | Self::Gap { .. } => None,
        }
    }
}

/// How changes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Base on the left, right side on the right.
    Split,
    /// What goes above what comes.
    Unified,
}

/// What of the unchanged lines is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// Lines shown around each change.
    pub context: usize,
    /// Base lines opened by hand, a file each.
    pub opened: Vec<(usize, Range<LineIdx>)>,
    /// Files of which only the name is shown.
    pub closed: Vec<usize>,
}

/// All rows of a review.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    files: Vec<Vec<Row>>,
    /// The position of each file's first row.
    starts: Vec<usize>,
    len: usize,
}

impl Rows {
    /// Lays out a whole session.
    pub fn lay_out(session: &ReviewSession, layout: Layout, folds: &Folds) -> Self {
        let files = (0..session.files.len())
            .map(|file| file_rows(session, file, layout, folds))
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

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A row by its position.
    pub fn get(&self, idx: usize) -> Option<Row> {
        let file = self
            .starts
            .partition_point(|&start| start <= idx)
            .checked_sub(1)?;
        self.files[file].get(idx - self.starts[file]).copied()
    }

    /// The rows of a file, as positions.
    pub fn of_file(&self, file: usize) -> Range<usize> {
        match (self.starts.get(file), self.files.get(file)) {
            (Some(&start), Some(rows)) => start..start + rows.len(),
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
        let rows = self.files.get(id.file)?;
        rows.iter()
            .position(|row| row.hunk() == Some(id))
            .map(|i| range.start + i)
    }

    /// The row that shows a line of a file's right side.
    pub fn of_new_line(&self, file: usize, line: LineIdx) -> Option<usize> {
        let start = self.of_file(file).start;
        let shows = |row: &Row| match *row {
            Row::Context { new, .. } => new == line,
            Row::Change { new, .. } => new == Some(line),
            Row::File { .. }
            | Row::Note { .. }
            | Row::Hunk { .. }
            | Row::Fold { .. }
            | Row::Gap { .. } => false,
        };
        self.files
            .get(file)?
            .iter()
            .position(shows)
            .map(|i| start + i)
    }

    fn count(&mut self) {
        self.starts.clear();
        self.len = 0;
        for rows in &self.files {
            self.starts.push(self.len);
            self.len += rows.len();
        }
    }
}

/// The least number of unchanged lines worth folding: a fold of one line would hide nothing.
const LEAST_FOLD: usize = 2;

fn file_rows(session: &ReviewSession, file: usize, layout: Layout, folds: &Folds) -> Vec<Row> {
    let review = &session.files[file];
    if review.standing == Standing::Gone {
        return Vec::new();
    }
    let mut rows = vec![Row::File { file }];
    if !folds.closed.contains(&file) {
        let count = super::notes(review, None).len();
        rows.extend((0..count).map(|line| Row::Note {
            file,
            hunk: None,
            line,
        }));
        for (hunk, hunk_review) in review.hunks.iter().enumerate() {
            let count = if hunk_review.is_decidable() {
                0
            } else {
                super::notes(review, Some(hunk)).len()
            };
            rows.extend((0..count).map(|line| Row::Note {
                file,
                hunk: Some(hunk),
                line,
            }));
            // A step has no lines, and neither has a hunk of which an edit left nothing.
            if hunk_review.is_decidable() && hunk_review.state.lines.is_empty() {
                rows.push(Row::Hunk {
                    id: HunkId { file, hunk },
                });
            }
        }
        let opened = folds
            .opened
            .iter()
            .filter(|(of, _)| *of == file)
            .map(|(_, range)| range.clone())
            .collect();
        FileRows {
            review,
            file,
            layout,
            context: folds.context,
            opened,
            shift: 0,
            rows: &mut rows,
        }
        .lay_out();
    }
    let mut after = session.files[file + 1..].iter();
    if after.any(|other| other.standing != Standing::Gone) {
        rows.push(Row::Gap { file });
    }
    rows
}

/// The changes of one file being laid out.
struct FileRows<'a> {
    review: &'a FileReview,
    file: usize,
    layout: Layout,
    context: usize,
    opened: Vec<Range<LineIdx>>,
    /// Right-side position less base position, at the place reached.
    shift: isize,
    rows: &'a mut Vec<Row>,
}

impl FileRows<'_> {
    fn lay_out(&mut self) {
        let review = self.review;
        let mut done = 0;
        let mut before: Option<&Group> = None;
        for group in &review.groups {
            let id = HunkId {
                file: self.file,
                hunk: group.hunk,
            };
            let new_hunk = before.is_none_or(|before| before.hunk != group.hunk);
            let trailing = if before.is_some() { self.context } else { 0 };
            self.gap(
                done..group.base.start,
                trailing,
                self.context,
                new_hunk.then_some(id),
            );
            self.changes(id, group);
            done = group.base.end;
            before = Some(group);
        }
        if before.is_some() {
            self.gap(done..review.base.len(), self.context, 0, None);
        } else if !self.opened.is_empty() {
            self.folded(done..review.base.len());
        }
    }

    /// Unchanged lines between two changes: `trailing` of them for the change above, `leading` for the one below, and the
    /// head of the hunk below between the two.
    fn gap(
        &mut self,
        lines: Range<LineIdx>,
        trailing: usize,
        leading: usize,
        head: Option<HunkId>,
    ) {
        let split = lines
            .end
            .saturating_sub(leading)
            .max((lines.start + trailing).min(lines.end));
        let after_above = (lines.start + trailing).min(split);
        self.context_lines(lines.start..after_above);
        self.folded(after_above..split);
        if let Some(id) = head {
            self.rows.push(Row::Hunk { id });
        }
        self.context_lines(split..lines.end);
    }

    fn folded(&mut self, lines: Range<LineIdx>) {
        let mut start = lines.start;
        while start < lines.end {
            let open = self.opened.iter().any(|range| range.contains(&start));
            // Jump to the next border instead of asking line by line.
            let borders = self
                .opened
                .iter()
                .flat_map(|range| [range.start, range.end]);
            let end = borders
                .filter(|&border| border > start)
                .min()
                .unwrap_or(lines.end)
                .min(lines.end);
            if open || end - start < LEAST_FOLD {
                self.context_lines(start..end);
            } else {
                self.rows.push(Row::Fold {
                    file: self.file,
                    start,
                    end,
                });
            }
            start = end;
        }
    }

    fn context_lines(&mut self, lines: Range<LineIdx>) {
        for old in lines {
            let new = old.saturating_add_signed(self.shift);
            self.rows.push(Row::Context {
                file: self.file,
                old,
                new,
            });
        }
    }

    fn changes(&mut self, id: HunkId, group: &Group) {
        let lines = &self.review.hunks[group.hunk].state.lines;
        let mut new = group.base.start.saturating_add_signed(self.shift);
        let mut split = Vec::with_capacity(group.lines.len());
        for line in group.lines.clone() {
            let old = lines[line].removes.then_some(lines[line].at);
            let comes = lines[line].adds.is_some().then_some(new);
            new += usize::from(comes.is_some());
            split.push((line, old, comes));
        }
        match self.layout {
            Layout::Split => self.rows.extend(split.into_iter().map(|(line, old, new)| {
                let side = match (old, new) {
                    (Some(_), None) => Side::Old,
                    (None, _) => Side::New,
                    (Some(_), Some(_)) => Side::Both,
                };
                Row::Change {
                    id,
                    line,
                    side,
                    old,
                    new,
                }
            })),
            Layout::Unified => {
                let goes = split.iter().filter(|(_, old, _)| old.is_some());
                self.rows.extend(goes.map(|&(line, old, _)| Row::Change {
                    id,
                    line,
                    side: Side::Old,
                    old,
                    new: None,
                }));
                let comes = split.iter().filter(|(_, _, new)| new.is_some());
                self.rows.extend(comes.map(|&(line, _, new)| Row::Change {
                    id,
                    line,
                    side: Side::New,
                    old: None,
                    new,
                }));
            }
        }
        self.shift += group.adds.cast_signed() - group.base.len().cast_signed();
    }
}
