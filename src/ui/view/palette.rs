//! The palette in front of the rest: the letters typed, and the commands that have them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::frame::frame;
use super::{at_right, field, fill_line, fit};
use crate::ui::app::App;
use crate::ui::editor::Editor;
use crate::ui::palette::{Offer, offers};

/// The commands that are shown at once.
const SHOWN: u16 = 12;

/// Draws the palette; where the text cursor stands in it.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    editor: &Editor,
    chosen: usize,
) -> Position {
    let theme = &app.look.theme;
    let offers = offers(app, &editor.text());
    let inner = frame(buffer, area, app, "Any command", SHOWN + 2);
    let line = |y| Rect {
        y,
        height: 1,
        ..inner
    };
    let ground = (theme.key, theme.dialog);
    let caret = field::draw(buffer, line(inner.y), ": ", editor, ground);
    let rows = usize::from(inner.height).saturating_sub(2);
    let top = (chosen + 1).saturating_sub(rows);
    let list = offers.iter().enumerate().skip(top);
    for ((at, offer), y) in list.zip(inner.y + 2..inner.bottom()) {
        draw_offer(buffer, line(y), app, offer, at == chosen);
    }
    if offers.is_empty() {
        let words = vec![Span::styled(
            "no command has these letters",
            theme.attention,
        )];
        fill_line(buffer, line(inner.y + 2), &words, (" ", theme.dialog));
    }
    caret
}

fn draw_offer(buffer: &mut Buffer, area: Rect, app: &App, offer: &Offer, chosen: bool) {
    let theme = &app.look.theme;
    let keys = vec![Span::styled(
        format!(" {}", offer.keys.join(" ")),
        theme.key,
    )];
    let left = at_right(buffer, area, &keys, 20);
    let sign = if chosen { app.look.signs.here } else { " " };
    let room = usize::from(left.width).saturating_sub(offer.name.len() + 4);
    let pieces = vec![
        Span::styled(format!("{sign} "), theme.key),
        Span::styled(offer.name.clone(), theme.strong),
        Span::styled(
            format!("  {}", fit::start(&app.look, offer.help, room)),
            theme.quiet,
        ),
    ];
    fill_line(buffer, left, &pieces, (" ", theme.dialog));
    if chosen {
        buffer.set_style(area, theme.selected);
    }
}
