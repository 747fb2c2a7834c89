//! The lines that were moved: looked for beside the review, and what is known of them while it is looked for again.

use crate::review::{ChangedLines, HunkId, LineId, Moved, MovedCount, ReviewSession, Side};
use crate::text::LineNo;

/// The lines that were moved.
#[derive(Debug, Default)]
pub struct MovedLines {
    moved: Moved,
    /// The number of the lines as they are: another whenever any of them is another.
    now: u64,
    /// For which of them it was looked last.
    known: Option<u64>,
    /// True while a search is running.
    asked: bool,
}

impl MovedLines {
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
            Some(file) => self.moved.forget(file),
            None => self.moved = Moved::default(),
        }
    }

    /// Returns the lines to search and the revision for the answer; `None` if nothing changed or a search is
    /// running.
    pub fn wanted(&mut self, session: &ReviewSession) -> Option<(u64, ChangedLines)> {
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
            self.moved = moved;
        }
    }

    /// Describes the other end of a moved line.
    pub fn words(&self, session: &ReviewSession, line: LineId, side: Side) -> Option<String> {
        let (hunk, at) = self.moved.of(line, side)?;
        let path = &session.files.get(hunk.file)?.path;
        let other = session.hunk(hunk)?;
        let name = if hunk.file == line.0.file {
            String::new()
        } else {
            format!("{path}, ")
        };
        Some(match side {
            Side::New | Side::Both => {
                let line = LineNo::from_idx(other.state.lines.get(at)?.at);
                format!("moved from {name}line {line}")
            }
            Side::Old => {
                let review = session.files.get(hunk.file)?;
                let (number, _) = review.number_of(hunk.hunk);
                format!("moved to {name}hunk {number}")
            }
        })
    }
}
