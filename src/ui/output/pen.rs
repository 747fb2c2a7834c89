//! Where the terminal writes next, and how: escape sequences for what has to change, and for nothing else.

use std::io::Write;
use std::ops::Range;

use ratatui::buffer::Cell;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};

/// The terminal's position and attributes, as far as they are known.
#[derive(Debug, Clone)]
pub(super) struct Pen {
    at: Option<Position>,
    look: Option<Look>,
    caret: Option<Caret>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Look {
    fn of(cell: &Cell) -> Self {
        Self {
            fg: cell.fg,
            bg: cell.bg,
            modifier: cell.modifier,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caret {
    Hidden,
    Shown,
}

const PLAIN: Look = Look {
    fg: Color::Reset,
    bg: Color::Reset,
    modifier: Modifier::empty(),
};

/// Attributes, how each is set, how it is unset, and what else that unsets.
const ATTRIBUTES: [(Modifier, &str, &str, Modifier); 9] = [
    (Modifier::BOLD, "1", "22", Modifier::DIM),
    (Modifier::DIM, "2", "22", Modifier::BOLD),
    (Modifier::ITALIC, "3", "23", Modifier::empty()),
    (Modifier::UNDERLINED, "4", "24", Modifier::empty()),
    (Modifier::SLOW_BLINK, "5", "25", Modifier::RAPID_BLINK),
    (Modifier::RAPID_BLINK, "6", "25", Modifier::SLOW_BLINK),
    (Modifier::REVERSED, "7", "27", Modifier::empty()),
    (Modifier::HIDDEN, "8", "28", Modifier::empty()),
    (Modifier::CROSSED_OUT, "9", "29", Modifier::empty()),
];

impl Pen {
    /// A terminal of which nothing is known.
    pub(super) fn unknown() -> Self {
        Self {
            at: None,
            look: None,
            caret: None,
        }
    }

    /// Clears the screen.
    pub(super) fn clear(&mut self, bytes: &mut Vec<u8>) {
        self.set(bytes, PLAIN);
        bytes.extend_from_slice(b"\x1b[2J");
    }

    /// Moves the rows of an area up, or down if `by` is negative.
    pub(super) fn shift(&mut self, bytes: &mut Vec<u8>, area: Rect, by: isize) {
        // The rows that come in are of the current background.
        self.set(bytes, PLAIN);
        let (top, bottom) = (area.top() + 1, area.bottom());
        let (rows, how) = (by.unsigned_abs(), if by > 0 { 'M' } else { 'L' });
        escape(
            bytes,
            format_args!("{top};{bottom}r\x1b[{top}H\x1b[{rows}{how}\x1b[r"),
        );
        self.at = None;
    }

    /// Columns between here and a position on the same row that are sooner written than jumped over.
    pub(super) fn gap(&self, to: Position, most: u16) -> Range<u16> {
        let from = self
            .at
            .filter(|at| at.y == to.y && at.x < to.x && to.x - at.x <= most);
        from.map_or(to.x, |at| at.x)..to.x
    }

    /// Whether a cell takes one byte.
    pub(super) fn writes_as_it_is(&self, cell: &Cell) -> bool {
        self.look == Some(self.look_for(cell)) && cell.symbol().len() == 1
    }

    /// Writes a cell.
    pub(super) fn put(&mut self, bytes: &mut Vec<u8>, at: Position, cell: &Cell) {
        self.go(bytes, at);
        self.set(bytes, self.look_for(cell));
        let symbol = cell.symbol();
        bytes.extend_from_slice(symbol.as_bytes());
        // Terminals do not agree on the width of what is more than one character.
        let sure = symbol.chars().nth(1).is_none();
        let next = at.x + super::columns(cell);
        self.at = sure.then_some(Position { x: next, ..at });
    }

    /// Behind the last column the position is a matter of the terminal.
    pub(super) fn end_row(&mut self) {
        self.at = None;
    }

    /// Shows the text cursor somewhere, or hides it.
    pub(super) fn place_caret(&mut self, bytes: &mut Vec<u8>, caret: Option<Position>) {
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

    /// How a cell is written: of a blank only the ground counts, so everything else may stay as it is.
    fn look_for(&self, cell: &Cell) -> Look {
        let look = Look::of(cell);
        match self.look {
            Some(now) if super::is_bare(cell) && !now.modifier.intersects(super::ON_BLANKS) => {
                Look { bg: look.bg, ..now }
            }
            Some(_) | None => look,
        }
    }

    fn go(&mut self, bytes: &mut Vec<u8>, to: Position) {
        match self.at {
            Some(at) if at == to => (),
            Some(at) if at.y == to.y && at.x < to.x => {
                escape(bytes, format_args!("{}C", to.x - at.x));
            }
            Some(_) | None => escape(bytes, format_args!("{};{}H", to.y + 1, to.x + 1)),
        }
        self.at = Some(to);
    }

    fn set(&mut self, bytes: &mut Vec<u8>, look: Look) {
        if self.look == Some(look) {
            return;
        }
        let mut codes = Vec::new();
        let mut now = self.look.unwrap_or_else(|| {
            codes.push("0".to_owned());
            PLAIN
        });
        for (attribute, _, unset, too) in ATTRIBUTES {
            if now.modifier.contains(attribute) && !look.modifier.contains(attribute) {
                codes.push(unset.to_owned());
                now.modifier -= attribute | too;
            }
        }
        for (attribute, set, _, _) in ATTRIBUTES {
            if look.modifier.contains(attribute) && !now.modifier.contains(attribute) {
                codes.push(set.to_owned());
            }
        }
        if now.fg != look.fg {
            codes.push(colour(look.fg, 0));
        }
        if now.bg != look.bg {
            codes.push(colour(look.bg, 10));
        }
        escape(bytes, format_args!("{}m", codes.join(";")));
        self.look = Some(look);
    }
}

fn escape(bytes: &mut Vec<u8>, what: std::fmt::Arguments) {
    bytes.extend_from_slice(b"\x1b[");
    // A vector takes everything.
    let _ = bytes.write_fmt(what);
}

/// The code of a colour; `shift` is 10 for the background.
fn colour(colour: Color, shift: u8) -> String {
    let named = |code: u8| (code + shift).to_string();
    match colour {
        Color::Reset => named(39),
        Color::Black => named(30),
        Color::Red => named(31),
        Color::Green => named(32),
        Color::Yellow => named(33),
        Color::Blue => named(34),
        Color::Magenta => named(35),
        Color::Cyan => named(36),
        Color::Gray => named(37),
        Color::DarkGray => named(90),
        Color::LightRed => named(91),
        Color::LightGreen => named(92),
        Color::LightYellow => named(93),
        Color::LightBlue => named(94),
        Color::LightMagenta => named(95),
        Color::LightCyan => named(96),
        Color::White => named(97),
        Color::Indexed(number) => format!("{};5;{number}", 38 + shift),
        Color::Rgb(r, g, b) => format!("{};2;{r};{g};{b}", 38 + shift),
    }
}
