//! Differences within a pair of long lines, such as minified code, in time that grows with their length.
//!
//! Both lines are walked word by word. Where they part, the walk goes on at the nearest place where a few words are the same again.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// The number of words that are the same where two lines meet again.
const WINDOW: usize = 4;

/// Returns the byte ranges of both lines that the other lacks.
pub(crate) fn long_emphasis(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    // Most lines differ in one place.
    let [of_old, of_new] = differing(old, new);
    let start = of_old.start;
    let (old, new) = (&old[of_old], &new[of_new]);
    let (old_words, new_words) = (SplitLine::new(old), SplitLine::new(new));
    let mut found = (Vec::new(), Vec::new());
    for (of_old, of_new) in partings(&old_words.words, &new_words.words) {
        let [of_old, of_new] = [old_words.bytes(of_old), new_words.bytes(of_new)];
        let [cut_old, cut_new] = differing(&old[of_old.clone()], &new[of_new.clone()]);
        let ranges = [
            (&mut found.0, of_old, cut_old),
            (&mut found.1, of_new, cut_new),
        ];
        for (ranges, bytes, cut) in ranges {
            let at = start + bytes.start;
            if !cut.is_empty() {
                ranges.push(at + cut.start..at + cut.end);
            }
        }
    }
    found
}

/// Returns the bytes of each text that are not in their common beginning or end.
pub(crate) fn differing(old: &str, new: &str) -> [Range<usize>; 2] {
    let same = |(a, b): &(char, char)| a == b;
    let pairs = old.chars().zip(new.chars()).take_while(same);
    let start: usize = pairs.map(|(c, _)| c.len_utf8()).sum();
    let pairs = old[start..].chars().rev().zip(new[start..].chars().rev());
    let end: usize = pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    [start..old.len() - end, start..new.len() - end]
}

/// A line as words: runs of ASCII letters and digits, and all other characters one by one.
struct SplitLine<'a> {
    words: Vec<&'a str>,
    /// The first byte of each word, and the length of the line.
    starts: Vec<usize>,
}

impl<'a> SplitLine<'a> {
    fn new(line: &'a str) -> Self {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (mut words, mut starts) = (Vec::new(), vec![0]);
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let end = match rest.find(|c| !is_part(c)) {
                Some(0) => first.len_utf8(),
                Some(end) => end,
                None => rest.len(),
            };
            let (word, after) = rest.split_at(end);
            words.push(word);
            rest = after;
            starts.push(line.len() - rest.len());
        }
        Self { words, starts }
    }

    fn bytes(&self, words: Range<usize>) -> Range<usize> {
        self.starts[words.start]..self.starts[words.end]
    }
}

/// Returns the words of both lines between one common part and the next.
fn partings(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut windows: FxHashMap<&[&str], Vec<usize>> = FxHashMap::default();
    for (at, window) in new.windows(WINDOW).enumerate() {
        windows.entry(window).or_default().push(at);
    }
    let mut partings = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && old.get(i) == new.get(j) {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let mut nearest: Option<(usize, usize)> = None;
        // What is looked at is no more than what is passed over.
        for (gone, window) in old[i..].windows(WINDOW).enumerate() {
            if nearest.is_some_and(|(gone_then, come)| gone >= gone_then + come) {
                break;
            }
            if let Some(at) = next_place(&windows, window, j) {
                let is_nearer = |(gone_then, come)| gone + at - j < gone_then + come;
                if nearest.is_none_or(is_nearer) {
                    nearest = Some((gone, at - j));
                }
            }
        }
        let (gone, come) = nearest.unwrap_or((old.len() - i, new.len() - j));
        partings.push((i..i + gone, j..j + come));
        (i, j) = (i + gone, j + come);
    }
    partings
}

/// Returns the first place of a window from a word on.
fn next_place(
    windows: &FxHashMap<&[&str], Vec<usize>>,
    window: &[&str],
    from: usize,
) -> Option<usize> {
    let places = windows.get(window)?;
    places.get(places.partition_point(|&at| at < from)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_apart() {
        let check = |old: &str, new: &str, expected: [&[&str]; 2]| {
            let filler = "f(a, b); ".repeat(500);
            let [old, new] = [old, new].map(|line| line.replace('~', &filler));
            let (of_old, of_new) = long_emphasis(&old, &new);
            let of_old: Vec<&str> = of_old.into_iter().map(|range| &old[range]).collect();
            let of_new: Vec<&str> = of_new.into_iter().map(|range| &new[range]).collect();
            assert_eq!([&of_old[..], &of_new[..]], expected);
        };
        check("~one~two~", "~1~2~", [&["one", "two"], &["1", "2"]]);
        check("~one~", "~~", [&["one"], &[]]);
        check("old~", "new~", [&["old"], &["new"]]);
        check("~old", "~new", [&["old"], &["new"]]);
        check("~漢旧字~", "~漢新字~", [&["旧"], &["新"]]);
        check("~", "~", [&[], &[]]);
    }

    #[test]
    fn a_difference_is_what_is_not_common() {
        let check = |old: &str, new: &str, expected: [&str; 2]| {
            let [of_old, of_new] = differing(old, new);
            assert_eq!([&old[of_old], &new[of_new]], expected, "{old} {new}");
        };
        check("a-old-b", "a-new-b", ["old", "new"]);
        check("ab", "aab", ["", "a"]);
        check("aa", "aaaa", ["", "aa"]);
        check("", "x", ["", "x"]);
        check("äöü", "äßü", ["ö", "ß"]);
        check("é", "è", ["é", "è"]);
    }
}
