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

/// A path, cut in the middle with a sign if it does not fit: the whole name stays, and of one that is too long its start and its end.
pub(crate) fn path(look: &DisplaySettings, path: &str, width: usize) -> String {
    let path = &*sanitize_name(path);
    let all = glyphs::width(path);
    if all <= width {
        return shown(glyphs(path));
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let (name_width, slash) = (glyphs::width(name), usize::from(name.len() < path.len()));
    // In front of the name are a sign and one cell at least.
    let (text, tail) = if name_width + slash + 2 <= width {
        (path, (name_width + slash).max(width / 2))
    } else if name_width < width {
        return end(look, path, width);
    } else {
        (name, width / 2)
    };
    let from = glyphs::width(text).saturating_sub(tail);
    let end = shown(glyphs(text).skip_while(|glyph| glyph.column < from));
    start(look, text, width.saturating_sub(tail)) + &end
}

/// Cuts a path as [`path`] does, so that the characters at some bytes of it, in order, are shown.
pub(crate) fn keeping(look: &DisplaySettings, text: &str, width: usize, kept: &[usize]) -> String {
    let columns = kept
        .iter()
        .map(|&at| glyphs::width(&sanitize_name(&text[..at])));
    let columns: Vec<usize> = columns.collect();
    let text = &*sanitize_name(text);
    let all = glyphs::width(text);
    let Some(&first) = columns.first().filter(|_| all > width) else {
        return path(look, text, width);
    };
    if all.saturating_sub(first) < width {
        return end(look, text, width);
    }
    // Each of the pieces, and the end, has a sign in front of it.
    let count = columns.len();
    let tail = width / 3;
    let each = width.saturating_sub(tail + count + 1) / count;
    if each == 0 {
        return path(look, text, width);
    }
    let mut result = String::new();
    let mut shown_to = 0;
    let pieces = columns.into_iter().map(|column| (column, each));
    for (column, length) in pieces.chain([(all - tail, tail)]) {
        if column > shown_to {
            result += look.signs.cut;
        }
        let from = column.max(shown_to);
        let cells = from..column.max(from) + length;
        let begin = glyphs(text).skip_while(|glyph| glyph.column < cells.start);
        for glyph in begin.take_while(|glyph| glyph.column + glyph.width <= cells.end) {
            shown_to = glyph.column + glyph.width;
            result += &glyph.text;
        }
    }
    result
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::options::ScreenOptions;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &str) {
        let look = ScreenOptions::default().display_settings();
        let shown = path(&look, text, width);
        assert_eq!(shown, expected, "{text} at {width}");
        assert!(glyphs::width(&shown) <= width, "{text} at {width}");
    }

    #[test]
    fn a_path_is_cut_in_the_middle() {
        check("src/ui/a.rs", 11, "src/ui/a.rs");
        check("src/ui/a.rs", 10, "src/…/a.rs");
        check("core/src/deep/outbox.rs", 16, "core/…/outbox.rs");
        check("core/src/deep/outbox.rs", 22, "core/src/d…p/outbox.rs");
        check("core/src/deep/outbox.rs", 12, "c…/outbox.rs");
        // There is no room for a folder, or for the whole name.
        check("core/src/outbox.rs", 11, "…/outbox.rs");
        check("core/src/outbox.rs", 9, "outb…x.rs");
        check("core/a_very_long_name.rs", 12, "a_ver…ame.rs");
        check("a_very_long_name.rs", 12, "a_ver…ame.rs");
        check("資料/日本語の名前.md", 12, "日本…前.md");
    }
}
