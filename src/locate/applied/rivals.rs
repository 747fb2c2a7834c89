//! Which is meant: one of the places where a hunk stands, or one where what it leaves stands?
//!
//! The rules are those of [`super::super::choose()`]. A postimage on a stricter rung counts before a preimage on a looser one.

use std::ops::Range;

use super::super::anchor;
use super::super::choose::{Found, Offsets, nearest_to_hint};
use super::super::fold::is_blank;
use super::super::index::Index;
use super::super::place::Rung;
use super::super::script::Step;
use super::Verdict;
use crate::proposal::AnchorStrength;
use crate::text::{LineIdx, LineNo};

/// With more places than this, none is told from the others; it bounds the time that a hostile file takes.
const MOST_PLACES: usize = 1000;

/// Where the postimage stands, if that is where the hunk belongs.
pub(super) fn chosen(
    index: &Index<'_>,
    found: &Found<'_>,
    applied: &[Range<LineIdx>],
    offsets: &Offsets,
) -> Option<Verdict> {
    if found.rung != Rung::Exact {
        let whole = index.places(Rung::Exact, &found.body.postimage);
        let holds = |place: &&Range<LineIdx>| {
            let mut matched = found.matches.iter().map(|matched| &matched.lines);
            matched.all(|lines| place.start <= lines.start && lines.end <= place.end)
        };
        if let Some(place) = whole.iter().find(holds) {
            return Some(Verdict::Applied(place.start));
        }
        // What a deletion leaves may stand within what it finds.
        let is_within = |place: &Range<LineIdx>| {
            let mut matched = found.matches.iter().map(|matched| &matched.lines);
            matched.any(|lines| {
                lines.start <= place.start && place.end <= lines.end && place.len() < lines.len()
            })
        };
        let mut exact = applied.iter().filter(|place| whole.contains(place));
        if let (Some(place), None) = (exact.next(), exact.next()) {
            let is_unclear = found.rung < Rung::BlankLines && is_within(place);
            return Some(if is_unclear {
                Verdict::Unclear
            } else {
                Verdict::Applied(place.start)
            });
        }
    }
    if applied.is_empty() {
        return where_stated(index, found, offsets);
    }
    if applied.len() + found.matches.len() > MOST_PLACES {
        return None;
    }
    let matched = found.matches.iter().map(|matched| matched.lines.clone());
    let all: Vec<Range<LineIdx>> = matched.chain(applied.iter().cloned()).collect();
    let starts: Vec<LineIdx> = all.iter().map(|place| place.start).collect();
    let anchored = anchor::narrow(index, &found.hunk.anchors, &starts);
    let mut left = all;
    left.retain(|place| anchored.contains(&place.start));
    if left.iter().all(|place| applied.contains(place)) {
        return left.first().map(|place| Verdict::Applied(place.start));
    }
    if found.hunk.at_end
        && let Some(last) = left.iter().find(|place| place.end == index.document.len())
    {
        return applied
            .contains(last)
            .then_some(Verdict::Applied(last.start));
    }
    let starts: Vec<LineIdx> = left.iter().map(|place| place.start).collect();
    let hint = found.hint.map(LineNo::idx);
    if let Some(nearest) = hint.and_then(|hint| nearest_to_hint(&starts, offsets.targets(hint))) {
        let nearest = &left[nearest];
        return applied
            .contains(nearest)
            .then_some(Verdict::Applied(nearest.start));
    }
    if hint.is_some_and(|hint| is_nearer(applied, found, offsets, hint)) {
        return Some(Verdict::Unclear);
    }
    // Nothing says which is meant; but what the hunk left may read like its preimage together with the lines beside it.
    let touches = |place: &&Range<LineIdx>| {
        let mut matched = found.matches.iter().map(|matched| &matched.lines);
        matched.any(|lines| place.start < lines.end && lines.start < place.end)
    };
    let touching = applied.iter().find(touches);
    touching.map(|place| Verdict::Applied(place.start))
}

/// The same for a postimage that says too little of itself to be known: it must stand to the letter at the very place that
/// the edit states, where its preimage does not.
fn where_stated(index: &Index<'_>, found: &Found<'_>, offsets: &Offsets) -> Option<Verdict> {
    let hunk = found.hunk;
    let stated = hunk
        .anchors
        .iter()
        .any(|anchor| anchor.strength == AnchorStrength::Stated);
    if found.hint.is_none() && !hunk.at_end && !stated {
        return None;
    }
    let (preimage, postimage) = (&found.body.preimage, &found.body.postimage);
    // Of lines that went, the joint is left.
    let leaves_traces = |step: &Step| {
        !step.comes.is_empty() || (step.goes.start > 0 && step.goes.end < preimage.len())
    };
    let is_known = !found.script.is_empty()
        && postimage.iter().any(|line| !is_blank(line))
        && found.script.steps().iter().all(leaves_traces);
    if !is_known {
        return None;
    }
    let meets = |place: &Range<LineIdx>| {
        let mut matched = found.matches.iter().map(|matched| &matched.lines);
        matched.any(|lines| place.start < lines.end && lines.start < place.end)
    };
    let mut standing = index.places(Rung::Exact, postimage);
    standing.retain(|place| !meets(place));
    if standing.is_empty() || standing.len() + found.matches.len() > MOST_PLACES {
        return None;
    }
    let matched = found.matches.iter().map(|matched| matched.lines.start);
    let mut starts: Vec<LineIdx> = matched
        .chain(standing.iter().map(|place| place.start))
        .collect();
    let stands = |start: &LineIdx| standing.iter().any(|place| place.start == *start);
    if stated {
        starts = anchor::narrow(index, &hunk.anchors, &starts);
        if starts.iter().all(stands) {
            return starts.first().copied().map(Verdict::Applied);
        }
    }
    if hunk.at_end {
        let ends = |place: &&Range<LineIdx>| place.end == index.document.len();
        let last = standing.iter().find(ends);
        return last.map(|place| Verdict::Applied(place.start));
    }
    let hint = found.hint?.idx();
    let nearest = nearest_to_hint(&starts, offsets.targets(hint)).map(|nearest| starts[nearest]);
    match nearest {
        Some(nearest) if !stands(&nearest) => None,
        Some(nearest) if offsets.targets(hint).all(|target| target == nearest) => {
            Some(Verdict::Applied(nearest))
        }
        Some(_) => Some(Verdict::Unclear),
        None => is_nearer(&standing, found, offsets, hint).then_some(Verdict::Unclear),
    }
}

/// Whether what the hunk leaves stands no farther from where its line number may mean than the hunk does.
fn is_nearer(
    standing: &[Range<LineIdx>],
    found: &Found<'_>,
    offsets: &Offsets,
    hint: LineIdx,
) -> bool {
    offsets.targets(hint).any(|target| {
        let stands = standing.iter().map(|place| place.start.abs_diff(target));
        let matched = found
            .matches
            .iter()
            .map(|matched| matched.lines.start.abs_diff(target));
        stands.min() <= matched.min()
    })
}
