//! Help for a hunk that has no place: the keys that decide about it.

use super::app::App;
use crate::review::{HunkId, Row};
use crate::ui::command::{About, ByHand, Command, DecideAction, Scope};

/// Returns why a hunk has no lines in its file, and the keys that decide about it; `None` for a hunk with a place.
pub(crate) fn words(app: &App, id: HunkId) -> Option<String> {
    let hunk = app.session.hunk(id)?;
    if hunk.is_decidable() {
        return None;
    }
    let comment = app.key(Command::Comment(About::Hunk));
    if !hunk.can_be_dropped() {
        let why = "there is nothing to decide about this hunk";
        return Some(format!("{why}; {comment} comments on it"));
    }
    let reject = app.key(Command::Decide(Scope::Here, DecideAction::Reject));
    if !hunk.can_be_placed() {
        let why = "this hunk cannot be written";
        return Some(format!(
            "{why}: {reject} rejects it, {comment} comments on it"
        ));
    }
    let place = app.key(Command::Place(ByHand::Begin));
    Some(format!(
        "this hunk has no place: {place} places it, {reject} rejects it, {comment} comments on it"
    ))
}

/// Returns the same for the row of the cursor; on a part of the input that could not be read, the keys that work there.
pub(crate) fn here(app: &App) -> Option<String> {
    if let Some(Row::Problem { .. }) = app.stream.row() {
        let copy = app.key(Command::Copy);
        let comment = app.key(Command::Comment(About::Batch));
        return Some(format!(
            "this could not be read: {copy} copies its lines, {comment} comments on the batch"
        ));
    }
    words(app, app.stream.hunk()?)
}

/// Returns the message for a key that needs a hunk, where there is none.
pub(crate) fn no_hunk(app: &App) -> String {
    here(app).unwrap_or_else(|| "no hunk here".to_owned())
}
