//! The style of everything on the screen.

use ratatui::style::{Color, Modifier, Style};

use super::capability::{Background, Depth};
use super::palette::Palette;
use crate::ui::highlight::TokenKind;

/// The styles of everything on the screen.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Under everything. It is painted where colours are ours, as how they would go with the terminal's own ground is not
    /// known.
    pub ground: Style,
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
    /// Lines that were moved.
    pub moved: MovedStyle,
    /// Accepted.
    pub accepted: Style,
    /// Rejected.
    pub rejected: Style,
    /// Not decided, or in part.
    pub undecided: Style,
    /// Changed by the person.
    pub edited: Style,
    /// Needs attention.
    pub attention: Style,
    /// The person's comments.
    pub comment: Style,
    /// The line of the cursor.
    pub cursor: Style,
    /// Selected lines or text.
    pub selected: Style,
    /// Matches of the search.
    pub found: Style,
    /// A key in a hint or in the help.
    pub key: Style,
    /// The bar at the top.
    pub bar: Style,
    /// A dialog over the rest.
    pub dialog: Style,
    tokens: [Color; TokenKind::ALL.len()],
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
    /// The side without a line.
    pub absent: Style,
}

/// The styles of lines that were moved, over those of their side.
#[derive(Debug, Clone, Copy)]
pub struct MovedStyle {
    /// The whole line.
    pub line: Style,
    /// The sign.
    pub sign: Style,
}

impl Theme {
    /// The theme that a palette gives on a terminal.
    pub fn new(palette: &Palette, depth: Depth) -> Self {
        match depth {
            Depth::None => Self::plain(),
            Depth::Ansi => Self::ansi(palette.background),
            Depth::Indexed => Self::mixed(palette, true),
            Depth::True => Self::mixed(palette, false),
        }
    }

    /// The colour of a token.
    pub fn token(&self, token: TokenKind) -> Color {
        let number = TokenKind::ALL.iter().position(|&other| other == token);
        self.tokens[number.unwrap_or(0)]
    }

    fn mixed(palette: &Palette, indexed: bool) -> Self {
        let of = |meaning: &str| palette.colour(meaning, indexed);
        let fg = |meaning: &str| Style::new().fg(of(meaning));
        let bg = |meaning: &str| Style::new().bg(of(meaning));
        let [removed, added] = [
            ["removed-line", "removed-words", "removed-sign"],
            ["added-line", "added-words", "added-sign"],
        ]
        .map(|[line, words, sign]| ChangeStyle {
            line: bg(line),
            words: palette.over(words, indexed),
            sign: fg(sign).bg(of(line)),
            absent: bg("absent"),
        });
        Self {
            ground: fg("text").bg(of("ground")),
            text: fg("text"),
            quiet: fg("quiet"),
            border: fg("border"),
            strong: fg("strong").add_modifier(Modifier::BOLD),
            file: bg("file"),
            hunk: fg("key"),
            removed,
            added,
            moved: MovedStyle {
                line: bg("moved-line"),
                sign: fg("moved-sign").bg(of("moved-line")),
            },
            accepted: fg("accepted"),
            rejected: fg("rejected"),
            undecided: fg("quiet"),
            edited: fg("edited"),
            attention: fg("attention").add_modifier(Modifier::BOLD),
            comment: fg("edited").add_modifier(Modifier::ITALIC),
            cursor: bg("cursor"),
            selected: palette.over("selected", indexed),
            found: palette.over("found", indexed),
            key: fg("key").add_modifier(Modifier::BOLD),
            bar: fg("text").bg(of("bar")),
            dialog: fg("text").bg(of("dialog")),
            tokens: palette.tokens.map(|colour| palette.token(colour, indexed)),
        }
    }

    /// The colours that the terminal names. Lines keep the terminal's background, as its shades are not known.
    ///
    /// What is quiet has the one that is between black and white: on a light ground the other grey could not be read. Neither could
    /// green, yellow and cyan text: there it has no colour, and is bold if it has one elsewhere.
    fn ansi(background: Background) -> Self {
        let fg = |color: Color| Style::new().fg(color);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let quiet = Color::DarkGray;
        let is_light = background == Background::Light;
        let bright = |color: Color| if is_light { bold } else { fg(color) };
        let token = |color: Color| if is_light { Color::Reset } else { color };
        let [removed, added] = [fg(Color::Red), bright(Color::Green)].map(|style| ChangeStyle {
            line: Style::new(),
            words: style.add_modifier(Modifier::REVERSED),
            sign: style.add_modifier(Modifier::BOLD),
            absent: Style::new(),
        });
        Self {
            ground: Style::new(),
            text: Style::new(),
            quiet: fg(quiet),
            border: fg(quiet),
            strong: bold,
            file: bold.add_modifier(Modifier::UNDERLINED),
            hunk: fg(Color::Blue),
            removed,
            added,
            moved: MovedStyle {
                line: Style::new(),
                sign: bright(Color::Cyan).add_modifier(Modifier::BOLD),
            },
            accepted: bright(Color::Green),
            rejected: fg(Color::Red),
            undecided: fg(quiet),
            edited: bright(Color::Yellow),
            attention: fg(Color::Magenta).add_modifier(Modifier::BOLD),
            comment: bright(Color::Yellow),
            cursor: bold,
            // Without the colours of its text, which would be those of the ground then.
            selected: fg(Color::Reset).add_modifier(Modifier::REVERSED),
            found: fg(Color::Black).bg(Color::Yellow),
            key: fg(Color::Blue).add_modifier(Modifier::BOLD),
            bar: bold,
            dialog: Style::new(),
            tokens: [
                Color::Reset,
                quiet,
                token(Color::Green),
                token(Color::Yellow),
                Color::Magenta,
                Color::Blue,
                token(Color::Cyan),
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
            ground: plain,
            text: plain,
            quiet: plain,
            border: plain,
            strong: bold,
            file: bold.add_modifier(Modifier::UNDERLINED),
            hunk: bold,
            removed: change,
            added: change,
            moved: MovedStyle {
                line: plain,
                sign: bold,
            },
            accepted: bold,
            rejected: bold,
            undecided: plain,
            edited: bold,
            attention: bold,
            comment: plain.add_modifier(Modifier::ITALIC),
            cursor: bold,
            selected: reversed,
            found: reversed,
            key: bold,
            bar: bold,
            dialog: plain,
            tokens: [Color::Reset; TokenKind::ALL.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::Background;

    #[test]
    fn sixteen_colours_leave_out_those_that_a_light_ground_hides() {
        let colours = |background: Background| {
            let theme = Theme::new(&Palette::usual(background), Depth::Ansi);
            let styles = [
                theme.accepted,
                theme.edited,
                theme.comment,
                theme.added.sign,
                theme.added.words,
                theme.moved.sign,
            ];
            let tokens = TokenKind::ALL.map(|token| Some(theme.token(token)));
            let all = styles.map(|style| style.fg).into_iter().chain(tokens);
            let hidden = [Color::Green, Color::Yellow, Color::Cyan];
            all.flatten().any(|colour| hidden.contains(&colour))
        };
        assert!(colours(Background::Dark));
        assert!(!colours(Background::Light));
    }

    #[test]
    fn a_theme_without_colour_has_none() {
        let theme = Theme::new(&Palette::usual(Background::Dark), Depth::None);
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
