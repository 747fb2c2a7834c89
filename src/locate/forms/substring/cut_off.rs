//! Texts that were cut off: at the end of a line, or in a word.

use super::text_range::TextRange;
use crate::locate::matching::normalize::{has_word, is_blank};
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

/// Returns true if a text adds whole lines above or below one that it shows, of which the file has more words: they would go to the
/// added lines.
pub(super) fn splits(document: &Document, body: &Body, passage: &TextRange) -> bool {
    let (above, below) = (document.line(passage.first), document.line(passage.last));
    let (before, after) = (&above[..passage.from], &below[passage.to..]);
    let (old, new) = (&body.preimage, &body.postimage);
    (has_word(before) && adds_beyond(old.first(), new.iter()))
        || (has_word(after) && adds_beyond(old.last(), new.iter().rev()))
}

/// Returns true if a line is among others, and not the first of them.
fn adds_beyond<'a>(shown: Option<&String>, mut others: impl Iterator<Item = &'a String>) -> bool {
    let whole = |line: &str| line.trim_end_matches([',', ';']).len();
    let Some(shown) = shown.filter(|line| !is_blank(line)) else {
        return false;
    };
    let is_shown = |line: &String| line[..whole(line)] == shown[..whole(shown)];
    others.next().is_some_and(|edge| !is_shown(edge)) && others.any(is_shown)
}

/// Returns true if a text at the margin was found in an indented line, and would put others beside it at the margin.
pub(super) fn outdents(document: &Document, body: &Body, passage: &TextRange) -> bool {
    let is_at_margin = |line: &String| !line.starts_with([' ', '\t']);
    let before = &document.line(passage.first)[..passage.from];
    let Some((first, rest)) = body.preimage.split_first() else {
        return false;
    };
    // A directive is at the margin in every scope, and so may be what follows a blank line.
    let is_code = |line: &String| has_word(line) && is_at_margin(line) && !line.starts_with('#');
    let beside = body.postimage.iter().take_while(|line| !is_blank(line));
    let mut added = beside.skip(1).filter(|line| !rest.contains(line));
    !before.is_empty()
        && is_blank(before)
        && !is_blank(first)
        && is_at_margin(first)
        && added.any(is_code)
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
