//! Counting of the changed lines that a frame shows.

use std::ops::Range;

use super::app::App;
use super::mode::Mode;
use crate::review::{ChangeFold, Row, ShownCount, Side};
use crate::text::{LineIdx, plural};
use crate::ui::glyphs;
use crate::ui::highlight::{Half, TextSource};
use crate::ui::layout::areas::Column;

/// Returns how many of some lines were never shown, in words; `None` if all were.
pub(crate) fn never_shown(seen: Option<ShownCount>, line: &str) -> Option<String> {
    let seen = seen.filter(|seen| seen.missed() > 0)?;
    let lines = plural(seen.of, line);
    Some(format!("{lines}, {} of them never shown", seen.missed()))
}

impl App {
    /// Counts the changed lines that the last frame showed as a whole. A line that is cut counts if what differs in it was shown, and
    /// so does one that is folded because it was shown in an earlier review, if the fold is on the screen.
    pub fn count_shown(&mut self) {
        self.session.count_seen();
        let shows_stream = matches!(
            self.mode,
            Mode::Review | Mode::Lines { .. } | Mode::Edit(_) | Mode::Place(_)
        );
        if self.screen().is_none() || !shows_stream {
            return;
        }
        let page = self.stream.page().saturating_sub(self.rows_under_notice());
        let page = page.cast_signed();
        for (idx, line) in self.stream.visible(&self.session) {
            let Some(row) = self.stream.rows.get(idx) else {
                continue;
            };
            if let Row::FoldedChange {
                id,
                start,
                end,
                side,
                fold: ChangeFold::ShownBefore | ChangeFold::AcceptedBefore,
                ..
            } = row
            {
                (start..end).for_each(|line| self.session.mark_seen(id, line, side));
            }
            let Row::Change { id, line: at, .. } = row else {
                continue;
            };
            let height = self.stream.height(&self.session, idx).cast_signed();
            let is_whole = line + height <= page && (line >= 0 || height > page);
            if !is_whole {
                continue;
            }
            let [old, new] = self.shown_sides(row);
            let shown = match (old, new) {
                (true, true) => Side::Both,
                (true, false) => Side::Old,
                (false, true) => Side::New,
                (false, false) => continue,
            };
            self.session.mark_seen(id, at, shown);
        }
    }

    /// Returns for both sides of a changed row true if it has the side and no difference in it is cut off.
    fn shown_sides(&self, row: Row) -> [bool; 2] {
        let Row::Change {
            id, line, old, new, ..
        } = row
        else {
            return [false, false];
        };
        if self.stream.wraps(&self.session, row) {
            return [old.is_some(), new.is_some()];
        }
        let columns = self.stream.columns(&self.session, row.file());
        let words = |side| self.changed_words.words((id, line), side);
        [
            self.shows_difference(row, Half::Base, old, words(Side::Old), columns.old),
            self.shows_difference(row, Half::Proposed, new, words(Side::New), columns.new),
        ]
    }

    /// Returns true if the words of a line that differ are inside its column, or the whole line if no words are known.
    fn shows_difference(
        &self,
        row: Row,
        half: Half,
        line: Option<LineIdx>,
        words: &[Range<usize>],
        column: Column,
    ) -> bool {
        let Some(line) = line else {
            return false;
        };
        let file = row.file();
        let review = &self.session.files[file];
        let document = if half == Half::Base {
            &review.base
        } else {
            review.yours()
        };
        let text = document.line(line);
        let source = TextSource { file, half };
        let index = self.column_indexes.line(source, line, review.revision());
        let left = self.hidden_columns(row);
        let [start, end] = [left, left + usize::from(column.width)].map(|column| {
            let start = index.map_or((0, 0), |index| index.before(column));
            let glyph = glyphs::glyphs_beyond(text, start, column).next();
            glyph.map_or(text.len(), |glyph| glyph.bytes.start)
        });
        let is_inside = |word: &Range<usize>| start <= word.start && word.end <= end;
        if words.is_empty() {
            is_inside(&(0..text.len()))
        } else {
            words.iter().all(is_inside)
        }
    }
}
