//! Lines that hunks with a known place occupy.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::text::LineIdx;

/// The lines that placed hunks change and that applied hunks have left, and the offsets of both.
#[derive(Debug, Default)]
pub(crate) struct Occupied {
    /// First line → line after the last, of the lines that are changed.
    changed: BTreeMap<LineIdx, LineIdx>,
    /// The range from the first to the last line of each hunk, by its position.
    of_hunk: BTreeMap<usize, Range<LineIdx>>,
    /// The offsets of the lines above and below each hunk that no line number placed, by its line number. They differ if the hunk
    /// is applied already: its own change has moved the lines below it.
    offsets: BTreeMap<LineIdx, (isize, isize)>,
}

impl Occupied {
    /// Records the lines of a hunk that is applied already.
    pub(crate) fn keep(&mut self, hunk: usize, lines: &[Range<LineIdx>]) {
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            self.of_hunk.insert(hunk, first.start..last.end);
        }
    }

    /// Records the lines that a placed hunk changes.
    pub(crate) fn take(&mut self, hunk: usize, lines: &[Range<LineIdx>]) {
        self.keep(hunk, lines);
        for lines in lines {
            let end = self.changed.entry(lines.start).or_insert(lines.end);
            *end = lines.end.max(*end);
        }
    }

    /// Records the offset of a hunk from the line that it names, and the number of lines by which it has made the file longer.
    pub(crate) fn correct(&mut self, hint: LineIdx, start: LineIdx, grown: isize) {
        let offset = start.cast_signed() - hint.cast_signed();
        self.offsets.insert(hint, (offset, offset + grown));
    }

    /// Returns true if a placed hunk changes any of these lines, or inserts where one of these ranges inserts.
    pub(crate) fn holds(&self, lines: &[Range<LineIdx>]) -> bool {
        lines.iter().any(|lines| {
            let before = self.changed.range(..=lines.start).next_back();
            let inside = self
                .changed
                .range(lines.start..lines.end.max(lines.start + 1))
                .next();
            before.is_some_and(|(&start, &end)| {
                if lines.is_empty() && start == lines.start {
                    end == start
                } else {
                    end > lines.start
                }
            }) || inside.is_some_and(|(&start, &end)| !lines.is_empty() && end > start)
        })
    }

    /// Returns the lines between the known hunks before and after a hunk.
    pub(crate) fn bounds(&self, hunk: usize) -> Range<LineIdx> {
        let before = self.of_hunk.range(..hunk).next_back();
        let after = self.of_hunk.range(hunk + 1..).next();
        let start = before.map_or(0, |(_, lines)| lines.end);
        let end = after.map_or(usize::MAX, |(_, lines)| lines.start);
        start..end
    }

    /// Returns the lines that a line number may refer to: corrected by the offset of the hunk before and by that of the one
    /// after.
    pub(crate) fn targets(&self, hint: LineIdx) -> Vec<LineIdx> {
        let before = self.offsets.range(..hint).next_back();
        let after = self.offsets.range(hint + 1..).next();
        let offsets = before
            .map(|(_, (_, below))| below)
            .into_iter()
            .chain(after.map(|(_, (above, _))| above));
        let targets: Vec<LineIdx> = offsets
            .map(|offset| hint.saturating_add_signed(*offset))
            .collect();
        if targets.is_empty() {
            vec![hint]
        } else {
            targets
        }
    }
}
