//! Number of lines that match a search, and the rank of the current one.
//!
//! Positions are stored by file and line, so that they stay valid when folds or layout change. Counting stops
//! after [`BUDGET`].

use std::time::{Duration, Instant};

use regex::Regex;

use crate::review::{FileReview, ReviewSession, Row};
use crate::text::LineIdx;

/// The longest that counting takes.
const BUDGET: Duration = Duration::from_millis(20);

/// The lines that a search finds.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchCount {
    /// Positions in the order of the stream.
    places: Vec<LinePosition>,
    /// Rank of each file in the stream.
    ranks: Vec<usize>,
    /// True if counting stopped early.
    more: bool,
}

/// A line: rank of its file, base line, part, and position in the hunk.
type LinePosition = (usize, LineIdx, LineKind, usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LineKind {
    Changed,
    Context,
}

impl MatchCount {
    /// Counts the lines of a session that match.
    pub(crate) fn new(session: &ReviewSession, order: &[usize], pattern: &Regex) -> Self {
        let begun = Instant::now();
        let mut found = Self {
            ranks: vec![0; session.files.len()],
            ..Self::default()
        };
        for (rank, &file) in order.iter().enumerate() {
            found.ranks[file] = rank;
        }
        for (at, &file) in order.iter().enumerate() {
            let file = &session.files[file];
            if begun.elapsed() > BUDGET {
                found.more = true;
                break;
            }
            found.count(at, file, pattern);
        }
        found
    }

    fn count(&mut self, at: usize, file: &FileReview, pattern: &Regex) {
        let mut done = 0;
        for group in &file.groups {
            self.context(at, file, done..group.base.start, pattern);
            let lines = &file.hunks[group.hunk].state.lines;
            for line in group.lines.clone() {
                let old = lines[line].removes && pattern.is_match(file.base.line(lines[line].at));
                let new = lines[line]
                    .adds
                    .as_deref()
                    .is_some_and(|new| pattern.is_match(new));
                if old || new {
                    self.places
                        .push((at, lines[line].at, LineKind::Changed, line));
                }
            }
            done = group.base.end;
        }
        self.context(at, file, done..file.base.len(), pattern);
    }

    /// The lines of a stretch that stays.
    fn context(
        &mut self,
        at: usize,
        file: &FileReview,
        lines: std::ops::Range<LineIdx>,
        pattern: &Regex,
    ) {
        if lines.is_empty() || !pattern.is_match(file.base.raw_lines(lines.clone())) {
            return;
        }
        let found = lines.filter(|&line| pattern.is_match(file.base.line(line)));
        self.places
            .extend(found.map(|line| (at, line, LineKind::Context, 0)));
    }

    /// Returns the rank of a row and the number of matching lines, or `None` without a match.
    pub(crate) fn words(&self, row: Option<Row>, session: &ReviewSession) -> Option<String> {
        let all = self.places.len();
        if all == 0 {
            return None;
        }
        let more = if self.more { "+" } else { "" };
        let here = row.and_then(|row| self.position_of(row, session));
        let rank = here.and_then(|here| self.places.binary_search(&here).ok());
        Some(match rank {
            Some(rank) => format!("{} of {all}{more}", rank + 1),
            None => format!("{all}{more} found"),
        })
    }

    fn position_of(&self, row: Row, session: &ReviewSession) -> Option<LinePosition> {
        let rank = *self.ranks.get(row.file())?;
        if let Row::Context { old, .. } = row {
            return Some((rank, old, LineKind::Context, 0));
        }
        let Row::Change { id, line, .. } = row else {
            return None;
        };
        let at = session.hunk(id)?.state.lines.get(line)?.at;
        Some((rank, at, LineKind::Changed, line))
    }
}
