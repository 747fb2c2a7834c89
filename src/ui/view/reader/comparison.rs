//! A hunk in three texts: side by side, or one at a time where there is no room.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::plain_line::{indented, plain};
use crate::review::{OldLine, TextsRow};
use crate::text::LineNo;
use crate::ui::state::app::App;
use crate::ui::state::reader::{Comparison, Reader};
use crate::ui::view::cells::{fill_line, put, write};

/// Minimum width for three columns.
const THREE_FROM: u16 = 150;
/// Titles of the three versions.
const TEXTS: [&str; 3] = ["as the file is", "as proposed", "as edited"];
/// Title of the first version of a hunk without a place.
const EXPECTED: &str = "as the edit expects";

fn titles(comparison: &Comparison) -> [&'static str; 3] {
    let [file, proposed, edited] = TEXTS;
    if comparison.is_without_place {
        [EXPECTED, proposed, edited]
    } else {
        [file, proposed, edited]
    }
}

/// Draws the titles of the texts: each over its column, or all of them with the shown one marked.
pub(crate) fn head(buffer: &mut Buffer, row: Rect, app: &App, comparison: &Comparison) {
    let theme = &app.display.theme;
    if row.width < THREE_FROM {
        let titles = titles(comparison)
            .into_iter()
            .enumerate()
            .map(|(nth, title)| {
                let (sign, style) = if nth == comparison.shown {
                    (app.display.signs.here, theme.strong)
                } else {
                    (" ", theme.quiet)
                };
                Span::styled(format!("{sign}{title}  "), style)
            });
        let titles: Vec<Span> = titles.collect();
        return fill_line(buffer, row, &titles, (" ", Style::new()));
    }
    for (nth, column) in columns(row, comparison) {
        let name = Span::styled(
            format!(" {}", titles(comparison)[nth]),
            app.display.theme.strong,
        );
        fill_line(buffer, column, &[name], (" ", Style::new()));
    }
}

/// Draws a row of it.
pub(crate) fn draw(
    buffer: &mut Buffer,
    row: Rect,
    app: &App,
    reader: &Reader,
    comparison: &Comparison,
    idx: usize,
) {
    let theme = &app.display.theme;
    let compared = &comparison.rows[idx];
    let texts = compared.texts();
    let differ = texts.iter().any(|text| *text != texts[0]);
    for (at, (nth, column)) in columns(row, comparison).enumerate() {
        let style = match (nth, texts[nth]) {
            (_, None) => theme.added.absent,
            (0, Some(_)) if differ => theme.removed.line,
            (_, text) if text != texts[0] => theme.added.line,
            _ => Style::new(),
        };
        buffer.set_style(column, style);
        if let (OldLine::InFile { at: line, .. }, 0) = (&compared.base, nth) {
            let number = format!("{:>5} ", LineNo::from_idx(*line));
            buffer.set_stringn(column.x, column.y, number, column.width.into(), theme.quiet);
        }
        let is_empty = |row: &TextsRow| row.texts()[nth].is_none();
        if let Some(text) = texts[nth] {
            plain(buffer, indented(column, 6), app, reader, text, style);
        } else if idx == reader.top && comparison.rows.iter().all(is_empty) {
            let words = [Span::styled("no lines", theme.quiet)];
            write(buffer, indented(column, 6), &words);
        }
        if at > 0 {
            let apart = Position {
                x: column.x.saturating_sub(1),
                y: row.y,
            };
            put(buffer, apart, app.display.signs.vertical, theme.border);
        }
    }
}

/// The texts that there is room for, by their positions, and the column of each.
fn columns(area: Rect, comparison: &Comparison) -> impl Iterator<Item = (usize, Rect)> {
    let side_by_side = area.width >= THREE_FROM;
    let texts = if side_by_side {
        0..TEXTS.len()
    } else {
        comparison.shown..comparison.shown + 1
    };
    texts.zip(0_u16..).map(move |(nth, at)| {
        let column = if side_by_side {
            let width = area.width / 3;
            Rect {
                x: area.x + width * at,
                // The line between it and the next one.
                width: width - u16::from(at < 2),
                ..area
            }
        } else {
            area
        };
        (nth, column)
    })
}
