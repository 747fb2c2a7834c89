//! The gaps between the lines that two texts of a file share.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::proposal::{has_word, placeholder};
use crate::text::{LineIdx, LineNo};

/// The lines of both texts between two lines that they share.
pub(super) struct Gap {
    pub(super) old: Range<LineIdx>,
    pub(super) new: Range<usize>,
    /// The lines of the old text that the new one does not have.
    pub(super) missing: Vec<LineIdx>,
    /// The number of those that are no comments.
    pub(super) code: usize,
    /// The number of lines of the new text that the old one does not have, marks excluded.
    pub(super) added: usize,
    /// The number of marks in the new text.
    marks: usize,
    /// The number of added lines that have a word of a missing one, which they may replace.
    replacing: usize,
    /// The numbers of missing and of added lines that have signs alone, such as the end of a block.
    signs: (usize, usize),
}

impl Gap {
    /// Compares the lines between the anchors around a line of the new text.
    pub(super) fn around(
        at: usize,
        anchors: &[(LineIdx, usize)],
        path: &str,
        (old, new): (&[&str], &[&str]),
        is_mark: &impl Fn(usize) -> bool,
    ) -> Self {
        let next = anchors.partition_point(|(_, own)| *own < at);
        let before = next.checked_sub(1).map(|i| anchors[i]);
        let after = anchors.get(next);
        let in_old =
            before.map_or(0, |(line, _)| line + 1)..after.map_or(old.len(), |(line, _)| *line);
        let in_new = before.map_or(0, |(_, own)| own + 1)..after.map_or(new.len(), |(_, own)| *own);
        // A line between other signs is kept: as a comment, or with another end.
        let mut left = counts(in_new.clone().map(|own| inner(new[own])));
        let missing: Vec<LineIdx> = in_old
            .clone()
            .filter(|&line| has_word(old[line]) && !take(&mut left, inner(old[line])))
            .collect();
        let mut left = counts(in_new.clone().map(|own| new[own]));
        let signs = in_old.clone().map(|line| old[line]).filter(is_signs);
        let signs_missing = signs.filter(|line| !take(&mut left, line)).count();
        let mut left = counts(in_old.clone().map(|line| old[line]));
        let is_added = |own: &usize| !is_mark(*own) && !take(&mut left, new[*own]);
        let (added_lines, signs): (Vec<usize>, Vec<usize>) = in_new
            .clone()
            .filter(|&own| !new[own].trim().is_empty())
            .filter(is_added)
            .partition(|&own| has_word(new[own]));
        let added = added_lines.len();
        let lost_words: HashSet<&str> = missing.iter().flat_map(|&line| words(old[line])).collect();
        let is_version = |own: &&usize| words(new[**own]).any(|word| lost_words.contains(word));
        let replacing = added_lines.iter().filter(is_version).count();
        let is_code = |line: &&LineIdx| placeholder(path, old[**line]).is_none();
        let code = missing.iter().filter(is_code).count();
        let marks = in_new.clone().filter(|&own| is_mark(own)).count();
        Self {
            old: in_old,
            new: in_new,
            missing,
            code,
            added,
            marks,
            replacing,
            signs: (signs_missing, signs.len()),
        }
    }

    /// Counts lines of prose as added beside other lines. Alone in place of code they are no version of it.
    pub(super) fn add_prose(&mut self, is_prose: impl Fn(usize) -> bool) {
        if self.added > 0 {
            self.added += self.new.clone().filter(|&own| is_prose(own)).count();
        }
    }

    /// Returns how many of the missing lines the added ones replace. As many lines or more do so whatever they say.
    pub(super) fn replaced(&self) -> usize {
        if self.added < self.missing.len() {
            self.replacing
        } else {
            self.added
        }
    }

    /// Returns how many more lines are missing than were replaced by as many. Lines of signs alone count too: a function is lost with its
    /// closing line. Comments beside the mark replace as many comments.
    pub(super) fn excess(&self, replaced: usize) -> usize {
        let comments = self.missing.len() - self.code;
        let replaced = replaced + comments.min(self.marks.saturating_sub(1));
        (self.missing.len() + self.signs.0).saturating_sub(replaced + self.signs.1)
    }

    /// Returns the words of the missing lines that are comments.
    pub(super) fn comment_words<'o>(&self, path: &str, old: &[&'o str]) -> HashSet<&'o str> {
        let lines = self.missing.iter().map(|&line| old[line]);
        let comments = lines.filter(|line| placeholder(path, line).is_some());
        comments.flat_map(words).collect()
    }

    /// Returns the first and the last line that are missing.
    pub(super) fn bounds(&self) -> (LineNo, LineNo) {
        let line =
            |line: Option<&LineIdx>| LineNo::from_idx(line.copied().unwrap_or(self.old.start));
        (line(self.missing.first()), line(self.missing.last()))
    }
}

/// Returns true for a line that has signs, and no word.
fn is_signs(line: &&str) -> bool {
    !line.trim().is_empty() && !has_word(line)
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !is_word(c));
    words.filter(|word| !word.is_empty())
}

/// Returns a line from its first to its last letter or digit.
pub(super) fn inner(line: &str) -> &str {
    line.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Pairs the lines that both texts have exactly once, in the order of both.
pub(super) fn anchors(old: &[&str], new: &[&str]) -> Vec<(LineIdx, usize)> {
    let (had, has) = (counts(old.iter().copied()), counts(new.iter().copied()));
    let place: HashMap<&str, LineIdx> = old
        .iter()
        .enumerate()
        .map(|(line, text)| (text.trim(), line))
        .collect();
    let once = |text: &str| had.get(text) == Some(&1) && has.get(text) == Some(&1);
    let pairs: Vec<(LineIdx, usize)> = new
        .iter()
        .enumerate()
        .filter_map(|(own, text)| {
            let text = text.trim();
            let anchored = once(text) && has_word(text);
            anchored.then(|| place.get(text).map(|line| (*line, own)))?
        })
        .collect();
    increasing(&pairs)
}

/// The longest increasing selection of pairs that are sorted by their second part.
fn increasing(pairs: &[(LineIdx, usize)]) -> Vec<(LineIdx, usize)> {
    // `ends[n]` is the pair that ends the best selection of `n + 1` pairs; `before` links each pair to the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (i, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].0 < pair.0);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() {
            ends.push(i);
        } else {
            ends[length] = i;
        }
    }
    let mut chosen = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(i) = next {
        chosen.push(pairs[i]);
        next = before[i];
    }
    chosen.reverse();
    chosen
}

/// Takes one of the counted lines away; `false` if none is left.
pub(super) fn take(left: &mut HashMap<&str, usize>, line: &str) -> bool {
    match left.get_mut(line.trim()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        Some(_) | None => false,
    }
}

/// Counts equal lines; blanks at either end of a line do not count.
pub(super) fn counts<'a>(lines: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        *counts.entry(line.trim()).or_default() += 1;
    }
    counts
}
