//! The sideways offset of the stream. It follows the line of the cursor, so that its difference is on the screen.

use std::ops::Range;

use super::app::App;
use crate::review::{HunkId, ReviewSession, Row, Side, differing};
use crate::ui::glyphs;
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

    /// Scrolls to the next difference of the hunk at the cursor that is cut off: further right in its line, or in a line below.
    /// Returns false if there is none.
    pub(crate) fn show_next_difference(&mut self) -> bool {
        self.follow_sideways();
        // Below the heading of a file comes that of its first hunk.
        if matches!(self.stream.row(), Some(Row::File { .. })) {
            return false;
        }
        let Some(row @ Row::Change { id, line, .. }) = self.change_of_cursor() else {
            return false;
        };
        let end = self.stream.left + self.text_width(row);
        let columns = self.difference_columns(row).into_iter();
        if let Some(column) = columns.filter(|column| *column >= end).min() {
            self.stream.show_column_of(&self.session, row, column);
            return true;
        }
        let (mut from, rows_end) = (self.stream.cursor + 1, self.stream.rows.len());
        loop {
            // The next long line below, or the end of the hunk.
            let found = self.stream.rows.find(from..rows_end, false, |row| {
                if let Row::Change { line: at, .. } = row
                    && is_change_of(row, id)
                {
                    return at > line && !self.stream.wraps(&self.session, row);
                }
                matches!(row, Row::Hunk { .. } | Row::File { .. })
            });
            let row = found.and_then(|at| Some((at, self.stream.rows.get(at)?)));
            let Some((at, row)) = row.filter(|(_, row)| is_change_of(*row, id)) else {
                return false;
            };
            let shown = self.stream.left..self.stream.left + self.text_width(row);
            let columns = self.difference_columns(row);
            if columns.iter().any(|column| !shown.contains(column)) {
                self.stream.jump(&self.session, at);
                self.follow_sideways();
                return true;
            }
            from = at + 1;
        }
    }

    fn text_width(&self, row: Row) -> usize {
        self.stream
            .columns(&self.session, row.file())
            .new
            .width
            .into()
    }

    /// Returns the columns where the differences of both sides of a changed line begin; none of a line that is wrapped or has one
    /// side only.
    fn difference_columns(&mut self, row: Row) -> Vec<usize> {
        let Row::Change { id, line, .. } = row else {
            return Vec::new();
        };
        let changed = self.session.hunk(id).map(|hunk| &hunk.state.lines);
        let changed = changed.and_then(|lines| lines.get(line));
        let has_both = changed.is_some_and(|line| line.removes && line.adds.is_some());
        if !has_both || self.stream.wraps(&self.session, row) {
            return Vec::new();
        }
        let moved = self.moved_lines.known();
        self.changed_words.prepare(&self.session, moved, id, line);
        let Some((old_words, new_words)) = self.changed_words.line(id, line) else {
            return Vec::new();
        };
        let text = |side| self.session.line_text((id, line), side);
        let [old, new] = [Side::Old, Side::New].map(|side| text(side).unwrap_or_default());
        let mut columns = glyphs::columns_of(old, old_words.iter().map(|range| range.start));
        columns.extend(glyphs::columns_of(
            new,
            new_words.iter().map(|range| range.start),
        ));
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
        let (old_words, new_words) = self.changed_words.line(id, line)?;
        let (old, new) = texts(&self.session, row);
        let column = |text: Option<&str>, words: &[Range<usize>]| {
            Some(glyphs::column_of(text?, words.first()?.start))
        };
        let columns = [column(old, old_words), column(new, new_words)];
        columns.into_iter().flatten().min()
    }
}

/// Returns the removed text of a changed line, and the bytes in which the removed and the added text differ: those that are not
/// in their common beginning or end. `None` if one of them is missing, or they are equal.
pub(crate) fn difference(
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

fn is_change_of(row: Row, id: HunkId) -> bool {
    matches!(row, Row::Change { id: of, .. } if of == id)
}
