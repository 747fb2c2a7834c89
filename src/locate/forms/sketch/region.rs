//! Regions of the file that the stretches of a sketch replace.
//!
//! What stays and what is lost decides between the [spans](super::spans) that are possible, in bits. A line that stays counts what
//! it would cost to add it once more; a removed line counts the part of its information that no added line has. No line is removed
//! that begins the scope of a line that stays, because a sketch leaves out whole statements.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::similar_lines::{ONCE, compared};
use super::stretch::Stretch;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_cost::Pairing;
use crate::locate::matching::normalize::{fold, has_word, is_blank};
use crate::locate::placement::{Doubt, Rung, Unplaced};
use crate::text::{LineIdx, columns, indent_of};

/// Differences that are too small to tell two regions apart, in bits, and those that are none.
const MARGIN: f64 = 6.0;
const NONE: f64 = 0.5;
/// Cost of adding a line that the file has several times: code repeats what is repeated already.
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
pub(super) enum Edges {
    /// Lines of the stretch, or similar lines whose names and depth it keeps.
    Kept,
    /// Similar to lines of the stretch that leave out a name of theirs or are at another depth: they may belong to something else.
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

    /// Returns true if it is possible instead of the best one: its score is nearly as high, or it loses less.
    fn rivals(&self, best: &Self) -> bool {
        best.score() - self.score() < MARGIN || best.lost - self.lost >= MARGIN
    }
}

/// The search for the region of a stretch.
pub(super) struct RegionSearch<'s, 'd> {
    pub(super) index: &'s Index<'d>,
    pub(super) rung: Rung,
    pub(super) stretch: &'s Stretch<'s>,
    pub(super) pairing: Pairing<'s>,
}

impl<'s, 'd> RegionSearch<'s, 'd> {
    pub(super) fn new(index: &'s Index<'d>, rung: Rung, stretch: &'s Stretch<'s>) -> Self {
        let own = stretch.lines.iter().map(String::as_str);
        Self {
            index,
            rung,
            stretch,
            pairing: Pairing::new(index.document, index.words(), own),
        }
    }

    /// Returns the likeliest region within some lines of the file. `removed` has the cost of removing each line of the file.
    pub(super) fn region(
        &self,
        removed: &[f64],
        within: &Range<LineIdx>,
    ) -> Result<Region, Unplaced> {
        let mut regions: Vec<Region> = self.regions(removed, within).collect();
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
            return Err(ambiguous(self.rung, equal.map(|region| &region.lines)));
        }
        // Lines that nothing replaces are more often those of another place than ones that the sketch removes.
        let replaces = best.pairs.len() < self.stretch.lines.len();
        let is_only = regions.is_empty() && best.edges == Edges::Kept && replaces;
        let doubt = if best.edges == Edges::Missing {
            Some(Doubt::Foreign)
        } else if best.edges == Edges::Similar {
            Some(Doubt::Words)
        } else if regions.iter().any(|other| other.rivals(&best)) {
            Some(Doubt::Rival)
        } else if best.score() < 0.0 && !is_only {
            Some(Doubt::Lines)
        } else {
            None
        };
        Ok(Region { doubt, ..best })
    }

    /// Returns true if another region within these lines is a rival of this one.
    pub(super) fn has_rival(
        &self,
        region: &Region,
        removed: &[f64],
        within: &Range<LineIdx>,
    ) -> bool {
        self.regions(removed, within).any(|other| {
            let is_apart =
                other.lines.end <= region.lines.start || region.lines.end <= other.lines.start;
            is_apart && other.is_telling && other.rivals(region)
        })
    }

    fn regions(&self, removed: &[f64], within: &Range<LineIdx>) -> impl Iterator<Item = Region> {
        let spans = self.spans(removed, within).into_iter();
        spans.filter_map(|(span, edges)| self.aligned(span, edges))
    }

    /// Aligns a stretch with a range of the file, edge to edge. `None` if that fails, or if a removed line encloses one that stays.
    fn aligned(&self, span: Range<LineIdx>, edges: Edges) -> Option<Region> {
        let (stretch, rung, document) = (self.stretch, self.rung, self.index.document);
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
        let kept = stays.map(|line| self.weight(line)).sum();
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
            let sum = compared(&self.pairing, removed, added);
            region.kept += sum.kept;
            region.lost += sum.lost;
        }
        self.keeps_enclosing(&region).then_some(region)
    }

    /// Returns the cost of adding a line that the file has once more, in bits.
    pub(super) fn weight(&self, line: &str) -> f64 {
        let count = || self.index.folded(self.rung).count(&fold(self.rung, line));
        if is_blank(line) {
            0.0
        } else if has_word(line) && count() == 1 {
            ONCE
        } else {
            REPEATED
        }
    }

    /// Returns true if every line that stays keeps its scope: no line that is removed before it, after the one that stays above it,
    /// is indented less than it, unless an added one is too. Blank lines bound no scope.
    fn keeps_enclosing(&self, region: &Region) -> bool {
        let (stretch, document) = (self.stretch, self.index.document);
        // The asterisk of a comment is one column further in than the code.
        let level = |line: &str| {
            let indent = indent_of(line);
            let aside = isize::from(line[indent.len()..].starts_with('*'));
            columns(indent, TAB).cast_signed() - aside
        };
        let beside = |line: &str, next: &str| (!is_blank(line)).then(|| level(line) - level(next));
        let (mut above, mut start) = (0, region.lines.start);
        let solid = region
            .pairs
            .iter()
            .filter(|(_, file)| !is_blank(document.line(*file)));
        for &(own, file) in solid {
            // A directive is at the margin in every scope.
            let removed = (start..file)
                .map(|line| document.line(line))
                .filter(|line| !line.starts_with('#'));
            let removed = removed
                .filter_map(|line| beside(line, document.line(file)))
                .min();
            let added = stretch.lines[above..own].iter();
            let added = added
                .filter_map(|line| beside(line, &stretch.lines[own]))
                .min();
            if removed.unwrap_or(0) < added.unwrap_or(0).min(0) {
                return false;
            }
            (above, start) = (own + 1, file + 1);
        }
        true
    }
}

/// Returns the ambiguity of several ranges: their first lines, or their last lines if all begin in one place.
fn ambiguous<'r>(rung: Rung, spans: impl Iterator<Item = &'r Range<LineIdx>> + Clone) -> Unplaced {
    let starts: BTreeSet<LineIdx> = spans.clone().map(|span| span.start).collect();
    let ends: BTreeSet<LineIdx> = spans.map(|span| span.end - 1).collect();
    let lines = if starts.len() > 1 { starts } else { ends };
    Unplaced::ambiguous(rung, lines)
}
