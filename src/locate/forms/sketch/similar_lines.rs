//! Removed lines of the file paired with similar lines that a stretch adds.

use std::ops::Range;

use crate::locate::matching::line_cost::{Likeness, Pairing};
use crate::text::LineIdx;

/// Cost of adding a line that the file has once, in bits.
pub(super) const ONCE: f64 = 6.0;
/// Maximum number of pairs of removed and added lines that are compared.
const MAX_PAIRS: usize = 10_000;

/// Bits that removed lines keep and lose.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    /// The cost of adding the similar lines without them.
    pub(super) kept: f64,
    /// The cost of what no added line has.
    pub(super) lost: f64,
}

impl Sum {
    fn plus(self, kept: f64, lost: f64) -> Self {
        Self {
            kept: self.kept + kept,
            lost: self.lost + lost,
        }
    }

    fn or(self, other: Self) -> Self {
        let is_better = other.kept - other.lost > self.kept - self.lost;
        if is_better { other } else { self }
    }
}

/// Pairs removed lines with added ones that are similar, in order, so that the most is kept and the least is lost.
pub(super) fn compared(
    pairing: &Pairing<'_>,
    removed: &Range<LineIdx>,
    added: &Range<usize>,
) -> Sum {
    let lost: Vec<f64> = removed.clone().map(|line| pairing.extra(line)).collect();
    // The best sums of the added lines so far and the first removed ones.
    let mut best = vec![Sum::default()];
    for cost in &lost {
        best.push(best[best.len() - 1].plus(0.0, *cost));
    }
    if removed.len() * added.len() <= MAX_PAIRS {
        for own in added.clone() {
            let mut next = vec![best[0]];
            for (nth, at) in removed.clone().enumerate() {
                let mut sum = best[nth + 1].or(next[nth].plus(0.0, lost[nth]));
                let pair = pairing.pair(own, at);
                if pair.likeness != Likeness::Apart {
                    let differs = pair.cost / pairing.lines[own].bits.max(pair.cost).max(1.0);
                    let kept = ONCE * (1.0 - differs);
                    sum = sum.or(best[nth].plus(kept, pair.cost.min(lost[nth])));
                }
                next.push(sum);
            }
            best = next;
        }
    }
    best[removed.len()]
}
