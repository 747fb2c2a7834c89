//! The last rung: places that come near, by aligning the block with the file line by line.
//!
//! Candidate places are voted for by the lines that block and file share, each line counting less the more often it
//! stands in the file (or `}` would drown the rest). Each of the best is aligned by dynamic programming: a pair of lines
//! earns its similarity, a line without a partner costs more than a reworded one. The score is the mean similarity over the
//! block's non-blank lines, an unpaired line counting 0.
//!
//! A score alone never places an edit: a block may be nearly all equal to a place whose one changed line holds another
//! value. So every line that the edit removes must be there nearly to the letter with the same names and numbers, nothing
//! foreign may stand between a change and its neighbours, and no other place may come near. That is not enough where a function
//! is gone and the one beside it is like it but for a name: so code that stays may have no other names either, slips of the
//! hand aside ([`rewording`]).
//!
//! Two tools have such a rung, and each has been seen to go wrong by it. What is done here about that:
//!
//! * Zed's agent aligns a block with the whole buffer, and takes two lines for equal from a likeness of 0.8 on: `limit = 200`
//!   is `limit = 250` to it, and `x` may be `y`. Here likeness only finds a place; `is_same_line` decides of each line that
//!   goes. A place is valid there if four lines in five match, whichever these are; here a line between a change and its
//!   neighbours is none of them ([`sure`]). Of several equal places it takes the one nearest to the line number within 200
//!   lines; here it must be twice as near as the next. It indents by the first line alone, and never converts tabs: here the
//!   shift must explain every line (`indent`).
//! * mpatch compares blocks from a likeness of 0.7 on and takes the best, or the first of equals, and writes into stale
//!   lines, into a block with another name in it, and into one that differs in case only. Here the runner-up must be well
//!   behind, names and numbers must be equal with their case, and what is left over is ambiguous. It loses a byte order mark
//!   and a missing final newline; here only lines are placed, and bytes are the document's.

mod aligning;
mod candidates;
mod prose;
mod rewording;
mod shortened;
mod slip;

use rustc_hash::FxHashSet;

use super::align::Match;
use super::fold::{fold, has_word, is_blank};
use super::index::Index;
use super::place::Rung;
use super::reading::NEAR;
use super::script::{Script, Step};
use crate::proposal::Body;
use crate::text::{Document, LineIdx, LineNo};
use aligning::align;
pub(super) use aligning::aligned_from;
use candidates::candidates;
use rewording::{are_mistyped, are_reworded, folded_alike};

/// Lines longer than this are only compared for equality.
const LONGEST: usize = 400;
/// What a removed line must at least have in common with the file's.
const CHANGED_LINE: f64 = 0.95;
/// How much lower the runner-up must score.
const MARGIN: f64 = 0.1;

/// What a place must at least score to be meant because its line is named.
const RIVAL: f64 = 0.6;

/// A place with its score.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    pub(super) matched: Match,
    /// How many of the block's non-blank lines are equal on the punctuation rung.
    equal: usize,
    /// How many of those hold a letter or a digit: brackets alone are no evidence.
    telling: usize,
}

/// The places that come nearest, the best first; those that share the same lines of the file with a better one left out.
pub(super) fn nearest(index: &Index<'_>, preimage: &[String]) -> Vec<Scored> {
    // A line of the file is the partner of one line at most, so a much longer block is like no place in it.
    let solid = preimage.iter().filter(|line| !is_blank(line)).count();
    #[expect(clippy::cast_precision_loss, reason = "only their ratio matters")]
    let is_hopeless = (index.document.len() as f64) < NEAR * solid as f64;
    if is_hopeless {
        return Vec::new();
    }
    let mut scored: Vec<Scored> = candidates(index, preimage)
        .into_iter()
        .filter_map(|start| align(index.document, preimage, start))
        .collect();
    scored.sort_by(|a, b| {
        let by_score = b.matched.similarity.total_cmp(&a.matched.similarity);
        by_score.then(a.matched.lines.start.cmp(&b.matched.lines.start))
    });
    let mut apart: Vec<Scored> = Vec::new();
    for place in scored {
        let shares = |other: &Scored| {
            let (a, b) = (&other.matched.lines, &place.matched.lines);
            a.start < b.end && b.start < a.end
        };
        if !apart.iter().any(shares) {
            apart.push(place);
        }
    }
    apart
}

/// Whether a line that the edit adds stands among those at a place that are no line of its own: it was applied there, and what it
/// looks for is what was beside it.
fn holds_added(document: &Document, (body, script): (&Body, &Script), matched: &Match) -> bool {
    let own: FxHashSet<&str> = body.preimage.iter().map(|line| line.trim()).collect();
    let added = (script.steps().iter()).flat_map(|step| &body.postimage[step.comes.clone()]);
    let tells = |line: &&str| has_word(line) && !own.contains(line);
    let added: FxHashSet<&str> = added.map(|line| line.trim()).filter(tells).collect();
    let paired: FxHashSet<LineIdx> = (0..body.preimage.len())
        .filter_map(|i| matched.line_of(i))
        .collect();
    let mut foreign = matched.lines.clone().filter(|line| !paired.contains(line));
    foreign.any(|line| added.contains(document.line(line).trim()))
}

/// When a changed line of the block is the very line of the file.
pub(super) type SameLine = fn(&str, &str) -> bool;

/// The one place that comes near enough, if there is one.
pub(super) fn sure<'p>(
    index: &'p Index<'_>,
    (body, script): (&'p Body, &Script),
    places: &'p [Scored],
    precision: f64,
    same_line: SameLine,
) -> Option<Match> {
    let (best, rest) = places.split_first()?;
    let document = index.document;
    let solid = body.preimage.iter().filter(|line| !is_blank(line)).count();
    let stands_out = || {
        rest.first().is_none_or(|next| {
            let fewer = best.equal.saturating_sub(next.equal);
            best.matched.similarity - next.matched.similarity >= MARGIN
                || (fewer >= 2 && fewer * 10 >= solid)
        })
    };
    let paired = |place: &'p Scored| pairs(document, &body.preimage, &place.matched);
    let may_be_meant = |place: &'p Scored| {
        place.matched.similarity >= precision
            && place.telling > 0
            && (script.steps().iter())
                .all(|step| is_safe(document, &body.preimage, step, &place.matched, same_line))
            && !holds_added(document, (body, script), &place.matched)
            && are_reworded(paired(place), document.text())
    };
    // Where nothing but the hand slipped, only what could be meant as well is a rival.
    let is_mistyped = || {
        let is_solid = |line: &LineIdx| !is_blank(document.line(*line));
        let is_whole = paired(best).filter(|(line, _)| !is_blank(line)).count() == solid
            && best.matched.lines.clone().filter(is_solid).count() == solid;
        is_whole && are_mistyped(paired(best), document.text())
    };
    let is_alone = || !rest.iter().any(may_be_meant);
    let fits = may_be_meant(best) && (stands_out() || (is_mistyped() && is_alone()));
    fits.then(|| best.matched.clone())
}

/// Whether the edit names the line at which another place begins that comes near, and not that of the place found.
pub(super) fn is_named_elsewhere(found: &Match, places: &[Scored], hint: Option<LineNo>) -> bool {
    let Some(named) = hint.map(LineNo::idx) else {
        return false;
    };
    let is_named =
        |place: &Scored| place.matched.lines.start == named && place.matched.similarity >= RIVAL;
    found.lines.start != named && places.iter().any(is_named)
}

/// The lines of a block that have a partner at a place, with it.
fn pairs<'a>(
    document: &'a Document,
    preimage: &'a [String],
    matched: &'a Match,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let pair =
        |(i, line): (usize, &'a String)| Some((line.as_str(), document.line(matched.line_of(i)?)));
    preimage.iter().enumerate().filter_map(pair)
}

/// Whether a step of the edit means the very lines that it would change at a place.
fn is_safe(
    document: &Document,
    preimage: &[String],
    step: &Step,
    matched: &Match,
    same_line: SameLine,
) -> bool {
    let is_there = |i: usize| {
        let line = preimage[i].as_str();
        is_blank(line)
            || matched
                .line_of(i)
                .is_some_and(|at| same_line(line, document.line(at)))
    };
    let solid = |i: &usize| !is_blank(&preimage[*i]);
    let before = (0..step.goes.start).rev().find(solid);
    let after = (step.goes.end..preimage.len()).find(solid);
    // Nothing but its neighbours says where an insertion goes: it needs both, or the edge of the file.
    let mut outside = (0..matched.lines.start).take(if before.is_none() { usize::MAX } else { 0 });
    let mut beyond =
        (matched.lines.end..document.len()).take(if after.is_none() { usize::MAX } else { 0 });
    let is_solid = |line: LineIdx| !is_blank(document.line(line));
    if step.goes.is_empty() && (outside.any(is_solid) || beyond.any(is_solid)) {
        return false;
    }
    let neighbours_align = [before, after]
        .into_iter()
        .flatten()
        .all(|i| matched.line_of(i).is_some());
    let first = before.unwrap_or(step.goes.start);
    let last = after.map_or(step.goes.end, |after| after + 1);
    let known: Vec<LineIdx> = (first..last).filter_map(|i| matched.line_of(i)).collect();
    let nothing_foreign = match (known.first(), known.last()) {
        (Some(&first), Some(&last)) => {
            (first..=last).all(|line| known.contains(&line) || is_blank(document.line(line)))
        }
        _ => false,
    };
    step.goes.clone().all(is_there) && neighbours_align && nothing_foreign
}

/// Whether two lines are one line written slightly otherwise: with the same names, numbers and signs in the same order, but for the kind of
/// quotes and a comma or semicolon at the end.
pub(super) fn is_same_line(a: &str, b: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let parts = |line: &str| -> Vec<String> {
        let line = line.replace(['"', '`'], "'");
        let same_part = |x: &char, y: &char| is_word(*x) && is_word(*y);
        let letters: Vec<char> = line.trim_end_matches([',', ';']).chars().collect();
        letters
            .chunk_by(same_part)
            .filter(|part| *part != [' '])
            .map(|part| part.iter().collect())
            .collect()
    };
    similarity(a, b) >= CHANGED_LINE && {
        let (a, b) = folded_alike(a, b);
        parts(&a) == parts(&b)
    }
}

/// How alike two lines are on the punctuation rung, in `0..=1`.
pub(super) fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (fold(Rung::Similar, a), fold(Rung::Similar, b));
    if a == b {
        return 1.0;
    }
    if a.len().max(b.len()) > LONGEST {
        return 0.0;
    }
    strsim::normalized_levenshtein(&a, &b)
}
