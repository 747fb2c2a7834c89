//! How the documentation reads: the openings of doc comments, and words that stand for plainer ones.
//!
//! Doc comments say what an item does (*Returns*, *Parses*) or is (*Advisory lock per working tree*); a doc that opens with a
//! question word leaves that to the reader. The bounds below are the counts that modules have; they may only shrink, to less
//! than 5 % and to none. `cargo test --test tidy -- --nocapture prose` prints the present counts.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use crate::{module_of, sources};

/// Words that open a question in the place of a statement.
const QUESTIONS: [&str; 6] = ["What", "Whether", "Where", "How", "Which", "Who"];

/// Phrases that have a plainer form, in lower case.
const BANNED: [&str; 12] = [
    "stands",
    "stand",
    "stood",
    "is told",
    "comes of",
    "is of use",
    "at hand",
    "says so",
    "a look",
    "may be meant",
    "is another now",
    "told",
];

/// The most doc comments of each module that open with a question word, and the most banned phrases in its comments.
const BOUNDS: [(&str, usize, usize); 14] = [
    ("agent", 0, 0),
    ("app", 0, 0),
    ("cli", 0, 0),
    ("config", 0, 0),
    ("dialect", 0, 0),
    ("lib", 0, 0),
    ("locate", 0, 0),
    ("parallel", 0, 0),
    ("policy", 0, 0),
    ("proposal", 0, 0),
    ("review", 0, 0),
    ("store", 0, 0),
    ("text", 0, 0),
    ("ui", 0, 0),
];

/// The share of doc comments in the whole crate that open with a question word must be below this, in hundredths.
const MOST_PERCENT: usize = 5;

/// Counts of one module.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    docs: usize,
    questions: usize,
    banned: usize,
}

/// Counts the doc comments of a file, those that open with a question word, and the banned phrases in all its comments.
fn counts(source: &str) -> Counts {
    let mut counts = Counts::default();
    let mut before = "";
    let mut comments = String::new();
    for line in source.lines().map(str::trim_start) {
        let marker = ["///", "//!", "//"]
            .into_iter()
            .find(|marker| line.starts_with(marker));
        let marker = marker.unwrap_or_default();
        let text = line[marker.len()..].trim();
        if matches!(marker, "///" | "//!") && marker != before {
            counts.docs += 1;
            let first = text.split(|c: char| !c.is_alphanumeric()).next();
            counts.questions += usize::from(first.is_some_and(|word| QUESTIONS.contains(&word)));
        }
        if !marker.is_empty() {
            comments.push_str(text);
            comments.push(' ');
        }
        before = marker;
    }
    counts.banned = banned_in(&comments).len();
    counts
}

/// Returns the banned phrases in a text, one for each place.
fn banned_in(text: &str) -> Vec<&'static str> {
    let words: Vec<String> = (text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let found = BANNED.iter().flat_map(|phrase| {
        let parts: Vec<&str> = phrase.split(' ').collect();
        let places = words.windows(parts.len());
        let count = places.filter(|words| *words == parts.as_slice()).count();
        iter::repeat_n(*phrase, count)
    });
    found.collect()
}

/// The counts of every top-level module, by name.
fn by_module() -> Vec<(String, Counts)> {
    let mut modules: Vec<(String, Counts)> = Vec::new();
    for (file, source) in sources() {
        let name = module_of(&file)
            .first()
            .copied()
            .unwrap_or("lib")
            .to_owned();
        let found = counts(&source);
        match modules.last_mut().filter(|(last, _)| *last == name) {
            Some((_, sum)) => {
                sum.docs += found.docs;
                sum.questions += found.questions;
                sum.banned += found.banned;
            }
            None => modules.push((name, found)),
        }
    }
    modules
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are for people")]
fn prose_gets_plainer_and_never_less_plain() {
    let mut worse = Vec::new();
    for (name, counts) in by_module() {
        let Counts {
            docs,
            questions,
            banned,
        } = counts;
        println!(
            "(\"{name}\", {questions}, {banned}), // {docs} docs, {} %",
            questions * 100 / docs.max(1)
        );
        let bound = BOUNDS.iter().find(|(module, ..)| *module == name);
        let (most_questions, most_banned) = bound
            .map_or((docs / 20, 0), |(_, questions, banned)| {
                (*questions, *banned)
            });
        if questions > most_questions {
            worse.push(format!(
                "{name}: {questions} of {docs} docs open with a question word, {most_questions} did: open them with a verb or a noun"
            ));
        }
        if banned > most_banned {
            worse.push(format!("{name}: {banned} banned phrases in comments, {most_banned} were there: say it plainly"));
        }
    }
    let (docs, questions) = by_module()
        .iter()
        .fold((0, 0), |(docs, questions), (_, counts)| {
            (docs + counts.docs, questions + counts.questions)
        });
    let percent = questions * 100 / docs.max(1);
    println!("{questions} of {docs} docs of the crate open with a question word, {percent} %");
    if percent >= MOST_PERCENT {
        worse.push(format!(
            "{percent} % of all docs open with a question word, {MOST_PERCENT} % is too many"
        ));
    }
    assert!(worse.is_empty(), "\n{}\n", worse.join("\n"));
}

#[test]
fn pages_have_no_banned_phrases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ];
    let mut pages: Vec<PathBuf> = pages.map(|page| root.join(page)).to_vec();
    for entry in fs::read_dir(root.join("docs/src")).expect("docs/src can be listed") {
        pages.push(entry.expect("docs/src can be read").path());
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    assert!(pages.len() > 20, "{pages:?}");
    let mut found = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page is UTF-8");
        for (line, text) in text.lines().enumerate() {
            let phrases = banned_in(text).into_iter();
            found
                .extend(phrases.map(|phrase| format!("{}:{}: {phrase}", page.display(), line + 1)));
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn docs_and_phrases_are_counted() {
    let source = "//! What it is.\n//!\n//! Where.\n\n/// Returns it, as is\n/// told elsewhere.\nfn a() {}\n\n/// Whether so.\n// It stands.\nfn b() {}\n";
    let expected = Counts {
        docs: 3,
        questions: 2,
        banned: 3,
    };
    assert_eq!(counts(source), expected);
}
