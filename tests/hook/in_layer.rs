//! Calls inside a layer: what stays in it goes on, and nothing else does.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Returns the decision on a call in the folder of a layer that is a copy. In a name `%` is that folder, and `^` the one outside.
fn decision(agent: &str, tool: &str, args: &Value) -> Option<String> {
    let base = tempfile::tempdir().unwrap();
    let outside = base.path().canonicalize().unwrap();
    let copy = outside.join("state/countersign/root/layers/id/copy");
    fs::create_dir_all(copy.join("folder")).unwrap();
    fs::create_dir(outside.join("state/countersign/root/layers/id/inside")).unwrap();
    fs::write(copy.join("a.txt"), "one\n").unwrap();
    symlink("a.txt", copy.join("near")).unwrap();
    symlink("folder/missing", copy.join("near_missing")).unwrap();
    symlink(outside.join("missing"), copy.join("far")).unwrap();
    symlink("far", copy.join("farther")).unwrap();
    symlink(outside.join("missing"), copy.join("far_folder")).unwrap();
    let args = args.to_string();
    let args = args
        .replace('%', copy.to_str().unwrap())
        .replace('^', outside.to_str().unwrap());
    let args: Value = serde_json::from_str(&args).unwrap();
    let call = json!({
        "tool_name": tool, "tool_input": args, "cwd": copy, "session_id": "s", "hook_event_name": "PreToolUse",
    });
    let mut hook = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["hook", agent, "--wait", "5"])
        .current_dir(&copy)
        .env("HOME", &outside)
        .env("XDG_STATE_HOME", outside.join("state"))
        .env_remove("TMUX")
        .env_remove("ZELLIJ")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = hook
        .stdin
        .take()
        .unwrap()
        .write_all(call.to_string().as_bytes());
    let out = hook.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&out.stdout).unwrap();
    let decision = &said["hookSpecificOutput"]["permissionDecision"];
    decision.as_str().map(str::to_owned)
}

#[track_caller]
fn check(tool: &str, args: &Value, expected: Option<&str>) {
    let found = decision("claude", tool, args);
    assert_eq!(found.as_deref(), expected, "{tool} {args}");
}

#[test]
fn only_what_stays_in_the_layer_is_allowed() {
    let write = |name: &str, expected: &str| {
        let args = json!({"file_path": name, "content": "x\n"});
        check("Write", &args, Some(expected));
    };
    for inside in [
        "%/a.txt",
        "%/new.txt",
        "%/new/b.txt",
        "%/near",
        "%/near_missing",
    ] {
        write(inside, "allow");
    }
    for outside in ["^/plain", "%/far", "%/farther", "%/far_folder/b.txt"] {
        write(outside, "deny");
    }
}

#[test]
fn a_tool_that_is_not_known_is_never_allowed() {
    for path in ["^/.bashrc", "%/a.txt"] {
        let args = json!({"path": path, "content": "x\n"});
        check("mcp__fs__write_file", &args, Some("deny"));
    }
    check("mcp__fs__read_file", &json!({"path": "%/a.txt"}), None);
    check("Bash", &json!({"command": "ls"}), None);
}
