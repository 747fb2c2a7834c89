//! Evidence against the only place of a hunk.
//!
//! Agents repeat in the postimage a line that their preimage leaves out, and the file would have it twice. A change that adds a
//! line directly beside an equal one on purpose, and shows no context there, is so rare that a person decides. The same holds
//! for a change that adds lines beside a part of them: an edit that was applied in part, and is sent again.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::chained::changes_of;
use crate::locate::hypotheses::interpretation::similarity;
use crate::locate::matching::edit_script::{ChangeSide, Script};
use crate::locate::matching::index::Index;
use crate::locate::matching::kmp::Prefixes;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::{has_word, is_blank};
use crate::locate::matching::words::split;
use crate::locate::placement::{Change, Confidence, Doubt, Location, Placement, Rung};
use crate::proposal::{Body, Extent, Hunk};
use crate::text::{Document, LineIdx, indent_of};

/// Minimum number of lines with a word beside an insertion that are a part of it.
const PART: usize = 3;
/// Maximum number of blank lines that are skipped.
const BLANKS: usize = 4;

/// Minimum number of lines with a word among added lines that are found elsewhere.
const RUN: usize = 3;
/// Minimum length of such lines, in bytes; shorter ones may be anywhere by chance.
const RUN_BYTES: usize = 24;

/// Marks as doubtful the hunks that insert lines that are elsewhere in the file already in a row: the edit may be applied, with
/// other lines inserted afterwards between its lines and the lines beside them. Fewer than three lines with a word count if they
/// are in one other place, and that is in the same scope: an import, a key of a mapping, a short function. Lines that a hunk removes
/// there are moved.
pub(crate) fn added_elsewhere(index: &Index<'_>, locations: &mut [Location]) {
    let removed: FxHashSet<LineIdx> = changes_of(locations)
        .flat_map(|(_, change)| change.lines.clone())
        .collect();
    for location in locations {
        let Location::Placed(placement) = location else {
            continue;
        };
        let mut inserted = (placement.changes.iter()).filter(|change| change.lines.is_empty());
        let is_doubled = inserted.any(|change| is_there(index, change, &placement.lines, &removed));
        if is_doubled && placement.confidence < Confidence::Doubtful {
            placement.confidence = Confidence::Doubtful;
            placement.doubt = Some(Doubt::Repeats);
        }
    }
}

/// Returns true if the file has inserted lines already, and not among the hunk's own lines or the removed ones.
fn is_there(
    index: &Index<'_>,
    change: &Change,
    own: &Range<LineIdx>,
    removed: &FxHashSet<LineIdx>,
) -> bool {
    let blank = |line: &&String| is_blank(line);
    let first = change.with.iter().take_while(blank).count();
    let last = change.with.len() - change.with.iter().rev().take_while(blank).count();
    let lines = change.with.get(first..last).unwrap_or_default();
    let telling = lines.iter().filter(|line| has_word(line)).count();
    let bytes: usize = lines.iter().map(|line| line.trim().len()).sum();
    let is_apart = |place: &Range<LineIdx>| place.end <= own.start || own.end <= place.start;
    let is_run = telling >= RUN && bytes >= RUN_BYTES;
    if !is_run && !lines.iter().any(|line| has_name(line)) {
        return false;
    }
    let mut places = index.places(Rung::Exact, lines);
    places.retain(|place| !removed.contains(&place.start));
    if is_run {
        return places.iter().any(is_apart);
    }
    let is_beside = |only: &Range<LineIdx>| is_in_scope(only, &change.lines, index.document);
    matches!(&places[..], [only] if is_apart(only) && is_beside(only))
}

/// Returns true for a line with a name of two letters or more; a letter or a number may be anywhere by chance.
fn has_name(line: &str) -> bool {
    split(line).any(|word| word.chars().filter(|c| c.is_alphabetic()).nth(1).is_some())
}

/// Maximum number of lines between two places in one scope.
const MAX_SCOPE: usize = 400;

/// Returns true if no line between some lines of the file and a place is indented less than the first of them.
fn is_in_scope(lines: &Range<LineIdx>, place: &Range<LineIdx>, document: &Document) -> bool {
    let mut between = if lines.end <= place.start {
        lines.end..place.start
    } else {
        place.end..lines.start
    };
    let indent = indent_of(document.line(lines.start));
    let is_inner = |line: &str| is_blank(line) || line.starts_with(indent);
    between.len() <= MAX_SCOPE && between.all(|line| is_inner(document.line(line)))
}

/// Maximum number of places at the indentation of a hunk that are compared.
const MAX_COMPARED: usize = 32;
/// Minimum similarity of the lines at such a place.
const LIKE: f64 = 0.5;

/// Returns the doubt about a place that matches but for its indentation, if the file has a similar block at the very indentation of
/// the hunk: that one may be the target, and the place found its twin.
pub(crate) fn own_level(
    index: &Index<'_>,
    body: &Body,
    matched: &Match,
    rung: Rung,
) -> Option<Doubt> {
    if rung != Rung::Indent {
        return None;
    }
    let document = index.document;
    let lines = || body.preimage.iter().enumerate();
    let shifted = lines().filter(|(nth, line)| {
        let at = matched.line_of(*nth);
        has_word(line) && at.is_some_and(|at| document.line(at) != *line)
    });
    let starts = shifted.flat_map(|(nth, line)| {
        let places = index.folded(Rung::Exact).lines_like(line);
        places.filter_map(move |at| at.checked_sub(nth))
    });
    let has_rival = starts.take(MAX_COMPARED).any(|start| {
        start + body.preimage.len() <= document.len()
            && lines().all(|(nth, line)| {
                let found = document.line(start + nth);
                indent_of(found) == indent_of(line) && similarity(found, line) >= LIKE
            })
    });
    has_rival.then_some(Doubt::Rival)
}

/// Returns the doubt about a place on a rung that ignores the change of the hunk: the file may have that change already.
pub(crate) fn overlooked(
    script: &Script,
    body: &Body,
    matched: &Match,
    rung: Rung,
    document: &Document,
) -> Option<Doubt> {
    let (old, new) = (&body.preimage, &body.postimage);
    let mut changed = (script.steps().iter()).flat_map(|step| {
        old[step.removed.clone()]
            .iter()
            .chain(&new[step.added.clone()])
    });
    if rung >= Rung::BlankLines && changed.all(|line| is_blank(line)) {
        return Some(Doubt::Blanks);
    }
    let is_done = rung >= Rung::Blanks
        && script.steps().iter().any(|step| {
            step.removed.clone().any(|i| {
                let line = matched.line_of(i).map(|line| document.line(line));
                let added = |line| new[step.added.clone()].iter().any(|added| added == line);
                let is_shifted = |line: &str| line != old[i] && line.trim() == old[i].trim();
                line.is_some_and(|line| !is_blank(line) && is_shifted(line) && added(line))
            })
        });
    is_done.then_some(Doubt::Done)
}

/// Marks as doubtful the hunks that add at their edge the line that is directly beside it, unless another hunk removes that
/// line.
pub(crate) fn repeats(hunks: &[&Hunk], document: &Document, locations: &mut [Location]) {
    let mut beside: Vec<(usize, LineIdx)> = Vec::new();
    for (i, location) in locations.iter().enumerate() {
        if let Location::Placed(placement) = location {
            beside.extend(repeated(hunks[i], placement, document).map(|line| (i, line)));
        }
    }
    if beside.is_empty() {
        return;
    }
    // Only the first or last change of a neighbour can change a line at a hunk's edge.
    let taken = changes_of(locations).filter(|(_, change)| !change.lines.is_empty());
    let edges: FxHashSet<LineIdx> = taken
        .flat_map(|(_, change)| [change.lines.start, change.lines.end - 1])
        .collect();
    for (i, _) in beside.into_iter().filter(|(_, line)| !edges.contains(line)) {
        if let Location::Placed(placement) = &mut locations[i] {
            placement.confidence = Confidence::Doubtful;
            placement.doubt = Some(Doubt::Repeats);
        }
    }
}

/// Returns the lines directly above and below a placement that the hunk adds at its edges, if it shows no context there.
fn repeated<'a>(
    hunk: &'a Hunk,
    placement: &'a Placement,
    document: &'a Document,
) -> impl Iterator<Item = LineIdx> + 'a {
    let (old, new) = (&hunk.body.preimage, &hunk.body.postimage);
    // A text that begins or ends with a line break shows nothing of the line beside it.
    let (is_sought, slack) = match hunk.extent {
        Extent::Lines => (true, 0),
        Extent::Text => (true, 1),
        Extent::Insertion
        | Extent::EveryText
        | Extent::Texts(_)
        | Extent::Numbered(_)
        | Extent::Span { .. }
        | Extent::Sketch
        | Extent::Cell { .. }
        | Extent::Hashed(_)
        | Extent::JsonPatch
        | Extent::Pattern { .. } => (false, 0),
    };
    let is_bare = |old: Option<&String>, new: Option<&String>| {
        is_sought && old.is_some_and(|old| Some(old) != new || (slack > 0 && old.is_empty()))
    };
    let first = placement.changes.first().filter(|change| {
        is_bare(old.first(), new.first()) && change.lines.start <= placement.lines.start + slack
    });
    let last = placement.changes.last().filter(|change| {
        is_bare(old.last(), new.last()) && change.lines.end + slack >= placement.lines.end
    });
    let above = first.and_then(|change| repeated_at(change, ChangeSide::Above, document));
    let below = last.and_then(|change| repeated_at(change, ChangeSide::Below, document));
    [above, below].into_iter().flatten()
}

/// Returns the line directly above or below a change, if the change adds the same at that edge.
fn repeated_at(change: &Change, side: ChangeSide, document: &Document) -> Option<LineIdx> {
    let Change { lines, with } = change;
    let (edge, beside, run) = match side {
        ChangeSide::Above => (
            with.first(),
            lines.start.checked_sub(1)?,
            lines.start.checked_sub(with.len()),
        ),
        ChangeSide::Below => (with.last(), lines.end, Some(lines.end)),
    };
    let is_repeated = is_equal(edge, beside, document)
        || lines.is_empty()
            && (run.is_some_and(|run| is_beside_copy(with, run, document))
                || is_partly_present(change, side, document));
    is_repeated.then_some(beside)
}

fn is_equal(line: Option<&String>, beside: LineIdx, document: &Document) -> bool {
    let is_there = |line: &String| !is_blank(line) && line == document.line(beside);
    line.is_some_and(is_there)
}

/// Returns true if the file has all added lines from a line on.
fn is_beside_copy(with: &[String], from: LineIdx, document: &Document) -> bool {
    let mut lines = with.iter().zip(from..);
    with.iter().any(|line| !is_blank(line))
        && lines.all(|(line, at)| at < document.len() && line == document.line(at))
}

/// Returns true if a part of the inserted lines is directly above or below them: their beginning, as where an edit was cut off,
/// or their end. Neighbours end alike more often than they begin alike, so an end must be half of them.
fn is_partly_present(change: &Change, side: ChangeSide, document: &Document) -> bool {
    let own: Vec<&str> = solid(change.with.iter().map(String::as_str)).collect();
    let beside = lines_beside(change, side, document);
    let (begun, ended) = match side {
        ChangeSide::Above => (
            joint(&beside, &own),
            alike(own.iter().rev(), beside.iter().rev()),
        ),
        ChangeSide::Below => (alike(own.iter(), beside.iter()), joint(&own, &beside)),
    };
    let telling = |lines: &[&str]| lines.iter().filter(|line| has_word(line)).count();
    let is_all = begun == own.len() || ended == own.len();
    let (begun, ended, all) = (
        telling(&own[..begun]),
        telling(&own[own.len() - ended..]),
        telling(&own),
    );
    begun >= PART || (ended >= PART && ended * 2 >= all) || (is_all && all > 1)
}

/// Returns as many lines above or below a change as it adds there, and a few more, without blank ones.
fn lines_beside<'d>(change: &Change, side: ChangeSide, document: &'d Document) -> Vec<&'d str> {
    let reach = change.with.len() + BLANKS;
    let lines = match side {
        ChangeSide::Above => change.lines.start.saturating_sub(reach)..change.lines.start,
        ChangeSide::Below => change.lines.end..(change.lines.end + reach).min(document.len()),
    };
    solid(lines.map(|at| document.line(at))).collect()
}

/// Returns the number of lines that two stretches share until the first that differs.
fn alike<'a>(
    own: impl Iterator<Item = &'a &'a str>,
    beside: impl Iterator<Item = &'a &'a str>,
) -> usize {
    own.zip(beside)
        .take_while(|(own, beside)| own == beside)
        .count()
}

/// Returns the maximum number of lines with which one stretch ends and the other begins.
fn joint(ends: &[&str], begins: &[&str]) -> usize {
    let prefixes = Prefixes::of(begins);
    (ends.iter()).fold(0, |length, line| prefixes.after(length, line))
}

/// Returns the lines that are not blank, without the blanks around them: an edit that is sent again may be indented otherwise.
fn solid<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    lines.map(str::trim).filter(|line| !line.is_empty())
}
