//! The lines of the help: the key table by topic.

use ratatui::layout::Size;

use crate::ui::glyphs;
use crate::ui::glyphs::wrap;
use crate::ui::keymap::{KEYS, KeyContext, Keymap, Sequence, Topic};

/// From this width on, the help has two columns.
const TWO_FROM: u16 = 150;

/// The cells of the keys, where there is room for them.
const KEYS_WIDTH: usize = 22;

/// A line of the help.
pub(crate) enum HelpLine {
    Heading(&'static str),
    /// Keys, or nothing below the first line of a row, and what they do.
    Key(String, String),
    Blank,
}

/// Content and width of the help.
pub(crate) struct Shown<'a> {
    pub(crate) keymap: &'a Keymap,
    pub(crate) filter: &'a str,
    /// The cells of a column.
    pub(crate) width: u16,
}

impl Shown<'_> {
    /// The cells that the keys get, with what is in front of them.
    fn keys_width(&self) -> usize {
        3 + KEYS_WIDTH.min(usize::from(self.width) / 4)
    }

    /// A row of the table in lines.
    fn row(&self, keys: &str, help: &str) -> impl Iterator<Item = HelpLine> {
        // Keys that are many push their own words aside.
        let indent = self.keys_width();
        let first = (3 + glyphs::width(keys) + 2).max(indent);
        let room = usize::from(self.width).saturating_sub(first + 1);
        let mut lines = wrap::words(help, room.max(12)).into_iter();
        let start = lines.next().unwrap_or_default();
        let gap = " ".repeat(first - 3 - glyphs::width(keys));
        let start = HelpLine::Key(format!("   {keys}{gap}"), start.to_owned());
        let rest = lines.map(move |line| HelpLine::Key(" ".repeat(first), line.to_owned()));
        let rest: Vec<HelpLine> = rest.collect();
        std::iter::once(start).chain(rest)
    }
}

/// The number of lines that the help has at a width, of those that hold these letters.
pub(crate) fn height(keymap: &Keymap, filter: &str, width: u16) -> usize {
    let count = columns(width);
    let width = column_width(width);
    let shown = Shown {
        keymap,
        filter,
        width,
    };
    lines(&shown).len().div_ceil(count)
}

/// The cells of a column on a screen of a width.
pub(crate) fn column_width(width: u16) -> u16 {
    width / u16::try_from(columns(width)).unwrap_or(1)
}

/// The number of its lines that a screen shows.
pub(crate) fn page(size: Size) -> usize {
    usize::from(size.height).saturating_sub(3).max(1)
}

pub(crate) fn columns(width: u16) -> usize {
    if width >= TWO_FROM { 2 } else { 1 }
}

pub(crate) fn lines(shown: &Shown) -> Vec<HelpLine> {
    let mut lines = Vec::new();
    let filter = shown.filter.to_lowercase();
    let words: Vec<&str> = filter.split_whitespace().collect();
    for topic in Topic::ALL {
        let mut of_topic = Vec::new();
        for row in (0..KEYS.len()).filter(|row| KEYS[*row].topic == topic) {
            let (help, name) = (KEYS[row].help, KEYS[row].command.name());
            for keys in keys(shown.keymap, row) {
                let text = format!("{keys} {help} {name}").to_lowercase();
                if words.iter().all(|word| text.contains(word)) {
                    of_topic.extend(shown.row(&keys, help));
                }
            }
        }
        if of_topic.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(HelpLine::Blank);
        }
        lines.push(HelpLine::Heading(topic.title()));
        lines.extend(of_topic);
    }
    lines
}

/// The keys of a row of the table: once for all of its places that have the same ones, with a word where they hold only in
/// some.
fn keys(keymap: &Keymap, row: usize) -> Vec<String> {
    let mut groups: Vec<(Vec<KeyContext>, &[Sequence])> = Vec::new();
    for bound in keymap.bound_to(row) {
        match groups.iter_mut().find(|(_, keys)| *keys == bound.keys) {
            Some((places, _)) => places.push(bound.place),
            None => groups.push((vec![bound.place], &bound.keys)),
        }
    }
    let all = KEYS[row].places.len();
    let shown = |(places, keys): (Vec<KeyContext>, &[Sequence])| {
        let place = match places.as_slice() {
            [KeyContext::Editor] => "editing: ".to_owned(),
            [KeyContext::Prompt] => "typing: ".to_owned(),
            [KeyContext::Finish | KeyContext::Question] => "asked: ".to_owned(),
            [KeyContext::FileList] => "list: ".to_owned(),
            [KeyContext::Placing] => "placing: ".to_owned(),
            [KeyContext::Reader] => "reading: ".to_owned(),
            some if some.len() < all => {
                let names: Vec<&str> = some.iter().map(|place| place.name()).collect();
                format!("{}: ", names.join(", "))
            }
            _ => String::new(),
        };
        let keys: Vec<String> = keys.iter().map(Sequence::shown).collect();
        format!("{place}{}", keys.join(" "))
    };
    let groups = groups.into_iter().filter(|(_, keys)| !keys.is_empty());
    groups.map(shown).collect()
}
