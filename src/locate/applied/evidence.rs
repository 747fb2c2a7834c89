//! What tells a postimage that stands in a file from lines that only read like it.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::super::align::Match;
use super::super::fold::{fold, has_word, is_blank};
use super::super::index::Index;
use super::super::place::Rung;
use super::super::script::Script;
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// A line at least so much like a removed one may be what became of it.
const LIKE: f64 = 0.6;

/// Blank lines that are passed over to look for the next one that is not.
const MOST_BLANKS: usize = 4;

/// Whether a postimage can be known when it is met: by two lines that are not blank, one of them added, or else by two of
/// context; where lines are only removed, by the joint that they leave.
pub(super) fn says_enough(body: &Body, script: &Script) -> bool {
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

/// Whether what a hunk leaves is more than brackets around lines that are gone: those are joined in many places.
pub(super) fn tells(body: &Body, script: &Script) -> bool {
    !script.only_removes() || body.postimage.iter().any(|line| has_word(line))
}

/// How many lines that are not blank a hunk adds.
fn solid_lines(body: &Body, script: &Script) -> usize {
    let added = script
        .steps()
        .iter()
        .flat_map(|step| &body.postimage[step.comes.clone()]);
    added.filter(|line| !is_blank(line)).count()
}

/// Whether all that a hunk adds stands at a place of its postimage to the letter, indentation aside: an edit may change nothing but
/// blanks or quotes.
pub(super) fn added_stand(
    document: &Document,
    body: &Body,
    script: &Script,
    place: &Match,
) -> bool {
    let stands = |line: usize| {
        let there = place.line_of(line).map(|idx| document.line(idx));
        let added = fold(Rung::Indent, &body.postimage[line]);
        added.is_empty() || there.is_some_and(|there| fold(Rung::Indent, there) == added)
    };
    let mut added = script.steps().iter().flat_map(|step| step.comes.clone());
    added.all(stands)
}

/// Whether nothing but blank lines comes somewhere: where these are overlooked, nothing tells that they stand there.
pub(super) fn adds_only_blanks(body: &Body, script: &Script) -> bool {
    let are_blank = |lines: &[String]| lines.iter().all(|line| is_blank(line));
    script.steps().iter().any(|step| {
        !step.comes.is_empty()
            && are_blank(&body.postimage[step.comes.clone()])
            && are_blank(&body.preimage[step.goes.clone()])
    })
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
pub(super) fn is_certain(
    document: &Document,
    body: &Body,
    script: &Script,
    place: &Range<LineIdx>,
) -> bool {
    !script.only_removes()
        || (is_joined(document, body, script, place)
            && !stands_reworded(document, body, script, place))
}

/// Whether every removed stretch has a line of context, or the edge of the file, on both sides, and not all of the context
/// is blank.
pub(super) fn is_joined(
    document: &Document,
    body: &Body,
    script: &Script,
    place: &Range<LineIdx>,
) -> bool {
    let has_solid = body.postimage.iter().any(|line| !is_blank(line));
    has_solid
        && script.steps().iter().all(|step| {
            let before = step.goes.start > 0 || place.start == 0;
            before && (step.goes.end < body.preimage.len() || place.end == document.len())
        })
}

/// Whether a line like a removed one stands next to where the removed lines would have stood, or most of them still stand
/// there: what encloses the lines beside a function that is gone is joined before it goes, too.
pub(super) fn stands_reworded(
    document: &Document,
    body: &Body,
    script: &Script,
    place: &Range<LineIdx>,
) -> bool {
    let stays: FxHashSet<&str> = body.postimage.iter().map(|line| line.trim()).collect();
    let mut shift = 0;
    script.steps().iter().any(|step| {
        let joint = place.start + step.goes.start - shift;
        shift += step.goes.len();
        let goes = (body.preimage[step.goes.clone()].iter()).map(|line| line.trim());
        if stand_beside(document, goes.clone(), &stays, joint) {
            return true;
        }
        let is_solid = |idx: &LineIdx| !is_blank(document.line(*idx));
        let joint = joint.min(document.len());
        let above = (joint.saturating_sub(MOST_BLANKS)..joint)
            .rev()
            .find(is_solid);
        let below = (joint..document.len()).take(MOST_BLANKS).find(is_solid);
        let near = [above, below].into_iter().flatten();
        let near: Vec<&str> = near
            .map(|idx| document.line(idx).trim())
            .filter(|line| !line.is_empty() && !stays.contains(line))
            .collect();
        let is_like = |gone: &str| {
            let like = |line: &&str| strsim::normalized_levenshtein(gone, line) >= LIKE;
            near.iter().any(like)
        };
        goes.filter(|line| !line.is_empty()).any(is_like)
    })
}

/// Whether a line that the hunk takes away stands anywhere in the file, indentation apart.
pub(super) fn stand_elsewhere(index: &Index<'_>, body: &Body, script: &Script) -> bool {
    let mut goes = (script.steps().iter()).flat_map(|step| &body.preimage[step.goes.clone()]);
    goes.any(|line| {
        let line = fold(Rung::Indent, line);
        has_word(&line) && index.folded(Rung::Indent).count(&line) > 0
    })
}

/// Whether a line that the hunk takes away stands to the letter where its postimage is, or beside it if there is no context on
/// that side: then that is not what the hunk leaves, however alike it is.
pub(super) fn still_stands(
    document: &Document,
    body: &Body,
    script: &Script,
    place: &Range<LineIdx>,
) -> bool {
    let (Some(first), Some(last)) = (script.steps().first(), script.steps().last()) else {
        return false;
    };
    let is_bare = |lines: &[String]| lines.iter().all(|line| is_blank(line));
    let begins = is_bare(&body.preimage[..first.goes.start]);
    let above = if begins { first.goes.end } else { 0 };
    let ends = is_bare(&body.preimage[last.goes.end..]);
    let below = if ends {
        body.preimage.len() - last.goes.start
    } else {
        0
    };
    let near = place.start.saturating_sub(above)..(place.end + below).min(document.len());
    let stays: FxHashSet<&str> = body.postimage.iter().map(String::as_str).collect();
    let goes = script.steps().iter().flat_map(|step| step.goes.clone());
    let gone: FxHashSet<&str> = goes
        .map(|line| body.preimage[line].as_str())
        .filter(|line| has_word(line) && !stays.contains(line))
        .collect();
    let stands = !gone.is_empty()
        && near
            .into_iter()
            .any(|idx| gone.contains(document.line(idx)));
    stands || {
        let stays: FxHashSet<&str> = stays.iter().map(|line| line.trim()).collect();
        script.steps().iter().any(|step| {
            let goes = body.preimage[step.goes.clone()].iter();
            let joint = place.start + step.comes.end;
            stand_beside(document, goes.map(|line| line.trim()), &stays, joint)
        })
    }
}

/// Whether most of some removed lines stand right above or below a line, those left out that stay in the edit.
fn stand_beside<'a>(
    document: &Document,
    goes: impl ExactSizeIterator<Item = &'a str>,
    stays: &FxHashSet<&str>,
    joint: LineIdx,
) -> bool {
    let count = goes.len();
    if count <= 2 {
        return false;
    }
    let gone: Vec<&str> = goes
        .filter(|line| has_word(line) && !stays.contains(line))
        .collect();
    let most_in = |lines: Range<LineIdx>| {
        let near: FxHashSet<&str> = lines.map(|idx| document.line(idx).trim()).collect();
        gone.iter().filter(|line| near.contains(*line)).count() * 2 > gone.len()
    };
    let above = joint.saturating_sub(count)..joint.min(document.len());
    let below = joint.min(document.len())..(joint + count).min(document.len());
    most_in(above) || most_in(below)
}

/// Whether a rung sees nothing come but what goes: where it does not look, the hunk only removes lines, and what it leaves may stand
/// within what it finds.
pub(super) fn adds_nothing(body: &Body, script: &Script, rung: Rung) -> bool {
    script.steps().iter().all(|step| {
        let goes = body.preimage[step.goes.clone()].iter();
        let goes: FxHashSet<_> = goes.map(|line| fold(rung, line)).collect();
        let mut comes = body.postimage[step.comes.clone()].iter();
        comes.all(|line| goes.contains(&fold(rung, line)))
    })
}

/// Whether the two halves are the same lines but for their blanks.
pub(super) fn moves_only(body: &Body) -> bool {
    let mut pairs = body.preimage.iter().zip(&body.postimage);
    body.preimage.len() == body.postimage.len()
        && pairs.all(|(old, new)| old == new || letters(old).eq(letters(new)))
}

fn letters(line: &str) -> impl Iterator<Item = char> {
    line.chars().filter(|c| !c.is_whitespace())
}

/// Whether a rung sees no difference between the two halves.
pub(super) fn overlooks(body: &Body, rung: Rung) -> bool {
    let looked_at = |line: &&String| rung != Rung::BlankLines || !is_blank(line);
    let seen = |line| fold(rung, line);
    let before = body
        .preimage
        .iter()
        .filter(looked_at)
        .map(|line| seen(line));
    before.eq(body
        .postimage
        .iter()
        .filter(looked_at)
        .map(|line| seen(line)))
}
