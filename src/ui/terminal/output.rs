//! Writes a frame to the terminal: the cells that differ from the frame before.
//!
//! Rows that only moved are scrolled by the terminal first, where that takes fewer bytes. ratatui's own `Terminal` and backend are not
//! used: they write three times as many bytes for a step (see `CellStyle`), measure ambiguous characters by one width, and do not place
//! the cursor again after a grapheme of several characters, on whose width terminals disagree.

use std::io::{self, Write};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};

use super::cell_style::{CellStyle, PLAIN, is_bare};
use super::scroll_detection::{scrolled, scrolled_rows};
use crate::ui::glyphs::terminal_width::terminal_width;

/// The longest gap between two cells of a row that is written again instead of jumped over, as a jump takes four bytes.
const SHORT_GAP: u16 = 3;

/// Writer of frames.
#[derive(Debug, Default)]
pub struct Output {
    /// The frame on the screen; `None` if it is not known.
    shown: Option<Buffer>,
    /// True if the text cursor is shown; `None` if it is not known.
    shows_caret: Option<bool>,
}

impl Output {
    /// Forgets what is shown, so that the next frame is written whole.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns the bytes that show a frame, with the text cursor at `caret` or hidden. The rows of `scrolls` may be scrolled; cells
    /// beside it in the same rows are rewritten if they move too.
    ///
    /// # Errors
    ///
    /// None that is known: the bytes are written to memory.
    pub fn show(
        &mut self,
        frame: Buffer,
        caret: Option<Position>,
        scrolls: Rect,
    ) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if let Some(shown) = self.shown.take().filter(|shown| shown.area == frame.area) {
            draw(&mut bytes, &shown, &frame)?;
            if let Some(by) = scrolled_rows(&shown, &frame, scrolls) {
                let mut other = Vec::new();
                scroll(&mut other, scrolls, by)?;
                draw(&mut other, &scrolled(&shown, scrolls, by), &frame)?;
                if other.len() < bytes.len() {
                    bytes = other;
                }
            }
        } else {
            self.shows_caret = None;
            bytes.extend_from_slice(b"\x1b[m\x1b[2J");
            draw(&mut bytes, &Buffer::empty(frame.area), &frame)?;
        }
        self.place_caret(&mut bytes, caret)?;
        self.shown = Some(frame);
        Ok(bytes)
    }

    fn place_caret(&mut self, bytes: &mut Vec<u8>, caret: Option<Position>) -> io::Result<()> {
        if let Some(at) = caret {
            move_to(bytes, at)?;
        }
        if self.shows_caret != Some(caret.is_some()) {
            self.shows_caret = Some(caret.is_some());
            write!(bytes, "\x1b[?25{}", if caret.is_some() { 'h' } else { 'l' })?;
        }
        Ok(())
    }
}

/// Moves the rows of an area up, or down if `by` is negative, on the whole width of the screen. Lines are deleted or inserted at its top:
/// the Linux console, unlike other terminals, does not know the sequences that scroll.
fn scroll(bytes: &mut Vec<u8>, area: Rect, by: i16) -> io::Result<()> {
    let (top, bottom, rows) = (area.top() + 1, area.bottom(), by.unsigned_abs());
    let lines = if by > 0 { 'M' } else { 'L' };
    write!(
        bytes,
        "\x1b[{top};{bottom}r\x1b[{top}H\x1b[{rows}{lines}\x1b[r"
    )
}

/// Writes the cells that differ. The terminal writes plain before and after.
fn draw(bytes: &mut Vec<u8>, before: &Buffer, frame: &Buffer) -> io::Result<()> {
    let (mut at, mut style) = (None, PLAIN);
    for (position, cell) in differing(before, frame) {
        match at {
            Some(at) if at == position => (),
            Some(Position { x, y }) if y == position.y && x < position.x => {
                let gap = (x..position.x).map(|x| &frame[(x, y)]);
                let fits = |cell: &Cell| {
                    cell.symbol().len() == 1 && CellStyle::to_write(cell, style) == style
                };
                if position.x - x <= SHORT_GAP && gap.clone().all(fits) {
                    gap.for_each(|cell| bytes.extend_from_slice(cell.symbol().as_bytes()));
                } else {
                    write!(bytes, "\x1b[{}C", position.x - x)?;
                }
            }
            Some(_) | None => move_to(bytes, position)?,
        }
        let next = CellStyle::to_write(cell, style);
        if next != style {
            write!(bytes, "\x1b[{}m", next.codes(style))?;
            style = next;
        }
        if has_disputed_width(cell) {
            // Where the terminal draws it narrower, what was behind it would stay.
            bytes.extend((0..columns(cell)).map(|_| b' '));
            move_to(bytes, position)?;
        }
        // Where it wraps in the last row, the terminal would scroll.
        let is_last_row = position.y + 1 == frame.area.bottom();
        let may_scroll =
            is_last_row && position.x.saturating_add(most_columns(cell)) > frame.area.right();
        let symbol = if may_scroll { "?" } else { cell.symbol() };
        bytes.extend_from_slice(symbol.as_bytes());
        let x = position.x + columns(cell);
        // Behind the last column the position depends on the terminal.
        let is_known = x < frame.area.right() && !has_disputed_width(cell);
        at = is_known.then_some(Position { x, ..position });
    }
    if style != PLAIN {
        bytes.extend_from_slice(b"\x1b[m");
    }
    Ok(())
}

fn move_to(bytes: &mut Vec<u8>, at: Position) -> io::Result<()> {
    write!(bytes, "\x1b[{};{}H", at.y + 1, at.x + 1)
}

/// Returns the cells that differ, row by row.
fn differing<'f>(before: &Buffer, frame: &'f Buffer) -> Vec<(Position, &'f Cell)> {
    let mut cells = Vec::new();
    // Columns at the start of a row that the row above may have been written over.
    let mut spilled = 0;
    for row in frame.area.rows() {
        let mut x = row.left();
        // The end of a wide character that is gone: what it covered is written again.
        let mut uncovered = x + std::mem::take(&mut spilled);
        while x < row.right() {
            let cell = &frame[(x, row.y)];
            let end = (x + columns(cell)).min(row.right());
            let is_same = |x| show_alike(&frame[(x, row.y)], &before[(x, row.y)]);
            if x < uncovered || !(x..end).all(is_same) {
                cells.push((Position { x, y: row.y }, cell));
                let most = x.saturating_add(most_columns(cell));
                spilled = spilled.max(most.saturating_sub(row.right()).min(row.width));
                for x in x..end {
                    let gone = &before[(x, row.y)];
                    uncovered = uncovered.max(x + columns(gone));
                    // The terminal may have written it over cells further right.
                    if has_disputed_width(cell) || has_disputed_width(gone) {
                        uncovered = row.right();
                    }
                }
            }
            x = end;
        }
    }
    cells
}

/// Returns true if two cells look the same.
fn show_alike(cell: &Cell, other: &Cell) -> bool {
    cell == other || is_bare(cell) && is_bare(other) && cell.bg == other.bg
}

/// Returns true if terminals may disagree on the width of a cell: it has more than one character.
fn has_disputed_width(cell: &Cell) -> bool {
    cell.symbol().chars().nth(1).is_some()
}

/// Returns the columns that a cell takes in a terminal that shows each of its characters by itself.
fn most_columns(cell: &Cell) -> u16 {
    let wide = cell.symbol().chars().count().saturating_mul(2);
    if has_disputed_width(cell) {
        u16::try_from(wide).unwrap_or(u16::MAX)
    } else {
        columns(cell)
    }
}

/// Returns the columns that a cell's character covers; one for those that have no width.
fn columns(cell: &Cell) -> u16 {
    match cell.symbol().as_bytes() {
        [_] => 1,
        _ => u16::try_from(terminal_width(cell.symbol()))
            .unwrap_or(1)
            .max(1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::{Color, Modifier, Style};

    use super::*;

    const WIDTH: u16 = 12;
    const HEIGHT: u16 = 6;
    const AREA: Rect = Rect {
        x: 0,
        y: 0,
        width: WIDTH,
        height: HEIGHT,
    };

    fn frame(rows: &[(String, u8)]) -> Buffer {
        let mut buffer = Buffer::empty(AREA);
        for (y, (text, look)) in (0..HEIGHT).zip(rows) {
            let style = match look % 6 {
                0 => Style::new(),
                1 => Style::new().fg(Color::Red),
                2 => Style::new()
                    .bg(Color::Rgb(1, 2, 3))
                    .add_modifier(Modifier::BOLD),
                3 => Style::new()
                    .fg(Color::Indexed(99))
                    .add_modifier(Modifier::DIM),
                4 => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
                _ => Style::new()
                    .fg(Color::LightBlue)
                    .add_modifier(Modifier::UNDERLINED),
            };
            buffer.set_stringn(u16::from(look % 3), y, text, WIDTH.into(), style);
        }
        buffer
    }

    /// Returns the screen of a terminal.
    fn seen(terminal: &vt100::Parser) -> Vec<String> {
        let screen = terminal.screen();
        let cell = |y, x| {
            let cell = screen.cell(y, x).unwrap();
            let text = if cell.has_contents() {
                cell.contents()
            } else {
                " "
            };
            if text == " " && !cell.inverse() && !cell.underline() {
                return format!(" {:?}", cell.bgcolor());
            }
            let dim = cell.dim();
            format!(
                "{text}{:?}{:?}{}{}{}{dim}",
                cell.fgcolor(),
                cell.bgcolor(),
                cell.bold(),
                cell.inverse(),
                cell.underline()
            )
        };
        let row = |y| {
            let shown = (0..WIDTH).filter(|&x| !screen.cell(y, x).unwrap().is_wide_continuation());
            shown.map(|x| cell(y, x)).collect::<String>()
        };
        (0..HEIGHT).map(row).collect()
    }

    fn terminal() -> vt100::Parser {
        vt100::Parser::new(HEIGHT.try_into().unwrap(), WIDTH.try_into().unwrap(), 0)
    }

    #[track_caller]
    fn check(frames: &[Buffer], scrolls: Rect) {
        let (mut output, mut kept) = (Output::default(), terminal());
        for frame in frames {
            let show = |output: &mut Output| output.show(frame.clone(), None, scrolls).unwrap();
            kept.process(&show(&mut output));
            let mut fresh = terminal();
            fresh.process(&show(&mut Output::default()));
            assert_eq!(seen(&kept), seen(&fresh), "{frame:?}");
        }
    }

    proptest! {
        #[test]
        fn a_frame_looks_the_same_whatever_was_there(
            rows in prop::collection::vec(prop::collection::vec(("[a-c日 🎉é]{0,8}", any::<u8>()), 6), 1..5),
            shift in 0_usize..6,
            left in 0_u16..8,
        ) {
            let mut frames: Vec<Buffer> = rows.iter().map(|rows| frame(rows)).collect();
            let mut moved = rows[0].clone();
            moved.rotate_left(shift);
            frames.push(frame(&rows[0]));
            frames.push(side_by_side(&frame(&rows[0]), &frame(&moved), left));
            frames.push(frame(&moved));
            frames.push(frame(&rows[0]));
            check(&frames, AREA);
            check(&frames, Rect { y: 1, height: 4, ..AREA });
            check(&frames, Rect { x: left, width: WIDTH - left, ..AREA });
            check(&frames, Rect { x: left, width: 4, ..AREA });
        }
    }

    /// One frame in the first few columns, and another one beside it.
    fn side_by_side(left: &Buffer, right: &Buffer, columns: u16) -> Buffer {
        let mut both = right.clone();
        for y in 0..HEIGHT {
            for x in 0..columns {
                both[(x, y)] = left[(x, y)].clone();
            }
            // A character that is cut by the border is none.
            let border = (columns.saturating_sub(1), y);
            if super::columns(&both[border]) > 1 {
                both[border].reset();
            }
        }
        both
    }

    #[test]
    fn rows_that_move_are_moved_by_the_terminal() {
        let lines = |from: usize| {
            let row = |n: usize| (format!("a long line {}", n * 7919 % 1000), 2);
            (from..from + 6).map(row).collect::<Vec<_>>()
        };
        let mut output = Output::default();
        let whole = output.show(frame(&lines(0)), None, AREA).unwrap().len();
        let step = output.show(frame(&lines(1)), None, AREA).unwrap();
        assert!(step.len() < whole / 3, "{} of {whole}", step.len());
        assert_eq!(output.show(frame(&lines(1)), None, AREA).unwrap(), b"");
        check(
            &[frame(&lines(3)), frame(&lines(1)), frame(&lines(2))],
            AREA,
        );
    }

    #[test]
    fn what_an_emoji_of_several_characters_covers_is_blanked_first() {
        let mut output = Output::default();
        let at = |text: &str| frame(&[(text.to_owned(), 0)]);
        output.show(at("abc"), None, Rect::ZERO).unwrap();
        let bytes = output.show(at("🏳️‍🌈c"), None, Rect::ZERO).unwrap();
        let bytes = String::from_utf8(bytes).unwrap();
        assert!(bytes.contains("  \x1b[1;1H🏳️‍🌈\x1b[1;3Hc"), "{bytes:?}");
    }

    #[test]
    fn only_what_differs_is_written() {
        let mut output = Output::default();
        let at = |text: &str| frame(&[(text.to_owned(), 0)]);
        output.show(at("one two"), None, Rect::ZERO).unwrap();
        let bytes = output.show(at("one six"), None, Rect::ZERO).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "\x1b[1;5Hsix");
    }
}
