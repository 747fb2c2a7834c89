//! Index of the lines of a file for every rung, built once per file and shared by all its hunks.
//!
//! Each distinct line has a number, and a file is a sequence of numbers. A block is searched for at the positions of its rarest
//! line. If that costs more than a pass over the file, the algorithm of Knuth, Morris and Pratt is used instead, so no file and
//! block make the search worse than linear.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::BuildHasher;
use std::ops::Range;
use std::rc::Rc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::locate::matching::kmp::Prefixes;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::{fold, is_blank};
use crate::locate::matching::words::Words;
use crate::locate::placement::Rung;
use crate::text::{Document, IndentUnit, LineIdx, Notebook};

/// Number of matches above which those of a block are cached for the other hunks.
const MANY: usize = 32;
/// Maximum number of blocks that are searched for in the text, which is faster for a few than to index all lines.
const FEW: usize = 8;
/// Minimum length of a line that is searched for in the text, in bytes, and the number of occurrences that ends the search.
const LONG: usize = 4;
const OFTEN: usize = 256;
/// Base of the rolling hash.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
/// Maximum number of places of one of many texts that are kept.
const MAX_KEPT: usize = 4096;

/// Index of a file's lines for every rung.
pub(crate) struct Index<'a> {
    pub(crate) document: &'a Document,
    folded: [OnceCell<Folded<'a>>; 6],
    is_ascii: OnceCell<bool>,
    has_trailing_blanks: OnceCell<bool>,
    unit: OnceCell<Option<IndentUnit>>,
    words: OnceCell<Words<'a>>,
    notebook: OnceCell<Result<Notebook<'a>, String>>,
    /// Number of blocks that were searched for in the text.
    searched: Cell<usize>,
    /// Byte offsets of texts that were searched for together.
    texts: OnceCell<FxHashMap<String, Vec<usize>>>,
    /// Cache of the lines that match an anchor, by its text.
    pub(crate) anchors: RefCell<FxHashMap<String, Rc<Vec<LineIdx>>>>,
    /// Cache of the matches of frequent blocks, by rung and numbers of their lines.
    frequent: RefCell<FxHashMap<Block, Rc<Vec<Match>>>>,
}

/// The numbers of a block's lines on a rung.
type Block = (Rung, Vec<u32>);

/// The lines of a file, normalized for one rung.
pub(crate) struct Folded<'a> {
    /// The number of each distinct line, by its normalized form.
    numbers: HashTable<u32>,
    normalized: NormalizedLines<'a>,
    /// The number of each indexed line.
    lines: Vec<u32>,
    /// The position in the file of each indexed line; `None` if all lines are indexed.
    at: Option<Vec<u32>>,
    /// The index in `positions` at which the positions of each number begin.
    starts: Vec<u32>,
    positions: Vec<u32>,
}

/// The normalized form of the line of each number.
enum NormalizedLines<'a> {
    /// Unchanged, as the first line of the file that has the number.
    Lines(&'a Document, Vec<u32>),
    /// Normalized.
    Folded(Vec<Cow<'a, str>>),
}

impl<'a> Index<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        Self {
            document,
            folded: std::array::from_fn(|_| OnceCell::new()),
            is_ascii: OnceCell::new(),
            has_trailing_blanks: OnceCell::new(),
            unit: OnceCell::new(),
            words: OnceCell::new(),
            notebook: OnceCell::new(),
            searched: Cell::new(0),
            texts: OnceCell::new(),
            anchors: RefCell::default(),
            frequent: RefCell::default(),
        }
    }

    /// Returns the words of the file.
    pub(crate) fn words(&self) -> &Words<'a> {
        self.words.get_or_init(|| Words::new(self.document))
    }

    /// Returns the file as a notebook, or why it is none.
    pub(crate) fn notebook(&self) -> Result<&Notebook<'a>, &str> {
        let read = || Notebook::read(self.document.text());
        self.notebook
            .get_or_init(read)
            .as_ref()
            .map_err(String::as_str)
    }

    /// Returns true if the file has exactly this line.
    pub(crate) fn has_line(&self, line: &str) -> bool {
        match self.search(&[line], 1) {
            Some(found) => !found.is_empty(),
            None => self.folded(Rung::Exact).count(line) > 0,
        }
    }

    /// Searches for exact matches of a block without an index, until `most` are found. `None` if the index exists already, or
    /// is needed.
    fn search(&self, block: &[impl AsRef<str>], most: usize) -> Option<Vec<Range<LineIdx>>> {
        if self.folded[0].get().is_some() || self.searched.get() >= FEW {
            return None;
        }
        let lines = block.iter().map(AsRef::as_ref);
        let longest = lines.clone().enumerate().max_by_key(|(_, line)| line.len());
        let (nth, longest) = longest.filter(|(_, line)| line.len() >= LONG)?;
        self.searched.set(self.searched.get() + 1);
        let document = self.document;
        let mut found = Vec::new();
        for (seen, at) in memchr::memmem::find_iter(document.text().as_bytes(), longest).enumerate()
        {
            if seen == OFTEN {
                return None;
            }
            let line = document.line_at(at);
            let Some(first) = line.checked_sub(nth) else {
                continue;
            };
            let place = first..first + block.len();
            let is_place = document.bytes_of(line..line).start == at
                && place.end <= document.len()
                && place
                    .clone()
                    .zip(lines.clone())
                    .all(|(at, line)| document.line(at) == line);
            if is_place {
                found.push(place);
                if found.len() == most {
                    break;
                }
            }
        }
        Some(found)
    }

    /// Searches for many texts together, in one pass for all that are equally long.
    pub(crate) fn search_texts<'t>(&self, texts: impl Iterator<Item = &'t str>) {
        let mut by_length: FxHashMap<usize, FxHashMap<u64, Vec<&str>>> = FxHashMap::default();
        let mut places: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for text in texts {
            if places.insert(text.to_owned(), Vec::new()).is_none() {
                let length = by_length.entry(text.len()).or_default();
                let hash = text.bytes().fold(0, roll);
                length.entry(hash).or_default().push(text);
            }
        }
        if places.len() <= by_length.len() * FEW {
            return;
        }
        let bytes = self.document.text().as_bytes();
        for (length, texts) in by_length {
            let leading = u32::try_from(length).map_or(0, |length| BASE.wrapping_pow(length));
            let mut hash = 0;
            for (end, &byte) in bytes.iter().enumerate() {
                hash = roll(hash, byte);
                if let Some(before) = end.checked_sub(length) {
                    hash = hash.wrapping_sub(roll(0, bytes[before]).wrapping_mul(leading));
                }
                let start = (end + 1).saturating_sub(length);
                let equal = texts.get(&hash).into_iter().flatten();
                for &text in equal.filter(|text| text.as_bytes() == &bytes[start..=end]) {
                    let places = places.entry(text.to_owned()).or_default();
                    if places.len() <= MAX_KEPT {
                        places.push(start);
                    }
                }
            }
        }
        // A text with more places is searched for by itself.
        places.retain(|_, places| places.len() <= MAX_KEPT);
        drop(self.texts.set(places));
    }

    /// Returns the byte offset of a text at or after a position.
    pub(crate) fn find_text(&self, text: &str, from: usize) -> Option<usize> {
        if let Some(places) = self.texts.get().and_then(|texts| texts.get(text)) {
            let next = places.partition_point(|at| *at < from);
            return places.get(next).copied();
        }
        let rest = self.document.text().as_bytes().get(from..)?;
        memchr::memmem::find(rest, text.as_bytes()).map(|at| from + at)
    }

    /// Returns the lines of the file as normalized for a rung.
    pub(crate) fn folded(&self, rung: Rung) -> &Folded<'a> {
        let slot = match rung {
            Rung::Exact => 0,
            // Without trailing blanks both rungs have the same forms.
            Rung::TrailingBlanks if !self.has_trailing_blanks() => {
                return self.folded(Rung::Exact);
            }
            Rung::TrailingBlanks => 1,
            Rung::Indent => 2,
            Rung::Blanks => 3,
            Rung::Punctuation | Rung::Similar => 4,
            Rung::BlankLines => 5,
        };
        self.folded[slot].get_or_init(|| Folded::new(self.document, rung))
    }

    /// Returns true if the file is ASCII, so that the punctuation rung forgives nothing more than the one before it.
    pub(crate) fn is_ascii(&self) -> bool {
        *self
            .is_ascii
            .get_or_init(|| self.document.text().is_ascii())
    }

    fn has_trailing_blanks(&self) -> bool {
        let blank = |line: &str| fold(Rung::TrailingBlanks, line).len() < line.len();
        *self
            .has_trailing_blanks
            .get_or_init(|| self.document.lines().any(blank))
    }

    /// Returns the indentation unit of the file.
    pub(crate) fn unit(&self) -> Option<IndentUnit> {
        *self
            .unit
            .get_or_init(|| IndentUnit::detect(self.document.lines()))
    }

    /// Returns all ranges of lines that match `block` on a rung, in file order.
    pub(crate) fn places(&self, rung: Rung, block: &[impl AsRef<str>]) -> Vec<Range<LineIdx>> {
        let found = (rung == Rung::Exact).then(|| self.search(block, usize::MAX));
        (found.flatten()).unwrap_or_else(|| self.folded(rung).places(rung, block))
    }

    /// Returns all matches of `block` on a rung, line by line.
    pub(crate) fn matches(&self, rung: Rung, block: &[String]) -> Rc<Vec<Match>> {
        let found = (rung == Rung::Exact).then(|| self.search(block, usize::MAX));
        if let Some(found) = found.flatten() {
            return Rc::new(found.into_iter().map(Match::straight).collect());
        }
        let folded = self.folded(rung);
        let Some(numbers) = folded.block(rung, block) else {
            return Rc::default();
        };
        let key = (rung, numbers);
        if let Some(known) = self.frequent.borrow().get(&key) {
            return Rc::clone(known);
        }
        let places = folded.places_of(&key.1).into_iter();
        let matches: Rc<Vec<Match>> = Rc::new(places.map(Match::straight).collect());
        if matches.len() > MANY {
            self.frequent.borrow_mut().insert(key, Rc::clone(&matches));
        }
        matches
    }
}

impl<'a> Folded<'a> {
    fn new(document: &'a Document, rung: Rung) -> Self {
        let mut numbers = HashTable::with_capacity(document.len());
        let mut normalized = NormalizedLines::of(document, rung);
        let mut lines = Vec::with_capacity(document.len());
        let mut starts: Vec<u32> = Vec::with_capacity(document.len() + 1);
        let mut at = (rung == Rung::BlankLines).then(Vec::new);
        for (idx, line) in document.lines().enumerate() {
            if let Some(at) = &mut at {
                if is_blank(line) {
                    continue;
                }
                at.push(number(idx));
            }
            let look = fold(rung, line);
            let is_it = |&line: &u32| normalized.of_number(line) == look;
            let rehash = |&line: &u32| hash(normalized.of_number(line));
            let line = match numbers.entry(hash(&look), is_it, rehash) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(free) => {
                    let next = number(starts.len());
                    free.insert(next);
                    normalized.push(look, idx);
                    starts.push(0);
                    next
                }
            };
            starts[line as usize] += 1;
            lines.push(line);
        }
        // Turn the count of each number into the end of its positions, and, while these are filled from the end, into their
        // beginning.
        let mut end = 0;
        for count in &mut starts {
            end += *count;
            *count = end;
        }
        let mut positions = vec![0; lines.len()];
        for (position, &line) in lines.iter().enumerate().rev() {
            starts[line as usize] -= 1;
            positions[starts[line as usize] as usize] = number(position);
        }
        starts.push(end);
        Self {
            numbers,
            normalized,
            lines,
            at,
            starts,
            positions,
        }
    }

    /// Returns the file positions of all lines with a normalized form.
    pub(crate) fn lines_like(&self, folded: &str) -> impl Iterator<Item = LineIdx> {
        let found = self
            .number_of(folded)
            .map_or(&[][..], |line| self.positions_of(line));
        found
            .iter()
            .map(|&position| self.file_position(position as usize))
    }

    /// Returns the number of lines with a normalized form.
    pub(crate) fn count(&self, folded: &str) -> usize {
        self.number_of(folded)
            .map_or(0, |line| self.positions_of(line).len())
    }

    fn number_of(&self, folded: &str) -> Option<u32> {
        let is_it = |&line: &u32| self.normalized.of_number(line) == folded;
        self.numbers.find(hash(folded), is_it).copied()
    }

    fn places(&self, rung: Rung, block: &[impl AsRef<str>]) -> Vec<Range<LineIdx>> {
        self.block(rung, block)
            .map_or_else(Vec::new, |block| self.places_of(&block))
    }

    /// Returns the numbers of the lines of a block; `None` if the file does not have one of them.
    fn block(&self, rung: Rung, block: &[impl AsRef<str>]) -> Option<Vec<u32>> {
        let lines = block.iter().map(AsRef::as_ref);
        let looked_at = lines.filter(|line| rung != Rung::BlankLines || !is_blank(line));
        looked_at
            .map(|line| self.number_of(&fold(rung, line)))
            .collect()
    }

    fn places_of(&self, block: &[u32]) -> Vec<Range<LineIdx>> {
        let Some((rarest, &line)) = block
            .iter()
            .enumerate()
            .min_by_key(|(_, line)| self.positions_of(**line).len())
        else {
            return Vec::new();
        };
        let candidates = self.positions_of(line);
        let starts: Vec<usize> =
            if candidates.len().saturating_mul(block.len()) > self.lines.len() + block.len() {
                occurrences(&self.lines, block)
            } else {
                let start = |&position: &u32| (position as usize).checked_sub(rarest);
                let stands = |&start: &usize| self.lines[start..].starts_with(block);
                candidates.iter().filter_map(start).filter(stands).collect()
            };
        let last = block.len() - 1;
        starts
            .into_iter()
            .map(|start| self.file_position(start)..self.file_position(start + last) + 1)
            .collect()
    }

    fn positions_of(&self, line: u32) -> &[u32] {
        &self.positions
            [self.starts[line as usize] as usize..self.starts[line as usize + 1] as usize]
    }

    fn file_position(&self, position: usize) -> LineIdx {
        self.at
            .as_ref()
            .map_or(position, |at| at[position] as usize)
    }
}

impl<'a> NormalizedLines<'a> {
    fn of(document: &'a Document, rung: Rung) -> Self {
        if rung == Rung::Exact {
            Self::Lines(document, Vec::with_capacity(document.len()))
        } else {
            Self::Folded(Vec::with_capacity(document.len()))
        }
    }

    /// Gives the next number to the line at a position, with its normalized form.
    fn push(&mut self, look: Cow<'a, str>, at: LineIdx) {
        match self {
            Self::Lines(_, lines) => lines.push(number(at)),
            Self::Folded(normalized) => normalized.push(look),
        }
    }

    fn of_number(&self, line: u32) -> &str {
        match self {
            Self::Lines(document, lines) => document.line(lines[line as usize] as usize),
            Self::Folded(normalized) => &normalized[line as usize],
        }
    }
}

/// Adds a byte to the hash of the bytes before it.
fn roll(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1)
}

fn hash(look: &str) -> u64 {
    FxBuildHasher.hash_one(look)
}

/// Converts a count. A file with more than four billion lines does not fit into memory as text.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Returns all starts of `block` in `lines`, in one pass.
fn occurrences(lines: &[u32], block: &[u32]) -> Vec<usize> {
    let prefixes = Prefixes::of(block);
    let mut matched = 0;
    let ends = lines.iter().enumerate().filter(|(_, line)| {
        matched = prefixes.after(matched, line);
        matched == block.len()
    });
    ends.map(|(end, _)| end + 1 - block.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rung: Rung, file: &str, block: &str, expected: &[(usize, usize)]) {
        let document = Document::from_text(file.replace('|', "\n"));
        let block: Vec<&str> = block.split('|').collect();
        let places = Index::new(&document).places(rung, &block);
        let places: Vec<_> = places
            .iter()
            .map(|lines| (lines.start, lines.end))
            .collect();
        assert_eq!(places, expected, "{rung} {file:?} {block:?}");
    }

    #[test]
    fn all_places_are_found() {
        check(Rung::Exact, "a|b|a|b", "a|b", &[(0, 2), (2, 4)]);
        check(Rung::Exact, "a|a|a", "a|a", &[(0, 2), (1, 3)]);
        check(Rung::Exact, "a|b", "b|c", &[]);
        check(Rung::Exact, "a|b", "b|a", &[]);
        check(Rung::Exact, "a", "a|a", &[]);
        check(Rung::TrailingBlanks, "a  |b", "a|b\t", &[(0, 2)]);
        check(Rung::BlankLines, "a||b| |c", "a|b|c", &[(0, 5)]);
        check(Rung::BlankLines, "a|b|c", "a||b||c", &[(0, 3)]);
        check(Rung::BlankLines, "a|b", "||", &[]);
    }

    #[test]
    fn a_block_of_equal_lines_is_sought_in_one_pass() {
        let file = "x|".repeat(1000);
        let block = "x|".repeat(499) + "x";
        let expected: Vec<_> = (0..=500).map(|start| (start, start + 500)).collect();
        check(Rung::Exact, &file, &block, &expected);
    }
}
