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
    let above = body.postimage.len();
    let window =
        passage.first.saturating_sub(above)..(passage.last + 1 + above).min(document.len());
    let lines: Vec<&str> = window.clone().map(|idx| document.line(idx)).collect();
    let start = lines[..passage.first - window.start]
        .iter()
        .map(|line| line.len() + 1)
        .sum::<usize>()
        + passage.from;
    let mut text = lines.join("\n");
    if window.end == document.len() && document.text().ends_with('\n') {
        text.push('\n');
    }
    if before == after {
        return None;
    }
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
