//! Places where lines of an edit may match though not exactly, each with the best alignment.
//!
//! Lines that edit and file share vote for a place, with more weight if they are rare; so do rare words of lines that the file
//! does not have. The likeliest places are aligned line by line: a pair has the cost that [`pairing`](crate::locate::matching::line_cost) estimates,
//! a line without a partner costs its information. Only lines of the cheapest alignments are compared word by word.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::locate::matching::index::Index;
use crate::locate::matching::line_cost::{Likeness, Pairing};
use crate::locate::matching::normalize::fold;
use crate::locate::matching::words::UNKNOWN;
use crate::locate::placement::Rung;
use crate::text::LineIdx;

/// Maximum number of occurrences of a line that votes, and of a word.
const COMMON_LINE: usize = 200;
const COMMON_WORD: u32 = 12;
/// Maximum number of places that are aligned, and of their lines together.
const MAX_PLACES: usize = 24;
const MAX_LINES: usize = 6000;
/// Maximum number of places that are considered, those with the most votes first.
const MAX_VOTED: usize = 300;
/// Cost of a blank line without a partner, in bits.
const BLANK: f64 = 0.5;

/// Lines of an edit aligned with lines of the file.
#[derive(Debug)]
pub(crate) struct Alignment {
    /// The file's line for each line of the edit.
    pub(crate) pairs: Vec<Option<LineIdx>>,
    /// The estimated cost of all differences, in bits.
    cost: f64,
}

/// Returns the best alignments of some lines of an edit, by their numbers in the pairing: at most `most`, the cheapest first.
pub(crate) fn alignments(
    index: &Index<'_>,
    pairing: &Pairing<'_>,
    lines: &[usize],
    most: usize,
) -> Vec<Alignment> {
    let slack = slack(lines.len());
    let places = (MAX_LINES / lines.len().max(1)).clamp(2, MAX_PLACES);
    let mut found: Vec<Alignment> = starts(index, pairing, lines, places)
        .into_iter()
        .filter_map(|start| align(pairing, lines, start, slack))
        .collect();
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let mut known = FxHashSet::default();
    found.retain(|one| known.insert(one.pairs.clone()));
    found.truncate(most);
    for one in &mut found {
        one.leave_apart(pairing, lines);
    }
    found.retain(|one| one.pairs.iter().any(Option::is_some));
    found
}

/// Returns the best alignment of lines of an edit that begin near a line.
pub(crate) fn align_near(pairing: &Pairing<'_>, lines: &[usize], at: LineIdx) -> Option<Alignment> {
    let mut found = align(pairing, lines, at.cast_signed(), slack(lines.len()))?;
    found.leave_apart(pairing, lines);
    Some(found)
}

impl Alignment {
    /// Removes the pairs that have too little in common once the order of their words is compared.
    fn leave_apart(&mut self, pairing: &Pairing<'_>, lines: &[usize]) {
        for (pair, &line) in self.pairs.iter_mut().zip(lines) {
            *pair = pair.filter(|&at| pairing.pair(line, at).likeness != Likeness::Apart);
        }
    }
}

/// Returns the number of lines that may be missing or extra.
fn slack(len: usize) -> usize {
    (4 + len / 3).min(32)
}

/// Returns the number of lines of the file that a line of the edit is compared with.
fn width(slack: usize) -> usize {
    2 * slack + 2
}

/// Returns the likeliest first lines, by votes.
fn starts(index: &Index<'_>, pairing: &Pairing<'_>, lines: &[usize], most: usize) -> Vec<isize> {
    let mut votes: FxHashMap<isize, f64> = FxHashMap::default();
    for (i, line) in lines.iter().map(|&line| &pairing.lines[line]).enumerate() {
        if line.is_blank {
            continue;
        }
        let text = fold(Rung::Punctuation, line.text);
        let is_known = line.word_ids().last() != Some(&UNKNOWN);
        let folded = is_known.then(|| index.folded(Rung::Punctuation));
        let count = folded.map_or(0, |folded| folded.count(&text));
        let mut vote = |at: LineIdx, weight: f64| {
            *votes.entry(at.cast_signed() - i.cast_signed()).or_default() += weight;
        };
        if count > COMMON_LINE {
            continue;
        }
        if let Some(folded) = folded.filter(|_| count > 0) {
            let weight = line.bits / root(count);
            for at in folded.lines_like(&text) {
                vote(at, weight);
            }
            continue;
        }
        let mut words = line.word_ids().to_vec();
        words.dedup();
        for word in words {
            if pairing.words.count(word) <= COMMON_WORD {
                let with = pairing.words.lines_with(word);
                let weight = pairing.words.bits(word) / 2.0 / root(with.len());
                for &at in with.iter() {
                    vote(at as usize, weight);
                }
            }
        }
    }
    // Missing or extra lines move a place a little: near votes count for half.
    let mut smooth: FxHashMap<isize, f64> = FxHashMap::default();
    for (start, weight) in &votes {
        for by in -2..=2 {
            let weight = if by == 0 { *weight } else { weight / 2.0 };
            *smooth.entry(start + by).or_default() += weight;
        }
    }
    let mut ranked: Vec<(isize, f64)> = smooth.into_iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut starts: Vec<isize> = Vec::new();
    for (start, _) in ranked.into_iter().take(MAX_VOTED) {
        if starts.len() == most {
            break;
        }
        if starts.iter().all(|known| known.abs_diff(start) > 2) {
            starts.push(start);
        }
    }
    starts
}

/// Returns the cheapest alignment of lines of an edit around a place; file lines before the first and after the last partner
/// cost nothing. `None` if no line has a partner.
fn align(pairing: &Pairing<'_>, lines: &[usize], start: isize, slack: usize) -> Option<Alignment> {
    if lines.is_empty() {
        return None;
    }
    let len = pairing.document.len();
    let to_line = |line: isize| usize::try_from(line).unwrap_or(0).min(len);
    let low = to_line(start - slack.cast_signed());
    let high = to_line(start.saturating_add_unsigned(lines.len() + slack));
    let columns = high.checked_sub(low).filter(|window| *window > 0)? + 1;
    let own_cost = |i: usize| {
        let line = &pairing.lines[lines[i]];
        if line.is_blank { BLANK } else { line.bits }
    };
    let file_costs: Vec<f64> = (low..high)
        .map(|at| match pairing.words.of_line(at) {
            [] => BLANK,
            _ => pairing.extra(at),
        })
        .collect();
    // Only lines near the diagonal can be partners, so each row of the table holds these columns alone.
    let width = width(slack);
    let column = |i: usize, by: isize| {
        let middle = start.saturating_add_unsigned(i - 1) - low.cast_signed();
        usize::try_from(middle + by).unwrap_or(0).min(columns - 1)
    };
    let first = |i: usize| column(i, -slack.cast_signed());
    let last = |i: usize| column(i, slack.cast_signed() + 1);
    let cell = |i: usize, j: usize| (i - 1) * width + j - first(i);
    let mut best = vec![f64::INFINITY; lines.len() * width];
    let mut steps = vec![LineStep::File; best.len()];
    for i in 1..=lines.len() {
        let above =
            |j: usize| (i > 1 && (first(i - 1)..=last(i - 1)).contains(&j)).then(|| cell(i - 1, j));
        let free = if i == 1 { 0.0 } else { f64::INFINITY };
        for j in first(i)..=last(i) {
            let (mut cost, mut step) = (
                above(j).map_or(free, |at| best[at]) + own_cost(i - 1),
                LineStep::Own,
            );
            if j > 0 {
                let above = above(j - 1).map_or(free, |at| best[at]);
                let paired = above + pairing.estimate(lines[i - 1], low + j - 1).cost;
                if paired <= cost {
                    (cost, step) = (paired, LineStep::Pair);
                }
                if i < lines.len() && j > first(i) {
                    let skipped = best[cell(i, j - 1)] + file_costs[j - 1];
                    if skipped < cost {
                        (cost, step) = (skipped, LineStep::File);
                    }
                }
            }
            best[cell(i, j)] = cost;
            steps[cell(i, j)] = step;
        }
    }
    let rows = lines.len();
    let ends = first(rows)..=last(rows);
    let end = ends
        .min_by(|a, b| best[cell(rows, *a)].total_cmp(&best[cell(rows, *b)]))
        .filter(|end| best[cell(rows, *end)].is_finite())?;
    let mut pairs = vec![None; lines.len()];
    let (mut i, mut j) = (lines.len(), end);
    while i > 0 {
        match steps[cell(i, j)] {
            LineStep::Pair => {
                pairs[i - 1] = Some(low + j - 1);
                i -= 1;
                j -= 1;
            }
            LineStep::Own => i -= 1,
            LineStep::File => j = j.checked_sub(1)?,
        }
    }
    pairs.iter().any(Option::is_some).then_some(Alignment {
        pairs,
        cost: best[cell(rows, end)],
    })
}

#[expect(clippy::cast_precision_loss, reason = "a small count")]
fn root(count: usize) -> f64 {
    (count as f64).sqrt()
}

/// A step of an alignment of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStep {
    Pair,
    Own,
    File,
}
