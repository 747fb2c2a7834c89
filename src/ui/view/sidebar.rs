//! The file list at the side of the stream.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::{marks, truncate};
use crate::ui::glyphs;
use crate::ui::layout::areas::Pane;
use crate::ui::state::app::App;

pub(crate) fn draw(buffer: &mut Buffer, pane: Pane, app: &App) {
    let theme = &app.display.theme;
    let rule = app.display.signs.horizontal;
    let mut title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Files ", theme.strong),
    ];
    let filter = &app.file_list.filter;
    if !filter.is_empty() {
        let (shown, all) = (app.file_list.files.len(), app.session.files.len());
        let text = format!("{shown} of {all} with `{filter}` ");
        title.push(Span::styled(text, theme.edited));
    }
    let order = format!("{} {} ", app.display.signs.dot, app.file_list.sort.name());
    title.push(Span::styled(order, theme.quiet));
    let title = truncate::whole(title, pane.title.width);
    fill_line(buffer, pane.title, &title, (rule, theme.border));
    let top = app.list_top(pane.body.height.into());
    for (&file, row) in app.file_list.files[top..].iter().zip(pane.body.rows()) {
        draw_file(buffer, row, app, file);
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

fn draw_file(buffer: &mut Buffer, area: Rect, app: &App, file: usize) {
    let theme = &app.display.theme;
    let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
    let here = app.stream.file() == Some(file);
    let base = if here { theme.cursor } else { Style::new() };
    buffer.set_style(area, base);
    let mut right = marks::counts(&app.display, summary.added, summary.removed);
    if let Some(kind) = marks::kind(review) {
        let gap = if right.is_empty() { "" } else { " " };
        right.insert(0, Span::styled(format!("{kind}{gap}"), theme.quiet));
    }
    right.insert(0, Span::raw(" "));
    right.push(Span::raw(" "));
    // The end of the name comes before the counts.
    let name = review.path.rsplit('/').next().unwrap_or_default();
    let least = u16::try_from(glyphs::width(name) + 6).unwrap_or(u16::MAX);
    let left = at_right(buffer, area, &right, least);
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
        Span::styled(truncate::end(&app.display, &review.path, room), name),
        Span::styled(edited, theme.edited),
        Span::styled(comment, theme.comment),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}
