//! Hunks that have no place in the file as it is, placed by the version that they were made from.
//!
//! In that version such a hunk stands. What has happened to the file [`Since`] has only moved what it does not touch: so
//! each change of the hunk is carried over, as in a merge of three versions. A change whose lines, or the lines beside them,
//! have changed is a conflict and has no place.
//!
//! A diff may name its version. Other edits do not: that one was made from a version that the file had is likely if it stands
//! there beyond doubt, and in the file nowhere.

use std::ops::Range;

use super::index::Index;
use super::overlap;
use super::place::{Change, Chosen, Confidence, Location, Placement, Rung, Unplaced};
use super::reading;
use super::script::{Script, with_final_newline};
use super::since::Since;
use super::{Tolerance, place_all};
use crate::proposal::{Hunk, HunkOrder};
use crate::text::{Document, LineIdx, LineNo};

/// Whether the version that a hunk was made from may say more of its place than the file alone: it has none, or only a
/// line number or likeness speaks for the one that it has.
pub fn may_merge(location: &Location) -> bool {
    match location {
        Location::Unplaced(unplaced) => {
            matches!(
                unplaced,
                Unplaced::NotFound { .. } | Unplaced::Ambiguous { .. }
            )
        }
        Location::Placed(placement) => is_by_number(placement) || is_by_likeness(placement),
        Location::AlreadyApplied { .. } | Location::Follows { .. } => false,
    }
}

/// Returns whether an earlier version may show where a hunk belongs that names none: it has no place, or only likeness or a line
/// number speaks for the one that it has.
pub fn is_lost(location: &Location) -> bool {
    may_merge(location)
}

/// Places the doubtful ones among the hunks of `part`, all made from `ancestor`, and refuses those that overlap now.
pub fn merge(
    hunks: &[&Hunk],
    part: Range<usize>,
    ancestor: &Document,
    document: &Document,
    locations: &mut [Location],
) {
    let (was, is) = (Index::new(ancestor), Index::new(document));
    let since = Since::of(&was, &is);
    for i in part {
        if may_merge(&locations[i])
            && let Some(location) = merged(hunks[i], &was, &is, &since)
            && says_more(&location, &locations[i])
        {
            locations[i] = location;
        }
    }
    overlap::refuse(locations);
}

/// Places the lost ones among all hunks of a file that stand, beyond doubt, in a version that the file had, and refuses those
/// that overlap now. What is in conflict with the file stays lost: that it was made from this version is not known.
pub fn place_by_earlier(
    hunks: &[&Hunk],
    order: HunkOrder,
    earlier: &Document,
    document: &Document,
    locations: &mut [Location],
) {
    if earlier.text() == document.text() {
        return;
    }
    let then = place_all(hunks, order, earlier, Tolerance { precision: 1.0 });
    let then = then.into_iter().enumerate();
    let stood = then.filter_map(|(i, then)| {
        let Location::Placed(then) = then else {
            return None;
        };
        let stands = is_lost(&locations[i]) && then.confidence <= Confidence::Safe;
        stands.then_some((i, then))
    });
    let stood: Vec<(usize, Placement)> = stood.collect();
    if stood.is_empty() {
        return;
    }
    let since = Since::of(&Index::new(earlier), &Index::new(document));
    for (i, then) in stood {
        let confidence = if then.confidence == Confidence::Exact {
            Confidence::Safe
        } else {
            Confidence::Fuzzy
        };
        let evidence = (then.rung, confidence, Chosen::Earlier);
        if let Some(changes) = since.carry(then.changes, document)
            && let Some(found) =
                location_now(hunks[i], &then.lines, changes, document, &since, evidence)
        {
            locations[i] = found;
        }
    }
    overlap::refuse(locations);
}

fn is_by_likeness(placement: &Placement) -> bool {
    placement.rung == Rung::Similar || placement.confidence == Confidence::Doubtful
}

fn is_by_number(placement: &Placement) -> bool {
    placement.chosen == Some(Chosen::Hint)
}

/// Returns whether what the ancestor shows of a hunk counts more than what the file does. A conflict says nothing of equal places;
/// but a line number that leads elsewhere is wrong, and so is a place that only likeness speaks for.
fn says_more(merged: &Location, alone: &Location) -> bool {
    if !matches!(merged, Location::Unplaced(_)) {
        return true;
    }
    match alone {
        Location::Placed(placement) => is_by_number(placement) || is_by_likeness(placement),
        Location::Unplaced(unplaced) => !matches!(unplaced, Unplaced::Ambiguous { .. }),
        Location::AlreadyApplied { .. } | Location::Follows { .. } => false,
    }
}

/// The answer for a hunk that stands in the ancestor; `None` if it does not.
fn merged(hunk: &Hunk, was: &Index<'_>, is: &Index<'_>, since: &Since) -> Option<Location> {
    let lines = standing(hunk, was)?;
    let script = Script::of(&hunk.body);
    let changes = script.steps().iter().map(|step| Change {
        lines: lines.start + step.goes.start..lines.start + step.goes.end,
        with: hunk.body.postimage[step.comes.clone()].to_vec(),
    });
    let Some(changes) = since.carry(changes, is.document) else {
        let near = since.side_by_side(&lines, &hunk.body.preimage, is.document);
        let nearest = reading::told(is, &hunk.body, near.iter());
        return Some(Location::Unplaced(Unplaced::Conflict { nearest }));
    };
    let evidence = (Rung::Exact, Confidence::Safe, Chosen::Blob);
    location_now(hunk, &lines, changes, is.document, since, evidence)
}

/// The answer for a hunk that stood at `lines` of the ancestor and makes `changes` to the file; `None` if none of its lines is
/// left.
fn location_now(
    hunk: &Hunk,
    lines: &Range<LineIdx>,
    changes: Vec<Change>,
    document: &Document,
    since: &Since,
    (rung, confidence, chosen): (Rung, Confidence, Chosen),
) -> Option<Location> {
    // Where the first line that is left stands, and so where the first of all would.
    let pairs = since.lines_now(lines);
    let first = |(i, line): (usize, &Option<LineIdx>)| line.map(|line| (i, line));
    let (skipped, first) = pairs.iter().enumerate().find_map(first)?;
    let last = pairs.iter().rev().find_map(|line| *line).unwrap_or(first);
    let changes = with_final_newline(changes, hunk.final_newline, document, last + 1);
    if changes.is_empty() {
        return Some(Location::AlreadyApplied {
            at: LineNo::from_idx(first),
        });
    }
    let begins = first.cast_signed() - skipped.cast_signed();
    Some(Location::Placed(Placement {
        offset: hunk.hint.map(|hint| begins - hint.idx().cast_signed()),
        lines: first..last + 1,
        rung,
        confidence,
        chosen: Some(chosen),
        doubt: None,
        similarity: 1.0,
        differs: Vec::new(),
        forgiven: Vec::new(),
        changes,
    }))
}

/// The lines of the ancestor that a hunk was made from: those that it names, or the only ones that read like it.
fn standing(hunk: &Hunk, was: &Index<'_>) -> Option<Range<LineIdx>> {
    let places = was.places(Rung::Exact, &hunk.body.preimage);
    let named = |place: &&Range<LineIdx>| hunk.hint.map(LineNo::idx) == Some(place.start);
    match places.as_slice() {
        [only] => Some(only.clone()),
        several => several.iter().find(named).cloned(),
    }
}
