//! The words of a file and the information that each of them carries.
//!
//! A word is an identifier, a number or a single sign. A word that stands `f` times among the `n` words of the file carries
//! `log2(n / f)` bits; a word that the file does not have carries `log2(2 n)` bits, more than any other.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use super::fold::fold;
use super::place::Rung;
use crate::text::{Document, LineIdx};

/// The number of a word of the file.
pub(super) type WordId = u32;

/// The number of every word that the file does not have.
pub(super) const UNKNOWN: WordId = WordId::MAX;

/// The words of all lines of a file, with typographic punctuation read as plain.
pub(super) struct Words<'a> {
    numbers: HashTable<WordId>,
    names: Vec<Cow<'a, str>>,
    /// The words of all lines, one line after the other.
    sequence: Vec<WordId>,
    /// Where the words of each line begin in `sequence`.
    starts: Vec<u32>,
    /// The lines of each word, one word after the other; a line is named as often as it has the word.
    lines: Vec<u32>,
    /// Where the lines of each word begin in `lines`.
    line_starts: Vec<u32>,
}

impl<'a> Words<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        let mut words = Self {
            numbers: HashTable::new(),
            names: Vec::new(),
            sequence: Vec::new(),
            starts: Vec::with_capacity(document.len() + 1),
            lines: Vec::new(),
            line_starts: Vec::new(),
        };
        words.starts.push(0);
        let mut counts: Vec<u32> = Vec::new();
        for line in document.lines() {
            match folded(line) {
                Cow::Borrowed(line) => {
                    split(line).for_each(|word| words.push(Cow::Borrowed(word), &mut counts));
                }
                Cow::Owned(line) => {
                    split(&line)
                        .for_each(|word| words.push(Cow::Owned(word.to_owned()), &mut counts));
                }
            }
            words.starts.push(number(words.sequence.len()));
        }
        words.gather(counts, document.len());
        words
    }

    fn push(&mut self, word: Cow<'a, str>, counts: &mut Vec<u32>) {
        let names = &self.names;
        let is_it = |&known: &WordId| names[known as usize] == word;
        let rehash = |&known: &WordId| hash(&names[known as usize]);
        let id = match self.numbers.entry(hash(&word), is_it, rehash) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let next = number(counts.len());
                free.insert(next);
                self.names.push(word);
                counts.push(0);
                next
            }
        };
        counts[id as usize] += 1;
        self.sequence.push(id);
    }

    /// Fills the list of lines of each word.
    fn gather(&mut self, mut counts: Vec<u32>, len: usize) {
        let mut end = 0;
        for count in &mut counts {
            end += *count;
            *count = end;
        }
        self.lines = vec![0; self.sequence.len()];
        for line in (0..len).rev() {
            for at in (self.starts[line]..self.starts[line + 1]).rev() {
                let id = self.sequence[at as usize] as usize;
                counts[id] -= 1;
                self.lines[counts[id] as usize] = number(line);
            }
        }
        counts.push(end);
        self.line_starts = counts;
    }

    /// Returns the words of a line.
    pub(super) fn of_line(&self, line: LineIdx) -> &[WordId] {
        &self.sequence[self.starts[line] as usize..self.starts[line + 1] as usize]
    }

    /// Returns the number of a word, [`UNKNOWN`] if the file does not have it.
    pub(super) fn id(&self, word: &str) -> WordId {
        let is_it = |&known: &WordId| self.names[known as usize] == word;
        self.numbers
            .find(hash(word), is_it)
            .copied()
            .unwrap_or(UNKNOWN)
    }

    /// Returns the text of a word of the file.
    pub(super) fn name(&self, word: WordId) -> &str {
        &self.names[word as usize]
    }

    /// Returns the lines that have a word.
    pub(super) fn lines_with(&self, word: WordId) -> &[u32] {
        if word == UNKNOWN {
            return &[];
        }
        let word = word as usize;
        &self.lines[self.line_starts[word] as usize..self.line_starts[word + 1] as usize]
    }

    /// Returns the information that a word carries, in bits.
    pub(super) fn bits(&self, word: WordId) -> f64 {
        let all = to_float(self.sequence.len().max(1));
        if word == UNKNOWN {
            (2.0 * all).log2()
        } else {
            (all / to_float(self.lines_with(word).len())).log2()
        }
    }

    /// Returns the information that a line of the file carries, in bits.
    pub(super) fn line_bits(&self, line: LineIdx) -> f64 {
        self.of_line(line).iter().map(|&word| self.bits(word)).sum()
    }
}

/// Returns a line as its words are read: with plain punctuation.
pub(super) fn folded(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        Cow::Borrowed(line)
    } else {
        fold(Rung::Punctuation, line)
    }
}

/// Splits a line into words.
pub(super) fn split(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let len = if is_part(first) {
            rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(len);
        rest = after;
        Some(word)
    })
}

#[expect(clippy::cast_precision_loss, reason = "a number of words")]
fn to_float(count: usize) -> f64 {
    count as f64
}

fn hash(word: &str) -> u64 {
    FxBuildHasher.hash_one(word)
}

/// A file with more than four billion words does not fit into memory as text.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_into_words_numbers_and_signs() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(split(line).collect::<Vec<_>>(), expected, "{line:?}");
        };
        check(
            "  let a_1 = \"b c\";",
            &["let", "a_1", "=", "\"", "b", "c", "\"", ";"],
        );
        check("1.20 größe→x", &["1", ".", "20", "größe", "→", "x"]);
        check(" \t", &[]);
    }

    #[test]
    fn a_rare_word_carries_more_than_a_frequent_one() {
        let document = Document::from_text("a a b\na c\n\na d\n");
        let words = Words::new(&document);
        assert_eq!(words.lines_with(words.id("a")), [0, 0, 1, 3]);
        assert_eq!(words.lines_with(words.id("z")), [0_u32; 0]);
        let bits = |word| words.bits(words.id(word));
        assert!(bits("a") < bits("b"));
        assert!(bits("b") < bits("z"));
        assert!((words.line_bits(1) - bits("a") - bits("c")).abs() < 1e-9);
    }
}
