//! Sentences broken into lines between words.

use std::ops::Range;

use super::glyph;

/// The lines of a sentence at a width, at least one: broken at blanks, and inside a word only if the word alone is too wide.
/// Of a text that fills many screens, the rest is left out.
pub(crate) fn words(text: &str, width: usize) -> Vec<&str> {
    let lines = word_ranges(text, width).into_iter();
    lines.map(|line| &text[line]).collect()
}

/// The bytes of these lines, without the blanks at which they are broken.
pub(crate) fn word_ranges(text: &str, width: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let text = glyph::wrapped_part(text);
    let mut start = 0;
    while let Some(fits) = too_wide(&text[start..], width.max(1)) {
        let rest = &text[start..];
        // A blank may follow the last character that fits: it is not shown.
        let border = fits + rest[fits..].chars().next().map_or(0, char::len_utf8);
        let line = match rest[..border].rfind(' ') {
            Some(blank) if !rest[..blank].trim().is_empty() => &rest[..blank],
            Some(_) | None => &rest[..fits],
        };
        lines.push(start..start + line.trim_end_matches(' ').len());
        let next = rest[line.len()..].trim_start_matches(' ');
        start = text.len() - next.len();
    }
    if lines.is_empty() || start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

/// The byte of the first glyph that goes beyond a width, if there is one. The first glyph of all has to fit.
fn too_wide(text: &str, width: usize) -> Option<usize> {
    let mut beyond = glyph::glyphs(text).filter(|glyph| glyph.column > 0);
    beyond
        .find(|glyph| glyph.column + glyph.width > width)
        .map(|glyph| glyph.bytes.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &[&str]) {
        assert_eq!(words(text, width), expected, "{text:?} at {width}");
        assert!(
            words(text, width)
                .iter()
                .all(|line| glyph::width(line) <= width.max(2)),
            "{text:?}"
        );
    }

    #[test]
    fn lines_end_between_words() {
        check("", 5, &[""]);
        check("one two", 7, &["one two"]);
        check("one two", 6, &["one", "two"]);
        check("one two", 3, &["one", "two"]);
        check("one two three", 9, &["one two", "three"]);
        check("one   two", 4, &["one", "two"]);
        check("  one two", 5, &["  one", "two"]);
        check("abcdefgh ij", 4, &["abcd", "efgh", "ij"]);
        check("日本語 abc", 5, &["日本", "語", "abc"]);
        check("a b", 0, &["a", "b"]);
        check("one ", 3, &["one"]);
    }
}
