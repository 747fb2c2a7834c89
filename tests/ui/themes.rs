//! What every theme makes of every meaning, on every kind of terminal.

use std::fmt::Write as _;

use countersign::ui::highlight::TokenKind;
use countersign::ui::theme::{Depth, Palette, THEMES, Theme};
use insta::assert_snapshot;
use ratatui::style::Style;

/// A style in a few letters: text on ground, and how it is set.
fn style(style: Style) -> String {
    let colour = |colour: Option<ratatui::style::Color>| {
        colour.map_or_else(|| "-".to_owned(), |colour| colour.to_string())
    };
    let (fg, bg) = (colour(style.fg), colour(style.bg));
    let set = format!("{:?}", style.add_modifier);
    let set = if style.add_modifier.is_empty() {
        String::new()
    } else {
        format!(" {set}")
    };
    format!("{fg} on {bg}{set}")
}

fn map(theme: &Theme) -> String {
    let rows = [
        ("ground", theme.ground),
        ("text", theme.text),
        ("quiet", theme.quiet),
        ("border", theme.border),
        ("strong", theme.strong),
        ("file", theme.file),
        ("hunk", theme.hunk),
        ("removed line", theme.removed.line),
        ("removed words", theme.removed.words),
        ("removed sign", theme.removed.sign),
        ("added line", theme.added.line),
        ("added words", theme.added.words),
        ("added sign", theme.added.sign),
        ("absent", theme.added.absent),
        ("moved line", theme.moved.line),
        ("moved sign", theme.moved.sign),
        ("accepted", theme.accepted),
        ("rejected", theme.rejected),
        ("undecided", theme.undecided),
        ("edited", theme.edited),
        ("attention", theme.attention),
        ("comment", theme.comment),
        ("cursor", theme.cursor),
        ("selected", theme.selected),
        ("found", theme.found),
        ("key", theme.key),
        ("bar", theme.bar),
        ("dialog", theme.dialog),
    ];
    let mut text = String::new();
    for (what, of) in rows {
        let _ = writeln!(text, "{what:<14} {}", style(of));
    }
    for token in TokenKind::ALL {
        let _ = writeln!(
            text,
            "{:<14} {}",
            format!("{token:?}").to_lowercase(),
            theme.token(token)
        );
    }
    text
}

#[test]
fn every_theme_means_the_same() {
    let mut text = String::new();
    for (name, file) in THEMES {
        let palette = Palette::read(file).unwrap();
        for depth in [Depth::True, Depth::Indexed] {
            let _ = writeln!(
                text,
                "== {name}, {depth:?}\n{}",
                map(&Theme::new(&palette, depth))
            );
        }
    }
    for (name, file) in &THEMES[..2] {
        let palette = Palette::read(file).unwrap();
        let _ = writeln!(
            text,
            "== {name}, 16 colours\n{}",
            map(&Theme::new(&palette, Depth::Ansi))
        );
    }
    let palette = Palette::read(THEMES[0].1).unwrap();
    let _ = writeln!(
        text,
        "== no colours\n{}",
        map(&Theme::new(&palette, Depth::None))
    );
    assert_snapshot!(text);
}
