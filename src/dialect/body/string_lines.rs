//! Texts that come as strings, cut into the lines of a body.

use crate::proposal::Body;
use crate::text::LineEnding;

/// The two halves of a replacement of one text by another. A newline at the end of both belongs to neither: it stays.
pub(in crate::dialect) fn replacement(old: &str, new: &str) -> Body {
    if old.is_empty() && ends(new) || ends_line(old, new) {
        Body {
            preimage: whole(old),
            postimage: whole(new),
        }
    } else {
        Body {
            preimage: lines(old),
            postimage: lines(new),
        }
    }
}

/// Returns `true` if the old text ends with a newline that the new one keeps.
pub(in crate::dialect) fn ends_line(old: &str, new: &str) -> bool {
    old.ends_with('\n') && ends(new)
}

fn ends(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

/// The lines of a text whose last newline ends its last line.
pub(in crate::dialect) fn whole(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut lines = lines_of(text);
    if text.ends_with('\n') {
        lines.pop();
    }
    lines
}

/// The lines of a text; one that ends with a newline has an empty line at its end.
fn lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    lines_of(text)
}

/// Returns the endings of the lines of a text; none if no line of the text ends with a carriage return and a line feed.
pub(in crate::dialect) fn endings(text: &str) -> Vec<LineEnding> {
    if !text.contains("\r\n") {
        return Vec::new();
    }
    let ending = |line: &str| match line.strip_suffix('\n') {
        Some(ended) if ended.ends_with('\r') => LineEnding::CrLf,
        Some(_) => LineEnding::Lf,
        None => LineEnding::None,
    };
    text.split_inclusive('\n').map(ending).collect()
}

/// A line without the carriage return at its end.
pub(in crate::dialect) fn without_cr(line: &str) -> String {
    line.strip_suffix('\r').unwrap_or(line).to_owned()
}

/// Cuts a text at its newlines. A carriage return belongs to a line ending only before a newline.
fn lines_of(text: &str) -> Vec<String> {
    let line = |line: &str| match line.strip_suffix('\n') {
        Some(ended) => without_cr(ended),
        None => line.to_owned(),
    };
    let mut lines: Vec<String> = text.split_inclusive('\n').map(line).collect();
    if text.is_empty() || text.ends_with('\n') {
        lines.push(String::new());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newline_at_both_ends_stays() {
        let check = |old: &str, new: &str, expected: &str| {
            let body = replacement(old, new);
            let found = format!("{:?} {:?}", body.preimage, body.postimage);
            assert_eq!(found, expected, "{old:?} {new:?}");
        };
        check("a", "b", r#"["a"] ["b"]"#);
        check("a\n", "b\n", r#"["a"] ["b"]"#);
        check("a\n", "", r#"["a"] []"#);
        check("a\n", "b", r#"["a", ""] ["b"]"#);
        check("a\r\nb", "", r#"["a", "b"] []"#);
        check("", "a\n\n", r#"[] ["a", ""]"#);
        check("a\rb\r", "\r", r#"["a\rb\r"] ["\r"]"#);
        check("", "a\r\n", r#"[] ["a"]"#);
    }
}
