//! Chains of equal lines: the ranges of file lines that a stretch of a sketch may replace.
//!
//! A chain pairs lines of the stretch with equal lines of the file, in order, from the first to the last. Each pair counts what it
//! would cost to add its line once more; each file line between two pairs would be removed and costs a bounded part of its
//! information. Lines that only the stretch has cost nothing: they are what it adds.

use std::ops::Range;

/// A line of a stretch that the file has.
pub(super) struct FoundLine {
    /// The cost of adding the line once more, in bits.
    pub(super) bits: f64,
    /// The places of the file where it is, in order.
    pub(super) at: Vec<usize>,
}

impl FoundLine {
    /// Returns the range from its first place to its last.
    pub(super) fn bounds(&self) -> Range<usize> {
        let end = self.at.last().map_or(0, |at| at + 1);
        self.at.first().map_or(end..end, |first| *first..end)
    }
}

/// A range of places, and the score of the best chain in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chain {
    pub(super) places: Range<usize>,
    pub(super) score: f64,
}

/// Returns the best chain to each end and from each start, the best first.
///
/// `removed` has the cost of removing each place. If a side is fixed, every chain reaches to that side of the places, whatever
/// line it begins or ends with.
pub(super) fn chains(rows: &[FoundLine], removed: &[f64], fixed: (bool, bool)) -> Vec<Chain> {
    let mut found = by_end(rows, removed, fixed);
    let len = removed.len();
    let mirrored: Vec<FoundLine> = rows
        .iter()
        .rev()
        .map(|row| FoundLine {
            bits: row.bits,
            at: row.at.iter().rev().map(|at| len - 1 - at).collect(),
        })
        .collect();
    let costs: Vec<f64> = removed.iter().rev().copied().collect();
    let from_start = by_end(&mirrored, &costs, (fixed.1, fixed.0)).into_iter();
    found.extend(from_start.map(|chain| Chain {
        places: len - chain.places.end..len - chain.places.start,
        ..chain
    }));
    found.sort_by_key(|chain| (chain.places.start, chain.places.end));
    found.dedup_by(|a, b| a.places == b.places);
    found.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.places.len().cmp(&b.places.len()))
    });
    found
}

/// Returns the best chain to each end.
fn by_end(rows: &[FoundLine], removed: &[f64], fixed: (bool, bool)) -> Vec<Chain> {
    let mut before = vec![0.0; removed.len() + 1];
    for (at, cost) in removed.iter().enumerate() {
        before[at + 1] = before[at] + cost;
    }
    let mut best = PrefixMax::new(removed.len());
    let mut ends: Vec<Chain> = Vec::new();
    for (nth, row) in rows.iter().enumerate() {
        let mut reached = Vec::with_capacity(row.at.len());
        for &at in &row.at {
            let first = if fixed.0 {
                Some((-before[at], 0))
            } else {
                (nth == 0).then_some((0.0, at))
            };
            let continued = best
                .below(at)
                .map(|(score, start)| (score - before[at], start));
            let from = match (first, continued) {
                (Some(a), Some(b)) => Some(if a.0 >= b.0 { a } else { b }),
                (a, b) => a.or(b),
            };
            if let Some((score, start)) = from {
                reached.push((at, score + row.bits, start));
            }
        }
        for &(at, score, start) in &reached {
            best.raise(at, (score + before[at + 1], start));
            if fixed.1 || nth + 1 == rows.len() {
                let end = if fixed.1 { removed.len() } else { at + 1 };
                let score = score - (before[end] - before[at + 1]);
                ends.push(Chain {
                    places: start..end,
                    score,
                });
            }
        }
    }
    if fixed.1 {
        let last = ends.into_iter().max_by(|a, b| a.score.total_cmp(&b.score));
        return last.into_iter().collect();
    }
    ends
}

/// The highest score below each place: a binary indexed tree.
struct PrefixMax {
    tree: Vec<Option<(f64, usize)>>,
}

impl PrefixMax {
    fn new(len: usize) -> Self {
        Self {
            tree: vec![None; len + 1],
        }
    }

    /// Returns the highest score of the places before one, with its start.
    fn below(&self, at: usize) -> Option<(f64, usize)> {
        let mut best: Option<(f64, usize)> = None;
        let mut node = at;
        while node > 0 {
            best = higher(best, self.tree[node]);
            node &= node - 1;
        }
        best
    }

    fn raise(&mut self, at: usize, score: (f64, usize)) {
        let mut node = at + 1;
        while node < self.tree.len() {
            self.tree[node] = higher(self.tree[node], Some(score));
            node += node & node.wrapping_neg();
        }
    }
}

fn higher(a: Option<(f64, usize)>, b: Option<(f64, usize)>) -> Option<(f64, usize)> {
    match (a, b) {
        (Some(one), Some(other)) => Some(if one.0 >= other.0 { one } else { other }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the best chain. Each row is a line's bits and places; every removed line costs eight bits.
    #[track_caller]
    fn check(rows: &[(f64, &[usize])], len: usize, fixed: (bool, bool), expected: &str) {
        let rows: Vec<FoundLine> = rows
            .iter()
            .map(|(bits, at)| FoundLine {
                bits: *bits,
                at: at.to_vec(),
            })
            .collect();
        let found = chains(&rows, &vec![8.0; len], fixed);
        let shown = found
            .iter()
            .map(|one| format!("{:?} {}", one.places, one.score));
        assert_eq!(shown.take(2).collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn the_best_chain_begins_and_ends_with_the_edges() {
        check(&[(10.0, &[1]), (5.0, &[3])], 5, (false, false), "1..4 7");
        check(
            &[(10.0, &[1]), (5.0, &[2, 4])],
            5,
            (false, false),
            "1..3 15, 1..5 -1",
        );
        check(
            &[(10.0, &[1, 6]), (9.0, &[7]), (5.0, &[3, 8])],
            9,
            (false, false),
            "6..9 24, 1..4 7",
        );
        check(&[(10.0, &[3]), (5.0, &[1])], 5, (false, false), "");
        check(&[(10.0, &[3])], 5, (true, false), "0..4 -14");
        check(&[(10.0, &[3])], 5, (false, true), "3..5 2");
        check(&[], 5, (false, false), "");
    }
}
