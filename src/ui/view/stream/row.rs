//! One row of the stream.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::cell::Cell;
use super::row_view::RowView;
use crate::review::{
    ChangeFold, Decision, Direction, HunkId, Layout, LineId, LineMarks, Row, Side,
};
use crate::text::{LineIdx, plural};
use crate::ui::highlight::Half;
use crate::ui::layout::areas::Column;
use crate::ui::view::cells::{fill_line, put};

impl RowView<'_> {
    pub(crate) fn draw(&self, buffer: &mut Buffer) {
        match self.row {
            Row::File { file, .. } => self.file(buffer, file),
            Row::Purpose { purpose, .. } => self.purpose(buffer, purpose),
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
            Row::Fold { start, end, .. } => {
                self.folded(buffer, &format!("{} unchanged", end - start));
            }
            Row::FoldedChange {
                id,
                start,
                end,
                side,
                old,
                new,
                fold,
                ..
            } => {
                let signs = &self.app.display.signs;
                let counts = [(signs.minus, old.count), ("+", new.count)];
                match fold {
                    ChangeFold::Moved => {
                        self.moved(buffer, id, start..end, side);
                    }
                    ChangeFold::AcceptedBefore => {
                        let words =
                            fold_words(signs.accepted, counts, "as you accepted them before");
                        self.folded(buffer, &words);
                    }
                    ChangeFold::ShownBefore => {
                        let known = "as in the version that you rejected";
                        self.folded(buffer, &fold_words(signs.rejected, counts, known));
                    }
                }
            }
            Row::Elsewhere {
                hunk,
                count,
                direction,
                ..
            } => self.elsewhere(buffer, hunk, count, direction),
            Row::Gap { .. } => (),
        }
        self.divider(buffer);
        if self.is_cursor() {
            let look = &self.app.display;
            put(
                buffer,
                self.area.as_position(),
                look.signs.here,
                look.theme.key,
            );
        }
    }

    fn is_cursor(&self) -> bool {
        self.idx == self.app.stream.cursor
    }

    /// Returns the style over the row: cursor or selection. For lines of text the cursor covers only the
    /// numbers, which keeps the colours of the text and writes few bytes.
    pub(crate) fn over(&self) -> Style {
        self.selection().unwrap_or(if self.is_cursor() {
            self.app.display.theme.cursor
        } else {
            Style::new()
        })
    }

    /// Returns the style over a selected row.
    pub(crate) fn selection(&self) -> Option<Style> {
        let selected = self.app.selected()?;
        selected
            .contains(&self.idx)
            .then_some(self.app.display.theme.selected)
    }

    /// Counts folded lines that were moved, and names their other end.
    fn moved(&self, buffer: &mut Buffer, id: HunkId, lines: Range<usize>, side: Side) {
        let (moved, count) = (&self.app.moved_lines, lines.len());
        let words = moved.words(&self.app.session, (id, lines.start), side);
        // Empty lines among them have no indentation.
        let mut lines = lines;
        let how = if lines.any(|line| moved.known().is_reindented((id, line), side)) {
            "indented otherwise"
        } else {
            "unchanged"
        };
        let words = words.unwrap_or_else(|| "moved".to_owned());
        self.folded(buffer, &format!("{} {words}, {how}", plural(count, "line")));
    }

    /// Names hunks that are in other parts of the file.
    fn elsewhere(&self, buffer: &mut Buffer, hunk: usize, count: usize, direction: Direction) {
        let review = &self.app.session.files[self.row.file()];
        let (number, _) = review.number_of(hunk);
        let hunks = match count {
            1 => format!("hunk {number}"),
            count => plural(count, "hunk"),
        };
        let place = match direction {
            Direction::Forward => "further down",
            Direction::Backward => "further up",
        };
        self.folded(buffer, &format!("{hunks} {place}"));
    }

    fn folded(&self, buffer: &mut Buffer, words: &str) {
        let look = &self.app.display;
        let indent = " ".repeat(usize::from(self.columns.old.text - self.area.x));
        let text = format!("{indent}{} {words}", look.signs.fold);
        let pieces = [Span::styled(text, look.theme.quiet)];
        fill_line(buffer, self.area, &pieces, (" ", Style::new()));
        buffer.set_style(self.area, self.over());
    }

    fn context(&self, buffer: &mut Buffer, file: usize, old: LineIdx, new: LineIdx) {
        let review = &self.app.session.files[file];
        let quiet = self.app.display.theme.quiet;
        let right = Cell {
            document: review.yours(),
            half: Half::Proposed,
            line: new,
            base: Style::new(),
            sign: (" ", quiet),
            beside: None,
            mark: None,
            words: &[],
            blanks: &[],
        };
        match self.columns.layout {
            Layout::Split => {
                let left = Cell {
                    document: &review.base,
                    half: Half::Base,
                    line: old,
                    ..right
                };
                self.cell(buffer, self.columns.old, &left);
                self.cell(buffer, self.columns.new, &right);
            }
            Layout::Unified => {
                self.cell(buffer, self.columns.new, &right);
                let at = self.columns.new.mark + 1;
                self.number(buffer, at, old, quiet.patch(self.over()));
            }
        }
    }

    fn change(
        &self,
        buffer: &mut Buffer,
        change: LineId,
        side: Side,
        old: Option<LineIdx>,
        new: Option<LineIdx>,
    ) {
        if let Some(old) = old {
            self.cell(buffer, self.columns.old, &self.going(change, old));
        }
        if let Some(new) = new {
            self.cell(buffer, self.columns.new, &self.coming(change, new));
        }
        if self.columns.layout == Layout::Split && side != Side::Both {
            let missing = if old.is_none() {
                self.columns.old
            } else {
                self.columns.new
            };
            self.absent(buffer, missing);
        }
    }

    /// The base line that goes by a change.
    fn going(&self, change: LineId, line: LineIdx) -> Cell<'_> {
        let (app, look) = (self.app, &self.app.display);
        let over = self.over_moved(change, Side::Old).unwrap_or_default();
        let words = self.emphasised_words(change, Side::Old);
        Cell {
            document: &app.session.files[change.0.file].base,
            half: Half::Base,
            line,
            base: look.theme.removed.line.patch(over),
            sign: (look.signs.minus, look.theme.removed.sign.patch(over)),
            beside: self
                .is_moved(change, Side::Old)
                .then_some((look.signs.moved_away, look.theme.moved.sign)),
            mark: Some(self.marks(change).removed),
            words,
            blanks: self.differing_blanks(change, Side::Old),
        }
    }

    /// The line of the right side that comes by a change.
    fn coming(&self, change: LineId, line: LineIdx) -> Cell<'_> {
        let (app, look) = (self.app, &self.app.display);
        let over = self.over_moved(change, Side::New).unwrap_or_default();
        let words = self.emphasised_words(change, Side::New);
        let mark = self.marks(change).added;
        let dim = if mark == Decision::Rejected {
            Modifier::DIM
        } else {
            Modifier::empty()
        };
        Cell {
            document: app.session.files[change.0.file].yours(),
            half: Half::Proposed,
            line,
            base: look.theme.added.line.patch(over).add_modifier(dim),
            sign: ("+", look.theme.added.sign.patch(over)),
            beside: self.beside_added(change),
            mark: Some(mark),
            words,
            blanks: self.differing_blanks(change, Side::New),
        }
    }

    /// Returns the sign beside an added line: moved here, or new since an earlier version was rejected.
    fn beside_added(&self, (id, line): LineId) -> Option<(&'static str, Style)> {
        let look = &self.app.display;
        let hunk = self.app.session.hunk(id)?;
        if hunk.is_new_since_rejected(line) {
            return Some((look.signs.new_since, look.theme.attention));
        }
        let is_moved = self.is_moved((id, line), Side::New);
        is_moved.then_some((look.signs.moved_here, look.theme.moved.sign))
    }

    /// Returns the words of one side of a changed line that the side it is compared with lacks, if words are emphasised there.
    fn emphasised_words(&self, (id, line): LineId, side: Side) -> &[Range<usize>] {
        let app = self.app;
        let is_apart = app.stream.folds.is_apart(id, line);
        if !app.display.words || is_apart || self.over_moved((id, line), side).is_some() {
            return &[];
        }
        app.changed_words.words((id, line), side)
    }

    /// Returns the blanks of one side of a changed line that the side it is compared with lacks.
    fn differing_blanks(&self, (id, line): LineId, side: Side) -> &[Range<usize>] {
        let app = self.app;
        if app.stream.folds.is_apart(id, line) || self.over_moved((id, line), side).is_some() {
            return &[];
        }
        app.changed_words.blanks((id, line), side)
    }

    /// Returns true if one side of a changed line was moved, or changed inside of a moved block.
    fn is_moved(&self, change: LineId, side: Side) -> bool {
        let moved = &self.app.moved_lines;
        moved.is_moved(change, side) || moved.known().edited(change, side).is_some()
    }

    /// Returns the style over a moved line.
    pub(crate) fn over_moved(&self, change: LineId, side: Side) -> Option<Style> {
        let is_moved = self.app.moved_lines.is_moved(change, side);
        is_moved.then_some(self.app.display.theme.moved.line)
    }

    /// Returns the decisions on both sides of a changed line.
    fn marks(&self, (id, line): LineId) -> LineMarks {
        let hunk = &self.app.session.files[id.file].hunks[id.hunk];
        hunk.state.marks.get(line).copied().unwrap_or_default()
    }

    /// Draws the side that a changed line lacks.
    fn absent(&self, buffer: &mut Buffer, column: Column) {
        let absent = self.app.display.theme.added.absent;
        let text = Rect {
            x: column.text,
            width: column.width,
            ..self.area
        };
        let gutter = Rect {
            x: column.mark,
            width: column.text - column.mark,
            ..self.area
        };
        let selected = self.selection().unwrap_or_default();
        buffer.set_style(text, absent.patch(selected));
        buffer.set_style(gutter, absent.patch(self.over()));
    }

    /// The line between base and right side.
    fn divider(&self, buffer: &mut Buffer) {
        let lines = matches!(self.row, Row::Context { .. } | Row::Change { .. });
        let look = &self.app.display;
        if let Some(x) = self.columns.divider.filter(|_| lines) {
            for y in self.area.y..self.area.bottom() {
                let at = Position { x, y };
                put(buffer, at, look.signs.vertical, look.theme.border);
            }
        }
    }
}

/// Describes folded lines about which there is a decision: its sign, and how many lines a hunk removes and adds there.
fn fold_words(decision: &str, [removed, added]: [(&str, usize); 2], known: &str) -> String {
    let counts = [added, removed].into_iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(sign, count)| format!("{sign}{count}"))
        .collect();
    format!("{decision} {} {known}", counts.join(" "))
}
