//! Theme files: colours by meaning, as TOML.

use std::ops::Range;

use ratatui::style::Color;
use thiserror::Error;
use toml::de::{DeTable, DeValue};

use super::capability::Background;
use super::palette::{MEANINGS, Palette, TOKENS};
use crate::text::{LineNo, did_you_mean};

/// Built-in themes by name. The first of each background supplies what a file leaves out.
pub const THEMES: [(&str, &str); 6] = [
    ("dark", include_str!("../../../assets/themes/dark.toml")),
    ("light", include_str!("../../../assets/themes/light.toml")),
    (
        "blue-orange-dark",
        include_str!("../../../assets/themes/blue-orange-dark.toml"),
    ),
    (
        "blue-orange-light",
        include_str!("../../../assets/themes/blue-orange-light.toml"),
    ),
    (
        "contrast-dark",
        include_str!("../../../assets/themes/contrast-dark.toml"),
    ),
    (
        "contrast-light",
        include_str!("../../../assets/themes/contrast-light.toml"),
    ),
];

/// Error in a theme file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct ThemeError {
    /// Line.
    pub line: LineNo,
    /// Description, with what was expected.
    pub text: String,
}

impl Palette {
    /// The theme that holds on a background if none is asked for.
    pub fn usual(background: Background) -> Self {
        let (_, text) = match background {
            Background::Dark => THEMES[0],
            Background::Light => THEMES[1],
        };
        // A test says that they are without fault.
        fill(Self::empty(background), text).0
    }

    /// Reads a theme file; what it leaves out is as in the usual theme of its background.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, in the order of its lines.
    pub fn read(text: &str) -> Result<Self, Vec<ThemeError>> {
        let light = DeTable::parse_recoverable(text)
            .0
            .get_ref()
            .get("background")
            .is_some_and(|value| value.get_ref().as_str() == Some("light"));
        let background = if light {
            Background::Light
        } else {
            Background::Dark
        };
        let (palette, errors) = fill(Self::usual(background), text);
        if errors.is_empty() {
            Ok(palette)
        } else {
            Err(errors)
        }
    }

    fn empty(background: Background) -> Self {
        Self {
            background,
            colours: [Color::Reset; MEANINGS.len()],
            tokens: [Color::Reset; TOKENS.len()],
            indexed: [None; MEANINGS.len()],
        }
    }
}

/// Takes the value of the name at a position, if it is of the right sort.
type Take<'a> = dyn FnMut(usize, &DeValue<'_>) -> Option<()> + 'a;

/// Fills a palette from a file and returns the errors of the file.
fn fill(mut palette: Palette, text: &str) -> (Palette, Vec<ThemeError>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut wrong: Vec<(usize, String)> = errors
        .iter()
        .map(|error| {
            (
                error.span().unwrap_or_default().start,
                error.message().to_owned(),
            )
        })
        .collect();
    let mut tell = |span: Range<usize>, text: String| wrong.push((span.start, text));
    for (name, value) in document.get_ref() {
        let is_table = value.get_ref().as_table().is_some();
        match (name.get_ref().as_ref(), is_table) {
            ("background", false) => {
                if !matches!(value.get_ref().as_str(), Some("dark" | "light")) {
                    let expected = "`background`: expected \"dark\" or \"light\"";
                    tell(name.span(), expected.to_owned());
                }
            }
            ("colours" | "tokens" | "colours-256", true) => (),
            (other, _) => {
                let expected = "expected `background`, `[colours]`, `[tokens]` or `[colours-256]`";
                tell(name.span(), format!("`{other}`: {expected}"));
            }
        }
    }
    let mut each = |table: &str, names: &[&str], expected: &str, take: &mut Take<'_>| {
        let table = document.get_ref().get(table);
        let rows = table.and_then(|table| table.get_ref().as_table());
        for (name, value) in rows.into_iter().flatten() {
            let known = position(names, name.get_ref());
            let taken = known.map(|at| take(at, value.get_ref()));
            match taken {
                Ok(Some(())) => (),
                Ok(None) => tell(
                    name.span(),
                    format!("`{}`: expected {expected}", name.get_ref()),
                ),
                Err(unknown) => tell(name.span(), unknown),
            }
        }
    };
    let a_colour = "a colour like \"#1c7a3c\"";
    each("colours", &MEANINGS, a_colour, &mut |at, value| {
        palette.colours[at] = colour(value)?;
        // A number for the base theme's colour would not be one for this.
        palette.indexed[at] = None;
        Some(())
    });
    each("tokens", &TOKENS, a_colour, &mut |at, value| {
        palette.tokens[at] = colour(value)?;
        Some(())
    });
    // They follow the colours that they replace.
    let a_number = "a number from 0 to 255";
    each("colours-256", &MEANINGS, a_number, &mut |at, value| {
        palette.indexed[at] = Some(number(value)?);
        Some(())
    });
    wrong.sort();
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let wrong = wrong.into_iter().map(|(at, text)| ThemeError {
        line: LineNo::from_idx(line(at)),
        text,
    });
    (palette, wrong.collect())
}

fn position(names: &[&str], name: &str) -> Result<usize, String> {
    let found = names.iter().position(|known| *known == name);
    found.ok_or_else(|| match did_you_mean(name, names.iter().copied()) {
        Some(nearest) => format!("there is no `{name}`; did you mean `{nearest}`?"),
        None => format!("there is no `{name}`; there are: {}", names.join(", ")),
    })
}

fn colour(value: &DeValue<'_>) -> Option<Color> {
    let digits = value.as_str()?.strip_prefix('#')?;
    let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok()?;
    is_hex.then(|| Color::from_u32(number))
}

fn number(value: &DeValue<'_>) -> Option<u8> {
    let whole = value.as_integer()?;
    u8::from_str_radix(whole.as_str(), whole.radix()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::palette::contrast;
    use super::*;

    #[test]
    fn the_themes_of_the_program_are_without_fault_and_complete() {
        for (name, text) in THEMES {
            let background = Palette::read(text).unwrap().background;
            let (palette, errors) = fill(Palette::empty(background), text);
            assert_eq!(errors, [], "{name}");
            assert!(!palette.tokens.contains(&Color::Reset), "{name}");
            assert!(!palette.tokens.contains(&Color::Reset), "{name}");
        }
        assert_eq!(
            Palette::usual(Background::Light).background,
            Background::Light
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let file = "background = 'grey'\n[colours]\ntxt = '#000000'\ntext = 'black'\n[colours-256]\nfound = 256\n[more]\n";
        let told: Vec<String> = (Palette::read(file).unwrap_err().iter())
            .map(|error| format!("{}: {error}", error.line))
            .collect();
        let expected = [
            "1: `background`: expected \"dark\" or \"light\"",
            "3: there is no `txt`; did you mean `text`?",
            "4: `text`: expected a colour like \"#1c7a3c\"",
            "6: `found`: expected a number from 0 to 255",
            "7: `more`: expected `background`, `[colours]`, `[tokens]` or `[colours-256]`",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_a_file_leaves_out_is_as_usual() {
        let palette =
            Palette::read("background = 'light'\n[colours]\nfound = '#ff0000'\n").unwrap();
        let usual = Palette::usual(Background::Light);
        assert_eq!(palette.colour("found", false), Color::Rgb(255, 0, 0));
        assert_eq!(palette.colour("found", true), Color::Indexed(196));
        assert_eq!(
            palette.colour("added-line", true),
            usual.colour("added-line", true)
        );
    }

    #[test]
    fn everything_can_be_read() {
        for (name, text) in THEMES {
            let palette = Palette::read(text).unwrap();
            let check = |text: Color, ground: &str, least: f64, what: &str| {
                let found = contrast(text, palette.colour(ground, false));
                assert!(found >= least, "{name}: {what} on {ground}: {found:.2}");
            };
            let least: f64 = if name.starts_with("contrast") {
                7.0
            } else {
                4.5
            };
            for meaning in [
                "text",
                "strong",
                "key",
                "accepted",
                "rejected",
                "edited",
                "attention",
            ] {
                check(
                    palette.colour(meaning, false),
                    "ground",
                    least.max(4.5),
                    meaning,
                );
            }
            for ground in ["ground", "bar", "dialog", "file", "cursor"] {
                for meaning in ["text", "quiet"] {
                    check(palette.colour(meaning, false), ground, 4.5, meaning);
                }
            }
            check(palette.colour("quiet", false), "ground", least, "quiet");
            for (words, sign) in [
                ("removed-words", "removed-sign"),
                ("added-words", "added-sign"),
            ] {
                check(palette.colour("text", false), words, 4.5, sign);
            }
            check(
                palette.colour("removed-sign", false),
                "removed-line",
                least,
                "removed-sign",
            );
            check(
                palette.colour("added-sign", false),
                "added-line",
                least,
                "added-sign",
            );
            for sign in ["moved-sign", "removed-sign", "added-sign"] {
                check(palette.colour(sign, false), "moved-line", least, sign);
            }
            for (token, what) in palette.tokens.into_iter().zip(TOKENS) {
                let lines = ["ground", "removed-line", "added-line", "moved-line"];
                let words = ["removed-words", "added-words", "found"];
                for ground in lines.into_iter().chain(words) {
                    check(token, ground, 4.5, what);
                }
            }
        }
    }
}
