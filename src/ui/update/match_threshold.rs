//! Having everything placed again with another precision.

use crate::review::ReviewSession;
use crate::text::plural;
use crate::ui::action::Effect;
use crate::ui::command::Matching;
use crate::ui::state::app::{App, Tone};

/// The loosest precision, the closest and a step between them, in hundredths.
const LOOSEST: u8 = 80;
const CLOSEST: u8 = 100;
const STEP: u8 = 5;

/// Changes the match threshold; the refreshed session arrives later.
pub(crate) fn match_by(app: &mut App, matching: Matching) -> Effect {
    let file = app.file();
    let mut of_call = file.and_then(|file| app.session.call_of(file));
    let precision = match &mut of_call {
        Some(call) => call.precision.as_mut(),
        None => app.precision.as_mut(),
    };
    let Some(precision) = precision else {
        let why = match (of_call, &app.empty_state) {
            (None, Some(_)) => "no edit here that can be placed again",
            (Some(_), _) | (None, None) => "nothing is placed here, so there is no match threshold",
        };
        app.notify(Tone::Refused, why);
        return Effect::None;
    };
    let now = *precision;
    // One that is set between two steps goes to the next step.
    let next = match matching {
        Matching::Looser => (now.saturating_sub(1) / STEP * STEP).max(LOOSEST),
        Matching::Closer => ((now / STEP + 1) * STEP).min(CLOSEST),
    };
    if next == now {
        app.notify(Tone::Refused, format!("{} already", precision_words(now)));
        return Effect::None;
    }
    *precision = next;
    let call = of_call.map(|of_call| of_call.call.number);
    let at = app.session.history_len();
    app.thresholds.record(call, now, at);
    place_again(app, call, next)
}

/// Places everything again with a threshold, with a message.
fn place_again(app: &mut App, call: Option<u64>, percent: u8) -> Effect {
    app.notify(
        Tone::Done,
        format!("{}: placing again", precision_words(percent)),
    );
    Effect::Match { call, percent }
}

/// Takes back a change of the threshold, if that was the last step.
pub(crate) fn undo(app: &mut App) -> Option<Effect> {
    let at = app.session.history_len();
    let mut thresholds = std::mem::take(&mut app.thresholds);
    let step = thresholds.undo(at, |call| now(app, call));
    app.thresholds = thresholds;
    set(app, step?)
}

/// Makes a change of the threshold again, if that was undone last.
pub(crate) fn redo(app: &mut App) -> Option<Effect> {
    let at = app.session.history_len();
    let mut thresholds = std::mem::take(&mut app.thresholds);
    let step = thresholds.redo(at, |call| now(app, call));
    app.thresholds = thresholds;
    set(app, step?)
}

/// Returns the present threshold: of a call, or of the review.
fn now(app: &App, call: Option<u64>) -> Option<u8> {
    let Some(number) = call else {
        return app.precision;
    };
    let mut calls = app.session.calls.iter();
    calls.find(|of| of.call.number == number)?.precision
}

/// Sets a threshold, and has everything placed again.
fn set(app: &mut App, (call, percent): (Option<u64>, u8)) -> Option<Effect> {
    let precision = match call {
        Some(number) => {
            let mut calls = app.session.calls.iter_mut();
            calls
                .find(|of| of.call.number == number)?
                .precision
                .as_mut()
        }
        None => app.precision.as_mut(),
    };
    *precision? = percent;
    Some(place_again(app, call, percent))
}

/// Explains which hunks the closest threshold leaves in their places; nothing for another one, or if there are none.
pub(crate) fn exempt_words(session: &ReviewSession, percent: u8) -> String {
    let exempt = session
        .hunks()
        .filter(|(_, hunk)| hunk.differs_in_blanks())
        .count();
    if percent < CLOSEST || exempt == 0 {
        return String::new();
    }
    let keeps = if exempt == 1 {
        "keeps its place"
    } else {
        "keep their places"
    };
    let hunks = plural(exempt, "hunk");
    format!(
        "; {hunks} that differ in blanks, indentation, blank lines or punctuation alone {keeps}"
    )
}

/// Formats a threshold given in hundredths.
pub(crate) fn precision_words(percent: u8) -> String {
    format!("match threshold is {:.2}", f64::from(percent) / 100.0)
}
