//! The file list at the side of the stream.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{at_right, fill_line, fit, marks};
use crate::review::FileKind;
use crate::ui::app::App;
use crate::ui::screen::Pane;

pub(super) fn draw(buffer: &mut Buffer, pane: Pane, app: &App) {
    let theme = &app.look.theme;
    let rule = app.look.signs.horizontal;
    let title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Files ", theme.strong),
    ];
    fill_line(buffer, pane.title, &title, (rule, theme.border));
    let top = app.list_top(pane.body.height.into());
    for (&file, row) in app.batch.files[top..].iter().zip(pane.body.rows()) {
        draw_file(buffer, row, app, file);
    }
}

fn draw_file(buffer: &mut Buffer, area: Rect, app: &App, file: usize) {
    let theme = &app.look.theme;
    let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
    let here = app.stream.file() == Some(file);
    let base = if here { theme.cursor } else { Style::new() };
    buffer.set_style(area, base);
    let mut right = marks::counts(&app.look, summary.added, summary.removed);
    match review.kind {
        FileKind::Created | FileKind::Copied { .. } => {
            right.insert(0, Span::styled("new ", theme.quiet));
        }
        FileKind::Deleted => right.insert(0, Span::styled("del ", theme.quiet)),
        FileKind::Modified | FileKind::Renamed { .. } => (),
    }
    right.insert(0, Span::raw(" "));
    right.push(Span::raw(" "));
    let left = at_right(buffer, area, &right, 12);
    let (sign, style) = marks::file(&app.look, summary);
    let room = usize::from(left.width).saturating_sub(5);
    let name = if here { theme.strong } else { theme.text };
    let edited = if summary.edited {
        app.look.signs.edited
    } else {
        ""
    };
    let pieces = vec![
        Span::raw(" "),
        Span::styled(sign, style),
        Span::raw(" "),
        Span::styled(fit::end(&app.look, &review.path, room), name),
        Span::styled(edited, theme.edited),
    ];
    fill_line(buffer, left, &pieces, (" ", base));
    buffer.set_style(area, base);
}
