//! Whether what a hunk asks for stands in the file already.
//!
//! An applied edit may be sent again, and must then change nothing. The trap is an insertion at a block's edge: it leaves
//! its preimage in place, so finding the preimage proves nothing. Hence a place is taken for applied when the lines that the
//! hunk would leave there stand there already, whatever else matches.

use std::ops::Range;

use super::align::Match;
use super::fold::{fold, is_blank};
use super::index::Index;
use super::ladder::{LADDER, climb};
use super::place::{Change, Rung};
use super::script::Script;
use super::similar;
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// A line at least so much like a removed one may be what became of it.
const LIKE: f64 = 0.6;

/// Whether the result of the changes at a match stands there already: its own lines with what would come around them.
pub(super) fn stands_at(document: &Document, matched: &Match, changes: &[Change]) -> bool {
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

/// Whether, on a rung that overlooks the whole change, the postimage stands exactly where the preimage was found.
pub(super) fn is_overlooked(index: &Index<'_>, body: &Body, matched: &Match, rung: Rung) -> bool {
    if rung == Rung::Exact {
        return false;
    }
    let touches =
        |place: &Range<LineIdx>| place.start < matched.lines.end && matched.lines.start < place.end;
    overlooks(body, rung)
        && index
            .places(Rung::Exact, &body.postimage)
            .iter()
            .any(touches)
}

/// Whether a rung sees no difference between the two halves.
fn overlooks(body: &Body, rung: Rung) -> bool {
    let seen = |lines: &[String]| -> Vec<String> {
        let kept = lines
            .iter()
            .filter(|line| rung != Rung::BlankLines || !is_blank(line));
        kept.map(|line| fold(rung, line).into_owned()).collect()
    };
    seen(&body.preimage) == seen(&body.postimage)
}

/// Where the postimage stands to the letter, if it says enough to be known by: it adds a line that is not blank and has a
/// line of context, or it adds two such lines.
pub(super) fn exact_places(index: &Index<'_>, body: &Body, script: &Script) -> Vec<Range<LineIdx>> {
    if says_enough(body, script) && !script.only_removes() {
        index.places(Rung::Exact, &body.postimage)
    } else {
        Vec::new()
    }
}

/// Where the postimage stands on the first of `rungs` that has any place, if it says enough to be known by. No rung may be
/// one that cannot tell it from the preimage.
pub(super) fn loose_places(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
    rungs: &[Rung],
) -> Vec<Range<LineIdx>> {
    let is_known = says_enough(body, script) && !script.only_removes();
    if !is_known || rungs.iter().any(|&rung| overlooks(body, rung)) {
        return Vec::new();
    }
    let found = climb(index, &body.reversed(), rungs);
    let matches = found.map(|(_, matches)| matches).unwrap_or_default();
    matches.into_iter().map(|matched| matched.lines).collect()
}

/// Whether the postimage stands around a place of the preimage.
pub(super) fn stands_around(standing: &[Range<LineIdx>], matched: &Match) -> bool {
    standing
        .iter()
        .any(|place| place.start <= matched.lines.start && matched.lines.end <= place.end)
}

/// Where the postimage of a hunk stands whose preimage stands nowhere; `None` if that is not certain.
///
/// A hunk that adds lines needs one line of context in its postimage, or two added lines that are not blank; it must stand
/// in one place only. One that only removes lines is taken for applied if the lines around the removed ones stand joined.
pub(super) fn postimage_place(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
) -> Option<Range<LineIdx>> {
    if !says_enough(body, script) {
        return None;
    }
    let (_, matches) = climb(index, &body.reversed(), &LADDER)?;
    let [only] = matches.as_slice() else {
        return None;
    };
    let certain = !script.only_removes()
        || (is_joined(index.document, body, script, &only.lines)
            && !stands_reworded(index.document, body, script, &only.lines));
    certain.then(|| only.lines.clone())
}

/// Where the postimage of a hunk stands but for reworded context, when neither half stands anywhere. Every line that the
/// hunk adds must be there, indentation apart.
pub(super) fn similar_place(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
    precision: f64,
) -> Option<Range<LineIdx>> {
    if !says_enough(body, script) {
        return None;
    }
    let reversed = body.reversed();
    let back = Script::of(&reversed);
    let near = similar::nearest(index, &reversed.preimage);
    let same_line = |a: &str, b: &str| fold(Rung::Indent, a) == fold(Rung::Indent, b);
    let place = similar::sure(index, (&reversed, &back), &near, precision, same_line)?.lines;
    (!script.only_removes() || !stands_reworded(index.document, body, script, &place))
        .then_some(place)
}

/// Whether a postimage can be known when it is met.
fn says_enough(body: &Body, script: &Script) -> bool {
    match solid_lines(body, script) {
        0 => script.only_removes(),
        1 => has_context(body, script),
        _ => true,
    }
}

/// How many lines that are not blank a hunk adds.
fn solid_lines(body: &Body, script: &Script) -> usize {
    let added = script
        .steps()
        .iter()
        .flat_map(|step| &body.postimage[step.comes.clone()]);
    added.filter(|line| !is_blank(line)).count()
}

fn has_context(body: &Body, script: &Script) -> bool {
    script
        .steps()
        .iter()
        .map(|step| step.comes.len())
        .sum::<usize>()
        < body.postimage.len()
}

/// Whether every removed stretch has, on both sides, a line of context that is not blank or the edge of the file.
fn is_joined(document: &Document, body: &Body, script: &Script, place: &Range<LineIdx>) -> bool {
    let solid = |lines: &[String]| lines.iter().any(|line| !is_blank(line));
    script.steps().iter().all(|step| {
        let before = solid(&body.preimage[..step.goes.start]) || place.start == 0;
        before && (solid(&body.preimage[step.goes.end..]) || place.end == document.len())
    })
}

/// Whether a line like a removed one stands next to where the removed lines would have stood.
fn stands_reworded(
    document: &Document,
    body: &Body,
    script: &Script,
    place: &Range<LineIdx>,
) -> bool {
    let mut shift = 0;
    script.steps().iter().any(|step| {
        let joint = place.start + step.goes.start - shift;
        shift += step.goes.len();
        let near = [joint.checked_sub(1), Some(joint)]
            .into_iter()
            .flatten()
            .filter(|idx| *idx < document.len());
        let near: Vec<&str> = near
            .map(|idx| document.line(idx).trim())
            .filter(|line| !line.is_empty())
            .collect();
        let goes = body.preimage[step.goes.clone()]
            .iter()
            .map(|line| line.trim())
            .filter(|line| !line.is_empty());
        let kept = |line: &str| body.postimage.iter().any(|kept| kept.trim() == line);
        goes.into_iter().any(|gone| {
            near.iter()
                .any(|line| !kept(line) && strsim::normalized_levenshtein(gone, line) >= LIKE)
        })
    })
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
