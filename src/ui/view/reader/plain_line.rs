//! A line of what is read, without colours of its own.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::ui::pattern::matches_in;
use crate::ui::state::app::App;
use crate::ui::state::reader::Reader;
use crate::ui::view::text_line::{LinePart, TextLine};

/// A line without colours of its own.
pub(crate) fn plain(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    reader: &Reader,
    text: &str,
    base: Style,
) {
    let found = found(reader, text);
    let line = TextLine {
        differs: None,
        ruler: None,
        look: &app.display,
        text,
        base,
        tokens: None,
        layers: vec![(&found, app.display.theme.found)],
        blanks_from: text.len(),
        blanks: &[],
        ending: String::new(),
    };
    line.paint(buffer, area, LinePart::From(reader.left));
}

pub(crate) fn found(reader: &Reader, text: &str) -> Vec<Range<usize>> {
    let pattern = reader.pattern.as_ref();
    pattern
        .map(|pattern| matches_in(pattern, text))
        .unwrap_or_default()
}

pub(crate) fn indented(area: Rect, by: u16) -> Rect {
    let by = by.min(area.width);
    Rect {
        x: area.x + by,
        width: area.width - by,
        ..area
    }
}
