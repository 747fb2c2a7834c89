//! The stream: its title and the rows in sight.

mod cell;
mod headings;
mod row;
mod row_view;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::cells::{at_right, fill_line, put};
use super::{row_names, truncate};
use crate::review::{Row, Standing};
use crate::text::{plural, sanitize_name};
use crate::ui::file_name::ShownName;
use crate::ui::glyphs::{self, wrap};
use crate::ui::layout::areas::Pane;
use crate::ui::layout::display_settings::FilesShown;
use crate::ui::state::app::App;
use crate::ui::state::mode::Mode;
use row_view::RowView;

pub(crate) fn draw(buffer: &mut Buffer, pane: Pane, app: &App) {
    let below = app.stream.changes_below(&app.session);
    title(buffer, pane.title, app, below);
    if app.stream.rows.is_empty() {
        return nothing(buffer, pane.body, app);
    }
    let stream = &app.stream;
    let visible = stream.visible(&app.session);
    for (i, &(idx, line)) in visible.iter().enumerate() {
        let end = visible
            .get(i + 1)
            .map_or(isize::from(pane.body.height.cast_signed()), |(_, next)| {
                *next
            });
        let first = line.max(0);
        let last = end.min(isize::from(pane.body.height.cast_signed()));
        let (Ok(first_line), Ok(height)) = (u16::try_from(first), u16::try_from(last - first))
        else {
            continue;
        };
        // The last row in sight may be shorter than the room below it.
        let height =
            height.min(u16::try_from(stream.height(&app.session, idx)).unwrap_or(u16::MAX));
        let area = Rect {
            y: pane.body.y + first_line,
            height,
            ..pane.body
        };
        let skip = usize::try_from(first - line).unwrap_or(0);
        if let Some(row) = stream.rows.get(idx) {
            RowView {
                app,
                columns: stream.columns(&app.session, row.file()),
                idx,
                row,
                area,
                skip,
            }
            .draw(buffer);
        }
        let is_last = i + 1 == visible.len();
        if is_last && below > 0 && idx != stream.cursor {
            let look = &app.display;
            let at = pane.body.rows().next_back().unwrap_or(area);
            put(
                buffer,
                at.as_position(),
                look.signs.more_below,
                look.theme.key,
            );
        }
    }
}

/// Explains why the stream is empty, with all that could not be read.
fn nothing(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = &app.display.theme;
    let problems = &app.session.problems;
    let words = if problems.is_empty() {
        "Nothing to review: the input contains no edits."
    } else {
        "Nothing to review: no edit of the input could be read."
    };
    let mut texts = vec![(words.to_owned(), theme.quiet)];
    texts.extend(problems.iter().map(|problem| {
        let path = problem.path.as_ref();
        let path = path.map_or_else(String::new, |path| format!("{path}, "));
        (
            sanitize_name(&format!("{path}{problem}")).into_owned(),
            theme.attention,
        )
    }));
    let width = usize::from(area.width).saturating_sub(4);
    let lines = texts.iter().flat_map(|(text, style)| {
        wrap::words(text, width)
            .into_iter()
            .map(move |line| (line, *style))
    });
    for ((line, style), row) in lines.zip(area.rows()) {
        let pieces = vec![Span::styled(format!("   {line}"), style)];
        fill_line(buffer, row, &pieces, (" ", theme.quiet));
    }
}

/// Returns the position of the text cursor while a hunk is edited. It is the terminal's own cursor, so that
/// input methods know the position.
pub(crate) fn caret(app: &App) -> Option<Position> {
    let Mode::Edit(edit) = &app.mode else {
        return None;
    };
    let (stream, caret) = (&app.stream, edit.editor.caret());
    let rows = &stream.rows;
    let row = rows.of_new_line(edit.region.hunk.file, edit.line())?;
    let (_, line) = stream
        .visible(&app.session)
        .into_iter()
        .find(|(idx, _)| *idx == row)?;
    let column = stream.columns(&app.session, edit.region.hunk.file).new;
    let text = &edit.editor.lines()[caret.line];
    let at = glyphs::column_of(text, caret.byte);
    let shown = stream.rows.get(row);
    let wraps = shown.is_some_and(|row| stream.wraps(&app.session, row));
    let (above, from) = if wraps {
        let breaks = glyphs::breaks(text, column.width.into());
        let above = breaks
            .partition_point(|&start| start <= at)
            .saturating_sub(1);
        (above, breaks[above])
    } else {
        (0, shown.map_or(0, |row| app.hidden_columns(row)))
    };
    let x = usize::from(column.text) + at.checked_sub(from)?;
    let y = isize::from(stream.body.y.cast_signed()) + line + above.cast_signed();
    let position = Position {
        x: u16::try_from(x).ok()?,
        y: u16::try_from(y).ok()?,
    };
    stream.body.contains(position).then_some(position)
}

/// The file of the top row, how far down the batch the cursor is, and how many changed lines of its hunk are `below` the screen.
fn title(buffer: &mut Buffer, area: Rect, app: &App, below: usize) {
    let theme = &app.display.theme;
    let rule = (app.display.signs.horizontal, theme.border);
    let Some((row, top)) = top_row(app) else {
        return fill_line(buffer, area, &Vec::new(), rule);
    };
    let file = &app.session.files[top];
    // What could not be read is above the first file, and belongs to none: it has no hunks.
    let unread = app.unread_part_of(row);
    let room = usize::from(area.width).saturating_sub(6);
    let path = match unread {
        Some(problem) => truncate::end(&app.display, &app.unread_name(problem), room),
        None => row_names::cut(&app.display, &ShownName::below(file, 0), room),
    };
    let pieces = vec![
        Span::styled(rule.0.repeat(2), theme.border),
        Span::styled(format!(" {path} "), theme.strong),
    ];
    let used = u16::try_from(glyphs::width(&path))
        .unwrap_or(u16::MAX)
        .saturating_add(6);
    fill_line(buffer, area, &pieces, rule);
    let extent = app.stream.extent();
    let above = app.stream.cursor.saturating_sub(extent.start) + 1;
    let percent = above * 100 / extent.len().max(1);
    let dot = app.display.signs.dot;
    let is_unread = unread.is_some() || app.unread_part().is_some();
    let here = app.stream.hunk();
    let here = here.filter(|id| id.file == top && !is_unread);
    let place = here.map(|id| {
        let (number, count) = app.session.files[id.file].number_of(id.hunk);
        format!("hunk {number}/{count} {dot} ")
    });
    let among = match app.stream.files {
        FilesShown::All => String::new(),
        FilesShown::One => format!("file {} {dot} ", among_files(app)),
    };
    let place = format!(" {among}{}", place.unwrap_or_default());
    let below = match below {
        0 => String::new(),
        count => format!("{} below {dot} ", plural(count, "line")),
    };
    let percent = format!("{percent} % ");
    let width = [&place, &below, &percent].map(|part| glyphs::width(part));
    let fits = width.iter().sum::<usize>() + usize::from(used) <= area.width.into();
    let below = Some(below).filter(|_| fits).unwrap_or_default();
    let pieces = [
        Span::styled(place, theme.quiet),
        Span::styled(below, theme.key),
        Span::styled(percent, theme.quiet),
    ];
    at_right(buffer, area, &pieces, used);
}

/// Returns the first row on the screen and its file; the gap below a file belongs to the next one.
fn top_row(app: &App) -> Option<(Row, usize)> {
    let top = app.stream.top;
    let row = app.stream.rows.get(top)?;
    let below = matches!(row, Row::Gap { .. }).then(|| app.stream.rows.get(top + 1));
    let row = below.flatten().unwrap_or(row);
    let file = row.file();
    (file < app.session.files.len()).then_some((row, file))
}

/// Returns the rank of the current file and the number of files.
fn among_files(app: &App) -> String {
    let here = app.stream.file().unwrap_or(0);
    let order = app.summaries.files_in_order().into_iter();
    let present =
        |file: &usize| app.session.files[*file].standing != Standing::Gone && !app.is_hidden(*file);
    let files: Vec<usize> = order.filter(present).collect();
    let above = files
        .iter()
        .position(|&file| file == here)
        .map_or(0, |at| at + 1);
    format!("{above}/{}", files.len())
}
