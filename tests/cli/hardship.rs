//! Odd inputs and poor surroundings: what is asked for is done, or it is said why not.

use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::run_in;

/// A folder with files and an edit in `edit`.
fn place(files: &[(&str, &str)], edit: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(place.path().join(name), text).unwrap();
    }
    std::fs::write(place.path().join("edit"), edit).unwrap();
    place
}

fn block(name: &str, old: &str, new: &str) -> String {
    format!("{name}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
}

fn new_file(name: &str) -> String {
    format!("--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n")
}

#[test]
fn a_line_of_megabytes_is_a_line() {
    let long = "x".repeat(5_000_000);
    let edit = block("a.txt", &format!("{long}\nb"), &format!("{long}y\nb"));
    let place = place(&[("a.txt", &format!("{long}\nb\n"))], &edit);
    let (code, out, _) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{out}");
    let text = std::fs::read_to_string(place.path().join("a.txt")).unwrap();
    assert_eq!(text, format!("{long}y\nb\n"));
}

#[test]
fn a_deep_folder_is_made_or_refused() {
    let name = |depth: usize| format!("b/{}f", "some-folder/".repeat(depth));
    let place = place(&[], &new_file(&name(100)));
    let (code, out, _) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{out}");
    let made = place.path().join("some-folder/".repeat(100)).join("f");
    assert_eq!(std::fs::read_to_string(made).unwrap(), "x\n");
    // Longer than any path may be.
    std::fs::write(place.path().join("edit"), new_file(&name(1000))).unwrap();
    let (code, out, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert!(matches!(code, Some(2 | 4)), "{code:?} {out}{err}");
    // A name longer than any name may be.
    std::fs::write(place.path().join("edit"), new_file(&"n".repeat(300))).unwrap();
    let (code, out, _) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(2), "{out}");
}

#[test]
fn names_and_lines_cannot_speak_to_the_terminal() {
    let place = place(
        &[("a.txt", "one\x1b[2J\ntwo\n")],
        &(new_file("\"b/evil\\033]0;pwned\\007\\nname\"")
            + &block("a.txt", "one\x1b[3J\nthree", "x")),
    );
    let (code, out, _) = run_in(place.path(), &[], &["check", "edit"]);
    // As `apply` would end: one hunk has no place, so nothing of the batch is written.
    assert_eq!(code, Some(2));
    assert!(out.contains("evil␛]0;pwned␇␊name"), "{out}");
    assert!(
        !out.contains(|c: char| c.is_control() && c != '\n'),
        "{out:?}"
    );
    let (code, _, err) = run_in(place.path(), &[], &["check", "no\x1b[2Jfile"]);
    assert_eq!(code, Some(3));
    assert!(err.contains("no␛[2Jfile"), "{err:?}");
}

#[test]
fn a_name_that_is_no_unicode_is_left_alone() {
    let place = place(
        &[("a.txt", "one\ntwo\n")],
        &block("a.txt", "one\ntwo", "1\ntwo"),
    );
    let odd = place
        .path()
        .join(std::ffi::OsString::from_vec(b"not \xff utf-8".to_vec()));
    std::fs::write(&odd, "kept\n").unwrap();
    let (code, out, _) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{out}");
    assert_eq!(std::fs::read_to_string(odd).unwrap(), "kept\n");
    // As a root, and as the name of the edits.
    let root = place
        .path()
        .join(std::ffi::OsString::from_vec(b"r\xff".to_vec()));
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a.txt"), "one\ntwo\n").unwrap();
    std::fs::copy(place.path().join("edit"), root.join("edit")).unwrap();
    let (code, out, err) = run_in(&root, &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{out}{err}");
}

#[test]
fn edits_that_are_no_text_are_refused_and_empty_ones_are_said_to_be() {
    let place = place(&[], "");
    let (code, _, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(3));
    assert!(
        err.starts_with("countersign: `edit` is empty\nhint: "),
        "{err}"
    );
    std::fs::write(place.path().join("edit"), [0, 159, 146, 150]).unwrap();
    let (code, _, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(3));
    assert!(err.contains("holds no edits"), "{err}");
}

#[test]
fn without_a_home_or_a_terminal_looking_goes_on_and_a_review_says_what_it_needs() {
    let place = place(
        &[("a.txt", "one\ntwo\n")],
        &block("a.txt", "one\ntwo", "1\ntwo"),
    );
    let program = |arguments: &[&str]| {
        let mut command = Command::new("setsid");
        let command = command.arg("--wait").arg(env!("CARGO_BIN_EXE_countersign"));
        let command = command
            .args(arguments)
            .current_dir(place.path())
            .env_clear();
        let output = command
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(program(&["check", "edit"]), (Some(0), String::new()));
    let (code, err) = program(&["edit"]);
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("the terminal cannot be used"), "{err}");
    assert!(
        err.contains("hint: a review needs a terminal of its own"),
        "{err}"
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = place(
        &[("a.txt", "one\ntwo\n")],
        &block("a.txt", "one\ntwo", "1\ntwo"),
    );
    for arguments in [
        "man",
        "config --default",
        "completions zsh",
        "schema",
        "check edit",
        "check --report json edit",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command.args(arguments.split(' ')).current_dir(place.path());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.env("HOME", place.path()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), err.as_str()),
            (Some(0), ""),
            "{arguments}"
        );
    }
}

#[test]
fn an_input_of_many_megabytes_is_read() {
    let prose = "A line of prose that says nothing at all about any file.\n".repeat(200_000);
    let edit = prose.clone() + &block("a.txt", "one\ntwo", "1\ntwo") + &prose;
    let place = place(&[("a.txt", "one\ntwo\n")], &edit);
    let (code, out, _) = run_in(place.path(), &[], &["check", "edit"]);
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn an_input_without_a_reasonable_end_is_refused() {
    let place = place(&[("a.txt", "one\n")], "");
    let sparse = std::fs::File::create(place.path().join("edit")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    for input in ["edit", "/dev/zero"] {
        let (code, _, err) = run_in(place.path(), &[], &["check", input]);
        assert_eq!(code, Some(3), "{err}");
        assert!(err.contains("it has more than 256 MiB"), "{err}");
        assert!(err.contains("split it"), "{err}");
    }
}

#[test]
fn damaged_records_of_layers_do_not_keep_runs_from_listing() {
    let place = place(&[("a.txt", "one\n")], &block("a.txt", "one", "two"));
    let (code, _, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{err}");
    let states = place.path().join("home/.local/state/countersign");
    let state = std::fs::read_dir(states).unwrap().next().unwrap();
    let layers = state.unwrap().path().join("layers");
    for name in ["00000001", "00000002", "00000003", "00000004"] {
        std::fs::create_dir_all(layers.join(name)).unwrap();
    }
    let about = |name: &str| layers.join(name).join("about.json");
    std::fs::write(about("00000002"), "{").unwrap();
    std::fs::create_dir(about("00000003")).unwrap();
    // A pipe that nobody writes to would be waited for without end.
    let made = Command::new("mkfifo").arg(about("00000004")).status();
    assert!(made.unwrap().success());
    for arguments in [&["runs"][..], &["log"], &["undo"], &["threads"]] {
        let (code, out, err) = run_in(place.path(), &[], arguments);
        assert_eq!(code, Some(0), "{arguments:?} {out}{err}");
    }
}

#[test]
fn a_pipe_among_the_records_is_not_waited_for() {
    let place = place(&[("a.txt", "one\n")], &block("a.txt", "one", "two"));
    let (code, _, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(0), "{err}");
    let states = place.path().join("home/.local/state/countersign");
    let own = std::fs::read_dir(&states).unwrap().next().unwrap().unwrap();
    let pipe = |folder: &std::path::Path| {
        std::fs::create_dir_all(folder).unwrap();
        let _ = std::fs::remove_file(folder.join("root"));
        let made = Command::new("mkfifo").arg(folder.join("root")).status();
        assert!(made.unwrap().success());
    };
    pipe(&states.join("0123456789abcdef-other"));
    for arguments in [&["log"][..], &["undo", "--dry-run"]] {
        let (code, _, err) = run_in(place.path(), &[], arguments);
        assert_eq!(code, Some(0), "{arguments:?} {err}");
    }
    pipe(&own.path());
    std::fs::write(place.path().join("edit"), block("a.txt", "two", "three")).unwrap();
    let (code, out, err) = run_in(place.path(), &[], &["apply", "edit"]);
    assert_eq!(code, Some(4), "{err}");
    assert!(
        (out.clone() + &err).contains("it is not a regular file"),
        "{out}{err}"
    );
}

#[test]
fn what_is_in_the_way_of_a_file_of_the_state_is_named_and_to_be_removed() {
    let kinds: [fn(&std::path::Path); 3] = [
        |path| std::fs::create_dir(path).unwrap(),
        |path| {
            let made = Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        },
        |path| std::os::unix::fs::symlink("../../../../../victim", path).unwrap(),
    ];
    for name in ["root", "commit.lock"] {
        for kind in kinds {
            let place = place(&[("a.txt", "one\n")], &block("a.txt", "one", "two"));
            let (code, _, err) = run_in(place.path(), &[], &["apply", "edit"]);
            assert_eq!(code, Some(0), "{err}");
            let states = place.path().join("home/.local/state/countersign");
            let own = std::fs::read_dir(&states).unwrap().next().unwrap().unwrap();
            let path = own.path().join(name);
            let victim = place.path().join("victim");
            std::fs::write(&victim, "kept\n").unwrap();
            std::fs::remove_file(&path).unwrap();
            kind(&path);
            std::fs::write(place.path().join("edit"), block("a.txt", "two", "three")).unwrap();
            for arguments in [&["undo"][..], &["apply", "edit"]] {
                let (code, out, err) = run_in(place.path(), &[], arguments);
                assert_eq!(code, Some(4), "{name} {arguments:?} {out}{err}");
                let said = out + &err;
                assert!(said.contains(path.to_str().unwrap()), "{said}");
                assert!(said.contains("remove it"), "{name} {arguments:?} {said}");
            }
            assert_eq!(std::fs::read_to_string(&victim).unwrap(), "kept\n");
            let text = std::fs::read_to_string(place.path().join("a.txt")).unwrap();
            assert_eq!(text, "two\n");
        }
    }
}
