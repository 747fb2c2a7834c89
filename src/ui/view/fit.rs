//! Text made to fit a width.

use ratatui::text::Span;

use crate::ui::look::Look;
use crate::ui::paint::{self, Glyph, glyphs};

/// The start of a text, with a sign if that is not all.
pub(super) fn start(look: &Look, text: &str, width: usize) -> String {
    if paint::width(text) <= width {
        return shown(glyphs(text));
    }
    let fits = |glyph: &Glyph| glyph.column + glyph.width < width.max(1);
    shown(glyphs(text).take_while(fits)) + look.signs.cut
}

/// The end of a text, with a sign if that is not all: of a path, the name is what counts.
pub(super) fn end(look: &Look, text: &str, width: usize) -> String {
    let all = paint::width(text);
    if all <= width {
        return shown(glyphs(text));
    }
    let from = all + 1 - width.max(1);
    look.signs.cut.to_owned() + &shown(glyphs(text).skip_while(|glyph| glyph.column < from))
}

/// As many pieces as there is room for, each whole.
pub(super) fn whole(pieces: Vec<Span>, width: u16) -> Vec<Span> {
    let mut room = usize::from(width);
    let fits = |piece: &Span| {
        let wide = paint::width(&piece.content);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    pieces.into_iter().take_while(fits).collect()
}

fn shown<'a>(glyphs: impl Iterator<Item = Glyph<'a>>) -> String {
    glyphs.map(|glyph| glyph.text.into_owned()).collect()
}
