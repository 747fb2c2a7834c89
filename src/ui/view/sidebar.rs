//! The file list at the side of the stream.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::{group_heading, marks, truncate};
use crate::ui::file_list::FileListRow;
use crate::ui::layout::areas::Pane;
use crate::ui::state::app::App;
use crate::ui::summary::FileSummary;

/// The least cells of a name, with the mark in front of it: where there is no room for as much, the counts are left out.
const LEAST: u16 = 11;

pub(crate) fn draw(buffer: &mut Buffer, pane: Pane, app: &App) {
    let theme = &app.display.theme;
    let rule = app.display.signs.horizontal;
    let mut title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Files ", theme.strong),
    ];
    if let Some(words) = app.file_list.filter_words(app.session.files.len()) {
        title.push(Span::styled(words + " ", theme.edited));
    }
    let order = format!("{} {} ", app.display.signs.dot, app.file_list.sort.name());
    title.push(Span::styled(order, theme.quiet));
    let title = truncate::whole(title, pane.title.width);
    fill_line(buffer, pane.title, &title, (rule, theme.border));
    let top = app.list_top(pane.body.height.into());
    let list = &app.file_list;
    let here = app.listed_here();
    for ((at, entry), row) in list.rows.iter().enumerate().skip(top).zip(pane.body.rows()) {
        match *entry {
            FileListRow::File(file) | FileListRow::Part { file, .. } => {
                let summary = app.listed_summary(*entry, file);
                draw_file(buffer, row, app, (file, &summary), here == Some(at));
            }
            FileListRow::Problem(at) => draw_problem(buffer, row, app, at),
            FileListRow::Group(group) => {
                group_heading::draw(buffer, row, app, group, &list.members(group));
            }
        }
    }
}

/// Draws the agents that wait, and for how long.
pub(crate) fn draw_waiting(buffer: &mut Buffer, pane: Pane, app: &App) {
    let theme = &app.display.theme;
    let rule = app.display.signs.horizontal;
    let title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Waiting ", theme.strong),
    ];
    let title = truncate::whole(title, pane.title.width);
    fill_line(buffer, pane.title, &title, (rule, theme.border));
    for ((agent, time), row) in app.waiting.rows().iter().zip(pane.body.rows()) {
        let right = [Span::styled(format!(" {time} "), theme.quiet)];
        let left = at_right(buffer, row, &right, 8);
        let room = usize::from(left.width).saturating_sub(2);
        let name = truncate::start(&app.display, agent, room);
        let pieces = [Span::raw(" "), Span::styled(name, theme.edited)];
        fill_line(buffer, left, &pieces, (" ", Style::new()));
    }
}

/// Draws a part of the input that could not be read.
fn draw_problem(buffer: &mut Buffer, area: Rect, app: &App, at: usize) {
    let (look, theme) = (&app.display, &app.display.theme);
    let here = app.unread_part() == Some(at);
    let base = if here { theme.cursor } else { Style::new() };
    let right = [Span::styled(" not read ", theme.quiet)];
    let left = at_right(buffer, area, &right, LEAST);
    let room = usize::from(left.width).saturating_sub(4);
    let name = truncate::path(look, &app.unread_name(at), room);
    let pieces = vec![
        Span::raw(" "),
        Span::styled(look.signs.attention, theme.attention),
        Span::raw(" "),
        Span::styled(name, if here { theme.strong } else { theme.text }),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}

fn draw_file(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    (file, summary): (usize, &FileSummary),
    here: bool,
) {
    let theme = &app.display.theme;
    let review = &app.session.files[file];
    let base = if here { theme.cursor } else { Style::new() };
    buffer.set_style(area, base);
    let mut right = marks::counts(&app.display, summary.added, summary.removed);
    if let Some(kind) = marks::kind(review) {
        let gap = if right.is_empty() { "" } else { " " };
        right.insert(0, Span::styled(format!("{kind}{gap}"), theme.quiet));
    }
    right.insert(0, Span::raw(" "));
    right.push(Span::raw(" "));
    let left = at_right(buffer, area, &right, LEAST);
    let (sign, style) = marks::file(&app.display, summary);
    let room = usize::from(left.width).saturating_sub(5);
    let name = if here { theme.strong } else { theme.text };
    let signs = &app.display.signs;
    let edited = if summary.edited { signs.edited } else { "" };
    let comment = if summary.commented { signs.comment } else { "" };
    let pieces = vec![
        Span::raw(" "),
        Span::styled(sign, style),
        Span::raw(" "),
        Span::styled(truncate::path(&app.display, &review.path, room), name),
        Span::styled(edited, theme.edited),
        Span::styled(comment, theme.comment),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}
