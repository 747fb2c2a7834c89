//! A line being filled in: what it is for, and as much of the text as keeps the text cursor in sight.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::fill_line;
use crate::ui::editor::Editor;
use crate::ui::glyphs;

/// Draws an input field with a label, and returns the position of the text cursor.
pub(crate) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    label: &str,
    editor: &Editor,
    (of_label, ground): (Style, Style),
) -> Position {
    let text = editor.text();
    let column = glyphs::column_of(&text, editor.caret().byte);
    let room = usize::from(area.width).saturating_sub(label.len() + 1);
    let from = (column + 1).saturating_sub(room);
    let shown: String = glyphs::glyphs_from(&text, from)
        .map(|glyph| glyph.text.into_owned())
        .collect();
    let pieces = [Span::styled(label, of_label), Span::raw(shown)];
    fill_line(buffer, area, &pieces, (" ", ground));
    let x = u16::try_from(label.len() + column - from).unwrap_or(u16::MAX);
    Position {
        x: area.x.saturating_add(x).min(area.right().saturating_sub(1)),
        y: area.y,
    }
}
