//! Leaving. What is accepted is written at once where everything is decided and nothing else is to know, and else after the
//! dialog's `w`.

use super::{prompt, reader};
use crate::ui::action::Effect;
use crate::ui::command::Leaving;
use crate::ui::outcome::Ending;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::finish_notes::{has_open_points, is_settled};
use crate::ui::state::mode::{Mode, Prompt, PromptPurpose, TextPurpose};
use crate::ui::state::reader::Reader;

pub(crate) fn leave(app: &mut App, leaving: Leaving) -> Effect {
    if matches!(app.mode, Mode::Read) && leaving == Leaving::Write {
        if !app.reader.as_ref().is_some_and(Reader::is_plan) {
            app.notify(Tone::Refused, "this key writes from the plan only");
            return Effect::None;
        }
        reader::leave(app);
    }
    let asked = matches!(app.mode, Mode::Finish);
    let ending = match leaving {
        Leaving::Ask if is_settled(app) => Ending::Write,
        Leaving::Ask => {
            app.mode = Mode::Finish;
            return Effect::None;
        }
        // The dialog shows the open points.
        Leaving::Write if has_open_points(app) && !asked => {
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
