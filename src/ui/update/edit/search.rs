//! Searching in the text that is edited.

use super::in_place::show_caret;
use crate::review::Direction;
use crate::ui::command::Command;
use crate::ui::editor::{Caret, Editor};
use crate::ui::keymap::KeyContext;
use crate::ui::pattern::pattern;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::edit_matches::{words, words_of};
use crate::ui::state::mode::{HunkEdit, Mode, Prompt, PromptPurpose};

/// Asks what to search for.
pub(crate) fn open(app: &mut App, edit: Box<HunkEdit>) {
    let from = edit.editor.caret();
    app.mode = Mode::Prompt(Box::new(Prompt {
        purpose: PromptPurpose::SearchEdit { from },
        editor: Editor::prompt(""),
        from_file_list: false,
        edit: Some(edit),
    }));
}

/// Goes to the first match after the place where the search began, as it is being typed; back there if there is none.
pub(crate) fn typed(app: &mut App, text: &str, from: Caret) {
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
pub(crate) fn submit(app: &mut App, edit: Box<HunkEdit>) {
    let words = words(app, &edit);
    app.mode = Mode::Edit(edit);
    match words {
        Some(words) => app.notify(Tone::Done, words),
        None => app.notify(Tone::Refused, "not found"),
    }
}

/// Goes on editing where the search began.
pub(crate) fn cancel(app: &mut App, mut edit: Box<HunkEdit>, from: Caret) {
    app.search.seek(None);
    edit.editor.go(from);
    app.mode = Mode::Edit(edit);
    show_caret(app);
}

/// Goes to the next match, or the previous one, round the ends of what is edited.
pub(crate) fn step(app: &mut App, direction: Direction, count: Option<usize>) {
    let Some(pattern) = app.search.pattern.clone() else {
        let search = app.keymap.key_for(KeyContext::Editor, Command::Search);
        let words = format!("nothing to search for: press {search} first");
        return app.notify(Tone::Refused, words);
    };
    let Mode::Edit(edit) = &mut app.mode else {
        return;
    };
    let all = edit.editor.matches(&pattern);
    let Some(last) = all.len().checked_sub(1) else {
        return app.notify(Tone::Refused, "not found in the edited lines");
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
    app.notify(Tone::Done, words);
}
