//! Writing signs and text into the cells of the screen.

use std::iter::repeat;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use crate::ui::glyphs;

/// Puts a sign into a cell, if the cell is on the screen.
pub(crate) fn put(buffer: &mut Buffer, at: Position, sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(at) {
        cell.set_symbol(sign).set_style(style);
    }
}

/// Writes pieces from the left into a line, as far as there is room; how many cells they took.
pub(crate) fn write(buffer: &mut Buffer, area: Rect, pieces: &[Span]) -> u16 {
    let mut x = area.x;
    let glyphs = pieces.iter().flat_map(|piece| {
        let glyphs = glyphs::glyphs(&piece.content);
        glyphs.map(|glyph| (glyph, piece.style))
    });
    for (glyph, style) in glyphs {
        let end = x.saturating_add(u16::try_from(glyph.width).unwrap_or(u16::MAX));
        if end > area.right() || area.height == 0 {
            break;
        }
        for (cell, sign) in (x..end).zip([glyph.text.as_ref()].into_iter().chain(repeat(" "))) {
            put(buffer, Position { x: cell, y: area.y }, sign, style);
        }
        x = end;
    }
    x - area.x
}

/// Writes pieces from the left into a line and fills the rest of it with a sign.
pub(crate) fn fill_line(buffer: &mut Buffer, area: Rect, pieces: &[Span], rest: (&str, Style)) {
    let end = area.x + write(buffer, area, pieces);
    for x in end..area.right() {
        put(buffer, Position { x, y: area.y }, rest.0, rest.1);
    }
}

/// Writes pieces flush right into a line, if they leave it `least` cells; what is left of the line.
pub(crate) fn at_right(buffer: &mut Buffer, area: Rect, pieces: &[Span], least: u16) -> Rect {
    let width = pieces.iter().map(|piece| glyphs::width(&piece.content));
    let width = u16::try_from(width.sum::<usize>()).unwrap_or(u16::MAX);
    if width == 0 || width.saturating_add(least) > area.width {
        return area;
    }
    let left = Rect {
        width: area.width - width,
        ..area
    };
    let right = Rect {
        x: left.right(),
        width,
        ..area
    };
    write(buffer, right, pieces);
    left
}
