//! The one measure of text: how many columns it takes on the terminal.
//!
//! Most characters take as many as Unicode says. Those of ambiguous width (Unicode Standard Annex #11: `±`, `α`, `…`, frames) take one on
//! most terminals and two on those that are set up for Chinese, Japanese or Korean, and no terminal can be asked. So the person
//! says it, and it holds for the thread: a thread draws on one terminal, and whatever it measures goes there.

use std::cell::Cell;

use unicode_width::UnicodeWidthStr;

/// Width of ambiguous characters on the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ambiguous {
    /// One column.
    #[default]
    Narrow,
    /// Two columns.
    Wide,
}

/// Letters and spacing accents of ambiguous width, which `unicode-width` counts as one column. From
/// `EastAsianWidth.txt` of Unicode, first and last of each range.
#[rustfmt::skip]
const LETTERS: [(char, char); 61] = [
    ('\u{a8}', '\u{a8}'), ('\u{aa}', '\u{aa}'), ('\u{b4}', '\u{b4}'), ('\u{b8}', '\u{b8}'),
    ('\u{ba}', '\u{ba}'), ('\u{c6}', '\u{c6}'), ('\u{d0}', '\u{d0}'), ('\u{d8}', '\u{d8}'),
    ('\u{de}', '\u{e1}'), ('\u{e6}', '\u{e6}'), ('\u{e8}', '\u{ea}'), ('\u{ec}', '\u{ed}'),
    ('\u{f0}', '\u{f0}'), ('\u{f2}', '\u{f3}'), ('\u{f8}', '\u{fa}'), ('\u{fc}', '\u{fc}'),
    ('\u{fe}', '\u{fe}'), ('\u{101}', '\u{101}'), ('\u{111}', '\u{111}'), ('\u{113}', '\u{113}'),
    ('\u{11b}', '\u{11b}'), ('\u{126}', '\u{127}'), ('\u{12b}', '\u{12b}'), ('\u{131}', '\u{133}'),
    ('\u{138}', '\u{138}'), ('\u{13f}', '\u{142}'), ('\u{144}', '\u{144}'), ('\u{148}', '\u{14b}'),
    ('\u{14d}', '\u{14d}'), ('\u{152}', '\u{153}'), ('\u{166}', '\u{167}'), ('\u{16b}', '\u{16b}'),
    ('\u{1ce}', '\u{1ce}'), ('\u{1d0}', '\u{1d0}'), ('\u{1d2}', '\u{1d2}'), ('\u{1d4}', '\u{1d4}'),
    ('\u{1d6}', '\u{1d6}'), ('\u{1d8}', '\u{1d8}'), ('\u{1da}', '\u{1da}'), ('\u{1dc}', '\u{1dc}'),
    ('\u{251}', '\u{251}'), ('\u{261}', '\u{261}'), ('\u{2c4}', '\u{2c4}'), ('\u{2c7}', '\u{2c7}'),
    ('\u{2c9}', '\u{2cb}'), ('\u{2cd}', '\u{2cd}'), ('\u{2d0}', '\u{2d0}'), ('\u{2d8}', '\u{2db}'),
    ('\u{2dd}', '\u{2dd}'), ('\u{2df}', '\u{2df}'), ('\u{391}', '\u{3a1}'), ('\u{3a3}', '\u{3a9}'),
    ('\u{3b1}', '\u{3c1}'), ('\u{3c3}', '\u{3c9}'), ('\u{401}', '\u{401}'), ('\u{410}', '\u{44f}'),
    ('\u{451}', '\u{451}'), ('\u{207f}', '\u{207f}'), ('\u{2113}', '\u{2113}'), ('\u{2126}', '\u{2126}'),
    ('\u{212b}', '\u{212b}'),
];

thread_local! {
    static AMBIGUOUS: Cell<Ambiguous> = const { Cell::new(Ambiguous::Narrow) };
}

/// Says how wide characters of ambiguous width are on the terminal of this thread.
pub fn set_ambiguous(ambiguous: Ambiguous) {
    AMBIGUOUS.set(ambiguous);
}

/// The columns of a text in which nothing is made visible.
pub fn terminal_width(text: &str) -> usize {
    match AMBIGUOUS.get() {
        Ambiguous::Narrow => text.width(),
        Ambiguous::Wide => text.width_cjk() + text.chars().filter(|c| is_wide_letter(*c)).count(),
    }
}

/// Returns true for letters of ambiguous width.
fn is_wide_letter(c: char) -> bool {
    let at = LETTERS.partition_point(|(_, last)| *last < c);
    LETTERS.get(at).is_some_and(|(first, _)| *first <= c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, narrow: usize, wide: usize) {
        assert_eq!(terminal_width(text), narrow, "{text:?}");
        set_ambiguous(Ambiguous::Wide);
        assert_eq!(terminal_width(text), wide, "{text:?}");
        set_ambiguous(Ambiguous::Narrow);
    }

    #[test]
    fn letters_are_in_order() {
        assert!(LETTERS.iter().all(|(first, last)| first <= last));
        assert!(LETTERS.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn only_what_is_ambiguous_depends_on_the_terminal() {
        check("a", 1, 1);
        check("日", 2, 2);
        check("🎉", 2, 2);
        check("é", 1, 2);
        check("Привет", 6, 12);
        check("e\u{301}", 1, 1);
        check("±α…│", 4, 8);
        check("✓✗␛", 3, 3);
    }
}
