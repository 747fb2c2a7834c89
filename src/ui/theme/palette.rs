//! Palettes: colours by meaning, and their nearest relatives on terminals with fewer colours.

use ratatui::style::{Color, Style};

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
            None if GROUNDS.contains(&meaning) => to_indexed(self.colours[at]),
            None => self.legible(self.colours[at], &GROUNDS[..TEXT_GROUNDS]),
        }
    }

    /// Returns a colour of tokens as a terminal of 256 colours, or of all, shows it.
    pub(crate) fn token(&self, colour: Color, indexed: bool) -> Color {
        if indexed {
            self.legible(colour, &GROUNDS[..CODE_GROUNDS])
        } else {
            colour
        }
    }

    /// Returns the style of a background under text of any colour. With 256 colours it sets the colour of the text too: few of them are dark
    /// or light enough for every colour.
    pub(crate) fn over(&self, ground: &str, indexed: bool) -> Style {
        let style = Style::new().bg(self.colour(ground, indexed));
        if indexed {
            style.fg(self.legible(self.colour("text", false), &[ground]))
        } else {
            style
        }
    }

    /// Returns the nearest of 256 colours with which a text is as legible as with all: on each of some grounds on which it has enough
    /// contrast among all colours. If there is none, the one with the most contrast.
    fn legible(&self, text: Color, grounds: &[&str]) -> Color {
        let grounds: Vec<Color> = (grounds.iter())
            .filter(|ground| contrast(text, self.colour(ground, false)) >= LEAST_CONTRAST)
            .map(|ground| self.colour(ground, true))
            .collect();
        let least = |number: u8| least_contrast(Color::Indexed(number), &grounds);
        let mut nearest: Vec<u8> = (16..=u8::MAX).collect();
        nearest.sort_by_key(|number| distance(text, Color::Indexed(*number)));
        let mut legible = nearest.iter().copied();
        let legible = legible.find(|number| least(*number) >= LEAST_CONTRAST);
        let number =
            legible.or_else(|| (16..=u8::MAX).max_by(|a, b| least(*a).total_cmp(&least(*b))));
        number.map_or(text, Color::Indexed)
    }
}

/// The meanings that are backgrounds: first those of source code, then those of other text, then those that set the colour of their
/// text.
const GROUNDS: [&str; 13] = [
    "ground",
    "removed-line",
    "added-line",
    "absent",
    "moved-line",
    "bar",
    "dialog",
    "file",
    "cursor",
    "selected",
    "found",
    "removed-words",
    "added-words",
];

/// Number of backgrounds on which source code has its own colours.
const CODE_GROUNDS: usize = 5;
/// Number of backgrounds on which text has its own colour.
const TEXT_GROUNDS: usize = 10;

/// The least contrast of text with its ground (WCAG 2.2, 1.4.3).
const LEAST_CONTRAST: f64 = 4.5;

/// Returns the parts of a colour: its own, or those that xterm gives to a number from 16 on.
fn parts(colour: Color) -> [u8; 3] {
    if let Color::Rgb(r, g, b) = colour {
        [r, g, b]
    } else if let Color::Indexed(number @ 232..) = colour {
        [8 + 10 * (number - 232); 3]
    } else if let Color::Indexed(number @ 16..) = colour {
        let number = number - 16;
        [number / 36, number / 6 % 6, number % 6].map(|step| STEPS[usize::from(step)])
    } else {
        [0; 3]
    }
}

/// Returns the least contrast of a text on some grounds.
fn least_contrast(text: Color, grounds: &[Color]) -> f64 {
    let contrasts = grounds.iter().map(|ground| contrast(text, *ground));
    contrasts.fold(f64::INFINITY, f64::min)
}

/// Returns the luminance of a colour (WCAG 2.2).
fn luminance(colour: Color) -> f64 {
    let linear = parts(colour).map(|part| {
        let value = f64::from(part) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    let [r, g, b] = linear;
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Returns the contrast of two colours, from 1 to 21 (WCAG 2.2).
pub(super) fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns the square of a distance of two colours, in which another hue counts more than another brightness.
fn distance(a: Color, b: Color) -> i32 {
    let (a, b) = (parts(a), parts(b));
    let differences = [0, 1, 2].map(|part| i32::from(a[part]) - i32::from(b[part]));
    let all = differences.iter().sum::<i32>() / 3;
    let hue: i32 = differences.iter().map(|one| (one - all).pow(2)).sum();
    4 * hue + 3 * all.pow(2)
}

/// The steps of the colour cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the nearest of the 256 colours: of the 6×6×6 cube or the grey ramp.
pub(crate) fn to_indexed(color: Color) -> Color {
    if !matches!(color, Color::Rgb(..)) {
        return color;
    }
    let nearest = (16..=u8::MAX).min_by_key(|&number| {
        let pairs = parts(color).into_iter().zip(parts(Color::Indexed(number)));
        let squares = pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2));
        squares.sum::<u32>()
    });
    nearest.map_or(color, Color::Indexed)
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
