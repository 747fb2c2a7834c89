//! Leaving. What is accepted is written at once where everything is decided and nothing else is to know, and else after the
//! dialog's `w`.

use crate::ui::action::Effect;
use crate::ui::command::Leaving;
use crate::ui::outcome::Ending;
use crate::ui::state::app::App;
use crate::ui::state::finish_notes::is_settled;
use crate::ui::state::mode::Mode;
use crate::ui::state::unresolved_threads::unresolved;

pub(crate) fn leave(app: &mut App, leaving: Leaving) -> Effect {
    let undecided = app.summaries.counts.undecided + app.summaries.counts.mixed > 0;
    let asked = matches!(app.mode, Mode::Finish);
    let ending = match leaving {
        Leaving::Ask if is_settled(app) => Ending::Write,
        Leaving::Ask => {
            app.mode = Mode::Finish;
            return Effect::None;
        }
        // Undecided hunks count as rejected: the dialog shows how many, and the threads that are not resolved.
        Leaving::Write if (undecided || unresolved(app).is_some()) && !asked => {
            app.mode = Mode::Finish;
            return Effect::None;
        }
        Leaving::Write => Ending::Write,
        Leaving::Keep => Ending::Keep,
        Leaving::Discard => Ending::Discard,
        Leaving::Abort => Ending::Aborted,
    };
    // An edit that is not finished is dropped: it was never kept.
    app.session.cancel_edit();
    app.session.cancel_place();
    app.mode = Mode::Review;
    Effect::End(ending)
}
