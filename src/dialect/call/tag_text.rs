//! The text between two tags: its end, and the line breaks and the indentation that belong to the tags.
//!
//! Bolt and Dyad trim the text of a file, and Bolt ends it with a line break (`stackblitz/bolt.new
//! app/lib/runtime/message-parser.ts`, `dyad-sh/dyad src/ipc/utils/dyad_tag_parser.ts`). Other tools document no rule: there, the
//! blanks before a closing tag on a line of its own are those of the tag.

use std::borrow::Cow;

use crate::dialect::tool::schema;

/// The position of the closing tag that the call goes on after; else of the first one.
pub(super) fn closing_tag(text: &str, tag: &str, is_last: impl Fn(&str) -> bool) -> Option<usize> {
    let mut places = text.match_indices(tag).map(|(at, _)| at);
    let first = places.next()?;
    let ends = |at: &usize| is_last(&text[at + tag.len()..]);
    std::iter::once(first)
        .chain(places)
        .find(ends)
        .or(Some(first))
}

/// A text without the line breaks that set its tags apart from it, if it has both.
pub(super) fn trimmed(text: &str) -> &str {
    after_break(text).and_then(before_break).unwrap_or(text)
}

/// The text without a line break after the opening tag and one before the closing tag, as the parsers of Qwen3-Coder read it.
pub(super) fn without_breaks(text: &str) -> &str {
    let text = after_break(text).unwrap_or(text);
    before_break(text).unwrap_or(text)
}

/// The text of a field between tags. The whole text of a file ends before the indentation of a closing tag on a line of its own; any
/// other text is left to `otherwise`.
pub(super) fn of_field<'a>(
    tool: &str,
    field: &str,
    text: &'a str,
    otherwise: impl Fn(&'a str) -> &'a str,
) -> &'a str {
    match before_indent(text).filter(|_| schema::is_whole_text(tool, field)) {
        Some(text) => after_break(text).unwrap_or(text),
        None => otherwise(text),
    }
}

/// The text with its last line break, if only the indentation of a closing tag is after that.
pub(super) fn before_indent(text: &str) -> Option<&str> {
    let before = text.trim_end_matches([' ', '\t']);
    (before.ends_with('\n') && before.len() < text.len()).then_some(before)
}

/// The text of a file as a client writes it that trims the text between its tags.
pub(super) fn of_file(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("{text}\n"),
    }
}

/// Returns the text of an element as its client reads it: Dyad replaces `&lt;`, `&gt;` and `&amp;`, in this order
/// (`dyad-sh/dyad shared/xmlEscape.ts`).
pub(super) fn unescaped<'a>(tool: &str, text: Cow<'a, str>) -> Cow<'a, str> {
    if !tool.starts_with("dyad-") || !text.contains('&') {
        return text;
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    Cow::Owned(text.replace("&amp;", "&"))
}

/// The text after the line break that it begins with.
pub(super) fn after_break(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n")
        .or_else(|| text.strip_prefix('\n'))
}

/// The text before the line break that it ends with.
pub(super) fn before_break(text: &str) -> Option<&str> {
    let text = text.strip_suffix('\n')?;
    Some(text.strip_suffix('\r').unwrap_or(text))
}

/// The lines of an element's text without the indentation of its tag, if all have it, as in a block of code.
pub(super) fn unindented<'a>(text: &'a str, indent: &str) -> Cow<'a, str> {
    let lines = || text.split_inclusive('\n');
    let has_it = |line: &str| line.starts_with(indent) || line.trim().is_empty();
    if indent.is_empty() || !lines().all(has_it) {
        return Cow::Borrowed(text);
    }
    let inner = |line: &'a str| {
        line.strip_prefix(indent)
            .unwrap_or_else(|| line.trim_start_matches([' ', '\t']))
    };
    lines().map(inner).collect::<String>().into()
}

/// The text of an element that begins on the line of its tag. Its other lines have the indentation of the tag if the closing tag,
/// on a line of its own, has it too.
pub(super) fn from_tag<'a>(text: &'a str, indent: &str) -> Cow<'a, str> {
    let is_own = text.ends_with(&format!("\n{indent}")) && !indent.is_empty();
    match text.split_inclusive('\n').next().filter(|_| is_own) {
        Some(first) => Cow::Owned(first.to_owned() + &unindented(&text[first.len()..], indent)),
        None => Cow::Borrowed(text),
    }
}

pub(super) fn without_cdata(text: &str) -> &str {
    let inner = text.trim().strip_prefix("<![CDATA[");
    inner
        .and_then(|inner| inner.strip_suffix("]]>"))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indentation_of_a_closing_tag_is_no_line_of_a_file() {
        let check = |field: &str, text: &str, expected: &str| {
            let found = of_field("write_to_file", field, text, trimmed);
            assert_eq!(found, expected, "{text:?}");
        };
        check("content", "\na\n\t ", "a\n");
        check("content", "a\n  ", "a\n");
        check("content", "\na\n", "a");
        check("content", "a  ", "a  ");
        check("content", "\na\n  b  ", "\na\n  b  ");
        // The name of a file.
        check("path", "\na\n  ", "\na\n  ");
    }

    #[test]
    fn a_trimmed_file_ends_with_a_line_break() {
        assert_eq!(of_file("\n\na\n b\n\n  "), "a\n b\n");
        assert_eq!(of_file("a"), "a\n");
        assert_eq!(of_file("\n  "), "");
    }
}
