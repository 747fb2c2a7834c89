//! Editing the proposed lines, in place or in another program.

use std::sync::Arc;

use crate::review::{EditRegion, HunkReview, Mark, Row};
use crate::text::{IndentUnit, LineIdx, LineNo, indent_of};
use crate::ui::command::{Command, DecideAction, Editing, Scope};
use crate::ui::editor::{Caret, Editor, MOST_CHARS, is_too_long};
use crate::ui::glyphs;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{HunkEdit, Mode, Question};
use crate::ui::state::unplaced_help;
use crate::ui::stream::texts;

/// The most lines that can be edited in place.
const MOST_LINES: usize = 20_000;

/// Says that an edit is kept, and what can become of it.
pub(crate) fn say_kept(app: &mut App) {
    let accept = app.key(Command::Decide(Scope::Here, DecideAction::Accept));
    let restore = app.key(Command::Edit(Editing::Restore));
    let hunk = app.stream.hunk().and_then(|id| app.session.hunk(id));
    let words = if hunk.and_then(HunkReview::mark) == Some(Mark::Accepted) {
        format!("edited, and accepted as it is now: {restore} puts the agent's text back")
    } else {
        format!("edited: {accept} accepts it as it is now, {restore} puts the agent's text back")
    };
    app.notify(Tone::Done, words);
}

/// Begins to edit the hunk of the cursor; on a fold, opens it.
pub(crate) fn begin(app: &mut App) {
    if app.stream.open_fold(&app.session, app.stream.row()) {
        return;
    }
    let Some(id) = app.stream.hunk() else {
        return app.notify(Tone::Refused, unplaced_help::no_hunk(app));
    };
    let line = new_line(app);
    let context = app.stream.context_of(id);
    let Some(region) = app.session.begin_edit(id, context) else {
        let no_lines = || "this hunk has no lines that can be edited here".to_owned();
        let why = unplaced_help::words(app, id).unwrap_or_else(no_lines);
        return app.notify(Tone::Refused, why);
    };
    if region.lines.len() > MOST_LINES {
        app.session.cancel_edit();
        let external = app.key(Command::Edit(Editing::External));
        let words =
            format!("too many lines to edit in place: {external} opens them in your editor");
        return app.notify(Tone::Refused, words);
    }
    if let Some(long) = region.lines.iter().position(|line| is_too_long(line)) {
        app.session.cancel_edit();
        let external = app.key(Command::Edit(Editing::External));
        let line = LineNo::from_idx(region.first_new + long);
        let words = format!(
            "line {line} has more than {MOST_CHARS} characters, too many to edit in place: {external} opens it in your editor"
        );
        return app.notify(Tone::Refused, words);
    }
    let unit = IndentUnit::detect(app.session.files[id.file].yours().lines().take(2000));
    let mut editor = Editor::new(region.lines.clone(), unit.unwrap_or(IndentUnit::Spaces(4)));
    editor.set_page(app.stream.page().saturating_sub(2));
    let line = line.map_or(0, |line| line.saturating_sub(region.first_new));
    let byte = region
        .lines
        .get(line)
        .map_or(0, |line| indent_of(line).len());
    editor.go(Caret { line, byte });
    // What is edited stays in sight, even where it comes to equal the base.
    app.stream.folds.opened.push((id.file, region.base.clone()));
    app.stream.folds.opened_changes.push((id, 0..usize::MAX));
    app.stream.left = 0;
    app.mode = Mode::Edit(Box::new(HunkEdit {
        region,
        editor,
        changed: false,
    }));
    app.stream.lay_out_file(&app.session, id.file);
    show_caret(app);
}

/// The line of the right side at the cursor, or the next one below; on the head of a hunk, its first new line.
pub(crate) fn new_line(app: &App) -> Option<LineIdx> {
    let rows = &app.stream.rows;
    let range = app.stream.cursor..rows.part_at(app.stream.cursor).end;
    let on_head = matches!(app.stream.row(), Some(Row::Hunk { .. }));
    let shows =
        |row: Row| row.new_line().is_some() && !(on_head && matches!(row, Row::Context { .. }));
    rows.get(rows.find(range, false, shows)?)?.new_line()
}

pub(crate) fn in_place(
    app: &mut App,
    by: impl FnOnce(&mut Editor) -> Option<String>,
) -> Option<String> {
    let Mode::Edit(edit) = &mut app.mode else {
        return None;
    };
    let file = edit.region.hunk.file;
    let version = edit.editor.version();
    let caret = edit.editor.caret();
    let copied = by(&mut edit.editor);
    if edit.editor.version() != version {
        edit.changed = true;
        let from = edit.region.first_new + caret.line.min(edit.editor.caret().line);
        let before = Arc::clone(app.session.files[file].yours());
        app.session.edit(&edit.region, edit.lines());
        app.lines_edited(file, from, &before);
    }
    show_caret(app);
    copied
}

/// Brings the row of the text cursor, and its column, into sight.
pub(crate) fn show_caret(app: &mut App) {
    let Some(edit) = app.mode.edit() else {
        return;
    };
    let hunk = edit.region.hunk;
    let rows = &app.stream.rows;
    let row = rows
        .of_new_line(hunk.file, edit.line())
        .or_else(|| rows.of_hunk(hunk));
    let caret = edit.editor.caret();
    let line = &edit.editor.lines()[caret.line];
    let column = glyphs::column_of(line, caret.byte);
    if let Some(row) = row {
        app.stream.cursor = row;
        app.stream.show_column(&app.session, column);
        app.stream.show_cursor(&app.session);
    }
}

/// Keeps the edit and goes back to the review, also from the question whether to drop it.
pub(crate) fn keep(app: &mut App) {
    if let Mode::Edit(edit) | Mode::Question(Question::Drop(edit)) =
        std::mem::replace(&mut app.mode, Mode::Review)
    {
        app.session.finish_edit();
        end(app, &edit);
        if edit.changed {
            say_outcome(app, &edit);
        }
    }
}

/// Says what an edit that the person ended has changed.
fn say_outcome(app: &mut App, edit: &HunkEdit) {
    let hunk = app.session.hunk(edit.region.hunk);
    if edit.editor.lines() == edit.region.lines {
        app.notify(Tone::Done, "no line changed");
    } else if hunk.is_some_and(|hunk| hunk.state.edited) {
        say_kept(app);
    } else {
        app.notify(Tone::Done, "no edit left: these are the agent's lines");
    }
}

pub(crate) fn ask_drop(app: &mut App) {
    if let Mode::Edit(edit) = std::mem::replace(&mut app.mode, Mode::Review) {
        if edit.changed {
            app.mode = Mode::Question(Question::Drop(edit));
        } else {
            drop_edit(app, &edit);
        }
    }
}

/// Drops an edit as if it had not been made.
pub(crate) fn drop_edit(app: &mut App, edit: &HunkEdit) {
    let file = edit.region.hunk.file;
    let before = Arc::clone(app.session.files[file].yours());
    app.session.cancel_edit();
    app.lines_edited(file, edit.region.first_new, &before);
    end(app, edit);
}

/// Folds the region again and stays on the hunk.
fn end(app: &mut App, edit: &HunkEdit) {
    let EditRegion { hunk, base, .. } = &edit.region;
    app.stream
        .folds
        .opened
        .retain(|(file, lines)| *file != hunk.file || lines != base);
    app.stream.left = 0;
    app.stream.lay_out_file(&app.session, hunk.file);
    app.decisions_changed(Some(hunk.file));
    if app.stream.hunk() != Some(*hunk) {
        app.go_to_hunk(*hunk);
    }
}

pub(crate) fn restore(app: &mut App) {
    let Some(id) = app.stream.hunk() else {
        return app.notify(Tone::Refused, unplaced_help::no_hunk(app));
    };
    let before = Arc::clone(app.session.files[id.file].yours());
    if app.session.restore(id) {
        app.lines_edited(id.file, 0, &before);
        app.stream.lay_out_file(&app.session, id.file);
        app.go_to_hunk(id);
        app.notify(Tone::Done, "the agent's text is back, undecided");
    } else {
        app.notify(Tone::Refused, "no changes by you in this hunk");
    }
}

/// Purpose of a click in the edited text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pointing {
    /// To put the text cursor there.
    Go,
    /// To select up to there.
    Select,
}

/// Puts the text cursor where the mouse points, if that is a line being edited; whether it is.
pub(crate) fn point(app: &mut App, row: usize, column: usize, how: Pointing) -> bool {
    let Some(shown) = app.stream.rows.get(row) else {
        return false;
    };
    let byte = glyphs::byte_at(texts(&app.session, shown).1.unwrap_or_default(), column);
    let Mode::Edit(edit) = &mut app.mode else {
        return false;
    };
    let (file, Some(new)) = (shown.file(), shown.new_line()) else {
        return false;
    };
    let lines = edit.region.first_new..edit.region.first_new + edit.editor.lines().len();
    if file != edit.region.hunk.file || !lines.contains(&new) {
        return false;
    }
    let caret = Caret {
        line: new - lines.start,
        byte,
    };
    match how {
        Pointing::Go => edit.editor.go(caret),
        Pointing::Select => edit.editor.select_to(caret),
    }
    show_caret(app);
    true
}
