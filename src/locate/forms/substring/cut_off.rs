//! Texts that were cut off: at the end of a line, or in a word.

use super::text_range::TextRange;
use crate::proposal::Body;
use crate::text::Document;

/// Returns true if a text that begins or ends with a line break would join the line before or after it to its replacement: the
/// line break is missing in the other half.
pub(super) fn joins(document: &Document, body: &Body, passage: &TextRange) -> bool {
    let (above, below) = (document.line(passage.first), document.line(passage.last));
    let (before, after) = (&above[..passage.from], &below[passage.to..]);
    let begins = passage.from == above.len() && !before.is_empty();
    let ends = passage.to == 0 && !after.is_empty();
    let first = body.postimage.first().map_or("", String::as_str);
    let last = body.postimage.last().map_or("", String::as_str);
    let is_empty = body.postimage.len() <= 1 && first.is_empty();
    if is_empty {
        return !before.is_empty() && ends;
    }
    (begins && !first.is_empty()) || (ends && !last.is_empty())
}

/// Returns true if a text begins or ends inside a word, or before a comma, and only its postimage has the rest of that: then
/// the preimage was cut off, and the file would have the rest twice.
pub(super) fn doubles(document: &Document, body: &Body, passage: &TextRange) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (above, below) = (document.line(passage.first), document.line(passage.last));
    let (before, after) = (&above[..passage.from], &below[passage.to..]);
    let head = &before[before.trim_end_matches(is_part).len()..];
    let rest = after.trim_start_matches(is_part);
    let tail = match after.len() - rest.len() {
        0 => &after[..usize::from(after.starts_with([',', ';']))],
        word => &after[..word],
    };
    let begins = |lines: &[String]| lines.first().is_some_and(|line| line.starts_with(head));
    let ends = |lines: &[String]| lines.last().is_some_and(|line| line.ends_with(tail));
    let cut = |lines: &[String]| lines.first().is_some_and(|line| line.starts_with(is_part));
    (!head.is_empty() && cut(&body.preimage) && begins(&body.postimage) && !begins(&body.preimage))
        || (!tail.is_empty() && ends(&body.postimage) && !ends(&body.preimage))
}

/// Returns true if a text begins or ends inside a word or a number of the file, so that the file has another word there.
pub(super) fn is_inside(document: &Document, passage: &TextRange) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    ends(document, passage)
        .any(|(before, after)| before.ends_with(is_part) && after.starts_with(is_part))
        || is_inside_number(document, passage)
}

/// Returns true if a text begins or ends inside a number of the file.
pub(super) fn is_inside_number(document: &Document, passage: &TextRange) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    ends(document, passage).any(|(before, after)| {
        let (own, next) = (before.trim_end_matches('.'), after.trim_start_matches('.'));
        let is_cut = own.ends_with(is_digit) && next.starts_with(is_digit);
        is_cut && before.len() - own.len() + after.len() - next.len() <= 1
    })
}

/// Returns the two sides of the beginning and of the end of a text.
fn ends<'d>(
    document: &'d Document,
    passage: &TextRange,
) -> impl Iterator<Item = (&'d str, &'d str)> {
    let first = document.line(passage.first).split_at(passage.from);
    let last = document.line(passage.last).split_at(passage.to);
    [first, last].into_iter()
}
