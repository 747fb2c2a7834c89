//! Whatever goes wrong, the answer is a no.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::reviewer::{Does, reviewer};
use super::{gate, project, recorded};

/// The reason of a no. Anything else fails, and so does a file that was written.
#[track_caller]
fn denied(agent: &str, options: &str, input: &str, project: &Path) -> String {
    let (said, code) = gate(agent, options, input);
    assert_eq!(
        fs::read_to_string(project.join("a.txt")).unwrap(),
        "one\ntwo\nthree\n"
    );
    if code == Some(2) {
        assert!(!said.is_empty());
        return said;
    }
    assert_eq!(code, Some(0));
    let said: Value = serde_json::from_str(&said).unwrap();
    let reason = if ["claude", "codex", "droid", "qwen"].contains(&agent) {
        assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
        &said["hookSpecificOutput"]["permissionDecisionReason"]
    } else if agent == "cline" {
        // Its own tools refuse a call without arguments; anything else ends its turn.
        if said["cancel"] == true {
            &said["errorMessage"]
        } else {
            assert_eq!(said["overrideInput"], json!({}));
            &said["context"]
        }
    } else if agent == "copilot" {
        assert_eq!(said["permissionDecision"], "deny");
        &said["permissionDecisionReason"]
    } else {
        assert_eq!(said["decision"], "deny");
        &said["reason"]
    };
    let reason = reason.as_str().unwrap().to_owned();
    assert!(!reason.is_empty());
    reason
}

const CALLS: [&str; 15] = [
    "claude-edit.json",
    "claude-write.json",
    "claude-edit-bypass.json",
    "cline-apply-patch.json",
    "cline-editor.json",
    "codex-apply-patch.json",
    "copilot-apply-patch.json",
    "copilot-create.json",
    "copilot-edit.json",
    "droid-edit.json",
    "gemini-replace.json",
    "kilo-edit.json",
    "opencode-edit.json",
    "pi-edit.json",
    "qwen-edit.json",
];

fn agent(call: &str) -> &str {
    call.split('-').next().unwrap()
}

/// The gate says no to a recorded call, for this reason, beside a reviewer who does this.
#[track_caller]
fn check(call: &str, does: Option<Does>, why: &[&str]) {
    let project = project();
    let _asked = does.map(|does| reviewer(project.path(), does));
    let input = recorded(call, project.path());
    let reason = denied(agent(call), "", &input, project.path());
    for why in why {
        assert!(reason.contains(why), "{call}: {reason}");
    }
}

/// A call of Copilot whose arguments are a text.
fn copilot_text(tool: &str, args: &str, project: &Path) -> String {
    let call = recorded("copilot-create.json", project);
    let mut call: Value = serde_json::from_str(&call).unwrap();
    call["toolName"] = tool.into();
    call["toolArgs"] = args.into();
    call.to_string()
}

#[test]
fn arguments_may_be_a_string_of_json() {
    let project = project();
    let check = |tool: &str, args: &str, why: &str| {
        let input = copilot_text(tool, args, project.path());
        let reason = denied("copilot", "", &input, project.path());
        assert!(reason.contains(why), "{tool} {args}: {reason}");
    };
    let create = r#"{"path":"b.txt","file_text":"x"}"#;
    check("create", create, "no reviewer serves");
    check("CREATE", create, "`CREATE`");
    check(
        "create",
        r#"{"path":"b","path":"c","file_text":"x"}"#,
        "hook's input",
    );
    check("other", r#"{"path":"b.txt","#, "hook's input");
    let input = copilot_text("other", r#"{"query":"x"}"#, project.path());
    let (said, code) = gate("copilot", "", &input);
    assert_eq!((said.contains("deny"), code), (false, Some(0)), "{said}");
}

#[test]
fn nobody_reviews() {
    for call in CALLS {
        check(call, None, &["no reviewer serves", "`countersign serve`"]);
    }
}

#[test]
fn the_reviewer_leaves_or_says_nonsense() {
    for call in CALLS {
        check(call, Some(Does::Leave), &["ended without a verdict"]);
        check(
            call,
            Some(Does::Babble),
            &["the reviewer's reply cannot be read"],
        );
    }
}

#[test]
fn the_reviewer_hangs() {
    let project = project();
    let _asked = reviewer(project.path(), Does::Hang);
    for call in ["claude-edit.json", "codex-apply-patch.json"] {
        let begin = Instant::now();
        let reason = denied(
            agent(call),
            "--wait 2",
            &recorded(call, project.path()),
            project.path(),
        );
        assert!(reason.contains("there was no decision in time"), "{reason}");
        assert!(
            begin.elapsed() < Duration::from_secs(8),
            "{:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn the_file_changes_meanwhile() {
    let why = "`a.txt` has changed since it was reviewed";
    check("claude-edit.json", Some(Does::Late), &[why]);
}

/// Copilot CLI calls the hooks of Claude Code as well.
#[test]
fn calls_of_another_client_are_left_to_its_own_gate() {
    let project = project();
    let call = |tool: &str, args: Value| {
        json!({"hook_event_name": "PreToolUse", "cwd": project.path(), "tool_name": tool, "tool_input": args}).to_string()
    };
    let calls = [
        call(
            "Edit",
            json!({"path": "a.txt", "old_str": "two", "new_str": "x"}),
        ),
        call("Write", json!({"path": "a.txt", "file_text": "x"})),
        call(
            "Edit",
            json!("*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"),
        ),
    ];
    for call in &calls {
        let reason = denied("claude", "", call, project.path());
        assert!(
            reason.contains("countersign hook copilot --install"),
            "{reason}"
        );
    }
    let own = project.path().join(".github/copilot");
    fs::create_dir_all(&own).unwrap();
    let hooks = json!({"hooks": {"preToolUse": [{"hooks": [{"type": "command", "command": "countersign hook copilot"}]}]}});
    fs::write(own.join("settings.json"), hooks.to_string()).unwrap();
    for call in &calls {
        let (said, code) = gate("claude", "", call);
        assert_eq!((said.trim(), code), ("{}", Some(0)));
    }
    // A tool of an MCP server may have Copilot's names for its arguments: Claude Code itself calls it.
    let args = json!({"path": "a.txt", "old_str": "two", "new_str": "x"});
    let foreign = call("mcp__editor__str_replace", args);
    let reason = denied("claude", "", &foreign, project.path());
    assert!(reason.contains("seems to write files"), "{reason}");
}

/// Of two values for one field, a client and countersign could take different ones.
#[test]
fn a_field_that_is_given_twice() {
    let project = project();
    for call in CALLS {
        let input = recorded(call, project.path());
        let fields = [
            "file_path",
            "filePath",
            "path",
            "patchText",
            "command",
            "input",
            "toolArgs",
            "tool_name",
        ];
        let twice = fields.iter().filter_map(|field| {
            let key = format!("\"{field}\":");
            input
                .contains(&key)
                .then(|| input.replace(&key, &format!("{key} \"b.txt\", {key}")))
        });
        let twice: Vec<String> = twice.collect();
        assert!(!twice.is_empty(), "{call}");
        for input in twice {
            let reason = denied(agent(call), "", &input, project.path());
            assert!(reason.contains("hook's input"), "{call}: {reason}");
        }
    }
}

#[test]
fn what_is_not_understood() {
    let project = project();
    for name in [
        "claude", "cline", "codex", "copilot", "droid", "gemini", "kilo", "opencode", "pi", "qwen",
    ] {
        for input in [
            "",
            "{",
            "[]",
            "3",
            "{}",
            "\u{0}\u{fffd}",
            "{\"tool_name\":\"Edit\"}",
            "{\"tool\":\"edit\",\"directory\":\"/\"}",
        ] {
            denied(name, "", input, project.path());
        }
    }
    let edit = recorded("claude-edit.json", project.path());
    for (from, to) in [
        ("old_string", "olf_string"),
        ("\"two\"", "2"),
        ("\"cwd\"", "\"cdw\""),
        ("tool_input", "input"),
    ] {
        denied("claude", "", &edit.replace(from, to), project.path());
    }
    for (agent, options) in [("claude", "--wait never"), ("klaude", "")] {
        let reason = denied(agent, options, &edit, project.path());
        assert!(reason.contains("error: invalid value"), "{reason}");
    }
}

#[test]
fn tools_that_write_and_are_not_known() {
    check("claude-unknown.json", None, &["`Rewrite` seems to write"]);
}

#[test]
fn tools_of_the_client_that_write_nothing() {
    let project = project();
    let check = |agent: &str, tool: &str, args: Value| {
        let call = json!({
            "hook_event_name": "PreToolUse", "cwd": project.path(), "session_id": "s", "tool_name": tool, "tool_input": args,
            "tool": tool, "directory": project.path(), "sessionID": "s", "args": args,
        });
        let (said, code) = gate(agent, "", &call.to_string());
        assert_eq!(
            (said.contains("deny"), code),
            (false, Some(0)),
            "{tool}: {said}"
        );
    };
    let todos =
        json!({"todos": [{"content": "a.txt", "status": "pending", "activeForm": "a.txt"}]});
    check("claude", "TodoWrite", todos.clone());
    check(
        "claude",
        "TaskCreate",
        json!({"subject": "a.txt", "description": "look at it"}),
    );
    check(
        "claude",
        "Read",
        json!({"file_path": project.path().join("a.txt")}),
    );
    check(
        "claude",
        "Glob",
        json!({"pattern": "a.txt", "path": project.path()}),
    );
    check("gemini", "write_todos", todos.clone());
    check("kilo", "todowrite", todos.clone());
    check("qwen", "todo_write", todos);
    check("pi", "ls", json!({"path": "a.txt"}));
}

/// A denial of what is written already would only mislead the model.
#[test]
fn calls_that_are_done_are_not_denied() {
    let project = project();
    let root = project.path().display();
    let check = |agent: &str, event: &str, tool: &str, rest: &str, is_denied: bool| {
        let input = format!(
            "{{\"hook_event_name\":\"{event}\",\"tool_name\":\"{tool}\",\"cwd\":\"{root}\",\"session_id\":\"s\",{rest}}}"
        );
        let (said, code) = gate(agent, "", &input);
        assert_eq!(
            (said.contains("deny"), code),
            (is_denied, Some(0)),
            "{input}: {said}"
        );
    };
    for (agent, before, after) in [
        ("gemini", "BeforeTool", "AfterTool"),
        ("claude", "PreToolUse", "PostToolUse"),
    ] {
        for rest in [
            "\"tool_input\":{\"path\":\"a.txt\",\"content\":\"x\"}",
            // Half an emoji.
            "\"tool_input\":{\"path\":\"b.txt\"},\"tool_response\":\"\\ud83d\"",
            "\"tool_response\":{}",
        ] {
            check(agent, before, "mcp__x__create_file", rest, true);
            check(agent, after, "mcp__x__create_file", rest, false);
        }
    }
    let read = format!(
        "\"tool_input\":{{\"file_path\":\"{root}/a.txt\"}},\"tool_response\":{{\"content\":\"\\ud83d\"}}"
    );
    check("claude", "PostToolUse", "Read", &read, false);
    let edit = "\"tool_input\":{\"path\":\"a.txt\",\"old_str\":\"two\",\"new_str\":\"x\"}";
    check("claude", "PostToolUse", "Edit", edit, false);
    let twice =
        "\"hook_event_name\":\"PostToolUse\",\"tool_input\":{\"path\":\"a.txt\",\"content\":\"x\"}";
    check("claude", "PreToolUse", "Write", twice, true);
}

#[test]
fn files_outside_of_what_is_reviewed() {
    let why = "no reviewer serves";
    check("claude-outside.json", Some(Does::Hang), &[why]);
}

#[test]
fn plans_write_nothing() {
    check("claude-edit-plan.json", None, &["plan mode"]);
}

#[test]
fn input_that_never_ends() {
    use std::process::{Command, Stdio};
    let begin = Instant::now();
    let mut gate = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["hook", "codex", "--wait", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let open = gate.stdin.take();
    let out = gate.wait_with_output().unwrap();
    drop(open);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("there was no decision in time"), "{said}");
    assert_eq!(out.status.code(), Some(2));
    assert!(begin.elapsed() < Duration::from_secs(8));
}
