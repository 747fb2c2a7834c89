//! What a run is made of: a tree, an edit of it, and what a person does about it. Small numbers first, so that a run which
//! fails can be made smaller.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::form::{Encoding, Endings, Form};

/// A run.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) files: Vec<File>,
    pub(crate) dialect: Dialect,
    pub(crate) way: Way,
}

/// A file of the tree, and what is asked of it.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// Its name, relative to the root.
    pub(crate) name: String,
    /// A link to it by which the edit calls it.
    pub(crate) link: Option<String>,
    pub(crate) form: Form,
    pub(crate) executable: bool,
    pub(crate) lines: Vec<String>,
    pub(crate) ask: Ask,
    /// The changes of its lines, in order; what a new file holds is one.
    pub(crate) changes: Vec<Change>,
}

/// Lines that go, and what comes in their place.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) at: usize,
    pub(crate) old: usize,
    pub(crate) new: Vec<String>,
}

/// What is asked of a file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Nothing; if there are no changes, the edit does not name it.
    Modify,
    Create {
        executable: bool,
    },
    Delete,
    Rename(String),
    /// The other permission to execute.
    Mode,
}

/// The dialects that an edit is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Unified,
    /// The same with wrong numbers.
    Drifted,
    Aider,
    Envelope,
    Roo,
    Call,
}

/// How an edit is carried out.
#[derive(Debug, Clone)]
pub(crate) enum Way {
    Apply,
    Review(Vec<Step>, Ending),
}

/// What a person does. Numbers are taken modulo what there is.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Decide(usize, Verdict),
    DecideFile(usize, Verdict),
    DecideRest(Verdict),
    /// Adds to the end of a hunk's first new line, and perhaps a line below it.
    Edit(usize, bool),
    Restore(usize),
    Comment(usize),
    Undo(usize),
    Redo(usize),
    /// Looks around.
    Keys(&'static str),
    Resize(u16, u16),
    /// A kill, at once or when all is kept, and the same command again.
    Kill {
        kept: bool,
    },
    /// The review is kept for later, and taken up again.
    Later,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accept,
    Reject,
    Clear,
    Toggle,
}

/// How a review ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Write,
    WriteAfterPlan,
    Discard,
    Abort,
}

const FOLDERS: [&str; 7] = [
    "",
    "src/",
    "src/deep/er/",
    "a b/",
    "\u{fc}n\u{ef}/\u{65e5}\u{672c}/",
    "x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/",
    "~hidden/",
];

/// Names that every dialect can write.
const TAME: [&str; 8] = [
    "f#.rs",
    "g#.c",
    "h#.py",
    "_i#.toml",
    "na\u{ef}ve-#.md",
    "\u{65e5}#.txt",
    "j k#.txt",
    "l#.min.js",
];

/// Names that only quoting can write.
const ODD: [&str; 10] = [
    "new\nline#",
    "tab\t#.txt",
    "\"quoted\"#",
    "back\\slash#",
    "it's $HOME `#`",
    "[x] (y) & {z}#",
    "-#",
    "esc\u{1b}[31m#",
    "#;<>|*?",
    "e\u{301}#\u{202e}txt",
];

/// What lines begin with.
const WORDS: [&str; 14] = [
    "line",
    "  let x =",
    "\tif",
    "fn a() {",
    "-- sig",
    "++ plus",
    "\u{201c}quoted\u{201d}",
    "wide \u{6f22}\u{5b57}",
    "e\u{301}",
    "x = 1;",
    "    \t deep",
    "a\u{2028}b",
    "# head",
    "*",
];
const LATIN1_WORDS: usize = 6;
/// Lines that may stand more than once.
const FILL: [&str; 4] = ["", "}", "    }", "end"];

type Choice = usize;

/// The choice that makes a file.
const CREATE: Choice = 6;

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
struct Raw {
    folder: Choice,
    name: Choice,
    encoding: Choice,
    endings: Choice,
    final_newline: bool,
    executable: bool,
    linked: bool,
    first: bool,
    hunks: Vec<(Choice, usize, usize, Choice)>,
    tail: usize,
    ask: Choice,
}

/// Anything that a run is made of.
#[derive(Debug, Clone)]
pub(crate) struct RawCase {
    files: Vec<Raw>,
    dialect: Dialect,
    way: Way,
}

pub(crate) fn case() -> impl Strategy<Value = RawCase> {
    let dialect = select(vec![
        Dialect::Unified,
        Dialect::Aider,
        Dialect::Envelope,
        Dialect::Roo,
        Dialect::Call,
        Dialect::Drifted,
    ]);
    (vec(raw(), 1..7), dialect, way()).prop_map(|(files, dialect, way)| RawCase {
        files,
        dialect,
        way,
    })
}

fn raw() -> impl Strategy<Value = Raw> {
    let hunk = (0..8_usize, 0..4_usize, 0..4_usize, 0..64_usize);
    (
        (0..FOLDERS.len(), 0..TAME.len() + ODD.len()),
        (0..12_usize, 0..8_usize, prop::bool::weighted(0.75)),
        (
            prop::bool::weighted(0.2),
            prop::bool::weighted(0.15),
            any::<bool>(),
        ),
        (vec(hunk, 0..4), 0..8_usize, 0..10_usize),
    )
        .prop_map(|(place, form, flags, (hunks, tail, ask))| Raw {
            folder: place.0,
            name: place.1,
            encoding: form.0,
            endings: form.1,
            final_newline: form.2,
            executable: flags.0,
            linked: flags.1,
            first: flags.2,
            hunks,
            tail,
            ask,
        })
}

fn way() -> impl Strategy<Value = Way> {
    let ending = select(vec![
        Ending::Write,
        Ending::Write,
        Ending::WriteAfterPlan,
        Ending::WriteAfterPlan,
        Ending::Discard,
        Ending::Abort,
    ]);
    prop_oneof![
        1 => Just(Way::Apply),
        3 => (vec(step(), 0..24), ending).prop_map(|(steps, ending)| Way::Review(steps, ending)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let verdict = || {
        select(vec![
            Verdict::Accept,
            Verdict::Accept,
            Verdict::Reject,
            Verdict::Clear,
            Verdict::Toggle,
        ])
    };
    let which = || 0..24_usize;
    let keys = select(vec![
        "jjj", "G", "gg", "kk", "W", "|", "\x04", "\x15", "]]", "[", "}", "{", "!q", "?q", "tt",
        "pq", "/line\r", "n", "\t", "\x1b[Z", ")", "(", "+", "w",
    ]);
    prop_oneof![
        10 => (which(), verdict()).prop_map(|(unit, verdict)| Step::Decide(unit, verdict)),
        3 => (which(), verdict()).prop_map(|(file, verdict)| Step::DecideFile(file, verdict)),
        2 => select(vec![Verdict::Accept, Verdict::Reject]).prop_map(Step::DecideRest),
        4 => (which(), any::<bool>()).prop_map(|(unit, below)| Step::Edit(unit, below)),
        1 => which().prop_map(Step::Restore),
        2 => which().prop_map(Step::Comment),
        3 => (1..5_usize).prop_map(Step::Undo),
        3 => (1..5_usize).prop_map(Step::Redo),
        2 => keys.prop_map(Step::Keys),
        1 => (20..200_u16, 5..60_u16).prop_map(|(cols, rows)| Step::Resize(cols, rows)),
        1 => any::<bool>().prop_map(|kept| Step::Kill { kept }),
        1 => Just(Step::Later),
    ]
}

impl Case {
    /// What these choices come to, as far as the dialect can say it.
    pub(crate) fn of(raw: RawCase) -> Self {
        let RawCase {
            files,
            dialect,
            way,
        } = raw;
        let files = files.iter().enumerate();
        Self {
            files: files.map(|(at, raw)| file(at, raw, dialect)).collect(),
            dialect,
            way,
        }
    }
}

fn file(number: usize, raw: &Raw, dialect: Dialect) -> File {
    let odd = match dialect {
        Dialect::Unified | Dialect::Drifted | Dialect::Call => &ODD[..],
        Dialect::Aider | Dialect::Envelope | Dialect::Roo => &[],
    };
    let names = [&TAME, odd].concat();
    let name = names[raw.name % names.len()].replace('#', &number.to_string());
    let mut name = FOLDERS[raw.folder].to_owned() + &name;
    if dialect == Dialect::Aider && raw.ask == CREATE {
        // A new name with blanks may be a sentence that ends with a name.
        name = name.replace(' ', "");
    }
    let ask = ask(number, raw, dialect, &name);
    let creates = matches!(ask, Ask::Create { .. });
    let encoding = match raw.encoding {
        8 => Encoding::Utf8Mark,
        9 => Encoding::Utf16Le,
        10 => Encoding::Utf16Be,
        11 if ask != Ask::Delete => Encoding::Latin1,
        _ => Encoding::Utf8,
    };
    let endings = match raw.endings {
        6 => Endings::CrLf,
        7 => Endings::Mixed,
        _ => Endings::Lf,
    };
    let mut form = Form {
        encoding,
        endings,
        final_newline: raw.final_newline || (raw.tail == 0 && !creates),
    };
    if creates {
        let says_so = matches!(dialect, Dialect::Unified | Dialect::Drifted | Dialect::Call);
        form = Form::plain(raw.final_newline || !says_so);
    }
    let (lines, changes) = lines(number, raw, encoding, dialect);
    let (lines, changes) = match ask {
        Ask::Create { .. } => {
            let mut new = lines;
            if new.is_empty() && dialect == Dialect::Aider {
                // An empty block below an empty block says nothing.
                new.push("one".to_owned());
            }
            (Vec::new(), vec![Change { at: 0, old: 0, new }])
        }
        Ask::Delete if lines.is_empty() => (lines, Vec::new()),
        Ask::Delete => {
            let all = Change {
                at: 0,
                old: lines.len(),
                new: Vec::new(),
            };
            (lines, vec![all])
        }
        Ask::Modify | Ask::Rename(_) | Ask::Mode => (lines, changes),
    };
    let link = raw.linked && matches!(ask, Ask::Modify) && !changes.is_empty();
    File {
        link: link.then(|| format!("links/{number}")),
        name,
        form,
        executable: raw.executable && !creates,
        lines,
        ask,
        changes,
    }
}

fn ask(number: usize, raw: &Raw, dialect: Dialect, name: &str) -> Ask {
    let diff = matches!(dialect, Dialect::Unified | Dialect::Drifted);
    let envelope = dialect == Dialect::Envelope;
    match raw.ask {
        CREATE => Ask::Create {
            executable: raw.executable && diff,
        },
        7 if diff || envelope => Ask::Delete,
        // An envelope renames only what it changes.
        8 if diff || (envelope && !raw.hunks.is_empty()) => {
            let folder = FOLDERS[(raw.folder + raw.tail) % FOLDERS.len()];
            let last = name.rsplit('/').next().unwrap_or_default();
            Ask::Rename(format!("{folder}{number}-{last}"))
        }
        9 if diff => Ask::Mode,
        _ => Ask::Modify,
    }
}

/// The lines of a file, and the changes of them: each has three lines that stand nowhere else on either side, the ends of the
/// file aside.
fn lines(
    number: usize,
    raw: &Raw,
    encoding: Encoding,
    dialect: Dialect,
) -> (Vec<String>, Vec<Change>) {
    let words = if encoding == Encoding::Latin1 {
        LATIN1_WORDS
    } else {
        WORDS.len()
    };
    let mut count = 0;
    let mut one = |word: usize, kind: &str| {
        count += 1;
        format!("{} {kind}{number}.{count}", WORDS[(word + count) % words])
    };
    let (mut lines, mut changes) = (Vec::new(), Vec::new());
    for (at, &(gap, old, new, word)) in raw.hunks.iter().enumerate() {
        if at > 0 || !raw.first || encoding == Encoding::Latin1 {
            lines.extend((0..3).map(|_| one(word, "")));
            lines.extend((0..gap).map(|i| FILL[(word + i) % FILL.len()].to_owned()));
            lines.extend((0..3).map(|_| one(word, "")));
        }
        let start = lines.len();
        lines.extend((0..old).map(|_| one(word, "")));
        // Without any context, one new line does not show that it was put there.
        let bare = start == 0 && raw.hunks.len() == 1 && raw.tail == 0;
        let says = old + new > 0 && (!bare || (old > 0 && new > 1 && dialect != Dialect::Drifted));
        if says {
            changes.push(Change {
                at: start,
                old,
                new: (0..new).map(|_| one(word, "new ")).collect(),
            });
        }
    }
    if raw.tail > 0 {
        lines.extend((0..3).map(|_| one(raw.tail, "")));
        lines.extend((0..raw.tail).map(|i| FILL[i % FILL.len()].to_owned()));
        lines.push(one(0, "last "));
    }
    (lines, changes)
}

/// What to know of a run that fails, beside its edit.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(f, "{file:?}")?;
        }
        writeln!(f, "{:?}", self.way)
    }
}
