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
mod reading;
mod scope;
mod script;
mod similar;
mod sketch;

pub use by_hand::place_at;
pub use escaped::adds_doubtful_entities;
pub use merge::{may_merge, merge};
pub use place::{
    Change, Chosen, Confidence, Differs, Doubt, Forgiven, Location, Nearest, Place, Placement,
    Rung, Unplaced,
};

use std::borrow::Cow;
use std::ops::Range;

use applied::Verdict;
use choose::{AllDone, Done, Found, Offsets, choose, out_of_order};
use escaped::Escapes;
use index::Index;
use levels::{Levels, Sure};
use script::{Script, with_final_newline};

use crate::proposal::{AnchorStrength, Extent, FinalNewline, Hunk, HunkOrder};
use crate::text::{Document, LineIdx, LineNo};

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
        let is_text = matches!(hunk.extent, Extent::Text | Extent::EveryText);
        if let (true, Some(Location::Placed(_))) = (is_text, &location)
            && let Some(body) = escapes.taken_from(&hunk.body)
        {
            let plain = Hunk {
                body,
                ..(*hunk).clone()
            };
            *location = passage::place(&index, &plain);
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
            locations[i] = Some(astray(&index, &found, &offsets));
        }
    }
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
    if applied::may_be_done(&index, hunks, &locations) {
        for location in &mut locations {
            *location = doubted(location, document);
        }
    }
    overlap::refuse(&mut locations);
    doubt::repeats(hunks, document, &mut locations);
    if order == HunkOrder::Any {
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
        places: vec![place_told(document, placement.lines.start)],
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
        Extent::Lines | Extent::Text | Extent::EveryText => (),
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
                places: places(index, &[matched]),
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

/// The answer for a hunk that stands somewhere else than the hunks that were applied beside it say.
fn astray(index: &Index<'_>, found: &Found<'_>, offsets: &Offsets) -> Location {
    let verdict = applied::verdict(index, found, offsets);
    known(index, found, verdict.unwrap_or(Verdict::Unclear))
}

/// The answer for a hunk that was applied already, or may have been.
fn known(index: &Index<'_>, found: &Found<'_>, verdict: Verdict) -> Location {
    match verdict {
        Verdict::Applied(at) => Location::AlreadyApplied {
            at: LineNo::from_idx(at),
        },
        Verdict::Unclear => Location::Unplaced(Unplaced::Ambiguous {
            places: places(index, &found.matches),
            count: found.count,
            rung: found.rung,
        }),
    }
}

/// The answer for a hunk that stands somewhere.
fn settle(index: &Index<'_>, mut found: Found<'_>, offsets: &Offsets) -> Location {
    let (sought, rung) = (found.body.clone(), found.rung);
    if let [matched] = found.matches.as_slice()
        && let Some(own) = levels::with_its_own_search(&sought, matched, rung, index.document)
    {
        found.script = Script::of(&own);
        found.body = Cow::Owned(own);
        found.rung = Rung::Exact;
    }
    let changes_end = found.hunk.final_newline != FinalNewline::Keep;
    if found.script.is_empty() && !changes_end {
        let at = LineNo::from_idx(found.matches[0].lines.start);
        return if found.rung == Rung::Exact {
            Location::AlreadyApplied { at }
        } else {
            Location::Unplaced(Unplaced::NoChange)
        };
    }
    if let Some(verdict) = applied::verdict(index, &found, offsets) {
        return known(index, &found, verdict);
    }
    let Found {
        hunk,
        hint,
        body,
        script,
        rung: rung_now,
        mut matches,
        count,
        chosen,
        ..
    } = found;
    if matches.len() > 1 {
        return Location::Unplaced(Unplaced::Ambiguous {
            places: places(index, &matches),
            count,
            rung,
        });
    }
    let matched = matches.remove(0);
    let levels = Levels::of(&script, &body, &matched, rung_now, index);
    let changes = script.changes_at(&body, &matched, rung_now, index, &levels);
    if levels.sure == Sure::No {
        return Location::Unplaced(Unplaced::Doubtful {
            place: place_told(index.document, matched.lines.start),
            doubt: Doubt::Indentation,
        });
    }
    let changes = with_final_newline(changes, hunk.final_newline, index.document);
    if changes.is_empty() {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(matched.lines.start),
        };
    }
    let confidence = match (chosen, rung) {
        _ if is_elsewhere(index, hunk, &matched.lines) => Confidence::Fuzzy,
        _ if levels.sure == Sure::Guess => Confidence::Fuzzy,
        (Some(_), _) => Confidence::Hinted,
        (None, Rung::Exact) => Confidence::Exact,
        (None, Rung::Similar) => Confidence::Fuzzy,
        (None, _) => Confidence::Safe,
    };
    Location::Placed(Placement {
        forgiven: matched.forgiven(index.document, &sought.preimage, rung),
        offset: hint.map(|hint| matched.lines.start.cast_signed() - hint.idx().cast_signed()),
        similarity: matched.similarity,
        lines: matched.lines,
        rung,
        confidence,
        chosen,
        changes,
    })
}

/// Whether a place is not where the edit says: above every line that its author may have named as an anchor, or not at the
/// end of the file, of which it says that it is its last part.
fn is_elsewhere(index: &Index<'_>, hunk: &Hunk, lines: &Range<LineIdx>) -> bool {
    let blank = |line| fold::is_blank(index.document.line(line));
    let not_last = hunk.at_end && !(lines.end..index.document.len()).all(blank);
    let stated = hunk
        .anchors
        .last()
        .is_some_and(|anchor| anchor.strength == AnchorStrength::Stated);
    let above = || {
        let anchors = anchor::lines(index, &hunk.anchors);
        !anchors.is_empty() && anchors.iter().all(|&anchor| anchor >= lines.end)
    };
    not_last || (stated && above())
}

fn places(index: &Index<'_>, matches: &[align::Match]) -> Vec<Place> {
    let place = |(nth, matched): (usize, &align::Match)| {
        let start = matched.lines.start;
        if nth < MOST_SCOPES {
            return place_told(index.document, start);
        }
        Place {
            line: LineNo::from_idx(start),
            scope: None,
        }
    };
    matches.iter().enumerate().map(place).collect()
}

fn place_told(document: &Document, line: LineIdx) -> Place {
    let scope = scope::enclosing(document, line).next();
    Place {
        line: LineNo::from_idx(line),
        scope: scope.map(|outer| document.line(outer).trim().to_owned()),
    }
}
