//! The sideways offset of the stream. It follows the line of the cursor, so that its difference is on the screen.

use std::ops::Range;

use super::app::App;
use crate::review::{HunkId, ReviewSession, Row};
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
        let row = stream.row();
        let row = if let Some(Row::Hunk { id }) = row {
            self.first_change(id)
        } else {
            row
        };
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

    /// Returns the row of the first changed line of a hunk.
    fn first_change(&self, id: HunkId) -> Option<Row> {
        let rows = &self.stream.rows;
        let own = |row: Row| matches!(row, Row::Change { id: of, .. } if of == id);
        rows.get(rows.find_in_file(id.file, own)?)
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

/// Returns the bytes of each text that are not in their common beginning or end.
fn differing(old: &str, new: &str) -> [Range<usize>; 2] {
    let same = |(a, b): &(char, char)| a == b;
    let pairs = old.chars().zip(new.chars()).take_while(same);
    let start: usize = pairs.map(|(c, _)| c.len_utf8()).sum();
    let pairs = old[start..].chars().rev().zip(new[start..].chars().rev());
    let end: usize = pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    [start..old.len() - end, start..new.len() - end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_what_is_not_common() {
        let check = |old: &str, new: &str, expected: [&str; 2]| {
            let [of_old, of_new] = differing(old, new);
            assert_eq!([&old[of_old], &new[of_new]], expected, "{old} {new}");
        };
        check("a-old-b", "a-new-b", ["old", "new"]);
        check("ab", "aab", ["", "a"]);
        check("aa", "aaaa", ["", "aa"]);
        check("", "x", ["", "x"]);
        check("äöü", "äßü", ["ö", "ß"]);
        check("é", "è", ["é", "è"]);
    }
}
