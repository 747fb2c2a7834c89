//! Folds of moved lines: of a block that is the same at its other end, only the first and the last line are shown, so that what
//! differs inside of it meets the eye.

use std::ops::Range;

use super::entry::LineEntry;
use crate::review::session::hunk::Side;
use crate::review::session::review_session::ReviewSession;
use crate::review::view::moved_lines::{LineId, Moved};

/// The least number of moved lines worth folding.
const LEAST: usize = 3;

/// Returns the entries to fold, as ranges of their positions. `ends` holds the other end of each moved line that may be folded.
pub(super) fn folds(
    session: &ReviewSession,
    entries: &[LineEntry],
    ends: &[Option<LineId>],
) -> Vec<Range<usize>> {
    let mut folds = Vec::new();
    let mut start = 0;
    while start < entries.len() {
        let side = entries[start].side;
        let further = (start + 1..entries.len()).take_while(|&at| {
            let both = ends[at - 1].zip(ends[at]);
            entries[at].side == side && both.is_some_and(|both| are_adjacent(session, both, side))
        });
        let end = start + 1 + further.count();
        if end - start >= LEAST + 2 {
            folds.push(start + 1..end - 1);
        }
        start = end;
    }
    folds
}

/// Returns true if two lines at the other end follow each other on their side.
fn are_adjacent(session: &ReviewSession, (above, below): (LineId, LineId), side: Side) -> bool {
    let other = side.opposite();
    let lines = session.hunk(above.0).map(|hunk| &hunk.state.lines);
    let between = lines.and_then(|lines| lines.get(above.1 + 1..below.1));
    above.0 == below.0 && between.is_some_and(|lines| !lines.iter().any(|line| line.has(other)))
}

/// Returns the other end of an entry of a hunk that shows one moved side, if the same text is there, with the same indentation.
pub(super) fn other_end(
    session: &ReviewSession,
    moved: &Moved,
    line: LineId,
    side: Side,
) -> Option<LineId> {
    if side == Side::Both {
        return None;
    }
    let end = moved.of(line, side)?;
    let here = session.line_text(line, side)?;
    let there = session.line_text(end, side.opposite())?;
    (here == there).then_some(end)
}
