//! Differences between the lines of two texts.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::text::{Document, LineIdx};

/// A difference between two texts: base lines, and the lines that replace them.
pub(in crate::review) type LineChange = (Range<LineIdx>, Range<LineIdx>);

/// Changes with fewer unchanged lines than this between them are one hunk.
const NEAR: usize = 3;

/// Groups changes in file order that are near each other, as ranges of their positions.
pub(in crate::review) fn stretches(
    changes: impl IntoIterator<Item = Range<LineIdx>>,
) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for (i, lines) in changes.into_iter().enumerate() {
        match stretches.last_mut() {
            Some(stretch) if lines.start < end + NEAR => stretch.end = i + 1,
            Some(_) | None => stretches.push(i..i + 1),
        }
        end = lines.end;
    }
    stretches
}

/// Returns the differences between two texts, ignoring line endings. A last line without its newline differs from one with it.
pub(in crate::review) fn changes(old: &Document, new: &Document) -> Vec<LineChange> {
    let [old, new] = [old, new].map(keys);
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    ops.into_iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| (op.old_range(), op.new_range()))
        .collect()
}

/// Lines as they are compared: their texts, and whether they end.
pub(in crate::review) fn keys(text: &Document) -> Vec<(&str, bool)> {
    let last = text.len().saturating_sub(1);
    let ended = |idx| idx < last || text.has_final_newline();
    (text.lines().enumerate())
        .map(|(idx, line)| (line, ended(idx)))
        .collect()
}
