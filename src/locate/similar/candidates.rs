//! Places that are worth aligning: those that the lines which block and file share vote for.

use rustc_hash::FxHashMap;

use super::super::fold::{fold, is_blank};
use super::super::index::Index;
use super::super::place::Rung;
use super::aligning::slack;

/// Lines that stand more often than this do not vote.
const COMMON: usize = 400;
/// Places that are looked at, and those that are aligned.
const LOOKED_AT: usize = 24;
const ALIGNED: usize = 6;

/// The likeliest first lines, by votes; straight comparison sorts out which of them are worth aligning.
pub(super) fn candidates(index: &Index<'_>, preimage: &[String]) -> Vec<isize> {
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
