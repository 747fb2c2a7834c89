//! Matches of a preimage: the file line of each preimage line.

use std::ops::Range;

use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::{Forgiven, Rung};
use crate::text::{Document, LineIdx};

/// A range of file lines that matches a preimage.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Match {
    /// The matched file lines.
    pub(crate) lines: Range<LineIdx>,
    /// The file line of each preimage line; `None` for a line that the file lacks.
    pub(crate) pairs: Pairs,
    /// The score of the last rung; 1 on all others.
    pub(crate) similarity: f64,
}

/// The file line of each preimage line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// Consecutive lines from the first matched line on.
    Straight,
    /// A separate file line, or none, for each preimage line.
    Each(Vec<Option<LineIdx>>),
}

impl Match {
    /// Returns a match of consecutive lines.
    pub(crate) fn straight(lines: Range<LineIdx>) -> Self {
        Self {
            lines,
            pairs: Pairs::Straight,
            similarity: 1.0,
        }
    }

    /// Returns a match on the blank-lines rung: non-blank lines are paired one by one; a blank line is paired with a blank line
    /// of the file in the same gap, if one is left.
    pub(crate) fn but_for_blank_lines(
        document: &Document,
        lines: Range<LineIdx>,
        preimage: &[String],
    ) -> Self {
        let mut at = lines.start;
        let pairs = preimage
            .iter()
            .map(|line| {
                if is_blank(line) {
                    let found =
                        Some(at).filter(|&at| at < lines.end && is_blank(document.line(at)));
                    at += usize::from(found.is_some());
                    found
                } else {
                    while at < lines.end && is_blank(document.line(at)) {
                        at += 1;
                    }
                    at += 1;
                    Some(at - 1)
                }
            })
            .collect();
        Self {
            lines,
            pairs: Pairs::Each(pairs),
            similarity: 1.0,
        }
    }

    /// Returns the file line of a preimage line.
    pub(crate) fn line_of(&self, preimage: usize) -> Option<LineIdx> {
        match &self.pairs {
            Pairs::Straight => {
                Some(self.lines.start + preimage).filter(|line| *line < self.lines.end)
            }
            Pairs::Each(pairs) => pairs.get(preimage).copied().flatten(),
        }
    }

    /// Returns the file position for lines inserted before a preimage line: after the previous preimage line, if the file has
    /// it, else before the next one that it has, else after the nearest one above.
    pub(crate) fn point_before(&self, preimage: usize) -> LineIdx {
        let previous = preimage.checked_sub(1).and_then(|line| self.line_of(line));
        let following = || (preimage..self.len()).find_map(|line| self.line_of(line));
        let mut earlier = (0..preimage).rev();
        let earlier = || Some(earlier.find_map(|line| self.line_of(line))? + 1);
        (previous.map(|line| line + 1))
            .or_else(following)
            .or_else(earlier)
            .unwrap_or(self.lines.start)
    }

    fn len(&self) -> usize {
        match &self.pairs {
            Pairs::Straight => self.lines.len(),
            Pairs::Each(pairs) => pairs.len(),
        }
    }

    /// Returns the matched lines that differ from their preimage lines: the differences that the rung forgave.
    pub(crate) fn forgiven(
        &self,
        document: &Document,
        preimage: &[String],
        rung: Rung,
    ) -> Vec<Forgiven> {
        if rung == Rung::Exact {
            return Vec::new();
        }
        preimage
            .iter()
            .enumerate()
            .filter_map(|(i, line)| self.line_of(i).map(|at| (at, line)))
            .filter(|(at, line)| document.line(*at) != line.as_str())
            .map(|(line, preimage)| Forgiven {
                line,
                preimage: preimage.clone(),
            })
            .collect()
    }
}
