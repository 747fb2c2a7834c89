//! Editing the proposed lines, in place or in another program.

pub(crate) mod external;
pub(crate) mod in_place;
pub(crate) mod search;

use crate::ui::action::Effect;
use crate::ui::command::Editing;
use crate::ui::state::app::App;

pub(crate) fn edit(app: &mut App, editing: Editing) -> Effect {
    match editing {
        Editing::Begin => in_place::begin(app),
        Editing::External => return external::open(app),
        Editing::Keep => in_place::keep(app),
        Editing::Drop => in_place::ask_drop(app),
        Editing::Restore => in_place::restore(app),
        Editing::AcceptAll => accept_all(app),
    }
    Effect::None
}

/// Accepts the hunks with an edit that would be dropped at the end, as one step to undo.
fn accept_all(app: &mut App) {
    if app.session.accept_dropped_edits() {
        app.decisions_changed(None);
    }
}
