//! Taking steps back, and taking them again.

use super::{file_list, match_threshold};
use crate::review::{FileReview, HunkId, ReviewSession, Row, Side, Stepped, UndoneKind};
use crate::text::{plural, sanitize_name};
use crate::ui::action::Effect;
use crate::ui::command::Command;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::Mode;

/// As many files as are sooner counted one by one than all together.
const FEW: usize = 8;

pub(crate) fn undo(app: &mut App, count: Option<usize>) -> Effect {
    for nth in 0..count.unwrap_or(1) {
        let steps = app.undo_steps();
        let threads = app.threads.as_mut();
        if let Some(words) = threads.and_then(|threads| threads.take_last_sent(steps)) {
            let undo = app.key(Command::Undo);
            let words = format!("{words} and cannot be undone; {undo} undoes the step before it");
            app.notify(Tone::Refused, words);
            break;
        }
        if nth == 0
            && let Some(effect) = match_threshold::undo(app)
        {
            return effect;
        }
        if !step_back(app, "undo", ReviewSession::undo) {
            break;
        }
    }
    Effect::None
}

pub(crate) fn redo(app: &mut App, count: Option<usize>) -> Effect {
    if let Some(effect) = match_threshold::redo(app) {
        return effect;
    }
    for _ in 0..count.unwrap_or(1) {
        if !step_back(app, "redo", ReviewSession::redo) {
            break;
        }
    }
    Effect::None
}

/// Takes a step back, or takes it again, names it and goes to what it was about. Returns false if there is none.
fn step_back(
    app: &mut App,
    verb: &str,
    step: impl Fn(&mut ReviewSession) -> Option<Stepped>,
) -> bool {
    let files = app.session.files.iter();
    let before: Vec<u64> = files.map(FileReview::revision).collect();
    let Some(stepped) = step(&mut app.session) else {
        app.notify(Tone::Refused, format!("nothing to {verb}"));
        return false;
    };
    for (file, before) in before.into_iter().enumerate() {
        if app.session.files[file].revision() != before {
            app.lines_replaced(file);
        }
    }
    let files = &stepped.files;
    // What is undone in a file is shown.
    if files.iter().any(|&file| app.is_hidden(file)) {
        app.clear_filter();
    }
    // Comments may have moved to other rows, or are gone.
    if (1..=FEW).contains(&files.len()) {
        for &file in files {
            app.comments_changed(file);
        }
    } else {
        app.stream.lay_out(&app.session);
        app.decisions_changed(None);
    }
    if matches!(app.mode, Mode::FileList) {
        if let Some(file) = files.first() {
            app.file_list.go_to_file(*file, None);
            app.file_list.show_cursor(app.file_list_page());
        }
    } else {
        go_to(app, &stepped);
    }
    let words = words(&app.session, &stepped);
    app.notify(Tone::Done, format!("{verb}ne: {words}"));
    true
}

/// Puts the cursor on what a step was about.
fn go_to(app: &mut App, stepped: &Stepped) {
    if let Some(id) = stepped.hunk {
        app.go_to_hunk(id);
    } else if let Some(&file) = stepped.files.first() {
        file_list::show_file(app, file);
    }
    let rows = &app.stream.rows;
    let row = match (stepped.hunk, stepped.line, stepped.base_line) {
        (Some(id), Some((line, side)), _) => {
            rows.find_in_file(id.file, |row| shows_line(row, id, line, side))
        }
        (None, _, Some(old)) => {
            let file = stepped.files.first();
            let is_line = |row: Row| row.lines().0 == Some(old);
            file.and_then(|&file| rows.find_in_file(file, is_line))
        }
        _ => None,
    };
    if let Some(row) = row {
        app.jump(row);
    }
}

/// Returns true for the row of a side of a changed line.
fn shows_line(row: Row, id: HunkId, line: usize, side: Side) -> bool {
    let (old, new) = row.lines();
    let has_side = match side {
        Side::Old => old.is_some(),
        Side::New => new.is_some(),
        Side::Both => true,
    };
    has_side && matches!(row, Row::Change { id: of, line: at, .. } if of == id && at == line)
}

/// Names a hunk and its file.
fn hunk_words(session: &ReviewSession, id: HunkId) -> String {
    let file = &session.files[id.file];
    let number = file.number_of(id.hunk).0;
    format!("hunk {number} in {}", sanitize_name(&file.path))
}

/// Describes a step.
fn words(session: &ReviewSession, stepped: &Stepped) -> String {
    let name = |file: usize| sanitize_name(&session.files[file].path).into_owned();
    let on = match (stepped.hunks, stepped.hunk, stepped.files.first()) {
        (0 | 1, Some(id), _) if stepped.line.is_some() => {
            format!("lines of {}", hunk_words(session, id))
        }
        (0 | 1, Some(id), _) => hunk_words(session, id),
        (hunks, Some(_), _) => plural(hunks, "hunk"),
        (_, None, Some(&file)) if stepped.base_line.is_some() => {
            format!("unchanged lines of {}", name(file))
        }
        (_, None, Some(&file)) => name(file),
        (_, None, None) => "the batch".to_owned(),
    };
    match stepped.kind {
        UndoneKind::Decision => format!("decision about {on}"),
        UndoneKind::Edit => format!("edit of {on}"),
        UndoneKind::Comment => format!("comment on {on}"),
        UndoneKind::Place => format!("place of {on}"),
        UndoneKind::Split => format!("split of {on}"),
    }
}
