//! Where hunks belong in a file as it is now.
//!
//! All hunks of a file are placed together, against the file as it is: one `Index` serves them all, each is sought
//! on a ladder of ever looser rungs on which *all* its places are found, and what stands in more than one place is narrowed
//! by the other hunks, anchors and line numbers. The answer is evidence or a reason, never a guess: two possible places are
//! [`Unplaced::Ambiguous`], and an edit whose result stands there already is [`Location::AlreadyApplied`].

mod align;
mod anchor;
mod assign;
mod by_hand;
mod candidates;
mod cell;
mod choose;
mod doubt;
mod elision;
mod escaped;
mod evidence;
mod fold;
mod follow;
mod hypothesis;
mod indent;
mod index;
mod insert;
mod ladder;
mod levels;
mod line_map;
mod merge;
mod numbered;
mod occupied;
mod overlap;
mod pairing;
mod passage;
mod permit;
mod place;
mod prefix;
mod reading;
mod scope;
mod script;
mod search;
mod settle;
#[cfg(test)]
mod shown;
mod since;
mod sketch;
mod words;

use std::borrow::Cow;

pub use by_hand::place_at;
pub use escaped::adds_doubtful_entities;
pub use line_map::LineMap;
pub use merge::{may_merge, merge, place_by_versions};
pub use place::{
    Change, Chosen, Confidence, Differs, Doubt, Forgiven, Location, Nearest, Place, Placement,
    Rung, Unplaced,
};

use assign::{Assigned, assign};
use escaped::Escapes;
use index::Index;
use occupied::Occupied;
use search::Sought;

use crate::proposal::{Extent, Hunk, HunkOrder};
use crate::text::Document;

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
    passage::search_all(&index, hunks);
    let mut locations: Vec<Location> = Vec::with_capacity(hunks.len());
    let mut sought: Vec<(usize, Sought<'_>)> = Vec::with_capacity(hunks.len());
    for (i, hunk) in hunks.iter().enumerate() {
        match seek(&index, hunk) {
            Ok(one) => {
                locations.push(Location::Unplaced(Unplaced::Nowhere));
                sought.push((i, one));
            }
            Err(location) => locations.push(location),
        }
    }
    let escapes = Escapes::of(&sought);
    for (location, hunk) in locations.iter_mut().zip(hunks) {
        if let Location::Placed(_) = location
            && let Some(plain) = escapes.taken_from_text(hunk)
            && let Some(other) = passage::place(&index, &plain)
        {
            *location = other;
        }
    }
    for (_, one) in &mut sought {
        if let Some(plain) = escapes.taken_from(&one.body) {
            one.body = Cow::Owned(plain);
        }
        one.complete(&index);
    }
    let assigned = assign(&index, &sought, order == HunkOrder::Ascending);
    let mut done = Occupied::default();
    for ((i, one), assigned) in sought.iter().zip(assigned) {
        let left = match &assigned {
            Assigned::One(found, _) if found.is_done() => found.evidence.touched.clone(),
            Assigned::Gone
            | Assigned::Several(_)
            | Assigned::Crowd
            | Assigned::Done(_)
            | Assigned::One(..) => Vec::new(),
        };
        locations[*i] = settle::settle(&index, one, assigned, tolerance);
        if let Location::AlreadyApplied { .. } = locations[*i] {
            done.take(*i, &left);
        }
    }
    settle::doubt_resent(&mut locations, &done);
    if order != HunkOrder::Ascending {
        follow::join(hunks, document, &mut locations);
    }
    overlap::refuse(&mut locations);
    doubt::repeats(hunks, document, &mut locations);
    doubt::stand_elsewhere(&index, &mut locations);
    locations
}

/// Reads a hunk, or returns the answer for one that is not sought as lines.
fn seek<'h>(index: &Index<'_>, hunk: &'h Hunk) -> Result<Sought<'h>, Location> {
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
    let one = search::read(index, hunk)?;
    if one.rung().is_none()
        && let Some(location) = elision::place(index, hunk)
    {
        return Err(location);
    }
    Ok(one)
}
