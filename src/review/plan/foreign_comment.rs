//! Detects comments in a syntax that is not known, by signs that the file does not have.
//!
//! Each language has comment signs of its own, and a list of them is never complete. A line of words behind signs that begin no other line of
//! the file is none of its code, or the only line of its kind.

use std::collections::{HashMap, HashSet};

use super::gap::words;
use crate::proposal::{has_word, is_prose_file};

/// The longest run of signs that opens a comment.
const MOST_SIGNS: usize = 6;
/// A text of more words says something itself.
const MOST_WORDS: usize = 12;
/// Signs that begin more new lines are a notation of the new text.
const MOST_LINES: usize = 2;

/// Finds the lines of a new text that have the shape of a comment: words behind signs that begin no line of the old one.
pub(super) fn foreign_comments(path: &str, old: &[&str], new: &[&str]) -> HashSet<usize> {
    if is_prose_file(path) {
        return HashSet::new();
    }
    let known: HashSet<&str> = old.iter().filter_map(|line| opening(line)).collect();
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for sign in new.iter().filter_map(|line| opening(line)) {
        *lines.entry(sign).or_default() += 1;
    }
    let is_foreign = |sign: &str| !known.contains(sign) && lines[sign] <= MOST_LINES;
    let candidates: Vec<(usize, &str)> = (new.iter().enumerate())
        .filter_map(|(at, line)| {
            let sign = opening(line).filter(|sign| is_foreign(sign))?;
            Some((at, text_behind(line, sign)?))
        })
        .collect();
    if candidates.is_empty() {
        return HashSet::new();
    }
    // One word alone may be a name, which the text has elsewhere.
    let mut places: HashMap<&str, usize> = HashMap::new();
    for word in old.iter().chain(new).flat_map(|line| words(line)) {
        *places.entry(word).or_default() += 1;
    }
    let found = candidates
        .into_iter()
        .filter(|(_, text)| !is_name(text, &places));
    found.map(|(at, _)| at).collect()
}

/// Returns true for one word that is in other places too.
fn is_name(text: &str, places: &HashMap<&str, usize>) -> bool {
    let mut words = words(text);
    let first = words.next().and_then(|word| places.get(word));
    words.next().is_none() && first != Some(&1)
}

/// Returns the signs that a line begins with, if a blank separates them from its words.
fn opening(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = line.find(|c: char| !c.is_ascii_punctuation())?;
    let is_apart = line[end..].starts_with(char::is_whitespace) && has_word(line);
    (end > 0 && is_apart).then_some(&line[..end])
}

/// Returns the words behind the opening signs, if nothing else is there but the closing ones: the same signs, brackets turned.
fn text_behind<'l>(line: &'l str, sign: &str) -> Option<&'l str> {
    if sign.len() > MOST_SIGNS || sign.contains(['"', '\'', '`']) {
        return None;
    }
    let text = line.trim()[sign.len()..].trim();
    let inner = text.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let is_closed = sorted(text[inner.len()..].chars()) == sorted(sign.chars().map(turned));
    let text = if is_closed { inner.trim() } else { text };
    let is_sentence =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || !c.is_ascii() || ".,-'/".contains(c);
    let is_text = text.contains(char::is_alphabetic)
        && text.chars().all(is_sentence)
        && text.split_whitespace().nth(MOST_WORDS).is_none();
    is_text.then_some(text)
}

fn sorted(signs: impl Iterator<Item = char>) -> Vec<char> {
    let mut signs: Vec<char> = signs.collect();
    signs.sort_unstable();
    signs
}

/// Returns the closing bracket for an opening one.
pub(super) fn turned(c: char) -> char {
    match c {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_signs_that_the_file_does_not_have_are_a_comment() {
        let old = ["begin", "  + a", "  run(x)", "end"];
        let check = |line: &str, expected: bool| {
            let found = foreign_comments("a.x", &old, &["begin", line, "end"]);
            assert_eq!(found.contains(&1), expected, "{line}");
        };
        for line in [
            "* rest",
            "*> the rest as it was",
            "{ abridged }",
            "#[ the others ]#",
            "<# etc. #>",
            "%{ 其余不变 %}",
            "~~ nothing else changes.",
        ] {
            check(line, true);
        }
        // Signs of the file, a name of the file, no words, and code.
        for line in [
            "+ and more",
            "* x",
            "* 2",
            "*rest",
            "&& run(y)",
            "? one : two",
            "{ one: two }",
            "\" quoted words\"",
            "one * two",
        ] {
            check(line, false);
        }
        let list = ["- one thing", "- another", "- one more"];
        assert!(foreign_comments("a.x", &old, &list).is_empty());
        assert!(foreign_comments("a.md", &old, &["* rest"]).is_empty());
    }
}
