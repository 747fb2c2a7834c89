//! Palettes: colours by meaning, and their nearest relatives on terminals with fewer colours.

use ratatui::style::Color;

use super::capability::Background;
use crate::ui::highlight::TokenKind;

/// A palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Background that it is made for.
    pub background: Background,
    /// The colours by meaning, in the order of [`MEANINGS`].
    pub(crate) colours: [Color; MEANINGS.len()],
    /// The colours of tokens, in the order of [`TokenKind::ALL`].
    pub(crate) tokens: [Color; TokenKind::ALL.len()],
    /// Replacements for the nearest of 256 colours.
    pub(crate) indexed: [Option<u8>; MEANINGS.len()],
}

/// Names of the meanings in theme files.
pub(crate) const MEANINGS: [&str; 25] = [
    "ground",
    "text",
    "quiet",
    "strong",
    "border",
    "bar",
    "dialog",
    "file",
    "cursor",
    "selected",
    "found",
    "key",
    "accepted",
    "rejected",
    "edited",
    "attention",
    "removed-line",
    "removed-words",
    "removed-sign",
    "added-line",
    "added-words",
    "added-sign",
    "absent",
    "moved-line",
    "moved-sign",
];

/// The names that theme files have for tokens, in the order of [`TokenKind::ALL`].
pub(crate) const TOKENS: [&str; TokenKind::ALL.len()] = [
    "text",
    "comment",
    "string",
    "constant",
    "keyword",
    "function",
    "type",
    "name",
    "tag",
    "heading",
    "punctuation",
];

impl Palette {
    /// The colour of a meaning, for a terminal of 256 colours or of all.
    pub(crate) fn colour(&self, meaning: &str, indexed: bool) -> Color {
        let Some(at) = MEANINGS.iter().position(|known| *known == meaning) else {
            return Color::Reset;
        };
        match self.indexed[at] {
            _ if !indexed => self.colours[at],
            Some(number) => Color::Indexed(number),
            None => to_indexed(self.colours[at]),
        }
    }
}

/// The steps of the colour cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the 256 colours: the 6×6×6 cube or the grey ramp, whichever is closer.
pub(crate) fn to_indexed(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else {
        return color;
    };

    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let distance = |cr, cg, cb| square(r, cr) + square(g, cg) + square(b, cb);
    let cube: [u8; 3] = [r, g, b].map(|value| {
        let steps = (0..6).min_by_key(|&i| STEPS[usize::from(i)].abs_diff(value));
        steps.unwrap_or(0)
    });
    let [cr, cg, cb] = cube.map(|i| STEPS[usize::from(i)]);
    let level = (0..24_u8)
        .min_by_key(|&i| distance(8 + 10 * i, 8 + 10 * i, 8 + 10 * i))
        .unwrap_or(0);
    let grey = 8 + 10 * level;
    if distance(grey, grey, grey) < distance(cr, cg, cb) {
        Color::Indexed(232 + level)
    } else {
        Color::Indexed(16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_colours_go_to_their_nearest_number() {
        let rgb = Color::from_u32;
        assert_eq!(to_indexed(rgb(0)), Color::Indexed(16));
        assert_eq!(to_indexed(rgb(0x00ff_0000)), Color::Indexed(196));
        assert_eq!(to_indexed(rgb(0x001c_1c1c)), Color::Indexed(234));
    }
}
