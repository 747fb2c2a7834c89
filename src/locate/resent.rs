//! Whether a hunk was applied already to one of several equal places.
//!
//! A line number or an anchor chose that place. When the edit is sent again, the hunk stands only in the other places, and
//! nothing would be left to choose between: it would be applied to one that was never meant. Hence the places where its
//! postimage stands are rivals of those where its preimage stands, and the same rules choose among them all. A
//! postimage on a stricter rung counts before a preimage on a looser one.

use std::ops::Range;

use super::anchor;
use super::applied::places_on;
use super::choose::{Found, Offsets, nearest_to_hint};
use super::index::Index;
use super::place::Rung;
use crate::text::{LineIdx, LineNo};

/// With more places than this, none is told from the others; it bounds the time that a hostile file takes.
const MOST_PLACES: usize = 1000;

/// Where the postimage stands, if that is where the hunk belongs.
pub(super) fn applied_place(
    index: &Index<'_>,
    found: &Found<'_>,
    offsets: &Offsets,
) -> Option<LineIdx> {
    let applied = places_on(index, &found.body, &found.script, found.rung);
    if found.rung != Rung::Exact {
        let whole = index.places(Rung::Exact, &found.body.postimage);
        let holds = |place: &&Range<LineIdx>| {
            let mut matched = found.matches.iter().map(|matched| &matched.lines);
            matched.all(|lines| place.start <= lines.start && lines.end <= place.end)
        };
        if let Some(place) = whole.iter().find(holds) {
            return Some(place.start);
        }
        let mut exact = applied.iter().filter(|place| whole.contains(place));
        if let (Some(place), None) = (exact.next(), exact.next()) {
            return Some(place.start);
        }
    }
    if applied.is_empty() || applied.len() + found.matches.len() > MOST_PLACES {
        return None;
    }
    let matched = found.matches.iter().map(|matched| matched.lines.clone());
    let all: Vec<Range<LineIdx>> = matched.chain(applied.iter().cloned()).collect();
    let starts: Vec<LineIdx> = all.iter().map(|place| place.start).collect();
    let anchored = anchor::narrow(index, &found.hunk.anchors, &starts);
    let mut left = all;
    left.retain(|place| anchored.contains(&place.start));
    if left.iter().all(|place| applied.contains(place)) {
        return left.first().map(|place| place.start);
    }
    if found.hunk.at_end
        && let Some(last) = left.iter().find(|place| place.end == index.document.len())
    {
        return applied.contains(last).then_some(last.start);
    }
    let starts: Vec<LineIdx> = left.iter().map(|place| place.start).collect();
    let hint = found.hint.map(LineNo::idx);
    if let Some(nearest) = hint.and_then(|hint| nearest_to_hint(&starts, offsets.targets(hint))) {
        let nearest = &left[nearest];
        return applied.contains(nearest).then_some(nearest.start);
    }
    // Nothing says which is meant; but what the hunk left may read like its preimage together with the lines beside it.
    let touches = |place: &&Range<LineIdx>| {
        let mut matched = found.matches.iter().map(|matched| &matched.lines);
        matched.any(|lines| place.start < lines.end && lines.start < place.end)
    };
    applied.iter().find(touches).map(|place| place.start)
}
