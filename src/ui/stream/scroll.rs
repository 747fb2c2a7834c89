//! Moving the cursor and the screen over the rows.

use std::ops::Range;

use super::Stream;
use crate::review::{ReviewSession, Row, Subject};
use crate::ui::layout::display_settings::FilesShown;

/// Rows kept in sight above and below the cursor.
const MARGIN: usize = 3;
/// The most rows below the screen in which changed lines are counted.
const MOST_COUNTED: usize = 10_000;

impl Stream {
    /// The rows on the screen, each with the line of the screen where it begins (counted from the top of the stream,
    /// negative for a row that begins above it).
    pub fn visible(&self, session: &ReviewSession) -> Vec<(usize, isize)> {
        let mut visible = Vec::new();
        let mut line = -self.top_skip.cast_signed();
        for idx in self.top..self.extent().end {
            if line >= isize::from(self.body.height.cast_signed()) {
                break;
            }
            visible.push((idx, line));
            line += self.height(session, idx).cast_signed();
        }
        visible
    }

    /// The rows that the cursor goes through: all, or those of its own file.
    pub fn extent(&self) -> Range<usize> {
        let mut rows = match self.files {
            FilesShown::All => return 0..self.rows.len(),
            FilesShown::One => self.rows.part_at(self.cursor),
        };
        if let Some(Row::Gap { .. }) = self.rows.get(rows.end.saturating_sub(1)) {
            rows.end -= 1;
        }
        rows
    }

    /// Lets the screen begin with a row that the cursor goes through.
    fn stay_inside(&mut self) {
        let extent = self.extent();
        if !extent.contains(&self.top) {
            self.top = extent.start;
            self.top_skip = 0;
        }
    }

    /// Moves the cursor by rows. Rows of mere room are passed over, and the ends hold it.
    pub fn step(&mut self, session: &ReviewSession, by: isize) {
        let target = self.cursor.saturating_add_signed(by);
        self.go(session, target, by >= 0);
    }

    /// Puts the cursor on a row, or beside it on the side it came towards if that is mere room.
    pub fn go(&mut self, session: &ReviewSession, row: usize, forward: bool) {
        let extent = self.extent();
        let last = extent.end.saturating_sub(1).max(extent.start);
        let mut row = row.clamp(extent.start, last);
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

    /// Puts the cursor on a row that may be far away. If a hunk begins there, all of it is in sight, or as much as fits, and so
    /// are the name of the file and the notes on it if the hunk is the first thing below them and leaves room for them.
    pub fn jump(&mut self, session: &ReviewSession, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.stay_inside();
        let page = self.page();
        let reach = self.reach(session);
        let fits = reach <= page;
        let after = reach.max((page / 2).min(12) + 1).min(page);
        let left = page.saturating_sub(reach);
        let head = self.head_above(session);
        let head = if fits { head.min(left) } else { head };
        let above = usize::from(self.top > self.extent().start).max(head);
        let is_in_sight = self.line_of_cursor(session).is_some_and(|line| {
            line >= above.cast_signed()
                && (line + after.cast_signed() <= page.cast_signed() || self.ends_in_sight(session))
        });
        if !is_in_sight {
            self.align(session, (page / 5).min(left).max(head));
        }
    }

    /// Returns the screen lines between the cursor and the name of its file, or the purpose above it, if only notes on the file are between them; as many rows
    /// as fit on a third of the page.
    fn head_above(&self, session: &ReviewSession) -> usize {
        let (mut height, mut head) = (0, 0);
        for idx in (self.extent().start..self.cursor).rev() {
            let is_name = match self.rows.get(idx) {
                Some(Row::Purpose { .. }) => true,
                // The purpose is above the name of the first file that has it.
                Some(Row::File { .. }) => {
                    let above = idx.checked_sub(1).and_then(|above| self.rows.get(above));
                    !matches!(above, Some(Row::Purpose { .. }))
                }
                Some(
                    Row::Note { hunk: None, .. }
                    | Row::Problem { .. }
                    | Row::Fold { .. }
                    | Row::Comment {
                        about: Subject::File | Subject::Thread(_),
                        ..
                    },
                ) => false,
                Some(_) | None => return 0,
            };
            height += self.height(session, idx);
            let is_fold = matches!(self.rows.get(idx), Some(Row::Fold { .. }));
            if !is_fold && height <= self.page() / 3 {
                head = height;
            }
            if is_name {
                break;
            }
        }
        head
    }

    /// Returns the screen lines from the cursor to the last change of the hunk that begins there; some number above a page
    /// if they do not fit.
    fn reach(&self, session: &ReviewSession) -> usize {
        let hunk = self.row().and_then(Row::hunk);
        let (mut height, mut reach) = (0, 0);
        for idx in self.cursor..self.extent().end {
            let Some(row) = self.rows.get(idx).filter(|_| height <= self.page()) else {
                break;
            };
            let is_own = row.hunk().is_some() && row.hunk() == hunk;
            if !is_own && !matches!(row, Row::Context { .. } | Row::Comment { .. }) {
                break;
            }
            height += self.height(session, idx);
            if is_own {
                reach = height;
            }
        }
        reach
    }

    /// Counts the changed lines of the current hunk that are below the screen, of a very long hunk only the first thousands.
    pub fn changes_below(&self, session: &ReviewSession) -> usize {
        let visible = self.visible(session);
        let (Some(id), Some(&(last, line))) = (self.hunk(), visible.last()) else {
            return 0;
        };
        let end = line + self.height(session, last).cast_signed();
        let first = last + usize::from(end <= self.page().cast_signed());
        let rows = (first..self.extent().end).take(MOST_COUNTED);
        rows.map_while(|idx| self.rows.get(idx))
            .take_while(|row| row.hunk().is_none_or(|of| of == id))
            .map(changed_lines)
            .sum()
    }

    /// Scrolls so that the changes of the current hunk are on the screen again after rows were added above them. A hunk that does not
    /// fit begins at the top if its heading is the current row.
    pub fn show_changes(&mut self, session: &ReviewSession) {
        if self.changes_below(session) == 0 {
            return;
        }
        if self.reach(session) <= self.page() {
            self.jump(session, self.cursor);
        } else if let Some(Row::Hunk { .. }) = self.row() {
            self.align(session, 0);
        }
    }

    /// Returns the line of the screen where the row of the cursor begins; `None` if no part of it is on the screen.
    fn line_of_cursor(&self, session: &ReviewSession) -> Option<isize> {
        let visible = self.visible(session);
        let at = visible.iter().find(|(idx, _)| *idx == self.cursor)?;
        Some(at.1)
    }

    /// Returns true if the last row is on the screen as a whole.
    fn ends_in_sight(&self, session: &ReviewSession) -> bool {
        let visible = self.visible(session);
        visible.last().is_none_or(|&(idx, line)| {
            let end = line + self.height(session, idx).cast_signed();
            idx + 1 >= self.extent().end && end <= self.page().cast_signed()
        })
    }

    /// Scrolls by screen lines and moves the cursor along, so that nothing between the two places is passed over. At the ends only the
    /// cursor moves.
    pub fn page_by(&mut self, session: &ReviewSession, by: isize) {
        let before = (self.top, self.top_skip, self.cursor);
        let line = self.line_of_cursor(session).unwrap_or(0).max(0);
        self.scroll(session, by);
        self.limit(session);
        if (self.top, self.top_skip) == (before.0, before.1) {
            return self.step(session, by);
        }
        let visible = self.visible(session);
        let is_below = |&&(_, at): &&(usize, isize)| at >= line;
        let row = visible.iter().find(is_below).or(visible.last());
        let row = row.map_or(self.cursor, |(idx, _)| *idx);
        self.cursor = if by > 0 {
            row.max(before.2)
        } else {
            row.min(before.2)
        };
        self.stay_inside();
    }

    /// Scrolls so that there are `above` screen lines above the cursor.
    pub fn align(&mut self, session: &ReviewSession, above: usize) {
        self.top = self.cursor;
        self.top_skip = 0;
        self.scroll(session, -above.cast_signed());
    }

    /// Scrolls by screen lines and leaves the cursor where it is in the text, even out of sight.
    pub fn scroll(&mut self, session: &ReviewSession, by: isize) {
        let extent = self.extent();
        let mut skip = self.top_skip.cast_signed() + by;
        while skip < 0 && self.top > extent.start {
            self.top -= 1;
            skip += self.height(session, self.top).cast_signed();
        }
        while skip > 0 && self.top + 1 < extent.end {
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

    /// Scrolls as little as it takes to see the cursor with some lines around it. A row taller than the screen begins at its top,
    /// unless the screen is inside it.
    pub fn show_cursor(&mut self, session: &ReviewSession) {
        self.stay_inside();
        let page = self.page().cast_signed();
        let height = self.height(session, self.cursor).cast_signed();
        let margin = MARGIN.cast_signed().min((page - height).max(0) / 2);
        let line = self.line_of_cursor(session);
        let is_inside = line.is_some_and(|line| line <= 0 && line + height >= page);
        let is_low = line.map_or(self.cursor > self.top, |line| line + height + margin > page);
        if is_low && !is_inside {
            let above = (page - height - margin).max(0);
            self.align(session, above.unsigned_abs());
        } else if !is_inside && line.is_none_or(|line| line < margin) {
            self.align(session, margin.unsigned_abs());
        }
        self.limit(session);
    }

    /// Scrolls sideways as little as it takes to see a column of the right side.
    pub fn show_column(&mut self, session: &ReviewSession, column: usize) {
        if let Some(row) = self.row() {
            self.show_column_of(session, row, column);
        }
    }

    /// Scrolls sideways as little as it takes to see a column of a row. The first and the last column of the screen may be below the
    /// sign of what is cut off.
    pub fn show_column_of(&mut self, session: &ReviewSession, row: Row, column: usize) {
        let width = usize::from(self.columns(session, row.file()).new.width).max(1);
        if self.wraps(session, row) {
            self.left = 0;
        } else if self.left > 0 && column <= self.left {
            self.left = column.saturating_sub(width / 3);
        } else if column + 1 >= self.left + width {
            self.left = column + 1 - width + width / 3;
        }
    }

    /// No empty screen below the last row while there is something above.
    pub(crate) fn limit(&mut self, session: &ReviewSession) {
        let page = self.page();
        let extent = self.extent();
        let mut filled = 0;
        let mut row = extent.end;
        while row > extent.start && filled < page {
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
}

/// Counts the changed lines of a row, those of both of its sides.
fn changed_lines(row: Row) -> usize {
    match row {
        Row::Change { old, new, .. } => usize::from(old.is_some()) + usize::from(new.is_some()),
        Row::FoldedChange { old, new, .. } => old.count + new.count,
        Row::File { .. }
        | Row::Purpose { .. }
        | Row::Note { .. }
        | Row::Comment { .. }
        | Row::Problem { .. }
        | Row::Hunk { .. }
        | Row::Context { .. }
        | Row::Fold { .. }
        | Row::Elsewhere { .. }
        | Row::Gap { .. } => 0,
    }
}
