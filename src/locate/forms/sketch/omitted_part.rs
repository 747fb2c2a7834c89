//! The part of a file that a sketch leaves out.
//!
//! A sketch shows only some lines. Lines that it adds and that the omitted part has may have moved; then a mark hides that they
//! were removed there. So may a line of it that is beside a changed edge, if an added line has all of its names.

use std::ops::Range;

use super::region::Region;
use super::spans::has_names;
use super::stretch::Stretch;
use crate::locate::matching::index::Index;
use crate::locate::matching::normalize::{has_word, is_blank};
use crate::locate::matching::words::split;
use crate::locate::placement::Rung;
use crate::text::LineIdx;

/// Minimum number of lines with a word in a run of lines that moved, and of words in a line; fewer may be elsewhere by chance.
const RUN: usize = 3;
/// Minimum length of such a run or line, in bytes.
const RUN_BYTES: usize = 40;
/// Maximum number of places of a line that are compared; one with more is common in the file.
const MAX_COMPARED: usize = 16;

/// Returns true if lines that a sketch adds are in a row outside of the regions that it shows.
pub(super) fn has_added_lines(
    index: &Index<'_>,
    added: &[String],
    regions: &[Range<LineIdx>],
) -> bool {
    let is_shown = |place: &Range<LineIdx>| regions.iter().any(|shown| meets(shown, place));
    (0..added.len()).any(|first| {
        telling_run(&added[first..])
            .is_some_and(|run| places_of(index, run).any(|place| !is_shown(&place)))
    })
}

/// Returns true if a stretch changes an edge of its region, and an added line has all names of the omitted line beside that edge.
pub(super) fn has_version_beside(
    index: &Index<'_>,
    stretch: &Stretch<'_>,
    region: &Region,
) -> bool {
    let document = index.document;
    let is_added = |own: usize| !region.pairs.iter().any(|(kept, _)| *kept == own);
    let is_solid = |at: &LineIdx| !is_blank(document.line(*at));
    let last = stretch.lines.len() - 1;
    let above = (0..region.lines.start).rev().find(is_solid);
    let above = above.filter(|_| !stretch.edges.0 && is_added(0));
    let below = (region.lines.end..document.len()).find(is_solid);
    let below = below.filter(|_| !stretch.edges.1 && is_added(last));
    let mut beside = above.into_iter().chain(below);
    beside.any(|at| {
        let line = document.line(at).trim();
        let words = split(line).filter(|word| has_word(word)).count();
        let mut added = (0..=last).filter(|own| is_added(*own));
        words >= RUN
            && line.len() >= RUN_BYTES
            && added.any(|own| has_names(&stretch.lines[own], line))
    })
}

fn meets(one: &Range<LineIdx>, other: &Range<LineIdx>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Returns the shortest run at the start of some lines that is too long to be elsewhere by chance. Its first line has a word.
fn telling_run(lines: &[String]) -> Option<&[String]> {
    lines.first().filter(|line| has_word(line))?;
    let (mut telling, mut bytes) = (0, 0);
    let last = lines.iter().position(|line| {
        telling += usize::from(has_word(line));
        bytes += line.trim().len();
        telling >= RUN && bytes >= RUN_BYTES
    })?;
    Some(&lines[..=last])
}

/// Returns the places of some lines in the file, whatever their indentation is.
fn places_of<'a>(
    index: &'a Index<'_>,
    run: &'a [String],
) -> impl Iterator<Item = Range<LineIdx>> + 'a {
    let document = index.document;
    let starts = (run.first().into_iter())
        .flat_map(|line| index.folded(Rung::Indent).lines_like(line.trim()))
        .take(MAX_COMPARED);
    let is_equal = |at: LineIdx, line: &String| document.line(at).trim() == line.trim();
    starts
        .map(|start| start..start + run.len())
        .filter(move |place| {
            place.end <= document.len()
                && (place.clone().zip(run)).all(|(at, line)| is_equal(at, line))
        })
}
