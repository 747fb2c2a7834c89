//! The mouse: a click puts the cursor somewhere, on a mark it decides, the wheel scrolls, a drag selects lines.

use ratatui::layout::{Position, Rect};

use super::edit::in_place;
use super::edit::in_place::Pointing;
use super::{decide, file_list, manual_placement, reader};
use crate::review::{Row, Side};
use crate::ui::action::Mouse;
use crate::ui::command::List;
use crate::ui::file_list::FileListRow;
use crate::ui::glyphs;
use crate::ui::layout::areas::{Columns, ScreenAreas};
use crate::ui::state::app::{App, DragTarget};
use crate::ui::state::help;
use crate::ui::state::mode::Mode;
use crate::ui::stream::texts;

/// Cell of a file's mark in the row of a list.
const MARK: u16 = 1;

pub(crate) fn mouse(app: &mut App, mouse: Mouse, at: Position) {
    let Some(screen) = app.screen() else {
        return;
    };
    app.notice = None;
    match (&app.mode, mouse) {
        (Mode::FileList, _) => in_file_list(app, mouse, at),
        (Mode::Help { top, filter }, Mouse::Wheel(lines)) => {
            let last = help::height(app, filter).saturating_sub(help::page(app.size));
            app.mode = Mode::Help {
                filter: filter.clone(),
                top: top.saturating_add_signed(lines).min(last),
            };
        }
        (Mode::Read, Mouse::Wheel(lines)) => reader::scroll(app, lines),
        (_, Mouse::Wheel(lines)) => wheel(app, lines),
        (Mode::Place(_), Mouse::Press) => {
            if let Some(row) = row_at(app, at) {
                manual_placement::point(app, row);
            }
        }
        (Mode::Review | Mode::Lines { .. } | Mode::Edit(_), Mouse::Press) => {
            press(app, &screen, at);
        }
        (Mode::Review | Mode::Lines { .. } | Mode::Edit(_), Mouse::Drag)
            if app.drag == DragTarget::Divider =>
        {
            app.display.list_width = Some(at.x);
            app.resize(app.size);
        }
        (Mode::Review | Mode::Lines { .. }, Mouse::Drag) => drag(app, at),
        (Mode::Edit(_), Mouse::Drag) => {
            if let Some(row) = row_at(app, at) {
                let column = text_column(app, row, at);
                in_place::point(app, row, column, Pointing::Select);
            }
        }
        (
            Mode::Help { .. } | Mode::Prompt(_) | Mode::Question(_) | Mode::Finish | Mode::Read,
            Mouse::Press | Mouse::Drag,
        )
        | (Mode::Place(_), Mouse::Drag) => (),
    }
}

fn wheel(app: &mut App, lines: isize) {
    if app.mode.edit().is_some() || matches!(app.mode, Mode::Place(_)) {
        app.stream.scroll(&app.session, lines);
    } else {
        app.stream.scroll_with_cursor(&app.session, lines);
    }
}

fn in_file_list(app: &mut App, mouse: Mouse, at: Position) {
    match mouse {
        Mouse::Wheel(lines) => app.file_list.step(lines),
        Mouse::Press => {
            let body = app.file_list_areas().list.body;
            let row = app.file_list.top + usize::from(at.y.saturating_sub(body.y));
            if body.contains(at) && row < app.file_list.rows.len() {
                let again = app.file_list.cursor == row;
                app.file_list.cursor = row;
                let entry = app.file_list.row().filter(|row| row.file().is_some());
                match entry {
                    Some(entry) if at.x == body.x + MARK && decides(app) => {
                        decide::toggle_row(app, entry);
                    }
                    Some(_) | None if again => file_list::list(app, List::Open),
                    Some(_) | None => (),
                }
            }
        }
        Mouse::Drag => (),
    }
    app.file_list.show_cursor(app.file_list_page());
}

/// Returns true if a click may decide.
fn decides(app: &App) -> bool {
    app.summaries.unread == 0
}

fn press(app: &mut App, screen: &ScreenAreas, at: Position) {
    app.drag = match screen.list {
        Some(list) if at.x == list.body.right() => DragTarget::Divider,
        Some(_) | None => DragTarget::Nothing,
    };
    if app.drag == DragTarget::Divider {
        return;
    }
    if let Some(list) = screen.list.filter(|list| list.body.contains(at)) {
        return press_list(app, list.body, at);
    }
    let Some(row) = row_at(app, at) else {
        return;
    };
    if app.mode.edit().is_some() {
        let column = text_column(app, row, at);
        in_place::point(app, row, column, Pointing::Go);
        return;
    }
    app.mode = Mode::Review;
    app.stream.cursor = row;
    let columns = columns_of(app, row);
    let on_mark = columns.at(at).mark == at.x && decides(app);
    match app.stream.rows.get(row) {
        Some(Row::Change {
            id,
            line,
            side,
            old,
            new,
        }) if on_mark => {
            let side = match side {
                Side::Both if columns.old.mark == at.x => Side::Old,
                Side::Both => Side::New,
                Side::Old | Side::New => side,
            };
            if old.is_some() || new.is_some() {
                decide::toggle_line(app, id, line, side);
            }
        }
        Some(Row::Hunk { id }) if on_mark => decide::toggle_hunk(app, id),
        Some(Row::File { file, .. }) if on_mark => decide::toggle_file(app, file),
        row => {
            app.stream.open_fold(&app.session, row);
        }
    }
}

/// A click on the list at the side; not while lines are being edited.
fn press_list(app: &mut App, body: Rect, at: Position) {
    let at_row = app.list_top(body.height.into()) + usize::from(at.y - body.y);
    let row = app.file_list.rows.get(at_row).copied();
    match row.filter(|_| app.mode.edit().is_none()) {
        Some(FileListRow::Problem(problem)) => {
            app.mode = Mode::Review;
            file_list::show_problem(app, problem);
        }
        Some(row @ (FileListRow::File(_) | FileListRow::Part { .. })) => {
            if at.x == body.x + MARK && decides(app) {
                decide::toggle_row(app, row);
            } else {
                app.mode = Mode::Review;
                file_list::show_row(app, row);
            }
        }
        Some(FileListRow::Folder(_)) => {
            app.file_list.cursor = at_row;
            file_list::fold(app);
        }
        Some(FileListRow::Group(_)) | None => (),
    }
}

fn drag(app: &mut App, at: Position) {
    let Some(row) = row_at(app, at) else {
        return;
    };
    if row != app.stream.cursor && matches!(app.mode, Mode::Review) {
        app.mode = Mode::Lines {
            from: app.stream.cursor,
        };
    }
    app.stream.cursor = row;
    app.stream.show_cursor(&app.session);
}

/// The row of the stream at a cell.
fn row_at(app: &App, at: Position) -> Option<usize> {
    let body = app.stream.body;
    if !body.contains(at) {
        return None;
    }
    let line = isize::from((at.y - body.y).cast_signed());
    let visible = app.stream.visible(&app.session);
    let (row, _) = visible.into_iter().rfind(|(_, start)| *start <= line)?;
    Some(row)
}

/// The columns of a row.
fn columns_of(app: &App, row: usize) -> Columns {
    let file = app.stream.rows.get(row).map_or(0, Row::file);
    app.stream.columns(&app.session, file)
}

/// The column of the text at a cell.
fn text_column(app: &App, row: usize, at: Position) -> usize {
    let column = *columns_of(app, row).at(at);
    let inside = usize::from(at.x.saturating_sub(column.text));
    let shown = app.stream.rows.get(row);
    if !shown.is_some_and(|row| app.stream.wraps(&app.session, row)) {
        return inside + shown.map_or(0, |row| app.hidden_columns(row));
    }
    let line = isize::from((at.y - app.stream.body.y).cast_signed());
    let visible = app.stream.visible(&app.session);
    let start = visible
        .iter()
        .rfind(|(_, start)| *start <= line)
        .map_or(line, |(_, start)| *start);
    let above = usize::try_from(line - start).unwrap_or(0);
    let text = shown.and_then(|row| texts(&app.session, row).1);
    let breaks = glyphs::breaks(text.unwrap_or_default(), column.width.into());
    // Below the last row of one side is the other side.
    inside + breaks.get(above).or(breaks.last()).copied().unwrap_or(0)
}
