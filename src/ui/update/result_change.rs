//! Going from change to change in a file as it would be written.

use crate::review::Direction;
use crate::text::LineNo;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::reader::ReaderContent;

/// Goes to the next change of a file that is read, from the line that was gone to last, or from the top if that is not on
/// the screen; `page` is the number of lines there.
pub(crate) fn next_change(app: &mut App, direction: Direction, page: usize) {
    let Some(reader) = &mut app.reader else {
        return;
    };
    let (top, last) = (reader.top, reader.len().saturating_sub(page));
    let ReaderContent::Result(result) = &mut reader.what else {
        return;
    };
    let at = result.at.filter(|at| (top..top + page).contains(at));
    let next = match (direction, at) {
        (Direction::Forward, Some(at)) => result.changes.iter().position(|&line| line > at),
        (Direction::Forward, None) => result.changes.iter().position(|&line| line >= top),
        (Direction::Backward, at) => {
            let from = at.unwrap_or(top);
            result.changes.iter().rposition(|&line| line < from)
        }
    };
    let Some(next) = next else {
        let words = match (result.changes.len(), direction) {
            (0, _) => "no accepted changes in this file",
            (_, Direction::Forward) => "no accepted changes further down",
            (_, Direction::Backward) => "no accepted changes further up",
        };
        return app.notify(Tone::Refused, words);
    };
    let line = result.changes[next];
    let words = format!(
        "change {} of {}, line {}",
        next + 1,
        result.changes.len(),
        LineNo::from_idx(line)
    );
    result.at = Some(line);
    reader.top = line.saturating_sub(page / 3).min(last);
    app.notify(Tone::Done, words);
}
