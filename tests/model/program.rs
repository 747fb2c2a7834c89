//! The program asks only when it is told to, and what comes is a proposal.

use std::fs;
use std::process::{Command, Output};

use crate::server::{Server, status, tagged};
use crate::{AFTER, FILE};

const EDIT: &str = "door.rs\n<<<<<<< SEARCH\nfn close(file) {\n    write(file);\n=======\nfn close(file) {\n    flush();\n>>>>>>> REPLACE\n";

/// Runs a command on the file with a service at an address.
fn run(arguments: &[&str], endpoint: &str) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("door.rs"), FILE).unwrap();
    fs::write(folder.path().join("edit.md"), EDIT).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(arguments)
        .arg("--root")
        .arg(&root)
        .arg("--set")
        .arg(format!("model.endpoint={endpoint}"))
        .args(["--set", "model.api_key_env=COUNTERSIGN_TEST_KEY"])
        .args(["--set", "model.retries=0"])
        .arg(folder.path().join("edit.md"))
        .env("COUNTERSIGN_TEST_KEY", "sesame")
        .env("COUNTERSIGN_CONFIG", "")
        .env("XDG_STATE_HOME", folder.path())
        .output()
        .unwrap();
    let after = fs::read_to_string(root.join("door.rs")).unwrap();
    (output, after)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn nothing_is_sent_unless_it_is_asked_for() {
    let server = Server::start(vec![tagged(AFTER)]);
    let (output, after) = run(&["apply", "--confidence", "fuzzy"], &server.endpoint);
    assert_eq!((output.status.code(), after.as_str()), (Some(2), FILE));
    assert!(server.asked().is_empty());
}

#[test]
fn what_comes_waits_for_a_person_unless_the_policy_takes_anything() {
    let server = Server::start(vec![tagged(AFTER)]);
    let (output, after) = run(&["apply", "--model"], &server.endpoint);
    assert_eq!(
        (output.status.code(), after.as_str()),
        (Some(2), FILE),
        "{}",
        said(&output)
    );
    assert!(
        said(&output).contains("the match is only `fuzzy`"),
        "{}",
        said(&output)
    );
    assert!(
        said(&output).contains("written by the apply model"),
        "{}",
        said(&output)
    );
    assert_eq!(server.asked().len(), 1);
    let (output, after) = run(
        &["apply", "--model", "--confidence", "fuzzy"],
        &server.endpoint,
    );
    assert_eq!(
        (output.status.code(), after.as_str()),
        (Some(0), AFTER),
        "{}",
        said(&output)
    );
    let (output, after) = run(&["check", "--model"], &server.endpoint);
    assert_eq!(
        (output.status.code(), after.as_str()),
        (Some(2), FILE),
        "{}",
        said(&output)
    );
}

#[test]
fn a_fault_leaves_the_hunk_as_it_was_and_says_why() {
    let server = Server::start(vec![status(500)]);
    let (output, after) = run(
        &["apply", "--model", "--confidence", "fuzzy"],
        &server.endpoint,
    );
    assert_eq!((output.status.code(), after.as_str()), (Some(2), FILE));
    let said = said(&output);
    assert!(
        said.contains("the apply model answered with status 500"),
        "{said}"
    );
    assert!(said.contains("no match in the file"), "{said}");
    assert!(!said.contains("sesame"), "{said}");
}

#[test]
fn without_a_service_it_says_so() {
    let (output, after) = run(&["apply", "--model"], "");
    assert_eq!(
        (output.status.code(), after.as_str()),
        (Some(3), FILE),
        "{}",
        said(&output)
    );
    assert!(
        said(&output).contains("model.endpoint"),
        "{}",
        said(&output)
    );
}
