//! Text made to fit a width.

use ratatui::text::Span;

use crate::text::sanitize_name;
use crate::ui::glyphs::{self, Glyph, glyphs};
use crate::ui::layout::display_settings::DisplaySettings;

/// The start of a text, with a sign if that is not all. A tab in it is shown by its sign: blanks would be another name.
pub(crate) fn start(look: &DisplaySettings, text: &str, width: usize) -> String {
    let text = &*sanitize_name(text);
    if glyphs::width(text) <= width {
        return shown(glyphs(text));
    }
    let fits = |glyph: &Glyph| glyph.column + glyph.width < width.max(1);
    shown(glyphs(text).take_while(fits)) + look.signs.cut
}

/// The end of a text, with a sign if that is not all: of a path, the name is what counts.
pub(crate) fn end(look: &DisplaySettings, text: &str, width: usize) -> String {
    let text = &*sanitize_name(text);
    let all = glyphs::width(text);
    if all <= width {
        return shown(glyphs(text));
    }
    let from = all + 1 - width.max(1);
    look.signs.cut.to_owned() + &shown(glyphs(text).skip_while(|glyph| glyph.column < from))
}

/// A path: its end, and of a name that does not fit the start and the end.
pub(crate) fn path(look: &DisplaySettings, path: &str, width: usize) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    if glyphs::width(name) < width || glyphs::width(path) <= width {
        return end(look, path, width);
    }
    let tail = width / 2;
    let head = start(look, name, width.saturating_sub(tail));
    let name = &*sanitize_name(name);
    let from = glyphs::width(name).saturating_sub(tail);
    head + &shown(glyphs(name).skip_while(|glyph| glyph.column < from))
}

/// As many pieces as there is room for, each whole.
pub(crate) fn whole(pieces: Vec<Span>, width: u16) -> Vec<Span> {
    let mut room = usize::from(width);
    let fits = |piece: &Span| {
        let wide = glyphs::width(&piece.content);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    pieces.into_iter().take_while(fits).collect()
}

fn shown<'a>(glyphs: impl Iterator<Item = Glyph<'a>>) -> String {
    glyphs.map(|glyph| glyph.text.into_owned()).collect()
}
