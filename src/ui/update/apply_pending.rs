//! Shows what arrived in the background, as soon as it disturbs nothing.

use super::{apply_model, calls, refresh, threads};
use crate::ui::state::app::App;

/// Shows what was placed, and all that waits beside it, as soon as it disturbs nothing: an edit, a selection, a line being filled in, a question or the last dialog comes
/// first.
pub(crate) fn settle(app: &mut App) {
    if app.is_busy() {
        return;
    }
    refresh::settle(app);
    calls::settle(app);
    apply_model::settle(app);
    threads::settle(app);
}
