//! One row of the stream.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::super::app::App;
use super::super::highlight::{Half, Source};
use super::super::mode::Mode;
use super::super::screen::{Column, Columns};
use super::super::stream::LongLines;
use super::line::{Part, TextLine};
use super::{at_right, cut, fill_line, marks, put};
use crate::review::{Decision, FileKind, HunkId, Layout, NoteKind, Row, Side, Step, notes};
use crate::text::{Document, Ending, LineIdx, LineNo};

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

/// One side of a row that shows a line.
struct Cell<'a> {
    document: &'a Document,
    half: Half,
    line: LineIdx,
    base: Style,
    sign: (&'a str, Style),
    mark: Option<Decision>,
    words: &'a [Range<usize>],
}

impl RowView<'_> {
    pub(super) fn draw(&self, buffer: &mut Buffer) {
        match self.row {
            Row::File { file } => self.file(buffer, file),
            Row::Note { file, hunk, line } => self.note(buffer, file, hunk, line),
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

    /// What lies over the row's own style: the cursor's line, or the selection.
    fn over(&self) -> Style {
        let theme = &self.app.look.theme;
        let here = self.app.stream.cursor;
        match self.app.mode {
            Mode::Lines { from } if (from.min(here)..=from.max(here)).contains(&self.idx) => {
                theme.selected
            }
            Mode::Review
            | Mode::Lines { .. }
            | Mode::Batch
            | Mode::Edit(_)
            | Mode::Prompt(_)
            | Mode::Question(_)
            | Mode::Finish
            | Mode::Help { .. } => {
                if self.is_cursor() {
                    theme.cursor
                } else {
                    Style::new()
                }
            }
        }
    }

    fn file(&self, buffer: &mut Buffer, file: usize) {
        let app = self.app;
        let theme = &app.look.theme;
        let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
        let base = theme.file.patch(self.over());
        buffer.set_style(self.area, base);
        let (sign, style) = marks::mark(&app.look, summary.mark);
        let mut pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::raw(" "),
            Span::styled(cut(&review.path, self.area.width.into()), theme.strong),
        ];
        match &review.kind {
            FileKind::Modified => (),
            FileKind::Created => pieces.push(Span::styled("  new", theme.accepted)),
            FileKind::Deleted => pieces.push(Span::styled("  deleted", theme.rejected)),
            FileKind::Renamed { to } => {
                pieces.push(Span::styled(format!("  → {to}"), theme.edited))
            }
        }
        let lines = marks::counts(&app.look, summary.added, summary.removed);
        if !lines.is_empty() {
            pieces.push(Span::raw("  "));
            pieces.extend(lines);
        }
        if let Some(comment) = &review.comment {
            pieces.push(Span::styled(
                format!("  {} {}", app.look.signs.comment, cut(comment, 60)),
                theme.comment,
            ));
        }
        fill_line(buffer, self.area, pieces, (" ", base));
        if app.stream.folds.closed.contains(&file) {
            at_right(
                buffer,
                self.area,
                vec![Span::styled("closed ", theme.quiet)],
                30,
            );
        }
        buffer.set_style(self.area, self.over());
    }

    fn note(&self, buffer: &mut Buffer, file: usize, hunk: Option<usize>, line: usize) {
        let theme = &self.app.look.theme;
        let notes = notes(&self.app.session.files[file], hunk);
        let Some(note) = notes.get(line) else {
            return;
        };
        let (sign, style) = match note.kind {
            NoteKind::Headline => (self.app.look.signs.attention, theme.attention),
            NoteKind::Detail => (" ", theme.text),
            NoteKind::Found => (" ", theme.removed.sign),
            NoteKind::Expected => (" ", theme.added.sign),
            NoteKind::Quiet => (self.app.look.signs.applied, theme.quiet),
        };
        let text = cut(&note.text, usize::from(self.area.width).saturating_sub(4));
        let pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::raw(" "),
            Span::styled(text, style),
        ];
        fill_line(buffer, self.area, pieces, (" ", Style::new()));
        buffer.set_style(self.area, self.over());
    }

    fn hunk(&self, buffer: &mut Buffer, id: HunkId) {
        let app = self.app;
        let theme = &app.look.theme;
        let Some(review) = app.session.hunk(id) else {
            return;
        };
        let summary = app.summaries.hunk(id);
        let (sign, style) = marks::mark(&app.look, summary.mark);
        let dot = app.look.signs.dot;
        let rule = app.look.signs.horizontal;
        let count = app.session.files[id.file].hunks.len();
        let mut pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::styled(format!(" {} ", rule.repeat(2)), theme.border),
            Span::styled(format!("hunk {}/{count}", summary.rank), theme.hunk),
        ];
        for words in self.placement(id) {
            pieces.push(Span::styled(format!(" {dot} "), theme.quiet));
            pieces.push(words);
        }
        let lines = marks::counts(&app.look, summary.added, summary.removed);
        if !lines.is_empty() {
            pieces.push(Span::raw("  "));
            pieces.extend(lines);
        }
        if review.state.edited {
            pieces.push(Span::styled(
                format!("  {} edited", app.look.signs.edited),
                theme.edited,
            ));
        }
        if let Some(comment) = &review.state.comment {
            let first = comment.lines().next().unwrap_or_default();
            pieces.push(Span::styled(
                format!("  {} {}", app.look.signs.comment, cut(first, 80)),
                theme.comment,
            ));
        }
        pieces.push(Span::raw(" "));
        fill_line(buffer, self.area, pieces, (rule, theme.border));
        buffer.set_style(self.area, self.over());
    }

    /// Where a hunk was placed and how, as far as it was not simply found where it should be.
    fn placement(&self, id: HunkId) -> Vec<Span<'static>> {
        let theme = &self.app.look.theme;
        let Some(review) = self.app.session.hunk(id) else {
            return Vec::new();
        };
        if let Some(step) = &review.step {
            let words = match step {
                Step::Create => "makes an empty file",
                Step::Delete => "deletes the file",
                Step::Rename => "renames the file",
                Step::Mode { executable: true } => "makes the file executable",
                Step::Mode { executable: false } => "makes the file not executable",
            };
            return vec![Span::styled(words, theme.text)];
        }
        let Some(placement) = review.placement() else {
            return Vec::new();
        };
        let line = LineNo::from_idx(review.first_line());
        let at = match placement.offset {
            Some(offset) if offset != 0 => format!("line {line} ({offset:+})"),
            Some(_) | None => format!("line {line}"),
        };
        let mut pieces = vec![Span::styled(at, theme.quiet)];
        let (rung, confidence) = (placement.rung.name(), placement.confidence.name());
        let loose = !review.is_sure();
        if rung != "exact" {
            let alike = if placement.similarity < 1.0 {
                format!(" {:.0} %", (placement.similarity * 100.0).floor())
            } else {
                String::new()
            };
            pieces.push(Span::styled(
                format!("{rung}{alike}"),
                if loose { theme.attention } else { theme.quiet },
            ));
        }
        if loose {
            pieces.push(Span::styled(confidence, theme.attention));
        }
        pieces
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
            vec![Span::styled(text, theme.quiet)],
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
            base: self.over(),
            sign: (" ", quiet),
            mark: None,
            words: &[],
        };
        let right = cell(&review.yours, Half::Proposed, new);
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
        if let Some(old) = old {
            let style = &theme.removed;
            self.cell(
                buffer,
                self.columns.old,
                &Cell {
                    document: &review.base,
                    half: Half::Base,
                    line: old,
                    base: style.line,
                    sign: (app.look.signs.minus, style.sign),
                    mark: Some(marks.removed),
                    words: words.map_or(&[], |(old, _)| old),
                },
            );
        }
        if let Some(new) = new {
            let style = &theme.added;
            let dim = if marks.added == Decision::Rejected {
                Modifier::DIM
            } else {
                Modifier::empty()
            };
            self.cell(
                buffer,
                self.columns.new,
                &Cell {
                    document: &review.yours,
                    half: Half::Proposed,
                    line: new,
                    base: style.line.add_modifier(dim),
                    sign: ("+", style.sign),
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
            let width = missing.text + missing.width - missing.mark;
            buffer.set_style(
                Rect {
                    x: missing.mark,
                    width,
                    ..self.area
                },
                theme.added.absent.patch(self.over()),
            );
        }
    }

    /// Draws one side of a row: mark, number, sign, text.
    fn cell(&self, buffer: &mut Buffer, column: Column, cell: &Cell) {
        let app = self.app;
        let theme = &app.look.theme;
        let over = self.over();
        let gutter = Rect {
            x: column.mark,
            width: column.text - column.mark,
            ..self.area
        };
        buffer.set_style(gutter, cell.base.patch(over));
        if let Some(decision) = cell.mark {
            let (sign, style) = marks::decision(&app.look, decision);
            put(
                buffer,
                Position {
                    x: column.mark,
                    y: self.area.y,
                },
                sign,
                style,
            );
        }
        let style = if cell.mark.is_some() {
            cell.sign.1
        } else {
            theme.quiet
        };
        let at = match (self.columns.layout, cell.half) {
            (Layout::Split, _) | (Layout::Unified, Half::Base) => column.mark + 1,
            (Layout::Unified, Half::Proposed) => column.mark + 2 + self.columns.digits,
        };
        self.number(buffer, at, cell.line, style.patch(over));
        put(
            buffer,
            Position {
                x: column.sign,
                y: self.area.y,
            },
            cell.sign.0,
            cell.sign.1.patch(over),
        );
        let area = Rect {
            x: column.text,
            width: column.width,
            ..self.area
        }
        .intersection(app.stream.body);
        self.text(buffer, area, cell);
    }

    fn text(&self, buffer: &mut Buffer, area: Rect, cell: &Cell) {
        let app = self.app;
        let theme = &app.look.theme;
        let text = cell.document.line(cell.line);
        let emphasis = match cell.half {
            Half::Base => theme.removed.words,
            Half::Proposed => theme.added.words,
        };
        let found = app.search.matches(text);
        let (selected, caret) = self.typing(cell);
        let selected: Vec<Range<usize>> = selected.into_iter().collect();
        // Over a changed line the cursor's own colour would hide what the line is.
        let changed = cell.mark.is_some() && !matches!(app.mode, Mode::Lines { .. });
        let source = Source {
            file: self.row.file(),
            half: cell.half,
        };
        let line = TextLine {
            look: &app.look,
            text,
            base: if changed {
                cell.base
            } else {
                cell.base.patch(self.over())
            },
            tokens: app.colours.line(source, cell.line),
            layers: vec![
                (cell.words, emphasis),
                (&found, theme.found),
                (&selected, theme.selected),
            ],
            caret,
            blanks_from: self.blanks_from(text, cell),
            ending: self.ending(cell),
        };
        let part = match app.stream.long_lines {
            LongLines::Cut => Part::From(app.stream.left),
            LongLines::Wrap => Part::Wrapped { skip: self.skip },
        };
        line.paint(buffer, area, part);
    }

    /// What is selected of a line being edited, and where the text cursor stands in it.
    fn typing(&self, cell: &Cell) -> (Option<Range<usize>>, Option<usize>) {
        let Some(edit) = self
            .app
            .mode
            .edit()
            .filter(|edit| edit.region.hunk.file == self.row.file())
        else {
            return (None, None);
        };
        let line = cell.line.checked_sub(edit.region.first_new);
        let inside = |line: &usize| *line < edit.editor.lines().len();
        match line.filter(inside) {
            Some(line) if cell.half == Half::Proposed => {
                let caret = edit.editor.caret();
                let selected = edit.editor.selected(line).map(|(range, _)| range);
                (selected, (caret.line == line).then_some(caret.byte))
            }
            Some(_) | None => (None, None),
        }
    }

    /// From which byte on blanks are shown: all if asked for, else those at the end of an added line.
    fn blanks_from(&self, text: &str, cell: &Cell) -> usize {
        if self.app.look.blanks {
            0
        } else if cell.mark.is_some() && cell.half == Half::Proposed {
            text.trim_end_matches([' ', '\t']).len()
        } else {
            text.len()
        }
    }

    /// The sign of a line's ending, where all are shown or where it is what differs.
    fn ending(&self, cell: &Cell) -> &'static str {
        let ending = cell.document.ending(cell.line);
        let other = self.other_ending(cell);
        if !self.app.look.blanks
            && (cell.mark.is_none() || other.is_none_or(|other| other == ending))
        {
            return "";
        }
        match ending {
            Ending::Lf => "␊",
            Ending::CrLf => "␍␊",
            Ending::None => "∅",
        }
    }

    /// The ending of the line on the other side.
    fn other_ending(&self, cell: &Cell) -> Option<Ending> {
        let Row::Change { id, old, new, .. } = self.row else {
            return None;
        };
        let review = &self.app.session.files[id.file];
        match cell.half {
            Half::Base => new.map(|new| review.yours.ending(new)),
            Half::Proposed => old.map(|old| review.base.ending(old)),
        }
    }

    fn number(&self, buffer: &mut Buffer, x: u16, line: LineIdx, style: Style) {
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
