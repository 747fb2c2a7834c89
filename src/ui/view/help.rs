//! The help: the key table, by topic.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::text::Span;

use super::{fill_line, fit};
use crate::ui::app::App;
use crate::ui::keymap::{Binding, KEYS, Place, Topic, shown};
use crate::ui::look::Look;
use crate::ui::paint;

/// From this width on, the help has two columns.
const TWO_FROM: u16 = 150;
/// The cells of the keys.
const KEYS_WIDTH: usize = 18;

/// A line of the help.
enum HelpLine {
    Heading(&'static str),
    Key(String, &'static str),
    Blank,
}

/// The number of lines that the help has at a width.
pub fn height(width: u16) -> usize {
    lines().len().div_ceil(columns(width))
}

/// The number of its lines that a screen shows.
pub fn page(size: Size) -> usize {
    usize::from(size.height).saturating_sub(3).max(1)
}

fn columns(width: u16) -> usize {
    if width >= TWO_FROM { 2 } else { 1 }
}

fn lines() -> Vec<HelpLine> {
    let mut lines = Vec::new();
    for topic in Topic::ALL {
        if !lines.is_empty() {
            lines.push(HelpLine::Blank);
        }
        lines.push(HelpLine::Heading(topic.title()));
        let bindings = KEYS.iter().filter(|binding| binding.topic == topic);
        lines.extend(bindings.map(|binding| HelpLine::Key(keys(binding), binding.help)));
    }
    lines
}

/// The keys of a row, with a word where they hold only in one place.
fn keys(binding: &Binding) -> String {
    let all: Vec<String> = binding.keys.iter().map(|key| shown(key)).collect();
    let place = match binding.places {
        [Place::Editor] => "editing: ",
        [Place::Prompt] => "typing: ",
        [Place::Finish | Place::Question] => "asked: ",
        [Place::Batch] => "list: ",
        _ => "",
    };
    format!("{place}{}", all.join(" "))
}

pub(super) fn draw(buffer: &mut Buffer, area: Rect, app: &App, top: usize) {
    let theme = &app.look.theme;
    let rule = app.look.signs.horizontal;
    let title = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" Keys ", theme.strong),
    ];
    fill_line(
        buffer,
        Rect {
            height: 1.min(area.height),
            ..area
        },
        title,
        (rule, theme.border),
    );
    let lines = lines();
    let count = columns(app.size.width);
    let height = height(app.size.width);
    let width = area.width / u16::try_from(count).unwrap_or(1);
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
                &app.look,
                line,
            );
        }
    }
}

fn draw_line(buffer: &mut Buffer, area: Rect, look: &Look, line: &HelpLine) {
    let theme = &look.theme;
    let pieces = match line {
        HelpLine::Blank => return,
        HelpLine::Heading(title) => vec![Span::raw(" "), Span::styled(*title, theme.strong)],
        HelpLine::Key(keys, help) => {
            let gap = " ".repeat(KEYS_WIDTH.saturating_sub(paint::width(keys)).max(2));
            let room = usize::from(area.width).saturating_sub(4 + keys.len() + gap.len());
            vec![
                Span::styled(format!("   {keys}"), theme.key),
                Span::raw(gap),
                Span::raw(fit::start(look, help, room)),
            ]
        }
    };
    fill_line(buffer, area, pieces, (" ", theme.text));
}
