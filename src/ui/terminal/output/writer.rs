//! Escape sequences: cursor moves and style changes, as short as possible.

use std::io::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};

use super::capability::TerminalCapability;
use super::cell_style::{CellStyle, PLAIN};
use super::runs::{self, Run};

/// The terminal's position and attributes, as far as they are known.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    at: Option<Position>,
    style: Option<CellStyle>,
    caret: Option<Caret>,
    skill: TerminalCapability,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caret {
    Hidden,
    Shown,
}

/// Unchanged cells before a changed one that are rather written again than jumped over.
const SHORT: u16 = 3;

impl Writer {
    /// A terminal of which nothing is known but its skill.
    pub(crate) fn unknown(skill: TerminalCapability) -> Self {
        Self {
            at: None,
            style: None,
            caret: None,
            skill,
        }
    }

    /// Returns the current style, if it is known.
    pub(crate) fn style(&self) -> Option<CellStyle> {
        self.style
    }

    /// Takes it that something else may have moved the cursor, as between two frames.
    pub(crate) fn lift(&mut self) {
        self.at = None;
    }

    /// Clears the screen.
    pub(crate) fn clear(&mut self, bytes: &mut Vec<u8>) {
        self.set(bytes, PLAIN);
        bytes.extend_from_slice(b"\x1b[2J");
    }

    /// Moves the rows of an area up, or down if `by` is negative. Less than the width of the screen takes margins.
    pub(crate) fn shift(&mut self, bytes: &mut Vec<u8>, area: Rect, screen: Rect, by: isize) {
        // The rows that come in are of the current background.
        self.set(bytes, PLAIN);
        let (top, bottom) = (area.top() + 1, area.bottom());
        let (rows, how) = (by.unsigned_abs(), if by > 0 { 'M' } else { 'L' });
        let (left, right) = (area.left() + 1, area.right());
        let between = area.width < screen.width;
        if between {
            escape(bytes, format_args!("?69h\x1b[{left};{right}s"));
        }
        escape(
            bytes,
            format_args!("{top};{bottom}r\x1b[{top};{left}H\x1b[{rows}{how}\x1b[r"),
        );
        if between {
            escape(bytes, format_args!("?69l"));
        }
        self.at = None;
    }

    /// Writes runs of a frame, in their order.
    pub(crate) fn write(&mut self, bytes: &mut Vec<u8>, frame: &Buffer, runs: &[Run]) {
        for run in runs {
            self.go_writing(bytes, frame, run.at);
            self.go(bytes, run.at);
            self.set(bytes, run.style_from(self.style));
            let mut at = run.at;
            while at.x < run.end {
                let cell = &frame[at];
                self.put(bytes, frame.area, at, cell);
                at.x += runs::columns(cell);
                at.x += self.repeat(bytes, frame, cell, at, run.end);
            }
        }
    }

    /// Writes the few cells before a position once more that can be written as they are, as that is shorter than to jump.
    fn go_writing(&mut self, bytes: &mut Vec<u8>, frame: &Buffer, to: Position) {
        let (Some(at), Some(style)) = (self.at, self.style) else {
            return;
        };
        if at.y != to.y || at.x >= to.x || to.x - at.x > SHORT {
            return;
        }
        let between = (at.x..to.x).map(|x| Position { x, ..at });
        let simple = |at: Position| frame[at].symbol().len() == 1 && style.fits(&frame[at]);
        if between.clone().all(simple) {
            for at in between {
                self.put(bytes, frame.area, at, &frame[at]);
            }
        }
    }

    /// Writes a cell where the terminal is, as it writes now.
    fn put(&mut self, bytes: &mut Vec<u8>, screen: Rect, at: Position, cell: &Cell) {
        self.go(bytes, at);
        bytes.extend_from_slice(cell.symbol().as_bytes());
        let next = at.x + runs::columns(cell);
        // Behind the last column the position is a matter of the terminal, and so it is behind what has no sure width.
        let sure = next < screen.right() && !runs::is_unsure(cell);
        self.at = sure.then_some(Position { x: next, ..at });
    }

    /// Has the terminal repeat the cell that was written last, as often as it comes again before `end`; the columns that this
    /// takes.
    fn repeat(
        &mut self,
        bytes: &mut Vec<u8>,
        frame: &Buffer,
        cell: &Cell,
        at: Position,
        end: u16,
    ) -> u16 {
        if self.skill != TerminalCapability::Margins
            || self.at != Some(at)
            || runs::columns(cell) > 1
        {
            return 0;
        }
        let same = |x: &u16| frame[(*x, at.y)].symbol() == cell.symbol();
        let times = (at.x..end).take_while(same).count();
        let words = format!("\x1b[{times}b");
        if times * cell.symbol().len() <= words.len() {
            return 0;
        }
        bytes.extend_from_slice(words.as_bytes());
        let times = u16::try_from(times).unwrap_or(0);
        let next = at.x + times;
        self.at = (next < frame.area.right()).then_some(Position { x: next, ..at });
        times
    }

    /// Shows the text cursor somewhere, or hides it.
    pub(crate) fn place_caret(&mut self, bytes: &mut Vec<u8>, caret: Option<Position>) {
        let (wanted, mode) = match caret {
            Some(_) => (Caret::Shown, 'h'),
            None => (Caret::Hidden, 'l'),
        };
        if let Some(at) = caret {
            self.at = None;
            self.go(bytes, at);
        }
        if self.caret != Some(wanted) {
            escape(bytes, format_args!("?25{mode}"));
            self.caret = Some(wanted);
        }
    }

    fn go(&mut self, bytes: &mut Vec<u8>, to: Position) {
        bytes.extend_from_slice(way(self.at, to).as_bytes());
        self.at = Some(to);
    }

    fn set(&mut self, bytes: &mut Vec<u8>, style: CellStyle) {
        if self.style != Some(style) {
            escape(bytes, format_args!("{}m", style.codes(self.style)));
            self.style = Some(style);
        }
    }
}

fn escape(bytes: &mut Vec<u8>, what: std::fmt::Arguments) {
    bytes.extend_from_slice(b"\x1b[");
    // A vector takes everything.
    let _ = bytes.write_fmt(what);
}

/// The shortest way of the terminal's cursor to a position.
fn way(from: Option<Position>, to: Position) -> String {
    let absolute = match (to.x, to.y) {
        (0, 0) => "\x1b[H".to_owned(),
        (0, y) => format!("\x1b[{}H", y + 1),
        (x, y) => format!("\x1b[{};{}H", y + 1, x + 1),
    };
    let Some(from) = from else {
        return absolute;
    };
    let relative = steps(from.y, to.y, ['A', 'B']) + &across(from.x, to.x);
    if relative.len() < absolute.len() {
        relative
    } else {
        absolute
    }
}

/// The shortest way to another column of the same row.
fn across(from: u16, to: u16) -> String {
    let steps = steps(from, to, ['D', 'C']);
    let mut ways = vec![format!("\x1b[{}G", to + 1)];
    if to < from {
        ways.push("\x08".repeat((from - to).into()));
    }
    if to == 0 {
        ways.push("\r".to_owned());
    }
    let shorter = ways.into_iter().filter(|way| way.len() < steps.len());
    shorter.min_by_key(String::len).unwrap_or(steps)
}

/// Steps from one column or row to another, by the letters for back and forth.
fn steps(from: u16, to: u16, [back, forth]: [char; 2]) -> String {
    let how = if to < from { back } else { forth };
    match to.abs_diff(from) {
        0 => String::new(),
        1 => format!("\x1b[{how}"),
        count => format!("\x1b[{count}{how}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: Option<(u16, u16)>, to: (u16, u16), expected: &str) {
        assert_eq!(way(from.map(Position::from), to.into()), expected);
    }

    #[test]
    fn the_cursor_takes_the_shortest_way() {
        check(None, (0, 0), "\x1b[H");
        check(None, (0, 6), "\x1b[7H");
        check(None, (4, 6), "\x1b[7;5H");
        check(Some((4, 6)), (4, 6), "");
        check(Some((4, 6)), (5, 6), "\x1b[C");
        check(Some((4, 6)), (30, 6), "\x1b[26C");
        check(Some((4, 6)), (2, 6), "\x08\x08");
        check(Some((40, 6)), (8, 6), "\x1b[9G");
        check(Some((40, 6)), (0, 6), "\r");
        check(Some((40, 6)), (0, 7), "\x1b[8H");
        check(Some((40, 46)), (40, 47), "\x1b[B");
        check(Some((40, 46)), (39, 47), "\x1b[B\x08");
        check(Some((40, 46)), (10, 12), "\x1b[13;11H");
    }
}
