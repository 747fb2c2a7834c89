//! One row of the stream.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::cell::Cell;
use super::{fill_line, put};
use crate::review::{Decision, HunkId, Layout, Row, Side};
use crate::text::LineIdx;
use crate::ui::app::App;
use crate::ui::highlight::Half;
use crate::ui::screen::Columns;

/// One row of the stream and where it is drawn.
pub(super) struct RowView<'a> {
    pub(super) app: &'a App,
    pub(super) columns: Columns,
    pub(super) idx: usize,
    pub(super) row: Row,
    pub(super) area: Rect,
    /// Screen lines of the row that are above the area.
    pub(super) skip: usize,
}

impl RowView<'_> {
    pub(super) fn draw(&self, buffer: &mut Buffer) {
        match self.row {
            Row::File { file } => self.file(buffer, file),
            Row::Note { .. } | Row::Comment { .. } | Row::Problem { .. } => self.prose(buffer),
            Row::Hunk { id } => self.hunk(buffer, id),
            Row::Context { file, old, new } => self.context(buffer, file, old, new),
            Row::Change {
                id,
                line,
                side,
                old,
                new,
            } => self.change(buffer, (id, line), side, old, new),
            Row::Fold { start, end, .. } => self.fold(buffer, end - start),
            Row::Gap { .. } => (),
        }
        self.divider(buffer);
        if self.is_cursor() {
            let here = Position {
                x: self.area.x,
                y: self.area.y,
            };
            put(
                buffer,
                here,
                self.app.look.signs.here,
                self.app.look.theme.key,
            );
        }
    }

    fn is_cursor(&self) -> bool {
        self.idx == self.app.stream.cursor
    }

    /// What lies over the row's own style: the cursor's line, or the selection. Of a line of text the cursor takes the numbers
    /// only: what the text is stays to be seen, and a step of the cursor writes little.
    pub(super) fn over(&self) -> Style {
        self.selection().unwrap_or(if self.is_cursor() {
            self.app.look.theme.cursor
        } else {
            Style::new()
        })
    }

    /// What lies over a selected row.
    pub(super) fn selection(&self) -> Option<Style> {
        let selected = self.app.selected()?;
        selected
            .contains(&self.idx)
            .then_some(self.app.look.theme.selected)
    }

    fn fold(&self, buffer: &mut Buffer, lines: usize) {
        let theme = &self.app.look.theme;
        let indent = usize::from(self.columns.old.text - self.area.x);
        let text = format!(
            "{}{} {lines} unchanged",
            " ".repeat(indent),
            self.app.look.signs.fold
        );
        fill_line(
            buffer,
            self.area,
            &[Span::styled(text, theme.quiet)],
            (" ", Style::new()),
        );
        buffer.set_style(self.area, self.over());
    }

    fn context(&self, buffer: &mut Buffer, file: usize, old: LineIdx, new: LineIdx) {
        let review = &self.app.session.files[file];
        let quiet = self.app.look.theme.quiet;
        let cell = |document, half, line| Cell {
            document,
            half,
            line,
            base: Style::new(),
            sign: (" ", quiet),
            beside: None,
            mark: None,
            words: &[],
        };
        let right = cell(review.yours(), Half::Proposed, new);
        match self.columns.layout {
            Layout::Split => {
                self.cell(
                    buffer,
                    self.columns.old,
                    &cell(&review.base, Half::Base, old),
                );
                self.cell(buffer, self.columns.new, &right);
            }
            Layout::Unified => {
                self.cell(buffer, self.columns.new, &right);
                self.number(
                    buffer,
                    self.columns.new.mark + 1,
                    old,
                    quiet.patch(self.over()),
                );
            }
        }
    }

    fn change(
        &self,
        buffer: &mut Buffer,
        (id, line): (HunkId, usize),
        side: Side,
        old: Option<LineIdx>,
        new: Option<LineIdx>,
    ) {
        let app = self.app;
        let review = &app.session.files[id.file];
        let theme = &app.look.theme;
        let marks = review.hunks[id.hunk]
            .state
            .marks
            .get(line)
            .copied()
            .unwrap_or_default();
        let words = app.emphasis.line(id, line).filter(|_| app.look.words);
        let signs = &app.look.signs;
        let moved = |side| app.moves.is_moved((id, line), side);
        if let Some(old) = old {
            let (style, moved) = (&theme.removed, moved(Side::Old));
            let over = if moved {
                theme.moved.line
            } else {
                Style::new()
            };
            let words = words.filter(|_| !moved);
            self.cell(
                buffer,
                self.columns.old,
                &Cell {
                    document: &review.base,
                    half: Half::Base,
                    line: old,
                    base: style.line.patch(over),
                    sign: (signs.minus, style.sign.patch(over)),
                    beside: moved.then_some((signs.moved_away, theme.moved.sign)),
                    mark: Some(marks.removed),
                    words: words.map_or(&[], |(old, _)| old),
                },
            );
        }
        if let Some(new) = new {
            let (style, moved) = (&theme.added, moved(Side::New));
            let over = if moved {
                theme.moved.line
            } else {
                Style::new()
            };
            let words = words.filter(|_| !moved);
            let dim = if marks.added == Decision::Rejected {
                Modifier::DIM
            } else {
                Modifier::empty()
            };
            self.cell(
                buffer,
                self.columns.new,
                &Cell {
                    document: review.yours(),
                    half: Half::Proposed,
                    line: new,
                    base: style.line.patch(over).add_modifier(dim),
                    sign: ("+", style.sign.patch(over)),
                    beside: moved.then_some((signs.moved_here, theme.moved.sign)),
                    mark: Some(marks.added),
                    words: words.map_or(&[], |(_, new)| new),
                },
            );
        }
        if self.columns.layout == Layout::Split && side != Side::Both {
            let missing = if old.is_none() {
                self.columns.old
            } else {
                self.columns.new
            };
            let absent = theme.added.absent;
            let part = |from: u16, to: u16| Rect {
                x: from,
                width: to - from,
                ..self.area
            };
            let end = missing.text + missing.width;
            let selected = self.selection().unwrap_or_default();
            buffer.set_style(part(missing.text, end), absent.patch(selected));
            buffer.set_style(part(missing.mark, missing.text), absent.patch(self.over()));
        }
    }

    /// The line between base and right side.
    fn divider(&self, buffer: &mut Buffer) {
        let lines = matches!(self.row, Row::Context { .. } | Row::Change { .. });
        if let Some(x) = self.columns.divider.filter(|_| lines) {
            for y in self.area.y..self.area.bottom() {
                put(
                    buffer,
                    Position { x, y },
                    self.app.look.signs.vertical,
                    self.app.look.theme.border,
                );
            }
        }
    }
}
