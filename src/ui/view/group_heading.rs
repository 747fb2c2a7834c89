//! The heading over files that are listed together, and over hunks of one purpose.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::cells::fill_line;
use super::truncate;
use crate::text::plural;
use crate::ui::file_list::{FileListRow, ListGroup};
use crate::ui::state::app::App;

/// The least cells of a name: where there is no room for as much, the numbers are left out.
const LEAST: u16 = 20;

/// Draws the heading of a group with the numbers of its rows.
pub(crate) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    group: ListGroup,
    members: &[FileListRow],
) {
    let theme = &app.display.theme;
    let files: BTreeSet<usize> = members.iter().filter_map(|row| row.file()).collect();
    let hunks: usize = (members.iter())
        .filter_map(|&row| Some(app.listed_hunks(row, row.file()?)))
        .sum();
    let dot = app.display.signs.dot;
    let rule = app.display.signs.horizontal;
    let numbers = format!(
        " {dot} {} {dot} {} ",
        plural(files.len(), "file"),
        plural(hunks, "hunk")
    );
    let name = group.name(&app.summaries.purposes);
    let start = vec![
        Span::raw(" "),
        Span::styled(format!("{rule} "), theme.border),
    ];
    let numbers = Span::styled(numbers, theme.quiet);
    let room = usize::from(area.width).saturating_sub(4);
    let beside = room.saturating_sub(numbers.width());
    let is_shown = beside >= LEAST.into();
    let name = truncate::start(&app.display, &name, if is_shown { beside } else { room });
    let mut pieces = start;
    pieces.push(Span::styled(name, theme.strong));
    pieces.push(if is_shown { numbers } else { Span::raw(" ") });
    fill_line(buffer, area, &pieces, (rule, theme.border));
}
