//! The screen, drawn from the state; nothing here changes anything.

mod bar;
mod batch;
mod cell;
mod dialog;
mod field;
mod fit;
mod frame;
mod heads;
pub mod help;
mod hints;
mod idle;
mod keys;
mod line;
mod list;
mod marks;
mod palette;
mod reader;
mod row;
mod stream;

use std::iter::repeat;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::app::App;
use super::keymap::Place;
use super::mode::{Mode, Purpose, Question};
use super::paint;
use super::screen::{LEAST, Screen};

/// Draws a whole frame; where the text cursor is, if there is one.
pub fn draw(app: &App) -> (Buffer, Option<Position>) {
    let mut buffer = Buffer::empty(Rect::from((Position::ORIGIN, app.size)));
    let caret = paint(&mut buffer, app);
    (buffer, caret)
}

/// Where the rows of what is in front move as a whole when it is scrolled.
pub fn scrolls(app: &App) -> Rect {
    match app.mode.place() {
        Place::Batch => app.batch_screen().list.body,
        Place::Help => below_bar(Rect::from((Position::ORIGIN, app.size))),
        Place::Stream
        | Place::Lines
        | Place::Editor
        | Place::Prompt
        | Place::Question
        | Place::Finish
        | Place::Placing => app.stream.body,
        Place::Reader => reader::body(below_bar(Rect::from((Position::ORIGIN, app.size))), app),
    }
}

/// Draws on a buffer of the state's size; where the caret is, if there is one.
fn paint(buffer: &mut Buffer, app: &App) -> Option<Position> {
    let area = buffer.area;
    buffer.set_style(area, app.look.theme.ground);
    let Some(screen) = app.screen() else {
        too_small(buffer, area, app);
        return None;
    };
    bar::draw(buffer, screen.bar, app);
    let mut caret = None;
    match &app.mode {
        Mode::Batch | Mode::Question(_) | Mode::Prompt(_) if shows_list(app) => {
            batch::draw(buffer, app);
        }
        Mode::Prompt(prompt) if prompt.purpose == Purpose::HelpFilter => {
            help::draw(buffer, below_bar(area), app, &prompt.editor.text(), 0);
        }
        Mode::Help { top, filter } => help::draw(buffer, below_bar(area), app, filter, *top),
        Mode::Review | Mode::Prompt(_) | Mode::Question(_) | Mode::Finish
            if app.stream.rows.is_empty()
                && let Some(idle) = &app.idle =>
        {
            idle::draw(buffer, below_bar(area), app, idle);
        }
        Mode::Read => reader::draw(buffer, below_bar(area), app),
        Mode::Prompt(prompt) if prompt.purpose == Purpose::SearchReader => {
            reader::draw(buffer, below_bar(area), app);
        }
        Mode::Review
        | Mode::Lines { .. }
        | Mode::Batch
        | Mode::Edit(_)
        | Mode::Prompt(_)
        | Mode::Question(_)
        | Mode::Place(_)
        | Mode::Finish => {
            if let Some(list) = screen.list {
                list::draw(buffer, list, app);
                divide(buffer, &screen, app);
            }
            stream::draw(buffer, screen.stream, app);
            caret = stream::caret(app);
        }
    }
    let in_dialog = dialog::draw(buffer, area, app);
    let in_hints = hints::draw(buffer, screen.hints, app);
    in_hints.or(in_dialog).or(caret)
}

/// Whether the list of all files is what stands on the screen, be it behind something.
fn shows_list(app: &App) -> bool {
    match &app.mode {
        Mode::Batch => true,
        Mode::Question(Question::Rest { from_batch, .. }) => *from_batch,
        Mode::Prompt(prompt) => prompt.from_batch && prompt.purpose != Purpose::HelpFilter,
        Mode::Review
        | Mode::Lines { .. }
        | Mode::Edit(_)
        | Mode::Place(_)
        | Mode::Read
        | Mode::Question(Question::Drop(_))
        | Mode::Finish
        | Mode::Help { .. } => false,
    }
}

fn below_bar(area: Rect) -> Rect {
    Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    }
}

/// The line between the list and the stream.
fn divide(buffer: &mut Buffer, screen: &Screen, app: &App) {
    let x = screen.stream.body.x.saturating_sub(1);
    for y in screen.stream.title.y..screen.stream.body.bottom() {
        let (sign, style) = (app.look.signs.vertical, app.look.theme.border);
        put(buffer, Position { x, y }, sign, style);
    }
}

fn too_small(buffer: &mut Buffer, area: Rect, app: &App) {
    let words = format!("too small: {} by {} needed", LEAST.width, LEAST.height);
    let pieces = [Span::styled(words, app.look.theme.attention)];
    write(buffer, area, &pieces);
}

/// Puts a sign into a cell, if the cell is on the screen.
fn put(buffer: &mut Buffer, at: Position, sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(at) {
        cell.set_symbol(sign).set_style(style);
    }
}

/// Writes pieces from the left into a line, as far as there is room; how many cells they took.
fn write(buffer: &mut Buffer, area: Rect, pieces: &[Span]) -> u16 {
    let mut x = area.x;
    let glyphs = pieces.iter().flat_map(|piece| {
        let glyphs = paint::glyphs(&piece.content);
        glyphs.map(|glyph| (glyph, piece.style))
    });
    for (glyph, style) in glyphs {
        let end = x.saturating_add(u16::try_from(glyph.width).unwrap_or(u16::MAX));
        if end > area.right() || area.height == 0 {
            break;
        }
        for (cell, sign) in (x..end).zip([glyph.text.as_ref()].into_iter().chain(repeat(" "))) {
            put(buffer, Position { x: cell, y: area.y }, sign, style);
        }
        x = end;
    }
    x - area.x
}

/// Writes pieces from the left into a line and fills the rest of it with a sign.
fn fill_line(buffer: &mut Buffer, area: Rect, pieces: &[Span], rest: (&str, Style)) {
    let end = area.x + write(buffer, area, pieces);
    for x in end..area.right() {
        put(buffer, Position { x, y: area.y }, rest.0, rest.1);
    }
}

/// Writes pieces flush right into a line, if they leave it `least` cells; what is left of the line.
fn at_right(buffer: &mut Buffer, area: Rect, pieces: &[Span], least: u16) -> Rect {
    let width = pieces.iter().map(|piece| paint::width(&piece.content));
    let width = u16::try_from(width.sum::<usize>()).unwrap_or(u16::MAX);
    if width == 0 || width.saturating_add(least) > area.width {
        return area;
    }
    let left = Rect {
        width: area.width - width,
        ..area
    };
    let right = Rect {
        x: left.right(),
        width,
        ..area
    };
    write(buffer, right, pieces);
    left
}
