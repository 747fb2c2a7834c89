//! Lines to fill in: searches, filters, comments.

use super::{jump, obey, palette};
use crate::review::Direction;
use crate::ui::action::Effect;
use crate::ui::app::{App, Tone};
use crate::ui::command::About;
use crate::ui::editor::Editor;
use crate::ui::mode::{Mode, Prompt, Purpose};
use crate::ui::search::pattern;

pub(super) fn open(app: &mut App, purpose: Purpose, text: &str) {
    let from_batch = matches!(app.mode, Mode::Batch);
    app.mode = Mode::Prompt(Box::new(Prompt {
        purpose,
        editor: Editor::prompt(text),
        from_batch,
    }));
}

pub(super) fn search(app: &mut App) {
    if let Mode::Help { filter, .. } = &app.mode {
        let filter = filter.clone();
        return open(app, Purpose::HelpFilter, &filter);
    }
    let from = app.stream.cursor;
    open(app, Purpose::Search { from }, "");
}

pub(super) fn filter(app: &mut App) {
    let text = app.batch.filter.clone();
    app.mode = Mode::Batch;
    open(app, Purpose::Filter, &text);
}

pub(super) fn comment(app: &mut App, about: About) {
    let file = match app.mode {
        Mode::Batch => app.batch.file(),
        Mode::Review
        | Mode::Lines { .. }
        | Mode::Edit(_)
        | Mode::Prompt(_)
        | Mode::Question(_)
        | Mode::Finish
        | Mode::Help { .. } => app.stream.file(),
    };
    let (purpose, said) = match (about, app.stream.hunk(), file) {
        (About::Batch, _, _) => {
            let said = app.session.said_of_batch(file).map(ToOwned::to_owned);
            (Purpose::CommentBatch(file), said)
        }
        (About::Hunk, Some(id), _) => {
            let said = app
                .session
                .hunk(id)
                .and_then(|hunk| hunk.state.comment.clone());
            (Purpose::CommentHunk(id), said)
        }
        (About::Hunk, None, Some(file)) | (About::File, _, Some(file)) => (
            Purpose::CommentFile(file),
            app.session.files[file].comment.clone(),
        ),
        (About::Hunk | About::File, _, None) => return app.say(Tone::Refused, "no file here"),
    };
    open(app, purpose, &said.unwrap_or_default());
}

/// Follows what is being typed: the search jumps along, the list of files narrows.
pub(super) fn typed(app: &mut App) {
    let Mode::Prompt(prompt) = &app.mode else {
        return;
    };
    let text = prompt.editor.text();
    match prompt.purpose {
        Purpose::Search { from } => {
            app.search.seek(pattern(&text));
            app.search.count(&app.session);
            app.stream.jump(&app.session, from);
            jump::found_from(app, from, Direction::Forward);
        }
        Purpose::Filter => {
            app.batch.filter = text;
            app.batch.arrange(&app.session, &app.summaries);
            app.batch.show_cursor(app.batch_page());
        }
        Purpose::Palette { .. } => palette::typed(app),
        Purpose::HelpFilter
        | Purpose::CommentHunk(_)
        | Purpose::CommentFile(_)
        | Purpose::CommentBatch(_) => (),
    }
}

/// Takes what was filled in.
pub(super) fn submit(app: &mut App) -> Effect {
    if let Some((command, count)) = palette::chosen(app) {
        return obey(app, command, count);
    }
    let Mode::Prompt(prompt) = std::mem::replace(&mut app.mode, Mode::Review) else {
        return Effect::None;
    };
    let text = prompt.editor.text();
    let said = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if prompt.from_batch {
        app.mode = Mode::Batch;
    }
    match prompt.purpose {
        Purpose::Search { .. } => {
            app.mode = Mode::Review;
            let found = app.search.pattern.is_some() && jump::found_here(app);
            match app.search.words(app.stream.row(), &app.session) {
                _ if !found => app.say(Tone::Refused, "not found"),
                Some(words) => app.say(Tone::Done, words),
                None => (),
            }
        }
        Purpose::Filter => app.mode = Mode::Batch,
        Purpose::HelpFilter => {
            app.mode = Mode::Help {
                top: 0,
                filter: text,
            }
        }
        Purpose::Palette { .. } => app.say(Tone::Refused, format!("there is no command `{text}`")),
        Purpose::CommentHunk(id) => {
            app.session.comment(id, said);
            app.decided(Some(id.file));
        }
        Purpose::CommentFile(file) => {
            app.session.files[file].comment = said;
            app.decided(Some(file));
        }
        Purpose::CommentBatch(file) => {
            app.session.say_of_batch(file, said);
            app.decided(None);
        }
    }
    Effect::None
}

/// Leaves things as they were before the line was asked for.
pub(super) fn cancel(app: &mut App, prompt: &Prompt) {
    if prompt.from_batch {
        app.mode = Mode::Batch;
    }
    match prompt.purpose {
        Purpose::Search { from } => {
            app.search.seek(None);
            app.stream.jump(&app.session, from);
        }
        Purpose::Filter => {
            app.batch.filter.clear();
            app.batch.arrange(&app.session, &app.summaries);
        }
        Purpose::HelpFilter => {
            app.mode = Mode::Help {
                top: 0,
                filter: String::new(),
            }
        }
        Purpose::Palette { from, .. } => {
            if let Some(from) = from {
                app.mode = Mode::Lines { from };
            }
        }
        Purpose::CommentHunk(_) | Purpose::CommentFile(_) | Purpose::CommentBatch(_) => (),
    }
}
