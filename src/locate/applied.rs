//! Whether what a hunk asks for stands in the file already.
//!
//! An applied edit may be sent again, and must then change nothing. The trap is an insertion at a block's edge: it leaves
//! its preimage in place, so finding the preimage proves nothing. Hence a place is taken for applied when the lines that the
//! hunk would leave there stand there already, whatever else matches.

use std::ops::Range;

use super::align::Match;
use super::fold::{fold, is_blank};
use super::index::Index;
use super::ladder::{LADDER, climb, on_rung};
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
    let Some(rung) = rungs.into_iter().find(|rung| !overlooks(body, *rung)) else {
        return Vec::new();
    };
    on_rung(index, &body.reversed(), rung)
        .into_iter()
        .map(|matched| matched.lines)
        .collect()
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
    is_certain(index.document, body, script, &only.lines).then(|| only.lines.clone())
}

/// Where the postimage stands on a stricter rung than the preimage does: what must be forgiven the preimage need not be
/// forgiven the postimage, so it is the postimage that stands there. A postimage that says little of itself, or that the
/// preimage's rung cannot tell from the preimage, must stand where the preimage was found.
pub(super) fn stricter_place(
    index: &Index<'_>,
    (body, script): (&Body, &Script),
    rung: Rung,
    matches: &[Match],
) -> Option<Range<LineIdx>> {
    let stricter = LADDER.partition_point(|step| *step < rung);
    let (_, mut standing) = climb(index, &body.reversed(), &LADDER[..stricter])?;
    // What a deletion leaves stands within what it finds, too: that proves nothing.
    let within = |place: &Match, found: &Match| {
        found.lines.start <= place.lines.start
            && place.lines.end <= found.lines.end
            && place.lines.len() < found.lines.len()
    };
    standing.retain(|place| !matches.iter().any(|found| within(place, found)));
    let meets = |place: &&Match| {
        matches
            .iter()
            .any(|found| place.lines.start < found.lines.end && found.lines.start < place.lines.end)
    };
    match standing.as_slice() {
        [only]
            if says_enough(body, script)
                && is_certain(index.document, body, script, &only.lines) =>
        {
            Some(only.lines.clone())
        }
        several => several.iter().find(meets).map(|place| place.lines.clone()),
    }
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

/// Whether a postimage can be known when it is met: by two lines that are not blank, one of them added, or else by two of
/// context; where lines are only removed, by the joint that they leave.
fn says_enough(body: &Body, script: &Script) -> bool {
    let context = || {
        let solid = body.postimage.iter().filter(|line| !is_blank(line)).count();
        solid - solid_lines(body, script)
    };
    match solid_lines(body, script) {
        0 => script.only_removes() || context() >= 2,
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

/// Whether a postimage that stands somewhere is what the hunk leaves, if it only removes lines: what it leaves is joined,
/// and nothing like the removed lines stands there.
fn is_certain(document: &Document, body: &Body, script: &Script, place: &Range<LineIdx>) -> bool {
    !script.only_removes()
        || (is_joined(document, body, script, place)
            && !stands_reworded(document, body, script, place))
}

/// Whether every removed stretch has a line of context, or the edge of the file, on both sides, and not all of the context
/// is blank.
fn is_joined(document: &Document, body: &Body, script: &Script, place: &Range<LineIdx>) -> bool {
    let has_solid = body.postimage.iter().any(|line| !is_blank(line));
    has_solid
        && script.steps().iter().all(|step| {
            let before = step.goes.start > 0 || place.start == 0;
            before && (step.goes.end < body.preimage.len() || place.end == document.len())
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
