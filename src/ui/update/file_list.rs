//! The list of all files: shown, left, sorted.

use super::prompt;
use crate::review::Row;
use crate::ui::command::List;
use crate::ui::file_list::FileListRow;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::Mode;

pub(crate) fn list(app: &mut App, list: List) {
    match list {
        List::Show => {
            if matches!(app.mode, Mode::FileList) {
                app.mode = Mode::Review;
            } else {
                app.file_list.cursor = app.listed_here().unwrap_or(app.file_list.cursor);
                app.file_list.arrange(&app.session, &app.summaries);
                app.file_list.show_cursor(app.file_list_page());
                app.mode = Mode::FileList;
            }
        }
        List::Open => {
            app.file_list.from = None;
            if let Some(row) = app.file_list.row().filter(|row| row.file().is_some()) {
                app.mode = Mode::Review;
                show_row(app, row);
            } else if let Some(problem) = app.file_list.problem() {
                app.mode = Mode::Review;
                show_problem(app, problem);
            } else {
                fold(app);
            }
        }
        List::Fold => fold(app),
        List::Sort => {
            app.file_list.sort = app.file_list.sort.next();
            app.arrange();
            app.close_quiet_files();
            app.search.recount();
            app.stream.lay_out(&app.session);
            app.fit_list();
            app.file_list.show_cursor(app.file_list_page());
            app.notify(Tone::Done, format!("files {}", app.file_list.sort.name()));
        }
        List::Choose => app.file_list.choose(),
        List::Range if app.file_list.from.is_some() => app.file_list.choose(),
        List::Range => app.file_list.from = Some(app.file_list.cursor),
        List::ChooseAll => app.file_list.choose_all(),
        List::Filter => prompt::filter(app),
    }
}

/// Closes the folder of the list's cursor, or opens it.
pub(crate) fn fold(app: &mut App) {
    if app.file_list.toggle_folder() {
        app.file_list.arrange(&app.session, &app.summaries);
        app.fit_list();
        app.file_list.show_cursor(app.file_list_page());
    } else {
        app.notify(Tone::Refused, "no folder here");
    }
}

/// Puts the stream's cursor on a part of the input that could not be read.
pub(crate) fn show_problem(app: &mut App, problem: usize) {
    let is_it =
        |row: Row| matches!(row, Row::Problem { problem: at, line: 0, .. } if at == problem);
    let rows = &app.stream.rows;
    if let Some(row) = rows.find(0..rows.len(), false, is_it) {
        app.stream.jump(&app.session, row);
        app.stream.align(&app.session, 0);
    }
}

/// Puts the stream's cursor on the head of a file.
pub(crate) fn show_file(app: &mut App, file: usize) {
    show_row(app, FileListRow::File(file));
}

/// Puts the stream's cursor on the head of a file, or of a part of it, below its purpose.
pub(crate) fn show_row(app: &mut App, row: FileListRow) {
    let rows = &app.stream.rows;
    let heading = match row {
        FileListRow::File(file) => rows.heading_of_file(file),
        FileListRow::Part { at, .. } => rows.heading_of_part(at),
        FileListRow::Group(_) | FileListRow::Folder(_) | FileListRow::Problem(_) => None,
    };
    let Some(heading) = heading else {
        return;
    };
    let purpose = heading.checked_sub(1).and_then(|above| rows.get(above));
    let above = usize::from(matches!(purpose, Some(Row::Purpose { .. })));
    app.stream.jump(&app.session, heading);
    app.stream.align(&app.session, above);
}
