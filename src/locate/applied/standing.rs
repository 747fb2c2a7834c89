//! Where the postimage of a hunk stands whose preimage stands somewhere, too.

use std::ops::Range;

use super::super::align::Match;
use super::super::index::Index;
use super::super::ladder::{LADDER, climb, on_rung};
use super::super::place::{Change, Rung};
use super::super::script::Script;
use super::Verdict;
use super::evidence::{
    added_stand, adds_nothing, is_certain, moves_only, overlooks, says_enough, tells,
};
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// Where the postimage stands on the rung on which the preimage does; blanks at line ends never tell the two apart. No rung
/// that cannot tell the postimage from the preimage is asked.
pub(super) fn places_on(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
    rung: Rung,
) -> Vec<Range<LineIdx>> {
    if script.only_removes() || !says_enough(body, script) || rung == Rung::Similar {
        return Vec::new();
    }
    let rungs = [rung.max(Rung::TrailingBlanks), rung];
    let is_blind = |looser: Rung| {
        overlooks(body, looser) || (looser > rung && adds_nothing(body, script, looser))
    };
    let Some(rung) = rungs.into_iter().find(|rung| !is_blind(*rung)) else {
        return Vec::new();
    };
    let looser = || {
        let looser = LADDER.iter().filter(|looser| **looser > rung);
        looser.flat_map(|looser| places_of_added(index, body, script, *looser))
    };
    let mut standing = Vec::new();
    if !index.places(rung, &body.postimage).is_empty() {
        let there = on_rung(index, &body.reversed(), rung).into_iter();
        standing.extend(there.map(|matched| matched.lines));
    } else if holds_its_preimage(body) {
        standing.extend(looser());
    }
    standing
}

/// Where the postimage stands on a looser rung with all that it adds to the letter: context is left as the file has it, so it is
/// context alone that may differ there.
fn places_of_added(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
    rung: Rung,
) -> Vec<Range<LineIdx>> {
    let added = script.steps().iter().flat_map(|step| step.comes.clone());
    let stands = |matched: &Match, line: usize| {
        let found = matched.line_of(line).map(|idx| index.document.line(idx));
        found == body.postimage.get(line).map(String::as_str)
    };
    let is_left = |matched: &Match| added.clone().all(|line| stands(matched, line));
    let there = on_rung(index, &body.reversed(), rung).into_iter();
    there
        .filter(|matched| is_left(matched))
        .map(|matched| matched.lines)
        .collect()
}

/// Whether a hunk leaves, somewhere in what it leaves, the very lines that it looks for.
fn holds_its_preimage(body: &Body) -> bool {
    let own = body.preimage.len();
    own > 0 && own < body.postimage.len() && body.postimage.windows(own).any(|w| w == body.preimage)
}

/// Whether the postimage stands around a place of the preimage.
pub(super) fn stands_around(standing: &[Range<LineIdx>], matched: &Match) -> bool {
    standing
        .iter()
        .any(|place| place.start <= matched.lines.start && matched.lines.end <= place.end)
}

/// Whether the result of the changes at a match stands there already: its own lines with what would come around them.
pub(in super::super) fn stands_at(
    document: &Document,
    matched: &Match,
    changes: &[Change],
) -> bool {
    if changes.iter().any(|change| !change.lines.is_empty()) {
        return false;
    }
    let result = result_lines(document, &matched.lines, changes);
    let own = matched.lines.len();
    let extra = result.len() - own;
    if extra == 0 {
        return false;
    }
    (0..=extra).any(|before| {
        let Some(start) = matched.lines.start.checked_sub(before) else {
            return false;
        };
        start + result.len() <= document.len()
            && result
                .iter()
                .enumerate()
                .all(|(i, line)| document.line(start + i) == *line)
    })
}

/// Where the postimage stands on a stricter rung than the preimage does: what must be forgiven the preimage need not be
/// forgiven the postimage, so it is the postimage that stands there. A postimage that says little of itself, or that the
/// preimage's rung cannot tell from the preimage, must stand where the preimage was found. Where it stands in several
/// places, none of them that of the preimage, or is nothing but brackets, it is unclear.
pub(in super::super) fn stricter_place(
    index: &Index<'_>,
    (body, script): (&Body, &Script),
    rung: Rung,
    matches: &[Match],
) -> Option<Verdict> {
    // Where an edit only moves lines to another depth, a rung that does not look at depth tells nothing.
    let deepest = if moves_only(body) {
        rung.min(Rung::Indent)
    } else {
        rung
    };
    let stricter = &LADDER[..LADDER.partition_point(|step| *step < deepest)];
    if stricter.is_empty() {
        return None;
    }
    let (_, mut standing) = climb(index, &body.reversed(), stricter)?;
    standing.retain(|place| added_stand(index.document, body, script, place));
    // What a deletion leaves stands within what it finds, too: that proves nothing, unless blank lines were overlooked and
    // there is context around it all.
    let is_surrounded = rung == Rung::BlankLines
        && (script.steps().iter())
            .all(|step| step.goes.start > 0 && step.goes.end < body.preimage.len());
    let within = |place: &Match, found: &Match| {
        found.lines.start <= place.lines.start
            && place.lines.end <= found.lines.end
            && place.lines.len() < found.lines.len()
    };
    standing.retain(|place| is_surrounded || !matches.iter().any(|found| within(place, found)));
    let meets = |place: &&Match| {
        matches
            .iter()
            .any(|found| place.lines.start < found.lines.end && found.lines.start < place.lines.end)
    };
    let is_known = |place: &Match| {
        says_enough(body, script) && is_certain(index.document, body, script, &place.lines)
    };
    let applied = |place: &Match| Verdict::Applied(place.lines.start);
    match standing.as_slice() {
        [only] if is_known(only) && tells(body, script) => Some(applied(only)),
        several => several.iter().find(meets).map(applied).or_else(|| {
            // It was applied in one of them, or in none: it is not for a looser rung to say.
            several.iter().any(is_known).then_some(Verdict::Unclear)
        }),
    }
}

fn result_lines<'a>(
    document: &'a Document,
    lines: &Range<LineIdx>,
    changes: &'a [Change],
) -> Vec<&'a str> {
    let mut result = Vec::new();
    let mut done = lines.start;
    for change in changes {
        result.extend((done..change.lines.start).map(|idx| document.line(idx)));
        result.extend(change.with.iter().map(String::as_str));
        done = done.max(change.lines.end);
    }
    result.extend((done..lines.end).map(|idx| document.line(idx)));
    result
}
