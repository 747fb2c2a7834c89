//! Files have changed on disk, and the proposal was placed anew.

use super::super::app::{App, Tone};
use super::super::beside::Placed;
use super::changed;
use crate::review::{ReviewSession, TakenUp};

/// Takes note of it, unless something newer is known.
pub(super) fn take(app: &mut App, mut placed: Placed) {
    let newest = app.placed.as_ref().map_or(&app.session, |at| &at.session);
    if placed.session.placing <= newest.placing {
        return;
    }
    if let Some(older) = app.placed.take() {
        let unnamed = |name: &String| !placed.changed.contains(name);
        let more: Vec<String> = older.changed.into_iter().filter(unnamed).collect();
        placed.changed.extend(more);
    }
    app.placed = Some(placed);
}

/// Shows it as soon as it disturbs nothing: an edit, a selection, a line being filled in, a question or the last dialog comes
/// first.
pub(super) fn settle(app: &mut App) {
    if app.mode.is_busy() {
        return;
    }
    if let Some(Placed { session, changed }) = app.placed.take() {
        replace(app, session, &changed);
    }
    changed::settle(app);
}

fn replace(app: &mut App, mut session: ReviewSession, changed: &[String]) {
    let TakenUp { lost, .. } = session.carry_over(&app.session);
    let before = std::mem::replace(&mut app.session, session);
    app.replaced(&before);
    let (names, verb) = match changed {
        [one] => (one.clone(), "has"),
        [first, rest @ ..] => (format!("{first} and {} more", rest.len()), "have"),
        [] => ("a file".to_owned(), "has"),
    };
    let reopened = match lost.len() {
        0 => "no decision touched".to_owned(),
        1 => "1 accepted hunk is undecided again".to_owned(),
        n => format!("{n} accepted hunks are undecided again"),
    };
    let told = format!("{names} {verb} changed on disk and the edits are placed anew: {reopened}");
    app.say(Tone::Refused, told);
}
