//! The occurrences of a text in a file.

use super::text_range::TextRange;
use crate::locate::matching::index::Index;
use crate::text::{Document, LineIdx};

/// Maximum number of places of a text that are counted, if they may overlap.
const MAX_PASSAGES: usize = 1000;

/// Rule for places that overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Apart {
    /// They are kept: `aa` occurs twice in `aaa`, and either may be the right one.
    Shared,
    /// They are not kept, because all places are changed.
    Whole,
}

/// Returns the places of a text, at most [`MAX_PASSAGES`] if they may overlap.
pub(super) fn occurrences(index: &Index<'_>, text: &[String], apart: Apart) -> Vec<TextRange> {
    let document = index.document;
    let Some((nth, key)) = longest(text) else {
        return line_breaks(document, text, apart);
    };
    let step = match apart {
        Apart::Shared => key.chars().next().map_or(1, char::len_utf8),
        Apart::Whole => key.len(),
    };
    let mut found: Vec<TextRange> = Vec::new();
    let mut from = 0;
    while let Some(at) = index.find_text(key, from) {
        from = at + step;
        let line = document.line_at(at);
        let passage = line.checked_sub(nth).and_then(|first| {
            let column = at - document.bytes_of(line..line).start;
            passage_at(document, text, first, column)
        });
        let Some(passage) = passage else {
            continue;
        };
        let is_known = found.last().is_some_and(|last| {
            *last == passage
                || (apart == Apart::Whole && (passage.first, passage.from) < (last.last, last.to))
        });
        if !is_known {
            found.push(passage);
        }
        if apart == Apart::Shared && found.len() == MAX_PASSAGES {
            break;
        }
    }
    found
}

/// Returns the places of a text that is nothing but line breaks.
fn line_breaks(document: &Document, text: &[String], apart: Apart) -> Vec<TextRange> {
    let mut found: Vec<TextRange> = Vec::new();
    if text.len() < 2 {
        return found;
    }
    for passage in (0..document.len()).filter_map(|first| passage_at(document, text, first, 0)) {
        let is_free = |last: &TextRange| last.last <= passage.first;
        if apart == Apart::Shared || found.last().is_none_or(is_free) {
            found.push(passage);
        }
        if apart == Apart::Shared && found.len() == MAX_PASSAGES {
            break;
        }
    }
    found
}

/// Returns the longest line of a text, which is searched for in the whole file, and its position.
pub(super) fn longest(text: &[String]) -> Option<(usize, &str)> {
    let lines = text.iter().map(String::as_str).enumerate();
    let longest = lines.max_by_key(|(_, line)| line.len());
    longest.filter(|(_, line)| !line.is_empty())
}

/// Returns the passage of a text that begins in a line, if it matches there: a text of one line at a column, another one at the
/// end of the line. After a final newline there is one more line, which is empty: a text may end with that newline.
fn passage_at(
    document: &Document,
    text: &[String],
    first: LineIdx,
    column: usize,
) -> Option<TextRange> {
    let last = first + text.len() - 1;
    match text {
        [] => None,
        [line] => {
            // A carriage return at its end may belong to the ending of the line.
            let is_there = column + line.len() <= document.line(first).len();
            is_there.then(|| TextRange {
                first,
                from: column,
                last,
                to: column + line.len(),
            })
        }
        [head, middle @ .., tail] => {
            let ended = usize::from(document.text().ends_with('\n'));
            let is_there = last < document.len() + ended
                && document.line(first).ends_with(head.as_str())
                && document.line(last).starts_with(tail.as_str())
                && document.has_lines(first + 1, middle);
            is_there.then(|| TextRange {
                first,
                from: document.line(first).len() - head.len(),
                last,
                to: tail.len(),
            })
        }
    }
}
