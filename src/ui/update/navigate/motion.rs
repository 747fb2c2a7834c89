//! Moving along rows and scrolling.

use crate::review::Row;
use crate::text::LineNo;
use crate::ui::command::{Motion, Scroll};
use crate::ui::highlight::Half;
use crate::ui::layout::display_settings::LongLines;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::help;
use crate::ui::state::mode::Mode;
use crate::ui::update::{manual_placement, reader};

/// Columns that one key scrolls sideways.
const SIDEWAYS: usize = 8;

/// Distance of a motion: a number of rows, or to an end.
#[derive(Debug, Clone, Copy)]
enum Distance {
    Rows(isize),
    Start,
    End,
}

pub(crate) fn travel(app: &mut App, motion: Motion, count: Option<usize>) {
    match &app.mode {
        Mode::Help { top, filter } => {
            let (top, last) = (
                *top,
                help::height(app, filter).saturating_sub(help::page(app.size)),
            );
            app.mode = Mode::Help {
                filter: filter.clone(),
                top: moved(top, distance(motion, count, help::page(app.size)), last),
            };
        }
        Mode::FileList => {
            let page = app.file_list_page();
            let last = app.file_list.rows.len().saturating_sub(1);
            app.file_list.cursor = moved(app.file_list.cursor, distance(motion, count, page), last);
            app.file_list.show_cursor(page);
        }
        Mode::Place(placing) => {
            let (at, last) = (placing.at, app.session.files[placing.hunk.file].base.len());
            let page = app.stream.page().saturating_sub(2).max(1);
            let at = match (motion, count) {
                (Motion::Bottom, Some(number)) => number.saturating_sub(1).min(last),
                _ => moved(at, distance(motion, count, page), last),
            };
            manual_placement::go(app, at);
        }
        Mode::Read => {
            let page = reader::page(app);
            let last = reader::height(app).saturating_sub(page);
            let top = app.reader.as_ref().map_or(0, |reader| reader.top);
            let top = match (motion, count) {
                (Motion::Bottom, Some(number)) => number.saturating_sub(1).min(last),
                _ => moved(top, distance(motion, count, page), last),
            };
            reader::go(app, top);
        }
        Mode::Review
        | Mode::Lines { .. }
        | Mode::Edit(_)
        | Mode::Prompt(_)
        | Mode::Question(_)
        | Mode::Finish => {
            in_stream(app, motion, count);
        }
    }
}

fn in_stream(app: &mut App, motion: Motion, count: Option<usize>) {
    let session = &app.session;
    let stream = &mut app.stream;
    let page = stream.page().saturating_sub(2).max(1);
    match (motion, count) {
        (Motion::Bottom, Some(line)) => go_to_line(app, line),
        (Motion::HalfDown | Motion::HalfUp | Motion::PageDown | Motion::PageUp, _) => {
            if let Distance::Rows(lines) = distance(motion, count, page) {
                stream.page_by(session, lines);
            }
        }
        (Motion::Down | Motion::Up | Motion::Top | Motion::Bottom, _) => {
            match distance(motion, count, page) {
                Distance::Rows(rows) => stream.step(session, rows),
                Distance::Start => stream.go(session, 0, true),
                Distance::End => stream.go(session, usize::MAX, true),
            }
        }
    }
}

fn distance(motion: Motion, count: Option<usize>, page: usize) -> Distance {
    let times = count.unwrap_or(1).cast_signed();
    let page = page.cast_signed();
    match motion {
        Motion::Down => Distance::Rows(times),
        Motion::Up => Distance::Rows(-times),
        Motion::HalfDown => Distance::Rows(times.saturating_mul(page / 2)),
        Motion::HalfUp => Distance::Rows(times.saturating_mul(-page / 2)),
        Motion::PageDown => Distance::Rows(times.saturating_mul(page)),
        Motion::PageUp => Distance::Rows(times.saturating_mul(-page)),
        Motion::Top => Distance::Start,
        Motion::Bottom => Distance::End,
    }
}

fn moved(from: usize, distance: Distance, last: usize) -> usize {
    match distance {
        Distance::Rows(rows) => from.saturating_add_signed(rows).min(last),
        Distance::Start => 0,
        Distance::End => last,
    }
}

/// Goes to a line of the cursor's file, by its number on the right side; opens the fold that hides it.
fn go_to_line(app: &mut App, number: usize) {
    let (Some(file), Some(number)) = (app.stream.file(), LineNo::new(number)) else {
        return;
    };
    let lines = app.session.files[file].right_len();
    let line = number.idx().min(lines.saturating_sub(1));
    if number.idx() >= lines && lines > 0 {
        let words = format!("the file ends at line {lines}");
        app.notify(Tone::Refused, words);
    }
    if app.stream.rows.of_new_line(file, line).is_none() {
        let rows = &app.stream.rows;
        let holds = |row: Row| matches!(row, Row::FoldedChange { new, .. } if new.contains(line));
        let fold = rows.find_in_file(file, holds).and_then(|row| rows.get(row));
        app.stream.open_fold(&app.session, fold);
    }
    if app.stream.rows.of_new_line(file, line).is_none() {
        let around = base_line(app, file, line);
        app.stream
            .open(&app.session, file, around.saturating_sub(5)..around + 6);
    }
    if let Some(row) = app.stream.rows.of_new_line(file, line) {
        app.stream.jump(&app.session, row);
    }
}

/// The base line that an unchanged line of the right side is.
fn base_line(app: &App, file: usize, line: usize) -> usize {
    let mut shift = 0;
    for group in &app.session.files[file].groups {
        if group.base.start.saturating_add_signed(shift) > line {
            break;
        }
        shift += group.adds.cast_signed() - group.base.len().cast_signed();
    }
    line.saturating_add_signed(-shift)
}

pub(crate) fn scroll(app: &mut App, scroll: Scroll, count: Option<usize>) {
    if matches!(app.mode, Mode::Read) {
        return reader::sideways(app, scroll, SIDEWAYS * count.unwrap_or(1));
    }
    let by = SIDEWAYS * count.unwrap_or(1);
    let furthest = if scroll == Scroll::Right {
        widest(app)
    } else {
        0
    };
    let side = |half| app.stream.row().map_or(0, |row| app.side_width(row, half));
    let (old, new) = (side(Half::Base), side(Half::Proposed));
    let session = &app.session;
    let stream = &mut app.stream;
    match scroll {
        Scroll::Left | Scroll::Right | Scroll::RightEdge => stream.left_by_hand = true,
        Scroll::LeftEdge => stream.left_by_hand = false,
        Scroll::CursorToTop | Scroll::CursorToMiddle | Scroll::CursorToBottom => (),
    }
    match scroll {
        Scroll::CursorToTop => stream.align(session, 0),
        Scroll::CursorToMiddle => stream.align(session, stream.page() / 2),
        Scroll::CursorToBottom => stream.align(session, stream.page() - 1),
        Scroll::Left => stream.left = stream.left.saturating_sub(by),
        Scroll::Right => stream.left = (stream.left + by).min(furthest),
        Scroll::LeftEdge => stream.left = 0,
        Scroll::RightEdge => {
            let columns = stream.columns(session, stream.file().unwrap_or(0));
            let beyond = |width: usize, room: u16| width.saturating_sub(usize::from(room));
            stream.left = beyond(old, columns.old.width).max(beyond(new, columns.new.width));
        }
    }
    if app.stream.long_lines == LongLines::Wrap {
        app.stream.left = 0;
    }
}

/// Returns the rightmost column of the rows on the screen.
fn widest(app: &App) -> usize {
    let rows = app.stream.visible(&app.session);
    let rows = rows.iter().filter_map(|(idx, _)| app.stream.rows.get(*idx));
    let widths =
        rows.flat_map(|row| [Half::Base, Half::Proposed].map(|half| app.side_width(row, half)));
    widths.max().unwrap_or(0).saturating_sub(1)
}
