//! Five rounds of one conversation: an agent sends all of its work again, each time in another dialect, and a model says which lines are
//! new to the person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A function whose middle line an agent replaces, and the lines that it puts there.
type Edit = (char, &'static str);
/// A round: the edits, and the answers to those that are asked about, with the reason of a rejection.
type Round = (&'static [Edit], &'static [(char, Option<&'static str>)]);

const LONG: &str = "tune(1, 2, 3)|check(4, 5, 6)|close(7, 8, 9)";
const OTHER: &str = "tune(1, 2, 3)|check(6, 5, 4)|close(7, 8, 9)";

const ROUNDS: [Round; 5] = [
    (
        &[('a', "walk(1)|log(2)"), ('c', LONG), ('e', "go(3)")],
        &[('a', None), ('c', Some("no checks")), ('e', None)],
    ),
    // What was accepted comes again, and another version of what was rejected.
    (
        &[
            ('a', "walk(1)|log(2)"),
            ('c', OTHER),
            ('e', "go(3)"),
            ('f', "fly(4)"),
        ],
        &[('c', Some("no checks")), ('f', None)],
    ),
    // The first version again.
    (
        &[
            ('a', "walk(1)|log(2)"),
            ('b', "swim(5)|dry(6)"),
            ('c', LONG),
            ('f', "fly(4)"),
        ],
        &[('b', Some("not yet")), ('c', Some("no checks"))],
    ),
    // A version with lines of both, and one of its own.
    (
        &[
            ('a', "walk(1)|log(2)"),
            ('b', "swim(5)|dry(7)"),
            (
                'c',
                "tune(1, 2, 3)|check(6, 5, 4)|check(4, 5, 6)|end(0, 0, 0)",
            ),
        ],
        &[('b', None), ('c', None)],
    ),
    (
        &[
            ('b', "swim(5)|dry(7)"),
            ('d', "run_on(8)"),
            ('e', "go(3)"),
            ('f', "fly(4)"),
        ],
        &[('d', None)],
    ),
];

/// The lines of a function, with some in its middle.
fn function(name: char, middle: &str) -> Vec<String> {
    let middle = middle.split('|').map(|call| format!("    {name}.{call};"));
    [
        format!("fn {name}() {{"),
        format!("    let {name} = start_{name}();"),
    ]
    .into_iter()
    .chain(middle)
    .chain([format!("    finish_{name}({name});"), "}".to_owned()])
    .collect()
}

/// Writes edits of the functions as they were at first, in one of the dialects.
fn written(edits: &[Edit], round: usize) -> String {
    let mut text = match round % 3 {
        0 => String::new(),
        1 => "--- a/x.rs\n+++ b/x.rs\n".to_owned(),
        _ => "*** Begin Patch\n*** Update File: x.rs\n".to_owned(),
    };
    for (name, middle) in edits {
        let (old, new) = (function(*name, "run()"), function(*name, middle));
        if round.is_multiple_of(3) {
            let (old, new) = (old.join("\n"), new.join("\n"));
            let block = format!("x.rs\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n");
            text.push_str(&block);
            continue;
        }
        text.push_str("@@\n");
        for line in &old[..2] {
            writeln!(text, " {line}").unwrap();
        }
        writeln!(text, "-{}", old[2]).unwrap();
        for line in &new[2..new.len() - 2] {
            writeln!(text, "+{line}").unwrap();
        }
        for line in &old[3..] {
            writeln!(text, " {line}").unwrap();
        }
    }
    if round % 3 == 2 {
        text.push_str("*** End Patch\n");
    }
    text
}

/// Reviews an edit line by line with these answers, and returns what is printed.
fn review(place: &TempDir, answers: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["review", "--linear", "--root", "root", "edit"])
        .current_dir(place.path())
        .env_clear()
        .env("HOME", place.path().join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, answers.as_bytes()).unwrap();
    drop(stdin);
    let output = program.wait_with_output().unwrap();
    [output.stderr, output.stdout]
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .concat()
}

/// Returns the added lines that a review shows as new: all of a hunk that is new, the marked ones of another version of a rejected
/// one, and none of one that was rejected before.
fn shown_as_new(printed: &str) -> BTreeSet<String> {
    let mut new = BTreeSet::new();
    for hunk in printed.split("\nHunk ").skip(1) {
        let hunk = hunk.split("] [").next().unwrap_or_default();
        let lines: Vec<&str> = hunk
            .lines()
            .take_while(|line| !line.starts_with('('))
            .collect();
        let is_version = hunk.contains("you rejected an earlier version of this change");
        let is_known = hunk.contains("you rejected this change before");
        for (at, line) in lines.iter().enumerate() {
            let is_marked = lines
                .get(at + 1)
                .is_some_and(|next| next.starts_with("\\ this line is new"));
            let is_new = !is_known && (!is_version || is_marked);
            if let Some(line) = line.strip_prefix('+').filter(|_| is_new) {
                new.insert(line.to_owned());
            }
        }
    }
    new
}

#[test]
fn each_unchanged_line_is_shown_once_in_five_rounds() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("root")).unwrap();
    let file = place.path().join("root/x.rs");
    let functions = ('a'..='f').map(|name| function(name, "run()").join("\n") + "\n\n");
    fs::write(&file, functions.collect::<String>()).unwrap();
    let mut seen: BTreeMap<char, BTreeSet<String>> = BTreeMap::new();
    let mut accepted = BTreeSet::new();
    for (round, (edits, decisions)) in ROUNDS.iter().enumerate() {
        fs::write(place.path().join("edit"), written(edits, round)).unwrap();
        let mut expected = BTreeSet::new();
        for (name, middle) in *edits {
            let lines = function(*name, middle);
            for line in &lines[2..lines.len() - 2] {
                if seen.entry(*name).or_default().insert(line.clone()) {
                    expected.insert(line.clone());
                }
            }
        }
        let asked: Vec<char> = decisions.iter().map(|(name, _)| *name).collect();
        let open: Vec<char> = (edits.iter().map(|(name, _)| *name))
            .filter(|name| !accepted.contains(name))
            .collect();
        assert_eq!(
            asked, open,
            "the script answers what the model says is asked"
        );
        let answers: String = (decisions.iter())
            .map(|(_, reason)| reason.map_or("y\n".to_owned(), |why| format!("c\n{why}\nn\n")))
            .collect();
        let printed = review(&place, &format!("{answers}w\n"));
        assert_eq!(
            shown_as_new(&printed),
            expected,
            "round {}\n{printed}",
            round + 1
        );
        let folded = edits.len() - open.len();
        let counted = format!("{folded} already applied");
        assert!(folded == 0 || printed.contains(&counted), "{printed}");
        for (name, reason) in *decisions {
            if reason.is_none() {
                accepted.insert(*name);
            }
        }
    }
    let text = fs::read_to_string(&file).unwrap();
    let functions = [
        ('a', "walk(1)|log(2)"),
        ('b', "swim(5)|dry(7)"),
        (
            'c',
            "tune(1, 2, 3)|check(6, 5, 4)|check(4, 5, 6)|end(0, 0, 0)",
        ),
        ('d', "run_on(8)"),
        ('e', "go(3)"),
        ('f', "fly(4)"),
    ];
    let expected = functions.map(|(name, middle)| function(name, middle).join("\n") + "\n\n");
    assert_eq!(text, expected.concat());
}
