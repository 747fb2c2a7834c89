//! The lines that were moved: looked for beside the review, and what is known of them while it is looked for again.

use std::sync::Arc;

use crate::review::{ChangedLines, HunkId, LineId, Moved, MovedCount, ReviewSession, Side};
use crate::text::{LineNo, sanitize_name};

/// The lines that were moved.
#[derive(Debug, Default)]
pub struct MovedLines {
    moved: Arc<Moved>,
    /// The number of the lines as they are: another whenever any of them is another.
    now: u64,
    /// For which of them it was looked last.
    known: Option<u64>,
    /// True while a search is running.
    asked: bool,
}

impl MovedLines {
    /// The moved lines, as far as they are known.
    pub fn known(&self) -> &Arc<Moved> {
        &self.moved
    }

    /// Returns true if one side of a changed line is moved.
    pub fn is_moved(&self, line: LineId, side: Side) -> bool {
        self.moved.of(line, side).is_some()
    }

    /// Counts the moved lines of a hunk.
    pub fn count(&self, hunk: HunkId) -> MovedCount {
        self.moved.count(hunk)
    }

    /// Takes note that lines of a file are others, or of any file.
    pub fn changed(&mut self, file: Option<usize>) {
        self.now += 1;
        match file {
            Some(file) => Arc::make_mut(&mut self.moved).forget(file),
            None => self.moved = Arc::default(),
        }
    }

    /// Returns the lines to search and the revision for the answer; `None` if nothing changed or a search is
    /// running.
    pub fn next_search(&mut self, session: &ReviewSession) -> Option<(u64, ChangedLines)> {
        if self.asked || self.known == Some(self.now) {
            return None;
        }
        self.asked = true;
        Some((self.now, ChangedLines::of(session)))
    }

    /// Takes what was found, unless lines are others since.
    pub fn take(&mut self, number: u64, moved: Moved) {
        self.asked = false;
        if number == self.now {
            self.known = Some(number);
            self.moved = Arc::new(moved);
        }
    }

    /// Describes the other end of a moved line, and what it is there if it was changed inside of a moved block.
    pub fn words(&self, session: &ReviewSession, line: LineId, side: Side) -> Option<String> {
        if let Some(end) = self.moved.of(line, side) {
            return end_words(session, line, end, side);
        }
        let end = self.moved.edited(line, side)?;
        let words = end_words(session, line, end, side)?;
        let text = session.line_text(end, side.opposite())?.trim();
        Some(format!("{words} and changed: `{text}` there"))
    }
}

/// Describes the other end of one side of a line.
fn end_words(session: &ReviewSession, line: LineId, end: LineId, side: Side) -> Option<String> {
    let (hunk, at) = end;
    let review = session.files.get(hunk.file)?;
    let other = session.hunk(hunk)?;
    let name = if hunk.file == line.0.file {
        String::new()
    } else {
        format!("{}, ", sanitize_name(&review.path))
    };
    Some(match side {
        Side::New | Side::Both => {
            let line = LineNo::from_idx(other.state.lines.get(at)?.at);
            format!("moved from {name}line {line}")
        }
        Side::Old => {
            let (number, _) = review.number_of(hunk.hunk);
            format!("moved to {name}hunk {number}")
        }
    })
}
