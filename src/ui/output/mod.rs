//! A frame becomes bytes: what differs from the frame before, and no more.
//!
//! Rows that only moved are moved by the terminal (a scroll region, and lines deleted or inserted at its top, which every
//! terminal knows); of the rest, the cells that differ are written, with the attributes that change and no others. Which of
//! the two ways is shorter is found by trying both.

mod pen;
mod shift;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

use super::measure;
use pen::Pen;

/// What stands on the terminal's screen, and how the next frame gets there.
#[derive(Debug)]
pub struct Output {
    /// The frame that is shown; `None` if it is not known.
    shown: Option<Buffer>,
    pen: Pen,
}

impl Default for Output {
    /// Nothing is known of the screen.
    fn default() -> Self {
        Self {
            shown: None,
            pen: Pen::unknown(),
        }
    }
}

impl Output {
    /// Forgets what is shown, so that the next frame is written whole.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The bytes that show a frame, with the text cursor at `caret` or hidden. `scrolls` is where rows move as a whole; what
    /// stands beside it in its rows is written anew.
    pub fn show(&mut self, frame: Buffer, caret: Option<Position>, scrolls: Rect) -> Vec<u8> {
        let scrolls = scrolls.intersection(frame.area);
        let shown = self.shown.take().filter(|shown| shown.area == frame.area);
        let mut bytes = Vec::new();
        let before = shown.unwrap_or_else(|| {
            self.pen = Pen::unknown();
            self.pen.clear(&mut bytes);
            Buffer::empty(frame.area)
        });
        let mut pen = self.pen.clone();
        let mut plain = Vec::new();
        write(&mut pen, &mut plain, &before, &frame);
        if let Some(by) = shift::of(&before, &frame, scrolls) {
            let (mut other, mut moved) = (self.pen.clone(), Vec::new());
            let before = shift::apply(&before, scrolls, by);
            other.shift(&mut moved, scrolls, by);
            write(&mut other, &mut moved, &before, &frame);
            if moved.len() < plain.len() {
                (pen, plain) = (other, moved);
            }
        }
        bytes.append(&mut plain);
        pen.place_caret(&mut bytes, caret);
        self.pen = pen;
        self.shown = Some(frame);
        bytes
    }
}

/// Unchanged cells between two changed ones that are rather written again than jumped over.
const SHORT: u16 = 3;

/// Writes the cells that differ.
fn write(pen: &mut Pen, bytes: &mut Vec<u8>, before: &Buffer, frame: &Buffer) {
    let area = frame.area;
    for y in area.top()..area.bottom() {
        let mut x = area.left();
        // What a wide character covered that is there no more.
        let mut bared = x;
        while x < area.right() {
            let cell = &frame[(x, y)];
            let width = columns(cell).min(area.right() - x);
            let old = &before[(x, y)];
            let differs = x < bared
                || (x..x + width).any(|x| !look_alike(&frame[(x, y)], &before[(x, y)]))
                || columns(old) != columns(cell);
            if differs {
                let gap = pen.gap(Position { x, y }, SHORT);
                if gap.clone().all(|x| pen.writes_as_it_is(&frame[(x, y)])) {
                    for x in gap {
                        pen.put(bytes, Position { x, y }, &frame[(x, y)]);
                    }
                }
                pen.put(bytes, Position { x, y }, cell);
                let ends = (x..x + width).map(|x| x + columns(&before[(x, y)]));
                bared = ends.fold(bared, u16::max);
            }
            x += width;
        }
        pen.end_row();
    }
}

/// What shows on a blank.
const ON_BLANKS: Modifier = Modifier::UNDERLINED
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);

/// Whether a cell shows nothing but its ground.
fn is_bare(cell: &Cell) -> bool {
    cell.symbol() == " " && !cell.modifier.intersects(ON_BLANKS)
}

/// Whether two cells cannot be told from each other.
fn look_alike(cell: &Cell, other: &Cell) -> bool {
    cell == other || is_bare(cell) && is_bare(other) && cell.bg == other.bg
}

/// The columns that a cell's character covers; one for those that have no width.
fn columns(cell: &Cell) -> u16 {
    match cell.symbol().as_bytes() {
        [_] => 1,
        _ => u16::try_from(measure::width(cell.symbol()))
            .unwrap_or(1)
            .max(1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::{Color, Style};

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

    /// What a terminal shows that got some bytes.
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
            kept.process(&output.show(frame.clone(), None, scrolls));
            let mut fresh = terminal();
            fresh.process(&Output::default().show(frame.clone(), None, scrolls));
            assert_eq!(seen(&kept), seen(&fresh), "{frame:?}");
        }
    }

    proptest! {
        #[test]
        fn a_frame_looks_the_same_whatever_was_there(
            rows in prop::collection::vec(prop::collection::vec(("[a-c日 🎉é]{0,8}", any::<u8>()), 6), 1..5),
            shift in 0_usize..6,
        ) {
            let mut frames: Vec<Buffer> = rows.iter().map(|rows| frame(rows)).collect();
            let mut moved = rows[0].clone();
            moved.rotate_left(shift);
            frames.push(frame(&rows[0]));
            frames.push(frame(&moved));
            check(&frames, AREA);
            check(&frames, Rect { y: 1, height: 4, ..AREA });
        }
    }

    #[test]
    fn rows_that_move_are_moved_by_the_terminal() {
        let lines = |from: usize| {
            let row = |n: usize| (format!("a long line {}", n * 7919 % 1000), 2);
            (from..from + 6).map(row).collect::<Vec<_>>()
        };
        let mut output = Output::default();
        let whole = output.show(frame(&lines(0)), None, AREA).len();
        let step = output.show(frame(&lines(1)), None, AREA);
        assert!(step.len() < whole / 3, "{} of {whole}", step.len());
        assert_eq!(output.show(frame(&lines(1)), None, AREA), b"");
        check(
            &[frame(&lines(3)), frame(&lines(1)), frame(&lines(2))],
            AREA,
        );
    }

    #[test]
    fn only_what_differs_is_written() {
        let mut output = Output::default();
        let at = |text: &str| frame(&[(text.to_owned(), 0)]);
        output.show(at("one two"), None, Rect::ZERO);
        let bytes = output.show(at("one six"), None, Rect::ZERO);
        assert_eq!(String::from_utf8(bytes).unwrap(), "\x1b[1;5Hsix");
    }
}
