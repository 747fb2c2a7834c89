//! The palette in front of the rest: the letters typed, and the commands that have them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::frame::frame;
use crate::ui::editor::Editor;
use crate::ui::state::app::App;
use crate::ui::state::command_palette::{PaletteEntry, entries};
use crate::ui::view::cells::{at_right, fill_line};
use crate::ui::view::{input_field, truncate};

/// The commands that are shown at once.
const SHOWN: u16 = 12;

/// Draws the palette, and returns the position of the text cursor.
pub(crate) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    editor: &Editor,
    chosen: usize,
) -> Position {
    let theme = &app.display.theme;
    let entries = entries(app, &editor.text());
    let inner = frame(buffer, area, app, "Commands", SHOWN + 2);
    let line = |y| Rect::new(inner.x, y, inner.width, 1);
    let ground = (theme.key, theme.dialog);
    let caret = input_field::draw(buffer, line(inner.y), ": ", editor, ground);
    let rows = usize::from(inner.height).saturating_sub(2);
    let top = (chosen + 1).saturating_sub(rows);
    let list = entries.iter().enumerate().skip(top);
    for ((at, offer), y) in list.zip(inner.y + 2..inner.bottom()) {
        draw_offer(buffer, line(y), app, offer, at == chosen);
    }
    if entries.is_empty() {
        let words = vec![Span::styled(
            "no command has these letters",
            theme.attention,
        )];
        fill_line(buffer, line(inner.y + 2), &words, (" ", theme.dialog));
    }
    caret
}

fn draw_offer(buffer: &mut Buffer, area: Rect, app: &App, offer: &PaletteEntry, chosen: bool) {
    let theme = &app.display.theme;
    let keys = vec![Span::styled(
        format!(" {}", offer.keys.join(" ")),
        theme.key,
    )];
    let left = at_right(buffer, area, &keys, 20);
    let sign = if chosen { app.display.signs.here } else { " " };
    // The name of some commands says all.
    let help = if offer.help == offer.name {
        ""
    } else {
        offer.help
    };
    let room = usize::from(left.width).saturating_sub(offer.name.len() + 4);
    let pieces = vec![
        Span::styled(format!("{sign} "), theme.key),
        Span::styled(offer.name.clone(), theme.strong),
        Span::styled(
            format!("  {}", truncate::start(&app.display, help, room)),
            theme.quiet,
        ),
    ];
    fill_line(buffer, left, &pieces, (" ", theme.dialog));
    if chosen {
        buffer.set_style(area, theme.selected);
    }
}
