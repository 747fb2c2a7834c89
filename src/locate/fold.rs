//! What each rung of the ladder overlooks in a line.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::place::Rung;

/// The characters of indentation and of blank runs. Other Unicode spaces are folded on the punctuation rung only.
const BLANKS: [char; 2] = [' ', '\t'];

/// A line as a rung sees it: two lines match on the rung if they look the same.
///
/// On [`Rung::Indent`] equal looks are not enough: the whole block must also be shifted alike. On [`Rung::BlankLines`] blank
/// lines are not looked at. [`Rung::Similar`] does not fold; its prefilter sees lines as [`Rung::Punctuation`] does.
pub(super) fn fold(rung: Rung, line: &str) -> Cow<'_, str> {
    match rung {
        Rung::Exact => Cow::Borrowed(line),
        Rung::TrailingBlanks => Cow::Borrowed(line.trim_end_matches(BLANKS)),
        Rung::Indent => Cow::Borrowed(line.trim_matches(BLANKS)),
        Rung::Blanks => one_blank(line.trim_matches(BLANKS)),
        Rung::Punctuation | Rung::BlankLines | Rung::Similar => plain(line),
    }
}

/// Whether a line holds nothing but blanks.
pub(super) fn is_blank(line: &str) -> bool {
    line.trim_matches(BLANKS).is_empty()
}

/// Whether a line is more than blanks, brackets and other signs: it has a letter or a digit.
pub(super) fn has_word(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

/// Every run of blanks as one space.
fn one_blank(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let already = !bytes.contains(&b'\t') && !bytes.windows(2).any(|pair| pair == b"  ");
    if already {
        return Cow::Borrowed(line);
    }
    let words: Vec<&str> = line.split(BLANKS).filter(|word| !word.is_empty()).collect();
    Cow::Owned(words.join(" "))
}

/// Typography and compatibility forms as their plain characters, then blanks as [`one_blank`].
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
