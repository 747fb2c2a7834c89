//! Where hunks belong in a file as it is now.
//!
//! All hunks of a file are placed together, against the file as it is: one `Index` serves them all, each is sought
//! on a ladder of ever looser rungs on which *all* its places are found, and what stands in more than one place is narrowed
//! by the other hunks, anchors and line numbers. The answer is evidence or a reason, never a guess: two possible places are
//! [`Unplaced::Ambiguous`], and an edit whose result stands there already is [`Location::AlreadyApplied`].

mod align;
mod anchor;
mod applied;
mod by_hand;
mod cell;
mod choose;
mod doubt;
mod elision;
mod escaped;
mod fold;
mod follow;
mod indent;
mod index;
mod insert;
mod ladder;
mod levels;
mod merge;
mod numbered;
mod overlap;
mod passage;
mod place;
mod prefix;
mod reading;
mod scope;
mod script;
mod settle;
#[cfg(test)]
mod shown;
mod similar;
mod since;
mod sketch;

pub use by_hand::place_at;
pub use escaped::adds_doubtful_entities;
pub use merge::{is_lost, may_merge, merge, place_by_earlier};
pub use place::{
    Change, Chosen, Confidence, Differs, Doubt, Forgiven, Location, Nearest, Place, Placement,
    Rung, Unplaced,
};

use choose::{AllDone, Done, Found, Offsets, choose, out_of_order};
use escaped::Escapes;
use index::Index;
use script::Script;

use crate::proposal::{Extent, Hunk, HunkOrder};
use crate::text::{Document, LineNo};

/// What may be forgiven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The least score of the last rung, in `0.8..=1.0`.
    pub precision: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { precision: 0.85 }
    }
}

/// Places all hunks of one file; the answers are in the order of the hunks.
pub fn place_all(
    hunks: &[&Hunk],
    order: HunkOrder,
    document: &Document,
    tolerance: Tolerance,
) -> Vec<Location> {
    let index = Index::new(document);
    let mut locations: Vec<Option<Location>> = Vec::with_capacity(hunks.len());
    let mut found: Vec<Option<Found<'_>>> = Vec::with_capacity(hunks.len());
    let mut done = AllDone::new();
    for (i, hunk) in hunks.iter().enumerate() {
        match seek(&index, hunk, tolerance) {
            Ok(places) => {
                locations.push(None);
                found.push(Some(places));
            }
            Err(location) => {
                if let Location::AlreadyApplied { at } = location {
                    done.insert(i, Done::at(hunk, at.idx()));
                }
                locations.push(Some(location));
                found.push(None);
            }
        }
    }
    let escapes = Escapes::of(&found);
    escaped::agree(&mut found, escapes);
    for (location, hunk) in locations.iter_mut().zip(hunks) {
        if let Some(Location::Placed(_)) = location
            && let Some(plain) = escapes.taken_from_text(hunk)
            && let Some(told) = passage::place(&index, &plain)
        {
            *location = Some(told);
        }
    }
    let ordered = order == HunkOrder::Ascending;
    let uncorrected = Offsets::of(&[], &done);
    for found in found.iter_mut().flatten() {
        found.is_doubtful = applied::may_stand(&index, found)
            && applied::verdict(&index, found, &uncorrected).is_some();
    }
    choose(&index, &mut found, &done, ordered);
    let offsets = Offsets::of(&found, &done);
    for i in out_of_order(&found, &done, ordered) {
        if let Some(found) = found[i].take() {
            locations[i] = Some(settle::astray(&index, &found, &offsets));
        }
    }
    let settled =
        locations
            .into_iter()
            .zip(found)
            .map(|(location, found)| match (location, found) {
                (Some(location), _) => location,
                (None, Some(found)) => settle::settle(&index, found, &offsets),
                (None, None) => Location::Unplaced(Unplaced::Nowhere),
            });
    let mut locations: Vec<Location> = settled.collect();
    if applied::may_be_done(&index, hunks, &locations) {
        for location in &mut locations {
            *location = doubted(location, document);
        }
    }
    overlap::refuse(&mut locations);
    doubt::repeats(hunks, document, &mut locations);
    if order != HunkOrder::Ascending {
        follow::join(hunks, document, &mut locations);
    }
    locations
}

/// The answer for a hunk of a batch that may have been applied as a whole.
fn doubted(location: &Location, document: &Document) -> Location {
    let Location::Placed(placement) = location else {
        return location.clone();
    };
    Location::Unplaced(Unplaced::Ambiguous {
        places: vec![scope::place(document, placement.lines.start)],
        count: 1,
        rung: placement.rung,
    })
}

/// All places of one hunk, or the answer if there is none.
fn seek<'a>(
    index: &Index<'_>,
    hunk: &'a Hunk,
    tolerance: Tolerance,
) -> Result<Found<'a>, Location> {
    match hunk.extent {
        Extent::Numbered(count) => return Err(numbered::place(index, hunk, count)),
        Extent::Sketch => return Err(sketch::place(index, hunk)),
        Extent::Cell { edit, kind } => return Err(cell::place(index, hunk, edit, kind)),
        Extent::Span { from, to } => return Err(numbered::place_span(index, hunk, from, to)),
        Extent::Lines | Extent::Insertion | Extent::Text | Extent::EveryText | Extent::Texts(_) => {
        }
    }
    if hunk.body.preimage.is_empty() && !hunk.body.postimage.is_empty() {
        return Err(insert::place(index, hunk));
    }
    if let Some(location) = passage::place(index, hunk) {
        return Err(location);
    }
    if let Some((body, rung, matches)) = reading::placed(index, hunk)? {
        return Ok(Found::new(hunk, body, rung, matches));
    }
    let applied = reading::plain(&hunk.body)
        .find_map(|body| applied::postimage_place(index, &body, &Script::of(&body)));
    if let Some(place) = applied {
        return Err(Location::AlreadyApplied {
            at: LineNo::from_idx(place.start),
        });
    }
    if let Some(location) = elision::place(index, hunk) {
        return Err(location);
    }
    let (body, near) = reading::nearest(index, &hunk.body);
    let script = Script::of(&body);
    // A postimage that stands there to the letter beats a preimage that only comes near.
    let may_be_applied = !index.places(Rung::Exact, &body.postimage).is_empty();
    let sure = || {
        let edit = (&*body, &script);
        let precision = tolerance.precision;
        let found = similar::sure(index, edit, &near, precision, similar::is_same_line);
        found.filter(|found| !similar::is_named_elsewhere(found, &near, hunk.hint))
    };
    let matched = if may_be_applied { None } else { sure() };
    let applied = applied::similar_place(index, &body, &script, tolerance.precision);
    match (matched, applied) {
        (Some(matched), None) => return Ok(Found::new(hunk, body, Rung::Similar, vec![matched])),
        (Some(matched), Some(_)) => {
            // Both halves come near somewhere, and neither stands there to the letter.
            return Err(Location::Unplaced(Unplaced::Ambiguous {
                places: scope::places(index.document, &[matched]),
                count: 1,
                rung: Rung::Similar,
            }));
        }
        (None, Some(place)) => {
            return Err(Location::AlreadyApplied {
                at: LineNo::from_idx(place.start),
            });
        }
        (None, None) => (),
    }
    let near = near.iter().map(|near| &near.matched);
    let near = near.filter(|near| near.similarity >= reading::NEAR);
    let nearest = reading::told(index, &body, near);
    Err(Location::Unplaced(Unplaced::NotFound { nearest }))
}
