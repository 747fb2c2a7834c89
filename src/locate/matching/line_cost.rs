//! Cost of pairing a line of an edit with a line of the file, in bits.
//!
//! Equal lines cost nothing, other blanks or typographic punctuation next to nothing. Otherwise the words of both lines are
//! aligned: a missing or extra word costs its information, another word the information of the rarer one, and a typo in a word
//! four bits. Most pairs are only estimated, by the words that both lines have in whatever order.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::locate::matching::normalize::is_blank;
use crate::locate::matching::word_alignment::{Difference, EditWord, SLIP, WordAlignment, align};
use crate::locate::matching::words::{UNKNOWN, WordId, Words, folded, split};
use crate::text::{Document, LineIdx};

/// Maximum cost of a line that only the file has, in bits: rare words in it say nothing about the edit.
pub(crate) const EXTRA_LINE: f64 = 8.0;
/// Minimum length of a word in which a typo is recognised, in characters.
const SHORTEST_WORD: usize = 4;
/// Number of characters of a word per typo.
const LETTERS: usize = 6;
/// Minimum share of the information that two lines must have in common to be paired.
const EQUAL: f64 = 0.4;
/// Maximum number of pairs of words of two lines; lines with more are only compared for equality.
const MAX_PAIRS: usize = 6000;

/// A line of an edit.
pub(crate) struct EditLine<'e> {
    pub(crate) text: &'e str,
    words: Vec<EditWord>,
    /// The numbers of the words, sorted.
    sorted: Vec<WordId>,
    pub(crate) bits: f64,
    pub(crate) is_blank: bool,
}

/// Difference between a line of an edit and one of the file; the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// None.
    Equal,
    /// Blanks at the end of the line.
    Trailing,
    /// Blanks elsewhere.
    Blanks,
    /// Typographic punctuation.
    Signs,
    /// Words.
    Words,
    /// Almost everything: the two have too little in common.
    Apart,
}

/// Comparison of a line of an edit with a line of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pair {
    pub(crate) cost: f64,
    pub(crate) likeness: Likeness,
}

/// Known results by the line of the edit and the line of the file.
type Cache<T> = RefCell<FxHashMap<(usize, LineIdx), T>>;

/// Comparison of the lines of one hunk with those of the file, with a cache.
pub(crate) struct Pairing<'p> {
    pub(crate) document: &'p Document,
    pub(crate) words: &'p Words<'p>,
    pub(crate) lines: Vec<EditLine<'p>>,
    /// Unknown words that more than one line of the edit has: they are not typos.
    repeated: FxHashSet<&'p str>,
    estimates: Cache<Pair>,
    alignments: Cache<Rc<WordAlignment>>,
}

impl<'p> Pairing<'p> {
    /// Prepares the lines of a hunk, which are numbered in this order.
    pub(crate) fn new(
        document: &'p Document,
        words: &'p Words<'p>,
        lines: impl Iterator<Item = &'p str>,
    ) -> Self {
        let lines: Vec<EditLine<'p>> = lines.map(|line| EditLine::new(line, words)).collect();
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for (nth, line) in lines.iter().enumerate() {
            let unknown = split(line.text).filter(|word| words.id(word) == UNKNOWN);
            for word in unknown {
                let first = seen.entry(word).or_insert(nth);
                if *first != nth {
                    *first = usize::MAX;
                }
            }
        }
        let repeated = seen.into_iter().filter(|(_, line)| *line == usize::MAX);
        Self {
            document,
            words,
            repeated: repeated.map(|(word, _)| word).collect(),
            lines,
            estimates: Cache::default(),
            alignments: Cache::default(),
        }
    }

    /// Returns the comparison of a line of the edit with one of the file, word by word.
    pub(crate) fn pair(&self, line: usize, at: LineIdx) -> Pair {
        match self.estimate(line, at) {
            estimate if estimate.likeness == Likeness::Words => self.in_order(line, at),
            pair => pair,
        }
    }

    /// Returns the comparison of two lines as if the order of their words did not matter: it takes time for each word, and not for
    /// each pair of words.
    pub(crate) fn estimate(&self, line: usize, at: LineIdx) -> Pair {
        let estimate = || self.without_order(&self.lines[line], at);
        cached(&self.estimates, line, at, estimate)
    }

    /// Compares two lines by the words that they share, in whatever order.
    fn without_order(&self, line: &EditLine<'_>, at: LineIdx) -> Pair {
        let file = self.document.line(at);
        if line.text == file {
            return Pair::of(0.0, Likeness::Equal);
        }
        if line.text.trim_end() == file.trim_end() {
            return Pair::of(0.25, Likeness::Trailing);
        }
        if line.is_blank || is_blank(file) {
            return Pair::APART;
        }
        let words = self.words.of_line(at);
        let has_same_words = line.words.len() == words.len()
            && line
                .words
                .iter()
                .zip(words)
                .all(|(own, file)| own.id == *file);
        if has_same_words {
            return if is_equal_without_blanks(line.text, file) {
                Pair::of(0.5, Likeness::Blanks)
            } else {
                Pair::of(1.0, Likeness::Signs)
            };
        }
        if line.words.len() * words.len() > MAX_PAIRS {
            return Pair::APART;
        }
        let most = line.bits.max(self.words.line_bits(at));
        let shared = self.shared(line, at);
        if shared >= EQUAL * most {
            Pair::of(most - shared, Likeness::Words)
        } else if let Some(slips) = self.slips(line, words) {
            Pair::of(slips, Likeness::Words)
        } else {
            Pair::APART
        }
    }

    /// Compares two lines by the words that both have in the same order.
    fn in_order(&self, line: usize, at: LineIdx) -> Pair {
        let most = self.lines[line].bits.max(self.words.line_bits(at));
        let alignment = self.alignment(line, at);
        let is_slip = |one: &Difference| matches!(one, Difference::Slip(..));
        let has_only_slips =
            !alignment.differences.is_empty() && alignment.differences.iter().all(is_slip);
        if alignment.equal >= EQUAL * most || has_only_slips {
            Pair::of(alignment.cost, Likeness::Words)
        } else {
            Pair::APART
        }
    }

    fn alignment(&self, line: usize, at: LineIdx) -> Rc<WordAlignment> {
        cached(&self.alignments, line, at, || {
            let is_slip = |own: &EditWord, file| self.is_slip(own, file);
            let own = &self.lines[line].words;
            Rc::new(align(self.words, own, self.words.of_line(at), is_slip))
        })
    }

    /// Returns the cost of the typos if two lines differ in nothing else.
    fn slips(&self, line: &EditLine<'_>, words: &[WordId]) -> Option<f64> {
        if line.words.len() != words.len() {
            return None;
        }
        let pairs = line.words.iter().zip(words);
        let costs = pairs.map(|(own, file)| {
            if own.id == *file {
                Some(0.0)
            } else {
                self.is_slip(own, *file).then_some(SLIP)
            }
        });
        costs.sum()
    }

    /// Returns the information of the words that two lines share, whatever their order.
    fn shared(&self, line: &EditLine<'_>, at: LineIdx) -> f64 {
        let (mut own, mut file) = (&*line.sorted, self.words.sorted_of_line(at));
        let mut shared = 0.0;
        while let ([a, others @ ..], [b, rest @ ..]) = (own, file) {
            match a.cmp(b) {
                Ordering::Less => own = others,
                Ordering::Greater => file = rest,
                Ordering::Equal => {
                    shared += self.words.bits(*a);
                    (own, file) = (others, rest);
                }
            }
        }
        shared
    }

    /// Returns the cost of a line that only the file has, in bits.
    pub(crate) fn extra(&self, at: LineIdx) -> f64 {
        self.words.line_bits(at).min(EXTRA_LINE)
    }

    /// Returns the differences between a line of the edit and one of the file.
    pub(crate) fn differences(&self, line: usize, at: LineIdx) -> Vec<Difference> {
        self.alignment(line, at).differences.clone()
    }

    /// Returns true if a word of the edit is one of the file's with a typo: neither the file nor another line of the edit has
    /// it, its digits are the same, and neighbouring letters were swapped, or letters inside of it left out or added, one in
    /// six. Another letter is no typo, nor is a letter more or less at an end or in a shorter word: in real code such words
    /// are other names (`wcount` and `rcount`, `item` and `items`, `stat` and `start`).
    fn is_slip(&self, own: &EditWord, file: WordId) -> bool {
        if own.id != UNKNOWN {
            return false;
        }
        let file = self.words.name(file);
        let len = |word: &str| word.chars().count();
        let (a, b) = (len(&own.text), len(file));
        let most = (a.max(b) / LETTERS).max(1);
        a.min(b) >= SHORTEST_WORD
            && a.abs_diff(b) <= most
            && !self.repeated.contains(own.text.as_str())
            && digits(&own.text).eq(digits(file))
            && strsim::osa_distance(&own.text, file) <= most
            && has_no_other_letter(&own.text, file)
    }

    /// Returns true if a line of the file has a word, and no other one is equal to it.
    pub(crate) fn is_only(&self, at: LineIdx) -> bool {
        let words = self.words.of_line(at).iter();
        let Some(rarest) = words.min_by_key(|word| self.words.count(**word)) else {
            return false;
        };
        let line = self.document.line(at);
        let with = self.words.lines_with(*rarest);
        let mut others = with.iter().filter(|other| **other as usize != at);
        !others.any(|other| self.document.line(*other as usize) == line)
    }

    /// Returns true if the file has siblings of a line: lines that differ from it only in the word at a position. If it has, a
    /// word that is off by a letter may be the name of another sibling.
    pub(crate) fn has_siblings(&self, at: LineIdx, position: usize) -> bool {
        let line = self.words.of_line(at);
        let rest = line.iter().enumerate().filter(|(nth, _)| *nth != position);
        let Some((_, rarest)) = rest.min_by_key(|(_, word)| self.words.count(**word)) else {
            return true;
        };
        let is_sibling = |other: &u32| {
            let other = self.words.of_line(*other as usize);
            other.len() == line.len()
                && other[position] != line[position]
                && other
                    .iter()
                    .zip(line)
                    .enumerate()
                    .all(|(nth, (a, b))| nth == position || a == b)
        };
        self.words.lines_with(*rarest).iter().any(is_sibling)
    }
}

impl<'e> EditLine<'e> {
    fn new(text: &'e str, words: &Words<'_>) -> Self {
        let folded = folded(text);
        let own: Vec<EditWord> = split(&folded)
            .map(|word| EditWord {
                id: words.id(word),
                text: word.to_owned(),
            })
            .collect();
        let mut sorted: Vec<WordId> = own.iter().map(|word| word.id).collect();
        sorted.sort_unstable();
        Self {
            text,
            bits: own.iter().map(|word| words.bits(word.id)).sum(),
            is_blank: is_blank(text),
            words: own,
            sorted,
        }
    }

    /// Returns the numbers of the words.
    pub(crate) fn word_ids(&self) -> &[WordId] {
        &self.sorted
    }
}

impl Pair {
    const APART: Self = Self {
        cost: f64::INFINITY,
        likeness: Likeness::Apart,
    };

    fn of(cost: f64, likeness: Likeness) -> Self {
        Self { cost, likeness }
    }
}

/// Returns the known result for two lines, or computes it.
fn cached<T: Clone>(cache: &Cache<T>, line: usize, at: LineIdx, compute: impl FnOnce() -> T) -> T {
    if let Some(known) = cache.borrow().get(&(line, at)) {
        return known.clone();
    }
    let value = compute();
    cache.borrow_mut().insert((line, at), value.clone());
    value
}

/// Returns the digits of a word.
fn digits(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().filter(u8::is_ascii_digit)
}

/// Returns true if two words have the same letters, or if a longer one has only letters more, and both begin and end alike and
/// are long enough to tell.
fn has_no_other_letter(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut more: Vec<char> = long.chars().collect();
    let is_within = short.chars().all(|letter| {
        let at = more.iter().position(|other| *other == letter);
        at.map(|at| more.swap_remove(at)).is_some()
    });
    let has_same_ends = short.chars().next() == long.chars().next()
        && short.chars().next_back() == long.chars().next_back();
    is_within && (more.is_empty() || has_same_ends && short.chars().count() >= LETTERS)
}

/// Returns true if two lines differ in blanks only.
pub(crate) fn is_equal_without_blanks(one: &str, other: &str) -> bool {
    let solid = |c: &char| !c.is_whitespace();
    one.chars().filter(solid).eq(other.chars().filter(solid))
}
