//! Changes as sequences of words, so that layout does not matter, and how two of them are compared.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};
use std::iter;

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
/// Words between something and its member.
const MEMBER_SIGNS: [&[&str]; 3] = [&["."], &[":", ":"], &["-", ">"]];
/// Least number of equal words above and below two equal changes.
const LEAST_AROUND: usize = 4;

/// A change as words.
#[derive(Debug)]
pub(super) struct ChangeWords {
    /// The removed words, whole lines.
    removed: Vec<WordHash>,
    /// The added words, whole lines.
    added: Vec<WordHash>,
    /// The number of words up to the end of each removed line.
    removed_ends: Vec<usize>,
    /// The number of words up to the end of each added line.
    added_ends: Vec<usize>,
    /// The removed and added words that really differ.
    core: Core,
    /// The words of the lines above and below the change, the nearest first.
    around: [Vec<WordHash>; 2],
    /// The hash of the lines as they are, for a change that is one of layout only.
    lines: u64,
    /// The hash of the change and of the words near it, with the names that it adds numbered.
    numbered: u64,
}

/// The words of a change that really differ: without those that its removed and added lines both begin or end with. Where nothing but
/// equal words is added or removed, as one more of several equal lines, it is as far up as it can be: diffs place it differently.
#[derive(Debug)]
struct Core {
    removed: Vec<WordHash>,
    added: Vec<WordHash>,
    /// The words above and below it, the nearest first.
    around: [Vec<WordHash>; 2],
    /// The number of these that the change itself repeats.
    repeated: [usize; 2],
}

/// Words of some lines.
#[derive(Debug)]
struct LineWords<'a> {
    words: Vec<Cow<'a, str>>,
    /// The number of words up to the end of each line.
    ends: Vec<usize>,
}

/// The words that are taken for equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordEquality {
    /// One kind of quotes is as good as another, and commas before closing brackets do not count.
    Folded,
    /// Only equal ones.
    Exact,
}

/// A name that a rejected change adds, and the name in its place in a proposed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NamePair {
    pub(super) old: WordHash,
    pub(super) new: WordHash,
}

/// A place at which a proposed change has another name than a rejected one, or the same name of the agent's.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameUse {
    pub(super) names: NamePair,
    /// True if it is a member of something that has another name, as in `module::name` and `value.name`.
    pub(super) is_member: bool,
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

    /// Reads the words of changed lines and of the lines around them. A change of nothing but quotes and commas is read exactly.
    pub(super) fn new(removed: &[&str], added: &[&str], before: &[&str], after: &[&str]) -> Self {
        let folded = Self::read(removed, added, [before, after], WordEquality::Folded);
        if folded.is_layout() {
            Self::read(removed, added, [before, after], WordEquality::Exact)
        } else {
            folded
        }
    }

    fn read(
        removed: &[&str],
        added: &[&str],
        around: [&[&str]; 2],
        equality: WordEquality,
    ) -> Self {
        let texts = [removed, added].map(|lines| LineWords::of(lines, equality));
        let [removed_words, added_words] = texts.each_ref().map(|text| hashes(&text.words));
        let mut around = around.map(|lines| hashes(&LineWords::of(lines, equality).words));
        around[0].reverse();
        let near = around
            .each_ref()
            .map(|words| &words[..words.len().min(LEAST_AROUND)]);
        let numbered = hash_of(&(&removed_words, with_numbered_names(&added_words), near));
        let trimmed = [removed, added]
            .map(|lines| -> Vec<&str> { lines.iter().map(|line| line.trim_end()).collect() });
        let [removed_ends, added_ends] = texts.map(|text| text.ends);
        Self {
            core: Core::of(&removed_words, &added_words, &around),
            around,
            lines: hash_of(&trimmed),
            numbered,
            removed: removed_words,
            added: added_words,
            removed_ends,
            added_ends,
        }
    }

    /// Returns true if the words stay the same.
    fn is_layout(&self) -> bool {
        self.core.removed.is_empty() && self.core.added.is_empty()
    }

    /// Returns the number of its words.
    pub(super) fn len(&self) -> usize {
        self.removed.len() + self.added.len()
    }

    /// Returns the words of the added lines.
    pub(super) fn added(&self) -> impl Iterator<Item = WordHash> {
        self.added.iter().copied()
    }

    /// Returns the hash by which an equal change is found.
    pub(super) fn key(&self) -> u64 {
        if self.is_layout() {
            self.lines
        } else {
            hash_of(&(&self.core.removed, &self.core.added))
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
        let is_near = agreement(&self.around, &rejected.around).iter().max() >= Some(&LEAST_AROUND);
        if self.is_part_of(rejected, is_near) {
            return Some(Relation::Part);
        }
        if rejected.is_part_of(self, is_near) {
            return Some(Relation::Contains);
        }
        self.is_at_place_of(rejected).then_some(Relation::Neighbors)
    }

    /// Returns true if another change contains this one; one that only adds lines must be near it.
    fn is_part_of(&self, whole: &Self, is_near: bool) -> bool {
        self.len() >= LEAST_WORDS
            && !self.is_layout()
            && (!self.removed.is_empty() || is_near)
            && contains_lines(&whole.removed, &whole.removed_ends, &self.removed)
            && contains_lines(&whole.added, &whole.added_ends, &self.added)
    }

    /// Returns the names that a proposed change adds, each with the name in its place in the rejected one, if there is no other difference
    /// between them. The files around them know none of these names.
    pub(super) fn renamings(
        &self,
        rejected: &Self,
        is_known: &dyn Fn(WordHash) -> bool,
    ) -> Option<Vec<NameUse>> {
        let [above, below] = agreement(&self.around, &rejected.around);
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
        for (at, (new, old)) in self.added.iter().zip(&rejected.added).enumerate() {
            match (is_own(*new), is_own(*old)) {
                (true, true) => renamings.push(NameUse {
                    names: NamePair {
                        old: *old,
                        new: *new,
                    },
                    is_member: follows_member_sign(&self.added[..at]),
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
        let (own, other) = (&self.core, &other.core);
        own.removed == other.removed
            && own.added == other.added
            && [0, 1].iter().all(|&side| {
                let length = own.repeated[side].max(other.repeated[side]);
                let own = own.around[side].iter().take(length);
                own.eq(other.around[side].iter().take(length))
            })
    }

    /// Returns true if the lines around both are the same, as far as two equal changes need it: those near the change, or many on one
    /// side, because the other side may have been changed since. In two files they are many on both sides.
    fn is_beside_the_same_as(&self, other: &Self, same_file: bool) -> bool {
        let [above, below] = agreement(&self.core.around, &other.core.around);
        let (least, most) = (above.min(below), above.max(below));
        least >= MOST_AROUND || same_file && (least >= LEAST_AROUND || most >= MOST_AROUND)
    }

    /// Returns true if both replace the same lines, or add lines at the same place.
    fn is_at_place_of(&self, other: &Self) -> bool {
        let [above, below] = agreement(&self.around, &other.around);
        match (self.removed.is_empty(), other.removed.is_empty()) {
            (true, true) => above.min(below) >= LEAST_AROUND,
            (false, false) => {
                let within = |part: &Self, whole: &Self| {
                    contains_lines(&whole.removed, &whole.removed_ends, &part.removed)
                };
                let is_same = within(self, other) || within(other, self);
                is_same && above.max(below) >= LEAST_AROUND
            }
            (true, false) | (false, true) => false,
        }
    }
}

impl Core {
    fn of(removed: &[WordHash], added: &[WordHash], around: &[Vec<WordHash>; 2]) -> Self {
        let first = common(removed.iter(), added.iter());
        let last = common(removed[first..].iter().rev(), added[first..].iter().rev());
        let (above, below) = (&added[..first], &added[added.len() - last..]);
        let mut core = Self {
            removed: removed[first..removed.len() - last].to_vec(),
            added: added[first..added.len() - last].to_vec(),
            around: [
                above.iter().rev().chain(&around[0]).copied().collect(),
                below.iter().chain(&around[1]).copied().collect(),
            ],
            repeated: [first, last],
        };
        core.slide_up();
        core
    }

    /// Moves words that are only added, or only removed, up over equal ones.
    fn slide_up(&mut self) {
        let words = match (self.removed.is_empty(), self.added.is_empty()) {
            (true, false) => &mut self.added,
            (false, true) => &mut self.removed,
            _ => return,
        };
        let [above, below] = &mut self.around;
        let length = words.len();
        let word_from_end = |at: usize| words[length - 1 - at % length];
        let steps = (above.iter().enumerate())
            .take_while(|(at, word)| **word == word_from_end(*at))
            .count();
        let passed: Vec<WordHash> = (0..steps).map(word_from_end).collect();
        words.rotate_right(steps % length);
        above.drain(..steps);
        below.splice(..0, passed.into_iter().rev());
        self.repeated[0] = self.repeated[0].saturating_sub(steps);
        self.repeated[1] += steps;
    }
}

/// Counts the equal words above and below; where they are equal to the end, as if there were many.
fn agreement(own: &[Vec<WordHash>; 2], other: &[Vec<WordHash>; 2]) -> [usize; 2] {
    [0, 1].map(|side| {
        let equal = common(own[side].iter(), other[side].iter());
        if equal == own[side].len().max(other[side].len()) {
            MOST_AROUND
        } else {
            equal
        }
    })
}

impl<'a> LineWords<'a> {
    fn of(lines: &'a [&str], equality: WordEquality) -> Self {
        let mut all = Self {
            words: Vec::new(),
            ends: Vec::new(),
        };
        for line in lines {
            match (equality, folded(line)) {
                (WordEquality::Exact, _) => all.words.extend(split(line).map(Cow::from)),
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

    /// Adds a word, with one kind of quotes, and without a comma before a closing bracket.
    fn push_folded(&mut self, word: Cow<'a, str>) {
        let closes = matches!(word.as_ref(), ")" | "]" | "}");
        if closes && self.words.last().is_some_and(|last| last == ",") {
            self.words.pop();
            if let Some(end) = self.ends.last_mut() {
                *end = (*end).min(self.words.len());
            }
        }
        let is_quote = matches!(word.as_ref(), "'" | "`");
        self.words.push(if is_quote { "\"".into() } else { word });
    }
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
        known.extend(hashes(&LineWords::of(&[line], WordEquality::Folded).words));
    }
    known
}

/// Returns true if the words end with the sign of a member.
fn follows_member_sign(words: &[WordHash]) -> bool {
    MEMBER_SIGNS.iter().any(|sign| {
        let sign: Vec<WordHash> = sign.iter().map(|word| hash_of(*word) & !1).collect();
        words.ends_with(&sign)
    })
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

/// Returns true if some words are those of adjacent lines, which end where `ends` says. Very many words must be the same in all.
fn contains_lines(words: &[WordHash], ends: &[usize], part: &[WordHash]) -> bool {
    if part.is_empty() || words.len() > MOST_WORDS {
        return part.is_empty() || part == words;
    }
    let starts = iter::once(&0).chain(ends);
    starts
        .filter(|start| words[**start..].starts_with(part))
        .any(|start| ends.binary_search(&(start + part.len())).is_ok())
}
