//! The rows of the stream that are no lines of a file: heads and notes.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Span;

use super::row::RowView;
use super::{at_right, fill_line, fit, marks};
use crate::review::{FileKind, HunkId, NoteKind, Subject, notes, said_of};
use crate::ui::headline::{Tone, placement};

impl RowView<'_> {
    pub(super) fn file(&self, buffer: &mut Buffer, file: usize) {
        let app = self.app;
        let theme = &app.look.theme;
        let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
        let base = theme.file.patch(self.over());
        buffer.set_style(self.area, base);
        let (sign, style) = marks::file(&app.look, summary);
        let mut pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::raw(" "),
            Span::styled(
                fit::start(&self.app.look, &review.path, self.area.width.into()),
                theme.strong,
            ),
        ];
        match &review.kind {
            FileKind::Modified => (),
            FileKind::Created => pieces.push(Span::styled("  new", theme.accepted)),
            FileKind::Deleted => pieces.push(Span::styled("  deleted", theme.rejected)),
            FileKind::Renamed { to } => {
                let name = fit::start(&self.app.look, to, self.area.width.into());
                pieces.push(Span::styled(
                    format!("  {} {name}", app.look.signs.becomes),
                    theme.edited,
                ));
            }
            FileKind::Copied { from, .. } => {
                let name = fit::start(&self.app.look, from, self.area.width.into());
                pieces.push(Span::styled(format!("  copy of {name}"), theme.accepted));
            }
        }
        let lines = marks::counts(&app.look, summary.added, summary.removed);
        if !lines.is_empty() {
            pieces.push(Span::raw("  "));
            pieces.extend(lines);
        }
        pieces.extend(self.comment(review.comment.as_deref()));
        if let Some(call) = &review.call {
            let words = format!("  {} {}", app.look.signs.dot, call.agent);
            pieces.push(Span::styled(words, theme.quiet));
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

    pub(super) fn hunk(&self, buffer: &mut Buffer, id: HunkId) {
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
        for (words, tone) in placement(&app.session, id) {
            pieces.push(Span::styled(format!(" {dot} "), theme.quiet));
            let style = match tone {
                Tone::Plain => theme.text,
                Tone::Quiet => theme.quiet,
                Tone::Loose => theme.attention,
                Tone::OwnWork => theme.edited,
            };
            pieces.push(Span::styled(words, style));
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
        pieces.extend(self.comment(review.state.comment.as_deref()));
        pieces.push(Span::raw(" "));
        fill_line(buffer, self.area, pieces, (rule, theme.border));
        buffer.set_style(self.area, self.over());
    }

    pub(super) fn note(&self, buffer: &mut Buffer, file: usize, hunk: Option<usize>, line: usize) {
        let theme = &self.app.look.theme;
        let notes = notes(&self.app.session.files[file], hunk);
        let Some(note) = notes.get(line) else {
            return;
        };
        let (sign, style, ground) = match note.kind {
            NoteKind::Headline => (self.app.look.signs.attention, theme.attention, Style::new()),
            NoteKind::Detail => (" ", theme.text, Style::new()),
            NoteKind::Found => (" ", theme.removed.sign, theme.removed.line),
            NoteKind::Expected => (" ", theme.added.sign, theme.added.line),
            NoteKind::Quiet => (self.app.look.signs.applied, theme.quiet, Style::new()),
        };
        buffer.set_style(self.area, ground);
        let text = fit::start(
            &self.app.look,
            &note.text,
            usize::from(self.area.width).saturating_sub(4),
        );
        let pieces = vec![
            Span::raw(" "),
            Span::styled(sign, style),
            Span::raw(" "),
            Span::styled(text, style),
        ];
        fill_line(buffer, self.area, pieces, (" ", ground));
        buffer.set_style(self.area, self.over());
    }

    /// The sign that the person says something.
    fn comment(&self, comment: Option<&str>) -> Option<Span<'static>> {
        let look = &self.app.look;
        comment.map(|_| Span::styled(format!("  {}", look.signs.comment), look.theme.comment))
    }

    /// A line of what the person says.
    pub(super) fn remark(&self, buffer: &mut Buffer, file: usize, about: Subject, line: usize) {
        let look = &self.app.look;
        let said = said_of(&self.app.session, file, about);
        let text = said
            .and_then(|said| said.lines().nth(line))
            .unwrap_or_default();
        let indent = match about {
            Subject::Batch | Subject::File => 1,
            Subject::Hunk(_) => 3,
            Subject::Lines { .. } => usize::from(self.columns.new.sign.saturating_sub(self.area.x)),
        };
        let sign = if line == 0 { look.signs.comment } else { " " };
        let room = usize::from(self.area.width).saturating_sub(indent + 3);
        let text = fit::start(look, text, room);
        let text = format!("{}{sign} {text}", " ".repeat(indent));
        let pieces = vec![Span::styled(text, look.theme.comment)];
        fill_line(buffer, self.area, pieces, (" ", Style::new()));
        buffer.set_style(self.area, self.over());
    }

    /// A part of the input that could not be read.
    pub(super) fn problem(&self, buffer: &mut Buffer, problem: usize) {
        let look = &self.app.look;
        let Some(problem) = self.app.session.problems.get(problem) else {
            return;
        };
        let path = problem.path.as_ref().map(|path| format!("{path}: "));
        let text = format!("{}input {problem}", path.unwrap_or_default());
        let text = fit::start(look, &text, usize::from(self.area.width).saturating_sub(4));
        let pieces = vec![Span::styled(
            format!(" {} {text}", look.signs.attention),
            look.theme.attention,
        )];
        fill_line(buffer, self.area, pieces, (" ", Style::new()));
        buffer.set_style(self.area, self.over());
    }
}
