//! Ranges of file lines that a stretch of a sketch may replace: from its first line that the file has to its last.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::chain::{FoundLine, chains};
use super::region::{Edges, RegionSearch};
use crate::locate::matching::candidates::align_near;
use crate::locate::matching::normalize::{fold, is_blank};
use crate::locate::matching::words::split;
use crate::locate::placement::Rung;
use crate::text::{LineIdx, indent_of};

/// Maximum number of ranges that are compared.
const MAX_SPANS: usize = 16;
/// Maximum length of a range, in lines: a multiple of the stretch, and some lines that are only removed.
const STRETCHES: usize = 4;
const MAX_REMOVED: usize = 400;
/// Maximum number of places of a line between the edges that is used to find ranges.
const MAX_COMMON: usize = 1000;

impl RegionSearch<'_, '_> {
    /// Returns the likeliest ranges within some lines of the file, and their edges. `removed` has the cost of removing each
    /// line of the file.
    pub(super) fn spans(
        &self,
        removed: &[f64],
        within: &Range<LineIdx>,
    ) -> Vec<(Range<LineIdx>, Edges)> {
        let document = self.index.document;
        let (lines, edges) = (self.stretch.lines, self.stretch.edges);
        if (edges.0 && within.start > 0) || (edges.1 && within.end < document.len()) {
            return Vec::new();
        }
        let is_solid = |line: &LineIdx| !is_blank(document.line(*line));
        let ends = within
            .clone()
            .find(is_solid)
            .zip(within.clone().rev().find(is_solid));
        let Some((first, last)) = ends else {
            return Vec::new();
        };
        let mut rows = self.rows(&(first..last + 1));
        let (Some((head, starts)), Some((tail, ends))) = (rows.first(), rows.last()) else {
            return Vec::new();
        };
        let (head, tail) = (*head, *tail);
        let known = if edges.0 { 0 } else { head }..if edges.1 { lines.len() } else { tail + 1 };
        let longest = lines.len() * STRETCHES + MAX_REMOVED;
        let window = if edges.0 || edges.1 {
            first..last + 1
        } else {
            let (start, end) = (starts.bounds(), ends.bounds());
            start.start.max(end.start.saturating_sub(longest))..end.end.min(start.end + longest)
        };
        for (nth, row) in &mut rows {
            let is_used = *nth == head || *nth == tail || row.at.len() <= MAX_COMMON;
            row.at.retain(|at| is_used && window.contains(at));
            row.at.iter_mut().for_each(|at| *at -= window.start);
        }
        let rows: Vec<FoundLine> = rows.into_iter().map(|(_, row)| row).collect();
        chains(
            &rows,
            removed.get(window.clone()).unwrap_or_default(),
            edges,
        )
        .into_iter()
        .map(|chain| window.start + chain.places.start..window.start + chain.places.end)
        .filter(|span| edges.0 || edges.1 || span.len() < longest)
        .take(MAX_SPANS)
        .filter_map(|span| self.grown(span, &known, within))
        .collect()
    }

    /// Returns the lines of the stretch that are among some lines of the file, by their positions.
    fn rows(&self, within: &Range<LineIdx>) -> Vec<(usize, FoundLine)> {
        let lines = self.stretch.lines.iter().enumerate();
        let solid = lines.filter(|(_, line)| !is_blank(line));
        let rows = solid.map(|(nth, line)| {
            let look = fold(self.rung, line);
            let places = self.index.folded(self.rung).lines_like(&look);
            let inside = places.filter(|line| within.contains(line));
            let at: Vec<usize> = inside.collect();
            let bits = self.weight(line);
            (nth, FoundLine { bits, at })
        });
        rows.filter(|(_, row)| !row.at.is_empty()).collect()
    }

    /// Extends a range to the lines that the edges of the stretch change: only the lines `known` of the stretch are in the file.
    /// `None` if the file has neither edge.
    fn grown(
        &self,
        span: Range<LineIdx>,
        known: &Range<usize>,
        within: &Range<LineIdx>,
    ) -> Option<(Range<LineIdx>, Edges)> {
        let partners = |own: Range<usize>, at: LineIdx| {
            let lines: Vec<usize> = own.collect();
            align_near(&self.pairing, &lines, at).map_or_else(Vec::new, |found| found.pairs)
        };
        let (head, tail) = (0..known.start, known.end..self.stretch.lines.len());
        let above = partners(head.clone(), span.start.saturating_sub(head.len()));
        let below = partners(tail.clone(), span.end);
        let in_file = |line: Option<&Option<LineIdx>>, lines: Range<LineIdx>| {
            line.copied().flatten().filter(|line| lines.contains(line))
        };
        let start = in_file(above.first(), within.start..span.start);
        let end = in_file(below.last(), span.end..within.end);
        let document = self.index.document;
        let last = self.stretch.lines.len() - 1;
        let is_kept = |own: usize, line: Option<LineIdx>| {
            line.is_none_or(|line| self.is_version(&self.stretch.lines[own], document.line(line)))
        };
        let has_start = head.is_empty() || start.is_some();
        let has_end = tail.is_empty() || end.is_some();
        let edges = match (has_start, has_end) {
            (true, true) if is_kept(0, start) && is_kept(last, end) => Edges::Kept,
            (true, true) => Edges::Similar,
            (false, false) => return None,
            (true, false) | (false, true) => Edges::Missing,
        };
        let lines = start.unwrap_or(span.start)..end.map_or(span.end, |line| line + 1);
        Some((lines, edges))
    }

    /// Returns true if a line may be a version of one of the file: it has all of its names. A line at another depth is a part of
    /// another statement.
    fn is_version(&self, own: &str, line: &str) -> bool {
        let is_as_deep = self.rung == Rung::Indent || indent_of(own) == indent_of(line);
        is_as_deep && has_names(own, line)
    }
}

/// Returns true if a line has all names of another one: its words without the numbers.
pub(super) fn has_names(line: &str, names: &str) -> bool {
    let own: FxHashSet<&str> = split(line).collect();
    let is_name = |word: &&str| word.contains(char::is_alphabetic);
    split(names).filter(is_name).all(|name| own.contains(name))
}
