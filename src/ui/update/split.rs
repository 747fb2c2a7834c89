//! Splitting the hunk of the cursor.

use std::sync::Arc;

use crate::review::{HunkReview, Row};
use crate::ui::command::Command;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::unplaced_help;

/// Splits the hunk at the cursor: in front of a changed line, or at the unchanged lines that the cursor is in. On its head,
/// at its first unchanged lines.
pub(crate) fn split(app: &mut App) {
    let Some(id) = app.stream.hunk() else {
        return app.notify(Tone::Refused, unplaced_help::no_hunk(app));
    };
    if let Some(why) = unplaced_help::words(app, id) {
        return app.notify(Tone::Refused, why);
    }
    let line = match app.stream.row() {
        Some(Row::Change { line, .. }) => Some(line),
        Some(Row::Context { old, .. }) => first_from(app.session.hunk(id), old),
        Some(_) | None => app
            .session
            .hunk(id)
            .and_then(|hunk| hunk.state.runs().get(1).map(|run| run.start)),
    };
    let before = Arc::clone(app.session.files[id.file].yours());
    match app.session.split(id, line.unwrap_or(usize::MAX)) {
        Ok(second) => {
            app.lines_edited(id.file, 0, &before);
            app.go_to_hunk(second);
            let undo = app.key(Command::Undo);
            let words =
                format!("split in two: each part is decided by itself; {undo} joins them again");
            app.notify(Tone::Done, words);
        }
        Err(why) => app.notify(Tone::Refused, why.to_string()),
    }
}

/// The first changed line of a hunk at or after a base line.
fn first_from(hunk: Option<&HunkReview>, old: usize) -> Option<usize> {
    hunk?.state.lines.iter().position(|line| line.at >= old)
}
