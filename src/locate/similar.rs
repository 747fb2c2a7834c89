//! The last rung: places that come near, by aligning the block with the file line by line.
//!
//! Candidate places are voted for by the lines that block and file share, each line counting less the more often it
//! stands in the file (or `}` would drown the rest). Each of the best is aligned by dynamic programming: a pair of lines
//! earns its similarity, a line without a partner costs more than a reworded one. The score is the mean similarity over the
//! block's non-blank lines, an unpaired line counting 0.
//!
//! A score alone never places an edit: a block may be nearly all equal to a place whose one changed line holds another
//! value. So every line that the edit removes must be there nearly to the letter with the same names and numbers, nothing
//! foreign may stand between a change and its neighbours, and no other place may come near.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::align::{Match, Pairs};
use super::fold::{fold, is_blank};
use super::index::Index;
use super::place::Rung;
use super::reading::NEAR;
use super::script::{Script, Step};
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// Lines that stand more often than this do not vote.
const COMMON: usize = 400;
/// Places that are looked at, and those that are aligned.
const LOOKED_AT: usize = 24;
const ALIGNED: usize = 6;
/// Lines longer than this are only compared for equality.
const LONGEST: usize = 400;
/// Blocks longer than this are aligned within a narrower band.
const LONG_BLOCK: usize = 400;
/// What a removed line must at least have in common with the file's.
const CHANGED_LINE: f64 = 0.95;
/// The same where a person says where the block stands, and sees what becomes of it.
const PARTNER: f64 = 0.6;
/// How much lower the runner-up must score.
const MARGIN: f64 = 0.1;

/// What an unpaired line costs: of the block, of the file, and a blank one of either.
const SKIP_BLOCK: f64 = 0.2;
const SKIP_FILE: f64 = 0.2;
const SKIP_BLANK: f64 = 0.01;

/// A place with its score.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    pub(super) matched: Match,
    /// How many of the block's non-blank lines are equal on the punctuation rung.
    equal: usize,
    /// How many of those hold a letter or a digit: brackets alone are no evidence.
    telling: usize,
}

/// The places that come nearest, the best first; those that share the same lines of the file with a better one left out.
pub(super) fn nearest(index: &Index<'_>, preimage: &[String]) -> Vec<Scored> {
    // A line of the file is the partner of one line at most, so a much longer block is like no place in it.
    let solid = preimage.iter().filter(|line| !is_blank(line)).count();
    #[expect(clippy::cast_precision_loss, reason = "only their ratio matters")]
    let is_hopeless = (index.document.len() as f64) < NEAR * solid as f64;
    if is_hopeless {
        return Vec::new();
    }
    let mut scored: Vec<Scored> = candidates(index, preimage)
        .into_iter()
        .filter_map(|start| align(index.document, preimage, start))
        .collect();
    scored.sort_by(|a, b| {
        let by_score = b.matched.similarity.total_cmp(&a.matched.similarity);
        by_score.then(a.matched.lines.start.cmp(&b.matched.lines.start))
    });
    let mut apart: Vec<Scored> = Vec::new();
    for place in scored {
        let shares = |other: &Scored| {
            let (a, b) = (&other.matched.lines, &place.matched.lines);
            a.start < b.end && b.start < a.end
        };
        if !apart.iter().any(shares) {
            apart.push(place);
        }
    }
    apart
}

/// When a changed line of the block is the very line of the file.
pub(super) type SameLine = fn(&str, &str) -> bool;

/// The one place that comes near enough, if there is one.
pub(super) fn sure(
    index: &Index<'_>,
    (body, script): (&Body, &Script),
    places: &[Scored],
    precision: f64,
    same_line: SameLine,
) -> Option<Match> {
    let (best, rest) = places.split_first()?;
    let solid = body.preimage.iter().filter(|line| !is_blank(line)).count();
    let stands_out = rest.first().is_none_or(|next| {
        let fewer = best.equal.saturating_sub(next.equal);
        best.matched.similarity - next.matched.similarity >= MARGIN
            || (fewer >= 2 && fewer * 10 >= solid)
    });
    let is_safe = |step: &Step| {
        is_safe(
            index.document,
            &body.preimage,
            step,
            &best.matched,
            same_line,
        )
    };
    let fits = best.matched.similarity >= precision
        && best.telling > 0
        && stands_out
        && script.steps().iter().all(is_safe);
    fits.then(|| best.matched.clone())
}

/// Whether a step of the edit means the very lines that it would change at a place.
fn is_safe(
    document: &Document,
    preimage: &[String],
    step: &Step,
    matched: &Match,
    same_line: SameLine,
) -> bool {
    let is_there = |i: usize| {
        let line = preimage[i].as_str();
        is_blank(line)
            || matched
                .line_of(i)
                .is_some_and(|at| same_line(line, document.line(at)))
    };
    let solid = |i: &usize| !is_blank(&preimage[*i]);
    let before = (0..step.goes.start).rev().find(solid);
    let after = (step.goes.end..preimage.len()).find(solid);
    // Nothing but its neighbours says where an insertion goes: it needs both, or the edge of the file.
    let mut outside = (0..matched.lines.start).take(if before.is_none() { usize::MAX } else { 0 });
    let mut beyond =
        (matched.lines.end..document.len()).take(if after.is_none() { usize::MAX } else { 0 });
    let is_solid = |line: LineIdx| !is_blank(document.line(line));
    if step.goes.is_empty() && (outside.any(is_solid) || beyond.any(is_solid)) {
        return false;
    }
    let neighbours_align = [before, after]
        .into_iter()
        .flatten()
        .all(|i| matched.line_of(i).is_some());
    let first = before.unwrap_or(step.goes.start);
    let last = after.map_or(step.goes.end, |after| after + 1);
    let known: Vec<LineIdx> = (first..last).filter_map(|i| matched.line_of(i)).collect();
    let nothing_foreign = match (known.first(), known.last()) {
        (Some(&first), Some(&last)) => {
            (first..=last).all(|line| known.contains(&line) || is_blank(document.line(line)))
        }
        _ => false,
    };
    step.goes.clone().all(is_there) && neighbours_align && nothing_foreign
}

/// Whether two lines are one line written slightly otherwise: with the same names, numbers and words in the same order.
pub(super) fn is_same_line(a: &str, b: &str) -> bool {
    let words = |line: &str| -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        line.split(|c| !is_word(c))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    similarity(a, b) >= CHANGED_LINE && words(a) == words(b)
}

/// The likeliest first lines, by votes; straight comparison sorts out which of them are worth aligning.
fn candidates(index: &Index<'_>, preimage: &[String]) -> Vec<isize> {
    let folded = index.folded(Rung::Similar);
    let mut votes: FxHashMap<isize, f64> = FxHashMap::default();
    for (i, line) in preimage
        .iter()
        .enumerate()
        .filter(|(_, line)| !is_blank(line))
    {
        let line = fold(Rung::Similar, line);
        let count = folded.count(&line);
        if count == 0 || count > COMMON {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "at most COMMON")]
        let weight = 1.0 / count as f64;
        for at in folded.lines_like(&line) {
            *votes.entry(at.cast_signed() - i.cast_signed()).or_default() += weight;
        }
    }
    let mut votes: Vec<(isize, f64)> = votes.into_iter().collect();
    votes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    // Starts that lines missing or extra have moved a little are one place.
    let slack = slack(preimage.len()).cast_signed();
    let mut starts: Vec<isize> = Vec::new();
    for (start, _) in votes {
        if starts.len() == LOOKED_AT {
            break;
        }
        if starts
            .iter()
            .all(|known| known.abs_diff(start) > slack.unsigned_abs() / 2)
        {
            starts.push(start);
        }
    }
    let straight = |start: isize| {
        let line = |i: usize| {
            start
                .checked_add_unsigned(i)
                .and_then(|at| usize::try_from(at).ok())
        };
        let pairs = preimage
            .iter()
            .enumerate()
            .filter_map(|(i, text)| line(i).map(|at| (text, at)));
        pairs
            .filter(|(text, at)| {
                !is_blank(text)
                    && fold(Rung::Similar, text) == fold(Rung::Similar, index.document.line(*at))
            })
            .count()
    };
    let mut ranked: Vec<(usize, isize)> = starts
        .into_iter()
        .map(|start| (straight(start), start))
        .collect();
    ranked.sort_by_key(|&(equal, _)| std::cmp::Reverse(equal));
    ranked.truncate(ALIGNED);
    ranked.into_iter().map(|(_, start)| start).collect()
}

/// How many lines a block may have missing or extra.
fn slack(len: usize) -> usize {
    if len > LONG_BLOCK {
        8
    } else {
        (len / 4).clamp(4, 32)
    }
}

/// The best alignment of a block around a place; `None` if no line of it finds a partner.
fn align(document: &Document, preimage: &[String], start: isize) -> Option<Scored> {
    let slack = slack(preimage.len());
    let window = window(document, preimage.len(), start, slack);
    let table = Table::fill(document, preimage, &window, start, slack);
    let pairs = table.pairs(preimage, document, &window);
    let lines = {
        let mut paired = pairs.iter().flatten().copied();
        let first = paired.next()?;
        first..paired.next_back().unwrap_or(first) + 1
    };
    let solid = || {
        preimage
            .iter()
            .enumerate()
            .filter(|(_, line)| !is_blank(line))
    };
    let score = |(i, line): (usize, &String)| {
        pairs[i].map_or(0.0, |at| similarity(line, document.line(at)))
    };
    #[expect(clippy::cast_precision_loss, reason = "numbers of lines")]
    let similarity = solid().map(score).sum::<f64>() / solid().count().max(1) as f64;
    let is_equal = |(i, line): &(usize, &String)| {
        pairs[*i]
            .is_some_and(|at| fold(Rung::Similar, line) == fold(Rung::Similar, document.line(at)))
    };
    let tells = |(_, line): &(usize, &String)| line.contains(char::is_alphanumeric);
    let equal = solid().filter(is_equal).count();
    let telling = solid().filter(is_equal).filter(tells).count();
    Some(Scored {
        matched: Match {
            lines,
            pairs: Pairs::Each(pairs),
            similarity,
        },
        equal,
        telling,
    })
}

/// The best alignment of a block that begins at a line of the file or a little after it; `None` if no line of the block finds
/// a partner that is nearly the same.
pub(super) fn aligned_from(document: &Document, preimage: &[String], at: LineIdx) -> Option<Match> {
    let mut found = align(document, preimage, at.cast_signed())?.matched;
    let Pairs::Each(pairs) = &mut found.pairs else {
        return None;
    };
    for (line, pair) in preimage.iter().zip(pairs.iter_mut()) {
        *pair = pair.filter(|&idx| {
            let other = document.line(idx);
            idx >= at && (is_blank(line) && is_blank(other) || similarity(line, other) >= PARTNER)
        });
    }
    let solid = |(line, pair): (&String, &Option<LineIdx>)| pair.filter(|_| !is_blank(line));
    let mut paired = preimage.iter().zip(pairs.iter()).filter_map(solid);
    let first = paired.next()?;
    found.lines = first..paired.next_back().unwrap_or(first) + 1;
    // A blank line beyond them is nobody's partner.
    let own = found.lines.clone();
    for pair in pairs.iter_mut() {
        *pair = pair.filter(|idx| own.contains(idx));
    }
    Some(found)
}

fn window(document: &Document, len: usize, start: isize, slack: usize) -> Range<LineIdx> {
    let first = usize::try_from(start - slack.cast_signed())
        .unwrap_or(0)
        .min(document.len());
    let last = usize::try_from(start.saturating_add_unsigned(len + slack))
        .unwrap_or(0)
        .min(document.len());
    first..last.max(first)
}

/// Best totals of aligning the block from a line on with the window from a line on.
struct Table {
    best: Vec<f64>,
    like: FxHashMap<(usize, usize), f64>,
    columns: usize,
}

impl Table {
    fn fill(
        document: &Document,
        preimage: &[String],
        window: &Range<LineIdx>,
        start: isize,
        slack: usize,
    ) -> Self {
        let columns = window.len() + 1;
        let mut table = Self {
            best: vec![0.0; (preimage.len() + 1) * columns],
            like: FxHashMap::default(),
            columns,
        };
        for i in (0..preimage.len()).rev() {
            for j in (0..columns).rev() {
                let skip_block = table.at(i + 1, j) - skip_cost(&preimage[i], SKIP_BLOCK);
                let mut best = skip_block;
                if j < window.len() {
                    let at = window.start + j;
                    let diagonal = start.saturating_add_unsigned(i);
                    let in_band = at.cast_signed().abs_diff(diagonal) <= slack;
                    if in_band {
                        let like = pair_worth(&preimage[i], document.line(at));
                        table.like.insert((i, j), like);
                        best = best.max(table.at(i + 1, j + 1) + like);
                    }
                    // Before the first line of the block, the file's lines cost nothing.
                    let cost = if i == 0 {
                        0.0
                    } else {
                        skip_cost(document.line(at), SKIP_FILE)
                    };
                    best = best.max(table.at(i, j + 1) - cost);
                }
                table.best[i * columns + j] = best;
            }
        }
        table
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.best[i * self.columns + j]
    }

    fn pairs(
        &self,
        preimage: &[String],
        document: &Document,
        window: &Range<LineIdx>,
    ) -> Vec<Option<LineIdx>> {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let mut pairs = vec![None; preimage.len()];
        let (mut i, mut j) = (0, 0);
        while i < preimage.len() {
            let here = self.at(i, j);
            if let Some(like) = self
                .like
                .get(&(i, j))
                .filter(|like| near(self.at(i + 1, j + 1) + **like, here))
            {
                if *like > 0.0
                    || is_blank(&preimage[i]) == is_blank(document.line(window.start + j))
                {
                    pairs[i] = Some(window.start + j);
                }
                i += 1;
                j += 1;
            } else if near(
                self.at(i + 1, j) - skip_cost(&preimage[i], SKIP_BLOCK),
                here,
            ) {
                i += 1;
            } else {
                j += 1;
            }
            if j >= self.columns {
                break;
            }
        }
        pairs
    }
}

fn skip_cost(line: &str, cost: f64) -> f64 {
    if is_blank(line) { SKIP_BLANK } else { cost }
}

/// What a pair of lines earns. A blank line has no partner but a blank one.
fn pair_worth(a: &str, b: &str) -> f64 {
    match (is_blank(a), is_blank(b)) {
        (true, true) => 0.0,
        (false, false) => similarity(a, b),
        _ => -SKIP_BLOCK - SKIP_FILE,
    }
}

/// How alike two lines are on the punctuation rung, in `0..=1`.
pub(super) fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (fold(Rung::Similar, a), fold(Rung::Similar, b));
    if a == b {
        return 1.0;
    }
    if a.len().max(b.len()) > LONGEST {
        return 0.0;
    }
    strsim::normalized_levenshtein(&a, &b)
}
