//! The ladder: the strictest reading of "stands there" under which a block stands anywhere, and all places on that rung.

use super::align::Match;
use super::indent::Shift;
use super::index::Index;
use super::place::Rung;
use super::script::indent_pairs;
use crate::proposal::Body;

/// The rungs that need no score, strictest first.
pub(super) const LADDER: [Rung; 6] = [
    Rung::Exact,
    Rung::TrailingBlanks,
    Rung::Indent,
    Rung::Blanks,
    Rung::Punctuation,
    Rung::BlankLines,
];

/// All places of a block on the first of `rungs` that has any.
pub(super) fn climb(index: &Index<'_>, body: &Body, rungs: &[Rung]) -> Option<(Rung, Vec<Match>)> {
    rungs.iter().find_map(|&rung| {
        let matches = on_rung(index, body, rung);
        (!matches.is_empty()).then_some((rung, matches))
    })
}

/// All places of a block on one rung.
pub(super) fn on_rung(index: &Index<'_>, body: &Body, rung: Rung) -> Vec<Match> {
    let preimage = &body.preimage;
    if rung == Rung::Punctuation && index.is_ascii() && preimage.iter().all(|line| line.is_ascii())
    {
        return Vec::new();
    }
    let places = index.places(rung, preimage).into_iter();
    match rung {
        Rung::Indent => places
            .map(Match::straight)
            .filter(|found| {
                Shift::explaining(&indent_pairs(body, found, index.document), index.unit())
                    .is_some()
            })
            .collect(),
        Rung::BlankLines => places
            .map(|lines| Match::but_for_blank_lines(index.document, lines, preimage))
            .collect(),
        Rung::Exact | Rung::TrailingBlanks | Rung::Blanks | Rung::Punctuation | Rung::Similar => {
            places.map(Match::straight).collect()
        }
    }
}
