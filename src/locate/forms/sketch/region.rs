//! Regions of the file that the stretches of a sketch replace.
//!
//! A region begins with the stretch's first line and ends with its last. Of all such regions the best one removes and adds no
//! more lines than any other, and fewer in all. Brackets alone would match anywhere, so the region must share with the stretch
//! a line, or a few in a row, that the file has once; and lines of the stretch that the file has once must be in the region. No
//! line is removed that begins the scope of a line that stays, because a sketch leaves out whole statements.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::stretch::Stretch;
use crate::locate::matching::index::Index;
use crate::locate::matching::normalize::{fold, has_word, is_blank};
use crate::locate::placement::{Place, Rung, Unplaced};
use crate::text::{LineIdx, LineNo, columns, indent_of};

/// Maximum number of regions of one stretch that are compared.
const MAX_REGIONS: usize = 64;
/// Maximum length of a region, in lines: a multiple of the stretch, and some lines that are only removed.
const STRETCHES: usize = 4;
const MAX_REMOVED: usize = 400;
/// Tab width. Any width will do to compare indentations in one file.
const TAB: usize = 4;

/// The lines of the file that a stretch replaces.
#[derive(Debug, Clone)]
pub(super) struct Region {
    pub(super) lines: Range<LineIdx>,
    /// The lines of the stretch that stay, and the file lines that they are paired with.
    pub(super) pairs: Vec<(usize, LineIdx)>,
    /// The number of removed lines, and of added lines, without blank ones.
    removed: usize,
    added: usize,
}

impl Region {
    fn cost(&self) -> usize {
        self.removed + self.added
    }

    /// Returns true if no line is removed, or the file has the edges of the region once: the first line, and the last one too
    /// if more lines are removed than added.
    pub(super) fn is_held(&self, index: &Index<'_>, rung: Rung, stretch: &Stretch<'_>) -> bool {
        let is_single = |line: Option<&String>| {
            line.is_some_and(|line| index.folded(rung).count(&fold(rung, line)) == 1)
        };
        let begins = stretch.edges.0 || is_single(stretch.lines.first());
        let ends = stretch.edges.1 || is_single(stretch.lines.last());
        self.removed == 0 || (begins && (ends || self.removed <= self.added))
    }

    /// Returns true if this region excludes another: it removes and adds no more lines, and at least two fewer in all.
    fn is_preferred_to(&self, other: &Self) -> bool {
        self.removed <= other.removed
            && self.added <= other.added
            && self.cost() + 2 <= other.cost()
    }
}

/// Returns the region of a stretch within some lines of the file.
pub(super) fn region(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    within: &Range<LineIdx>,
) -> Result<Region, Unplaced> {
    let spans = spans(index, rung, stretch, within);
    if spans.len() > MAX_REGIONS {
        return Err(ambiguous(rung, &spans));
    }
    let mut regions: Vec<Region> = spans
        .into_iter()
        .filter_map(|span| aligned(index, rung, stretch, span))
        .collect();
    regions.sort_by_key(|region| (region.cost(), region.lines.len()));
    let Some(best) = regions.first() else {
        return Err(Unplaced::NotFound {
            nearest: Vec::new(),
        });
    };
    if !regions[1..].iter().all(|other| best.is_preferred_to(other)) {
        let spans: Vec<_> = regions.into_iter().map(|region| region.lines).collect();
        return Err(ambiguous(rung, &spans));
    }
    if stretch.edges != (true, true) && !is_known(index, rung, stretch, best) {
        return Err(Unplaced::NotFound {
            nearest: Vec::new(),
        });
    }
    Ok(best.clone())
}

/// Returns the ranges of file lines that could be the region of a stretch, by its first and last line.
fn spans(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    within: &Range<LineIdx>,
) -> Vec<Range<LineIdx>> {
    let (Some(first), Some(last)) = (stretch.lines.first(), stretch.lines.last()) else {
        return Vec::new();
    };
    let standing = |line: &String| -> Vec<LineIdx> {
        let look = fold(rung, line);
        let places = index.folded(rung).lines_like(&look);
        places.filter(|line| within.contains(line)).collect()
    };
    let document = index.document;
    let blank = |line: &LineIdx| is_blank(document.line(*line));
    let starts = if stretch.edges.0 {
        let start = within.clone().find(|line| !blank(line));
        start.filter(|_| within.start == 0).into_iter().collect()
    } else {
        let starts = standing(first);
        if starts.is_empty() {
            changed_starts(index, rung, stretch, within)
        } else {
            starts
        }
    };
    let ends = if stretch.edges.1 {
        let end = within.clone().rev().find(|line| !blank(line));
        end.filter(|_| within.end == document.len())
            .into_iter()
            .collect()
    } else {
        let ends = standing(last);
        if ends.is_empty() {
            changed_ends(index, rung, stretch, within)
        } else {
            ends
        }
    };
    let longest = if stretch.edges == (false, false) {
        stretch.lines.len() * STRETCHES + MAX_REMOVED
    } else {
        usize::MAX
    };
    let mut spans = Vec::new();
    for &start in &starts {
        let first = ends.partition_point(|&end| end < start);
        let near = ends[first..]
            .iter()
            .take_while(|&&end| end - start < longest);
        spans.extend(near.map(|&end| start..end + 1).take(MAX_REGIONS + 1));
        if spans.len() > MAX_REGIONS {
            break;
        }
    }
    spans
}

/// Maximum number of lines at the edge of a stretch that may be changed.
const MAX_CHANGED: usize = 3;
/// Minimum similarity of a changed line to the file's line, in `0..=1`.
const MIN_SIMILARITY: f64 = 0.5;

/// Returns the last lines of those blocks of the file whose last lines the stretch changes, one by one, with a blank line or
/// the end of the file after them.
fn changed_ends(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    within: &Range<LineIdx>,
) -> Vec<LineIdx> {
    let document = index.document;
    let stands = |line: &&String| index.folded(rung).count(&fold(rung, line)) > 0;
    let changed = stretch
        .lines
        .iter()
        .rev()
        .take_while(|line| !stands(line))
        .count();
    let Some(anchor) = stretch.lines.len().checked_sub(changed + 1) else {
        return Vec::new();
    };
    if changed > MAX_CHANGED {
        return Vec::new();
    }
    let own = &stretch.lines[anchor + 1..];
    let look = fold(rung, &stretch.lines[anchor]);
    let places = index.folded(rung).lines_like(&look);
    places
        .filter(|line| within.contains(line) && line + changed < within.end)
        .filter(|line| {
            (own.iter().zip(line + 1..)).all(|(own, at)| is_changed(own, document.line(at)))
        })
        .map(|line| line + changed)
        .filter(|&end| end + 1 >= document.len() || is_blank(document.line(end + 1)))
        .collect()
}

/// Returns the first lines of those blocks of the file whose first lines the stretch changes, one by one.
fn changed_starts(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    within: &Range<LineIdx>,
) -> Vec<LineIdx> {
    let document = index.document;
    let stands = |line: &&String| index.folded(rung).count(&fold(rung, line)) > 0;
    let changed = stretch
        .lines
        .iter()
        .take_while(|line| !stands(line))
        .count();
    let Some(anchor) = stretch
        .lines
        .get(changed)
        .filter(|_| changed <= MAX_CHANGED)
    else {
        return Vec::new();
    };
    let look = fold(rung, anchor);
    let places = index.folded(rung).lines_like(&look);
    places
        .filter(|line| within.contains(line))
        .filter_map(|line| line.checked_sub(changed))
        .filter(|start| *start >= within.start)
        .filter(|start| {
            (stretch.lines[..changed].iter().zip(*start..))
                .all(|(own, at)| is_changed(own, document.line(at)))
        })
        .filter(|&start| start == 0 || is_blank(document.line(start - 1)))
        .collect()
}

/// Returns true if one line is another version of the other: equally indented, and mostly the same.
fn is_changed(own: &str, file: &str) -> bool {
    !is_blank(own)
        && indent_of(own) == indent_of(file)
        && strsim::normalized_levenshtein(own.trim(), file.trim()) >= MIN_SIMILARITY
}

/// Aligns a stretch with a range of the file, edge to edge. `None` if that fails, if a removed line encloses one that stays, or
/// if the file has an added line once already.
fn aligned(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    span: Range<LineIdx>,
) -> Option<Region> {
    let document = index.document;
    // The edges stay, even if their lines could be paired with others.
    let stays = |own: Option<&String>, file: LineIdx| {
        own.is_some_and(|own| fold(rung, own) == fold(rung, document.line(file)))
    };
    let head = usize::from(!stretch.edges.0 && stays(stretch.lines.first(), span.start));
    let tail = usize::from(!stretch.edges.1 && stays(stretch.lines.last(), span.end - 1));
    let own = head..stretch.lines.len().checked_sub(tail)?;
    let file = span.start + head..span.end - tail;
    let is_one = span.len() == 1 && stretch.lines.len() == 1;
    if !is_one && (own.start > own.end || file.start > file.end) {
        return None;
    }
    let mut pairs = Vec::new();
    let mut differing = Vec::new();
    if is_one {
        pairs.push((0, span.start));
    } else {
        pairs.extend((head == 1).then_some((0, span.start)));
        let olds: Vec<_> = file
            .clone()
            .map(|line| fold(rung, document.line(line)))
            .collect();
        let news: Vec<_> = stretch.lines[own.clone()]
            .iter()
            .map(|line| fold(rung, line))
            .collect();
        for step in capture_diff_slices(Algorithm::Myers, &olds, &news) {
            let (removed, added) = (step.old_range(), step.new_range());
            let removed = file.start + removed.start..file.start + removed.end;
            let added = own.start + added.start..own.start + added.end;
            if step.tag() == DiffTag::Equal {
                pairs.extend(added.zip(removed));
            } else {
                differing.push((removed, added));
            }
        }
        pairs.extend((tail == 1).then_some((own.end, file.end)));
    }
    let solid_file = |lines: &Range<LineIdx>| {
        lines
            .clone()
            .filter(|&line| !is_blank(document.line(line)))
            .count()
    };
    let solid_own = |lines: &Range<usize>| {
        stretch.lines[lines.clone()]
            .iter()
            .filter(|line| !is_blank(line))
            .count()
    };
    let region = Region {
        removed: differing
            .iter()
            .map(|(removed, _)| solid_file(removed))
            .sum(),
        added: differing.iter().map(|(_, added)| solid_own(added)).sum(),
        lines: span,
        pairs,
    };
    let keeps = |step: &Differing| keeps_enclosing(index, stretch, &region, step);
    let comes_anew = |line: &usize| {
        let line = &stretch.lines[*line];
        !has_word(line) || index.folded(rung).count(&fold(rung, line)) != 1
    };
    let all_new = differing
        .iter()
        .flat_map(|(_, added)| added.clone())
        .all(|line| comes_anew(&line));
    (all_new && differing.iter().all(keeps)).then_some(region)
}

/// Removed lines of the file, and added lines of the stretch.
type Differing = (Range<LineIdx>, Range<usize>);

/// Returns true if the line after a difference keeps its scope: no removed line is indented less than it, unless an added one
/// is too.
fn keeps_enclosing(
    index: &Index<'_>,
    stretch: &Stretch<'_>,
    region: &Region,
    (removed, added): &Differing,
) -> bool {
    let document = index.document;
    let is_next =
        |(own, file): &&(usize, LineIdx)| *own >= added.end && !is_blank(document.line(*file));
    let Some(&(own, file)) = region.pairs.iter().find(is_next) else {
        return true;
    };
    // The asterisk of a comment is one column further in than the code.
    let level = |line: &str| {
        let indent = indent_of(line);
        let aside = isize::from(line[indent.len()..].starts_with('*'));
        columns(indent, TAB).cast_signed() - aside
    };
    let beside = |line: &str, next: &str| (!is_blank(line)).then(|| level(line) - level(next));
    // A directive is at the margin in every scope.
    let removed = removed
        .clone()
        .map(|line| document.line(line))
        .filter(|line| !line.starts_with('#'));
    let removed = removed
        .filter_map(|line| beside(line, document.line(file)))
        .min();
    let added = stretch.lines[added.clone()].iter();
    let added = added
        .filter_map(|line| beside(line, &stretch.lines[own]))
        .min();
    removed.unwrap_or(0) >= added.unwrap_or(0).min(0)
}

/// Returns true if lines that stay, one or a few in a row, occur nowhere else in the file.
fn is_known(index: &Index<'_>, rung: Rung, stretch: &Stretch<'_>, region: &Region) -> bool {
    let together = region
        .pairs
        .chunk_by(|a, b| a.0 + 1 == b.0 && a.1 + 1 == b.1);
    together
        .map(|run| &stretch.lines[run[0].0..=run[run.len() - 1].0])
        .any(|run| {
            let tells = run.iter().any(|line| has_word(line));
            tells && index.places(rung, run).len() == 1
        })
}

/// Returns the ambiguity of several ranges: their first lines, or their last lines if all begin in one place.
fn ambiguous(rung: Rung, spans: &[Range<LineIdx>]) -> Unplaced {
    let sorted = |lines: Vec<LineIdx>| lines.into_iter().collect::<BTreeSet<_>>();
    let starts = sorted(spans.iter().map(|span| span.start).collect());
    let ends = sorted(spans.iter().map(|span| span.end - 1).collect());
    let lines = if starts.len() > 1 { starts } else { ends };
    let place = |line: LineIdx| Place {
        line: LineNo::from_idx(line),
        scope: None,
    };
    Unplaced::Ambiguous {
        count: lines.len(),
        places: lines.into_iter().map(place).collect(),
        rung,
    }
}
