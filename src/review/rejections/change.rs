//! Changes as sequences of words, so that layout does not matter, and how two of them are compared.

use std::cmp::Ordering;
use std::iter;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::record::RejectedChange;
use super::words::{LineWords, WordEquality, WordHash, hash_of, is_comma, is_name, line_hashes};

/// Number of equal words on one side that show the place by themselves.
pub(super) const MOST_AROUND: usize = 24;
/// Least number of words in a change that is compared with parts of others.
pub(super) const LEAST_WORDS: usize = 12;
/// Most words of a change that is compared with parts of others.
pub(super) const MOST_WORDS: usize = 4_000;
/// Words between something and its member.
const MEMBER_SIGNS: [&[&str]; 3] = [&["."], &[":", ":"], &["-", ">"]];
/// Least number of equal words above and below two equal changes.
pub(super) const LEAST_AROUND: usize = 4;

/// The lines of a change and those around it.
#[derive(Debug, Clone)]
pub(super) struct ChangeLines<'a> {
    pub(super) removed: Vec<&'a str>,
    pub(super) added: Vec<&'a str>,
    /// The lines above it, in order.
    pub(super) before: Vec<&'a str>,
    /// The lines below it.
    pub(super) after: Vec<&'a str>,
}

impl<'a> ChangeLines<'a> {
    pub(super) fn of(change: &'a RejectedChange) -> Self {
        let lines = |lines: &'a [String]| lines.iter().map(String::as_str).collect();
        Self {
            removed: lines(&change.removed),
            added: lines(&change.added),
            before: lines(&change.before),
            after: lines(&change.after),
        }
    }

    /// Returns the hashes of its lines in a file, by which changes of the same lines are found. Blank lines have none.
    pub(super) fn keys(&self, path: &str) -> impl Iterator<Item = u64> {
        let lines = self.removed.iter().chain(&self.added);
        let lines = lines
            .map(|line| line.trim())
            .filter(|line| !line.is_empty());
        lines.map(move |line| hash_of(&(path, line)))
    }
}

/// A change as words.
#[derive(Debug)]
pub(super) struct ChangeWords {
    /// The words that are taken for equal.
    pub(super) equality: WordEquality,
    /// The removed words, whole lines.
    pub(super) removed: Vec<WordHash>,
    /// The added words, whole lines.
    pub(super) added: Vec<WordHash>,
    /// The number of words up to the end of each removed line.
    pub(super) removed_ends: Vec<usize>,
    /// The number of words up to the end of each added line.
    pub(super) added_ends: Vec<usize>,
    /// The removed and added words that really differ.
    pub(super) core: Core,
    /// The removed and added lines with words in them that really differ.
    pub(super) line_core: Core,
    /// The words of the lines above and below the change, the nearest first.
    pub(super) around: [Vec<WordHash>; 2],
    /// The hash of the change and of the words near it, with the names that it adds numbered.
    pub(super) numbered: u64,
    /// The hash of the change wherever it is, without the comma that it needs unless a bracket follows: diffs begin lines that are only
    /// added, or only removed, at any of several equal ones.
    pub(super) anywhere: u64,
}

/// The words of a change in the coarsest reading in which it changes something, and in the finer ones that were asked for.
#[derive(Debug)]
pub(super) struct ChangeReadings {
    pub(super) words: ChangeWords,
    exact: OnceLock<ChangeWords>,
    layout: OnceLock<ChangeWords>,
}

impl ChangeReadings {
    pub(super) fn new(lines: &ChangeLines<'_>) -> Self {
        Self {
            words: ChangeWords::new(lines),
            exact: OnceLock::new(),
            layout: OnceLock::new(),
        }
    }

    /// Returns the words of the change in a reading that is as fine as its own or finer. `lines` returns its lines.
    pub(super) fn at<'a>(
        &self,
        equality: WordEquality,
        lines: impl FnOnce() -> ChangeLines<'a>,
    ) -> &ChangeWords {
        let finer = match equality {
            _ if equality <= self.words.equality => return &self.words,
            WordEquality::Folded | WordEquality::Exact => &self.exact,
            WordEquality::Layout => &self.layout,
        };
        finer.get_or_init(|| ChangeWords::read(&lines(), equality))
    }
}

/// The words, or the lines, of a change that really differ: without those that its removed and added lines both begin or end with.
///
/// Where nothing but equal words is added or removed, as one more of several equal lines, it is as far up as it can be: diffs place it
/// differently.
#[derive(Debug, Clone)]
pub(super) struct Core {
    pub(super) removed: Vec<WordHash>,
    pub(super) added: Vec<WordHash>,
    /// The words above and below it, the nearest first.
    pub(super) around: [Vec<WordHash>; 2],
    /// The number of these that the change itself repeats.
    pub(super) repeated: [usize; 2],
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

impl ChangeWords {
    /// Reads the words of a change. A change of nothing but quotes and commas is read exactly, and one of layout with its blanks.
    pub(super) fn new(lines: &ChangeLines<'_>) -> Self {
        let coarse = [WordEquality::Folded, WordEquality::Exact].into_iter();
        let mut coarse = coarse.map(|equality| Self::read(lines, equality));
        let differing = coarse.find(|words| !words.is_unchanged());
        differing.unwrap_or_else(|| Self::read(lines, WordEquality::Layout))
    }

    /// Reads the words of a change, of which those are equal that are taken for equal.
    pub(super) fn read(lines: &ChangeLines<'_>, equality: WordEquality) -> Self {
        let ChangeLines {
            removed,
            added,
            before,
            after,
        } = lines;
        let [removed, added, before, after] = [removed, added, before, after].map(Vec::as_slice);
        // A comma before a bracket may be the last word of a change, and the bracket the next word below it.
        let read = |changed| LineWords::of(&[before, changed, after].concat(), equality);
        let (old, new) = (read(removed), read(added));
        let [above, removed_words, below] = old.parts([before.len(), removed.len()]);
        let [_, added_words, _] = new.parts([before.len(), added.len()]);
        let mut around = [above, below];
        around[0].reverse();
        let [mut above, removed_lines, added_lines, below] =
            [before, removed, added, after].map(|lines| line_hashes(lines, equality));
        above.reverse();
        let lines_around = [above, below];
        let near = around
            .each_ref()
            .map(|words| &words[..words.len().min(LEAST_AROUND)]);
        let numbered = hash_of(&(&removed_words, with_numbered_names(&added_words), near));
        Self {
            equality,
            core: Core::of(&removed_words, &added_words, &around),
            line_core: Core::of(&removed_lines, &added_lines, &lines_around),
            around,
            numbered,
            anywhere: hash_anywhere(
                without_last_comma(&removed_words),
                without_last_comma(&added_words),
            ),
            removed: removed_words,
            added: added_words,
            removed_ends: old.ends_of(before.len(), removed.len()),
            added_ends: new.ends_of(before.len(), added.len()),
        }
    }

    /// Returns true if the words stay the same.
    fn is_unchanged(&self) -> bool {
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
        hash_of(&(&self.core.removed, &self.core.added))
    }

    /// Returns the hashes by which a change is found that is equal, but perhaps for its names.
    pub(super) fn keys(&self) -> impl Iterator<Item = u64> {
        [self.key(), self.numbered, self.anywhere].into_iter()
    }

    /// Returns the hashes by which a change is found that shares words with it.
    pub(super) fn stretches(&self) -> impl Iterator<Item = u64> {
        let fits = (LEAST_WORDS..=MOST_WORDS).contains(&self.len());
        let sides = [&self.removed, &self.added].into_iter();
        let sides = sides.filter(move |_| fits);
        sides.flat_map(|side| side.windows(LEAST_WORDS / 2).map(|words| hash_of(&words)))
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
            && self.equality != WordEquality::Layout
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

    /// Returns the same change with words that are only added, or only removed, as far down as each of the equal ones below allows.
    pub(super) fn slid_down(&self) -> impl Iterator<Item = Self> {
        iter::successors(Some(self.clone()), |last| {
            let mut next = last.clone();
            let words = match (next.removed.is_empty(), next.added.is_empty()) {
                (true, false) => &mut next.added,
                (false, true) => &mut next.removed,
                _ => return None,
            };
            let [above, below] = &mut next.around;
            let passed = *below.first().filter(|word| **word == words[0])?;
            words.rotate_left(1);
            above.insert(0, passed);
            below.remove(0);
            Some(next)
        })
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

/// Returns true if the words end with the sign of a member.
fn follows_member_sign(words: &[WordHash]) -> bool {
    MEMBER_SIGNS.iter().any(|sign| {
        let sign: Vec<WordHash> = sign.iter().map(|word| hash_of(*word) & !1).collect();
        words.ends_with(&sign)
    })
}

fn without_last_comma(words: &[WordHash]) -> &[WordHash] {
    match words {
        [words @ .., last] if is_comma(*last) => words,
        words => words,
    }
}

/// Returns the hash of a change without its place.
fn hash_anywhere(removed: &[WordHash], added: &[WordHash]) -> u64 {
    match (removed, added) {
        ([], only) | (only, []) => {
            let (before, after) = only.split_at(least_rotation(only));
            hash_of(&(removed.is_empty(), [after, before].concat()))
        }
        both => hash_of(&both),
    }
}

/// Returns the start of the rotation of some words that comes first in their order.
///
/// Two starts are compared; the words that were equal say how far the one that loses goes on.
fn least_rotation(words: &[WordHash]) -> usize {
    let count = words.len();
    let (mut one, mut other, mut equal) = (0, 1, 0);
    while one < count && other < count && equal < count {
        let [a, b] = [one, other].map(|start| words[(start + equal) % count]);
        match a.cmp(&b) {
            Ordering::Equal => {
                equal += 1;
                continue;
            }
            Ordering::Greater => one += equal + 1,
            Ordering::Less => other += equal + 1,
        }
        other += usize::from(one == other);
        equal = 0;
    }
    one.min(other)
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
pub(super) fn common<'a>(
    one: impl Iterator<Item = &'a WordHash>,
    other: impl Iterator<Item = &'a WordHash>,
) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

/// Counts the equal words above and below; where they are equal to the end, as if there were many.
pub(super) fn agreement(own: &[Vec<WordHash>; 2], other: &[Vec<WordHash>; 2]) -> [usize; 2] {
    [0, 1].map(|side| {
        let equal = common(own[side].iter(), other[side].iter());
        if equal == own[side].len().max(other[side].len()) {
            MOST_AROUND
        } else {
            equal
        }
    })
}
