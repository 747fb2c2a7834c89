//! The ladder: finds the strictest rung on which a block matches, and all its matches on that rung.

use std::ops::Range;
use std::rc::Rc;

use crate::locate::matching::edit_script::{Script, indent_pairs};
use crate::locate::matching::indent_shift::Shift;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::{fold, is_blank};
use crate::locate::placement::Rung;
use crate::proposal::Body;
use crate::text::{Document, LineIdx};

/// The rungs that need no score, strictest first.
pub(crate) const LADDER: [Rung; 6] = [
    Rung::Exact,
    Rung::TrailingBlanks,
    Rung::Indent,
    Rung::Blanks,
    Rung::Punctuation,
    Rung::BlankLines,
];

/// Returns all matches of a block on the first of `rungs` that has any.
pub(crate) fn climb(
    index: &Index<'_>,
    body: &Body,
    rungs: &[Rung],
) -> Option<(Rung, Rc<Vec<Match>>)> {
    let mut hopeless = None;
    rungs.iter().find_map(|&rung| {
        if rung > Rung::Exact && *hopeless.get_or_insert_with(|| is_hopeless(index, &body.preimage))
        {
            return None;
        }
        let matches = on_rung(index, body, rung);
        (!matches.is_empty()).then_some((rung, matches))
    })
}

/// Returns true if a line of the block is not in the file even on the loosest of these rungs: then the block matches on none of
/// them, and the file need not be indexed for the others.
fn is_hopeless(index: &Index<'_>, preimage: &[String]) -> bool {
    if !preimage.iter().all(|line| index.words().has_all(line)) {
        return true;
    }
    let loosest = index.folded(Rung::Punctuation);
    let stands =
        |line: &String| is_blank(line) || loosest.count(&fold(Rung::Punctuation, line)) > 0;
    !preimage.iter().all(stands)
}

/// Returns all matches of a block on one rung.
pub(crate) fn on_rung(index: &Index<'_>, body: &Body, rung: Rung) -> Rc<Vec<Match>> {
    let preimage = &body.preimage;
    if rung == Rung::Punctuation && index.is_ascii() && preimage.iter().all(|line| line.is_ascii())
    {
        return Rc::default();
    }
    // Blank lines around a removal show its place if nothing else does; then the file must have them.
    if rung == Rung::BlankLines && !Script::of(body).has_solid_context(preimage) {
        return Rc::default();
    }
    let places = || index.places(rung, preimage).into_iter();
    match rung {
        Rung::Indent => {
            let is_shifted = |found: &Match| {
                let pairs = indent_pairs(body, found, index.document);
                Shift::explaining(&pairs, &[], index.unit()).is_some()
            };
            Rc::new(places().map(Match::straight).filter(is_shifted).collect())
        }
        Rung::BlankLines => Rc::new(
            places()
                .filter(|lines| has_blank_edges(index.document, lines, preimage))
                .map(|lines| with_blank_edges(index.document, &lines, preimage))
                .map(|lines| Match::but_for_blank_lines(index.document, lines, preimage))
                .collect(),
        ),
        Rung::Exact | Rung::TrailingBlanks | Rung::Blanks | Rung::Punctuation | Rung::Similar => {
            index.matches(rung, preimage)
        }
    }
}

/// Returns true if the file has a blank line beside the place, or begins or ends there, wherever the block begins or ends with a
/// blank line: blank lines may be missing inside the block, not around it.
fn has_blank_edges(document: &Document, lines: &Range<LineIdx>, preimage: &[String]) -> bool {
    let blank = |line: Option<&String>| line.is_some_and(|line| is_blank(line));
    let before = lines
        .start
        .checked_sub(1)
        .is_none_or(|idx| is_blank(document.line(idx)));
    let after = lines.end >= document.len() || is_blank(document.line(lines.end));
    (!blank(preimage.first()) || before) && (!blank(preimage.last()) || after)
}

/// Returns a place with the blank lines around it that the block has at its edges, as far as the file has them.
fn with_blank_edges(
    document: &Document,
    lines: &Range<LineIdx>,
    preimage: &[String],
) -> Range<LineIdx> {
    let blank = |line: &&String| is_blank(line);
    let (led, trailed) = (
        preimage.iter().take_while(blank).count(),
        preimage.iter().rev().take_while(blank).count(),
    );
    let is_blank_at = |idx: &LineIdx| is_blank(document.line(*idx));
    let above = (0..lines.start).rev().take(led).take_while(is_blank_at);
    let below = (lines.end..document.len()).take(trailed);
    let below = below.take_while(is_blank_at);
    lines.start - above.count()..lines.end + below.count()
}
