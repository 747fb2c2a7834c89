//! What the program prints about itself, and how it answers what it cannot do.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod agent_reads;
mod ancestor;
mod approved;
mod carried;
mod earlier;
#[path = "../git/program.rs"]
mod git_program;
mod hardship;
mod interrupted;
mod layers;
mod mcp_calls;
mod names;
mod policy;
mod rejected;
mod resent;
mod rounds;
#[path = "../scenarios/schema.rs"]
mod schema;
mod series;
mod settings;
mod signed;
mod steps;
mod without_git;

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use countersign::review::SCHEMA;
use tempfile::TempDir;

/// Runs the program in an empty folder; gives its exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let place = TempDir::new().unwrap();
    run_in(place.path(), &[], arguments)
}

/// Runs the program in a folder, with a home there and these variables; gives its exit code, standard output and standard
/// error.
fn run_in(
    place: &Path,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(arguments)
        .current_dir(place)
        .env_clear()
        .env("HOME", place.join("home"))
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err)
}

/// Runs the program in a folder with a home and these answers on standard input; gives all that it prints.
fn answered(folder: &Path, home: &Path, arguments: &[&str], answers: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", home)
        .envs(env::var_os("PATH").map(|path| ("PATH", path)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    // It may end before it has read all.
    let _ = stdin.write_all(answers.as_bytes());
    drop(stdin);
    let output = program.wait_with_output().unwrap();
    [output.stderr, output.stdout]
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .concat()
}

/// Runs the program, which must succeed, and gives what it prints.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

const COMMANDS: [&str; 13] = [
    "review",
    "demo",
    "apply",
    "check",
    "git",
    "diff",
    "undo",
    "log",
    "config",
    "schema",
    "licenses",
    "completions",
    "man",
];

#[test]
fn the_schema_is_that_of_the_report() {
    let schema: serde_json::Value = serde_json::from_str(&printed(&["schema"])).unwrap();
    assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    assert_eq!(schema["title"], SCHEMA);
}

#[test]
fn every_shell_has_completions_for_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in COMMANDS.into_iter().chain(["confidence"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "cmd"]).0, Some(3));
}

#[test]
fn licences_are_those_of_the_program_its_crates_and_its_grammars() {
    let text = printed(&["licenses"]);
    for expected in [
        "MIT OR Apache-2.0",
        "ratatui-core ",
        "nucleo-matcher ",
        "Mozilla Public License",
        "# Syntaxes",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
}

#[test]
fn the_manual_has_a_page_for_the_program_and_for_every_command() {
    let page = printed(&["man"]);
    for command in COMMANDS {
        assert!(
            page.contains(&format!("countersign\\-{command}(1)")),
            "{command}"
        );
        let page = printed(&["man", command]);
        assert!(
            page.contains(&format!(".TH countersign-{command} 1")),
            "{page}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    printed(&["man", "--all", pages.to_str().unwrap()]);
    for name in COMMANDS.map(|command| format!("countersign-{command}.1")) {
        assert!(pages.join(&name).exists(), "{name}");
    }
    let program = std::fs::read_to_string(pages.join("countersign.1")).unwrap();
    assert_eq!(program, printed(&["man"]));
    let (code, out, err) = run(&["man", "aply"]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(
        err.starts_with("error: there is no command `aply`"),
        "{err}"
    );
}

#[test]
fn what_cannot_be_done_ends_in_a_hint() {
    let check = |arguments: &[&str], code, expected: &str| {
        let (found, out, err) = run(arguments);
        assert_eq!((found, out.as_str()), (Some(code), ""), "{arguments:?}");
        assert_eq!(err, expected, "{arguments:?}");
    };
    check(
        &["undo"],
        2,
        "countersign: no batch was written in this folder\n\
         hint: the latest 100 batches are kept, others for 30 days, up to 256 MB in all; look into git's history\n",
    );
    check(
        &["undo", "12"],
        3,
        "countersign: there is no batch `12`\n\
         hint: `countersign log` names the batches that are known\n",
    );
    check(
        &["log", "--root", "none"],
        3,
        "countersign: the root `none` cannot be opened: No such file or directory (os error 2)\n\
         hint: name an existing folder\n",
    );
    check(
        &["apply", "none.md"],
        3,
        "countersign: cannot read `none.md`: No such file or directory (os error 2)\n\
         hint: check the name; `-` is standard input\n",
    );
    check(
        &["aply"],
        3,
        "countersign: cannot read `aply`: No such file or directory (os error 2)\n\
         hint: did you mean the command `apply`?\n",
    );
}

#[test]
fn a_json_report_is_printed_whatever_the_outcome_is() {
    let edit = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    let check = |arguments: &[&str], code: i32, schema: &str, status: &str| {
        let place = TempDir::new().unwrap();
        std::fs::write(place.path().join("a.txt"), "one\n").unwrap();
        std::fs::write(place.path().join("e.md"), edit).unwrap();
        let arguments: Vec<&str> = (arguments.iter().copied())
            .chain(["--report", "json"])
            .collect();
        let (found, out, err) = run_in(place.path(), &[], &arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {err}");
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(report["schema"], schema, "{arguments:?}");
        assert_eq!(report["status"], status, "{arguments:?}");
    };
    let report = SCHEMA;
    check(&["apply", "e.md"], 0, report, "applied");
    check(&["check", "e.md"], 0, report, "applied");
    check(&["apply", "--nonsense", "e.md"], 3, report, "refused");
    check(&["apply", "none.md"], 3, report, "refused");
    check(&["apply", "--root", "none", "e.md"], 3, report, "refused");
    check(
        &["apply", "--set", "ui.wrap=perhaps", "e.md"],
        3,
        report,
        "refused",
    );
    check(&["review", "--linear"], 3, report, "refused");
    check(&["undo"], 2, report, "refused");
    check(&["diff", "a.txt", "a.txt"], 0, report, "already-applied");
    check(
        &["submit", "--no-overlay", "e.md"],
        2,
        "countersign-verdict/1",
        "refused",
    );
    check(
        &["submit", "--nonsense"],
        3,
        "countersign-verdict/1",
        "refused",
    );
}

#[test]
fn options_may_precede_the_command() {
    let place = TempDir::new().unwrap();
    let edit = "a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    std::fs::create_dir(place.path().join("tree")).unwrap();
    std::fs::write(place.path().join("tree/a.txt"), "one\n").unwrap();
    std::fs::write(place.path().join("e.md"), edit).unwrap();
    for options in [
        "--root tree check e.md",
        "--report json --root=tree check e.md",
        "--dry-run apply --root tree e.md",
    ] {
        let words: Vec<&str> = options.split(' ').collect();
        let (code, _, err) = run_in(place.path(), &[], &words);
        assert_eq!(code, Some(0), "{options}: {err}");
    }
    let (code, _, err) = run_in(place.path(), &[], &["--root", "tree", "undo", "--nonsense"]);
    assert_eq!(code, Some(3));
    assert!(err.contains("Usage: countersign undo"), "{err}");
}

#[test]
fn what_keeps_a_batch_from_being_written_comes_first() {
    let place = TempDir::new().unwrap();
    let lines: Vec<String> = (0..40).map(|i| format!("line {i}\n")).collect();
    std::fs::write(place.path().join("a.txt"), lines.concat()).unwrap();
    let block =
        |old: &str| format!("a.txt\n<<<<<<< SEARCH\n{old}\n=======\nnew\n>>>>>>> REPLACE\n");
    let mut edit: String = (0..40).map(|i| block(&format!("line {i}"))).collect();
    edit += &block("gone");
    std::fs::write(place.path().join("e.md"), edit).unwrap();
    let (code, out, _) = run_in(place.path(), &[], &["apply", "e.md"]);
    assert_eq!(code, Some(2));
    assert!(out.starts_with("not-found "), "{out}");
    assert!(
        out.contains("not written     40 other hunks in a.txt: "),
        "{out}"
    );
    assert!(out.lines().count() < 12, "{out}");
    // `check` ends alike, and gives every hunk its line.
    let (code, out, _) = run_in(place.path(), &[], &["check", "e.md"]);
    assert_eq!(code, Some(2));
    assert_eq!(
        out.lines().filter(|line| line.contains("(exact)")).count(),
        40,
        "{out}"
    );
}

#[test]
fn an_input_without_edits_is_answered_with_what_reads_it() {
    let place = TempDir::new().unwrap();
    let check = |text: &str, expected: &str| {
        std::fs::write(place.path().join("r.md"), text).unwrap();
        let (code, _, err) = run_in(place.path(), &[], &["apply", "r.md"]);
        assert_eq!(code, Some(3), "{err}");
        assert!(
            err.contains(expected) && err.contains("--path FILE --format whole"),
            "{err}"
        );
    };
    check("Nothing here.\n", "no edit is recognised in `r.md`\n");
    check(
        "See:\n\n```sh\nls\n```\n",
        "the code fence at line 3 names no file",
    );
    check(
        "```\na\n```\n\n~~~\nb\n~~~\n",
        "the code fences at lines 1, 5 name no file",
    );
}

#[test]
fn a_misspelt_form_is_told_from_one_that_is_not_known() {
    let (code, _, err) = run(&["apply", "--format", "unifed"]);
    assert_eq!(code, Some(3));
    assert!(err.contains("similar value exists: 'unified'"), "{err}");
    assert!(err.contains("possible values: auto, "), "{err}");
    let (_, _, err) = run(&["apply", "--format", "html"]);
    assert!(!err.contains("similar"), "{err}");
    assert!(err.contains("possible values: auto, "), "{err}");
    assert!(printed(&["apply", "--help"]).contains("search-replace"));
}

#[test]
fn without_a_place_for_the_journal_nothing_is_written_and_looking_goes_on() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("a.txt");
    std::fs::write(&file, "one\n").unwrap();
    let edit = "a.txt\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n";
    std::fs::write(place.path().join("edit.md"), edit).unwrap();
    // Neither folder can be made, whoever asks.
    let nowhere = [
        ("HOME", "/dev/null/home"),
        ("XDG_STATE_HOME", "/dev/null/state"),
    ];
    let (code, _, err) = run_in(place.path(), &nowhere, &["check", "edit.md"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (code, out, _) = run_in(place.path(), &nowhere, &["apply", "edit.md"]);
    assert_eq!(code, Some(4), "{out}");
    assert!(
        out.contains("hint: set `XDG_STATE_HOME` to a folder that you may write to"),
        "{out}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\n");
    let (code, _, err) = run_in(place.path(), &nowhere, &["undo"]);
    assert_ne!(code, Some(0));
    assert!(err.contains("hint: "), "{err}");
}
