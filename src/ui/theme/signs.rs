//! The signs that say the same as colours do.

use ratatui::symbols::border::{ROUNDED, Set};

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
    pub chosen: &'static str,
    pub vertical: &'static str,
    pub horizontal: &'static str,
    pub dot: &'static str,
    pub full: &'static str,
    pub empty: &'static str,
    pub minus: &'static str,
    pub moved_away: &'static str,
    pub moved_here: &'static str,
    /// Added since an earlier version was rejected.
    pub new_since: &'static str,
    pub tab: &'static str,
    pub blank: &'static str,
    pub becomes: &'static str,
    /// Between an outer definition and one inside it.
    pub inside: &'static str,
    pub cut: &'static str,
    pub line_feed: &'static str,
    pub carriage_return: &'static str,
    pub no_newline: &'static str,
    pub frame: Set<'static>,
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
        chosen: "◆",
        vertical: "│",
        horizontal: "─",
        dot: "·",
        full: "━",
        empty: "─",
        minus: "−",
        moved_away: "◂",
        moved_here: "▸",
        new_since: "◦",
        tab: "→",
        blank: "·",
        becomes: "→",
        inside: "▸",
        cut: "…",
        line_feed: "␊",
        carriage_return: "␍␊",
        no_newline: "∅",
        frame: ROUNDED,
    };

    /// Those that are one column wide on every terminal that shows Unicode, whatever it makes of characters of ambiguous width.
    pub const EVEN: Self = Self {
        undecided: Self::ASCII.undecided,
        mixed: Self::ASCII.mixed,
        here: Self::ASCII.here,
        chosen: Self::ASCII.chosen,
        vertical: Self::ASCII.vertical,
        horizontal: Self::ASCII.horizontal,
        dot: Self::ASCII.dot,
        full: Self::ASCII.full,
        empty: Self::ASCII.empty,
        tab: Self::ASCII.tab,
        blank: Self::ASCII.blank,
        becomes: Self::ASCII.becomes,
        inside: Self::ASCII.inside,
        cut: Self::ASCII.cut,
        frame: PLAIN,
        ..Self::UNICODE
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
        chosen: "*",
        vertical: "|",
        horizontal: "-",
        dot: "-",
        full: "#",
        empty: "-",
        minus: "-",
        moved_away: "<",
        moved_here: ">",
        new_since: "*",
        tab: ">",
        blank: ".",
        becomes: "->",
        inside: ">",
        cut: "~",
        line_feed: "$",
        carriage_return: "^M$",
        no_newline: "!",
        frame: PLAIN,
    };

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
