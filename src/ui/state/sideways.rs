//! The sideways offset of the stream. It follows the line of the cursor, so that its difference is on the screen.

use std::ops::Range;

use super::app::App;
use crate::review::{HunkId, LineId, ReviewSession, Row, Side, differing};
use crate::ui::glyphs;
use crate::ui::highlight::token_cache::widest_side;
use crate::ui::highlight::{Half, TextSource};
use crate::ui::stream::texts;

impl App {
    /// Scrolls sideways to the difference of the cursor's line if the cursor is on another row now, or the row is shown in
    /// another way.
    pub(crate) fn follow_sideways(&mut self) {
        let stream = &mut self.stream;
        if self.mode.edit().is_some() {
            stream.left_of = None;
            return;
        }
        let shown = stream.row().map(|row| {
            let width = stream.columns(&self.session, row.file()).new.width;
            (row, width, stream.long_lines)
        });
        if stream.left_of == shown {
            return;
        }
        stream.left_of = shown;
        if !stream.left_by_hand {
            stream.left = 0;
        }
        let row = self.change_of_cursor();
        let row = row.filter(|row| !self.stream.wraps(&self.session, *row));
        if let Some(row) = row
            && let Some(column) = self.difference_column(row)
        {
            self.stream.show_column_of(&self.session, row, column);
        }
    }

    /// Scrolls sideways to the first match of the search in the row of the cursor.
    pub fn reveal_match(&mut self) {
        self.follow_sideways();
        let Some(row) = self.stream.row() else {
            return;
        };
        let (old, new) = texts(&self.session, row);
        let column = [new, old].into_iter().flatten().find_map(|text| {
            let found = self.search.matches(text);
            Some(glyphs::column_of(text, found.first()?.start))
        });
        if let Some(column) = column {
            self.stream.show_column_of(&self.session, row, column);
        }
    }

    /// Returns the row of the cursor; for the heading of a hunk or of a file the row of its first changed line.
    fn change_of_cursor(&self) -> Option<Row> {
        let (rows, row) = (&self.stream.rows, self.stream.row()?);
        let below = self.stream.cursor..rows.part_at(self.stream.cursor).end;
        let id = if let Row::Hunk { id } = row {
            Some(id)
        } else if let Row::File { .. } = row {
            None
        } else {
            return Some(row);
        };
        let first = rows.find(below, false, |row| match id {
            Some(id) => is_change_of(row, id),
            None => matches!(row, Row::Change { .. }),
        });
        rows.get(first?)
    }

    /// Returns how many columns of a row are scrolled out of sight at the left: none of a row that fits on the screen, or that would be
    /// out of sight as a whole.
    pub(crate) fn hidden_columns(&self, row: Row) -> usize {
        let left = self.stream.left;
        if left == 0 {
            return 0;
        }
        let width = self.row_width(row);
        if width <= self.text_width(row) || width < left {
            0
        } else {
            left
        }
    }

    /// Returns the columns of the longer side of a row, even if that side is in another row.
    fn row_width(&self, row: Row) -> usize {
        if let Row::Change { id, line, .. } = row {
            let known = self.changed_words.width((id, line));
            return known.unwrap_or_else(|| widest_side(&self.session, (id, line)));
        }
        let [base, proposed] = [Half::Base, Half::Proposed].map(|half| self.side_width(row, half));
        base.max(proposed)
    }

    /// Returns the columns of one side of a row; 0 if it has none.
    pub(crate) fn side_width(&self, row: Row, half: Half) -> usize {
        let file = row.file();
        let (old, new) = row.lines();
        let (old_text, new_text) = texts(&self.session, row);
        let (line, text) = match half {
            Half::Base => (old, old_text),
            Half::Proposed => (new, new_text),
            Half::Result => (None, None),
        };
        let (Some(line), Some(text)) = (line, text) else {
            return 0;
        };
        let revision = self.session.files[file].revision();
        let source = TextSource { file, half };
        self.column_indexes.width(source, line, revision, text)
    }

    /// Returns the columns of a row that are on the screen, without those below the signs of what is cut off.
    fn shown_columns(&self, row: Row) -> Range<usize> {
        let (left, width) = (self.hidden_columns(row), self.text_width(row));
        let is_cut = self.row_width(row) > left + width;
        left + usize::from(left > 0)..left + width - usize::from(is_cut && width > 0)
    }

    /// Scrolls to the next difference of the hunk at the cursor that is cut off: further right in its line, or in a line below.
    /// Returns false if there is none.
    pub(crate) fn show_next_difference(&mut self) -> bool {
        let Some((row, id, line)) = self.difference_at_cursor() else {
            return false;
        };
        let shown = self.shown_columns(row);
        let ranges = self.difference_columns(row).into_iter();
        let beyond = ranges.filter(|range| range.end > shown.end);
        if let Some(range) = beyond.min_by_key(|range| range.start.max(shown.end)) {
            if range.start < shown.end {
                // The first column is below the sign of what is cut off.
                self.stream.left = shown.end - 1;
            } else {
                self.stream.show_column_of(&self.session, row, range.start);
            }
            return true;
        }
        let mut from = self.stream.cursor + 1;
        let end = self.stream.rows.part_at(self.stream.cursor).end;
        while let Some(at) = self.cut_row(from..end, false, id, |at| at > line) {
            if self.hides_difference(at) {
                self.jump(at);
                return true;
            }
            from = at + 1;
        }
        false
    }

    /// Scrolls to the previous difference of the hunk at the cursor that is cut off: further left in its line, or in a line above.
    /// Returns false if there is none.
    pub(crate) fn show_previous_difference(&mut self) -> bool {
        let Some((row, id, line)) = self.difference_at_cursor() else {
            return false;
        };
        let start = self.shown_columns(row).start;
        if self.show_last_difference_before(row, start) {
            return true;
        }
        let start = self.stream.rows.part_at(self.stream.cursor).start;
        self.show_last_difference(start..self.stream.cursor, id, |at| at < line)
    }

    /// Scrolls to the last difference that is cut off in the hunk whose heading is at the cursor. Returns false if there is none.
    pub(crate) fn show_end_of(&mut self, id: HunkId) -> bool {
        let rows = &self.stream.rows;
        let below = self.stream.cursor + 1..rows.part_at(self.stream.cursor).end;
        let next = rows.find(below.clone(), false, |row| is_heading_of_other(row, id));
        self.show_last_difference(below.start..next.unwrap_or(below.end), id, |_| true)
    }

    /// Goes to the last difference that is cut off in the rows of some lines of a hunk.
    fn show_last_difference(
        &mut self,
        mut rows: Range<usize>,
        id: HunkId,
        is_line: impl Fn(usize) -> bool,
    ) -> bool {
        while let Some(at) = self.cut_row(rows.clone(), true, id, &is_line) {
            if self.hides_difference(at)
                && let Some(row) = self.stream.rows.get(at)
            {
                self.jump(at);
                self.show_last_difference_before(row, usize::MAX);
                return true;
            }
            rows.end = at;
        }
        false
    }

    /// Scrolls to the last difference of a row that begins before a column, or to its last columns before that.
    fn show_last_difference_before(&mut self, row: Row, column: usize) -> bool {
        let ranges = self.difference_columns(row).into_iter();
        let before = ranges.filter(|range| range.start < column);
        let Some(range) = before.max_by_key(|range| range.end.min(column)) else {
            return false;
        };
        let (end, width) = (range.end.min(column), self.text_width(row));
        let left = if end < width {
            0
        } else if end - range.start <= width / 2 {
            range.start.saturating_sub(width / 3)
        } else {
            // A column on either side is below the sign of what is cut off.
            (end + 1).saturating_sub(width)
        };
        std::mem::replace(&mut self.stream.left, left) != left
    }

    /// Returns the row at the cursor, its hunk and its position in it, for a step to another difference.
    fn difference_at_cursor(&mut self) -> Option<(Row, HunkId, usize)> {
        self.follow_sideways();
        // Below the heading of a file comes that of its first hunk.
        if matches!(self.stream.row(), Some(Row::File { .. })) {
            return None;
        }
        match self.change_of_cursor() {
            Some(row @ Row::Change { id, line, .. }) => Some((row, id, line)),
            Some(_) | None => None,
        }
    }

    /// Returns the nearest row of some lines of a hunk that is not wrapped.
    fn cut_row(
        &self,
        rows: Range<usize>,
        backward: bool,
        id: HunkId,
        is_line: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let stream = &self.stream;
        let is_own =
            |row: Row| matches!(row, Row::Change { id: of, line, .. } if of == id && is_line(line));
        let is_cut = |row: Row| is_own(row) && !stream.wraps(&self.session, row);
        let found = stream.rows.find(rows, backward, |row| {
            is_cut(row) || is_heading_of_other(row, id)
        })?;
        is_cut(stream.rows.get(found)?).then_some(found)
    }

    /// Returns true if a row has a difference that is cut off.
    fn hides_difference(&mut self, at: usize) -> bool {
        let Some(row) = self.stream.rows.get(at) else {
            return false;
        };
        let shown = self.shown_columns(row);
        let mut ranges = self.difference_columns(row).into_iter();
        ranges.any(|range| range.start < shown.start || range.end > shown.end)
    }

    fn text_width(&self, row: Row) -> usize {
        self.stream
            .columns(&self.session, row.file())
            .new
            .width
            .into()
    }

    /// Returns the columns in which a changed line differs from its other side, of both sides; none for a line that is wrapped.
    fn difference_columns(&mut self, row: Row) -> Vec<Range<usize>> {
        let Row::Change { id, line, .. } = row else {
            return Vec::new();
        };
        if self.stream.wraps(&self.session, row) {
            return Vec::new();
        }
        let moved = self.moved_lines.known();
        self.changed_words.prepare(&self.session, moved, id, line);
        let is_apart = self.stream.folds.is_apart(id, line);
        let mut columns = Vec::new();
        for side in [Side::Old, Side::New] {
            let text = self.session.line_text((id, line), side);
            let Some(text) = text.filter(|_| !self.moved_lines.is_moved((id, line), side)) else {
                continue;
            };
            let words = self.changed_words.words((id, line), side);
            let ranges: Vec<Range<usize>> = if words.is_empty() || is_apart {
                let part = differing_part(&self.session, (id, line), side, is_apart);
                part.into_iter().collect()
            } else {
                words.to_vec()
            };
            let ends = ranges.iter().flat_map(|range| [range.start, range.end]);
            let ends = glyphs::columns_of(text, ends);
            columns.extend(ends.chunks_exact(2).map(|ends| ends[0]..ends[1]));
        }
        columns
    }

    /// Returns the column where the difference of a changed line begins: from the other side of the line, or else from the
    /// other end of a moved one.
    fn difference_column(&mut self, row: Row) -> Option<usize> {
        let Row::Change { id, line, .. } = row else {
            return None;
        };
        if let Some((old, [differs, _])) = difference(&self.session, id, line) {
            return Some(glyphs::column_of(old, differs.start));
        }
        let moved = self.moved_lines.known();
        self.changed_words.prepare(&self.session, moved, id, line);
        let (old, new) = texts(&self.session, row);
        let words = |side| self.changed_words.words((id, line), side).first();
        let column = |text: Option<&str>, side| Some(glyphs::column_of(text?, words(side)?.start));
        let columns = [column(old, Side::Old), column(new, Side::New)];
        columns.into_iter().flatten().min()
    }
}

/// Returns the bytes of one side of a changed line that are not in the common beginning or end of both sides: all of a line without
/// another side, or of one that is shown apart from it. `None` if the sides are equal.
pub(crate) fn differing_part(
    session: &ReviewSession,
    (id, line): LineId,
    side: Side,
    is_apart: bool,
) -> Option<Range<usize>> {
    let text = session.line_text((id, line), side)?;
    let other = session.line_text((id, line), side.opposite());
    if is_apart || other.is_none() {
        return Some(0..text.len());
    }
    let (_, [old, new]) = difference(session, id, line)?;
    Some(if side == Side::Old { old } else { new })
}

/// Returns the removed text of a changed line, and the bytes in which the removed and the added text differ: those that are not
/// in their common beginning or end. `None` if one of them is missing, or they are equal.
fn difference(
    session: &ReviewSession,
    id: HunkId,
    line: usize,
) -> Option<(&str, [Range<usize>; 2])> {
    let file = session.files.get(id.file)?;
    let changed = file.hunks.get(id.hunk)?.state.lines.get(line)?;
    let new = changed.adds.as_deref().filter(|_| changed.removes)?;
    let old = file.base.line(changed.at);
    (old != new).then(|| (old, differing(old, new)))
}

fn is_heading_of_other(row: Row, id: HunkId) -> bool {
    matches!(row, Row::File { .. }) || matches!(row, Row::Hunk { id: of } if of != id)
}

fn is_change_of(row: Row, id: HunkId) -> bool {
    matches!(row, Row::Change { id: of, .. } if of == id)
}
