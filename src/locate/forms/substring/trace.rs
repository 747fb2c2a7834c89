//! Insertions that are applied already: their preimage is still in the file.

use super::text_range::TextRange;
use crate::locate::matching::normalize::has_word;
use crate::proposal::Hunk;
use crate::text::Document;

/// Evidence that an insertion is applied: its new text around its preimage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trace {
    /// Blanks, line breaks or punctuation, which may be there for another reason.
    Slight,
    /// Words.
    Telling,
}

/// Returns the trace of the postimage around a place of the preimage, if it is there: an applied insertion leaves its preimage.
pub(super) fn applied(document: &Document, hunk: &Hunk, passage: &TextRange) -> Option<Trace> {
    let body = &hunk.body;
    let [before, after] = [&body.preimage, &body.postimage].map(|lines| {
        let is_ended = hunk.ends_line && !lines.is_empty();
        lines.join("\n") + if is_ended { "\n" } else { "" }
    });
    if before == after {
        return None;
    }
    let before_it = text_before(document, passage, after.len());
    let start = before_it.len();
    let text = before_it + &text_from(document, passage, after.len());
    let around = after.match_indices(&before).filter(|(offset, _)| {
        let rest = start
            .checked_sub(*offset)
            .and_then(|begin| text.get(begin..));
        rest.is_some_and(|rest| rest.starts_with(&after))
    });
    let traces = around.map(|(offset, _)| {
        let added = [&after[..offset], &after[offset + before.len()..]];
        if added.into_iter().any(has_word) {
            Trace::Telling
        } else {
            Trace::Slight
        }
    });
    traces.max()
}

/// Returns as many bytes before a place, or some more of the last line: a line may have any length, and any number of places.
fn text_before(document: &Document, passage: &TextRange, most: usize) -> String {
    let last_of =
        |line: &str| line[line.ceil_char_boundary(line.len().saturating_sub(most))..].to_owned();
    let mut parts = vec![last_of(&document.line(passage.first)[..passage.from])];
    let mut length = parts[0].len();
    for line in (0..passage.first).rev() {
        if length >= most {
            break;
        }
        let part = last_of(document.line(line));
        length += part.len() + 1;
        parts.push(part);
    }
    parts.reverse();
    parts.join("\n")
}

/// Returns as many bytes from the beginning of a place on, or some more.
fn text_from(document: &Document, passage: &TextRange, most: usize) -> String {
    let first_of = |line: &str| line[..line.ceil_char_boundary(most)].to_owned();
    let mut text = first_of(&document.line(passage.first)[passage.from..]);
    for line in passage.first + 1..document.len() {
        if text.len() >= most {
            return text;
        }
        text.push('\n');
        text += &first_of(document.line(line));
    }
    if document.text().ends_with('\n') {
        text.push('\n');
    }
    text
}
