//! Search patterns: regular expressions with smart case.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

/// Reads a pattern. One without capitals matches capitals too; one that is no regular expression is searched for as it is.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    if text.is_empty() {
        return None;
    }
    build(text).or_else(|_| build(&regex::escape(text))).ok()
}

/// Compiles a regular expression.
fn build(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern)
        .case_insensitive(!pattern.chars().any(char::is_uppercase))
        .multi_line(true)
        .build()
}

/// Returns the ranges of a line that a pattern matches.
pub(super) fn matches_in(pattern: &Regex, line: &str) -> Vec<Range<usize>> {
    let found = pattern.find_iter(line).map(|found| found.range());
    found.filter(|range| !range.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_regular_expression_with_smart_case() {
        let ranges = |text: &str, line: &str| {
            pattern(text).map_or_else(Vec::new, |pattern| matches_in(&pattern, line))
        };
        assert_eq!(ranges("foo", "a Foo foo"), [2..5, 6..9]);
        assert_eq!(ranges("Foo", "a Foo foo Foo"), [2..5, 10..13]);
        assert_eq!(ranges("f.o", "foo fxo"), [0..3, 4..7]);
        assert_eq!(ranges("l(", "a call(b(l("), [5..7, 9..11]);
        assert!(ranges("x*", "abc").is_empty());
        assert!(pattern("").is_none());
    }
}
