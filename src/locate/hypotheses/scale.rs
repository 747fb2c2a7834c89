//! Measures by which the lines of a hunk are compared with those of the file and weighed.

use crate::locate::matching::line_cost::{
    EXTRA_LINE, Likeness, Pair, Pairing, is_equal_without_blanks,
};
use crate::locate::matching::word_alignment::Difference;
use crate::text::{Document, LineIdx};

/// Measure by which lines are compared and weighed.
pub(crate) trait Scale {
    /// Compares the selected row at a position with a line of the file.
    fn pair(&self, nth: usize, at: LineIdx) -> Pair;
    /// Returns the differences between their words.
    fn differences(&self, nth: usize, at: LineIdx) -> Vec<Difference>;
    /// Returns the information of the selected row at a position.
    fn weight(&self, nth: usize) -> f64;
    /// Returns the cost of a line that only the file has.
    fn extra(&self, at: LineIdx) -> f64;
    /// Returns true if lines of the file differ from this one only in the word at a position.
    fn has_siblings(&self, at: LineIdx, position: usize) -> bool;
    /// Returns true if a line of the file has a word, and no other one is equal to it.
    fn is_only(&self, at: LineIdx) -> bool;
}

/// Scale that weighs lines by the information of their words.
pub(crate) struct InBits<'s> {
    pub(crate) pairing: &'s Pairing<'s>,
    /// The number of each selected row in the pairing.
    pub(crate) lines: &'s [usize],
}

impl Scale for InBits<'_> {
    fn pair(&self, nth: usize, at: LineIdx) -> Pair {
        self.pairing.pair(self.lines[nth], at)
    }
    fn differences(&self, nth: usize, at: LineIdx) -> Vec<Difference> {
        self.pairing.differences(self.lines[nth], at)
    }
    fn weight(&self, nth: usize) -> f64 {
        self.pairing.lines[self.lines[nth]].bits
    }
    fn extra(&self, at: LineIdx) -> f64 {
        self.pairing.extra(at)
    }
    fn has_siblings(&self, at: LineIdx, position: usize) -> bool {
        self.pairing.has_siblings(at, position)
    }
    fn is_only(&self, at: LineIdx) -> bool {
        self.pairing.is_only(at)
    }
}

/// Scale that weighs lines by their length, for lines that are equal apart from blanks and punctuation: the words of the file
/// need not be counted for them.
pub(crate) struct ByLength<'s> {
    pub(crate) document: &'s Document,
    pub(crate) lines: Vec<&'s str>,
}

impl Scale for ByLength<'_> {
    fn pair(&self, nth: usize, at: LineIdx) -> Pair {
        let (own, file) = (self.lines[nth], self.document.line(at));

        let (cost, likeness) = if own == file {
            (0.0, Likeness::Equal)
        } else if own.trim_end() == file.trim_end() {
            (0.25, Likeness::Trailing)
        } else if is_equal_without_blanks(own, file) {
            (0.5, Likeness::Blanks)
        } else {
            (1.0, Likeness::Signs)
        };
        Pair { cost, likeness }
    }
    fn differences(&self, _: usize, _: LineIdx) -> Vec<Difference> {
        Vec::new()
    }
    fn weight(&self, nth: usize) -> f64 {
        length(self.lines[nth])
    }
    fn extra(&self, at: LineIdx) -> f64 {
        length(self.document.line(at)).min(EXTRA_LINE)
    }
    fn has_siblings(&self, _: LineIdx, _: usize) -> bool {
        false
    }
    fn is_only(&self, _: LineIdx) -> bool {
        false
    }
}

/// Returns the length of a line without blanks, in bytes: about as many bits as it carries.
pub(crate) fn length(line: &str) -> f64 {
    let solid = line.bytes().filter(|byte| !byte.is_ascii_whitespace());
    f64::from(u32::try_from(solid.count()).unwrap_or(u32::MAX))
}
