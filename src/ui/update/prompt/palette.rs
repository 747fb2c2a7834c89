//! The palette: a command is chosen by a few letters, and given.

use crate::ui::command::{CaretMotion, Command, Typing};
use crate::ui::state::app::App;
use crate::ui::state::command_palette::entries;
use crate::ui::state::mode::{Mode, PromptPurpose};
use crate::ui::update::open_prompt::open;

pub(crate) fn open_palette(app: &mut App) {
    let from = if let Mode::Lines { from } = app.mode {
        Some(from)
    } else {
        None
    };
    open(app, PromptPurpose::Palette { from, chosen: 0 }, "");
}

/// Moves the choice up or down, if the palette is open and that is what was typed.
pub(crate) fn choose(app: &mut App, typing: Typing) -> bool {
    let by = if typing == Typing::Go(CaretMotion::Up) {
        -1
    } else if typing == Typing::Go(CaretMotion::Down) {
        1
    } else {
        return false;
    };
    let Some((text, chosen)) = state(app) else {
        return false;
    };
    let last = entries(app, &text).len().saturating_sub(1);
    set(app, chosen.saturating_add_signed(by).min(last));
    true
}

/// Other letters offer other commands, of which the first is chosen.
pub(crate) fn typed(app: &mut App) {
    set(app, 0);
}

/// The command that is chosen, with the number in front.
pub(crate) fn chosen(app: &App) -> Option<(Command, Option<usize>)> {
    let (text, chosen) = state(app)?;
    entries(app, &text).get(chosen).map(|offer| offer.command)
}

/// Returns the text in the palette and the index of the chosen entry; `None` while it is closed.
fn state(app: &App) -> Option<(String, usize)> {
    let prompt = app.mode.prompt()?;
    let PromptPurpose::Palette { chosen, .. } = prompt.purpose else {
        return None;
    };
    Some((prompt.editor.text(), chosen))
}

fn set(app: &mut App, at: usize) {
    if let Mode::Prompt(prompt) = &mut app.mode
        && let PromptPurpose::Palette { chosen, .. } = &mut prompt.purpose
    {
        *chosen = at;
    }
}
