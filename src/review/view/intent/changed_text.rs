//! The lines that a hunk changes, as text, and the words of a line.

use crate::review::session::file::FileReview;
use crate::review::session::hunk::HunkReview;

/// The lines that a hunk changes.
#[derive(Debug, Default)]
pub(super) struct ChangedText<'a> {
    pub(super) removed: Vec<&'a str>,
    pub(super) added: Vec<&'a str>,
    /// Extension of its file, if that is a program, whose lines can define names.
    pub(super) language: Option<&'a str>,
}

impl<'a> ChangedText<'a> {
    /// Returns lines of a program, separated by `|`, each with its sign.
    #[cfg(test)]
    pub(super) fn of_program(lines: &'a str) -> Self {
        let signed = |line: &&str| line.starts_with(['+', '-']);
        let lines = lines.split('|').filter(signed);
        let (added, removed): (Vec<&str>, Vec<&str>) =
            lines.partition(|line| line.starts_with('+'));
        Self {
            removed: removed.into_iter().map(|line| &line[1..]).collect(),
            added: added.into_iter().map(|line| &line[1..]).collect(),
            language: Some("rs"),
        }
    }

    /// Returns the lines that were proposed, those of all parts of a split hunk included.
    pub(super) fn of(
        file: &'a FileReview,
        hunk: &'a HunkReview,
        language: Option<&'a str>,
    ) -> Self {
        let lines = hunk.whole();
        let is_there = |at: usize| at < file.base.len();
        let removed = lines
            .iter()
            .filter(|line| line.removes && is_there(line.at));
        Self {
            removed: removed.map(|line| file.base.line(line.at)).collect(),
            added: lines
                .iter()
                .filter_map(|line| line.adds.as_deref())
                .collect(),
            language,
        }
    }
}

/// Returns true for the characters of names.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns true for a word that can be a name.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns true for a word that can only be a name, as it joins words: `max_size`, `maxSize`.
pub(super) fn is_compound(word: &str) -> bool {
    let word = word.trim_matches('_');
    let pairs = word.chars().zip(word.chars().skip(1));
    let mut joins =
        pairs.map(|(left, right)| right == '_' || left.is_lowercase() && right.is_uppercase());
    joins.any(|joins| joins)
}

/// Returns the words of a line that can be names.
pub(super) fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| !is_of_name(c)).filter(|word| is_name(word))
}

/// Splits a text after the word that it begins with, which may be empty.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compound_word_joins_words() {
        for word in ["max_size", "maxSize", "MAX_SIZE", "HttpClient", "_max_size"] {
            assert!(is_compound(word), "{word}");
        }
        for word in ["size", "Size", "SIZE", "_size", "__init__", "x2", ""] {
            assert!(!is_compound(word), "{word}");
        }
    }
}
