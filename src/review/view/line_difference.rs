//! The words and the blanks in which two versions of a line differ.

use std::ops::Range;

use super::blanks::differing_blanks;
use super::long_words::long_emphasis;
use super::words;
use crate::review::session::hunk::Side;

/// Lines longer than this may have no words compared one by one.
const LONG: usize = 2000;

/// The parts of a line that another version of it lacks, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DifferingParts {
    /// Its words.
    pub words: Vec<Range<usize>>,
    /// Its blanks.
    pub blanks: Vec<Range<usize>>,
}

impl DifferingParts {
    /// Returns the parts of the line with a text of this length in front of it.
    pub(in crate::review) fn behind(&self, length: usize) -> Self {
        Self {
            words: moved_right(&self.words, length),
            blanks: moved_right(&self.blanks, length),
        }
    }
}

/// The difference of two versions of a line.
#[derive(Debug, Default)]
pub(crate) struct LineDifference {
    pub(crate) old: DifferingParts,
    pub(crate) new: DifferingParts,
}

impl LineDifference {
    /// Compares two versions of a line.
    pub(crate) fn new(old: &str, new: &str) -> Self {
        let mut words = words::emphasis(old, new);
        let has_none = words.0.is_empty() && words.1.is_empty();
        if has_none && old.len().max(new.len()) > LONG {
            words = long_emphasis(old, new);
        }
        let is_blank = old.trim().is_empty() && new.trim().is_empty();
        let is_related = is_blank || !words.0.is_empty() || !words.1.is_empty();
        let [old_blanks, new_blanks] = differing_blanks(old, new, is_related);
        Self {
            old: DifferingParts {
                words: words.0,
                blanks: old_blanks,
            },
            new: DifferingParts {
                words: words.1,
                blanks: new_blanks,
            },
        }
    }

    /// Returns the differing parts of one version: of the new one if both are meant.
    pub(crate) fn of(&self, side: Side) -> &DifferingParts {
        match side {
            Side::Old => &self.old,
            Side::New | Side::Both => &self.new,
        }
    }
}

fn moved_right(ranges: &[Range<usize>], by: usize) -> Vec<Range<usize>> {
    let ranges = ranges.iter();
    ranges
        .map(|range| range.start + by..range.end + by)
        .collect()
}
