//! The queue of what joins and leaves, until it disturbs nothing. A withdrawal is named before that.

use super::calls::show;
use super::decide::leave_out;
use crate::review::Standing;
use crate::ui::services::background::SessionChange;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{Mode, Question};

/// Queues what joins or leaves. A withdrawal is named at once, and dialogs that count hunks show it at once: they would count what nobody
/// waits for.
pub(crate) fn queue(app: &mut App, change: SessionChange) {
    let SessionChange::Left {
        call,
        standing: Standing::Withdrawn,
        told,
        ..
    } = &change
    else {
        app.changes.push_back(change);
        return;
    };
    let counts_hunks = matches!(
        app.mode,
        Mode::Finish | Mode::Question(Question::Rest { .. })
    );
    if counts_hunks {
        let joins = |queued: &SessionChange| matches!(queued, SessionChange::Joined { call: own, .. } if own.call.number == *call);
        app.changes.retain(|queued| !joins(queued));
        leave_out(app, |app| show(app, change));
        return;
    }
    if app.is_busy() {
        app.notify(Tone::Refused, told.clone());
    }
    app.changes.push_back(change);
}
