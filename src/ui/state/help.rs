//! The lines of the help: the keys of the review by topic, those of the other contexts, and the signs.

use std::borrow::Cow;

use ratatui::layout::Size;
use rustc_hash::FxHashSet;

use super::app::App;
use crate::text::visible;
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
    /// The context that it was opened from: its keys come first.
    pub(crate) context: KeyContext,
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

/// Returns the help about an app, of the lines that hold these letters.
pub(crate) fn content<'a>(app: &'a App, filter: &'a str) -> HelpContent<'a> {
    HelpContent {
        keymap: &app.keymap,
        signs: app.display.signs,
        filter,
        context: app.helped_context(),
        width: column_width(app.size.width),
    }
}

/// The number of rows that the help has, of the lines that hold these letters.
pub(crate) fn height(app: &App, filter: &str) -> usize {
    lines(&content(app, filter))
        .len()
        .div_ceil(columns(app.size.width))
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
    for section in sections(shown) {
        let entries = section.entries.iter().filter(|entry| {
            let text = format!("{} {} {}", entry.keys, entry.help, entry.name).to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
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

/// The keys of the context that the help was opened from, the keys of the review by topic, the other keys of each other context,
/// and the signs.
fn sections(shown: &HelpContent) -> Vec<HelpSection> {
    let own = OTHERS.iter().find(|(_, context)| *context == shown.context);
    let own = own.map(|&(title, context)| {
        section(
            shown.keymap,
            title,
            (context, None),
            &mut FxHashSet::default(),
        )
    });
    let mut listed = FxHashSet::default();
    let by_topic = Topic::ALL.map(|topic| {
        let rows = (KeyContext::Stream, Some(topic));
        section(shown.keymap, topic.title(), rows, &mut listed)
    });
    let others = OTHERS
        .iter()
        .filter(|(_, context)| *context != shown.context);
    let others =
        others.map(|&(title, context)| section(shown.keymap, title, (context, None), &mut listed));
    let others: Vec<HelpSection> = others.collect();
    own.into_iter()
        .chain(by_topic)
        .chain(others)
        .chain([legend(shown.signs)])
        .collect()
}

/// Returns the keys of a context, or of one of its topics, that are not listed yet.
fn section(
    keymap: &Keymap,
    title: &'static str,
    (context, topic): (KeyContext, Option<Topic>),
    listed: &mut FxHashSet<(usize, String)>,
) -> HelpSection {
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

/// Short words in the list of files.
const WORDS: [(&str, &str); 5] = [
    (
        "2/5",
        "in the list of files: two of five hunks need no decision any more",
    ),
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

/// The signs of the screen.
fn legend(signs: &Signs) -> HelpSection {
    let mut entries = Vec::new();
    let mut explain = |sign: &str, help| entries.push(sign_entry(sign, help));
    // All are named, so that a new one has to be explained or to be left out here.
    let Signs {
        accepted,
        rejected,
        undecided,
        mixed,
        edited,
        attention,
        applied,
        protected,
        comment,
        fold,
        more_left,
        more_right,
        here,
        continues,
        more_below,
        chosen,
        vertical: _,
        horizontal: _,
        dot: _,
        full,
        empty,
        minus: _,
        moved_away,
        moved_here,
        new_since,
        tab,
        blank,
        wide_blank,
        becomes,
        inside,
        cut,
        line_feed,
        carriage_return,
        no_newline,
        frame: _,
    } = *signs;
    explain(undecided, "undecided");
    explain(accepted, "accepted");
    explain(rejected, "rejected");
    explain(mixed, "decided in part, or in more than one way");
    explain(
        attention,
        "needs attention: it has no place, cannot be read or changed, is a loose match or protected, was rejected before, or loses text",
    );
    explain(edited, "edited by you");
    explain(comment, "has a comment");
    explain(applied, "already applied, or already answered");
    explain(
        &format!("{full} {empty}"),
        "in the bar at the top: decided, and not decided yet",
    );
    explain(protected, "in the list of files: protected");
    explain(here, "the cursor");
    explain(continues, "the line above continues in this row");
    explain(
        more_below,
        "in the last row: the hunk has more changed lines below, as many as the title says",
    );
    explain(chosen, "chosen in the list");
    explain(
        moved_away,
        "beside a removed line: moved to another place, or changed inside of a moved block",
    );
    explain(
        moved_here,
        "beside an added line: moved from another place, or changed inside of a moved block",
    );
    explain(
        new_since,
        "this line is new since a version that was rejected",
    );
    explain(
        fold,
        "lines that are not shown; beside a file: it waits for an earlier proposal",
    );
    explain(
        &format!("{more_left} {more_right}"),
        "the line goes on; in colour where a difference or a match is hidden",
    );
    explain(
        &format!("{tab} {blank} {wide_blank}"),
        "a tab, a space, a wide space: where they differ, at the end of an added line, and on request",
    );
    explain(becomes, "between an old and a new name or line ending");
    explain(inside, "between a definition and one inside of it");
    explain(cut, "a text that is cut");
    explain(line_feed, "line ending LF");
    explain(carriage_return, "line ending CRLF");
    explain(no_newline, "no newline at the end of the file");
    entries.extend(unseen_characters());
    entries.extend(WORDS.map(|(words, help)| sign_entry(words, help)));
    HelpSection {
        title: "Signs",
        entries,
    }
}

/// The signs in place of characters that cannot be seen.
fn unseen_characters() -> [HelpEntry; 2] {
    [
        sign_entry(&visible('\u{a0}'), "a blank that is not a space"),
        sign_entry(
            &visible('\u{200b}'),
            "a character that is not visible, or turns the text around, by its number",
        ),
    ]
}

fn sign_entry(sign: &str, help: &'static str) -> HelpEntry {
    HelpEntry {
        keys: sign.to_owned(),
        help,
        name: "sign".into(),
    }
}
