//! Files have changed on disk, and the proposal was placed anew.

use super::super::action::Effect;
use super::super::app::{App, Tone};
use super::super::beside::Placed;
use super::super::command::Matching;
use super::{changed, model};
use crate::review::{Direction, ReviewSession, TakenUp};

/// The loosest precision, the closest and a step between them, in hundredths.
const LOOSEST: u8 = 80;
const CLOSEST: u8 = 100;
const STEP: u8 = 5;

/// Has everything placed anew with another precision; what comes of it is shown when it is there.
pub(super) fn match_by(app: &mut App, matching: Matching) -> Effect {
    let file = app.file();
    let mut of_call = file.and_then(|file| app.session.call_of(file));
    let precision = match &mut of_call {
        Some(call) => call.precision.as_mut(),
        None => app.precision.as_mut(),
    };
    let Some(precision) = precision else {
        let why = match (of_call, &app.idle) {
            (None, Some(_)) => "no edit here that could be placed anew",
            (Some(_), _) | (None, None) => "nothing is placed here, so there is no match precision",
        };
        app.say(Tone::Refused, why);
        return Effect::None;
    };
    let now = *precision;
    // One that is set between two steps goes to the next step.
    let next = match matching {
        Matching::Looser => (now.saturating_sub(1) / STEP * STEP).max(LOOSEST),
        Matching::Closer => ((now / STEP + 1) * STEP).min(CLOSEST),
    };
    if next == now {
        app.say(Tone::Refused, format!("{} already", shown(now)));
        return Effect::None;
    }
    *precision = next;
    let call = of_call.map(|of_call| of_call.call.number);
    app.say(Tone::Done, format!("{}: placing anew", shown(next)));
    Effect::Match {
        call,
        percent: next,
    }
}

fn shown(percent: u8) -> String {
    format!("match precision is {:.2}", f64::from(percent) / 100.0)
}

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
        placed.precision = placed.precision.or(older.precision);
    }
    app.placed = Some(placed);
}

/// Shows it as soon as it disturbs nothing: an edit, a selection, a line being filled in, a question or the last dialog comes
/// first.
pub(super) fn settle(app: &mut App) {
    if app.mode.is_busy() {
        return;
    }
    if let Some(placed) = app.placed.take() {
        if app.summaries.unread > 0 {
            open(app, placed);
        } else {
            replace(app, placed.session, &placed.changed, placed.precision);
        }
    }
    changed::settle(app);
    model::settle(app);
}

/// Shows what was shown in outline. Nothing was decided in it, so nothing is taken over; the cursor stays, or goes to where
/// an earlier review left off if it was not moved.
fn open(app: &mut App, placed: Placed) {
    let unmoved = match app.summaries.next_undecided(None, Direction::Forward) {
        Some(first) => app.stream.hunk() == Some(first),
        None => app.stream.cursor == 0,
    };
    let before = std::mem::replace(&mut app.session, placed.session);
    app.replaced(&before);
    app.has_changed();
    if let Some(id) = app.summaries.next_undecided(None, Direction::Forward)
        && unmoved
        && app.stream.hunk() != Some(id)
    {
        app.go_to_hunk(id);
    }
    if let Some(notice) = placed.notice {
        app.say(Tone::Refused, notice);
    }
}

/// What is said of accepted hunks that are no longer as they were accepted.
pub(super) fn reopened(lost: usize) -> Option<String> {
    match lost {
        0 => None,
        1 => Some("1 accepted hunk is undecided again".to_owned()),
        n => Some(format!("{n} accepted hunks are undecided again")),
    }
}

fn replace(app: &mut App, mut session: ReviewSession, changed: &[String], precision: Option<u8>) {
    let TakenUp { lost, .. } = session.carry_over(&app.session);
    let before = std::mem::replace(&mut app.session, session);
    app.replaced(&before);
    let (names, verb) = match changed {
        [one] => (one.clone(), "has"),
        [first, rest @ ..] => (format!("{first} and {} more", rest.len()), "have"),
        [] => ("a file".to_owned(), "has"),
    };
    let reopened = reopened(lost.len()).unwrap_or_else(|| "no decision touched".to_owned());
    if let (Some(percent), []) = (precision, changed) {
        let attention = app.session.counts().attention;
        let told = format!(
            "{}: {reopened}, {attention} without a place",
            shown(percent)
        );
        return app.say(Tone::Done, told);
    }
    let told = format!("{names} {verb} changed on disk and the edits are placed anew: {reopened}");
    app.say(Tone::Refused, told);
}
