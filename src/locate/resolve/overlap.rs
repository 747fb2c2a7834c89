//! Hunks that change the same lines.

use std::ops::Range;

use crate::locate::placement::{Location, Unplaced};
use crate::text::{LineIdx, LineNo};

/// Refuses hunks that change the same base line or insert at the same point, both of them. Hunks that make the same changes in
/// the same place are one: the later ones are applied already by the first. Hunks that share context, or touch, do not overlap.
pub(crate) fn refuse(locations: &mut [Location]) {
    let mut changed: Vec<(Range<LineIdx>, usize)> = locations
        .iter()
        .enumerate()
        .filter_map(|(hunk, location)| match location {
            Location::Placed(placement) => Some((hunk, placement)),
            Location::AlreadyApplied { .. } | Location::Follows { .. } | Location::Unplaced(_) => {
                None
            }
        })
        .flat_map(|(hunk, placement)| {
            let ranges = placement.changed_ranges().into_iter();
            ranges.map(move |lines| (lines, hunk))
        })
        .collect();
    changed.sort_by_key(|(lines, hunk)| (lines.start, lines.end, *hunk));
    let mut refused: Vec<(usize, Unplaced)> = Vec::new();
    let mut doubled: Vec<(usize, LineNo)> = Vec::new();
    // The change before this one that reaches farthest.
    let mut reach: Option<(Range<LineIdx>, usize)> = None;
    for (lines, hunk) in changed {
        if let Some((other, with)) = reach
            .as_ref()
            .filter(|(other, with)| *with != hunk && meet(other, &lines))
        {
            let at = LineNo::from_idx(lines.start.max(other.start));
            if same_changes(&locations[*with], &locations[hunk]) {
                doubled.push((hunk.max(*with), at));
            } else {
                refused.push((hunk, Unplaced::Overlap { with: *with, at }));
                refused.push((*with, Unplaced::Overlap { with: hunk, at }));
            }
        }
        if reach
            .as_ref()
            .is_none_or(|(other, _)| lines.end >= other.end)
        {
            reach = Some((lines, hunk));
        }
    }
    for (hunk, at) in doubled {
        locations[hunk] = Location::AlreadyApplied { at };
    }
    for (hunk, unplaced) in refused {
        locations[hunk] = Location::Unplaced(unplaced);
    }
}

/// Returns true if two ranges, the first starting no later, share a line or insert at the same point.
fn meet(first: &Range<LineIdx>, second: &Range<LineIdx>) -> bool {
    second.start < first.end || (first == second && first.is_empty())
}

fn same_changes(a: &Location, b: &Location) -> bool {
    match (a, b) {
        (Location::Placed(a), Location::Placed(b)) => a.changes == b.changes,
        _ => false,
    }
}
