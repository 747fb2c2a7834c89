//! Normalizes lines for each rung of the ladder.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use crate::locate::placement::Rung;

/// The characters of indentation and of blank runs. Other Unicode spaces are folded on the punctuation rung only.
const BLANKS: [char; 2] = [' ', '\t'];

/// Returns the normalized form of a line on a rung: two lines match there if their forms are equal.
///
/// On [`Rung::Indent`] equal forms are not enough: the whole block must also be shifted alike. On [`Rung::BlankLines`] blank
/// lines are skipped. [`Rung::Similar`] compares by score; its prefilter uses the forms of [`Rung::Punctuation`].
pub(crate) fn fold(rung: Rung, line: &str) -> Cow<'_, str> {
    match rung {
        Rung::Exact => Cow::Borrowed(line),
        Rung::TrailingBlanks => Cow::Borrowed(line.trim_end_matches(BLANKS)),
        Rung::Indent => Cow::Borrowed(line.trim_matches(BLANKS)),
        Rung::Blanks => one_blank(line.trim_matches(BLANKS)),
        Rung::Punctuation | Rung::BlankLines | Rung::Similar => plain(line),
    }
}

/// Returns true if a line contains only spaces and tabs, or nothing.
pub(crate) fn is_blank(line: &str) -> bool {
    line.trim_matches(BLANKS).is_empty()
}

/// Returns true if a line contains a letter or a digit, and not only blanks, brackets and other punctuation.
pub(crate) fn has_word(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Returns a line with every run of blanks as one space.
fn one_blank(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let already = !bytes.contains(&b'\t') && !bytes.windows(2).any(|pair| pair == b"  ");
    if already {
        return Cow::Borrowed(line);
    }
    let words: Vec<&str> = line.split(BLANKS).filter(|word| !word.is_empty()).collect();
    Cow::Owned(words.join(" "))
}

/// Returns a line with typographic characters and compatibility forms as plain characters, and blanks as in [`one_blank`].
fn plain(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return one_blank(line.trim_matches(BLANKS));
    }
    let mut text = String::with_capacity(line.len());
    for c in line.nfkc() {
        match c {
            '\u{2018}'..='\u{201B}' | '\u{2032}' => text.push('\''),
            '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{00AB}' | '\u{00BB}' => text.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => text.push('-'),
            '\u{200B}' | '\u{FEFF}' => (),
            c if c.is_whitespace() => text.push(' '),
            c => text.push(c),
        }
    }
    Cow::Owned(one_blank(text.trim()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rung_overlooks_more() {
        let check = |rung, line: &str, expected: &str| {
            assert_eq!(fold(rung, line), expected, "{rung} {line:?}");
        };
        check(Rung::Exact, " a  b ", " a  b ");
        check(Rung::TrailingBlanks, " a  b \t", " a  b");
        check(Rung::TrailingBlanks, "  \t", "");
        check(Rung::Indent, "\t a  b ", "a  b");
        check(Rung::Blanks, "\ta \t b ", "a b");
        check(
            Rung::Punctuation,
            " \u{201C}a\u{201D}\u{A0}\u{2014} b\u{2026} ",
            "\"a\" - b...",
        );
        check(Rung::Punctuation, "\u{FF08}a\u{FF09}", "(a)");
    }
}
