//! What comes of a hunk that stands somewhere: its one place with all that is to be said of it, or why it has none.

use std::borrow::Cow;
use std::ops::Range;

use super::applied::{self, Verdict};
use super::choose::{Found, Offsets};
use super::fold::is_blank;
use super::index::Index;
use super::levels::{self, Levels, Sure};
use super::place::{Confidence, Doubt, Location, Placement, Rung, Unplaced};
use super::script::{Script, with_final_newline};
use super::{anchor, doubt, scope};
use crate::proposal::{AnchorStrength, FinalNewline, Hunk};
use crate::text::{LineIdx, LineNo};

/// The answer for a hunk that stands somewhere else than the hunks that were applied beside it say.
pub(super) fn astray(index: &Index<'_>, found: &Found<'_>, offsets: &Offsets) -> Location {
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
            places: scope::places(index.document, &found.matches),
            count: found.count,
            rung: found.rung,
        }),
    }
}

/// The answer for a hunk that stands somewhere.
pub(super) fn settle(index: &Index<'_>, mut found: Found<'_>, offsets: &Offsets) -> Location {
    // It is told as it is sought, and read as the file has it.
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
        rung: read_on,
        mut matches,
        count,
        chosen,
        ..
    } = found;
    if matches.len() > 1 {
        return Location::Unplaced(Unplaced::Ambiguous {
            places: scope::places(index.document, &matches),
            count,
            rung,
        });
    }
    let matched = matches.remove(0);
    let levels = Levels::of(&script, &body, &matched, read_on, index);
    let doubt = (levels.sure == Sure::No).then_some(Doubt::Indentation);
    let overlooked = || doubt::overlooked(&script, &body, &matched, read_on, index.document);
    if let Some(doubt) = doubt.or_else(overlooked) {
        return Location::Unplaced(Unplaced::Doubtful {
            place: scope::place(index.document, matched.lines.start),
            doubt,
        });
    }
    let changes = script.changes_at(&body, &matched, read_on, index, &levels);
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
    let blank = |line| is_blank(index.document.line(line));
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
