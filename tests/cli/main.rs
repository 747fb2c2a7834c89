//! What the program prints about itself, and how it answers what it cannot do.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod ancestor;
mod earlier;
mod hardship;
mod resent;
mod settings;

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

/// Runs the program, which must succeed, and gives what it prints.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

const COMMANDS: [&str; 12] = [
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
        "countersign: nothing is known to have been written in this folder\n\
         hint: commits are kept for 30 days, and up to 256 MB; look into git's history\n",
    );
    check(
        &["undo", "12"],
        3,
        "countersign: no batch is known as `12`\n\
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
         hint: is the command `apply` meant?\n",
    );
}

#[test]
fn a_misspelt_form_is_told_from_one_that_is_not_known() {
    let (code, _, err) = run(&["apply", "--format", "unifed"]);
    assert_eq!(code, Some(3));
    assert!(
        err.contains("is `unified` meant? the forms are: auto, "),
        "{err}"
    );
    let (_, _, err) = run(&["apply", "--format", "html"]);
    assert!(!err.contains("meant?"), "{err}");
    assert!(err.contains("the forms are: auto, "), "{err}");
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
