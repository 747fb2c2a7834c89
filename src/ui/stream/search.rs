//! Search over everything that is under review, folded lines included.

use std::ops::Range;

use regex::Regex;

use super::match_count::MatchCount;
use super::stops::{folded_changes, folded_lines, is_match};
use crate::review::{Direction, HunkId, ReviewSession, Row, Rows};
use crate::text::LineIdx;
use crate::ui::pattern::matches_in;

/// Last search.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The pattern.
    pub pattern: Option<Regex>,
    /// Number of matches, once counted.
    tally: Option<MatchCount>,
    /// The fold that was opened for the match of what is being typed.
    pub opened: Option<OpenedFold>,
}

/// Fold that a search opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenedFold {
    /// Unchanged lines of a file.
    Lines {
        /// The file.
        file: usize,
        /// The lines.
        lines: Range<LineIdx>,
    },
    /// Changed lines of a hunk.
    Changed {
        /// The hunk.
        id: HunkId,
        /// Positions among the hunk's changed lines.
        lines: Range<usize>,
    },
}

/// Position of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchPosition {
    /// In a row.
    Row(usize),
    /// In a line that is folded away, at this position of the base.
    Folded {
        /// The file.
        file: usize,
        /// The line.
        line: LineIdx,
    },
    /// In a changed line that is folded away.
    FoldedChange {
        /// The hunk.
        id: HunkId,
        /// The position of the line among the hunk's changed lines.
        line: usize,
    },
}

impl Search {
    /// Searches for something else, or for nothing.
    pub fn seek(&mut self, pattern: Option<Regex>) {
        self.pattern = pattern;
        self.tally = None;
    }

    /// Takes note that lines are others now.
    pub fn recount(&mut self) {
        self.tally = None;
    }

    /// Counts the stops, unless that is done and the row of the cursor is among them.
    pub fn count(&mut self, session: &ReviewSession, rows: &Rows, row: Option<Row>) {
        let is_counted = (self.tally.as_ref()).is_some_and(|tally| !tally.lacks(row));
        if let (Some(pattern), false) = (&self.pattern, is_counted) {
            self.tally = Some(MatchCount::new(session, rows, pattern));
        }
    }

    /// Returns the rank of a row among the stops, as text.
    pub fn words(&self, row: Option<Row>) -> Option<String> {
        self.tally.as_ref()?.words(row)
    }

    /// Returns the matches in a line.
    pub fn matches(&self, line: &str) -> Vec<Range<usize>> {
        let Some(pattern) = &self.pattern else {
            return Vec::new();
        };
        matches_in(pattern, line)
    }

    /// The nearest match: forward from the row `from` itself, backward from the row before it; then from the other end.
    pub fn find(
        &self,
        session: &ReviewSession,
        rows: &Rows,
        from: usize,
        direction: Direction,
    ) -> Option<MatchPosition> {
        let pattern = self.pattern.as_ref()?;
        let from = from.min(rows.len());
        let (near, far) = match direction {
            Direction::Forward => (from..rows.len(), 0..from),
            Direction::Backward => (0..from, from..rows.len()),
        };
        [near, far].into_iter().find_map(|range| {
            let mut found = None;
            let idx = rows.find(range, direction == Direction::Backward, |row| {
                found = find_in(session, rows, row, pattern, direction);
                found.is_some()
            })?;
            Some(match (found, rows.get(idx)) {
                (Some(RowMatch::Folded(line)), Some(Row::FoldedChange { id, .. })) => {
                    MatchPosition::FoldedChange { id, line }
                }
                (Some(RowMatch::Folded(line)), Some(row)) => MatchPosition::Folded {
                    file: row.file(),
                    line,
                },
                (Some(_) | None, _) => MatchPosition::Row(idx),
            })
        })
    }
}

/// Match in one row; of a fold, its line.
enum RowMatch {
    Shown,
    Folded(usize),
}

fn find_in(
    session: &ReviewSession,
    rows: &Rows,
    row: Row,
    pattern: &Regex,
    direction: Direction,
) -> Option<RowMatch> {
    if let Row::Fold { file, start, end } = row {
        let lines = folded_lines(session, file, start..end, pattern);
        nearest(lines, direction).map(RowMatch::Folded)
    } else if let Row::FoldedChange {
        id,
        start,
        end,
        side,
        ..
    } = row
    {
        let lines = folded_changes(session, id, start..end, side, pattern);
        nearest(lines, direction).map(RowMatch::Folded)
    } else {
        is_match(session, rows, row, pattern).then_some(RowMatch::Shown)
    }
}

/// Returns the first of some lines in a direction.
fn nearest(
    mut lines: impl DoubleEndedIterator<Item = usize>,
    direction: Direction,
) -> Option<usize> {
    match direction {
        Direction::Forward => lines.next(),
        Direction::Backward => lines.next_back(),
    }
}
