//! Differences within a pair of lines, for emphasis in a changed row.
//!
//! The lines are compared by words (Unicode word boundaries, and points and colons between names), with blanks as words of their own. Lines beyond
//! [`LONGEST`] bytes, and lines that have little in common, get no emphasis: all of them differs.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Lines longer than this many bytes are not compared.
pub const LONGEST: usize = 2000;
/// Below this part in common, emphasis would only be noise.
const LEAST_COMMON: f64 = 0.3;

/// Returns the byte ranges of `old` and of `new` that the other lacks; empty where the lines have too little in
/// common.
pub fn emphasis(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    if old == new || old.len() > LONGEST || new.len() > LONGEST {
        return (Vec::new(), Vec::new());
    }
    let (old_words, new_words) = (words(old), words(new));
    let ops = capture_diff_slices(Algorithm::Myers, &old_words, &new_words);
    let common: usize = ops
        .iter()
        .filter(|op| op.tag() == DiffTag::Equal)
        .map(|op| {
            old_words[op.old_range()]
                .iter()
                .filter(|word| !word.trim().is_empty())
                .map(|word| word.len())
                .sum::<usize>()
        })
        .sum();
    let longest = old.trim().len().max(new.trim().len()).max(1);
    #[expect(clippy::cast_precision_loss, reason = "both are at most LONGEST")]
    if (common as f64) < LEAST_COMMON * longest as f64 {
        return (Vec::new(), Vec::new());
    }
    let changed = || ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    (
        ranges(&old_words, changed().map(similar::DiffOp::old_range)),
        ranges(&new_words, changed().map(similar::DiffOp::new_range)),
    )
}

/// Returns the words of a line and the text between them. In Unicode a period or colon between letters is part of a
/// word, as in "e.g."; in code it separates names.
pub(super) fn words(line: &str) -> Vec<&str> {
    let words = line.split_word_bounds();
    words
        .flat_map(|word| word.split_inclusive(['.', ':']))
        .flat_map(|word| {
            let name = word.trim_end_matches(['.', ':']).len();
            let (name, point) = word.split_at(name);
            [name, point].into_iter().filter(|part| !part.is_empty())
        })
        .collect()
}

/// Turns ranges of words into ranges of bytes, joining those that touch or have only blanks between them.
fn ranges(words: &[&str], changed: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    for word in words {
        starts.push(starts[starts.len() - 1] + word.len());
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut end_word = 0;
    for range in changed.filter(|range| !range.is_empty()) {
        let bytes = starts[range.start]..starts[range.end];
        match ranges.last_mut() {
            Some(last)
                if words[end_word..range.start]
                    .iter()
                    .all(|word| word.trim().is_empty()) =>
            {
                last.end = bytes.end;
            }
            _ => ranges.push(bytes),
        }
        end_word = range.end;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected_old: &str, expected_new: &str) {
        let show = |line: &str, ranges: &[Range<usize>]| {
            ranges
                .iter()
                .map(|range| &line[range.clone()])
                .collect::<Vec<_>>()
                .join("|")
        };
        let (old_ranges, new_ranges) = emphasis(old, new);
        assert_eq!(
            (
                show(old, &old_ranges).as_str(),
                show(new, &new_ranges).as_str()
            ),
            (expected_old, expected_new)
        );
    }

    #[test]
    fn what_differs_stands_out() {
        check("let x = 1;", "let x = 2;", "1", "2");
        check("call(a, b)", "call(a, b, c)", "", ", c");
        check(
            "foo bar baz qux",
            "foo new words qux",
            "bar baz",
            "new words",
        );
        check("same", "same", "", "");
        check("nothing in common", "altogether other text", "", "");
        check("self.inner.entry(x)", "this.inner.entry(x)", "self", "this");
        check("a.b = Some(c::d)", "a.e = Some(c::f)", "b|d", "e|f");
        check("größe = 1 // 日本語", "größe = 2 // 日本語", "1", "2");
    }
}
