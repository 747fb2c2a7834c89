//! The screen, drawn from the state; nothing here changes anything.

mod cells;
mod dialog;
mod empty_state;
mod file_list;
mod group_heading;
mod help;
mod hint_line;
mod input_field;
mod marks;
mod reader;
mod row_names;
mod sidebar;
mod stream;
mod text_line;
mod top_bar;
mod truncate;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use crate::ui::keymap::KeyContext;
use crate::ui::layout::areas::{LEAST, ScreenAreas};
use crate::ui::state::app::App;
use crate::ui::state::mode::{Mode, PromptPurpose};
use cells::{put, write};

/// Draws a whole frame; where the text cursor is, if there is one.
pub fn draw(app: &App) -> (Buffer, Option<Position>) {
    let mut buffer = Buffer::empty(Rect::from((Position::ORIGIN, app.size)));
    let caret = paint(&mut buffer, app);
    (buffer, caret)
}

/// Returns the area that scrolls as a whole.
pub fn scrolls(app: &App) -> Rect {
    match app.mode.key_context() {
        KeyContext::FileList => app.file_list_areas().list.body,
        KeyContext::Help => below_bar(Rect::from((Position::ORIGIN, app.size))),
        KeyContext::Stream
        | KeyContext::Lines
        | KeyContext::Editor
        | KeyContext::Prompt
        | KeyContext::Question
        | KeyContext::Finish
        | KeyContext::Placing => app.stream.body,
        KeyContext::Reader => {
            reader::body(below_bar(Rect::from((Position::ORIGIN, app.size))), app)
        }
    }
}

/// Draws on a buffer of the state's size; where the caret is, if there is one.
fn paint(buffer: &mut Buffer, app: &App) -> Option<Position> {
    let area = buffer.area;
    buffer.set_style(area, app.display.theme.ground);
    let Some(screen) = app.screen() else {
        too_small(buffer, area, app);
        return None;
    };
    top_bar::draw(buffer, screen.bar, app);
    let mut caret = None;
    match &app.mode {
        Mode::FileList | Mode::Question(_) | Mode::Prompt(_) if app.mode.shows_file_list() => {
            file_list::draw(buffer, app);
        }
        Mode::Prompt(prompt) if prompt.purpose == PromptPurpose::HelpFilter => {
            help::draw(buffer, below_bar(area), app, &prompt.editor.text(), 0);
        }
        Mode::Help { top, filter } => help::draw(buffer, below_bar(area), app, filter, *top),
        Mode::Review | Mode::Prompt(_) | Mode::Question(_) | Mode::Finish
            if app.stream.rows.is_empty()
                && let Some(idle) = &app.empty_state =>
        {
            empty_state::draw(buffer, below_bar(area), app, idle);
        }
        Mode::Read => reader::draw(buffer, below_bar(area), app),
        Mode::Prompt(prompt) if prompt.purpose == PromptPurpose::SearchReader => {
            reader::draw(buffer, below_bar(area), app);
        }
        Mode::Review
        | Mode::Lines { .. }
        | Mode::FileList
        | Mode::Edit(_)
        | Mode::Prompt(_)
        | Mode::Question(_)
        | Mode::Place(_)
        | Mode::Finish => {
            if let Some(list) = screen.list {
                sidebar::draw(buffer, list, app);
                if let Some(waiting) = screen.waiting {
                    sidebar::draw_waiting(buffer, waiting, app);
                }
                divide(buffer, &screen, app);
            }
            stream::draw(buffer, screen.stream, app);
            caret = stream::caret(app);
        }
    }
    let in_dialog = dialog::draw(buffer, area, app);
    let in_hints = hint_line::draw(buffer, screen.hints, app);
    in_hints.or(in_dialog).or(caret)
}

fn below_bar(area: Rect) -> Rect {
    Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    }
}

/// The line between the list and the stream.
fn divide(buffer: &mut Buffer, screen: &ScreenAreas, app: &App) {
    let x = screen.stream.body.x.saturating_sub(1);
    for y in screen.stream.title.y..screen.stream.body.bottom() {
        let (sign, style) = (app.display.signs.vertical, app.display.theme.border);
        put(buffer, Position { x, y }, sign, style);
    }
}

fn too_small(buffer: &mut Buffer, area: Rect, app: &App) {
    let words = format!("too small: {} by {} needed", LEAST.width, LEAST.height);
    let pieces = [Span::styled(words, app.display.theme.attention)];
    write(buffer, area, &pieces);
}
