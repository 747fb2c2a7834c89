//! The palette: a command is chosen by a few letters, and given.

use super::prompt;
use crate::ui::app::App;
use crate::ui::command::{Command, Travel, Typing};
use crate::ui::mode::{Mode, Purpose};
use crate::ui::palette::offers;

pub(super) fn open(app: &mut App) {
    let from = if let Mode::Lines { from } = app.mode {
        Some(from)
    } else {
        None
    };
    prompt::open(app, Purpose::Palette { from, chosen: 0 }, "");
}

/// Moves the choice up or down, if the palette is open and that is what was typed.
pub(super) fn choose(app: &mut App, typing: Typing) -> bool {
    let by = if typing == Typing::Go(Travel::Up) {
        -1
    } else if typing == Typing::Go(Travel::Down) {
        1
    } else {
        return false;
    };
    let Some((text, chosen)) = state(app) else {
        return false;
    };
    let last = offers(app, &text).len().saturating_sub(1);
    set(app, chosen.saturating_add_signed(by).min(last));
    true
}

/// Other letters offer other commands, of which the first is chosen.
pub(super) fn typed(app: &mut App) {
    set(app, 0);
}

/// The command that is chosen, with the number in front; the palette is closed then.
pub(super) fn chosen(app: &mut App) -> Option<(Command, Option<usize>)> {
    let (text, chosen) = state(app)?;
    let command = offers(app, &text).get(chosen)?.command;
    if let Mode::Prompt(prompt) = std::mem::replace(&mut app.mode, Mode::Review) {
        prompt::cancel(app, *prompt);
    }
    Some(command)
}

/// What is typed in the palette, and which of the commands offered is chosen; `None` while it is closed.
fn state(app: &App) -> Option<(String, usize)> {
    let prompt = app.mode.prompt()?;
    let Purpose::Palette { chosen, .. } = prompt.purpose else {
        return None;
    };
    Some((prompt.editor.text(), chosen))
}

fn set(app: &mut App, at: usize) {
    if let Mode::Prompt(prompt) = &mut app.mode
        && let Purpose::Palette { chosen, .. } = &mut prompt.purpose
    {
        *chosen = at;
    }
}
