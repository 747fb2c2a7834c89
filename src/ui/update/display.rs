//! Changing what is shown, and copying it.

use std::ops::Range;

use crate::review::{Direction, HunkId, Layout, Row};
use crate::text::{LineIdx, plural};
use crate::ui::action::Effect;
use crate::ui::command::{Command, Editing, Landmark, List, View};
use crate::ui::layout::display_settings::{DisplaySettings, FilesShown, LongLines};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::Mode;
use crate::ui::state::unplaced_help;
use crate::ui::stream::texts;

/// Lines that one step of context opens.
const STEP: isize = 3;
/// Lines that one step opens at an end of a fold.
const OPENED: usize = 10;
/// Refusal where the cursor is in no file.
const NO_FILE: &str = "no file here";

pub(crate) fn change(app: &mut App, view: View) {
    match view {
        View::Layout => other_layout(app),
        View::Wrap => {
            let (next, words) = match app.stream.long_lines {
                LongLines::WrapChanged => (LongLines::Wrap, "all lines wrap"),
                LongLines::Wrap => (LongLines::Cut, "no line wraps"),
                LongLines::Cut => (LongLines::WrapChanged, "changed lines wrap"),
            };
            app.stream.long_lines = next;
            app.notify(Tone::Done, words);
            app.stream.left = 0;
            app.stream.top_skip = 0;
            app.stream.show_cursor(&app.session);
        }
        View::Blanks => {
            let on = "all blanks, tabs and line endings are shown";
            let off = "blanks, tabs and line endings are shown only where they differ";
            toggle(app, |display| &mut display.blanks, on, off);
        }
        View::Words => {
            let on = "words that differ are emphasised";
            let off = "words that differ are not emphasised";
            toggle(app, |display| &mut display.words, on, off);
        }
        View::Pairs => pairs(app),
        View::OneFile => one_file(app),
        View::List => list(app),
        View::Fold => fold(app),
        View::Unfold => unfold(app),
        View::OpenFolds => open_folds(app),
        View::CloseFolds => close_folds(app),
        View::MoreContext => match app.stream.row() {
            Some(Row::Fold { file, start, end }) => open_some(app, file, start..end),
            Some(_) | None => context(app, STEP),
        },
        View::LessContext => context(app, -STEP),
    }
}

/// Turns a setting on or off, and says which in one of two messages.
fn toggle(
    app: &mut App,
    setting: fn(&mut DisplaySettings) -> &mut bool,
    on: &'static str,
    off: &'static str,
) {
    let is_on = setting(&mut app.display);
    *is_on = !*is_on;
    let words = if *is_on { on } else { off };
    app.notify(Tone::Done, words);
}

/// Shows all files in the other layout than the one in which the file of the cursor is shown.
fn other_layout(app: &mut App) {
    let file = app.stream.file();
    let shown = file.map_or(app.stream.layout, |file| app.stream.layout_of(file));
    let (layout, words) = match shown {
        Layout::Split => (Layout::Unified, "unified"),
        Layout::Unified => (Layout::Split, "side by side"),
    };
    app.display.layout = Some(layout);
    app.resize(app.size);
    let has_one_text = file.is_some_and(|file| {
        app.stream.columns(&app.session, file).layout != app.stream.layout_of(file)
    });
    let only = if has_one_text {
        "; this file has one side only"
    } else {
        ""
    };
    app.notify(Tone::Done, format!("all files {words}{only}"));
}

/// Shows the file list at the side, or hides it.
fn list(app: &mut App) {
    let is_shown = |app: &App| app.screen().is_some_and(|screen| screen.list.is_some());
    app.display.list = Some(!is_shown(app));
    app.resize(app.size);
    if is_shown(app) {
        app.notify(Tone::Done, "the file list is at the side");
    } else if app.display.list == Some(false) {
        app.notify(Tone::Done, "no file list at the side");
    } else {
        let all = app.key(Command::List(List::Show));
        let words = format!("too narrow for the file list: {all} shows it alone");
        app.notify(Tone::Refused, words);
    }
}

/// Opens all folds of the file of the cursor.
fn open_folds(app: &mut App) {
    let Some(file) = app.stream.file() else {
        return app.notify(Tone::Refused, NO_FILE);
    };
    let hunks = app.session.files[file].hunks.len();
    let hunks = (0..hunks).map(|hunk| (HunkId { file, hunk }, 0..usize::MAX));
    app.stream.folds.opened_changes.extend(hunks);
    let all = 0..app.session.files[file].base.len();
    app.stream.open(&app.session, file, all);
    app.notify(Tone::Done, "all folds of this file are open");
}

/// Closes the folds of the file of the cursor.
fn close_folds(app: &mut App) {
    let Some(file) = app.stream.file() else {
        return app.notify(Tone::Refused, NO_FILE);
    };
    app.stream.close(&app.session, file);
    app.stream.show_cursor(&app.session);
    app.notify(Tone::Done, "the folds of this file are closed");
}

/// Shows more unchanged lines around hunks, or fewer.
fn context(app: &mut App, by: isize) {
    app.stream.change_context(&app.session, by);
    let words = match app.stream.folds.context {
        0 => "no unchanged lines around hunks".to_owned(),
        lines => format!("{} around hunks", plural(lines, "unchanged line")),
    };
    app.notify(Tone::Done, words);
}

/// Shows the file of the cursor only, or all of them again.
fn one_file(app: &mut App) {
    let (files, words) = match app.stream.files {
        FilesShown::All => {
            let next = app.key(Command::Jump(Landmark::File, Direction::Forward));
            let previous = app.key(Command::Jump(Landmark::File, Direction::Backward));
            let words = format!("one file at a time: {next} and {previous} go to the others");
            (FilesShown::One, words)
        }
        FilesShown::One => (FilesShown::All, "all files in one stream".to_owned()),
    };
    app.stream.files = files;
    app.stream.show_cursor(&app.session);
    app.notify(Tone::Done, words);
}

/// Lays the two sides of the changed lines at the cursor out one below the other, or beside each other again.
fn pairs(app: &mut App) {
    let here = app.stream.row();
    let Some(Row::Change { id, line, .. }) = here else {
        app.notify(Tone::Refused, "no changed line here");
        return;
    };
    let mut groups = app.session.files[id.file].groups.iter();
    let own = groups.find(|group| group.hunk == id.hunk && group.lines.contains(&line));
    let Some(lines) = own.map(|group| group.lines.clone()) else {
        return;
    };
    let apart = &mut app.stream.folds.apart;
    let before = apart.len();
    apart.retain(|known| *known != (id, lines.clone()));
    let words = if apart.len() < before {
        "these lines are compared in pairs again"
    } else {
        apart.push((id, lines));
        "these lines are not compared in pairs"
    };
    app.stream.lay_out_file(&app.session, id.file);
    app.notify(Tone::Done, words);
}

/// Opens some lines of a fold, at both of its ends that have something beside them.
fn open_some(app: &mut App, file: usize, lines: Range<LineIdx>) {
    let all = app.session.files[file].base.len();
    let above = lines.start..(lines.start + OPENED).min(lines.end);
    let below = lines.end.saturating_sub(OPENED).max(lines.start)..lines.end;
    let above = above.start..if lines.start > 0 {
        above.end
    } else {
        above.start
    };
    let below = if lines.end < all {
        below.start.max(above.end)
    } else {
        below.end
    }..below.end;
    let opened = above.len() + below.len();
    for lines in [above, below].into_iter().filter(|lines| !lines.is_empty()) {
        app.stream.open(&app.session, file, lines);
    }
    let words = format!("{} of the fold opened", plural(opened, "line"));
    app.notify(Tone::Done, words);
}

/// Opens the fold of the cursor, or goes to the hunks that it names; elsewhere, closes the whole file or opens it again.
fn fold(app: &mut App) {
    match app.stream.row() {
        Some(Row::Elsewhere { file, hunk, .. }) => app.go_to_hunk(HunkId { file, hunk }),
        row if app.stream.open_fold(&app.session, row) => (),
        Some(row) => {
            let file = row.file();
            let closed = &mut app.stream.folds.closed;
            if closed.contains(&file) {
                closed.retain(|&other| other != file);
            } else {
                closed.push(file);
            }
            app.stream.lay_out_file(&app.session, file);
            let head = app.stream.rows.part_at(app.stream.cursor).start;
            app.stream.go(&app.session, head, true);
        }
        None => (),
    }
}

/// Copies the new lines of an edit that has no place.
fn copy_edit(app: &mut App) -> Effect {
    let id = app.stream.hunk();
    let lines = id.and_then(|id| app.session.hunk(id)?.stated_lines());
    let Some(lines) = lines.filter(|lines| !lines.postimage.is_empty()) else {
        app.notify(Tone::Refused, "no lines here to copy");
        return Effect::None;
    };
    let text = lines.postimage.join("\n") + "\n";
    app.notify(Tone::Done, "copied the new lines of the edit");
    Effect::Copy(text)
}

/// Copies the lines of a part of the input that could not be read; `None` if the cursor is on none.
fn copy_problem(app: &mut App) -> Option<Effect> {
    let Some(Row::Problem { problem, .. }) = app.stream.row() else {
        return None;
    };
    let lines = &app.session.problems.get(problem)?.text;
    let text = lines.join("\n") + "\n";
    app.notify(Tone::Done, "copied the lines of the input");
    Some(Effect::Copy(text))
}

/// Opens the fold or the closed file of the cursor.
fn unfold(app: &mut App) {
    match app.stream.row() {
        Some(Row::Elsewhere { file, hunk, .. }) => app.go_to_hunk(HunkId { file, hunk }),
        row if app.stream.open_fold(&app.session, row) => (),
        Some(Row::File { file, .. }) if app.stream.folds.closed.contains(&file) => fold(app),
        Some(_) | None => {
            let why = unplaced_help::here(app).unwrap_or_else(|| {
                let edit = app.key(Command::Edit(Editing::Begin));
                format!("no fold here; {edit} edits the lines")
            });
            app.notify(Tone::Refused, why);
        }
    }
}

/// Copies the selected lines, or the line of the cursor: as they come, or as they were where nothing comes for them.
pub(crate) fn copy(app: &mut App) -> Effect {
    let here = app.stream.cursor;
    let rows = app.selected().unwrap_or(here..here + 1);
    let lines: Vec<&str> = rows
        .filter_map(|idx| {
            let (old, new) = texts(&app.session, app.stream.rows.get(idx)?);
            new.or(old)
        })
        .collect();
    if lines.is_empty() {
        return copy_problem(app).unwrap_or_else(|| copy_edit(app));
    }
    let text = lines.join("\n") + "\n";
    app.mode = Mode::Review;
    app.notify(Tone::Done, "copied");
    Effect::Copy(text)
}
