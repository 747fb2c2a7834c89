//! Whether all hunks of a file may have been applied before, though each of them stands somewhere.
//!
//! Hunks can make each other's preimages. None of them would look applied then, but what each of them leaves stands there.

use std::ops::Range;

use super::super::index::Index;
use super::super::place::{Location, Rung};
use super::super::script::Script;
use super::evidence::says_enough;
use crate::proposal::Hunk;
use crate::text::LineIdx;

/// With more hunks than this not all others are looked at.
const MOST_OTHERS: usize = 64;

/// Whether that may be so: of several hunks each one is applied, or stands on what another leaves while what it leaves itself
/// stands elsewhere, and no line number vouches for its place.
pub(in super::super) fn may_be_done(
    index: &Index<'_>,
    hunks: &[&Hunk],
    locations: &[Location],
) -> bool {
    let is_open =
        |location: &Location| matches!(location, Location::Follows { .. } | Location::Unplaced(_));
    if hunks.len() < 2 || locations.iter().any(is_open) {
        return false;
    }
    let leaves = |hunk: &Hunk| index.places(Rung::Exact, &hunk.body.postimage);
    let stands_on = |lines: &Range<LineIdx>, other: &Hunk| {
        let meets = |place: &Range<LineIdx>| place.start < lines.end && lines.start < place.end;
        leaves(other).iter().any(meets)
    };
    let is_done = |(i, (hunk, location)): (usize, (&&Hunk, &Location))| {
        let Location::Placed(placement) = location else {
            return true;
        };
        let others = hunks.iter().enumerate().filter(|(j, _)| *j != i);
        hunk.hint.is_none()
            && says_enough(&hunk.body, &Script::of(&hunk.body))
            && !leaves(hunk).is_empty()
            && others
                .take(MOST_OTHERS)
                .any(|(_, other)| stands_on(&placement.lines, other))
    };
    hunks.iter().zip(locations).enumerate().all(is_done)
}
