//! Cell styles and the escape sequences between them (`SGR`).
//!
//! Own code, as crossterm writes both colours whenever one changes, and a named colour in nine bytes instead of two: three times as
//! many bytes for a step down in a review on a screen of 160 × 50 cells (791 instead of 236 at the median).

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// Style of a cell: colours and attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CellStyle {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

/// Initial style of a terminal.
pub(crate) const PLAIN: CellStyle = CellStyle {
    fg: Color::Reset,
    bg: Color::Reset,
    modifier: Modifier::empty(),
};

/// Attributes that show on a blank.
const ON_BLANKS: Modifier = Modifier::UNDERLINED
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);

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

impl CellStyle {
    /// Returns the style in which to write a cell: a bare blank needs only the background, and of dim and bold, which terminals
    /// combine in different ways, only dim is kept.
    pub(crate) fn to_write(cell: &Cell, current: Self) -> Self {
        if is_bare(cell) && !current.modifier.intersects(ON_BLANKS) {
            let bg = cell.bg;
            return Self { bg, ..current };
        }
        let mut modifier = cell.modifier;
        if modifier.contains(Modifier::DIM) {
            modifier.remove(Modifier::BOLD);
        }
        Self {
            fg: cell.fg,
            bg: cell.bg,
            modifier,
        }
    }

    /// Returns the parameters of `SGR` that lead here from another style: only what changes, or a reset and
    /// all that is set, whichever is shorter.
    pub(crate) fn codes(self, from: Self) -> String {
        // A terminal writes plain after the shortest of them.
        if self == PLAIN {
            return String::new();
        }
        let changes = self.changes(from).join(";");
        let anew = format!("0;{}", self.changes(PLAIN).join(";"));
        if anew.len() < changes.len() {
            anew
        } else {
            changes
        }
    }

    fn changes(self, mut from: Self) -> Vec<String> {
        let mut codes = Vec::new();
        for (attribute, _, unset, too) in ATTRIBUTES {
            if from.modifier.contains(attribute) && !self.modifier.contains(attribute) {
                codes.push(unset.to_owned());
                from.modifier -= attribute | too;
            }
        }
        for (attribute, set, _, _) in ATTRIBUTES {
            if self.modifier.contains(attribute) && !from.modifier.contains(attribute) {
                codes.push(set.to_owned());
            }
        }
        if from.fg != self.fg {
            codes.push(colour(self.fg, 0));
        }
        if from.bg != self.bg {
            codes.push(colour(self.bg, 10));
        }
        codes
    }
}

/// Returns true if a cell shows only its background.
pub(crate) fn is_bare(cell: &Cell) -> bool {
    cell.symbol() == " " && !cell.modifier.intersects(ON_BLANKS)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn style(fg: Color, bg: Color, modifier: Modifier) -> CellStyle {
        CellStyle { fg, bg, modifier }
    }

    #[track_caller]
    fn check(from: CellStyle, to: CellStyle, codes: &str) {
        assert_eq!(to.codes(from), codes);
    }

    #[test]
    fn only_what_changes_is_said_and_in_the_shorter_way() {
        let red = style(Color::Red, Color::Reset, Modifier::empty());
        let bold = style(Color::Red, Color::Blue, Modifier::BOLD);
        check(PLAIN, bold, "1;31;44");
        check(bold, PLAIN, "");
        check(bold, red, "0;31");
        check(red, bold, "1;44");
        let dim = style(Color::Red, Color::Blue, Modifier::DIM);
        check(bold, dim, "22;2");
        let rich = style(Color::Rgb(1, 2, 3), Color::Rgb(4, 5, 6), Modifier::BOLD);
        let plain = CellStyle {
            modifier: Modifier::empty(),
            ..rich
        };
        check(rich, plain, "22");
    }

    #[test]
    fn dim_text_is_not_bold() {
        let written = |modifier| {
            let mut cell = Cell::new("x");
            cell.modifier = modifier;
            CellStyle::to_write(&cell, PLAIN).modifier
        };
        assert_eq!(written(Modifier::DIM | Modifier::BOLD), Modifier::DIM);
        assert_eq!(written(Modifier::BOLD), Modifier::BOLD);
    }
}
