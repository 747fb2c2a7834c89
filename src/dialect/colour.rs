//! Coloured output of diff tools.

use std::borrow::Cow;

/// The sequence that begins a colour or an attribute of a terminal.
const ESCAPE: &str = "\u{1b}[";

/// Removes terminal colours from a text if they colour the lines of a diff; any other text stays as it is.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) || !text.lines().any(is_coloured_mark) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(ESCAPE) {
        plain.push_str(before);
        let parameters = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = after;
        if let Some(text) = parameters.strip_prefix(['m', 'K']) {
            rest = text;
        } else {
            plain.push_str(ESCAPE);
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Returns `true` for the header of a file or a hunk that begins with a colour.
fn is_coloured_mark(line: &str) -> bool {
    let Some(after) = line.strip_prefix(ESCAPE) else {
        return false;
    };
    let text = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
    let marks = ["m@@", "mdiff ", "m--- ", "m+++ ", "m<<<<<<<", "m***"];
    marks.iter().any(|mark| text.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_diff_loses_its_colours() {
        let coloured =
            "\u{1b}[1m--- a\u{1b}[m\n\u{1b}[36m@@ -1 +1 @@\u{1b}[m\n\u{1b}[31m-a\u{1b}[m\n";
        assert_eq!(without(coloured), "--- a\n@@ -1 +1 @@\n-a\n");
        let content = "--- a\n+++ b\n@@ -1 +1 @@\n-\u{1b}[31mred\n+x\n";
        assert_eq!(without(content), content);
    }
}
