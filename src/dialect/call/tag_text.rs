//! The text between two tags: its end, and the line breaks and the indentation that belong to the tags.

use std::borrow::Cow;

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
