//! Choosing between equal places.
//!
//! In this order, until one is left: places taken by other hunks, and the order of the hunks where the dialect has one;
//! anchors; the end of the file; the line number, corrected by the offset that the surely placed hunks agree on. A place is
//! chosen only when everything else is excluded; nothing is taken because it comes first.

mod found;
mod offsets;
mod taken;
mod twins;

pub(super) use found::{AllDone, Done, Found};
pub(super) use offsets::Offsets;

use std::collections::BTreeMap;
use std::ops::Range;

use super::align::Match;
use super::anchor;
use super::index::Index;
use super::place::Chosen;
use super::script::touched;
use crate::text::LineIdx;
use taken::Taken;
use twins::twins;

/// Rounds in which a choice may help the next one. Every input known needs two; the bound keeps hostile ones linear.
const ROUNDS: usize = 6;

/// Settles what can be settled. `ordered` says that the hunks come in the order of the file.
pub(super) fn choose(
    index: &Index<'_>,
    found: &mut [Option<Found<'_>>],
    done: &AllDone,
    ordered: bool,
) {
    let ordered = ordered && hints_ascend(found);
    let mut known_twins = None;
    for _ in 0..ROUNDS {
        let open: Vec<usize> = (0..found.len())
            .filter(|&i| found[i].as_ref().is_some_and(|found| !found.is_settled()))
            .collect();
        if open.is_empty() {
            return;
        }
        // Most files have no hunk that is open.
        let twins = known_twins.get_or_insert_with(|| twins(found));
        let offsets = Offsets::of(found, done);
        let mut taken = Taken::of(found, done);
        let mut settled = false;
        for i in open {
            let bounds = if ordered {
                taken.bounds(i)
            } else {
                0..usize::MAX
            };
            let twin = twins[i].and_then(|twin| found[twin].as_ref()?.settled_place());
            let Some(rivals) = &mut found[i] else {
                continue;
            };
            if let Some(place) = twin {
                rivals.settle(place, Chosen::Hint);
                settled = true;
                continue;
            }
            if let Some((matched, chosen)) = one_left(index, rivals, &taken, &bounds, &offsets) {
                taken.take(i, &rivals.script, &matched);
                rivals.settle(matched, chosen);
                settled = true;
            }
        }
        if !settled && !share_out(found, ordered) {
            return;
        }
    }
}

fn one_left(
    index: &Index<'_>,
    found: &Found<'_>,
    taken: &Taken,
    bounds: &Range<LineIdx>,
    offsets: &Offsets,
) -> Option<(Match, Chosen)> {
    if found.is_crowded() {
        // Only the very line that is named counts: a place that was not kept could be as near as those that were.
        let hint = found.hint.filter(|_| found.hunk.anchors.is_empty())?;
        let mut targets = offsets.targets(hint.idx());
        let target = targets
            .next()
            .filter(|first| targets.all(|other| other == *first))?;
        let named = found
            .matches
            .iter()
            .find(|matched| matched.lines.start == target)?;
        return Some((named.clone(), Chosen::Hint));
    }
    let mut left: Vec<&Match> = found
        .matches
        .iter()
        .filter(|matched| {
            let lines = touched(&found.script, matched);
            lines
                .iter()
                .all(|lines| bounds.start <= lines.start && lines.end <= bounds.end)
                && !taken.holds(&lines)
        })
        .collect();
    if left.is_empty() {
        return None;
    }
    if let [only] = left[..] {
        return Some((only.clone(), Chosen::Order));
    }
    let starts: Vec<LineIdx> = left.iter().map(|matched| matched.lines.start).collect();
    let anchored = anchor::narrow(index, &found.hunk.anchors, &starts);
    left.retain(|matched| anchored.contains(&matched.lines.start));
    if let [only] = left[..] {
        return Some((only.clone(), Chosen::Anchor));
    }
    let at_end = |matched: &&&Match| matched.lines.end == index.document.len();
    if found.hunk.at_end
        && let Some(last) = left.iter().find(at_end)
    {
        return Some(((*last).clone(), Chosen::End));
    }
    let starts: Vec<LineIdx> = left.iter().map(|matched| matched.lines.start).collect();
    let hinted = nearest_to_hint(&starts, offsets.targets(found.hint?.idx()))?;
    Some((left[hinted].clone(), Chosen::Hint))
}

/// The place that every target points at: by an exact hit, or by being at least twice as near as the next.
pub(super) fn nearest_to_hint(
    starts: &[LineIdx],
    targets: impl Iterator<Item = usize>,
) -> Option<usize> {
    let mut winners = targets.map(|target| {
        let mut by_distance: Vec<(usize, usize)> = starts
            .iter()
            .enumerate()
            .map(|(i, start)| (start.abs_diff(target), i))
            .collect();
        by_distance.sort_unstable();
        match by_distance[..] {
            [(0, i), ..] | [(_, i)] => Some(i),
            [(nearest, i), (next, _), ..] if nearest * 2 <= next => Some(i),
            _ => None,
        }
    });
    let first = winners.next()??;
    winners.all(|winner| winner == Some(first)).then_some(first)
}

/// Hunks that stand in the same places, as many hunks as places, each get one: in order, where the dialect has an order,
/// and in any order where the hunks are the same.
fn share_out(found: &mut [Option<Found<'_>>], ordered: bool) -> bool {
    let starts = |found: &Found<'_>| {
        found
            .matches
            .iter()
            .map(|matched| matched.lines.clone())
            .collect::<Vec<_>>()
    };
    let mut groups: BTreeMap<Vec<(usize, usize)>, Vec<usize>> = BTreeMap::new();
    for (i, found) in found.iter().enumerate() {
        if let Some(found) = found
            .as_ref()
            .filter(|found| !found.is_settled() && !found.is_crowded())
        {
            let key = starts(found)
                .into_iter()
                .map(|lines| (lines.start, lines.end))
                .collect();
            groups.entry(key).or_default().push(i);
        }
    }
    let mut shared = false;
    for (places, hunks) in groups {
        let same = hunks
            .windows(2)
            .all(|two| match (&found[two[0]], &found[two[1]]) {
                (Some(a), Some(b)) => a.body == b.body,
                _ => false,
            });
        if places.len() != hunks.len() || !(ordered || same) {
            continue;
        }
        for (nth, hunk) in hunks.into_iter().enumerate() {
            if let Some(found) = &mut found[hunk] {
                let matched = found.matches[nth].clone();
                found.settle(matched, Chosen::Order);
                shared = true;
            }
        }
    }
    shared
}

/// The hunks whose only place is not where it should be among those that were applied already. Whatever it stands there for,
/// it is not what they were sent with.
pub(super) fn out_of_order(
    found: &[Option<Found<'_>>],
    done: &AllDone,
    ordered: bool,
) -> Vec<usize> {
    if done.is_empty() || !ordered || !hints_ascend(found) {
        return Vec::new();
    }
    let taken = Taken::of(&[], done);
    let is_out = |(hunk, found): (usize, &Option<Found<'_>>)| {
        let found = found.as_ref().filter(|found| found.is_settled())?;
        let bounds = taken.bounds(hunk);
        let within =
            |lines: &Range<LineIdx>| bounds.start <= lines.start && lines.end <= bounds.end;
        let lines = touched(&found.script, &found.matches[0]);
        (!lines.iter().all(within)).then_some(hunk)
    };
    found.iter().enumerate().filter_map(is_out).collect()
}

fn hints_ascend(found: &[Option<Found<'_>>]) -> bool {
    found
        .iter()
        .flatten()
        .filter_map(|found| found.hint)
        .is_sorted()
}
