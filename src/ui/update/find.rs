//! Searching in the text that is edited.

use super::edit::show_caret;
use crate::review::Direction;
use crate::ui::app::{App, Tone};
use crate::ui::command::Command;
use crate::ui::editor::{Caret, Editor};
use crate::ui::keymap::Place;
use crate::ui::mode::{Edit, Mode, Prompt, Purpose};
use crate::ui::search::pattern;

/// Asks what to search for.
pub(super) fn open(app: &mut App, edit: Box<Edit>) {
    let from = edit.editor.caret();
    app.mode = Mode::Prompt(Box::new(Prompt {
        purpose: Purpose::SearchEdit { from },
        editor: Editor::prompt(""),
        from_batch: false,
        edit: Some(edit),
    }));
}

/// Goes to the first match after the place where the search began, as it is being typed; back there if there is none.
pub(super) fn typed(app: &mut App, text: &str, from: Caret) {
    app.search.seek(pattern(text));
    let found = app.search.pattern.as_ref();
    if let Mode::Prompt(prompt) = &mut app.mode
        && let Some(edit) = &mut prompt.edit
    {
        let all = found.map(|pattern| edit.editor.matches(pattern));
        let all = all.unwrap_or_default();
        let next = all.partition_point(|at| *at < from);
        let at = all.get(next).or(all.first()).copied();
        edit.editor.go(at.unwrap_or(from));
    }
    show_caret(app);
}

/// Goes on editing where the search has led.
pub(super) fn submit(app: &mut App, edit: Box<Edit>) {
    let words = words(app, &edit);
    app.mode = Mode::Edit(edit);
    match words {
        Some(words) => app.say(Tone::Done, words),
        None => app.say(Tone::Refused, "not found"),
    }
}

/// Goes on editing where the search began.
pub(super) fn cancel(app: &mut App, mut edit: Box<Edit>, from: Caret) {
    app.search.seek(None);
    edit.editor.go(from);
    app.mode = Mode::Edit(edit);
    show_caret(app);
}

/// Goes to the next match, or the previous one, round the ends of what is edited.
pub(super) fn step(app: &mut App, direction: Direction, count: Option<usize>) {
    let Some(pattern) = app.search.pattern.clone() else {
        let search = app.keymap.told(Place::Editor, Command::Search);
        let words = format!("nothing to search for: press {search} first");
        return app.say(Tone::Refused, words);
    };
    let Mode::Edit(edit) = &mut app.mode else {
        return;
    };
    let all = edit.editor.matches(&pattern);
    let Some(last) = all.len().checked_sub(1) else {
        return app.say(Tone::Refused, "not found in what is edited");
    };
    for _ in 0..count.unwrap_or(1) {
        let here = edit.editor.caret();
        let at = match direction {
            Direction::Forward => all.partition_point(|at| *at <= here) % all.len(),
            Direction::Backward => {
                let before = all.partition_point(|at| *at < here).checked_sub(1);
                before.unwrap_or(last)
            }
        };
        edit.editor.go(all[at]);
    }
    let words = words_of(&all, edit.editor.caret());
    show_caret(app);
    app.say(Tone::Done, words);
}

/// Which of how many matches the cursor is on, in words; `None` if nothing is found.
pub(in crate::ui) fn words(app: &App, edit: &Edit) -> Option<String> {
    let all = edit.editor.matches(app.search.pattern.as_ref()?);
    (!all.is_empty()).then(|| words_of(&all, edit.editor.caret()))
}

fn words_of(all: &[Caret], here: Caret) -> String {
    match all.binary_search(&here) {
        Ok(nth) => format!("{} of {}", nth + 1, all.len()),
        Err(_) => format!("{} found", all.len()),
    }
}
