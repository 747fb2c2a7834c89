//! Lines to fill in: searches, filters, comments.

use std::ops::Range;

use super::model::span;
use super::{decide, find, jump, model, obey, palette, read};
use crate::review::{Direction, HunkId, Row, Side, Subject};
use crate::text::LineIdx;
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
        edit: None,
    }));
}

pub(super) fn search(app: &mut App) {
    if let Mode::Help { filter, .. } = &app.mode {
        let filter = filter.clone();
        return open(app, Purpose::HelpFilter, &filter);
    }
    let from = app.stream.cursor;
    let edits = matches!(app.mode, Mode::Edit(_));
    if edits && let Mode::Edit(edit) = std::mem::replace(&mut app.mode, Mode::Review) {
        return find::open(app, edit);
    }
    open(app, Purpose::Search { from }, "");
}

pub(super) fn search_reader(app: &mut App) {
    open(app, Purpose::SearchReader, "");
}

pub(super) fn filter(app: &mut App) {
    let text = app.batch.filter.clone();
    app.mode = Mode::Batch;
    open(app, Purpose::Filter, &text);
}

pub(super) fn comment(app: &mut App, about: About) {
    let file = app.file();
    let lines = match (about, app.selected()) {
        (About::Hunk, Some(rows)) => changed_among(app, rows),
        (About::Hunk, None) => line_comment_here(app),
        (About::File | About::Batch, _) => None,
    };
    if let Some((hunk, lines, side)) = lines {
        let said = app
            .session
            .line_comment(hunk, &lines, side)
            .map(str::to_owned);
        let purpose = Purpose::CommentLines {
            hunk,
            first: lines.start,
            end: lines.end,
            side,
        };
        return open(app, purpose, &said.unwrap_or_default());
    }
    let passage = match (about, app.selected()) {
        (About::Hunk, Some(rows)) => unchanged_among(app, rows),
        (About::Hunk, None) => passage_here(app),
        (About::File | About::Batch, _) => None,
    };
    if let Some((file, lines)) = passage {
        let said = app.session.files[file].passage(&lines).map(str::to_owned);
        let (first, end) = (lines.start, lines.end);
        let purpose = Purpose::CommentPassage { file, first, end };
        return open(app, purpose, &said.unwrap_or_default());
    }
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

/// The changed lines of the first hunk among some rows.
fn changed_among(app: &App, rows: Range<usize>) -> Option<(HunkId, Range<usize>, Side)> {
    let all = decide::lines_in(app, rows);
    let (hunk, _, _) = all.first()?;
    let own: Vec<_> = all.iter().filter(|(of, _, _)| of == hunk).collect();
    let start = own.iter().map(|(_, lines, _)| lines.start).min()?;
    let end = own.iter().map(|(_, lines, _)| lines.end).max()?;
    let side = own.first().map(|(_, _, side)| *side)?;
    let side = if own.iter().all(|(_, _, of)| *of == side) {
        side
    } else {
        Side::Both
    };
    Some((*hunk, start..end, side))
}

/// The lines that stay among some rows of the cursor's file.
fn unchanged_among(app: &App, rows: Range<usize>) -> Option<(usize, Range<LineIdx>)> {
    let file = app.stream.file()?;
    let old = rows.filter_map(|row| {
        let Row::Context { file: of, old, .. } = app.stream.rows.get(row)? else {
            return None;
        };
        (of == file).then_some(old)
    });
    span(old).map(|lines| (file, lines))
}

/// The comment on lines that stay that the cursor is on.
fn passage_here(app: &App) -> Option<(usize, Range<LineIdx>)> {
    let Some(Row::Comment {
        file,
        about: Subject::Passage(nth),
        ..
    }) = app.stream.row()
    else {
        return None;
    };
    let said = app.session.files.get(file)?.passages.get(nth)?;
    Some((file, said.lines.clone()))
}

/// The comment on lines that the cursor is on.
fn line_comment_here(app: &App) -> Option<(HunkId, Range<usize>, Side)> {
    let Some(Row::Comment {
        file,
        about: Subject::Lines { hunk, nth },
        ..
    }) = app.stream.row()
    else {
        return None;
    };
    let id = HunkId { file, hunk };
    let said = app.session.hunk(id)?.state.line_comments.get(nth)?;
    Some((id, said.lines.clone(), said.side))
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
        Purpose::SearchEdit { from } => find::typed(app, &text, from),
        Purpose::Palette { .. } => palette::typed(app),
        Purpose::HelpFilter
        | Purpose::SearchReader
        | Purpose::Draft { .. }
        | Purpose::CommentLines { .. }
        | Purpose::CommentHunk(_)
        | Purpose::CommentPassage { .. }
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
        Purpose::SearchEdit { .. } => {
            if let Some(edit) = prompt.edit {
                find::submit(app, edit);
            }
        }
        Purpose::SearchReader => {
            app.mode = Mode::Read;
            read::search_for(app, pattern(&text));
        }
        Purpose::Draft { file, first, end } => return model::draft(app, file, first..end, said),
        Purpose::CommentHunk(id) => {
            app.session.comment(id, said);
            app.said(id.file);
        }
        Purpose::CommentLines {
            hunk,
            first,
            end,
            side,
        } => {
            app.session.comment_lines(hunk, first..end, side, said);
            app.said(hunk.file);
        }
        Purpose::CommentPassage { file, first, end } => {
            app.session.comment_passage(file, &(first..end), said);
            app.said(file);
        }
        Purpose::CommentFile(file) => {
            app.session.comment_file(file, said);
            app.said(file);
        }
        Purpose::CommentBatch(file) => {
            app.session.say_of_batch(file, said);
            app.decided(None);
            app.stream.lay_out(&app.session);
        }
    }
    Effect::None
}

/// Leaves things as they were before the line was asked for.
pub(super) fn cancel(app: &mut App, prompt: Prompt) {
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
        Purpose::SearchEdit { from } => {
            if let Some(edit) = prompt.edit {
                find::cancel(app, edit, from);
            }
        }
        Purpose::SearchReader => app.mode = Mode::Read,
        Purpose::Draft { .. }
        | Purpose::CommentLines { .. }
        | Purpose::CommentHunk(_)
        | Purpose::CommentPassage { .. }
        | Purpose::CommentFile(_)
        | Purpose::CommentBatch(_) => (),
    }
}
