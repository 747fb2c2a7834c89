//! An edit of a version that an agent has read, as the hooks of its client report it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::run_in;

const SCHEMA: &str = include_str!("../../assets/report.schema.json");
const READ: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
/// Every line of the edit's context has changed since, but for those right beside the change.
const NOW: &str = "zero\none\ntwo: second\nthree\nfour\nfive\nsix: sixth\nseven\n";
const MERGED: &str = "zero\none\ntwo: second\nthree\n4\nfive\nsix: sixth\nseven\n";
const EDIT: &str = "a.txt\n<<<<<<< SEARCH\ntwo\nthree\nfour\nfive\nsix\n=======\ntwo\nthree\n4\nfive\nsix\n>>>>>>> REPLACE\n";

/// What the clients send after they have read or written the file `a.txt` in the folder `@`.
const CALLS: [(&str, &str); 6] = [
    (
        "claude",
        r#"{"session_id":"s","cwd":"@","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"@/a.txt"},"tool_response":{"type":"text","file":{"filePath":"@/a.txt","content":"one\n","numLines":1,"startLine":1,"totalLines":7}}}"#,
    ),
    (
        "claude",
        r#"{"session_id":"s","cwd":"@","hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"@/a.txt","old_string":"1","new_string":"one"},"tool_response":{}}"#,
    ),
    (
        "gemini",
        r#"{"session_id":"s","cwd":"@","hook_event_name":"AfterTool","tool_name":"read_file","tool_input":{"file_path":"@/a.txt"},"tool_response":{"llmContent":"one\n","returnDisplay":""}}"#,
    ),
    (
        "gemini",
        r#"{"session_id":"s","cwd":"@","hook_event_name":"AfterTool","tool_name":"read_file","tool_input":{"file_path":"a.txt"},"tool_response":{}}"#,
    ),
    (
        "qwen",
        r#"{"session_id":"s","cwd":"@","hook_event_name":"PostToolUse","permission_mode":"yolo","tool_name":"read_file","tool_input":{"file_path":"@/a.txt"},"tool_response":{"llmContent":"one\n","returnDisplay":""}}"#,
    ),
    (
        "opencode",
        r#"{"hook_event_name":"PostToolUse","tool":"read","sessionID":"s","directory":"@","args":{"filePath":"@/a.txt"}}"#,
    ),
];

/// Runs the hook of an agent; gives what it answers.
fn hook(place: &Path, agent: &str, call: &str) -> String {
    let root = place.join("root").canonicalize().unwrap();
    let mut hook = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["hook", agent])
        .current_dir(&root)
        .env_clear()
        .env("HOME", place.join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let call = call.replace('@', root.to_str().unwrap());
    hook.stdin
        .take()
        .unwrap()
        .write_all(call.as_bytes())
        .unwrap();
    let out = hook.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{agent}");
    String::from_utf8(out.stdout).unwrap()
}

fn place(text: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("root")).unwrap();
    fs::write(place.path().join("root/a.txt"), text).unwrap();
    place
}

fn apply(place: &Path, how: &[&str]) -> (Option<i32>, String, String) {
    fs::write(place.join("edit"), EDIT).unwrap();
    let arguments = [&["apply", "--root", "root", "edit"], how].concat();
    let (code, told, complaint) = run_in(place, &[], &arguments);
    let text = fs::read_to_string(place.join("root/a.txt")).unwrap();
    (code, text, told + &complaint)
}

#[test]
fn what_an_agent_has_read_says_where_an_edit_belongs() {
    for (agent, call) in CALLS {
        let place = place(READ);
        let answer = hook(place.path(), agent, call);
        let expected = if agent == "opencode" {
            "{\"decision\":\"pass\"}\n"
        } else {
            "{}\n"
        };
        assert_eq!(answer, expected);
        fs::write(place.path().join("root/a.txt"), NOW).unwrap();
        let (code, text, told) = apply(place.path(), &["--confidence", "exact"]);
        assert_eq!((code, text.as_str()), (Some(2), NOW), "{told}");
        let words = format!("(written against what {agent} read ");
        assert!(told.contains(&words), "{told}");
        let (_, _, told) = apply(place.path(), &["--dry-run", "--report", "json"]);
        super::schema::expect_valid(SCHEMA, &told).unwrap();
        let (code, text, told) = apply(place.path(), &[]);
        assert_eq!((code, text.as_str()), (Some(0), MERGED), "{told}");
    }
}

/// Calls before a read, of files that are not there, and outside of the agent's folder keep nothing.
#[test]
fn other_calls_keep_nothing() {
    let before = CALLS[0].1.replace("PostToolUse", "PreToolUse");
    let absent = CALLS[0].1.replace("a.txt", "b.txt");
    let outside = CALLS[0].1.replace("@/a.txt", "@/../outside");
    for call in [before, absent, outside] {
        let place = place(READ);
        fs::write(place.path().join("outside"), READ).unwrap();
        hook(place.path(), "claude", &call);
        let state = place.path().join("home/.local/state/countersign/reads");
        assert!(!state.exists(), "{call}");
    }
}
