//! The review stream: its rows, the cursor in it, and the part of it on the screen.
//!
//! The cursor and the top of the screen are rows, and a row's height is asked for only where it is needed, so no motion
//! looks at more rows than a screen holds.

use std::ops::Range;

use ratatui::layout::Rect;

use super::paint;
use super::screen::Columns;
use crate::review::{Folds, HunkId, Layout, ReviewSession, Row, Rows};
use crate::text::LineIdx;

/// Unchanged lines around a hunk at the start.
const CONTEXT: usize = 3;
/// The most of them that can be asked for by steps.
const MOST_CONTEXT: usize = 10_000;
/// Rows kept in sight above and below the cursor.
const MARGIN: usize = 3;

/// Whether long lines are broken or run out of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLines {
    /// They run out, and the screen scrolls sideways.
    Cut,
    /// They go on in the next row.
    Wrap,
}

/// The review stream.
#[derive(Debug)]
pub struct Stream {
    /// What there is to see.
    pub rows: Rows,
    /// What of the unchanged lines is shown.
    pub folds: Folds,
    /// How changes are shown.
    pub layout: Layout,
    /// What happens to long lines.
    pub long_lines: LongLines,
    /// The row of the cursor.
    pub cursor: usize,
    /// The row at the top of the screen.
    pub top: usize,
    /// How many screen lines of that row are above the screen.
    pub top_skip: usize,
    /// How many columns are to the left of the screen.
    pub left: usize,
    /// Where the rows are drawn.
    pub body: Rect,
    /// The digits of the largest line number.
    digits: u16,
}

/// A place in the review that outlives a new layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    file: usize,
    hunk: Option<HunkId>,
    old: Option<LineIdx>,
    new: Option<LineIdx>,
}

impl Stream {
    /// The stream of a session, before its size is known.
    pub fn new(session: &ReviewSession) -> Self {
        let folds = Folds {
            context: CONTEXT,
            ..Folds::default()
        };
        let layout = Layout::Unified;
        let longest = session
            .files
            .iter()
            .map(|file| file.base.len().max(file.yours.len()));
        let digits = longest.max().unwrap_or(0).max(999).ilog10() + 1;
        Self {
            rows: Rows::lay_out(session, layout, &folds),
            folds,
            layout,
            long_lines: LongLines::Cut,
            cursor: 0,
            top: 0,
            top_skip: 0,
            left: 0,
            body: Rect::ZERO,
            digits: u16::try_from(digits).unwrap_or(u16::MAX),
        }
    }

    /// The columns of the rows.
    pub fn columns(&self) -> Columns {
        Columns::new(self.body, self.layout, self.digits)
    }

    /// The row of the cursor; `None` if there are no rows.
    pub fn row(&self) -> Option<Row> {
        self.rows.get(self.cursor)
    }

    /// The file of the cursor.
    pub fn file(&self) -> Option<usize> {
        self.row().map(Row::file)
    }

    /// The hunk that the cursor is in, or whose context it is in.
    pub fn hunk(&self) -> Option<HunkId> {
        let here = self.row()?;
        if here.hunk().is_some()
            || matches!(here, Row::File { .. } | Row::Gap { .. } | Row::Fold { .. })
        {
            return here.hunk();
        }
        let file = self.rows.of_file(here.file());
        let beyond =
            |row: Row| row.hunk().is_some() || matches!(row, Row::Fold { .. } | Row::File { .. });
        let hunk = |found: Option<usize>| self.rows.get(found?)?.hunk();
        hunk(self.rows.find(file.start..self.cursor, true, beyond))
            .or_else(|| hunk(self.rows.find(self.cursor..file.end, false, beyond)))
    }

    /// The number of screen lines that a row takes.
    pub fn height(&self, session: &ReviewSession, idx: usize) -> usize {
        if self.long_lines == LongLines::Cut {
            return 1;
        }
        let columns = self.columns();
        let (old, new) = self
            .rows
            .get(idx)
            .map_or((None, None), |row| texts(session, row));
        let height = |text: Option<&str>, width: u16| {
            text.map_or(1, |text| paint::height(text, width.into()))
        };
        height(old, columns.old.width).max(height(new, columns.new.width))
    }

    /// The rows on the screen, each with the line of the screen where it begins (counted from the top of the stream,
    /// negative for a row that begins above it).
    pub fn visible(&self, session: &ReviewSession) -> Vec<(usize, isize)> {
        let mut visible = Vec::new();
        let mut line = -self.top_skip.cast_signed();
        for idx in self.top..self.rows.len() {
            if line >= isize::from(self.body.height.cast_signed()) {
                break;
            }
            visible.push((idx, line));
            line += self.height(session, idx).cast_signed();
        }
        visible
    }

    /// Moves the cursor by rows. Rows of mere room are passed over, and the ends hold it.
    pub fn step(&mut self, session: &ReviewSession, by: isize) {
        let target = self.cursor.saturating_add_signed(by);
        self.go(session, target, by >= 0);
    }

    /// Puts the cursor on a row, or beside it on the side it came towards if that is mere room.
    pub fn go(&mut self, session: &ReviewSession, row: usize, forward: bool) {
        let last = self.rows.len().saturating_sub(1);
        let mut row = row.min(last);
        if let Some(Row::Gap { .. }) = self.rows.get(row) {
            row = if forward && row < last {
                row + 1
            } else {
                row.saturating_sub(1)
            };
        }
        self.cursor = row;
        self.show_cursor(session);
    }

    /// Puts the cursor on a row that may be far away, with what follows it in sight.
    pub fn jump(&mut self, session: &ReviewSession, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        let after = (self.page() / 2).min(12);
        let visible = self.visible(session);
        let first = visible.first().map_or(0, |(idx, _)| *idx);
        let last = visible.last().map_or(0, |(idx, _)| *idx);
        let all = last + 1 >= self.rows.len();
        if self.cursor < first + usize::from(first > 0) || !all && self.cursor + after > last {
            self.align(session, self.page() / 5);
        }
    }

    /// Scrolls so that there are `above` screen lines above the cursor.
    pub fn align(&mut self, session: &ReviewSession, above: usize) {
        self.top = self.cursor;
        self.top_skip = 0;
        self.scroll(session, -above.cast_signed());
    }

    /// Scrolls by screen lines and leaves the cursor where it is in the text, even out of sight.
    pub fn scroll(&mut self, session: &ReviewSession, by: isize) {
        let mut skip = self.top_skip.cast_signed() + by;
        while skip < 0 && self.top > 0 {
            self.top -= 1;
            skip += self.height(session, self.top).cast_signed();
        }
        while skip > 0 && self.top + 1 < self.rows.len() {
            let height = self.height(session, self.top).cast_signed();
            if skip < height {
                break;
            }
            self.top += 1;
            skip -= height;
        }
        let tallest = self
            .height(session, self.top.min(self.rows.len()))
            .saturating_sub(1);
        self.top_skip = usize::try_from(skip).unwrap_or(0).min(tallest);
    }

    /// Scrolls and takes the cursor along where it would leave the screen.
    pub fn scroll_with_cursor(&mut self, session: &ReviewSession, by: isize) {
        self.scroll(session, by);
        self.limit(session);
        let visible = self.visible(session);
        let inside = |line: isize| line >= 0 && line < self.page().cast_signed();
        let mut whole = visible
            .iter()
            .filter(|(_, line)| inside(*line))
            .map(|(idx, _)| *idx);
        if let Some(first) = whole.next() {
            let last = whole.next_back().unwrap_or(first);
            let row = self.cursor.clamp(first, last);
            if row != self.cursor {
                self.cursor = row;
                if let Some(Row::Gap { .. }) = self.rows.get(row) {
                    self.cursor = if by > 0 {
                        (row + 1).min(last)
                    } else {
                        row.saturating_sub(1).max(first)
                    };
                }
            }
        }
    }

    /// Scrolls as little as it takes to see the cursor with some rows around it.
    pub fn show_cursor(&mut self, session: &ReviewSession) {
        let page = self.page();
        let margin = MARGIN.min(page.saturating_sub(1) / 2);
        let first = self.cursor.saturating_sub(margin);
        if first < self.top || first == self.top && self.top_skip > 0 {
            self.top = first;
            self.top_skip = 0;
        }
        // Upwards from the last row that should be in sight until the screen is full.
        let last = (self.cursor + margin).min(self.rows.len().saturating_sub(1));
        let mut room = page.cast_signed();
        let mut row = last + 1;
        while row > self.top && room > 0 {
            row -= 1;
            room -= self.height(session, row).cast_signed();
        }
        if room < 0 || row > self.top {
            let skip = usize::try_from(-room).unwrap_or(0);
            if row > self.top || skip > self.top_skip {
                self.top = row;
                self.top_skip = skip;
            }
        }
        // A row taller than the screen begins at its top.
        if self.cursor < self.top
            || self.cursor == self.top && self.height(session, self.cursor) > page
        {
            self.top = self.cursor;
            self.top_skip = 0;
        }
        self.limit(session);
    }

    /// Scrolls sideways as little as it takes to see a column of the right side.
    pub fn show_column(&mut self, column: usize) {
        let width = usize::from(self.columns().new.width).max(1);
        if self.long_lines == LongLines::Wrap {
            self.left = 0;
        } else if column < self.left {
            self.left = column.saturating_sub(width / 3);
        } else if column >= self.left + width {
            self.left = column + 1 - width + width / 3;
        }
    }

    /// No empty screen below the last row while there is something above.
    fn limit(&mut self, session: &ReviewSession) {
        let page = self.page();
        let mut filled = 0;
        let mut row = self.rows.len();
        while row > 0 && filled < page {
            row -= 1;
            filled += self.height(session, row);
        }
        if self.top > row || self.top == row && self.top_skip > filled.saturating_sub(page) {
            self.top = row;
            self.top_skip = filled.saturating_sub(page);
        }
    }

    /// The screen lines of the stream; at least one.
    pub fn page(&self) -> usize {
        usize::from(self.body.height).max(1)
    }

    /// Lays everything out anew and keeps cursor and screen at their places in the text.
    pub fn lay_out(&mut self, session: &ReviewSession) {
        let places = self.places(session);
        self.rows = Rows::lay_out(session, self.layout, &self.folds);
        self.return_to(session, places);
    }

    /// Lays one file out anew and keeps cursor and screen at their places in the text.
    pub fn lay_out_file(&mut self, session: &ReviewSession, file: usize) {
        let places = self.places(session);
        self.rows
            .lay_out_file(session, file, self.layout, &self.folds);
        self.return_to(session, places);
    }

    /// Shows more or less context.
    pub fn change_context(&mut self, session: &ReviewSession, by: isize) {
        self.folds.context = self
            .folds
            .context
            .saturating_add_signed(by)
            .min(MOST_CONTEXT);
        self.lay_out(session);
    }

    /// Opens lines of a file that are folded away.
    pub fn open(&mut self, session: &ReviewSession, file: usize, lines: Range<LineIdx>) {
        self.folds.closed.retain(|&closed| closed != file);
        self.folds.opened.push((file, lines));
        self.lay_out_file(session, file);
    }

    /// Folds away what was opened in a file.
    pub fn close(&mut self, session: &ReviewSession, file: usize) {
        self.folds.opened.retain(|(of, _)| *of != file);
        self.lay_out_file(session, file);
    }

    /// The cursor's place, and how many screen lines are above it.
    fn places(&self, session: &ReviewSession) -> Option<(Anchor, isize)> {
        let anchor = Anchor::of(self.row()?);
        let visible = self.visible(session);
        let line = visible
            .iter()
            .find(|(idx, _)| *idx == self.cursor)
            .map(|(_, line)| *line);
        Some((anchor, line.unwrap_or(0)))
    }

    fn return_to(&mut self, session: &ReviewSession, places: Option<(Anchor, isize)>) {
        let Some((anchor, line)) = places else {
            return;
        };
        self.cursor = anchor
            .find(&self.rows)
            .min(self.rows.len().saturating_sub(1));
        let lowest = self.page().cast_signed() - 1;
        self.align(session, usize::try_from(line.min(lowest)).unwrap_or(0));
        self.show_cursor(session);
    }
}

impl Anchor {
    fn of(row: Row) -> Self {
        let (old, new) = match row {
            Row::Context { old, new, .. } => (Some(old), Some(new)),
            Row::Change { old, new, .. } => (old, new),
            Row::Fold { start, .. } => (Some(start), None),
            Row::File { .. } | Row::Note { .. } | Row::Hunk { .. } | Row::Gap { .. } => {
                (None, None)
            }
        };
        Self {
            file: row.file(),
            hunk: row.hunk(),
            old,
            new,
        }
    }

    /// The row that shows the place now, or what it went into, or the nearest thing before it.
    fn find(self, rows: &Rows) -> usize {
        let file = rows.of_file(self.file);
        let by_new = self.new.and_then(|new| rows.of_new_line(self.file, new));
        let by_old = || {
            let old = self.old?;
            rows.find(file.clone(), false, |row| match row {
                Row::Context { old: at, .. } => at == old,
                Row::Change { old: at, .. } => at == Some(old),
                Row::Fold { start, end, .. } => (start..end).contains(&old),
                Row::File { .. } | Row::Note { .. } | Row::Hunk { .. } | Row::Gap { .. } => false,
            })
        };
        by_new
            .or_else(by_old)
            .or_else(|| self.hunk.and_then(|id| rows.of_hunk(id)))
            .unwrap_or(file.start)
    }
}

/// What a row shows of the base and of the right side.
pub fn texts(session: &ReviewSession, row: Row) -> (Option<&str>, Option<&str>) {
    let file = &session.files[row.file()];
    match row {
        Row::Context { old, new, .. } => (Some(file.base.line(old)), Some(file.yours.line(new))),
        Row::Change { old, new, .. } => (
            old.map(|old| file.base.line(old)),
            new.map(|new| file.yours.line(new)),
        ),
        Row::File { .. }
        | Row::Note { .. }
        | Row::Hunk { .. }
        | Row::Fold { .. }
        | Row::Gap { .. } => (None, None),
    }
}
