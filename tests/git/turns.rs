//! What an agent wrote in a turn by other means than edits, reviewed before it stops.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::pty::Terminal;
use crate::repository::Repository;

/// Runs a hook of Claude Code, as it is installed, or the client of a script; gives what it prints.
fn run(tree: &Repository, command: &str, input: &str) -> String {
    let place = tree.place.path();
    let program = env!("CARGO_BIN_EXE_countersign");
    let mut child = Command::new("sh")
        .args(["-c", &format!("'{program}' {command}")])
        .current_dir(tree.path(""))
        .env_clear()
        .env("XDG_STATE_HOME", place.join("home/state"))
        .env("HOME", place.join("home"))
        .env("TMPDIR", place)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What Claude Code sent (`tests/hook/recorded`), and what it is told.
fn told(tree: &Repository, name: &str) -> Value {
    told_after(tree, name, "done")
}

/// The same where this was the last message of the agent.
fn told_after(tree: &Repository, name: &str, message: &str) -> Value {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hook/recorded");
    let input = fs::read_to_string(recorded.join(name).with_extension("json")).unwrap();
    let input = input.replace("@ROOT@", tree.path("").to_str().unwrap());
    let input = input.replace("\"done\"", &json!(message).to_string());
    serde_json::from_str(&run(tree, "hook claude --stop", &input)).unwrap()
}

fn serve(tree: &Repository) -> Terminal {
    let terminal = tree.open("exec $countersign serve --grace 0");
    terminal.wait_for_review();
    terminal.wait_for("Nothing to review");
    terminal
}

/// Ends a turn while a person presses these keys at what is shown then. What the agent is told, and the screen before the keys.
fn ends(tree: &Repository, terminal: &Terminal, shows: &[&str], keys: &[&str]) -> Value {
    thread::scope(|scope| {
        let ended = scope.spawn(|| told(tree, "claude-stop"));
        for text in shows {
            terminal.wait_for(text);
        }
        for keys in keys {
            terminal.keys(keys);
        }
        ended.join().unwrap()
    })
}

#[test]
fn what_no_gate_saw_is_reviewed_and_what_is_rejected_is_taken_back() {
    let tree = Repository::new();
    tree.write(".gitignore", "target\n");
    tree.write("mine.txt", "mine\n");
    tree.write("notes.md", "# Notes\n\nWater the beans.\nCut the roses.\n");
    let mut terminal = serve(&tree);
    let objects = tree.git("count-objects");
    assert_eq!(told(&tree, "claude-prompt"), json!({}));
    assert_eq!(told(&tree, "claude-stop"), json!({}));
    // An edit that was approved is not asked about again, unless something else came to it; what stood before is none of it.
    let edit = "beds.toml\n<<<<<<< SEARCH\nrows = 12\n=======\nrows = 16\n>>>>>>> REPLACE\n";
    thread::scope(|scope| {
        let asks = scope.spawn(|| run(&tree, "submit --no-overlay -", edit));
        terminal.wait_for("rows = 16");
        terminal.keys("a");
        asks.join().unwrap();
    });
    terminal.wait_for("Nothing to review");
    assert_eq!(told(&tree, "claude-stop"), json!({}));
    tree.write("notes.md", "# Notes\n\nDrown the beans.\nCut the roses.\n");
    tree.write("made.txt", "made\n");
    fs::remove_file(tree.path("mine.txt")).unwrap();
    let shows = ["claude", "3 files", "Drown the beans", "made.txt"];
    let keys = [
        "/Drown\r",
        "ctoo wet\r",
        "r",
        "/made\r",
        "a",
        "/mine\r",
        "r",
    ];
    let said = ends(&tree, &terminal, &shows, &keys);
    assert_eq!(said["decision"], "block", "{said}");
    let reason = said["reason"].as_str().unwrap();
    for text in ["2 reverted", "1 kept", "too wet", "do not write it again"] {
        assert!(reason.contains(text), "{text}: {reason}");
    }
    assert_eq!(
        tree.read("notes.md"),
        "# Notes\n\nWater the beans.\nCut the roses.\n"
    );
    assert_eq!(
        (tree.read("mine.txt"), tree.read("made.txt")),
        ("mine\n".into(), "made\n".into())
    );
    assert!(tree.read("beds.toml").contains("rows = 16"));
    // An agent that goes on, and does not write again, may stop; one that does is reviewed again.
    assert_eq!(told(&tree, "claude-stop-again"), json!({}));
    tree.write("notes.md", "daisies\n");
    let said = thread::scope(|scope| {
        let ended = scope.spawn(|| told(&tree, "claude-stop-again"));
        terminal.wait_for("daisies");
        terminal.keys("r");
        ended.join().unwrap()
    });
    assert_eq!(said["decision"], "block", "{said}");
    tree.write("notes.md", "again\n");
    // All of it stays, so there is nothing to say; and what was approved before it was changed once more is shown.
    tree.write("beds.toml", tree.read("beds.toml").replace("loam", "clay"));
    let said = ends(&tree, &terminal, &["again", "clay"], &["gay"]);
    assert_eq!(said, json!({}));
    assert!(tree.read("beds.toml").contains("clay"));
    assert_eq!(
        tree.git("count-objects"),
        objects,
        "nothing is stored in the repository"
    );
    assert!(!tree.status().contains("A "), "nor staged");
    terminal.wait_for("Nothing to review");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
}

/// The message to the person.
fn message(said: &Value) -> String {
    let message = said["systemMessage"].as_str();
    message.unwrap_or_default().to_owned()
}

/// Checks that the person reads these texts after the agent has written something in a turn that needs no review.
#[track_caller]
fn check_remark(before: impl Fn(&Repository), writes: impl Fn(&Repository), texts: &[&str]) {
    let tree = Repository::new();
    tree.write(".gitignore", "*.log\ntarget\n");
    tree.git("add --all");
    before(&tree);
    assert_eq!(told(&tree, "claude-prompt"), json!({}));
    assert_eq!(told(&tree, "claude-stop"), json!({}), "before it writes");
    writes(&tree);
    let said = told(&tree, "claude-stop");
    assert_eq!(said["decision"], Value::Null, "{said}");
    for text in texts {
        assert!(message(&said).contains(text), "{text}: {said}");
    }
    assert_eq!(texts.is_empty(), said == json!({}), "{said}");
}

#[test]
fn what_cannot_be_compared_is_named() {
    let large = |letter: &str| letter.repeat((1 << 20) + 1);
    let nothing = |_: &Repository| ();
    check_remark(nothing, nothing, &[]);
    let log = |tree: &Repository| tree.write("a.log", "one\n");
    check_remark(nothing, log, &["git ignores", "`a.log`"]);
    check_remark(log, nothing, &[]);
    let changes_log = |tree: &Repository| tree.write("a.log", "other\n");
    check_remark(log, changes_log, &["git ignores", "`a.log`"]);
    check_remark(nothing, |tree| tree.write("target/a", ""), &["`target/`"]);
    // Rules that hide themselves hide what is new.
    let hides = |tree: &Repository| {
        tree.write("src/.gitignore", "*\n");
        tree.write("src/new.rs", "");
    };
    check_remark(nothing, hides, &["git ignores", "`src/"]);
    let excludes = |tree: &Repository| {
        tree.write(".git/info/exclude", "new.rs\n");
        tree.write("new.rs", "");
    };
    let texts = ["git's settings were changed", "info/exclude`", "`new.rs`"];
    check_remark(nothing, excludes, &texts);
    let data = |tree: &Repository| tree.write("data", large("a"));
    check_remark(data, nothing, &[]);
    let changes_data = |tree: &Repository| tree.write("data", large("b"));
    check_remark(data, changes_data, &["too large to be kept", "`data`"]);
    let nests = |tree: &Repository| {
        tree.git("init --quiet nested");
        tree.write("nested/a", "");
    };
    check_remark(nests, nothing, &[]);
    check_remark(nothing, nests, &["repositories", "`nested/`"]);
}

#[test]
fn what_an_interrupted_turn_has_written_is_reviewed_with_the_next_one() {
    let tree = Repository::new();
    told(&tree, "claude-prompt");
    assert_eq!(told(&tree, "claude-prompt"), json!({}));
    tree.write("notes.md", "other\n");
    let said = told(&tree, "claude-prompt");
    assert!(message(&said).contains("`notes.md`"), "{said}");
    let said = told(&tree, "claude-stop");
    assert!(
        message(&said).contains("1 file is to be reviewed"),
        "{said}"
    );
    // Nobody did, and it came to its end.
    assert_eq!(told(&tree, "claude-prompt"), json!({}));
    assert_eq!(told(&tree, "claude-stop"), json!({}));
}

#[test]
fn an_agent_may_stop_when_nobody_can_look_and_the_person_is_told() {
    let tree = Repository::new();
    // Its hook was installed in the middle of the turn.
    let said = told(&tree, "claude-stop");
    assert!(
        message(&said).contains("how the files were when the turn began"),
        "{said}"
    );
    told(&tree, "claude-prompt");
    tree.write("notes.md", "other\n");
    let said = told(&tree, "claude-stop");
    assert!(
        message(&said).contains("1 file is to be reviewed"),
        "{said}"
    );
    assert!(message(&said).contains("`countersign git` shows"), "{said}");
    assert_eq!(said["decision"], Value::Null);
    // Who leaves has taken nothing back.
    let mut terminal = serve(&tree);
    let said = ends(&tree, &terminal, &["other"], &["ZQ"]);
    assert!(message(&said).contains("is not reviewed"), "{said}");
    assert_eq!(
        (terminal.end(), tree.read("notes.md")),
        (Ok(0), "other\n".into())
    );
    // Elsewhere than in a repository there is nothing to compare with, and nonsense stops nobody.
    let nowhere = json!({"session_id": "s", "cwd": tree.place.path(), "hook_event_name": "Stop", "stop_hook_active": false});
    assert_eq!(
        run(&tree, "hook claude --stop", &nowhere.to_string()),
        "{}\n"
    );
    for input in ["", "{}", "[1]", "{\"hook_event_name\": 1}"] {
        let said: Value = serde_json::from_str(&run(&tree, "hook claude --stop", input)).unwrap();
        assert!(
            message(&said).contains("is not reviewed"),
            "{input}: {said}"
        );
    }
}

#[test]
fn a_reply_that_no_thread_takes_is_named_to_the_agent_and_to_the_person() {
    let tree = Repository::new();
    assert_eq!(told(&tree, "claude-prompt"), json!({}));
    let why = "countersign: the reply to t9 is not kept: there is no thread `t9`";
    let said = told_after(&tree, "claude-stop", "Thread t9: because");
    assert_eq!(
        said,
        json!({"decision": "block", "reason": why, "systemMessage": why})
    );
    // An agent that goes on already would repeat it for ever.
    let said = told_after(&tree, "claude-stop-again", "Thread t9: because");
    assert_eq!(said, json!({"systemMessage": why}));
}
