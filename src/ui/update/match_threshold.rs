//! Having everything placed again with another precision.

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
    app.notify(
        Tone::Done,
        format!("{}: placing again", precision_words(next)),
    );
    Effect::Match {
        call,
        percent: next,
    }
}

/// Formats a threshold given in hundredths.
pub(crate) fn precision_words(percent: u8) -> String {
    format!("match threshold is {:.2}", f64::from(percent) / 100.0)
}
