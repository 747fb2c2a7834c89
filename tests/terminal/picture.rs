//! A terminal's screen as a picture: SVG, which needs neither a font nor a browser to be made.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use vt100::{Cell, Color, Screen};

use super::pty::Terminal;

/// A cell's width and height, in pixels.
const CELL: (u16, u16) = (8, 17);
/// What is left free around the cells.
const MARGIN: u16 = 10;
/// How far below the top of its row a letter stands.
const BASELINE: u16 = 13;

/// How a cell looks.
#[derive(Clone, PartialEq)]
struct Look {
    ink: String,
    ground: String,
    traits: String,
}

/// Fails unless the screen comes to look like a picture in `docs/src/images/`. With `UPDATE_DOCS` in the environment the picture is
/// made from the screen, once its colours stand.
#[track_caller]
pub(crate) fn expect_picture(terminal: &Terminal, name: &str) {
    let images = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/images");
    let path = PathBuf::from(images).join(format!("{name}.svg"));
    let shown = path.display().to_string();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::thread::sleep(Duration::from_secs(3));
        terminal.wait_until(&shown, |screen| fs::write(&path, svg(screen)).is_ok());
        return;
    }
    let expected = fs::read_to_string(&path).unwrap();
    terminal.wait_until(&shown, |screen| svg(screen) == expected);
}

/// What a screen shows, in its colours.
fn svg(screen: &Screen) -> String {
    let (rows, cols) = screen.size();
    let (rows, cols) = (rows.get(), cols.get());
    let (width, height) = (cols * CELL.0 + 2 * MARGIN, rows * CELL.1 + 2 * MARGIN);
    let around = screen
        .cell(0, 0)
        .map_or_else(String::new, |cell| colour(cell.bgcolor(), "#13161b"));
    let mut svg = format!(
        concat!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" ",
            "font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\">\n",
            "<rect width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{}\"/>\n"
        ),
        width, height, width, width, height, around
    );
    for row in 0..rows {
        for (col, cols, text, look) in runs(screen, row) {
            let (x, y) = (MARGIN + col * CELL.0, MARGIN + row * CELL.1);
            let wide = cols * CELL.0;
            if look.ground != around {
                let (height, ground) = (CELL.1, &look.ground);
                writeln!(
                    svg,
                    r#"<rect x="{x}" y="{y}" width="{wide}" height="{height}" fill="{ground}"/>"#
                )
                .unwrap();
            }
            if !text.trim().is_empty() {
                let (y, ink, traits, text) = (y + BASELINE, look.ink, look.traits, escaped(&text));
                writeln!(
                    svg,
                    r#"<text x="{x}" y="{y}" textLength="{wide}" lengthAdjust="spacingAndGlyphs" fill="{ink}"{traits} xml:space="preserve">{text}</text>"#
                )
                .unwrap();
            }
        }
    }
    if !screen.hide_cursor() {
        let (row, col) = screen.cursor_position();
        let (x, y) = (MARGIN + col * CELL.0, MARGIN + row * CELL.1);
        writeln!(
            svg,
            r##"<rect x="{x}" y="{y}" width="2" height="{}" fill="#3d8bff"/>"##,
            CELL.1
        )
        .unwrap();
    }
    svg.push_str("</svg>\n");
    svg
}

/// The cells of a row that look the same, together: the first column, how many, their text.
fn runs(screen: &Screen, row: u16) -> Vec<(u16, u16, String, Look)> {
    let mut runs: Vec<(u16, u16, String, Look)> = Vec::new();
    for col in 0..screen.size().1.get() {
        let Some(cell) = screen.cell(row, col) else {
            continue;
        };
        if cell.is_wide_continuation() {
            if let Some((_, cols, _, _)) = runs.last_mut() {
                *cols += 1;
            }
            continue;
        }
        let mut look = look(cell);
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        // Whatever ink a blank has, which depends on what stood there before, is not seen.
        if text == " " && !cell.underline() {
            let before = runs.last().filter(|(.., before)| {
                before.ground == look.ground && !before.traits.contains("underline")
            });
            (look.ink, look.traits) = before.map_or_else(Default::default, |(.., before)| {
                (before.ink.clone(), before.traits.clone())
            });
        }
        match runs.last_mut() {
            // A font need not give a sign or a wide letter the width of its cells, so each of these stands alone.
            Some((_, cols, run, last)) if *last == look && run.is_ascii() && text.is_ascii() => {
                *cols += 1;
                run.push_str(text);
            }
            _ => runs.push((col, 1, text.to_owned(), look)),
        }
    }
    runs
}

fn look(cell: &Cell) -> Look {
    let (mut ink, mut ground) = (
        colour(cell.fgcolor(), "#d4d7dd"),
        colour(cell.bgcolor(), "#13161b"),
    );
    if cell.inverse() {
        std::mem::swap(&mut ink, &mut ground);
    }
    let mut traits = String::new();
    for (is_so, attribute) in [
        (cell.bold(), r#" font-weight="bold""#),
        (cell.italic(), r#" font-style="italic""#),
        (cell.underline(), r#" text-decoration="underline""#),
        (cell.dim(), r#" opacity="0.6""#),
    ] {
        if is_so {
            traits.push_str(attribute);
        }
    }
    Look {
        ink,
        ground,
        traits,
    }
}

/// A colour as SVG has it. A terminal's own colours are not asked for: the program is run in true colour.
fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Default => default.to_owned(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(index) => panic!("colour {index} of the terminal in a picture"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
