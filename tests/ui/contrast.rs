//! Contrast of everything that the screen shows: which colours are together is collected from drawn screens, by a theme in which
//! each meaning has a colour of its own, and computed for every theme of the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use countersign::ui::theme::{Depth, Palette, THEMES, Theme};
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use toml::Table;

use crate::script::Script;
use crate::views::VIEWS;

/// The least contrast of text with its ground (WCAG 2.2, 1.4.3).
const LEAST: f64 = 4.5;
/// The meaning of lines and frames, which are no text.
const FRAMES: &str = "border";

/// The tables of a theme file that hold colours.
const TABLES: [&str; 2] = ["colours", "tokens"];

/// The names of all meanings of a theme, with the table that each is in.
fn meanings() -> Vec<(&'static str, String)> {
    let (_, file) = THEMES[0];
    let theme: Table = file.parse().expect("a theme");
    let names = TABLES.map(|table| {
        let names = theme[table].as_table().expect("a table").keys();
        names.map(move |name| (table, name.clone()))
    });
    names.into_iter().flatten().collect()
}

/// Returns the number of the meaning of a colour in the theme that tells them apart.
fn meaning(colour: Color) -> Option<usize> {
    let Color::Rgb(0, 0, number) = colour else {
        return None;
    };
    Some(number.into())
}

/// Returns a theme in which the colour of each meaning is its number.
fn numbered() -> Theme {
    let mut file = "background = 'dark'\n".to_owned();
    for table in TABLES {
        writeln!(file, "[{table}]").expect("a text grows");
        let all = meanings().into_iter().enumerate();
        for (number, (_, name)) in all.filter(|(_, (of, _))| *of == table) {
            writeln!(file, "{name} = '#0000{number:02x}'").expect("a text grows");
        }
    }
    Theme::new(&Palette::read(&file).expect("a theme"), Depth::True)
}

/// Adds the pairs of meanings on a screen, each with a text that has it.
fn collect(script: &mut Script, what: &str, found: &mut BTreeMap<(usize, usize), String>) {
    script.app.display.theme = numbered();
    let buffer = script.buffer();
    let pair = |cell: &Cell| {
        let (text, ground) = (meaning(cell.fg), meaning(cell.bg));
        if cell.modifier.contains(Modifier::REVERSED) {
            return ground.zip(text);
        }
        text.zip(ground)
    };
    for y in 0..buffer.area.height {
        let cells: Vec<&Cell> = (0..buffer.area.width).map(|x| &buffer[(x, y)]).collect();
        for run in cells.chunk_by(|a, b| pair(a) == pair(b)) {
            let text: String = run.iter().map(|cell| cell.symbol()).collect();
            if text.trim().is_empty() {
                continue;
            }
            let pair = pair(run[0]).unwrap_or_else(|| panic!("{what}: `{text}` has no colour"));
            found
                .entry(pair)
                .or_insert_with(|| format!("`{}` of {what}", text.trim()));
        }
    }
}

/// The theme, the text and the ground of a cell in 256 colours.
type IndexedPair = (&'static str, String, String);

/// Adds the pairs of colours on a screen in a theme of 256 colours, each with a character that has it; without frames.
fn collect_indexed(
    script: &mut Script,
    (name, theme): &(&'static str, Theme),
    what: &str,
    found: &mut BTreeMap<IndexedPair, String>,
) {
    let frame = theme.border.fg;
    script.app.display.theme = theme.clone();
    for cell in script.buffer().content() {
        let is_frame = Some(cell.fg) == frame && !cell.symbol().contains(char::is_alphanumeric);
        if cell.symbol().trim().is_empty() || is_frame {
            continue;
        }
        let (mut text, mut ground) = (cell.fg, cell.bg);
        if cell.modifier.contains(Modifier::REVERSED) {
            std::mem::swap(&mut text, &mut ground);
        }
        found
            .entry((*name, xterm(text), xterm(ground)))
            .or_insert_with(|| format!("`{}` of {what}", cell.symbol()));
    }
}

/// Keys that go over all rows of a view, one after the other, after other keys.
const WALKS: [(&str, &str); 4] = [
    ("", "Down"),
    ("a Down Down r Down a", "j"),
    ("g g v", "j"),
    ("/ <e> Enter g g", "j"),
];

/// Returns the parts of one of 256 colours as xterm defines them, as a number.
fn xterm(colour: Color) -> String {
    let Color::Indexed(number @ 16..) = colour else {
        panic!("{colour:?} is not the same on every terminal");
    };
    let steps = [0_u8, 95, 135, 175, 215, 255];
    let [r, g, b] = if number >= 232 {
        [8 + 10 * (number - 232); 3]
    } else {
        let number = usize::from(number - 16);
        [number / 36, number / 6 % 6, number % 6].map(|step| steps[step])
    };
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the luminance of a colour (WCAG 2.2).
fn luminance(colour: &str) -> f64 {
    let number = u32::from_str_radix(colour.trim_start_matches('#'), 16).expect("a colour");
    let part = |shift: u32| {
        let value = f64::from((number >> shift) & 0xff) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
}

#[test]
fn everything_on_every_screen_can_be_read() {
    let (mut found, mut few) = (BTreeMap::new(), BTreeMap::new());
    let indexed = THEMES.map(|(name, file)| {
        let palette = Palette::read(file).expect("a theme");
        (name, Theme::new(&palette, Depth::Indexed))
    });
    for (view, start, keys) in VIEWS {
        for (first, step) in WALKS {
            let mut script = start();
            script.press(keys).wait_for_colours();
            if !first.is_empty() {
                script.press(first);
            }
            for row in 0..script.app.size.height {
                let what = format!("{view:?}, `{keys}`, `{first}`, `{step}`");
                // Each theme has its turn on each walk.
                let theme = &indexed[usize::from(row) % THEMES.len()];
                collect_indexed(&mut script, theme, &what, &mut few);
                collect(&mut script, &what, &mut found);
                script.press(step);
            }
        }
    }
    let meanings = meanings();
    let mut bad = String::new();
    for (name, file) in THEMES {
        let theme: Table = file.parse().expect("a theme");
        for ((text, ground), shown) in &found {
            let [text, ground] = [text, ground].map(|number| &meanings[*number]);
            if text.1 == FRAMES {
                continue;
            }
            let [a, b] = [text, ground]
                .map(|(table, name)| luminance(theme[*table][name].as_str().expect("a colour")));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            if contrast < LEAST {
                let [text, ground] = [&text.1, &ground.1];
                writeln!(bad, "{name}: {text} on {ground}: {contrast:.2}: {shown}")
                    .expect("a text grows");
            }
        }
    }
    for ((name, text, ground), shown) in &few {
        let [a, b] = [text, ground].map(|colour| luminance(colour));
        let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
        if contrast < LEAST {
            writeln!(
                bad,
                "{name}, 256: {text} on {ground}: {contrast:.2}: {shown}"
            )
            .expect("a text grows");
        }
    }
    assert!(found.len() > 60, "{}", found.len());
    assert!(bad.is_empty(), "\n{bad}");
}
