//! Hunks without a preimage: placed by an anchor, a line number or the end of the file.

use crate::locate::matching::anchor;
use crate::locate::matching::index::Index;
use crate::locate::matching::normalize::has_word;
use crate::locate::placement::{
    Change, Chosen, Confidence, Doubt, Location, Placement, Rung, Unplaced,
};
use crate::proposal::{AnchorStrength, Extent, Hunk};
use crate::text::{Document, LineIdx, LineNo};

/// Places a pure insertion: after the line that its anchors name, at its line number, or at the end of the file if the edit
/// requires that or the file is empty. Without any of these it is not placed; the end of the file is never a fallback.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk) -> Location {
    let len = index.document.len();
    let stated = hunk
        .anchors
        .iter()
        .any(|anchor| anchor.strength == AnchorStrength::Stated);
    let anchors = if stated { hunk.anchors.as_slice() } else { &[] };
    let anchored = anchor::lines(index, anchors);
    let hinted = hunk.hint.map(LineNo::idx).filter(|&idx| idx <= len);
    let (point, chosen) = match (anchored.as_slice(), hinted) {
        (&[line], _) => (line + 1, Some(Chosen::Anchor)),
        (&[], _) if hunk.at_end || len == 0 => (len, None),
        (&[], Some(idx)) => (idx, Some(Chosen::Hint)),
        (&[], None) => return Location::Unplaced(Unplaced::Nowhere),
        (lines, _) => {
            let lines = lines.iter().copied();
            return Location::Unplaced(Unplaced::ambiguous(Rung::Exact, lines));
        }
    };
    let existing = existing_result(index, hunk, point);
    // A single line may have been there before.
    let words = hunk.body.postimage.iter().filter(|line| has_word(line));
    let is_telling = words.count() > 1;
    if let Some(at) = existing.filter(|_| is_telling) {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(at),
        };
    }
    let mut change = Change {
        lines: point..point,
        with: hunk.body.postimage.clone(),
    };
    // More lines may have been written below the text since it was appended.
    let is_elsewhere =
        hunk.at_end && is_telling && !(index.places(Rung::Exact, &hunk.body.postimage)).is_empty();
    let mut doubt = (existing.is_some() || is_elsewhere).then_some(Doubt::Done);
    if hunk.at_end && is_rewrite(index, &hunk.body.postimage) {
        doubt = doubt.or(Some(Doubt::Repeats));
    }
    if hunk.extent == Extent::Text && !index.document.has_final_newline() {
        doubt = doubt.or(continue_line(index.document, &mut change));
    }
    Location::Placed(Placement {
        doubt,
        confidence: match chosen {
            _ if doubt.is_some() => Confidence::Doubtful,
            Some(Chosen::Hint) if hunk.extent == Extent::Insertion => Confidence::Safe,
            Some(_) => Confidence::Hinted,
            None => Confidence::Exact,
        },
        offset: hunk
            .hint
            .map(|hint| point.cast_signed() - hint.idx().cast_signed()),
        chosen,
        ..Placement::exact(change.lines.clone(), vec![change])
    })
}

/// Makes a change at the end of a file begin in its last line, which has no end. Returns a doubt if the change has text for that
/// line.
fn continue_line(document: &Document, change: &mut Change) -> Option<Doubt> {
    let last = change.lines.start.checked_sub(1)?;
    let first = change.with.first_mut()?;
    let doubt = (!first.is_empty()).then_some(Doubt::Joins);
    first.insert_str(0, document.line(last));
    change.lines.start = last;
    doubt
}

/// Returns true if a file has more than half of the telling lines of a text: the text is another version of the file, and it
/// would be doubled. A line that the file has more than once tells nothing.
fn is_rewrite(index: &Index<'_>, text: &[String]) -> bool {
    let file = index.folded(Rung::Exact);
    let counts: Vec<usize> = (text.iter().filter(|line| has_word(line)))
        .map(|line| file.count(line))
        .collect();
    let there = counts.iter().filter(|count| **count == 1).count();
    let new = counts.iter().filter(|count| **count == 0).count();
    there > 1 && there > new
}

/// Returns the line where the file has the postimage already, directly after or before the point.
fn existing_result(index: &Index<'_>, hunk: &Hunk, point: LineIdx) -> Option<LineIdx> {
    let lines = &hunk.body.postimage;
    [Some(point), point.checked_sub(lines.len())]
        .into_iter()
        .flatten()
        .find(|&start| index.document.has_lines(start, lines))
}
