//! Leaving. What is accepted is written at once where everything is decided and nothing else is to know, and else after the
//! dialog's `w`.

use super::prompt;
use crate::ui::action::Effect;
use crate::ui::command::Leaving;
use crate::ui::outcome::Ending;
use crate::ui::state::app::App;
use crate::ui::state::finish_notes::is_settled;
use crate::ui::state::mode::{Mode, Prompt, PromptPurpose, TextPurpose};
use crate::ui::state::unresolved_threads::unresolved;

pub(crate) fn leave(app: &mut App, leaving: Leaving) -> Effect {
    let undecided = app.summaries.counts.undecided + app.summaries.counts.mixed > 0;
    let has_edits = app.session.waiting_edits().next().is_some();
    let asked = matches!(app.mode, Mode::Finish);
    let ending = match leaving {
        Leaving::Ask if is_settled(app) => Ending::Write,
        Leaving::Ask => {
            app.mode = Mode::Finish;
            return Effect::None;
        }
        // Undecided hunks count as rejected: the dialog shows how many, the threads that are not resolved, and the person's edits
        // that have no place.
        Leaving::Write if (undecided || unresolved(app).is_some() || has_edits) && !asked => {
            app.mode = Mode::Finish;
            return Effect::None;
        }
        Leaving::Write => Ending::Write,
        Leaving::Keep => Ending::Keep,
        Leaving::Discard => Ending::Discard,
        Leaving::Abort => {
            keep_typed(app);
            return Effect::End(Ending::Aborted);
        }
    };
    app.session.cancel_edit();
    app.session.cancel_place();
    app.mode = Mode::Review;
    Effect::End(ending)
}

/// Keeps what the person is typing, a comment or an edit, where the review is broken off. Nothing is accepted by that.
fn keep_typed(app: &mut App) {
    if app.mode.prompt().is_some_and(is_comment) {
        prompt::submit(app);
    }
    app.session.finish_edit();
    app.session.cancel_place();
    app.mode = Mode::Review;
}

/// Returns true for a comment with a text. Questions and replies go to the agent at once, so an unfinished one is not sent.
fn is_comment(prompt: &Prompt) -> bool {
    match prompt.purpose {
        PromptPurpose::Text(
            TextPurpose::Comment(..) | TextPurpose::CommentFile(_) | TextPurpose::CommentBatch(_),
        ) => !prompt.editor.text().trim().is_empty(),
        PromptPurpose::Text(TextPurpose::Ask(..) | TextPurpose::Reply(_))
        | PromptPurpose::Search { .. }
        | PromptPurpose::Filter
        | PromptPurpose::HelpFilter
        | PromptPurpose::Palette { .. }
        | PromptPurpose::SearchEdit { .. }
        | PromptPurpose::SearchReader
        | PromptPurpose::Draft { .. } => false,
    }
}
