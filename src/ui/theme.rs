//! Colours by meaning, and the signs that say the same without colour.
//!
//! Every state has a sign, so a theme without any colour loses nothing but comfort. A theme with 16 colours names them
//! and leaves their shades to the terminal.

use ratatui::style::{Color, Modifier, Style};

use super::highlight::Token;

/// Whether the terminal is dark or light.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Light text on dark.
    #[default]
    Dark,
    /// Dark text on light.
    Light,
}

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// None, as `NO_COLOR` asks.
    None,
    /// The 16 that the terminal names.
    Ansi,
    /// 256.
    Indexed,
    /// All.
    True,
}

impl Depth {
    /// What the environment says.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Self {
        let is = |name: &str, wanted: &[&str]| {
            var(name).is_some_and(|value| wanted.iter().any(|part| value.contains(part)))
        };
        if var("NO_COLOR").is_some_and(|value| !value.is_empty()) || is("TERM", &["dumb", "mono"]) {
            Self::None
        } else if is("COLORTERM", &["truecolor", "24bit"]) || is("TERM", &["direct"]) {
            Self::True
        } else if is("TERM", &["256"]) {
            Self::Indexed
        } else {
            Self::Ansi
        }
    }
}

impl Background {
    /// What the environment says: `COLORFGBG` ends in the number of the background's colour.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Self {
        let number =
            var("COLORFGBG").and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
        match number {
            Some(7 | 9..=15) => Self::Light,
            Some(_) | None => Self::Dark,
        }
    }
}

/// The styles of everything on the screen.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Text that is nothing else.
    pub text: Style,
    /// Text that steps back: line numbers, borders, hints.
    pub quiet: Style,
    /// The lines between panes.
    pub border: Style,
    /// A name or a number that should be found quickly.
    pub strong: Style,
    /// The head of a file in the stream.
    pub file: Style,
    /// The head of a hunk in the stream.
    pub hunk: Style,
    /// Removed lines.
    pub removed: ChangeStyle,
    /// Added lines.
    pub added: ChangeStyle,
    /// Accepted.
    pub accepted: Style,
    /// Rejected.
    pub rejected: Style,
    /// Not decided, or in part.
    pub undecided: Style,
    /// Changed by the person.
    pub edited: Style,
    /// In need of a look.
    pub attention: Style,
    /// The person's comments.
    pub comment: Style,
    /// The line of the cursor.
    pub cursor: Style,
    /// The cell of the text cursor.
    pub caret: Style,
    /// Selected lines or text.
    pub selected: Style,
    /// What the search found.
    pub found: Style,
    /// A key in a hint or in the help.
    pub key: Style,
    /// The bar at the top.
    pub bar: Style,
    /// A dialog over the rest.
    pub dialog: Style,
    tokens: [Color; Token::ALL.len()],
}

/// The styles of one side of a change.
#[derive(Debug, Clone, Copy)]
pub struct ChangeStyle {
    /// The whole line.
    pub line: Style,
    /// The words that differ.
    pub words: Style,
    /// The sign and the line number.
    pub sign: Style,
    /// Where this side has no line.
    pub absent: Style,
}

/// What a theme is mixed from, in true colour.
struct Palette {
    text: Color,
    quiet: Color,
    border: Color,
    strong: Color,
    file: Color,
    removed: [Color; 3],
    added: [Color; 3],
    absent: Color,
    green: Color,
    red: Color,
    yellow: Color,
    blue: Color,
    orange: Color,
    cursor: Color,
    selected: Color,
    found: Color,
    bar: Color,
    dialog: Color,
    tokens: [Color; Token::ALL.len()],
}

const fn rgb(hex: u32) -> Color {
    let [_, r, g, b] = hex.to_be_bytes();
    Color::Rgb(r, g, b)
}

const DARK: Palette = Palette {
    text: rgb(0x00_d4_d7_dd),
    quiet: rgb(0x00_6b_74_84),
    border: rgb(0x00_3a_41_4d),
    strong: rgb(0x00_f2_f4_f8),
    file: rgb(0x00_22_28_32),
    removed: [rgb(0x00_33_1c_21), rgb(0x00_6e_2a_33), rgb(0x00_e0_6c_75)],
    added: [rgb(0x00_17_2e_22), rgb(0x00_24_5c_3c), rgb(0x00_7e_c6_8f)],
    absent: rgb(0x00_17_1a_20),
    green: rgb(0x00_7e_c6_8f),
    red: rgb(0x00_ee_7b_84),
    yellow: rgb(0x00_e2_c0_6d),
    blue: rgb(0x00_7c_b7_f5),
    orange: rgb(0x00_f0_9a_62),
    cursor: rgb(0x00_2c_35_44),
    selected: rgb(0x00_2f_4a_73),
    found: rgb(0x00_6b_5a_1e),
    bar: rgb(0x00_1c_21_2a),
    dialog: rgb(0x00_1f_25_2f),
    tokens: [
        rgb(0x00_d4_d7_dd),
        rgb(0x00_7a_85_96),
        rgb(0x00_a5_cf_8a),
        rgb(0x00_e5_b0_7b),
        rgb(0x00_c9_9b_ee),
        rgb(0x00_7c_b7_f5),
        rgb(0x00_6c_cf_d3),
        rgb(0x00_e3_c9_8f),
        rgb(0x00_ee_8f_97),
        rgb(0x00_f2_f4_f8),
        rgb(0x00_9a_a5_b8),
    ],
};

const LIGHT: Palette = Palette {
    text: rgb(0x00_2b_30_3a),
    quiet: rgb(0x00_7d_86_95),
    border: rgb(0x00_c9_ce_d6),
    strong: rgb(0x00_0d_11_18),
    file: rgb(0x00_e6_ea_f0),
    removed: [rgb(0x00_fd_e9_ea), rgb(0x00_f7_bd_c1), rgb(0x00_bb_2b_38)],
    added: [rgb(0x00_e4_f5_e8), rgb(0x00_ab_e0_b8), rgb(0x00_1c_7a_3c)],
    absent: rgb(0x00_f3_f4_f6),
    green: rgb(0x00_1c_7a_3c),
    red: rgb(0x00_bb_2b_38),
    yellow: rgb(0x00_8a_64_00),
    blue: rgb(0x00_1d_5f_b8),
    orange: rgb(0x00_b3_52_0c),
    cursor: rgb(0x00_dd_e6_f3),
    selected: rgb(0x00_bc_d6_f7),
    found: rgb(0x00_fb_e3_8a),
    bar: rgb(0x00_ec_ef_f3),
    dialog: rgb(0x00_f4_f6_f9),
    tokens: [
        rgb(0x00_2b_30_3a),
        rgb(0x00_76_7f_8d),
        rgb(0x00_2f_73_2b),
        rgb(0x00_9a_4f_06),
        rgb(0x00_7a_2f_b5),
        rgb(0x00_1d_5f_b8),
        rgb(0x00_0b_6e_75),
        rgb(0x00_7a_5b_00),
        rgb(0x00_b0_2a_37),
        rgb(0x00_0d_11_18),
        rgb(0x00_5a_64_73),
    ],
};

impl Theme {
    /// The theme for a terminal.
    pub fn new(background: Background, depth: Depth) -> Self {
        let palette = match background {
            Background::Dark => &DARK,
            Background::Light => &LIGHT,
        };
        match depth {
            Depth::None => Self::plain(),
            Depth::Ansi => Self::ansi(background),
            Depth::Indexed => Self::mixed(palette, to_indexed),
            Depth::True => Self::mixed(palette, |color| color),
        }
    }

    /// The colour of a token.
    pub fn token(&self, token: Token) -> Color {
        let number = Token::ALL.iter().position(|&other| other == token);
        self.tokens[number.unwrap_or(0)]
    }

    fn mixed(palette: &Palette, show: impl Fn(Color) -> Color) -> Self {
        let fg = |color: Color| Style::new().fg(show(color));
        let bg = |color: Color| Style::new().bg(show(color));
        let change = |[line, words, sign]: [Color; 3]| ChangeStyle {
            line: bg(line),
            words: bg(words),
            sign: fg(sign).bg(show(line)),
            absent: bg(palette.absent),
        };
        Self {
            text: fg(palette.text),
            quiet: fg(palette.quiet),
            border: fg(palette.border),
            strong: fg(palette.strong).add_modifier(Modifier::BOLD),
            file: bg(palette.file),
            hunk: fg(palette.blue),
            removed: change(palette.removed),
            added: change(palette.added),
            accepted: fg(palette.green),
            rejected: fg(palette.red),
            undecided: fg(palette.quiet),
            edited: fg(palette.yellow),
            attention: fg(palette.orange).add_modifier(Modifier::BOLD),
            comment: fg(palette.yellow).add_modifier(Modifier::ITALIC),
            cursor: bg(palette.cursor),
            caret: Style::new().add_modifier(Modifier::REVERSED),
            selected: bg(palette.selected),
            found: bg(palette.found),
            key: fg(palette.blue).add_modifier(Modifier::BOLD),
            bar: fg(palette.text).bg(show(palette.bar)),
            dialog: fg(palette.text).bg(show(palette.dialog)),
            tokens: palette.tokens.map(show),
        }
    }

    /// The colours that the terminal names. Lines keep the terminal's background, as its shades are not known.
    fn ansi(background: Background) -> Self {
        let fg = |color: Color| Style::new().fg(color);
        let quiet = match background {
            Background::Dark => Color::DarkGray,
            Background::Light => Color::Gray,
        };
        let change = |color: Color| ChangeStyle {
            line: Style::new(),
            words: fg(color).add_modifier(Modifier::REVERSED),
            sign: fg(color).add_modifier(Modifier::BOLD),
            absent: Style::new(),
        };
        Self {
            text: Style::new(),
            quiet: fg(quiet),
            border: fg(quiet),
            strong: Style::new().add_modifier(Modifier::BOLD),
            file: Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            hunk: fg(Color::Blue),
            removed: change(Color::Red),
            added: change(Color::Green),
            accepted: fg(Color::Green),
            rejected: fg(Color::Red),
            undecided: fg(quiet),
            edited: fg(Color::Yellow),
            attention: fg(Color::Magenta).add_modifier(Modifier::BOLD),
            comment: fg(Color::Yellow),
            cursor: Style::new().add_modifier(Modifier::BOLD),
            caret: Style::new().add_modifier(Modifier::REVERSED),
            selected: Style::new().add_modifier(Modifier::REVERSED),
            found: fg(Color::Black).bg(Color::Yellow),
            key: fg(Color::Blue).add_modifier(Modifier::BOLD),
            bar: Style::new().add_modifier(Modifier::BOLD),
            dialog: Style::new(),
            tokens: [
                Color::Reset,
                quiet,
                Color::Green,
                Color::Yellow,
                Color::Magenta,
                Color::Blue,
                Color::Cyan,
                Color::Reset,
                Color::Red,
                Color::Reset,
                Color::Reset,
            ],
        }
    }

    /// No colour at all: bold, underlined and reversed text, and the signs.
    fn plain() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let reversed = plain.add_modifier(Modifier::REVERSED);
        let change = ChangeStyle {
            line: plain,
            words: plain.add_modifier(Modifier::UNDERLINED),
            sign: bold,
            absent: plain,
        };
        Self {
            text: plain,
            quiet: plain,
            border: plain,
            strong: bold,
            file: bold.add_modifier(Modifier::UNDERLINED),
            hunk: bold,
            removed: change,
            added: change,
            accepted: bold,
            rejected: bold,
            undecided: plain,
            edited: bold,
            attention: bold,
            comment: plain.add_modifier(Modifier::ITALIC),
            cursor: bold,
            caret: reversed,
            selected: reversed,
            found: reversed,
            key: bold,
            bar: bold,
            dialog: plain,
            tokens: [Color::Reset; Token::ALL.len()],
        }
    }
}

/// The nearest of the 256 colours: the 6×6×6 cube or the grey ramp, whichever is closer.
fn to_indexed(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else {
        return color;
    };
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest = |value: u8| {
        (0..6)
            .min_by_key(|&i| STEPS[usize::from(i)].abs_diff(value))
            .unwrap_or(0)
    };
    let distance = |cr: u8, cg: u8, cb: u8| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(r, cr) + square(g, cg) + square(b, cb)
    };
    let cube: [u8; 3] = [nearest(r), nearest(g), nearest(b)];
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

/// The signs of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named for what it says")]
pub struct Signs {
    pub accepted: &'static str,
    pub rejected: &'static str,
    pub undecided: &'static str,
    pub mixed: &'static str,
    pub edited: &'static str,
    pub attention: &'static str,
    pub applied: &'static str,
    pub protected: &'static str,
    pub comment: &'static str,
    pub fold: &'static str,
    pub more_left: &'static str,
    pub more_right: &'static str,
    pub here: &'static str,
    pub vertical: &'static str,
    pub horizontal: &'static str,
    pub dot: &'static str,
    pub full: &'static str,
    pub empty: &'static str,
    pub minus: &'static str,
    pub absent: &'static str,
    pub tab: &'static str,
    pub blank: &'static str,
    pub wrapped: &'static str,
}

impl Signs {
    /// The signs for a terminal that shows Unicode.
    pub const UNICODE: Self = Self {
        accepted: "✓",
        rejected: "✗",
        undecided: "·",
        mixed: "◐",
        edited: "✎",
        attention: "!",
        applied: "=",
        protected: "#",
        comment: "»",
        fold: "⋯",
        more_left: "‹",
        more_right: "›",
        here: "▌",
        vertical: "│",
        horizontal: "─",
        dot: "·",
        full: "━",
        empty: "─",
        minus: "−",
        absent: "╱",
        tab: "→",
        blank: "·",
        wrapped: "↪",
    };

    /// The same in ASCII.
    pub const ASCII: Self = Self {
        accepted: "v",
        rejected: "x",
        undecided: ".",
        mixed: "%",
        edited: "*",
        attention: "!",
        applied: "=",
        protected: "#",
        comment: ">",
        fold: "...",
        more_left: "<",
        more_right: ">",
        here: ">",
        vertical: "|",
        horizontal: "-",
        dot: "-",
        full: "#",
        empty: "-",
        minus: "-",
        absent: " ",
        tab: ">",
        blank: ".",
        wrapped: "\\",
    };

    /// ASCII where the locale cannot show more.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| var(name).filter(|value| !value.is_empty()));
        match locale {
            Some(locale)
                if !locale
                    .to_ascii_lowercase()
                    .replace('-', "")
                    .contains("utf8") =>
            {
                Self::ASCII
            }
            Some(_) | None => Self::UNICODE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        let depth = |vars: &[(&str, &str)]| {
            Depth::from_env(|name| {
                let found = vars.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(
            depth(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]),
            Depth::True
        );
        assert_eq!(
            depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]),
            Depth::None
        );
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Ansi);
    }

    #[test]
    fn true_colours_go_to_their_nearest_number() {
        assert_eq!(to_indexed(rgb(0)), Color::Indexed(16));
        assert_eq!(to_indexed(rgb(0x00_ff_00_00)), Color::Indexed(196));
        assert_eq!(to_indexed(rgb(0x00_1c_1c_1c)), Color::Indexed(234));
    }

    #[test]
    fn a_theme_without_colour_has_none() {
        let theme = Theme::new(Background::Dark, Depth::None);
        for style in [
            theme.text,
            theme.added.line,
            theme.removed.words,
            theme.accepted,
            theme.cursor,
        ] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }
}
