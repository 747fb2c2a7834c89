//! The help: keys and signs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::truncate;
use crate::ui::glyphs::{self};
use crate::ui::layout::display_settings::DisplaySettings;
use crate::ui::state::app::App;
use crate::ui::state::help::{HelpLine, columns, content, lines};

pub(crate) fn draw(buffer: &mut Buffer, area: Rect, app: &App, filter: &str, top: usize) {
    let theme = &app.display.theme;
    let rule = app.display.signs.horizontal;
    let count = columns(app.size.width);
    let content = content(app, filter);
    let width = content.width;
    let lines = lines(&content);
    let height = lines.len().div_ceil(count);
    let mut title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Keys and signs ", theme.strong),
    ];
    if !filter.is_empty() {
        title.push(Span::styled(format!("with `{filter}` "), theme.edited));
    }
    let row = Rect {
        height: 1.min(area.height),
        ..area
    };
    let below = usize::from(area.height).saturating_sub(1);
    let last = (top + below).min(height);
    let right = [Span::styled(
        format!(" {} to {last} of {height} ", (top + 1).min(last)),
        theme.quiet,
    )];
    let left = at_right(buffer, row, &right, 20);
    fill_line(buffer, left, &title, (rule, theme.border));
    if lines.is_empty() {
        let words = Span::styled("   no key and no command has these letters", theme.quiet);
        let row = Rect {
            y: area.y + 1,
            height: 1.min(area.height.saturating_sub(1)),
            ..area
        };
        fill_line(buffer, row, &[words], (" ", theme.text));
    }
    for (column, x) in (0..count).zip((area.x..).step_by(usize::from(width).max(1))) {
        let start = column * height + top;
        let shown = lines.iter().take((column + 1) * height).skip(start);
        for (line, y) in shown.zip(area.y + 1..area.bottom()) {
            draw_line(
                buffer,
                Rect {
                    x,
                    y,
                    width,
                    height: 1,
                },
                &app.display,
                line,
            );
        }
    }
}

fn draw_line(buffer: &mut Buffer, area: Rect, look: &DisplaySettings, line: &HelpLine) {
    let theme = &look.theme;
    let pieces = match line {
        HelpLine::Blank => return,
        HelpLine::Heading(title) => vec![Span::raw(" "), Span::styled(*title, theme.strong)],
        HelpLine::Key(keys, help) => {
            let room = usize::from(area.width).saturating_sub(glyphs::width(keys));
            vec![
                Span::styled(keys.as_str(), theme.key),
                Span::raw(truncate::start(look, help, room)),
            ]
        }
    };
    fill_line(buffer, area, &pieces, (" ", theme.text));
}
