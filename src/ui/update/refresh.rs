//! The proposal was placed again, as files have changed on disk or another precision was asked for: that is shown when it disturbs
//! nothing.

use super::match_threshold::{exempt_words, precision_words};
use crate::review::{Direction, ReviewSession, TakenUp};
use crate::text::plural;
use crate::ui::command::{ByHand, Command};
use crate::ui::services::background::Placed;
use crate::ui::state::app::{App, Tone};

/// Takes note of what was placed, unless something newer is known.
pub(crate) fn take(app: &mut App, mut placed: Placed) {
    let newest = app.placed.as_ref().map_or(&app.session, |at| &at.session);
    if placed.session.placing <= newest.placing {
        return;
    }
    if let Some(older) = app.placed.take() {
        let unnamed = |name: &String| !placed.changed.contains(name);
        let more: Vec<String> = older.changed.into_iter().filter(unnamed).collect();
        placed.changed.extend(more);
        placed.precision = placed.precision.or(older.precision);
    }
    app.placed = Some(placed);
}

/// Shows what was placed.
pub(crate) fn settle(app: &mut App) {
    if let Some(placed) = app.placed.take() {
        if app.summaries.unread > 0 {
            open(app, placed);
        } else {
            replace(app, placed.session, &placed.changed, placed.precision);
        }
    }
}

/// Shows what was shown in outline. Nothing was decided in it, so nothing is taken over; the cursor stays, or goes to where
/// an earlier review left off if it was not moved.
fn open(app: &mut App, placed: Placed) {
    let unmoved = match app.next_undecided(None, Direction::Forward) {
        Some(first) => app.stream.hunk() == Some(first),
        None => app.stream.cursor == 0,
    };
    let before = std::mem::replace(&mut app.session, placed.session);
    app.session_replaced(&before);
    app.has_changed();
    if let Some(id) = app.next_undecided(None, Direction::Forward)
        && unmoved
        && app.stream.hunk() != Some(id)
    {
        app.go_to_hunk(id);
    }
    if let Some(notice) = placed.notice {
        app.notify(Tone::Refused, notice);
    }
}

/// Reports accepted hunks that are undecided again because they changed.
pub(crate) fn reopened(lost: usize) -> Option<String> {
    match lost {
        0 => None,
        1 => Some("1 accepted hunk is undecided again".to_owned()),
        n => Some(format!("{n} accepted hunks are undecided again")),
    }
}

/// Reports edits that were made for lines which have changed since, and the key that places them.
fn edits_kept(app: &App, kept: &[(String, usize)]) -> Option<String> {
    let place = app.key(Command::Place(ByHand::Begin));
    match kept {
        [] => None,
        [(_, hunk)] => Some(format!(
            "your edit of hunk {hunk} is kept: {place} places it"
        )),
        more => Some(format!(
            "{} are kept: {place} places each",
            plural(more.len(), "edit")
        )),
    }
}

fn replace(app: &mut App, mut session: ReviewSession, changed: &[String], precision: Option<u8>) {
    let TakenUp {
        lost, kept_edits, ..
    } = session.carry_over(&app.session);
    let before = std::mem::replace(&mut app.session, session);
    app.session_replaced(&before);
    let (names, verb) = match changed {
        [one] => (one.clone(), "has"),
        [first, rest @ ..] => (format!("{first} and {} more", rest.len()), "have"),
        [] => ("a file".to_owned(), "has"),
    };
    let words: Vec<String> = (edits_kept(app, &kept_edits).into_iter())
        .chain(reopened(lost.len()))
        .collect();
    let reopened = if words.is_empty() {
        "no decision changed".to_owned()
    } else {
        words.join("; ")
    };
    if let (Some(percent), []) = (precision, changed) {
        let unplaced = app.session.unplaced();
        let told = format!(
            "{}: {reopened}, {unplaced} without a place{}",
            precision_words(percent),
            exempt_words(&app.session, percent)
        );
        return app.notify(Tone::Done, told);
    }
    let told = if kept_edits.is_empty() {
        format!("{names} {verb} changed on disk and the edits are placed again: {reopened}")
    } else {
        format!("{names} {verb} changed on disk: {reopened}")
    };
    app.notify(Tone::Refused, told);
}
