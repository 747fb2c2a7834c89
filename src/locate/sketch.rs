//! Sketches: the new text of a file with `... existing code ...` for what stays.
//!
//! A stretch between two elisions is placed by its edges: its first lines and its last lines must stand in the file, each
//! in one place only, below the stretch before and above the one after. What stands between the edges is replaced by the
//! stretch. Where a sketch begins or ends without an elision, the file's own edge is the anchor. A stretch with an edge
//! that is not found has no place, and then the whole sketch has none: what it leaves out would be a guess.

use std::ops::Range;

use super::align::Match;
use super::fold::is_blank;
use super::index::Index;
use super::place::{Change, Confidence, Location, Place, Placement, Rung, Unplaced};
use super::script::Script;
use crate::proposal::{Body, Hunk, is_elision};
use crate::text::{LineIdx, LineNo};

/// Lines of an edge that are sought together, to tell it from others like it.
const LONGEST_EDGE: usize = 4;
/// An edge may look other than the file in its indentation and its blanks.
const EDGE: Rung = Rung::Blanks;

/// Places a sketch.
pub(super) fn place(index: &Index<'_>, hunk: &Hunk) -> Location {
    let lines = &hunk.body.postimage;
    let opens = lines
        .iter()
        .find(|line| !is_blank(line))
        .is_some_and(|line| is_elision(line));
    let closes = lines
        .iter()
        .rev()
        .find(|line| !is_blank(line))
        .is_some_and(|line| is_elision(line));
    let stretches: Vec<&[String]> = lines.split(|line| is_elision(line)).map(trimmed).collect();
    let last = stretches.len() - 1;
    let mut after = 0;
    let mut changes = Vec::new();
    for (nth, stretch) in stretches.into_iter().enumerate() {
        if stretch.is_empty() {
            continue;
        }
        let from_start = nth == 0 && !opens;
        let to_end = nth == last && !closes;
        let region = match region(index, stretch, after, from_start, to_end) {
            Ok(region) => region,
            Err(unplaced) => return Location::Unplaced(unplaced),
        };
        after = region.end;
        changes.extend(region_changes(index, region, stretch));
    }
    let (Some(first), Some(end)) = (changes.first(), changes.last()) else {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(0),
        };
    };
    Location::Placed(Placement {
        lines: first.lines.start..end.lines.end,
        rung: EDGE,
        confidence: Confidence::Fuzzy,
        offset: None,
        chosen: None,
        similarity: 1.0,
        forgiven: Vec::new(),
        changes,
    })
}

/// The file's lines that a stretch replaces.
fn region(
    index: &Index<'_>,
    stretch: &[String],
    after: LineIdx,
    from_start: bool,
    to_end: bool,
) -> Result<Range<LineIdx>, Unplaced> {
    let start = if from_start {
        0
    } else {
        edge(index, stretch, after..usize::MAX, Edge::First)?.start
    };
    let end = if to_end {
        index.document.len()
    } else {
        edge(index, stretch, start..usize::MAX, Edge::Last)?.end
    };
    Ok(start..end)
}

/// Which lines of a stretch are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    First,
    Last,
}

/// Where an edge of a stretch stands: by as many of its lines as stand together anywhere, in one place only.
fn edge(
    index: &Index<'_>,
    stretch: &[String],
    within: Range<LineIdx>,
    edge: Edge,
) -> Result<Range<LineIdx>, Unplaced> {
    let longest = stretch.len().min(LONGEST_EDGE);
    let places = (1..=longest).rev().find_map(|len| {
        let lines = match edge {
            Edge::First => &stretch[..len],
            Edge::Last => &stretch[stretch.len() - len..],
        };
        let mut places = index.places(EDGE, lines);
        places.retain(|place| within.start <= place.start && place.end <= within.end);
        (!places.is_empty()).then_some(places)
    });
    match places.as_deref() {
        None => Err(Unplaced::NotFound {
            nearest: Vec::new(),
        }),
        Some([place]) => Ok(place.clone()),
        Some(places) => {
            let place = |place: &Range<LineIdx>| Place {
                line: LineNo::from_idx(place.start),
                scope: None,
            };
            Err(Unplaced::Ambiguous {
                count: places.len(),
                places: places.iter().map(place).collect(),
                rung: EDGE,
            })
        }
    }
}

fn region_changes(index: &Index<'_>, region: Range<LineIdx>, stretch: &[String]) -> Vec<Change> {
    let preimage: Vec<String> = region
        .clone()
        .map(|idx| index.document.line(idx).to_owned())
        .collect();
    let body = Body {
        preimage,
        postimage: stretch.to_vec(),
    };
    Script::of(&body).changes(&body, &Match::straight(region), Rung::Exact, index)
}

/// The lines without blank ones at the edges.
fn trimmed(lines: &[String]) -> &[String] {
    let first = lines
        .iter()
        .position(|line| !is_blank(line))
        .unwrap_or(lines.len());
    let last = lines
        .iter()
        .rposition(|line| !is_blank(line))
        .map_or(first, |last| last + 1);
    &lines[first..last]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::{Extent, InputSpan};
    use crate::text::Document;

    #[track_caller]
    fn check(file: &str, sketch: &str, expected: &str) {
        let lines = |text: &str| text.split('|').map(str::to_owned).collect();
        let document = Document::from_text(file.replace('|', "\n") + "\n");
        let body = Body {
            preimage: Vec::new(),
            postimage: lines(sketch),
        };
        let hunk = Hunk {
            extent: Extent::Sketch,
            ..Hunk::new(body, InputSpan::of(0..1))
        };
        let shown = match place(&Index::new(&document), &hunk) {
            Location::Placed(placement) => {
                let change = |change: &Change| {
                    format!(
                        "{}-{}:{}",
                        change.lines.start,
                        change.lines.end,
                        change.with.join("|")
                    )
                };
                placement
                    .changes
                    .iter()
                    .map(change)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            Location::AlreadyApplied { .. } => "applied".to_owned(),
            Location::Follows { .. } => "follows".to_owned(),
            Location::Unplaced(Unplaced::Ambiguous { places, .. }) => {
                format!("ambiguous in {}", places.len())
            }
            Location::Unplaced(_) => "not found".to_owned(),
        };
        assert_eq!(shown, expected, "{file:?} {sketch:?}");
    }

    #[test]
    fn a_stretch_is_placed_by_its_edges() {
        let file = "fn a|  1|end a|fn b|  2|end b|fn c|  3|end c";
        check(file, "...|fn b|  20|end b|...", "4-5:  20");
        check(file, "...|fn b|  2|  more|end b|...", "5-5:  more");
        check(file, "fn a|  10|end a|...", "1-2:  10");
        check(file, "...|fn c|  30|end c", "7-8:  30");
        check(
            file,
            "...|fn a|  10|end a|...|fn c|  30|end c|...",
            "1-2:  10 7-8:  30",
        );
        check(
            file,
            "...|fn c|  30|end c|...|fn a|  10|end a|...",
            "not found",
        );
        check(file, "...|fn z|  1|end z|...", "not found");
        check(file, "...|fn b|  2|end b|...", "applied");
        check("x|1|x|2", "...|x|3|x|...", "ambiguous in 2");
    }
}
