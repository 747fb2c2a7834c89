//! Names that a client may read differently from countersign, and calls that reach files by another way.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::reviewer::{Does, reviewer};
use super::{Accepted, Amended, gate, project};

/// Answer to a call that creates a file, in a project where `link` leads to `a/b/c`; the reviewer approves it for `file`.
#[track_caller]
fn answer(agent: &str, name: &str, file: &'static str) -> Value {
    let project = project();
    let root = project.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("a/b/c")).unwrap();
    symlink("a/b/c", root.join("link")).unwrap();
    let _asked = reviewer(&root, Does::Approve(vec![(file, Accepted, Some("x\n"))]));
    let name = name.replace('%', root.to_str().unwrap());
    let (tool, field) = match agent {
        "claude" => ("Write", "file_path"),
        "gemini" => ("write_file", "file_path"),
        _ => ("write", "filePath"),
    };
    let args = json!({field: name, "content": "x\n"});
    let call = json!({
        "tool": tool, "tool_name": tool, "args": args, "tool_input": args, "cwd": root, "directory": root,
        "session_id": "s", "sessionID": "s", "hook_event_name": "PreToolUse",
    });
    let (said, code) = gate(agent, "--wait 20", &call.to_string());
    assert_eq!(code, Some(0), "{said}");
    serde_json::from_str(&said.replace(root.to_str().unwrap(), "%")).unwrap()
}

/// The name under which the client writes: as it was sent, another one, or none.
fn written(agent: &str, name: &str, file: &'static str) -> String {
    let said = answer(agent, name, file);
    let specific = &said["hookSpecificOutput"];
    let decision = specific["permissionDecision"]
        .as_str()
        .or(said["decision"].as_str());
    let input = [
        &specific["updatedInput"],
        &specific["tool_input"],
        &said["args"],
    ];
    let input = input.into_iter().find(|input| input.is_object());
    match (decision, input) {
        (Some("allow"), None) => "as sent".to_owned(),
        (Some("allow"), Some(input)) => {
            let field = if agent == "opencode" {
                "filePath"
            } else {
                "file_path"
            };
            input[field].as_str().unwrap().to_owned()
        }
        _ => "denied".to_owned(),
    }
}

#[test]
fn the_file_that_is_shown_is_the_file_that_is_written() {
    for agent in ["claude", "gemini", "opencode"] {
        let check = |name: &str, file, expected: &str| {
            assert_eq!(written(agent, name, file), expected, "{agent} {name:?}");
        };
        check("%/new.txt", "new.txt", "as sent");
        check("%/d/e/new.txt", "d/e/new.txt", "as sent");
        // Read from the agent's folder.
        check("new.txt", "new.txt", "%/new.txt");
        check("%/./d//new.txt", "d/new.txt", "%/d/new.txt");
        check("%/a/../new.txt", "new.txt", "%/new.txt");
        // Through a link, under the real name.
        check("%/link/new.txt", "a/b/c/new.txt", "%/a/b/c/new.txt");
        // Two readings.
        check("%/link/../new.txt", "a/b/new.txt", "denied");
        check("%/link/../../../x.sh", "x.sh", "denied");
        check("link/../../.bashrc", "a/.bashrc", "denied");
        check("%/missing/../new.txt", "new.txt", "denied");
        // Outside.
        check("%/../x", "x", "denied");
        check("/proc/x", "x", "denied");
        // Names that clients change.
        for name in [
            "~/x",
            "~root/x",
            "%/x ",
            " %/x",
            "%/x\u{a0}",
            "%/x\n",
            "%/x\u{200b}",
            "%/x\u{feff}",
            "file://%/x",
            "${HOME}/x",
            "%/cafe\u{301}",
            "",
        ] {
            check(name, "x", "denied");
        }
    }
}

/// The agent works in a folder below the one that is reviewed.
#[test]
fn a_name_is_given_from_one_folder_only() {
    for (agent, tool) in [
        ("claude", "Write"),
        ("gemini", "write_file"),
        ("opencode", "write"),
        ("qwen", "write_file"),
    ] {
        let project = project();
        let root = project.path().canonicalize().unwrap();
        let folder = root.join("a");
        fs::create_dir(&folder).unwrap();
        let asked = reviewer(
            &root,
            Does::Approve(vec![("a/new.txt", Accepted, Some("x\n"))]),
        );
        let name = folder.join("new.txt");
        let args = json!({"file_path": name, "filePath": name, "content": "x\n"});
        let call = json!({
            "tool": tool, "tool_name": tool, "args": args, "tool_input": args, "cwd": folder, "directory": folder,
            "session_id": "s", "sessionID": "s", "hook_event_name": "PreToolUse",
        });
        let (said, code) = gate(agent, "--wait 20", &call.to_string());
        assert_eq!(code, Some(0), "{said}");
        let submission = asked.recv().unwrap();
        assert_eq!(submission.folder, None, "{agent}: {}", submission.input);
    }
}

/// Answer of Codex' gate to a shell command.
#[track_caller]
fn shell(command: &Value, does: Option<Does>) -> Value {
    let project = project();
    let _asked = does.map(|does| reviewer(project.path(), does));
    let call = json!({
        "tool_name": "Bash", "tool_input": {"command": command}, "cwd": project.path(), "session_id": "s",
        "hook_event_name": "PreToolUse",
    });
    let (said, code) = gate("codex", "--wait 20", &call.to_string());
    assert_eq!(code, Some(0), "{said}");
    serde_json::from_str(&said).unwrap()
}

#[test]
fn a_patch_in_a_shell_command_is_reviewed() {
    let patch =
        "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n three\n*** End Patch";
    let script = format!("apply_patch <<'EOF'\n{patch}\nEOF\n");
    let approve = |decision, text| Some(Does::Approve(vec![("a.txt", decision, Some(text))]));
    for command in [json!(script), json!(["bash", "-lc", script])] {
        let denied = shell(&command, None);
        assert_eq!(denied["hookSpecificOutput"]["permissionDecision"], "deny");
        let accepted = shell(&command, approve(Accepted, "one\nTWO\nthree\n"));
        assert_eq!(accepted, json!({}));
        let amended = shell(&command, approve(Amended, "one\n2\nthree\n"));
        let input = amended["hookSpecificOutput"]["updatedInput"]["command"].to_string();
        assert!(
            input.contains("+2\\n three") && !input.contains("TWO"),
            "{input}"
        );
    }
    for command in [
        "apply_patch < p",
        "cat p | apply_patch",
        "sh -c 'apply_patch < p'",
    ] {
        let denied = shell(&json!(command), None);
        let reason = denied["hookSpecificOutput"]["permissionDecisionReason"].to_string();
        assert!(reason.contains("cannot be reviewed"), "{reason}");
    }
    for command in ["ls -l", "grep -r apply_patch ."] {
        assert_eq!(shell(&json!(command), None), json!({}));
    }
}
