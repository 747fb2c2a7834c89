//! The screen of a review that stays open while there is nothing to review.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::cells::fill_line;
use super::truncate;
use crate::ui::command::{Command, Leaving};
use crate::ui::glyphs::wrap;
use crate::ui::state::app::App;
use crate::ui::state::empty_state::EmptyState;

pub(crate) fn draw(buffer: &mut Buffer, area: Rect, app: &App, idle: &EmptyState) {
    let theme = &app.display.theme;
    let indent = if area.width >= 60 { "   " } else { " " };
    let room = usize::from(area.width).saturating_sub(indent.len() + 1);
    let mut lines: Vec<(&str, Style)> = Vec::new();
    let mut say = |text, style| {
        let words = wrap::words(text, room).into_iter();
        lines.extend(words.map(|line| (line, style)));
    };
    say("Nothing to review", theme.strong);
    say("", theme.text);
    for line in &idle.lines {
        say(line, theme.text);
    }
    let [finish, help] = [Command::Leave(Leaving::Ask), Command::Help].map(|key| app.key(key));
    let keys = format!("{finish} ends the reviewer, after a question; {help} shows the keys");
    say("", theme.text);
    say(&keys, theme.text);
    if !idle.lately.is_empty() {
        say("", theme.text);
        say("Lately", theme.strong);
    }
    for line in &idle.lately {
        say(line, theme.quiet);
    }
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let above = area.height.saturating_sub(height) / 4;
    for ((line, style), row) in lines.into_iter().zip(area.rows().skip(above.into())) {
        let text = truncate::start(&app.display, line, room);
        let pieces = vec![Span::raw(indent), Span::styled(text, style)];
        fill_line(buffer, row, &pieces, (" ", Style::new()));
    }
}
