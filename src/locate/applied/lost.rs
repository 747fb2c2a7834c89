//! Whether a hunk whose preimage stands nowhere was applied already.

use std::ops::Range;

use super::super::fold::fold;
use super::super::index::Index;
use super::super::ladder::{LADDER, climb};
use super::super::place::Rung;
use super::super::script::Script;
use super::super::similar;
use super::evidence::{
    added_stand, adds_only_blanks, is_certain, moves_only, says_enough, stand_elsewhere,
    stands_reworded, still_stands, tells,
};
use crate::proposal::Body;
use crate::text::LineIdx;

/// Where the postimage of a hunk stands whose preimage stands nowhere; `None` if that is not certain.
///
/// A hunk that adds lines needs one line of context in its postimage, or two added lines that are not blank; it must stand
/// in one place only. One that only removes lines is taken for applied if the lines around the removed ones stand joined.
pub(in super::super) fn postimage_place(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
) -> Option<Range<LineIdx>> {
    if !says_enough(body, script) {
        return None;
    }
    let (rung, matches) = climb(index, &body.reversed(), &LADDER)?;
    if rung == Rung::BlankLines && adds_only_blanks(body, script) {
        return None;
    }
    if rung >= Rung::Indent && moves_only(body) {
        return None;
    }
    let [only] = matches.as_slice() else {
        return None;
    };
    if !tells(body, script) && stand_elsewhere(index, body, script) {
        return None;
    }
    let document = index.document;
    (added_stand(document, body, script, only)
        && is_certain(document, body, script, &only.lines)
        && !still_stands(document, body, script, &only.lines))
    .then(|| only.lines.clone())
}

/// Where the postimage of a hunk stands but for reworded context, when neither half stands anywhere. Every line that the
/// hunk adds must be there, indentation apart.
pub(in super::super) fn similar_place(
    index: &Index<'_>,
    body: &Body,
    script: &Script,
    precision: f64,
) -> Option<Range<LineIdx>> {
    if !says_enough(body, script) || adds_only_blanks(body, script) || moves_only(body) {
        return None;
    }
    let reversed = body.reversed();
    let back = Script::of(&reversed);
    let near = similar::nearest(index, &reversed.preimage);
    let same_line = |a: &str, b: &str| fold(Rung::Indent, a) == fold(Rung::Indent, b);
    let place = similar::sure(index, (&reversed, &back), &near, precision, same_line)?.lines;
    let document = index.document;
    ((!script.only_removes() || !stands_reworded(document, body, script, &place))
        && !still_stands(document, body, script, &place))
    .then_some(place)
}
