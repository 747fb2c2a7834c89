//! Search over everything that is under review, folded lines included.

use std::ops::Range;

use regex::Regex;

use super::match_count::MatchCount;
use super::texts;
use crate::review::{Direction, HunkId, ReviewSession, Row, Rows, Side, notes, said_of};
use crate::text::LineIdx;
use crate::ui::pattern::matches_in;

/// Last search.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The pattern.
    pub pattern: Option<Regex>,
    /// Number of matching lines, once counted.
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

    /// Counts the lines that are found, unless that is done.
    pub fn count(&mut self, session: &ReviewSession, order: &[usize]) {
        if let (Some(pattern), None) = (&self.pattern, &self.tally) {
            self.tally = Some(MatchCount::new(session, order, pattern));
        }
    }

    /// Returns the rank of a row among the matching lines, as text.
    pub fn words(&self, row: Option<Row>, session: &ReviewSession) -> Option<String> {
        self.tally.as_ref()?.words(row, session)
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
                found = find_in(session, row, pattern, direction);
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
    row: Row,
    pattern: &Regex,
    direction: Direction,
) -> Option<RowMatch> {
    let review = &session.files[row.file()];
    let shown = |hit: bool| hit.then_some(RowMatch::Shown);
    match row {
        Row::File { .. } => shown(pattern.is_match(&review.path)),
        Row::Note { hunk, line, .. } => {
            let notes = notes(review, hunk);
            shown(
                notes
                    .get(line)
                    .is_some_and(|note| pattern.is_match(&note.text)),
            )
        }
        Row::Context { .. } | Row::Change { .. } => {
            let (old, new) = texts(session, row);
            let is_match = |text: Option<&str>| text.is_some_and(|text| pattern.is_match(text));
            let new = if matches!(row, Row::Context { .. }) {
                None
            } else {
                new
            };
            shown(is_match(old) || is_match(new))
        }
        Row::Fold { start, end, .. } => {
            let text = review.base.raw_lines(start..end);
            let found = match direction {
                Direction::Forward => pattern.find(text),
                Direction::Backward => pattern.find_iter(text).last(),
            }?;
            let above = memchr::memchr_iter(b'\n', &text.as_bytes()[..found.start()]).count();
            Some(RowMatch::Folded((start + above).min(end - 1)))
        }
        Row::FoldedChange {
            id,
            start,
            end,
            side,
            ..
        } => {
            let sides: &[Side] = match side {
                Side::Old => &[Side::Old],
                Side::New => &[Side::New],
                Side::Both => &[Side::Old, Side::New],
            };
            let is_match = |line: &usize| {
                let mut texts =
                    (sides.iter()).filter_map(|side| session.line_text((id, *line), *side));
                texts.any(|text| pattern.is_match(text))
            };
            let found = match direction {
                Direction::Forward => (start..end).find(is_match),
                Direction::Backward => (start..end).rev().find(is_match),
            };
            found.map(RowMatch::Folded)
        }
        Row::Comment { file, about, line } => {
            let said = said_of(session, file, about).and_then(|said| said.lines().nth(line));
            shown(said.is_some_and(|said| pattern.is_match(said)))
        }
        Row::Problem { problem, line, .. } => {
            let problem = session.problems.get(problem)?;
            shown(match line.checked_sub(1) {
                None => pattern.is_match(&problem.to_string()),
                Some(line) => (problem.text.get(line)).is_some_and(|line| pattern.is_match(line)),
            })
        }
        Row::Hunk { .. } | Row::Elsewhere { .. } | Row::Purpose { .. } | Row::Gap { .. } => None,
    }
}
