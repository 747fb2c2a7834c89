//! Places for all hunks of a file: the entry of the engine.

use std::borrow::Cow;

use crate::locate::hypotheses::assign::{Assigned, assign};
use crate::locate::hypotheses::escapes::Escapes;
use crate::locate::hypotheses::occupied::Occupied;
use crate::locate::hypotheses::search::HunkSearch;
use crate::locate::matching::index::Index;

use crate::locate::forms::elision;
use crate::locate::forms::hashed_lines;
use crate::locate::forms::insertion;
use crate::locate::forms::json_patch;
use crate::locate::forms::notebook_cell;
use crate::locate::forms::numbered_lines;
use crate::locate::forms::regular_expression;
use crate::locate::forms::sketch;
use crate::locate::forms::substring;
use crate::locate::hypotheses::search;
use crate::locate::matching::tolerance::Tolerance;
use crate::locate::placement::{Location, Unplaced};
use crate::locate::resolve::chained;
use crate::locate::resolve::guards;
use crate::locate::resolve::location;
use crate::locate::resolve::overlap;
use crate::proposal::{Extent, Hunk, HunkOrder};
use crate::text::Document;

/// Places all hunks of one file; the locations are in the order of the hunks.
pub fn place_all(
    hunks: &[&Hunk],
    order: HunkOrder,
    document: &Document,
    tolerance: Tolerance,
) -> Vec<Location> {
    let index = Index::new(document);
    substring::search_all(&index, hunks);
    let mut locations: Vec<Location> = Vec::with_capacity(hunks.len());
    let mut sought: Vec<(usize, HunkSearch<'_>)> = Vec::with_capacity(hunks.len());
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
            && let Some(other) = substring::place(&index, &plain)
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
        locations[*i] = location::settle(&index, one, assigned, tolerance);
        if let Location::AlreadyApplied { .. } = locations[*i] {
            done.take(*i, &left);
        }
    }
    location::doubt_resent(&mut locations, &done);
    doubt_traces(&index, hunks, &mut locations);
    if order != HunkOrder::Ascending {
        chained::join(hunks, document, &mut locations);
    }
    overlap::refuse(&mut locations);
    guards::repeats(hunks, document, &mut locations);
    guards::added_elsewhere(&index, &mut locations);
    locations
}

/// Places the hunks of which only a trace in the file says that they are applied again, if another hunk is still to be made.
fn doubt_traces(index: &Index<'_>, hunks: &[&Hunk], locations: &mut [Location]) {
    let is_undone = |location: &Location| matches!(location, Location::Placed(placement) if placement.doubt.is_none());
    if !locations.iter().any(is_undone) {
        return;
    }
    for (location, hunk) in locations.iter_mut().zip(hunks) {
        if let Location::AlreadyApplied { .. } = location
            && let Some(undone) = substring::place_beside_undone(index, hunk)
        {
            *location = undone;
        }
    }
}

/// Reads a hunk that is searched for line by line; the location of a hunk that is placed in another way is the `Err`.
fn seek<'h>(index: &Index<'_>, hunk: &'h Hunk) -> Result<HunkSearch<'h>, Location> {
    match hunk.extent {
        Extent::Numbered(count) => return Err(numbered_lines::place(index, hunk, count)),
        Extent::Sketch => return Err(sketch::place(index, hunk)),
        Extent::Cell { edit, kind } => return Err(notebook_cell::place(index, hunk, edit, kind)),
        Extent::Span { from, to } => return Err(numbered_lines::place_span(index, hunk, from, to)),
        Extent::Hashed(edit) => return Err(hashed_lines::place(index, hunk, edit)),
        Extent::JsonPatch => return Err(json_patch::place(index, hunk)),
        Extent::Pattern { every } => return Err(regular_expression::place(index, hunk, every)),
        Extent::Lines | Extent::Insertion | Extent::Text | Extent::EveryText | Extent::Texts(_) => {
        }
    }
    if hunk.body.preimage.is_empty() && !hunk.body.postimage.is_empty() {
        return Err(insertion::place(index, hunk));
    }
    if let Some(location) = substring::place(index, hunk) {
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
