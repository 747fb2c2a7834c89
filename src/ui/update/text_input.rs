//! Typing: the text being edited, or the line being filled in.

use super::edit::in_place::in_place;
use super::prompt::{self, palette};
use crate::ui::action::Effect;
use crate::ui::command::Typing;
use crate::ui::editor::{Editor, MOST_CHARS};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::Mode;

pub(crate) fn type_char(app: &mut App, c: char) {
    change(app, |editor| {
        editor.type_char(c);
        None
    });
}

pub(crate) fn paste(app: &mut App, text: &str) {
    change(app, |editor| {
        editor.paste(text);
        None
    });
}

pub(crate) fn typing(app: &mut App, typing: Typing) -> Effect {
    if palette::choose(app, typing) {
        return Effect::None;
    }
    change(app, |editor| editor.command(typing)).map_or(Effect::None, Effect::Copy)
}

/// Lets the editor in front change its text, and everything that follows from that.
fn change(app: &mut App, by: impl FnOnce(&mut Editor) -> Option<String>) -> Option<String> {
    let mut refused = false;
    let by = |editor: &mut Editor| {
        let copied = by(editor);
        refused = editor.take_refusal();
        copied
    };
    let copied = match &mut app.mode {
        Mode::Edit(_) => in_place(app, by),
        Mode::Prompt(prompt) => {
            let copied = by(&mut prompt.editor);
            prompt::typed(app);
            copied
        }
        Mode::Review
        | Mode::Lines { .. }
        | Mode::FileList
        | Mode::Question(_)
        | Mode::Finish
        | Mode::Place(_)
        | Mode::Read
        | Mode::Help { .. } => None,
    };
    if refused {
        let words = format!(
            "nothing was changed: no more than {MOST_CHARS} lines, and characters in a line, can be edited here"
        );
        app.notify(Tone::Refused, words);
    }
    copied
}
