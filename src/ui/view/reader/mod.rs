//! Draws the full-screen reader.

mod comparison;
mod plain_line;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::{at_right, fill_line, put};
use super::text_line::{LinePart, TextLine};
use super::truncate;
use crate::text::LineNo;
use crate::ui::highlight::{Half, SyntaxReport, TextSource};
use crate::ui::state::app::App;
use crate::ui::state::reader::{FileResult, PlanKind, Reader, ReaderContent};
use plain_line::{found, indented, plain};

pub(crate) fn draw(buffer: &mut Buffer, area: Rect, app: &App) {
    let Some(reader) = &app.reader else {
        return;
    };
    title(buffer, area, app, reader);
    let body = body(area, app);
    if let ReaderContent::Result(FileResult {
        judgement: Some(judgement),
        ..
    }) = &reader.what
        && judgement.is_worse()
    {
        let row = line_of(area, 1);
        fault(buffer, row, app, judgement);
    }
    if let ReaderContent::Compare(comparison) = &reader.what {
        comparison::head(buffer, line_of(area, 1), app, comparison);
        if let Some(words) = &comparison.note {
            warning(buffer, line_of(area, 2), app, words);
        }
    }
    if reader.is_empty() {
        let words = [Span::styled(" no lines", app.display.theme.quiet)];
        fill_line(buffer, line_of(body, 0), &words, (" ", Style::new()));
    }
    for (idx, row) in (reader.top..reader.len()).zip(body.rows()) {
        match &reader.what {
            ReaderContent::Result(result) => draw_line(buffer, row, app, reader, result, idx),
            ReaderContent::Plan(plan) => {
                if let Some((text, kind)) = plan.row(idx) {
                    draw_plan(buffer, row, app, reader, &text, kind);
                }
            }
            ReaderContent::Compare(comparison) => {
                comparison::draw(buffer, row, app, reader, comparison, idx);
            }
        }
    }
}

/// The rows below the title.
pub(crate) fn body(area: Rect, app: &App) -> Rect {
    let head = app.reader.as_ref().map_or(0, Reader::head);
    let head = u16::try_from(head).unwrap_or(1).min(area.height);
    Rect {
        y: area.y + head,
        height: area.height - head,
        ..area
    }
}

fn line_of(area: Rect, line: u16) -> Rect {
    Rect {
        y: (area.y + line).min(area.bottom().saturating_sub(1)),
        height: 1.min(area.height),
        ..area
    }
}

fn title(buffer: &mut Buffer, area: Rect, app: &App, reader: &Reader) {
    let theme = &app.display.theme;
    let rule = (app.display.signs.horizontal, theme.border);
    let row = line_of(area, 0);
    let (name, more) = match &reader.what {
        ReaderContent::Result(result) => {
            let file = &app.session.files[result.file];
            (file.path.clone(), result.fate.to_owned())
        }
        ReaderContent::Plan(_) => ("Plan".to_owned(), "of what would be written".to_owned()),
        ReaderContent::Compare(comparison) => {
            let id = comparison.hunk;
            let (number, _) = app.session.files[id.file].number_of(id.hunk);
            (
                app.session.files[id.file].path.clone(),
                format!("hunk {number} in three texts"),
            )
        }
    };
    let room = usize::from(row.width).saturating_sub(8 + more.len());
    let pieces = vec![
        Span::styled(rule.0.repeat(2), theme.border),
        Span::styled(
            format!(" {} ", truncate::end(&app.display, &name, room)),
            theme.strong,
        ),
        Span::styled(format!("{more} "), theme.quiet),
    ];
    fill_line(buffer, row, &pieces, rule);
    let last = reader.top + usize::from(area.height);
    let percent = last.min(reader.len()) * 100 / reader.len().max(1);
    let place = vec![Span::styled(format!(" {percent} % "), theme.quiet)];
    at_right(buffer, row, &place, 40);
}

/// Draws the first fault that the result has and the file has not.
fn fault(buffer: &mut Buffer, row: Rect, app: &App, judgement: &SyntaxReport) {
    let first = judgement.result.first();
    let told = first.map(|fault| format!("line {}: {}", fault.line, fault.what));
    let rest = match judgement.result.len().saturating_sub(1) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    let whole = if judgement.whole <= judgement.before {
        "; accepting all hunks fixes it"
    } else {
        ""
    };
    let words = format!(
        "new syntax error: {}{rest}{whole}",
        told.unwrap_or_default()
    );
    warning(buffer, row, app, &words);
}

/// Draws a warning above what is read.
fn warning(buffer: &mut Buffer, row: Rect, app: &App, words: &str) {
    let theme = &app.display.theme;
    let text = format!(" {} {words}", app.display.signs.attention);
    let text = truncate::start(&app.display, &text, row.width.into());
    let pieces = [Span::styled(text, theme.attention)];
    fill_line(buffer, row, &pieces, (" ", Style::new()));
}

fn draw_line(
    buffer: &mut Buffer,
    row: Rect,
    app: &App,
    reader: &Reader,
    result: &FileResult,
    idx: usize,
) {
    let theme = &app.display.theme;
    let digits = result.text.len().max(999).ilog10() + 1;
    let gutter = u16::try_from(digits).unwrap_or(9) + 4;
    let added = result.added.iter().any(|lines| lines.contains(&idx));
    let mark = if result.is_deleted {
        Some((app.display.signs.minus, &theme.removed))
    } else {
        added.then_some(("+", &theme.added))
    };
    let base = mark.map_or(Style::new(), |(_, side)| side.line);
    buffer.set_style(row, base);
    let number = format!(
        " {:>width$}",
        LineNo::from_idx(idx),
        width = usize::try_from(digits).unwrap_or(9)
    );
    let style = mark.map_or(theme.quiet, |(_, side)| side.sign);
    buffer.set_stringn(row.x, row.y, number, row.width.into(), style);
    if let Some((sign, side)) = mark {
        let x = row.x + gutter - 2;
        put(buffer, Position { x, y: row.y }, sign, side.sign);
    }
    let text = result.text.line(idx);
    let source = TextSource {
        file: result.file,
        half: Half::Result,
    };
    let found = found(reader, text);
    let line = TextLine {
        differs: None,
        ruler: None,
        look: &app.display,
        text,
        base,
        tokens: app.tokens.line(source, idx),
        layers: vec![(&found, theme.found)],
        blanks_from: if app.display.blanks { 0 } else { text.len() },
        blanks: &[],
        ending: String::new(),
    };
    line.paint(buffer, indented(row, gutter), LinePart::From(reader.left));
}

fn draw_plan(
    buffer: &mut Buffer,
    row: Rect,
    app: &App,
    reader: &Reader,
    text: &str,
    kind: PlanKind,
) {
    let theme = &app.display.theme;
    let base = match kind {
        PlanKind::Heading => theme.strong,
        PlanKind::Done => theme.accepted,
        PlanKind::Attention => theme.attention,
        PlanKind::Plain => theme.text,
        PlanKind::Quiet => theme.quiet,
    };
    plain(buffer, indented(row, 1), app, reader, text, base);
}
