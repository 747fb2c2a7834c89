//! The words of a file and the information that each of them carries.
//!
//! A word is an identifier, a number or a single sign. A word that occurs `f` times among the `n` words of the file carries
//! `log2(n / f)` bits; a word that the file does not have carries `log2(2 n)` bits, more than any other.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use crate::locate::matching::normalize::fold;
use crate::locate::placement::Rung;
use crate::text::{Document, LineIdx};

/// The number of a word of the file. A word of one byte is numbered by that byte.
pub(crate) type WordId = u32;

/// The number of every word that the file does not have.
pub(crate) const UNKNOWN: WordId = WordId::MAX;

/// The number of words of one byte.
const BYTES: usize = 128;
/// Every word of one byte, in order.
const SHORT: [u8; BYTES] = {
    let mut bytes = [0; BYTES];
    let mut byte = 0;
    while byte < BYTES {
        #[expect(clippy::cast_possible_truncation, reason = "it is below 128")]
        let value = byte as u8;
        bytes[byte] = value;
        byte += 1;
    }
    bytes
};
/// Maximum number of occurrences of a word whose lines are kept.
const RARE: u32 = 256;

/// The words of all lines of a file, with typographic punctuation read as plain.
pub(crate) struct Words<'a> {
    numbers: HashTable<WordId>,
    names: Vec<Cow<'a, str>>,
    counts: Vec<u32>,
    /// The information of each word, in bits.
    bits: Vec<f64>,
    /// The information of a word that the file does not have, in bits.
    unknown_bits: f64,
    /// The words of all lines, one line after the other.
    sequence: Vec<WordId>,
    /// The position in `sequence` at which the words of each line begin.
    starts: Vec<u32>,
    /// The words of each line in the order of their numbers, if they were asked for.
    sorted: OnceCell<Vec<WordId>>,
    rare: OnceCell<Rare>,
}

/// The lines of each rare word.
struct Rare {
    /// One word after the other; a line is named as often as it has the word.
    lines: Vec<u32>,
    /// The position in `lines` at which the lines of each word begin.
    starts: Vec<u32>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        let short = SHORT
            .iter()
            .map(|&byte| Cow::Owned(char::from(byte).to_string()));
        let mut words = Self {
            numbers: HashTable::new(),
            names: short.collect(),
            counts: vec![0; BYTES],
            bits: Vec::new(),
            unknown_bits: 0.0,
            sequence: Vec::with_capacity(document.text().len() / 4),
            starts: Vec::with_capacity(document.len() + 1),
            sorted: OnceCell::new(),
            rare: OnceCell::new(),
        };
        words.starts.push(0);
        for line in document.lines() {
            match folded(line) {
                Cow::Borrowed(line) => {
                    split(line).for_each(|word| words.push(word, Cow::Borrowed));
                }
                Cow::Owned(line) => {
                    split(&line)
                        .for_each(|word| words.push(word, |word| Cow::Owned(word.to_owned())));
                }
            }
            words.starts.push(number(words.sequence.len()));
        }
        let all = to_float(words.sequence.len().max(1));
        words.unknown_bits = (2.0 * all).log2();
        // A byte that the file does not have as a word is unknown too.
        let shares = words.counts.iter().map(|&count| all / f64::from(count));
        words.bits = (shares.map(f64::log2))
            .map(|bits| bits.min(words.unknown_bits))
            .collect();
        words
    }

    fn push<'w>(&mut self, word: &'w str, name: impl FnOnce(&'w str) -> Cow<'a, str>) {
        let id = if let [byte] = word.as_bytes() {
            WordId::from(*byte)
        } else {
            let names = &self.names;
            let is_it = |&known: &WordId| names[known as usize] == word;
            let rehash = |&known: &WordId| hash(&names[known as usize]);
            match self.numbers.entry(hash(word), is_it, rehash) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(free) => {
                    let next = number(self.counts.len());
                    free.insert(next);
                    self.names.push(name(word));
                    self.counts.push(0);
                    next
                }
            }
        };
        self.counts[id as usize] += 1;
        self.sequence.push(id);
    }

    /// Returns the words of a line.
    pub(crate) fn of_line(&self, line: LineIdx) -> &[WordId] {
        &self.sequence[self.range(line)]
    }

    /// Returns the words of a line in the order of their numbers.
    pub(crate) fn sorted_of_line(&self, line: LineIdx) -> &[WordId] {
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted = self.sequence.clone();
            for line in 0..self.starts.len() - 1 {
                sorted[self.range(line)].sort_unstable();
            }
            sorted
        });
        &sorted[self.range(line)]
    }

    fn range(&self, line: LineIdx) -> Range<usize> {
        self.starts[line] as usize..self.starts[line + 1] as usize
    }

    /// Returns the number of a word, [`UNKNOWN`] if the file does not have it.
    pub(crate) fn id(&self, word: &str) -> WordId {
        if let [byte] = word.as_bytes() {
            let is_there = self
                .counts
                .get(usize::from(*byte))
                .is_some_and(|count| *count > 0);
            return if is_there {
                WordId::from(*byte)
            } else {
                UNKNOWN
            };
        }
        let is_it = |&known: &WordId| self.names[known as usize] == word;
        self.numbers
            .find(hash(word), is_it)
            .copied()
            .unwrap_or(UNKNOWN)
    }

    /// Returns true if the file has every word of a line.
    pub(crate) fn has_all(&self, line: &str) -> bool {
        split(&folded(line)).all(|word| self.id(word) != UNKNOWN)
    }

    /// Returns the text of a word of the file.
    pub(crate) fn name(&self, word: WordId) -> &str {
        &self.names[word as usize]
    }

    /// Returns the number of occurrences of a word in the file.
    pub(crate) fn count(&self, word: WordId) -> u32 {
        self.counts.get(word as usize).copied().unwrap_or(0)
    }

    /// Returns the lines that have a word.
    pub(crate) fn lines_with(&self, word: WordId) -> Cow<'_, [u32]> {
        match self.count(word) {
            0 => Cow::Borrowed(&[]),
            1..=RARE => {
                let rare = self.rare.get_or_init(|| self.rare_words());
                let word = word as usize;
                Cow::Borrowed(
                    &rare.lines[rare.starts[word] as usize..rare.starts[word + 1] as usize],
                )
            }
            _ => {
                let lines = 0..self.starts.len() - 1;
                let has = |line: &LineIdx| self.of_line(*line).contains(&word);
                Cow::Owned(lines.filter(has).map(number).collect())
            }
        }
    }

    fn rare_words(&self) -> Rare {
        let is_rare = |count: u32| count <= RARE;
        let mut end = 0;
        let mut starts = Vec::with_capacity(self.counts.len() + 1);
        for &count in &self.counts {
            starts.push(end);
            end += if is_rare(count) { count } else { 0 };
        }
        starts.push(end);
        let mut next = starts.clone();
        let mut lines = vec![0; end as usize];
        for line in 0..self.starts.len() - 1 {
            for &word in self.of_line(line) {
                let word = word as usize;
                if is_rare(self.counts[word]) {
                    lines[next[word] as usize] = number(line);
                    next[word] += 1;
                }
            }
        }
        Rare { lines, starts }
    }

    /// Returns the information that a word carries, in bits.
    pub(crate) fn bits(&self, word: WordId) -> f64 {
        let known = self.bits.get(word as usize).copied();
        known.unwrap_or(self.unknown_bits)
    }

    /// Returns the information that a line of the file carries, in bits.
    pub(crate) fn line_bits(&self, line: LineIdx) -> f64 {
        self.of_line(line).iter().map(|&word| self.bits(word)).sum()
    }
}

/// Returns a line with plain punctuation, from which its words are read.
pub(crate) fn folded(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        Cow::Borrowed(line)
    } else {
        fold(Rung::Punctuation, line)
    }
}

/// Splits a line into words.
pub(crate) fn split(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_ascii_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let len = if is_part(first) {
            let ascii = rest.bytes().take_while(is_ascii_part).count();
            match rest.as_bytes().get(ascii) {
                None => ascii,
                Some(byte) if byte.is_ascii() => ascii,
                Some(_) => rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()),
            }
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

/// Converts a count. A file with more than four billion words does not fit into memory as text.
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
        assert_eq!(*words.lines_with(words.id("a")), [0, 0, 1, 3]);
        assert_eq!(*words.lines_with(words.id("z")), [0_u32; 0]);
        let bits = |word| words.bits(words.id(word));
        assert!(bits("a") < bits("b"));
        assert!(bits("b") < bits("z"));
        assert!((words.line_bits(1) - bits("a") - bits("c")).abs() < 1e-9);
    }
}
