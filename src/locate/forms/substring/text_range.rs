//! The place of a text in a file.

use crate::text::{Document, LineIdx};

/// The place of a text: from a byte of one line to a byte of the same or a later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextRange {
    pub(super) first: LineIdx,
    /// The byte of the first line at which the text begins.
    pub(super) from: usize,
    pub(super) last: LineIdx,
    /// The byte of the last line before which the text ends.
    pub(super) to: usize,
}

impl TextRange {
    /// Returns true if the text is whole lines.
    pub(super) fn is_whole(&self, document: &Document) -> bool {
        self.from == 0 && self.to == document.line(self.last).len()
    }

    /// Returns true if the file ends where the text does, so that no newline follows.
    pub(super) fn reaches_end(&self, document: &Document) -> bool {
        let is_ended = document.text().ends_with('\n');
        let last = document.len() - usize::from(!is_ended && !document.is_empty());
        self.last == last && self.to == document.line(last).len()
    }
}
