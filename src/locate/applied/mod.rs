//! Whether what a hunk asks for stands in the file already.
//!
//! An applied edit may be sent again, and must then change nothing. The trap is an insertion at a block's edge: it leaves
//! its preimage in place, so finding the preimage proves nothing. Hence a place is taken for applied when the lines that the
//! hunk would leave there stand there already, whatever else matches.
//!
//! The other trap are equal places. A line number, an anchor or the other hunks chose one of them; when the edit is sent
//! again, the hunk stands only in the others, and nothing would be left to choose between: it would be applied to one that
//! was never meant. Hence the places where its postimage stands are rivals of those where its preimage stands, and the same
//! rules choose among them all (`rivals`); and hunks that were applied bound the others as placed ones do (`choose`).

mod batch;
mod evidence;
mod lost;
mod rivals;
mod standing;

pub(super) use batch::may_be_done;
pub(super) use lost::{postimage_place, similar_place};
pub(super) use standing::{stands_at, stricter_place};

use super::align::Match;
use super::choose::{Found, Offsets};
use super::index::Index;
use super::place::Rung;
use crate::text::{LineIdx, LineNo};
use standing::{places_on, stands_around};

/// With more places than this it is not asked of each whether the hunk was applied there.
const MOST_ASKED: usize = 20;

/// Whether a hunk that stands somewhere was applied already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was, at this line.
    Applied(LineIdx),
    /// It may have been: something speaks for it, and not enough.
    Unclear,
}

/// A quick look: whether what a hunk with one place leaves stands anywhere to the letter.
pub(super) fn may_stand(index: &Index<'_>, found: &Found<'_>) -> bool {
    found.matches.len() == 1 && !index.places(Rung::Exact, &found.body.postimage).is_empty()
}

/// Whether a hunk that stands somewhere was applied already; `None` if nothing speaks for it.
pub(super) fn verdict(index: &Index<'_>, found: &Found<'_>, offsets: &Offsets) -> Option<Verdict> {
    let Found {
        body,
        script,
        rung,
        matches,
        ..
    } = found;
    let standing = places_on(index, body, script, *rung);
    // A line that goes would be gone, but for blank ones that these rungs do not see.
    let may_stay = script.only_adds() || *rung >= Rung::BlankLines;
    let is_applied = |matched: &Match| {
        stands_around(&standing, matched)
            || (may_stay && {
                let changes = script.changes(body, matched, *rung, index);
                stands_at(index.document, matched, &changes)
            })
    };
    if matches.len() <= MOST_ASKED && matches.iter().all(is_applied) {
        let first = matches.first()?;
        return Some(Verdict::Applied(first.lines.start));
    }
    let stricter = || stricter_place(index, (body, script), *rung, matches);
    let left = || match standing.as_slice() {
        [only] if matches.len() > 1 => {
            let around = |matched| stands_around(&standing, matched);
            matches.iter().any(around).then_some(only.start)
        }
        _ => None,
    };
    let verdict = rivals::chosen(index, found, &standing, offsets)
        .or_else(stricter)
        .or_else(|| left().map(Verdict::Applied))?;
    Some(match verdict {
        Verdict::Applied(at) if is_named_here(found, at) => Verdict::Unclear,
        clear @ (Verdict::Applied(_) | Verdict::Unclear) => clear,
    })
}

/// Whether the edit names the very line at which the hunk stands on a looser rung, while what it leaves stands apart from there.
fn is_named_here(found: &Found<'_>, applied: LineIdx) -> bool {
    let apart = |matched: &Match| {
        applied + found.body.postimage.len() <= matched.lines.start || matched.lines.end <= applied
    };
    let named = |matched: &Match| Some(matched.lines.start) == found.hint.map(LineNo::idx);
    found.rung != Rung::Exact && found.matches.iter().any(|m| named(m) && apart(m))
}
