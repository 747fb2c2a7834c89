//! The lines of the help: the keys of the review by topic, those of the other contexts, and the signs.

use std::borrow::Cow;

use ratatui::layout::Size;
use rustc_hash::FxHashSet;

use crate::ui::glyphs;
use crate::ui::glyphs::wrap;
use crate::ui::keymap::{KEYS, KeyContext, Keymap, Sequence, Topic};
use crate::ui::theme::Signs;

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
pub(crate) struct HelpContent<'a> {
    pub(crate) keymap: &'a Keymap,
    pub(crate) signs: &'a Signs,
    pub(crate) filter: &'a str,
    /// The cells of a column.
    pub(crate) width: u16,
}

impl HelpContent<'_> {
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
pub(crate) fn height(keymap: &Keymap, signs: &Signs, filter: &str, width: u16) -> usize {
    let count = columns(width);
    let shown = HelpContent {
        keymap,
        signs,
        filter,
        width: column_width(width),
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

pub(crate) fn lines(shown: &HelpContent) -> Vec<HelpLine> {
    let mut lines = Vec::new();
    let filter = shown.filter.to_lowercase();
    let words: Vec<&str> = filter.split_whitespace().collect();
    for section in sections(shown.keymap, shown.signs) {
        let holds_filter = |entry: &&HelpEntry| {
            let text = format!("{} {} {}", entry.keys, entry.help, entry.name).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let entries = section.entries.iter().filter(holds_filter);
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(HelpLine::Blank);
        }
        lines.push(HelpLine::Heading(section.title));
        lines.extend(entries.flat_map(|entry| shown.row(&entry.keys, entry.help)));
    }
    lines
}

/// A heading with what is listed below it.
struct HelpSection {
    title: &'static str,
    entries: Vec<HelpEntry>,
}

/// Keys or a sign, what they do or mean, and the name of the command.
struct HelpEntry {
    keys: String,
    help: &'static str,
    name: Cow<'static, str>,
}

/// The keys of the review by topic, the other keys of each other context, and the signs.
fn sections(keymap: &Keymap, signs: &Signs) -> Vec<HelpSection> {
    let mut listed = FxHashSet::default();
    let mut section = |title, context, topic: Option<Topic>| {
        let of_topic = |row: &usize| topic.is_none_or(|topic| KEYS[*row].topic == topic);
        let mut entries = Vec::new();
        for row in (0..KEYS.len()).filter(of_topic) {
            for bound in keymap.bound_to(row) {
                let keys: Vec<String> = bound.keys.iter().map(Sequence::shown).collect();
                let keys = keys.join(" ");
                let is_here = bound.place == context && !keys.is_empty();
                if is_here && listed.insert((row, keys.clone())) {
                    let (help, name) = (KEYS[row].help, KEYS[row].command.name());
                    entries.push(HelpEntry { keys, help, name });
                }
            }
        }
        HelpSection { title, entries }
    };
    let by_topic = Topic::ALL.map(|topic| section(topic.title(), KeyContext::Stream, Some(topic)));
    let others = OTHERS.map(|(title, context)| section(title, context, None));
    by_topic
        .into_iter()
        .chain(others)
        .chain([legend(signs)])
        .collect()
}

/// The contexts beside the review: the keys that differ there.
const OTHERS: [(&str, KeyContext); 9] = [
    ("While lines are selected", KeyContext::Lines),
    ("In the list of all files", KeyContext::FileList),
    (
        "Reading a plan, a result or three texts",
        KeyContext::Reader,
    ),
    ("Choosing the place of a hunk", KeyContext::Placing),
    ("Editing the proposed lines", KeyContext::Editor),
    ("Typing a comment, a search or a filter", KeyContext::Prompt),
    ("Answering a question", KeyContext::Question),
    ("Finishing", KeyContext::Finish),
    ("In this help", KeyContext::Help),
];

/// The signs of the screen.
fn legend(signs: &Signs) -> HelpSection {
    let entries = [
        (signs.undecided, "undecided"),
        (signs.accepted, "accepted"),
        (signs.rejected, "rejected"),
        (signs.mixed, "some lines accepted, others not"),
        (
            signs.attention,
            "needs attention: no place, a loose match, protected, rejected before, or a loss",
        ),
        (signs.edited, "edited by you"),
        (signs.comment, "has a comment"),
        (signs.applied, "already applied"),
        (signs.chosen, "chosen in the list"),
        (signs.moved_away, "this line is moved to another place"),
        (signs.moved_here, "this line is moved from another place"),
        (
            signs.new_since,
            "this line is new since a version that was rejected",
        ),
        (signs.fold, "unchanged lines that are not shown"),
        (
            signs.more_right,
            "the line goes on; in colour where a difference or a match is hidden",
        ),
        (signs.line_feed, "line ending LF"),
        (signs.carriage_return, "line ending CRLF"),
        (signs.no_newline, "no newline at the end of the file"),
        (
            "new del",
            "in the list of files: a new or copied, a deleted file",
        ),
        ("ren bin", "a renamed file, a binary file"),
        (
            "mode eol",
            "another file mode, other line endings or encoding",
        ),
        ("link dir", "a symbolic link, a folder"),
    ];
    let entry = |(sign, help): (&str, &'static str)| HelpEntry {
        keys: sign.to_owned(),
        help,
        name: "sign".into(),
    };
    HelpSection {
        title: "Signs",
        entries: entries.map(entry).into(),
    }
}
