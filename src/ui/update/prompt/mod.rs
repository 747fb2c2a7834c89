//! Lines to fill in: searches, filters, comments.

pub(crate) mod comment;
pub(crate) mod palette;

use super::open_prompt::open;

use super::edit::search;
use super::navigate::jump;
use super::{apply_model, reader, threads};

use crate::review::{Direction, HunkId, Spot};
use crate::ui::action::Effect;
use crate::ui::pattern::pattern;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{Mode, Prompt, PromptPurpose, TextPurpose};

pub(crate) fn search(app: &mut App) {
    if matches!(app.mode, Mode::Help { .. }) {
        return open(app, PromptPurpose::HelpFilter, "");
    }
    let from = app.stream.cursor;
    let edits = matches!(app.mode, Mode::Edit(_));
    if edits && let Mode::Edit(edit) = std::mem::replace(&mut app.mode, Mode::Review) {
        return search::open(app, edit);
    }
    app.search.opened = None;
    open(app, PromptPurpose::Search { from }, "");
}

pub(crate) fn filter(app: &mut App) {
    app.file_list.filter.clear();
    app.file_list.arrange(&app.session, &app.summaries);
    app.mode = Mode::FileList;
    open(app, PromptPurpose::Filter, "");
}

/// Follows what is being typed: the search jumps along, the list of files narrows.
pub(crate) fn typed(app: &mut App) {
    let Mode::Prompt(prompt) = &app.mode else {
        return;
    };
    let text = prompt.editor.text();
    match prompt.purpose {
        PromptPurpose::Search { from } => {
            jump::fold_found(app);
            app.search.seek(pattern(&text));
            app.search
                .count(&app.session, &app.stream.rows, app.stream.row());
            app.stream.jump(&app.session, from);
            jump::found_from(app, from, Direction::Forward);
        }
        PromptPurpose::Filter => {
            app.file_list.filter = text;
            app.file_list.arrange(&app.session, &app.summaries);
            app.file_list.go_to_first();
            app.file_list.show_cursor(app.file_list_page());
        }
        PromptPurpose::SearchEdit { from } => search::typed(app, &text, from),
        PromptPurpose::Palette { .. } => palette::typed(app),
        PromptPurpose::HelpFilter
        | PromptPurpose::SearchReader
        | PromptPurpose::Draft { .. }
        | PromptPurpose::Text(_) => (),
    }
}

/// Takes what was filled in.
pub(crate) fn submit(app: &mut App) -> Effect {
    let Mode::Prompt(prompt) = std::mem::replace(&mut app.mode, Mode::Review) else {
        return Effect::None;
    };
    let text = prompt.editor.text();
    if let Some(why) = threads::refusal(app, &prompt.purpose, &text) {
        app.mode = Mode::Prompt(prompt);
        app.notify(Tone::Refused, why);
        return Effect::None;
    }
    app.drafts.forget(&app.session, &prompt.purpose);
    let said = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if prompt.from_file_list {
        app.mode = Mode::FileList;
    }
    match prompt.purpose {
        PromptPurpose::Search { .. } => {
            app.mode = Mode::Review;
            app.search.opened = None;
            let found = app.search.pattern.is_some() && jump::found_here(app);
            match app.search.words(app.stream.row()) {
                _ if !found => app.notify(Tone::Refused, "not found"),
                Some(words) => app.notify(Tone::Done, words),
                None => (),
            }
        }
        PromptPurpose::Filter => {
            app.mode = Mode::FileList;
            app.filter_stream();
        }
        PromptPurpose::HelpFilter => {
            app.mode = Mode::Help {
                top: 0,
                filter: text,
            }
        }
        PromptPurpose::Palette { .. } => {
            app.notify(Tone::Refused, format!("there is no command `{text}`"));
        }
        PromptPurpose::SearchEdit { .. } => {
            if let Some(edit) = prompt.edit {
                search::submit(app, edit);
            }
        }
        PromptPurpose::SearchReader => {
            app.mode = Mode::Read;
            reader::search_for(app, pattern(&text));
        }
        PromptPurpose::Draft { file, first, end } => {
            return apply_model::draft(app, file, first..end, said);
        }
        PromptPurpose::Text(TextPurpose::Comment(file, spot)) => {
            let id = |hunk| HunkId { file, hunk };
            match spot {
                Spot::Hunk(hunk) => app.session.comment(id(hunk), said),
                Spot::Lines { hunk, lines, side } => {
                    app.session.comment_lines(id(hunk), lines, side, said);
                }
                Spot::Base(lines) => app.session.comment_passage(file, &lines, said),
            }
            app.comments_changed(file);
            app.stream.show_changes(&app.session);
            if let Some(why) = threads::without_thread(&text) {
                app.notify(Tone::Refused, why);
            }
        }
        PromptPurpose::Text(TextPurpose::CommentFile(file)) => {
            app.session.comment_file(file, said);
            app.comments_changed(file);
        }
        PromptPurpose::Text(TextPurpose::CommentBatch(file)) => {
            app.session.say_of_batch(file, said);
            app.decisions_changed(None);
            app.stream.lay_out(&app.session);
        }
        PromptPurpose::Text(TextPurpose::Ask(file, spot)) => {
            return threads::thread_question(app, file, spot, said);
        }
        PromptPurpose::Text(TextPurpose::Reply(number)) => {
            return threads::replied(app, number, said);
        }
    }
    Effect::None
}

/// Closes the prompt without taking what was filled in.
pub(crate) fn close(app: &mut App) {
    if let Mode::Prompt(prompt) = std::mem::replace(&mut app.mode, Mode::Review) {
        cancel(app, *prompt);
    }
}

/// Leaves things as they were before the line was asked for.
pub(crate) fn cancel(app: &mut App, prompt: Prompt) {
    if prompt.from_file_list {
        app.mode = Mode::FileList;
    }
    match prompt.purpose {
        PromptPurpose::Search { from } => {
            jump::fold_found(app);
            app.search.seek(None);
            app.stream.jump(&app.session, from);
        }
        PromptPurpose::Filter => {
            app.file_list.filter.clear();
            app.file_list.arrange(&app.session, &app.summaries);
            app.filter_stream();
        }
        PromptPurpose::HelpFilter => {
            app.mode = Mode::Help {
                top: 0,
                filter: String::new(),
            }
        }
        PromptPurpose::Palette { from, .. } => {
            if let Some(from) = from {
                app.mode = Mode::Lines { from };
            }
        }
        PromptPurpose::SearchEdit { from } => {
            if let Some(edit) = prompt.edit {
                search::cancel(app, edit, from);
            }
        }
        PromptPurpose::SearchReader => app.mode = Mode::Read,
        PromptPurpose::Draft { .. } | PromptPurpose::Text(_) => keep_draft(app, &prompt),
    }
}

/// Keeps what was typed into a box, so that the same key opens it again.
fn keep_draft(app: &mut App, prompt: &Prompt) {
    if prompt.editor.version() == 0 {
        return;
    }
    let text = prompt.editor.text();
    if text.trim().is_empty() {
        return app.drafts.forget(&app.session, &prompt.purpose);
    }
    app.drafts.keep(&app.session, &prompt.purpose, text);
    app.notify(Tone::Done, "not sent: the same key opens the text again");
}
