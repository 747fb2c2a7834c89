//! Lines that are a part of a longer text: of a sentence over several lines, or of a heading with a rule below it.
//!
//! A line that replaces omitted code is complete in itself.

use super::gap::words;
use crate::proposal::{comment_text, has_word, is_prose_file};

/// Fewer lines in a row may be a mark of several lines.
const LEAST_LINES: usize = 3;
/// A line of fewer words may name what is missing.
const LEAST_WORDS: usize = 3;
/// Signs that fewer times in a row are no rule.
const LEAST_SIGNS: usize = 3;

/// Returns true for a line of prose that continues the sentence of the line above, or is continued below, in a longer run of such lines.
pub(super) fn reads_on(path: &str, lines: &[&str], at: usize) -> bool {
    let text = |at: usize| lines.get(at).and_then(|line| prose(path, line));
    let Some(own) = text(at) else {
        return false;
    };
    let above = (0..at).rev().take(LEAST_LINES).map_while(text);
    let below = (at + 1..lines.len()).take(LEAST_LINES).map_while(text);
    let (above, below): (Vec<&str>, Vec<&str>) = (above.collect(), below.collect());
    let is_run = above.len() + 1 + below.len() >= LEAST_LINES;
    let is_continued = below.first().is_some_and(|below| continues(own, below));
    is_run && (is_continued || above.first().is_some_and(|above| continues(above, own)))
}

/// Returns true if a sentence goes on from the end of one line to the beginning of another.
fn continues(line: &str, next: &str) -> bool {
    let ends = line.ends_with(|c: char| c.is_alphanumeric() || ",-`'\"_".contains(c));
    ends && next.starts_with(char::is_lowercase)
}

/// Returns the text of a comment, or a line of plain words.
fn prose<'l>(path: &str, line: &'l str) -> Option<&'l str> {
    comment_text(path, line)
        .filter(|text| has_word(text))
        .or_else(|| {
            let line = line.trim();
            let is_plain = !line.contains([';', '{', '}', '=', '<', '>']) && !line.ends_with(',');
            let starts = line.starts_with(|c: char| c.is_alphabetic() || c == '(');
            let is_sentence = starts && line.split_whitespace().count() >= LEAST_WORDS;
            (is_sentence && is_plain).then_some(line)
        })
}

/// Returns true for the rule above or below the heading of a document: one sign, as many times as the heading has characters.
pub(super) fn is_rule_of_heading(path: &str, lines: &[&str], at: usize) -> bool {
    let rule = lines[at].trim_end();
    let Some(sign) = rule.chars().next() else {
        return false;
    };
    let length = rule.chars().count();
    let above = at.checked_sub(1).map(|at| lines[at]);
    let beside = [above, lines.get(at + 1).copied()];
    is_prose_file(path)
        && length >= LEAST_SIGNS
        && sign.is_ascii_punctuation()
        && rule.chars().all(|c| c == sign)
        && beside.iter().flatten().any(|line| is_heading(line, length))
}

/// Returns true for a line with words that a rule of this length fits.
fn is_heading(line: &str, rule: usize) -> bool {
    let line = line.trim_end();
    let wide = line.chars().filter(|c| !c.is_ascii()).count();
    let length = line.chars().count();
    has_word(line) && (length..=length + wide + 1).contains(&rule)
}

/// Returns true for a comment that has the words of comments which are missing, in other lines or with changes.
pub(super) fn is_version_of_comments(
    line: &str,
    has_word_of_comment: impl Fn(&str) -> bool,
) -> bool {
    let all = words(line).count();
    let known = words(line).filter(|word| has_word_of_comment(word)).count();
    all >= LEAST_WORDS && known * 4 >= all * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_goes_over_several_lines() {
        let check = |text: &str, at: usize, expected: bool| {
            let lines: Vec<&str> = text.split('|').collect();
            assert_eq!(reads_on("a.rs", &lines, at), expected, "{text}");
        };
        check("// one two,|// three and the rest|// of it", 1, true);
        check(
            "/*|one two three|four the rest of|it all the same.|*/",
            2,
            true,
        );
        // A run of two lines, lines that end with a sentence, and code.
        check("x();|// the rest of it|// is not changed", 1, false);
        check(
            "// It is slow.|// The rest is unchanged|// See above",
            1,
            false,
        );
        check("// It is slow.|// rest unchanged|", 1, false);
        check("go(a);|// the rest|x = 2;", 1, false);
    }

    #[test]
    fn a_rule_is_as_long_as_its_heading() {
        let check = |path: &str, text: &str, at: usize, expected: bool| {
            let lines: Vec<&str> = text.split('|').collect();
            assert_eq!(is_rule_of_heading(path, &lines, at), expected, "{text}");
        };
        check("a.rst", "Two words|---------", 1, true);
        check("a.rst", "~~~~~|Title|~~~~~", 0, true);
        check("a.rst", "Two words|---", 1, false);
        check("a.rst", "Two words||---------", 2, false);
        check("a.rst", "Two words|- - - - -", 1, false);
        check("a.py", "two_words|---------", 1, false);
    }
}
