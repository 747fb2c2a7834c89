//! A screen with what its colours mean: under each line its text's colours and its ground, by letters.

use crate::script::Script;
use countersign::ui::glyphs::width;
use countersign::ui::highlight::TokenKind;
use ratatui::buffer::Cell;

/// The screen. Colours of text: `q` quiet, `-` border, `k` key, `s` strong, `y` accepted, `n` rejected, `e` edited,
/// `!` attention, and of tokens `K` keyword, `T` string, `C` comment, `F` function, `Y` type. Grounds: `b` bar, `d` dialog,
/// `>` cursor, `v` selected, `/` found, `f` file, `a` added, `A` its words, `r` removed, `R` its words, `o` no line.
pub(crate) fn look(script: &mut Script) -> String {
    let theme = script.app.display.theme.clone();
    let buffer = script.buffer();
    let token = |token| theme.token(token);
    let fronts = [
        (theme.attention.fg, '!'),
        (theme.accepted.fg, 'y'),
        (theme.rejected.fg, 'n'),
        (theme.edited.fg, 'e'),
        (theme.key.fg, 'k'),
        (theme.strong.fg, 's'),
        (theme.quiet.fg, 'q'),
        (theme.border.fg, '-'),
        (Some(token(TokenKind::Keyword)), 'K'),
        (Some(token(TokenKind::String)), 'T'),
        (Some(token(TokenKind::Comment)), 'C'),
        (Some(token(TokenKind::Function)), 'F'),
        (Some(token(TokenKind::Type)), 'Y'),
    ];
    let backs = [
        (theme.found.bg, '/'),
        (theme.selected.bg, 'v'),
        (theme.cursor.bg, '>'),
        (theme.added.words.bg, 'A'),
        (theme.removed.words.bg, 'R'),
        (theme.added.line.bg, 'a'),
        (theme.removed.line.bg, 'r'),
        (theme.added.absent.bg, 'o'),
        (theme.file.bg, 'f'),
        (theme.dialog.bg, 'd'),
        (theme.bar.bg, 'b'),
    ];
    let front = |cell: &Cell| {
        let found = fronts.iter().find(|(color, _)| *color == Some(cell.fg));
        found
            .filter(|_| cell.symbol() != " ")
            .map_or(' ', |(_, letter)| *letter)
    };
    let back = |cell: &Cell| {
        let found = backs.iter().find(|(color, _)| *color == Some(cell.bg));
        found.map_or(' ', |(_, letter)| *letter)
    };
    let mut text = String::new();
    for y in 0..buffer.area.height {
        // The second cell of a wide character shows nothing.
        let shown = |x: &u16| *x == 0 || width(buffer[(x - 1, y)].symbol()) < 2;
        let columns = (0..buffer.area.width).filter(shown);
        let cells: Vec<&Cell> = columns.map(|x| &buffer[(x, y)]).collect();
        let line: String = cells.iter().map(|cell| cell.symbol()).collect();
        let fronts: String = cells.iter().map(|cell| front(cell)).collect();
        let backs: String = cells.iter().map(|cell| back(cell)).collect();
        for (sign, line) in [('|', line), (' ', fronts), ('_', backs)] {
            if sign == '|' || !line.trim().is_empty() {
                let line = format!("{sign}{line}");
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
    }
    text
}
