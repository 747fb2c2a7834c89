//! The screen of a review that stays open while there is nothing to review.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{fill_line, fit};
use crate::ui::app::App;
use crate::ui::idle::Idle;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, app: &App, idle: &Idle) {
    let theme = &app.look.theme;
    let mut lines: Vec<(&str, Style)> = vec![("Nothing to review", theme.strong), ("", theme.text)];
    lines.extend(idle.lines.iter().map(|line| (line.as_str(), theme.text)));
    if !idle.lately.is_empty() {
        lines.extend([("", theme.text), ("Lately", theme.strong)]);
        lines.extend(idle.lately.iter().map(|line| (line.as_str(), theme.quiet)));
    }
    let indent = if area.width >= 60 { "   " } else { " " };
    let above = area
        .height
        .saturating_sub(lines.len().try_into().unwrap_or(u16::MAX))
        / 4;
    for ((line, style), y) in lines.into_iter().zip(area.y + above..area.bottom()) {
        let room = usize::from(area.width).saturating_sub(indent.len());
        let text = fit::start(&app.look, line, room);
        let row = Rect {
            y,
            height: 1,
            ..area
        };
        let pieces = vec![Span::raw(indent), Span::styled(text, style)];
        fill_line(buffer, row, pieces, (" ", Style::new()));
    }
}
