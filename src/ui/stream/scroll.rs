//! Moving the cursor and the screen over the rows.

use std::ops::Range;

use super::Stream;
use crate::review::{ReviewSession, Row};
use crate::ui::layout::display_settings::FilesShown;

/// Rows kept in sight above and below the cursor.
const MARGIN: usize = 3;

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

    /// Puts the cursor on a row that may be far away, with what follows it in sight.
    pub fn jump(&mut self, session: &ReviewSession, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.stay_inside();
        let extent = self.extent();
        let after = (self.page() / 2).min(12);
        let visible = self.visible(session);
        let first = visible.first().map_or(0, |(idx, _)| *idx);
        let last = visible.last().map_or(0, |(idx, _)| *idx);
        let all = last + 1 >= extent.end;
        if self.cursor < first + usize::from(first > extent.start)
            || !all && self.cursor + after > last
        {
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

    /// Scrolls as little as it takes to see the cursor with some rows around it.
    pub fn show_cursor(&mut self, session: &ReviewSession) {
        self.stay_inside();
        let extent = self.extent();
        let page = self.page();
        let margin = MARGIN.min(page.saturating_sub(1) / 2);
        let first = self.cursor.saturating_sub(margin).max(extent.start);
        if first < self.top || first == self.top && self.top_skip > 0 {
            self.top = first;
            self.top_skip = 0;
        }
        // Upwards from the last row that should be in sight until the screen is full.
        let last = (self.cursor + margin).min(extent.end.saturating_sub(1));
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
    pub fn show_column(&mut self, session: &ReviewSession, column: usize) {
        if let Some(row) = self.row() {
            self.show_column_of(session, row, column);
        }
    }

    /// Scrolls sideways as little as it takes to see a column of a row.
    pub fn show_column_of(&mut self, session: &ReviewSession, row: Row, column: usize) {
        let width = usize::from(self.columns(session, row.file()).new.width).max(1);
        if self.wraps(session, row) {
            self.left = 0;
        } else if column < self.left {
            self.left = column.saturating_sub(width / 3);
        } else if column >= self.left + width {
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
