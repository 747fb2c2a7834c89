//! One side of a row that shows a line: mark, number, sign, text.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::row_view::RowView;
use crate::review::{Decision, Layout, Row, Side};
use crate::text::{Document, LineEnding, LineIdx, LineNo};
use crate::ui::glyphs;
use crate::ui::highlight::{Half, TextSource};
use crate::ui::layout::areas::Column;
use crate::ui::state::sideways::differing_part;
use crate::ui::view::cells::put;
use crate::ui::view::marks;
use crate::ui::view::text_line::{LinePart, TextLine};

/// The most rows that are looked at for the line that comes in place of another.
const FAR: usize = 400;

/// One side of a row that shows a line.
pub(crate) struct Cell<'a> {
    pub(crate) document: &'a Document,
    pub(crate) half: Half,
    pub(crate) line: LineIdx,
    pub(crate) base: Style,
    pub(crate) sign: (&'a str, Style),
    /// Sign between sign and text: moved lines.
    pub(crate) beside: Option<(&'a str, Style)>,
    pub(crate) mark: Option<Decision>,
    pub(crate) words: &'a [Range<usize>],
    /// Blanks that differ from the other side, whether words are emphasised or not.
    pub(crate) blanks: &'a [Range<usize>],
}

impl RowView<'_> {
    /// Draws one side of a row: mark, number, sign, text.
    pub(crate) fn cell(&self, buffer: &mut Buffer, column: Column, cell: &Cell) {
        let app = self.app;
        let theme = &app.display.theme;
        let over = self.over();
        let at = |x| Position { x, y: self.area.y };
        let gutter = Rect {
            x: column.mark,
            width: column.text - column.mark,
            ..self.area
        };
        buffer.set_style(gutter, cell.base.patch(over));
        if let Some(decision) = cell.mark {
            let (sign, style) = marks::decision(&app.display, decision);
            put(buffer, at(column.mark), sign, style);
        }
        let style = match (cell.mark, self.edited_line(cell)) {
            (_, Some(_)) => theme.edited,
            (Some(_), None) => cell.sign.1,
            (None, None) => theme.quiet,
        };
        let number = match (self.columns.layout, cell.half) {
            (Layout::Split, _) | (Layout::Unified, Half::Base) => column.mark + 1,
            (Layout::Unified, Half::Proposed | Half::Result) => {
                column.mark + 2 + self.columns.digits
            }
        };
        self.number(buffer, number, cell.line, style.patch(over));
        let (sign, style) = cell.sign;
        if self.skip == 0 {
            put(buffer, at(column.sign), sign, style.patch(over));
        }
        self.continuations(buffer, column, cell);
        if let Some((sign, style)) = cell.beside {
            put(buffer, at(column.sign + 1), sign, style.patch(over));
        }
        let area = Rect {
            x: column.text,
            width: column.width,
            ..self.area
        }
        .intersection(app.stream.body);
        self.text(buffer, area, cell);
    }

    /// Puts a sign beside each row in which the line goes on.
    fn continuations(&self, buffer: &mut Buffer, column: Column, cell: &Cell) {
        if self.area.height < 2 && self.skip == 0
            || !self.app.stream.wraps(&self.app.session, self.row)
        {
            return;
        }
        let sign = self.app.display.signs.continues;
        let height = glyphs::height(cell.document.line(cell.line), column.width.into());
        let style = self.app.display.theme.quiet.patch(self.over());
        for (nth, row) in self.area.rows().enumerate() {
            if (1..height).contains(&(nth + self.skip)) {
                let at = Position {
                    x: column.sign,
                    y: row.y,
                };
                put(buffer, at, sign, style);
            }
        }
    }

    fn text(&self, buffer: &mut Buffer, area: Rect, cell: &Cell) {
        let app = self.app;
        let theme = &app.display.theme;
        let text = cell.document.line(cell.line);
        let emphasis = match cell.half {
            Half::Base => theme.removed.words,
            Half::Proposed | Half::Result => theme.added.words,
        };
        let found = app.search.matches(text);
        let selected: Vec<Range<usize>> = self.selected(cell).into_iter().collect();
        let source = TextSource {
            file: self.row.file(),
            half: cell.half,
        };
        let line = TextLine {
            look: &app.display,
            text,
            base: cell.base.patch(self.selection().unwrap_or_default()),
            tokens: app.tokens.line(source, cell.line),
            layers: vec![
                (cell.words, emphasis),
                (&found, theme.found),
                (&selected, theme.selected),
            ],
            differs: self
                .hidden_difference(area, cell)
                .map(|range| (range, emphasis)),
            blanks_from: self.blanks_from(text, cell),
            blanks: cell.blanks,
            ending: self.ending(cell),
            ruler: app.column_indexes.line(
                source,
                cell.line,
                app.session.files[source.file].revision(),
            ),
        };
        let part = if app.stream.wraps(&app.session, self.row) {
            LinePart::Wrapped { skip: self.skip }
        } else {
            LinePart::From(app.hidden_columns(self.row))
        };
        line.paint(buffer, area, part);
    }

    /// Returns the bytes in which a line that may be cut differs from its other side, if no words of it are emphasised: all of a line
    /// without another side.
    fn hidden_difference(&self, area: Rect, cell: &Cell) -> Option<Range<usize>> {
        let Row::Change { id, line, .. } = self.row else {
            return None;
        };
        let (on_base, text) = (cell.half == Half::Base, cell.document.line(cell.line));
        let side = if on_base { Side::Old } else { Side::New };
        let is_emphasised = !cell.words.is_empty() || self.over_moved((id, line), side).is_some();
        if is_emphasised || text.len() <= usize::from(area.width) {
            return None;
        }
        let is_apart = self.app.stream.folds.is_apart(id, line);
        differing_part(&self.app.session, (id, line), side, is_apart)
    }

    /// Returns the selection in an edited line.
    fn selected(&self, cell: &Cell) -> Option<Range<usize>> {
        let (edit, line) = (self.app.mode.edit()?, self.edited_line(cell)?);
        edit.editor.selected(line).map(|(range, _)| range)
    }

    /// The position of a line in the text being edited, if it is in it.
    fn edited_line(&self, cell: &Cell) -> Option<usize> {
        let edit = self.app.mode.edit()?;
        if cell.half == Half::Base || edit.region.hunk.file != self.row.file() {
            return None;
        }
        let line = cell.line.checked_sub(edit.region.first_new)?;
        (line < edit.editor.lines().len()).then_some(line)
    }

    /// From which byte on blanks are shown: all if asked for, else those at the end of an added line.
    fn blanks_from(&self, text: &str, cell: &Cell) -> usize {
        if self.app.display.blanks {
            0
        } else if cell.mark.is_some() && cell.half == Half::Proposed {
            text.trim_end_matches([' ', '\t', '\u{3000}']).len()
        } else {
            text.len()
        }
    }

    /// Returns the sign of the line ending, if endings are shown or this one differs. A changed line without
    /// newline has one, and context in the unified layout shows both.
    fn ending(&self, cell: &Cell) -> String {
        let signs = &self.app.display.signs;
        let review = &self.app.session.files[self.row.file()];
        let own = match cell.half {
            Half::Base => review.base.ending(cell.line),
            Half::Proposed | Half::Result => review.right_ending(cell.line),
        };
        let missing = cell.mark.is_some() && own == LineEnding::None;
        let other = self.other_ending(cell).filter(|other| *other != own);
        match (self.row, other) {
            (Row::Context { .. }, Some(other)) if self.columns.layout == Layout::Unified => {
                format!(
                    "{}{}{}",
                    signs.ending(other),
                    signs.becomes,
                    signs.ending(own)
                )
            }
            (_, Some(_)) => signs.ending(own).to_owned(),
            (_, None) if self.app.display.blanks || missing => signs.ending(own).to_owned(),
            (_, None) => String::new(),
        }
    }

    /// The ending of the line on the other side; for a line that has none there, that of the lines where it comes or goes.
    fn other_ending(&self, cell: &Cell) -> Option<LineEnding> {
        let review = &self.app.session.files[self.row.file()];
        let base = &review.base;
        let on_base = cell.half == Half::Base;
        let Row::Change { id, line, .. } = self.row else {
            return match self.row.lines() {
                (_, new) if on_base => new.map(|new| review.right_ending(new)),
                (old, _) => old.map(|old| base.ending(old)),
            };
        };
        let changed = review.hunks[id.hunk].state.lines.get(line)?;
        Some(match self.counterpart() {
            Some(new) if on_base => review.right_ending(new),
            _ if on_base => base.ending_near(cell.line),
            _ if changed.removes => base.ending(changed.at),
            _ if base.is_empty() => review.yours().ending_near(cell.line),
            _ => base.ending_near(changed.at),
        })
    }

    /// The line that comes for the one of the row; side by side in the row itself, else in one further down.
    fn counterpart(&self) -> Option<LineIdx> {
        let Row::Change { id, line, new, .. } = self.row else {
            return None;
        };
        if new.is_some() || self.columns.layout == Layout::Split {
            return new;
        }
        let rows = (self.idx + 1..).map(|idx| self.app.stream.rows.get(idx));
        let below = rows.take(FAR).map_while(|row| match row {
            Some(Row::Change {
                id: of, line, new, ..
            }) if of == id => Some((line, new)),
            Some(Row::Comment { .. }) => Some((usize::MAX, None)),
            Some(_) | None => None,
        });
        let mut same = below.filter(|(of, _)| *of == line);
        same.find_map(|(_, new)| new)
    }

    pub(crate) fn number(&self, buffer: &mut Buffer, x: u16, line: LineIdx, style: Style) {
        if self.skip > 0 {
            return;
        }
        let text = format!(
            "{:>width$}",
            LineNo::from_idx(line),
            width = usize::from(self.columns.digits)
        );
        let room = usize::from(self.app.stream.body.right().saturating_sub(x));
        buffer.set_stringn(x, self.area.y, text, room, style);
    }
}
