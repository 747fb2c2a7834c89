//! Whether what a hunk asks for stands in the file already.
//!
//! An applied edit may be sent again, and must then change nothing. The trap is an insertion at a block's edge: it leaves
//! its preimage in place, so finding the preimage proves nothing. Hence a place is taken for applied when the lines that the
//! hunk would leave there stand there already, whatever else matches.

use std::ops::Range;

use super::align::Match;
use super::fold::is_blank;
use super::index::Index;
use super::place::{Change, Rung};
use super::script::Script;
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// The most lines of a removed stretch that are compared with what stands where it would have stood.
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
    use super::fold::fold;
    if rung == Rung::Exact {
        return false;
    }
    let seen = |lines: &[String]| -> Vec<String> {
        let kept = lines
            .iter()
            .filter(|line| rung != Rung::BlankLines || !is_blank(line));
        kept.map(|line| fold(rung, line).into_owned()).collect()
    };
    let touches =
        |place: &Range<LineIdx>| place.start < matched.lines.end && matched.lines.start < place.end;
    seen(&body.preimage) == seen(&body.postimage)
        && index
            .places(Rung::Exact, &body.postimage)
            .iter()
            .any(touches)
}

/// Where the postimage of a hunk stands whose preimage stands nowhere; `None` if that is not certain.
///
/// It must be telling and stand in one place only.
pub(super) fn postimage_place(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
) -> Option<Range<LineIdx>> {
    if !is_telling(body, script) {
        return None;
    }
    [Rung::Exact, Rung::TrailingBlanks, Rung::Indent]
        .into_iter()
        .find_map(|rung| {
            let sought = Body {
                preimage: body.postimage.clone(),
                postimage: Vec::new(),
            };
            let found = super::ladder::on_rung(index, &sought, rung);
            let places: Vec<Range<LineIdx>> = found.into_iter().map(|found| found.lines).collect();
            match <[Range<LineIdx>; 1]>::try_from(places) {
                Ok([place])
                    if !script.only_removes()
                        || !stands_reworded(index.document, body, script, &place) =>
                {
                    Some(place)
                }
                _ => None,
            }
        })
}

/// Where the postimage of a hunk that adds lines stands to the letter; nowhere, if it would prove nothing.
pub(super) fn exact_places(index: &Index<'_>, body: &Body, script: &Script) -> Vec<Range<LineIdx>> {
    if script.only_removes() || !is_telling(body, script) {
        return Vec::new();
    }
    index.places(Rung::Exact, &body.postimage)
}

/// Whether a postimage says enough to be known when it is met: a line added and one of context, or two lines added that
/// are not blank; or the joint that removed lines leave.
fn is_telling(body: &Body, script: &Script) -> bool {
    let added: usize = script.steps().iter().map(|step| step.comes.len()).sum();
    let context = body.postimage.len() - added;
    let solid = script
        .steps()
        .iter()
        .flat_map(|step| &body.postimage[step.comes.clone()])
        .filter(|line| !is_blank(line));
    match solid.count() {
        0 => script.only_removes() && is_joined(body, script),
        1 => context > 0,
        _ => true,
    }
}

/// Whether every removed stretch has a line of context that is not blank on both sides.
fn is_joined(body: &Body, script: &Script) -> bool {
    script.steps().iter().all(|step| {
        let before = body.preimage[..step.goes.start]
            .iter()
            .any(|line| !is_blank(line));
        before
            && body.preimage[step.goes.end..]
                .iter()
                .any(|line| !is_blank(line))
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
