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

/// Keys that go over all rows of a view, one after the other, after other keys.
const WALKS: [(&str, &str); 4] = [
    ("", "Down"),
    ("a Down Down r Down a", "j"),
    ("g g v", "j"),
    ("/ <e> Enter g g", "j"),
];

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
    let mut found = BTreeMap::new();
    for (view, start, keys) in VIEWS {
        for (first, step) in WALKS {
            let mut script = start();
            script.press(keys).wait_for_colours();
            if !first.is_empty() {
                script.press(first);
            }
            for _ in 0..script.app.size.height {
                let what = format!("{view:?}, `{keys}`, `{first}`, `{step}`");
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
            let [a, b] = [text, ground]
                .map(|(table, name)| luminance(theme[*table][name].as_str().expect("a colour")));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            let is_frame = text.1 == FRAMES;
            if contrast < LEAST && !is_frame {
                let [text, ground] = [&text.1, &ground.1];
                writeln!(bad, "{name}: {text} on {ground}: {contrast:.2}: {shown}")
                    .expect("a text grows");
            }
        }
    }
    assert!(found.len() > 60, "{}", found.len());
    assert!(bad.is_empty(), "\n{bad}");
}
