//! The signs that say the same as colours do.

use ratatui::symbols::border::{ROUNDED, Set};

use crate::text::LineEnding;

/// A frame of ASCII.
const PLAIN: Set<'static> = Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Declares the signs, each as Unicode shows it, in one column on every terminal, and in ASCII.
macro_rules! signs {
    ($($(#[$doc:meta])* $name:ident: $unicode:literal, $even:literal, $ascii:literal;)*) => {
        /// The signs of states.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is named for what it says")]
        pub struct Signs {
            $($(#[$doc])* pub $name: &'static str,)*
            pub frame: Set<'static>,
        }

        impl Signs {
            /// The signs for a terminal that shows Unicode.
            pub const UNICODE: Self = Self { $($name: $unicode,)* frame: ROUNDED };

            /// Those that are one column wide on every terminal that shows Unicode, whatever it makes of characters of ambiguous
            /// width.
            pub const EVEN: Self = Self { $($name: $even,)* frame: PLAIN };

            /// The same in ASCII.
            pub const ASCII: Self = Self { $($name: $ascii,)* frame: PLAIN };
        }
    };
}

signs! {
    accepted: "✓", "✓", "v";
    rejected: "✗", "✗", "x";
    undecided: "·", ".", ".";
    mixed: "◐", "%", "%";
    edited: "✎", "✎", "*";
    attention: "!", "!", "!";
    applied: "=", "=", "=";
    protected: "#", "#", "#";
    comment: "»", "»", ">";
    fold: "⋯", "⋯", "...";
    more_left: "‹", "‹", "<";
    more_right: "›", "›", ">";
    here: "▌", ">", ">";
    /// In the gutter of a row in which the line above goes on.
    continues: "↳", "↳", "\\";
    /// In the last row: the hunk goes on below the screen.
    more_below: "▾", "v", "V";
    chosen: "◆", "*", "*";
    vertical: "│", "|", "|";
    horizontal: "─", "-", "-";
    dot: "·", "-", "-";
    full: "━", "#", "#";
    empty: "─", "-", "-";
    minus: "−", "−", "-";
    moved_away: "◂", "◂", "<";
    moved_here: "▸", "▸", ">";
    /// Added since an earlier version was rejected.
    new_since: "◦", "◦", "*";
    tab: "→", ">", ">";
    blank: "·", ".", ".";
    /// Blank of two columns.
    wide_blank: "□", "_", "_";
    becomes: "→", "->", "->";
    /// Between an outer definition and one inside it.
    inside: "▸", ">", ">";
    cut: "…", "~", "~";
    line_feed: "␊", "␊", "$";
    carriage_return: "␍␊", "␍␊", "^M$";
    no_newline: "∅", "∅", "!";
}

impl Signs {
    /// ASCII where the locale cannot show more.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> &'static Self {
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
                &Self::ASCII
            }
            Some(_) | None => &Self::UNICODE,
        }
    }
}

impl Signs {
    /// Returns the sign of a blank; `None` for one that is shown by its number.
    pub(crate) fn of_blank(&self, blank: char) -> Option<&'static str> {
        match blank {
            '\t' => Some(self.tab),
            ' ' => Some(self.blank),
            '\u{3000}' => Some(self.wide_blank),
            _ => None,
        }
    }

    /// Returns the sign of a line ending.
    pub(crate) fn ending(&self, ending: LineEnding) -> &'static str {
        match ending {
            LineEnding::Lf => self.line_feed,
            LineEnding::CrLf => self.carriage_return,
            LineEnding::None => self.no_newline,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_even_signs_are_narrow_on_every_terminal() {
        use unicode_width::UnicodeWidthChar;

        let shown = format!("{:?}", Signs::EVEN);
        let wide: Vec<char> = (shown.chars())
            .filter(|c| c.width_cjk().is_some_and(|width| width > 1))
            .collect();
        assert!(wide.is_empty(), "{wide:?}");
    }

    #[test]
    fn the_ascii_signs_are_ascii() {
        assert!(format!("{:?}", Signs::ASCII).is_ascii());
    }
}
