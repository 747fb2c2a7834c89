//! Words of lines, by which changes are compared: layout does not matter.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::locate::{folded, split};

/// The hash of a word; the last bit is that of a name.
pub(super) type WordHash = u64;

/// Closing brackets, before which a comma does not count.
const CLOSING: [&str; 3] = [")", "]", "}"];

/// Words of some lines.
#[derive(Debug)]
pub(super) struct LineWords<'a> {
    words: Vec<Cow<'a, str>>,
    /// The number of words up to the end of each line.
    ends: Vec<usize>,
}

/// The words that are taken for equal, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WordEquality {
    /// One kind of quotes is as good as another, and commas before closing brackets do not count.
    Folded,
    /// Only equal ones.
    Exact,
    /// Only equal ones with the same blanks before them. The end of a line is a word.
    Layout,
}

impl<'a> LineWords<'a> {
    pub(super) fn of(lines: &[&'a str], equality: WordEquality) -> Self {
        let mut all = Self {
            words: Vec::new(),
            ends: Vec::new(),
        };
        for line in lines {
            match (equality, folded(line)) {
                (WordEquality::Exact, _) => all.words.extend(split(line).map(Cow::from)),
                (WordEquality::Layout, _) => {
                    all.words.extend(split_layout(line).map(Cow::from));
                    all.words.push("\n".into());
                }
                (WordEquality::Folded, Cow::Borrowed(line)) => {
                    split(line).for_each(|word| all.push_folded(word.into()));
                }
                (WordEquality::Folded, Cow::Owned(line)) => {
                    split(&line).for_each(|word| all.push_folded(word.to_owned().into()));
                }
            }
            all.ends.push(all.words.len());
        }
        all
    }

    /// Returns the words of some lines at the start, of the lines after them, and of the rest.
    pub(super) fn parts(&self, [first, second]: [usize; 2]) -> [Vec<WordHash>; 3] {
        let [start, end] = [first, first + second].map(|count| self.end_of(count));
        let (words, count) = (&self.words, self.words.len());
        [0..start, start..end, end..count].map(|part| hashes(&words[part]))
    }

    /// Returns the number of words up to the end of each of some lines, counted from the first of them.
    pub(super) fn ends_of(&self, first: usize, count: usize) -> Vec<usize> {
        let start = self.end_of(first);
        let ends = self.ends[first..first + count].iter();
        ends.map(|end| end.saturating_sub(start)).collect()
    }

    /// Returns the number of words in some lines at the start.
    fn end_of(&self, lines: usize) -> usize {
        lines.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// Adds a word, with one kind of quotes, and without a comma before a closing bracket.
    fn push_folded(&mut self, word: Cow<'a, str>) {
        if CLOSING.contains(&word.as_ref()) && self.words.last().is_some_and(|last| last == ",") {
            self.words.pop();
            let count = self.words.len();
            let ends = self.ends.iter_mut().rev();
            ends.take_while(|end| **end > count)
                .for_each(|end| *end = count);
        }
        let is_quote = matches!(word.as_ref(), "'" | "`");
        self.words.push(if is_quote { "\"".into() } else { word });
    }
}

/// Returns the hashes of lines as sequences of words, of those that have any.
pub(super) fn line_hashes(lines: &[&str], equality: WordEquality) -> Vec<WordHash> {
    let words = lines
        .iter()
        .map(|line| LineWords::of(&[line], equality).words);
    let lines = words.filter(|words| !words.is_empty());
    lines.map(|words| hash_of(&hashes(&words))).collect()
}

/// Splits a line into words, each with the blanks before it.
fn split_layout(line: &str) -> impl Iterator<Item = &str> {
    let mut done = 0;
    split(line).map(move |word| {
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        let word = &line[done..end];
        done = end;
        word
    })
}

fn hashes(words: &[Cow<'_, str>]) -> Vec<WordHash> {
    let is_name =
        |word: &str| (word.trim_start()).starts_with(|c: char| c.is_alphabetic() || c == '_');
    (words.iter())
        .map(|word| (hash_of(word.as_ref()) & !1) | u64::from(is_name(word)))
        .collect()
}

/// Returns the hashes of all words of lines.
pub(super) fn words_of<'a>(lines: impl Iterator<Item = &'a str>) -> FxHashSet<WordHash> {
    let mut known = FxHashSet::default();
    for line in lines {
        known.extend(hashes(&LineWords::of(&[line], WordEquality::Folded).words));
    }
    known
}

pub(super) fn is_closing(word: WordHash) -> bool {
    CLOSING.iter().any(|bracket| word == hash_of(*bracket) & !1)
}

pub(super) fn is_comma(word: WordHash) -> bool {
    word == hash_of(",") & !1
}

pub(super) fn is_name(word: WordHash) -> bool {
    word & 1 == 1
}

pub(super) fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}
