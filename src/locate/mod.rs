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
mod elision;
mod fold;
mod follow;
mod indent;
mod index;
mod insert;
mod ladder;
mod merge;
mod notebook;
mod numbered;
mod overlap;
mod passage;
mod place;
mod reading;
mod resent;
mod scope;
mod script;
mod similar;
mod sketch;

pub use by_hand::place_at;
pub use merge::{may_merge, merge};
pub use place::{
    Change, Chosen, Confidence, Differs, Forgiven, Location, Nearest, Place, Placement, Rung,
    Unplaced,
};

use choose::{Found, Offsets, choose};
use index::Index;
use script::{Script, with_final_newline};

use crate::proposal::{Extent, FinalNewline, Hunk, HunkOrder};
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

/// Ambiguous places are told with what encloses them, up to this many.
const MOST_SCOPES: usize = 20;

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
    for hunk in hunks {
        match seek(&index, hunk, tolerance) {
            Ok(places) => {
                locations.push(None);
                found.push(Some(places));
            }
            Err(location) => {
                locations.push(Some(location));
                found.push(None);
            }
        }
    }
    choose(&index, &mut found, order == HunkOrder::Ascending);
    let offsets = Offsets::of(&found);
    let settled =
        locations
            .into_iter()
            .zip(found)
            .map(|(location, found)| match (location, found) {
                (Some(location), _) => location,
                (None, Some(found)) => settle(&index, found, &offsets),
                (None, None) => Location::Unplaced(Unplaced::Nowhere),
            });
    let mut locations: Vec<Location> = settled.collect();
    overlap::refuse(&mut locations);
    if order == HunkOrder::Any {
        follow::join(hunks, document, &mut locations);
    }
    locations
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
        Extent::Lines | Extent::Text | Extent::EveryText => (),
    }
    let script = Script::of(&hunk.body);
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
    let near = similar::nearest(index, &hunk.body.preimage);
    let sought = (&hunk.body, &script);
    // A postimage that stands there to the letter beats a preimage that only comes near.
    let may_be_applied = !index.places(Rung::Exact, &hunk.body.postimage).is_empty();
    if !may_be_applied
        && let Some(matched) = similar::sure(
            index,
            sought,
            &near,
            tolerance.precision,
            similar::is_same_line,
        )
    {
        return Ok(Found::new(
            hunk,
            hunk.body.clone(),
            Rung::Similar,
            vec![matched],
        ));
    }
    if let Some(place) = applied::similar_place(index, &hunk.body, &script, tolerance.precision) {
        return Err(Location::AlreadyApplied {
            at: LineNo::from_idx(place.start),
        });
    }
    let near = near.iter().map(|near| &near.matched);
    let near = near.filter(|near| near.similarity >= reading::NEAR);
    let nearest = reading::told(index, &hunk.body, near);
    Err(Location::Unplaced(Unplaced::NotFound { nearest }))
}

/// The answer for a hunk that stands somewhere.
fn settle(index: &Index<'_>, found: Found<'_>, offsets: &Offsets) -> Location {
    let resent = resent::applied_place(index, &found, offsets);
    let Found {
        hunk,
        hint,
        body,
        script,
        rung,
        mut matches,
        count,
        chosen,
    } = found;
    let standing = applied::places_on(index, &body, &script, rung);
    let is_applied = |matched: &align::Match| {
        let changes = script.changes(&body, matched, rung, index);
        applied::stands_around(&standing, matched)
            || applied::stands_at(index.document, matched, &changes)
    };
    let changes_end = hunk.final_newline != FinalNewline::Keep;
    if script.is_empty() && !changes_end {
        let at = LineNo::from_idx(matches[0].lines.start);
        return if rung == Rung::Exact {
            Location::AlreadyApplied { at }
        } else {
            Location::Unplaced(Unplaced::NoChange)
        };
    }
    if matches.len() <= MOST_SCOPES && matches.iter().all(is_applied) {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(matches[0].lines.start),
        };
    }
    let stricter = || {
        applied::stricter_place(index, (&body, &script), rung, &matches).map(|place| place.start)
    };
    let resent = resent.or_else(stricter);
    if let Some(at) = resent {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(at),
        };
    }
    if let [only] = standing.as_slice()
        && matches.len() > 1
        && matches
            .iter()
            .any(|matched| applied::stands_around(&standing, matched))
    {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(only.start),
        };
    }
    if matches.len() > 1 {
        return Location::Unplaced(Unplaced::Ambiguous {
            places: places(index, &matches),
            count,
            rung,
        });
    }
    let matched = matches.remove(0);
    let changes = script.changes(&body, &matched, rung, index);
    let changes = with_final_newline(changes, hunk.final_newline, index.document);
    if changes.is_empty() {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(matched.lines.start),
        };
    }
    let confidence = match (chosen, rung) {
        (Some(_), _) => Confidence::Hinted,
        (None, Rung::Exact) => Confidence::Exact,
        (None, Rung::Similar) => Confidence::Fuzzy,
        (None, _) => Confidence::Safe,
    };
    Location::Placed(Placement {
        forgiven: matched.forgiven(index.document, &body.preimage, rung),
        offset: hint.map(|hint| matched.lines.start.cast_signed() - hint.idx().cast_signed()),
        similarity: matched.similarity,
        lines: matched.lines,
        rung,
        confidence,
        chosen,
        changes,
    })
}

fn places(index: &Index<'_>, matches: &[align::Match]) -> Vec<Place> {
    let scope = |line| {
        let outer = scope::enclosing(index.document, line).next()?;
        Some(index.document.line(outer).trim().to_owned())
    };
    let place = |(nth, matched): (usize, &align::Match)| Place {
        line: LineNo::from_idx(matched.lines.start),
        scope: if nth < MOST_SCOPES {
            scope(matched.lines.start)
        } else {
            None
        },
    };
    matches.iter().enumerate().map(place).collect()
}
