//! Regions of the file that the stretches of a sketch replace.
//!
//! A region begins with the stretch's first line that the file has and ends with its last. Of all such regions the best one
//! shares the most information with the stretch and loses the least: the [chains](super::chain) of equal lines propose regions,
//! and the words of the other lines decide between those. No line is removed that begins the scope of a line that stays,
//! because a sketch leaves out whole statements.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::chain::{Row, chains};
use super::stretch::Stretch;
use crate::locate::matching::candidates::align_near;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_cost::{EXTRA_LINE, Likeness, Pairing};
use crate::locate::matching::normalize::{fold, has_word, is_blank};
use crate::locate::placement::{Doubt, Place, Rung, Unplaced};
use crate::text::{LineIdx, LineNo, columns, indent_of};

/// Maximum number of regions of one stretch that are compared.
const MAX_REGIONS: usize = 16;
/// Maximum length of a region, in lines: a multiple of the stretch, and some lines that are only removed.
const STRETCHES: usize = 4;
const MAX_REMOVED: usize = 400;
/// Maximum number of places of a line between the edges that is used to find regions.
const MAX_COMMON: usize = 1000;
/// Maximum number of pairs of removed and added lines that are compared.
const MAX_PAIRS: usize = 10_000;
/// Differences that are too small to tell two regions apart, in bits, and those that are none.
const MARGIN: f64 = 6.0;
const NONE: f64 = 0.5;
/// Cost of adding a line that the file has once, and of one that it has several times: code repeats what is repeated already.
const ONCE: f64 = 6.0;
const REPEATED: f64 = 1.5;
/// Tab width. Any width will do to compare indentations in one file.
const TAB: usize = 4;

/// The lines of the file that a stretch replaces.
#[derive(Debug, Clone)]
pub(super) struct Region {
    pub(super) lines: Range<LineIdx>,
    /// The lines of the stretch that stay, and the file lines that they are paired with.
    pub(super) pairs: Vec<(usize, LineIdx)>,
    /// The reason not to write it without asking, if there is one.
    pub(super) doubt: Option<Doubt>,
    /// The cost of adding the lines that stay once more, in bits.
    kept: f64,
    /// The cost of the lines that it removes, in bits.
    lost: f64,
    edges: Edges,
    /// True if a line that the file has once stays, or several others do.
    is_telling: bool,
}

/// The first and the last line of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edges {
    /// Lines of the stretch.
    Equal,
    /// Similar to lines of the stretch, one or both.
    Similar,
    /// One is missing: the stretch would add lines there.
    Missing,
}

impl Region {
    fn contains(&self, other: &Self) -> bool {
        self.lines.start <= other.lines.start && other.lines.end <= self.lines.end
    }

    fn score(&self) -> f64 {
        self.kept - self.lost
    }

    /// Returns true if it is possible instead of the best one: its score is nearly as high, or it keeps more, or it loses less.
    fn rivals(&self, best: &Self) -> bool {
        best.score() - self.score() < MARGIN
            || self.kept - best.kept >= MARGIN
            || best.lost - self.lost >= MARGIN
    }
}

/// Returns the likeliest region of a stretch within some lines of the file.
pub(super) fn region(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    within: &Range<LineIdx>,
) -> Result<Region, Unplaced> {
    let own = stretch.lines.iter().map(String::as_str);
    let pairing = Pairing::new(index.document, index.words(), own);
    let mut regions: Vec<Region> = spans(index, rung, stretch, within)
        .into_iter()
        .filter_map(|(span, edges)| aligned(&pairing, (index, rung), stretch, span, edges))
        .collect();
    regions.sort_by(|a, b| {
        let score = b.score().total_cmp(&a.score());
        score.then(a.lines.len().cmp(&b.lines.len()))
    });
    // Brackets alone are anywhere, but they may be the edge of a smaller region.
    let Some(best) = regions.iter().position(|one| one.is_telling) else {
        return Err(Unplaced::NotFound {
            nearest: Vec::new(),
        });
    };
    let best = regions.remove(best);
    regions.retain(|other| other.is_telling || best.contains(other));
    let is_equal = |other: &&Region| best.score() - other.score() < NONE;
    if regions.iter().any(|other| is_equal(&other)) {
        let equal = regions.iter().filter(is_equal).chain([&best]);
        return Err(ambiguous(rung, equal.map(|region| &region.lines)));
    }
    let is_only = regions.is_empty() && best.edges == Edges::Equal;
    let doubt = if best.edges == Edges::Missing {
        Some(Doubt::Foreign)
    } else if regions.iter().any(|other| other.rivals(&best)) {
        Some(Doubt::Rival)
    } else if best.score() < 0.0 && !is_only {
        Some(Doubt::Lines)
    } else {
        None
    };
    Ok(Region { doubt, ..best })
}

/// Returns the likeliest ranges of file lines, and their edges.
fn spans(
    index: &Index<'_>,
    rung: Rung,
    stretch: &Stretch<'_>,
    within: &Range<LineIdx>,
) -> Vec<(Range<LineIdx>, Edges)> {
    let document = index.document;
    let is_solid = |line: &LineIdx| !is_blank(document.line(*line));
    let (Some(first), Some(last)) = (
        within.clone().find(is_solid),
        within.clone().rev().find(is_solid),
    ) else {
        return Vec::new();
    };
    if (stretch.edges.0 && within.start > 0) || (stretch.edges.1 && within.end < document.len()) {
        return Vec::new();
    }
    let words = index.words();
    let removed: Vec<f64> = (first..=last)
        .map(|line| words.line_bits(line).min(EXTRA_LINE))
        .collect();
    let mut rows: Vec<(usize, Row)> = Vec::new();
    for (nth, line) in stretch.lines.iter().enumerate() {
        if is_blank(line) {
            continue;
        }
        let look = fold(rung, line);
        let at: Vec<LineIdx> = index
            .folded(rung)
            .lines_like(&look)
            .filter(|line| (first..=last).contains(line))
            .map(|line| line - first)
            .collect();
        if !at.is_empty() {
            let bits = weight(index, rung, line);
            rows.push((nth, Row { bits, at }));
        }
    }
    let edges = rows
        .first()
        .map(|row| row.0)
        .zip(rows.last().map(|row| row.0));
    let Some((head, tail)) = edges else {
        return Vec::new();
    };
    rows.retain(|(nth, row)| *nth == head || *nth == tail || row.at.len() <= MAX_COMMON);
    let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    let longest = stretch.lines.len() * STRETCHES + MAX_REMOVED;
    let is_short =
        |places: &Range<usize>| stretch.edges.0 || stretch.edges.1 || places.len() < longest;
    let above = if stretch.edges.0 { 0 } else { head };
    let below = if stretch.edges.1 {
        stretch.lines.len()
    } else {
        tail + 1
    };
    chains(&rows, &removed, stretch.edges)
        .into_iter()
        .map(|chain| chain.places)
        .filter(is_short)
        .take(MAX_REGIONS)
        .filter_map(|places| {
            let span = first + places.start..first + places.end;
            grown(index, stretch, span, above..below, within)
        })
        .collect()
}

/// Extends a range to the lines that the edges of the stretch change: only the lines `known` of the stretch are in the file.
/// `None` if the file has neither edge.
fn grown(
    index: &Index<'_>,
    stretch: &Stretch<'_>,
    span: Range<LineIdx>,
    known: Range<usize>,
    within: &Range<LineIdx>,
) -> Option<(Range<LineIdx>, Edges)> {
    let partners = |own: &[String], at: LineIdx| {
        let texts = own.iter().map(String::as_str);
        let pairing = Pairing::new(index.document, index.words(), texts);
        let lines: Vec<usize> = (0..own.len()).collect();
        align_near(&pairing, &lines, at).map_or_else(Vec::new, |found| found.pairs)
    };
    let (head, tail) = (&stretch.lines[..known.start], &stretch.lines[known.end..]);
    let above = partners(head, span.start.saturating_sub(head.len()));
    let below = partners(tail, span.end);
    let in_file = |line: Option<&Option<LineIdx>>, lines: Range<LineIdx>| {
        line.copied().flatten().filter(|line| lines.contains(line))
    };
    let start = in_file(above.first(), within.start..span.start);
    let end = in_file(below.last(), span.end..within.end);
    let (has_start, has_end) = (
        head.is_empty() || start.is_some(),
        tail.is_empty() || end.is_some(),
    );
    let edges = match (has_start, has_end) {
        (true, true) if head.is_empty() && tail.is_empty() => Edges::Equal,
        (true, true) => Edges::Similar,
        (false, false) => return None,
        _ => Edges::Missing,
    };
    let lines = start.unwrap_or(span.start)..end.map_or(span.end, |line| line + 1);
    Some((lines, edges))
}

/// Aligns a stretch with a range of the file, edge to edge. `None` if that fails, or if a removed line encloses one that stays.
fn aligned(
    pairing: &Pairing<'_>,
    (index, rung): (&Index<'_>, Rung),
    stretch: &Stretch<'_>,
    span: Range<LineIdx>,
    edges: Edges,
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
    let stays = pairs.iter().map(|&(own, _)| &stretch.lines[own]);
    let kept = stays.map(|line| weight(index, rung, line)).sum();
    let mut region = Region {
        doubt: None,
        kept,
        is_telling: kept >= ONCE || stretch.edges == (true, true),
        lost: 0.0,
        edges,
        lines: span,
        pairs,
    };
    for (removed, added) in &differing {
        let sum = compared(pairing, removed, added);
        region.kept += sum.kept;
        region.lost += sum.lost;
    }
    let keeps = |step: &Differing| keeps_enclosing(index, stretch, &region, step);
    differing.iter().all(keeps).then_some(region)
}

/// Returns the cost of adding a line that the file has once more, in bits.
fn weight(index: &Index<'_>, rung: Rung, line: &str) -> f64 {
    if is_blank(line) {
        0.0
    } else if has_word(line) && index.folded(rung).count(&fold(rung, line)) == 1 {
        ONCE
    } else {
        REPEATED
    }
}

/// Bits that removed lines keep and lose.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    kept: f64,
    lost: f64,
}

impl Sum {
    fn plus(self, kept: f64, lost: f64) -> Self {
        Self {
            kept: self.kept + kept,
            lost: self.lost + lost,
        }
    }

    fn or(self, other: Self) -> Self {
        let is_better = other.kept - other.lost > self.kept - self.lost;
        if is_better { other } else { self }
    }
}

/// Pairs removed lines with added ones that are similar, in order, so that the most is kept and the least is lost.
fn compared(pairing: &Pairing<'_>, removed: &Range<LineIdx>, added: &Range<usize>) -> Sum {
    let lost: Vec<f64> = removed.clone().map(|line| pairing.extra(line)).collect();
    // The best sums of the added lines so far and the first removed ones.
    let mut best = vec![Sum::default()];
    for cost in &lost {
        best.push(best[best.len() - 1].plus(0.0, *cost));
    }
    if removed.len() * added.len() <= MAX_PAIRS {
        for own in added.clone() {
            let mut next = vec![best[0]];
            for (nth, at) in removed.clone().enumerate() {
                let mut sum = best[nth + 1].or(next[nth].plus(0.0, lost[nth]));
                let pair = pairing.pair(own, at);
                if pair.likeness != Likeness::Apart {
                    let differs = pair.cost / pairing.lines[own].bits.max(pair.cost).max(1.0);
                    let kept = ONCE * (1.0 - differs);
                    sum = sum.or(best[nth].plus(kept, pair.cost.min(lost[nth])));
                }
                next.push(sum);
            }
            best = next;
        }
    }
    best[removed.len()]
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

/// Returns the ambiguity of several ranges: their first lines, or their last lines if all begin in one place.
fn ambiguous<'r>(rung: Rung, spans: impl Iterator<Item = &'r Range<LineIdx>> + Clone) -> Unplaced {
    let starts: BTreeSet<LineIdx> = spans.clone().map(|span| span.start).collect();
    let ends: BTreeSet<LineIdx> = spans.map(|span| span.end - 1).collect();
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
