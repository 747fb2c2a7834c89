//! Aligning a block with a stretch of the file, line by line, at the least cost.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::super::align::{Match, Pairs};
use super::super::fold::{fold, has_word, is_blank};
use super::super::place::Rung;
use super::{Scored, similarity};
use crate::text::{Document, LineIdx};

/// Blocks longer than this are aligned within a narrower band.
const LONG_BLOCK: usize = 400;

/// What a line must at least have in common with the file's where a person says where the block stands, and sees what
/// becomes of it.
const PARTNER: f64 = 0.6;

/// What an unpaired line costs: of the block, of the file, and a blank one of either.
const SKIP_BLOCK: f64 = 0.2;
const SKIP_FILE: f64 = 0.2;
const SKIP_BLANK: f64 = 0.01;

/// How many lines a block may have missing or extra.
pub(super) fn slack(len: usize) -> usize {
    if len > LONG_BLOCK {
        8
    } else {
        (len / 4).clamp(4, 32)
    }
}

/// The best alignment of a block around a place; `None` if no line of it finds a partner.
pub(super) fn align(document: &Document, preimage: &[String], start: isize) -> Option<Scored> {
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
    let tells = |(_, line): &(usize, &String)| has_word(line);
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
pub(in super::super) fn aligned_from(
    document: &Document,
    preimage: &[String],
    at: LineIdx,
) -> Option<Match> {
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
