//! Texts that come as strings, cut into the lines of a body.

use crate::proposal::Body;

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
    lines_of(text.strip_suffix('\n').unwrap_or(text))
}

/// The lines of a text; one that ends with a newline has an empty line at its end.
fn lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    lines_of(text)
}

/// A line without the carriage return at its end.
pub(in crate::dialect) fn without_cr(line: &str) -> String {
    line.strip_suffix('\r').unwrap_or(line).to_owned()
}

fn lines_of(text: &str) -> Vec<String> {
    text.split('\n').map(without_cr).collect()
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
    }
}
