//! Changes as sequences of words, so that layout does not matter, and how two of them are compared.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::record::RejectedChange;
use crate::locate::{folded, split};

/// The hash of a word; the last bit is that of a name.
pub(super) type WordHash = u64;

/// Number of equal words on one side that show the place by themselves.
const MOST_AROUND: usize = 24;
/// Least number of words in a change that is compared with parts of others.
pub(super) const LEAST_WORDS: usize = 12;
/// Most words of a change that is compared with parts of others.
const MOST_WORDS: usize = 4_000;
/// Least number of equal words above and below two equal changes.
const LEAST_AROUND: usize = 4;

/// A change as words.
#[derive(Debug)]
pub(super) struct ChangeWords {
    /// The removed words, whole lines.
    removed: Vec<WordHash>,
    /// The added words, whole lines.
    added: Vec<WordHash>,
    /// The removed and added words that really differ: without those that both begin or end with.
    core: [Range<usize>; 2],
    /// The words of the lines above and below the change, the nearest first.
    around: [Vec<WordHash>; 2],
    /// The hash of the lines as they are, for a change that is one of layout only.
    lines: u64,
    /// The hash of the change and of the words near it, with the names that it adds numbered.
    numbered: u64,
}

/// A name that a rejected change adds, and the name in its place in a proposed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NamePair {
    pub(super) old: WordHash,
    pub(super) new: WordHash,
}

/// The relation of a proposed change to a rejected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// They are equal.
    Same,
    /// They are equal but for names that they introduce.
    Renamed,
    /// The proposed one is a part of the rejected one.
    Part,
    /// The proposed one contains the rejected one.
    Contains,
    /// They change the same place in different ways.
    Neighbors,
}

impl ChangeWords {
    pub(super) fn of(change: &RejectedChange) -> Self {
        fn refs(lines: &[String]) -> Vec<&str> {
            lines.iter().map(String::as_str).collect()
        }
        Self::new(
            &refs(&change.removed),
            &refs(&change.added),
            &refs(&change.before),
            &refs(&change.after),
        )
    }

    /// Reads the words of changed lines and of the lines around them.
    pub(super) fn new(removed: &[&str], added: &[&str], before: &[&str], after: &[&str]) -> Self {
        let texts = [removed, added].map(words);
        let [removed_words, added_words] = texts.each_ref().map(|words| hashes(words));
        let first = common(removed_words.iter(), added_words.iter());
        let last = common(
            removed_words[first..].iter().rev(),
            added_words[first..].iter().rev(),
        );
        let core = [
            first..removed_words.len() - last,
            first..added_words.len() - last,
        ];
        let mut around = [before, after].map(|lines| hashes(&words(lines)));
        around[0].reverse();
        let near = around
            .each_ref()
            .map(|words| &words[..words.len().min(LEAST_AROUND)]);
        let numbered = hash_of(&(&removed_words, with_numbered_names(&added_words), near));
        let trimmed = |lines: &[&str]| -> Vec<String> {
            (lines.iter())
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        Self {
            core,
            around,
            lines: hash_of(&(trimmed(removed), trimmed(added))),
            numbered,
            removed: removed_words,
            added: added_words,
        }
    }

    fn core(&self) -> [&[WordHash]; 2] {
        [
            &self.removed[self.core[0].clone()],
            &self.added[self.core[1].clone()],
        ]
    }

    /// Returns true if the words stay the same.
    fn is_layout(&self) -> bool {
        self.core.iter().all(Range::is_empty)
    }

    /// Returns the number of its words.
    pub(super) fn len(&self) -> usize {
        self.removed.len() + self.added.len()
    }

    /// Returns the hash by which an equal change is found.
    pub(super) fn key(&self) -> u64 {
        if self.is_layout() {
            self.lines
        } else {
            hash_of(&self.core())
        }
    }

    /// Returns the hashes by which a change is found that is equal, but perhaps for its names.
    pub(super) fn keys(&self) -> impl Iterator<Item = u64> {
        [self.key(), self.numbered].into_iter()
    }

    /// Returns the hashes by which a change is found that shares words with it.
    pub(super) fn stretches(&self) -> impl Iterator<Item = u64> {
        let fits = (LEAST_WORDS..=MOST_WORDS).contains(&self.len());
        let sides = [&self.removed, &self.added].into_iter();
        let sides = sides.filter(move |_| fits);
        sides.flat_map(|side| side.windows(LEAST_WORDS / 2).map(|words| hash_of(&words)))
    }

    /// Compares a proposed change with a rejected one, in the same file or in two. Names are compared as they are.
    pub(super) fn relation(&self, rejected: &Self, same_file: bool) -> Option<Relation> {
        if self.is_equal(rejected) && self.is_beside_the_same_as(rejected, same_file) {
            return Some(Relation::Same);
        }
        if !same_file {
            return None;
        }
        // Lines that are only added may have the same words at another place.
        let is_near = self.agreement(rejected).iter().max() >= Some(&LEAST_AROUND);
        let within = |part: &Self, whole: &Self| {
            (LEAST_WORDS..=MOST_WORDS).contains(&part.len())
                && whole.len() <= MOST_WORDS
                && !part.is_layout()
                && (!part.removed.is_empty() || is_near)
                && contains(&whole.removed, &part.removed)
                && contains(&whole.added, &part.added)
        };
        if within(self, rejected) {
            return Some(Relation::Part);
        }
        if within(rejected, self) {
            return Some(Relation::Contains);
        }
        self.is_at_place_of(rejected).then_some(Relation::Neighbors)
    }

    /// Returns the names that a proposed change adds, each with the name in its place in the rejected one, if there is no other difference
    /// between them. The files around them know none of these names.
    pub(super) fn renamings(
        &self,
        rejected: &Self,
        is_known: &dyn Fn(WordHash) -> bool,
    ) -> Option<Vec<NamePair>> {
        let [above, below] = self.agreement(rejected);
        let is_there = above.min(below) >= LEAST_AROUND && above.max(below) >= MOST_AROUND;
        let is_alike = is_there
            && self.numbered == rejected.numbered
            && self.removed == rejected.removed
            && self.added.len() == rejected.added.len();
        if !is_alike {
            return None;
        }
        let is_own = |word: WordHash| is_name(word) && !is_known(word);
        let mut renamings = Vec::new();
        for (new, old) in self.added.iter().zip(&rejected.added) {
            match (is_own(*new), is_own(*old)) {
                (true, true) => renamings.push(NamePair {
                    old: *old,
                    new: *new,
                }),
                _ if new == old => (),
                _ => return None,
            }
        }
        Some(renamings)
    }

    /// Returns true if both replace the same words by the same words. One may repeat more unchanged words around them than the other: these
    /// must then be around the other.
    fn is_equal(&self, other: &Self) -> bool {
        if self.is_layout() || other.is_layout() {
            return self.lines == other.lines;
        }
        self.core() == other.core()
            && [0, 1].iter().all(|&side| {
                let (own, others) = (self.repeated(side), other.repeated(side));
                let length = own.len().max(others.len());
                let own = own.iter().chain(&self.around[side]).take(length);
                let others = others.iter().chain(&other.around[side]).take(length);
                own.eq(others)
            })
    }

    /// Returns the unchanged words within the change, above (0) or below (1) those that differ, the nearest first.
    fn repeated(&self, side: usize) -> Vec<WordHash> {
        match side {
            0 => self.added[..self.core[1].start]
                .iter()
                .rev()
                .copied()
                .collect(),
            _ => self.added[self.core[1].end..].to_vec(),
        }
    }

    /// Returns true if the lines around both are the same, as far as two equal changes need it: those near the change, or many on one
    /// side, because the other side may have been changed since. In two files they are many on both sides.
    fn is_beside_the_same_as(&self, other: &Self, same_file: bool) -> bool {
        let [above, below] = self.agreement(other);
        let (least, most) = (above.min(below), above.max(below));
        least >= MOST_AROUND || same_file && (least >= LEAST_AROUND || most >= MOST_AROUND)
    }

    /// Returns true if both replace the same lines, or add lines at the same place.
    fn is_at_place_of(&self, other: &Self) -> bool {
        let [above, below] = self.agreement(other);
        match (self.removed.is_empty(), other.removed.is_empty()) {
            (true, true) => above.min(below) >= LEAST_AROUND,
            (false, false) => {
                let is_same = contains(&self.removed, &other.removed)
                    || contains(&other.removed, &self.removed);
                is_same && above.max(below) >= LEAST_AROUND
            }
            (true, false) | (false, true) => false,
        }
    }

    /// Counts the equal words of the lines above and below; where they are equal to the end, as if there were many.
    fn agreement(&self, other: &Self) -> [usize; 2] {
        [0, 1].map(|side| {
            let (own, other) = (&self.around[side], &other.around[side]);
            let equal = common(own.iter(), other.iter());
            if equal == own.len().max(other.len()) {
                MOST_AROUND
            } else {
                equal
            }
        })
    }
}

/// Returns the words of lines, without commas before closing brackets, and with one kind of quotes.
fn words<'a>(lines: &'a [&str]) -> Vec<Cow<'a, str>> {
    let mut words: Vec<Cow<'a, str>> = Vec::new();
    for line in lines {
        let mut push = |word: Cow<'a, str>| {
            let closes = matches!(word.as_ref(), ")" | "]" | "}");
            if closes && words.last().is_some_and(|last| last == ",") {
                words.pop();
            }
            words.push(if matches!(word.as_ref(), "'" | "`") {
                "\"".into()
            } else {
                word
            });
        };
        match folded(line) {
            Cow::Borrowed(line) => split(line).for_each(|word| push(word.into())),
            Cow::Owned(line) => {
                split(&line).for_each(|word| push(word.to_owned().into()));
            }
        }
    }
    words
}

fn hashes(words: &[Cow<'_, str>]) -> Vec<WordHash> {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (words.iter())
        .map(|word| (hash_of(word.as_ref()) & !1) | u64::from(is_name(word)))
        .collect()
}

/// Returns the hashes of all words of lines.
pub(super) fn words_of<'a>(lines: impl Iterator<Item = &'a str>) -> FxHashSet<WordHash> {
    let mut known = FxHashSet::default();
    for line in lines {
        known.extend(hashes(&words(&[line])));
    }
    known
}

fn is_name(word: WordHash) -> bool {
    word & 1 == 1
}

fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Returns the words with every name numbered in the order of its first use.
fn with_numbered_names(words: &[WordHash]) -> Vec<WordHash> {
    let mut numbers: FxHashMap<WordHash, usize> = FxHashMap::default();
    let numbered = words.iter().map(|word| {
        if !is_name(*word) {
            return *word;
        }
        let next = numbers.len();
        hash_of(&("name", *numbers.entry(*word).or_insert(next)))
    });
    numbered.collect()
}

/// Counts the equal words at the start.
fn common<'a>(
    one: impl Iterator<Item = &'a WordHash>,
    other: impl Iterator<Item = &'a WordHash>,
) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

/// Returns true if a sequence contains some words one after the other.
fn contains(whole: &[WordHash], part: &[WordHash]) -> bool {
    let Some(first) = part.first() else {
        return true;
    };
    let mut from = 0;
    while let Some(at) = whole[from..].iter().position(|word| word == first) {
        let at = from + at;
        if whole[at..].starts_with(part) {
            return true;
        }
        from = at + 1;
    }
    false
}
