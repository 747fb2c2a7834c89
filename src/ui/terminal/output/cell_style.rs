//! Cell styles and the escape sequences between them.

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
    pub(crate) fn of(cell: &Cell) -> Self {
        Self {
            fg: cell.fg,
            bg: cell.bg,
            modifier: cell.modifier,
        }
    }

    /// Returns true if a blank of this style shows only its background.
    pub(crate) fn leaves_blanks_bare(self) -> bool {
        !self.modifier.intersects(ON_BLANKS)
    }

    /// Returns true if a cell may be written with this style: only the background matters for a blank.
    pub(crate) fn fits(self, cell: &Cell) -> bool {
        let style = Self::of(cell);
        self == style || is_bare(cell) && self.bg == style.bg && self.leaves_blanks_bare()
    }

    /// The same on the ground of another look.
    pub(crate) fn on_background_of(self, other: Self) -> Self {
        Self {
            bg: other.bg,
            ..self
        }
    }

    /// Returns true if both styles have the same background.
    pub(crate) fn has_background_of(self, other: Self) -> bool {
        self.bg == other.bg
    }

    /// About as many bytes as it takes to get here from another look.
    pub(crate) fn distance(self, from: Option<Self>) -> usize {
        let from = from.unwrap_or(PLAIN);
        let colour = |own: Color, other: Color| if own == other { 0 } else { weight(own) };
        let attributes = (self.modifier ^ from.modifier).bits().count_ones() as usize;
        colour(self.fg, from.fg) + colour(self.bg, from.bg) + 2 * attributes
    }

    /// The parameters of `SGR` that lead here from another look, or from an unknown one; the shorter of two ways.
    pub(crate) fn codes(self, from: Option<Self>) -> String {
        let anew = || join("0", &self.changes(PLAIN));
        let Some(from) = from else {
            return anew();
        };
        let changes = self.changes(from);
        let direct = changes.join(";");
        // A terminal is in its first look after the shortest of them.
        if self == PLAIN {
            return String::new();
        }
        if changes.len() < 2 {
            return direct;
        }
        let anew = anew();
        if anew.len() < direct.len() {
            anew
        } else {
            direct
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

fn join(first: &str, codes: &[String]) -> String {
    let mut all = first.to_owned();
    for code in codes {
        all.push(';');
        all.push_str(code);
    }
    all
}

/// Returns true if a cell shows only its background.
pub(crate) fn is_bare(cell: &Cell) -> bool {
    cell.symbol() == " " && !cell.modifier.intersects(ON_BLANKS)
}

/// About as many bytes as the code of a colour has.
fn weight(colour: Color) -> usize {
    match colour {
        Color::Rgb(..) => 17,
        Color::Indexed(_) => 9,
        Color::Reset
        | Color::Black
        | Color::Red
        | Color::Green
        | Color::Yellow
        | Color::Blue
        | Color::Magenta
        | Color::Cyan
        | Color::Gray
        | Color::DarkGray
        | Color::LightRed
        | Color::LightGreen
        | Color::LightYellow
        | Color::LightBlue
        | Color::LightMagenta
        | Color::LightCyan
        | Color::White => 3,
    }
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
    fn check(from: Option<CellStyle>, to: CellStyle, codes: &str) {
        assert_eq!(to.codes(from), codes);
    }

    #[test]
    fn only_what_changes_is_said_and_in_the_shorter_way() {
        let red = style(Color::Red, Color::Reset, Modifier::empty());
        let bold = style(Color::Red, Color::Blue, Modifier::BOLD);
        check(None, PLAIN, "0");
        check(None, red, "0;31");
        check(Some(PLAIN), bold, "1;31;44");
        check(Some(bold), PLAIN, "");
        check(Some(bold), red, "0;31");
        check(Some(red), bold, "1;44");
        let dim = style(Color::Red, Color::Blue, Modifier::DIM);
        check(Some(bold), dim, "22;2");
        let rich = style(Color::Rgb(1, 2, 3), Color::Rgb(4, 5, 6), Modifier::BOLD);
        let plain = CellStyle {
            modifier: Modifier::empty(),
            ..rich
        };
        check(Some(rich), plain, "22");
    }
}
