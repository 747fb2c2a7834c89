//! Five rounds of one conversation: an agent sends all of its work again, each time in another dialect, and a model says which lines are
//! new to the person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::answered;

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

/// A way to write edits.
#[derive(Clone, Copy, Debug)]
enum Form {
    SearchReplace,
    Diff,
    Codex,
    Call,
    WholeFile,
}

/// The forms, in the order in which the rounds have them.
const FORMS: [Form; 5] = [
    Form::SearchReplace,
    Form::Diff,
    Form::Codex,
    Form::Call,
    Form::WholeFile,
];

/// Writes edits of the functions as they were at first; a whole file is one of the file as it is.
fn written(edits: &[Edit], form: Form, text: &str) -> String {
    let edited = edits.iter().map(|(name, middle)| {
        let [old, new] = [function(*name, "run()"), function(*name, middle)];
        (old, new)
    });
    match form {
        Form::SearchReplace => {
            let blocks = edited.map(|(old, new)| {
                let (old, new) = (old.join("\n"), new.join("\n"));
                format!("x.rs\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n")
            });
            blocks.collect::<Vec<_>>().concat()
        }
        Form::Diff => "--- a/x.rs\n+++ b/x.rs\n".to_owned() + &hunks(edited),
        Form::Codex => {
            let hunks = hunks(edited);
            format!("*** Begin Patch\n*** Update File: x.rs\n{hunks}*** End Patch\n")
        }
        Form::Call => {
            let edits = edited.map(
                |(old, new)| json!({ "old_string": old.join("\n"), "new_string": new.join("\n") }),
            );
            let edits: Vec<Value> = edits.collect();
            json!({ "tool_name": "MultiEdit", "tool_input": { "file_path": "x.rs", "edits": edits } })
                .to_string()
        }
        Form::WholeFile => {
            let edited = edits.iter().fold(text.to_owned(), |text, (name, middle)| {
                let start = text.find(&format!("fn {name}() {{")).unwrap();
                let end = start + text[start..].find("\n}").unwrap() + 2;
                text[..start].to_owned() + &function(*name, middle).join("\n") + &text[end..]
            });
            json!({ "tool_name": "Write", "tool_input": { "file_path": "x.rs", "content": edited } })
                .to_string()
        }
    }
}

/// Writes the hunks of a diff without line numbers.
fn hunks(edited: impl Iterator<Item = (Vec<String>, Vec<String>)>) -> String {
    let mut text = String::new();
    for (old, new) in edited {
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
    text
}

/// Reviews an edit line by line with these answers, and returns what is printed.
fn review(place: &TempDir, answers: &str) -> String {
    let command = ["review", "--linear", "--root", "root", "edit"];
    let home = place.path().join("home");
    answered(place.path(), &home, &command, answers)
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
    // Each round comes in each form once.
    for first in 0..FORMS.len() {
        check_five_rounds(first);
    }
}

/// Reviews the five rounds, of which the first has the given form.
fn check_five_rounds(first: usize) {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("root")).unwrap();
    let file = place.path().join("root/x.rs");
    let functions = ('a'..='f').map(|name| function(name, "run()").join("\n") + "\n\n");
    fs::write(&file, functions.collect::<String>()).unwrap();
    let mut seen: BTreeMap<char, BTreeSet<String>> = BTreeMap::new();
    let mut accepted = BTreeSet::new();
    for (round, (edits, decisions)) in ROUNDS.iter().enumerate() {
        let form = FORMS[(first + round) % FORMS.len()];
        let text = fs::read_to_string(&file).unwrap();
        fs::write(place.path().join("edit"), written(edits, form, &text)).unwrap();
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
            "round {} as {form:?}\n{printed}",
            round + 1
        );
        let folded = edits.len() - open.len();
        let counted = format!("{folded} already applied");
        // A whole file does not say again what is in the file.
        let is_counted = !matches!(form, Form::WholeFile);
        assert!(
            folded == 0 || !is_counted || printed.contains(&counted),
            "{form:?}\n{printed}"
        );
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
