//! A frame becomes bytes: what differs from the frame before, and no more.
//!
//! Rows that only moved are moved by the terminal (a scroll region, and lines deleted or inserted at its top, which every
//! terminal knows; between columns too where it has left and right margins); of the rest, the cells that differ are written, row
//! by row or look by look, with the attributes that change and no others. Which of these ways is the shortest is found by trying
//! all of them.

mod capability;
mod cell_style;
mod run_order;
mod runs;
mod scroll_detection;
#[cfg(test)]
mod test_terminal;
mod writer;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub use capability::TerminalCapability;
use runs::{Run, differing};
use writer::Writer;

/// Writer of frames: sends the difference to the frame on the screen.
#[derive(Debug)]
pub struct Output {
    /// The frame that is shown; `None` if it is not known.
    shown: Option<Buffer>,
    skill: TerminalCapability,
    writer: Writer,
}

impl Output {
    /// The output to a terminal of which only the skill is known.
    pub fn new(skill: TerminalCapability) -> Self {
        Self {
            shown: None,
            skill,
            writer: Writer::unknown(skill),
        }
    }

    /// Forgets what is shown, so that the next frame is written whole.
    pub fn forget(&mut self) {
        *self = Self::new(self.skill);
    }

    /// Returns the bytes that show a frame, with the text cursor at `caret` or hidden. Rows of `scrolls` may
    /// be scrolled as a whole; cells beside it in the same rows are rewritten if they move too.
    pub fn show(&mut self, frame: Buffer, caret: Option<Position>, scrolls: Rect) -> Vec<u8> {
        let scrolls = scrolls.intersection(frame.area);
        let shown = self.shown.take().filter(|shown| shown.area == frame.area);
        let is_whole = shown.is_none();
        let mut begin = Vec::new();
        self.writer.lift();
        let before = shown.unwrap_or_else(|| {
            self.writer = Writer::unknown(self.skill);
            self.writer.clear(&mut begin);
            Buffer::empty(frame.area)
        });
        let mut start = (self.writer.clone(), begin);
        let mut runs = differing(&before, &frame);
        let mut shortest = written(&start, &frame, &runs);
        let moves = self.skill.moves(scrolls, frame.area);
        if let Some(by) = scroll_detection::of(&before, &frame, scrolls)
            && scroll_detection::is_clear(&before, moves)
        {
            let mut then = start.clone();
            then.0.shift(&mut then.1, moves, frame.area, by);
            let left = differing(&scroll_detection::apply(&before, moves, by), &frame);
            let bytes = written(&then, &frame, &left);
            if bytes.1.len() < shortest.1.len() {
                (start, runs, shortest) = (then, left, bytes);
            }
        }
        // A whole screen is read while it comes, from the top.
        if !is_whole {
            let by_style = run_order::by_style(&runs, start.0.style());
            let by_style = written(&start, &frame, &by_style);
            if by_style.1.len() < shortest.1.len() {
                shortest = by_style;
            }
        }
        let (mut writer, mut bytes) = shortest;
        writer.place_caret(&mut bytes, caret);
        self.writer = writer;
        self.shown = Some(frame);
        bytes
    }
}

/// The terminal and all bytes of a frame when runs of it are written too, in their order.
fn written((writer, bytes): &(Writer, Vec<u8>), frame: &Buffer, runs: &[Run]) -> (Writer, Vec<u8>) {
    let (mut writer, mut bytes) = (writer.clone(), bytes.clone());
    writer.write(&mut bytes, frame, runs);
    (writer, bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::{Color, Modifier, Style};

    use super::*;
    use test_terminal::TestTerminal;

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
        let (mut output, mut kept) = (Output::new(TerminalCapability::Common), terminal());
        let (mut able, mut model) = (
            Output::new(TerminalCapability::Margins),
            TestTerminal::new(AREA),
        );
        for frame in frames {
            let show = |mut output: Output| output.show(frame.clone(), None, scrolls);
            kept.process(&output.show(frame.clone(), None, scrolls));
            let mut fresh = terminal();
            fresh.process(&show(Output::new(TerminalCapability::Common)));
            assert_eq!(seen(&kept), seen(&fresh), "{frame:?}");

            model.process(&able.show(frame.clone(), None, scrolls));
            let mut fresh = TestTerminal::new(AREA);
            fresh.process(&show(Output::new(TerminalCapability::Common)));
            assert_eq!(model.seen(), fresh.seen(), "{frame:?}");
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
            frames.push(beside(&frame(&rows[0]), &frame(&moved), left));
            frames.push(frame(&moved));
            frames.push(frame(&rows[0]));
            check(&frames, AREA);
            check(&frames, Rect { y: 1, height: 4, ..AREA });
            check(&frames, Rect { x: left, width: WIDTH - left, ..AREA });
            check(&frames, Rect { x: left, width: 4, ..AREA });
        }
    }

    /// One frame in the first few columns, and another one beside it.
    fn beside(left: &Buffer, right: &Buffer, columns: u16) -> Buffer {
        let mut both = right.clone();
        for y in 0..HEIGHT {
            for x in 0..columns {
                both[(x, y)] = left[(x, y)].clone();
            }
            // A character that is cut by the border is none.
            let border = (columns.saturating_sub(1), y);
            if runs::columns(&both[border]) > 1 {
                both[border].reset();
            }
        }
        both
    }

    #[test]
    fn what_stands_beside_rows_that_move_is_not_written_where_there_are_margins() {
        let lines = |from: usize| {
            let mut buffer = Buffer::empty(AREA);
            for (y, n) in (0..HEIGHT).zip(from..) {
                buffer.set_string(0, y, format!("{y}{y}{y}"), Style::new());
                buffer.set_string(4, y, format!("{}", n * 7919 % 100_000), Style::new());
            }
            buffer
        };
        let scrolls = Rect {
            x: 4,
            width: WIDTH - 4,
            ..AREA
        };
        let step = |skill| {
            let mut output = Output::new(skill);
            output.show(lines(0), None, scrolls);
            String::from_utf8(output.show(lines(1), None, scrolls)).unwrap()
        };
        let expected = "\x1b[?69h\x1b[5;12s\x1b[1;6r\x1b[1;5H\x1b[1M\x1b[r\x1b[?69l\x1b[6;5H47514";
        assert_eq!(step(TerminalCapability::Margins), expected);
        assert!(!step(TerminalCapability::Common).contains("?69"));
        check(&[lines(0), lines(1), lines(3), lines(1)], scrolls);
    }

    #[test]
    fn what_looks_alike_is_written_together_where_that_is_shorter() {
        let colour = |n: u8| Style::new().fg(Color::Rgb(200, n, 200));
        let mut buffer = Buffer::empty(AREA);
        for y in 0..HEIGHT {
            buffer.set_string(0, y, "ab", colour(u8::from(y % 2 == 0)));
            buffer.set_string(4, y, "cd", colour(u8::from(y % 2 == 1)));
        }
        let mut output = Output::new(TerminalCapability::Common);
        output.show(Buffer::empty(AREA), None, Rect::ZERO);
        let bytes = String::from_utf8(output.show(buffer.clone(), None, Rect::ZERO)).unwrap();
        assert_eq!(bytes.matches("200m").count(), 2, "{bytes:?}");
        check(&[Buffer::empty(AREA), buffer], AREA);
    }

    #[test]
    fn a_whole_screen_comes_row_by_row() {
        let mut buffer = Buffer::empty(AREA);
        for (y, row) in ["one", "two", "six"].into_iter().enumerate() {
            let style = Style::new().fg([Color::Red, Color::Blue][y % 2]);
            buffer.set_string(0, u16::try_from(y).unwrap(), row, style);
        }
        let bytes = Output::new(TerminalCapability::Common).show(buffer, None, Rect::ZERO);
        let bytes = String::from_utf8(bytes).unwrap();
        let rows = ["one", "two", "six"].map(|row| bytes.find(row).unwrap());
        assert!(rows.is_sorted(), "{bytes:?}");
    }

    #[test]
    fn a_character_that_comes_often_is_repeated_where_that_is_known() {
        let mut buffer = Buffer::empty(AREA);
        buffer.set_string(1, 2, "─".repeat(9), Style::new().fg(Color::Red));
        let shown = |skill| {
            let mut output = Output::new(skill);
            output.show(Buffer::empty(AREA), None, Rect::ZERO);
            String::from_utf8(output.show(buffer.clone(), None, Rect::ZERO)).unwrap()
        };
        assert_eq!(
            shown(TerminalCapability::Margins),
            "\x1b[3;2H\x1b[31m─\x1b[8b"
        );
        assert!(shown(TerminalCapability::Common).ends_with("─────────"));
        check(&[buffer, Buffer::empty(AREA)], AREA);
    }

    #[test]
    fn rows_that_move_are_moved_by_the_terminal() {
        let lines = |from: usize| {
            let row = |n: usize| (format!("a long line {}", n * 7919 % 1000), 2);
            (from..from + 6).map(row).collect::<Vec<_>>()
        };
        let mut output = Output::new(TerminalCapability::Common);
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
        let mut output = Output::new(TerminalCapability::Common);
        let at = |text: &str| frame(&[(text.to_owned(), 0)]);
        output.show(at("one two"), None, Rect::ZERO);
        let bytes = output.show(at("one six"), None, Rect::ZERO);
        assert_eq!(String::from_utf8(bytes).unwrap(), "\x1b[1;5Hsix");
    }
}
