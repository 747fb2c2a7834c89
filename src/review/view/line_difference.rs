//! The words and the blanks in which two versions of a line differ.

use std::ops::Range;

use super::blanks::{DifferingBlanks, differing_blanks};
use super::long_words::long_emphasis;
use super::words;

/// Lines longer than this may have no words compared one by one.
const LONG: usize = 2000;

/// The words and the blanks of the two versions of a line that the other lacks, in bytes.
#[derive(Debug, Default)]
pub(crate) struct LineDifference {
    /// The words of the old line, and those of the new one.
    pub(crate) words: (Vec<Range<usize>>, Vec<Range<usize>>),
    /// The blanks of both lines.
    pub(crate) blanks: DifferingBlanks,
}

impl LineDifference {
    /// Compares two versions of a line.
    pub(crate) fn new(old: &str, new: &str) -> Self {
        let words = match words::emphasis(old, new) {
            (old_words, new_words)
                if old_words.is_empty()
                    && new_words.is_empty()
                    && old.len().max(new.len()) > LONG =>
            {
                long_emphasis(old, new)
            }
            words => words,
        };
        let is_blank = old.trim().is_empty() && new.trim().is_empty();
        let is_related = is_blank || !words.0.is_empty() || !words.1.is_empty();
        let blanks = differing_blanks(old, new, is_related);
        Self { words, blanks }
    }
}
