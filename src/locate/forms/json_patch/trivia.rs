//! Trivia between the values of a JSON file: blanks, newlines, and comments.

use std::borrow::Cow;

/// Returns `true` if there is a comment among the blanks.
pub(super) fn has_comment(trivia: &str) -> bool {
    !trivia.trim().is_empty()
}

/// Returns the position of a sign that is outside of comments.
pub(super) fn position_of(sign: char, trivia: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = trivia[at..].chars().next() {
        let rest = &trivia[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if next == sign {
            return Some(at);
        } else {
            at += next.len_utf8();
        }
    }
    None
}

/// Splits the trivia behind a value into the comment on its line, which belongs to it, and the rest.
pub(super) fn split_line_comment(trivia: &str) -> (&str, &str) {
    let (line, rest) = trivia.split_at(position_of('\n', trivia).unwrap_or(trivia.len()));
    if has_comment(line) && !rest.is_empty() {
        (line, rest)
    } else {
        ("", trivia)
    }
}

/// Returns the blanks at the start of the last line; `None` if there is no newline.
pub(super) fn indentation(trivia: &str) -> Option<&str> {
    let (_, line) = trivia.rsplit_once('\n')?;
    Some(blanks(line))
}

/// Returns the blanks at the start.
pub(super) fn blanks(trivia: &str) -> &str {
    &trivia[..trivia.len() - trivia.trim_start().len()]
}

/// Joins the trivia before a value that is removed with the trivia behind it. Comments stay.
pub(super) fn joined<'a>(
    before: Cow<'a, str>,
    after: Cow<'a, str>,
    is_first: bool,
) -> Cow<'a, str> {
    match (has_comment(&before), has_comment(&after)) {
        (false, false) if is_first => before,
        (false, _) => after,
        (true, _) if after.contains('\n') => (before.trim_end().to_owned() + &after).into(),
        (true, _) => (before.into_owned() + after.trim_start()).into(),
    }
}
