//! What git or this program wrote is read again with the same meaning: odd names, line endings, missing final newlines,
//! lines that look like those of a diff, empty files.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use countersign::agent::Approved;
use countersign::agent::hook::{Agent, Allowed, FileOutcome, HookRequest, allowed, read};
use countersign::dialect::Options;
use countersign::locate::Tolerance;
use countersign::review::{
    Decision, DecisionSource, Decisions, HunkId, Report, ReviewSession, Target, Writing,
};
use countersign::text::{Document, raw_bytes};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::engine::{Tree, accept_all, review, written};
use crate::git_program;

/// Names that diffs and JSON have to quote, or that look like something else.
const NAMES: &[&str] = &[
    "f",
    "src/my app/main file.rs",
    "a/b/c.txt",
    "b/a.txt",
    "源码/应用 程序.py",
    "docs/🎉.md",
    "say \"hi\".txt",
    "it's.txt",
    "tab\there.txt",
    "back\\slash.txt",
    "-dash.txt",
    "a b",
    "x -> y.txt",
    "[id]/(shop)/page.tsx",
    "é/e\u{301}.txt",
    "name\t2026-01-01.txt",
    "dev/null",
];

/// Lines of all kinds.
const LINES: &[&str] = &[
    "a",
    "b",
    "",
    "    a",
    "\tb",
    "a ",
    "-- a",
    "++ b",
    "-- a/f",
    "@@ -1 +1 @@",
    "diff --git a/x b/x",
    "\\ No newline at end of file",
    "-- ",
    "2.47.3",
    "```",
    "漢字 🎉",
    "*** End Patch",
    "=======",
    "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001",
];

/// The text of a file: lines of one ending, of which the last may lack it.
fn text(ending: &'static str) -> impl Strategy<Value = String> {
    (vec(select(LINES), 0..9), any::<bool>()).prop_map(move |(lines, ends)| {
        let text = lines.join(ending);
        let ends = ends && !lines.is_empty();
        if ends { text + ending } else { text }
    })
}

/// A file before and after, of which one may be missing.
fn file() -> impl Strategy<Value = (Option<String>, Option<String>)> {
    let ending = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    ending.prop_flat_map(|ending| {
        let side = || prop::option::weighted(0.85, text(ending));
        (side(), side()).prop_map(|(before, after)| {
            // New lines have the ending of those that the file has, `\n` without any.
            if before.as_ref().is_some_and(|text| text.contains("\r\n")) {
                return (before, after);
            }
            let plain = |text: String| text.replace("\r\n", "\n");
            (before.map(plain), after.map(plain))
        })
    })
}

/// The text of a file whose lines end in either way.
fn mixed() -> impl Strategy<Value = String> {
    let line = (
        select(&["a", "b", "c", "", "d", "e"][..]),
        select(&["\n", "\r\n"][..]),
    );
    vec(line, 1..9).prop_map(|lines| {
        lines
            .into_iter()
            .flat_map(|(line, end)| [line, end])
            .collect()
    })
}

/// Some files before and after.
fn files() -> impl Strategy<Value = BTreeMap<&'static str, (Option<String>, Option<String>)>> {
    btree_map(select(NAMES), file(), 1..4)
}

/// One side of some files.
fn tree<'a>(files: impl Iterator<Item = (&'a str, Option<&'a String>)>) -> Tree {
    let files = files.filter_map(|(name, text)| Some((name, text?)));
    let files = files.map(|(name, text)| (name.to_owned(), text.clone().into_bytes()));
    files.collect()
}

/// The diff that git writes between two trees.
fn diff(before: &Tree, after: &Tree) -> String {
    let place = tempfile::tempdir().unwrap();
    let git = |folder: &str, arguments: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "core.autocrlf=false"])
            .args(arguments)
            .current_dir(place.path().join(folder))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("GIT_DIR", place.path().join("git"))
            .env("GIT_WORK_TREE", place.path().join(folder))
            .env("GIT_INDEX_FILE", place.path().join("git").join(folder))
            .env("HOME", place.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    fs::create_dir(place.path().join("git")).unwrap();
    let ids = [("before", before), ("after", after)].map(|(side, tree)| {
        fs::create_dir(place.path().join(side)).unwrap();
        for (name, bytes) in tree {
            let path = place.path().join(side).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        if side == "before" {
            git(side, &["init", "-q"]);
        }
        git(side, &["add", "-A", "."]);
        String::from_utf8(git(side, &["write-tree"])).unwrap()
    });
    let [before, after] = &ids;
    let tree = ["diff-tree", "-p", "-r", before.trim(), after.trim()];
    raw_bytes::from_bytes(git("after", &tree))
}

fn accepted(before: &Tree, diff: &str) -> ReviewSession {
    let mut session = review(before, diff, &Options::default(), Tolerance::default());
    accept_all(&mut session);
    session
}

/// Git runs six times for each case.
fn config() -> ProptestConfig {
    let cases = (ProptestConfig::default().cases / 8).max(1);
    ProptestConfig {
        cases,
        ..ProptestConfig::default()
    }
}

/// The call that an agent's client carries out instead of its own, to write `approved`; none if this program writes.
fn amended(agent: Agent, tool: &str, input: &Value, base: &str, approved: &str) -> Option<String> {
    let (name, fields) = if agent == Agent::Opencode {
        ("tool", "args")
    } else {
        ("tool_name", "tool_input")
    };
    let call = json!({"cwd": "/", "directory": "/", name: tool, fields: input}).to_string();
    let Ok(HookRequest::Write(call)) = read(agent, call.as_bytes()) else {
        panic!("{call}")
    };
    let base = Document::from_text(base);
    let outcome = FileOutcome {
        path: "f",
        rename: None,
        base: Some(&base),
        approved: &Approved::Text(approved.to_owned()),
        is_amended: true,
    };
    match allowed(&call, &[outcome]) {
        Allowed::Amended(input) => Some(json!({"name": tool, "input": input}).to_string()),
        Allowed::AsSent | Allowed::Impossible => None,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_diff_of_git_makes_what_it_was_made_of(files in files()) {
        let before = tree(files.iter().map(|(name, (before, _))| (*name, before.as_ref())));
        let after = tree(files.iter().map(|(name, (_, after))| (*name, after.as_ref())));
        if !git_program::can_run() {
            return Ok(());
        }
        let diff = diff(&before, &after);
        prop_assume!(!diff.is_empty());
        let session = accepted(&before, &diff);
        prop_assert_eq!(&session.problems, &[], "{}", diff);
        prop_assert_eq!(written(&before, &session).unwrap(), after, "{}", diff);
    }

    /// A diff of git between texts of mixed endings is refused because of an ending, or its lines are written, and those that stay
    /// keep the ending that both texts have.
    #[test]
    fn no_ending_is_changed_or_left_out_in_silence(old in mixed(), new in mixed()) {
        let side = |text: &String| tree([("f", Some(text))].into_iter());
        let (before, after) = (side(&old), side(&new));
        if !git_program::can_run() {
            return Ok(());
        }
        let diff = diff(&before, &after);
        prop_assume!(!diff.is_empty());
        let session = accepted(&before, &diff);
        if !session.problems.is_empty() {
            prop_assert!(session.problems.iter().all(|it| it.found.contains("line ending")), "{:?}", session.problems);
            return Ok(());
        }
        let plain = |text: &str| text.replace("\r\n", "\n");
        let found = String::from_utf8(written(&before, &session).unwrap().remove("f").unwrap()).unwrap();
        prop_assert_eq!(plain(&found), plain(&new), "{}", diff);
        // Git keeps a line, ending and all, unless it says `-` and `+`.
        let kept = diff.split_inclusive('\n').filter_map(|line| line.strip_prefix(' '));
        for line in kept {
            prop_assert!(found.split_inclusive('\n').any(|own| own == line), "{:?} in {:?}", line, found);
        }
    }

    #[test]
    fn decisions_are_read_as_they_were_written(files in files(), accepts in any::<u8>(), comment in ".{0,12}") {
        let before = tree(files.iter().map(|(name, (before, _))| (*name, before.as_ref())));
        let after = tree(files.iter().map(|(name, (_, after))| (*name, after.as_ref())));
        if !git_program::can_run() {
            return Ok(());
        }
        let diff = diff(&before, &after);
        let mut session = review(&before, &diff, &Options::default(), Tolerance::default());
        session.comment = Some(comment).filter(|comment| !comment.trim().is_empty());
        let hunks: Vec<HunkId> = session.hunks().map(|(id, _)| id).collect();
        for (at, hunk) in hunks.into_iter().enumerate() {
            let decision = match accepts >> (at % 4 * 2) & 3 {
                0 => continue,
                1 => Decision::Rejected,
                _ => Decision::Accepted,
            };
            session.decide(&Target::Hunk(hunk), decision);
        }
        let decisions = Decisions::of(&session);
        let read = Decisions::from_json(&decisions.to_json()).unwrap();
        prop_assert_eq!(&read, &decisions);
        let mut again = review(&before, &diff, &Options::default(), Tolerance::default());
        again.take_up(&read, DecisionSource::SameProposal);
        prop_assert_eq!(Decisions::of(&again).files, read.files, "{}", diff);
        prop_assert_eq!(written(&before, &again), written(&before, &session), "{}", diff);
    }

    #[test]
    fn a_report_names_every_file_and_hunk(files in files()) {
        let before = tree(files.iter().map(|(name, (before, _))| (*name, before.as_ref())));
        let after = tree(files.iter().map(|(name, (_, after))| (*name, after.as_ref())));
        if !git_program::can_run() {
            return Ok(());
        }
        let session = accepted(&before, &diff(&before, &after));
        let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::new());
        let json: Value = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
        let named: Vec<&str> = json["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
        let paths: Vec<&str> = session.files.iter().map(|file| file.path.as_str()).collect();
        prop_assert_eq!(named, paths);
        prop_assert_eq!(json["hunks"].as_array().unwrap().len(), report.hunks.len());
    }

    /// An amended call is an edit like any other: where it has a place, it makes what was approved. A whole text that is a fence may
    /// be one around the text, so calls with one are left out.
    #[test]
    fn an_amended_call_makes_what_was_approved(base in text("\n"), approved in text("\n")) {
        let ended = |text: String| {
            let is_ended = text.is_empty() || text.ends_with('\n');
            if is_ended { text } else { text + "\n" }
        };
        let (base, approved) = (ended(base), ended(approved));
        prop_assume!(base != approved && !base.is_empty());
        let before: Tree = [("f".to_owned(), base.clone().into_bytes())].into();
        for (agent, tool, input) in [
            (Agent::Claude, "Edit", json!({"file_path": "f", "old_string": "a", "new_string": "b"})),
            (Agent::Gemini, "replace", json!({"file_path": "f", "old_string": "a", "new_string": "b"})),
            (Agent::Opencode, "edit", json!({"filePath": "f", "oldString": "a", "newString": "b"})),
            (Agent::Codex, "apply_patch", json!({"command": ""})),
            (Agent::Droid, "ApplyPatch", json!({"input": ""})),
        ] {
            let Some(call) = amended(agent, tool, &input, &base, &approved) else { continue };
            let mut session = review(&before, &call, &Options::default(), Tolerance::default());
            accept_all(&mut session);
            let made = written(&before, &session).expect("a tree");
            let text = made.get("f").map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            // A hunk without lines that tell its place is left to a person.
            let is_refused = text.as_ref() == Some(&base);
            prop_assert!(is_refused || text.as_ref() == Some(&approved), "{}\n{:?}", call, text);
        }
    }
}
