//! Translates terminal events to actions.

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Size};

use crate::ui::action::{Action, Effect, Mouse};
use crate::ui::command::Command;
use crate::ui::keymap::key_sequence::{KeyReader, Pressed};
use crate::ui::keymap::keystroke::Keystroke;
use crate::ui::keymap::{Sequence, shown};
use crate::ui::state::app::{App, Tone};
use crate::ui::update::update;

/// Lines that one notch of the wheel scrolls.
const NOTCH: isize = 3;

/// Lets a key change the state.
pub fn press(app: &mut App, keys: &mut KeyReader, chord: Keystroke) -> Effect {
    let begun = keys.pending().chords;
    let pressed = keys.press(&app.keymap, app.mode.key_context(), chord);
    app.pending = keys.pending();
    match pressed {
        Pressed::Command(command, count) => update(app, Action::Command(command, count)),
        Pressed::Text(c) => update(app, Action::Type(c)),
        Pressed::Pending => Effect::None,
        Pressed::Unbound => {
            let advice = way_on(app);
            let sequence = shown(format!("{begun} {chord}").trim_start());
            app.notify(
                Tone::Refused,
                format!("`{sequence}` does nothing here{advice}"),
            );
            Effect::None
        }
    }
}

/// Names a key of this context that helps: the help, or the way back.
fn way_on(app: &App) -> String {
    let bound = [Command::Help, Command::Back].map(|command| {
        let mut here = app.keymap.of(app.mode.key_context());
        let bound = here.find(|bound| bound.binding().command == command)?;
        bound.keys.first().map(Sequence::shown)
    });
    match bound {
        [Some(help), _] => format!("; {help} shows the keys"),
        [None, Some(back)] => format!("; {back} goes back"),
        [None, None] => String::new(),
    }
}

/// Lets whatever the terminal reports change the state; `None` if it is nothing to us.
pub(crate) fn report(app: &mut App, keys: &mut KeyReader, event: Event) -> Option<Effect> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            Some(press(app, keys, Keystroke::from_event(key)?))
        }
        Event::Paste(text) => Some(update(app, Action::Paste(text))),
        Event::Resize(width, height) => Some(update(app, Action::Resize(Size { width, height }))),
        Event::Mouse(mouse) => {
            keys.forget();
            app.pending = keys.pending();
            let at = Position {
                x: mouse.column,
                y: mouse.row,
            };
            Some(update(app, Action::Mouse(kind(mouse)?, at)))
        }
        Event::Key(_) | Event::FocusGained | Event::FocusLost => None,
    }
}

fn kind(mouse: MouseEvent) -> Option<Mouse> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Mouse::Press),
        MouseEventKind::Drag(MouseButton::Left) => Some(Mouse::Drag),
        MouseEventKind::ScrollDown => Some(Mouse::Wheel(NOTCH)),
        MouseEventKind::ScrollUp => Some(Mouse::Wheel(-NOTCH)),
        MouseEventKind::Down(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => None,
    }
}
