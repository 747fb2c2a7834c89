//! The gates of the agents: what the real clients send (`recorded/`), and what they are answered.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod doctor;
mod failures;
mod in_layer;
mod install;
mod paths;
mod property;
mod refusals;
mod reviewer;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use countersign::agent::FileDecision::{self, Accepted, Amended, Rejected};
use reviewer::{Does, reviewer};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a file to edit.
fn project() -> TempDir {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("a.txt"), "one\ntwo\nthree\n").unwrap();
    project
}

/// What a client sent in a folder of this name.
fn recorded(name: &str, project: &Path) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/hook/recorded")
        .join(name);
    let root = project.canonicalize().unwrap();
    fs::read_to_string(path)
        .unwrap()
        .replace("@ROOT@", root.to_str().unwrap())
}

/// The folder that a client runs its hook in. Cline CLI sends the top of the working tree only, and runs its hooks in its own folder.
fn folder_of(input: &str) -> String {
    let input: Value = serde_json::from_str(input).unwrap_or_default();
    let root = input.pointer("/workspaceRoots/0").and_then(Value::as_str);
    root.unwrap_or(".").to_owned()
}

/// Runs the gate as it is installed: what it prints, and how the shell ends. Where it ends with code 2, what it prints on
/// standard error is the reason.
fn gate(agent: &str, options: &str, input: &str) -> (String, Option<i32>) {
    let program = env!("CARGO_BIN_EXE_countersign");
    let mut shell = Command::new("sh")
        .env_remove("TMUX")
        .env_remove("ZELLIJ")
        .env_remove("COPILOT_HOME")
        .current_dir(folder_of(input))
        .env("HOME", "/nowhere")
        .args([
            "-c",
            &format!("'{program}' hook {agent} {options} || sh -c 'cat >/dev/null; exit 2'"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A gate that knows what to say before it has read everything does not read on.
    let _ = shell.stdin.take().unwrap().write_all(input.as_bytes());
    let out = shell.wait_with_output().unwrap();
    let said = if out.status.code() == Some(2) {
        out.stderr
    } else {
        out.stdout
    };
    (String::from_utf8(said).unwrap(), out.status.code())
}

/// Runs the gate beside a reviewer, with the paths of the folder taken out of the answer.
#[track_caller]
fn reviewed(input: &str, project: &Path, does: Does) -> Value {
    let agent = input.split('-').next().unwrap();
    let _asked = reviewer(project, does);
    let (said, code) = gate(agent, "", &recorded(input, project));
    assert_eq!(code, Some(0), "{said}");
    let root = project.canonicalize().unwrap();
    serde_json::from_str(&said.replace(root.to_str().unwrap(), "@ROOT@")).unwrap()
}

/// The answer to a call when the reviewer makes this of the file.
#[track_caller]
fn check(
    input: &str,
    file: &'static str,
    decision: FileDecision,
    text: Option<&'static str>,
    expected: &Value,
) {
    let project = project();
    let said = reviewed(
        input,
        project.path(),
        Does::Approve(vec![(file, decision, text)]),
    );
    let mut said = said;
    let context = said.pointer_mut("/hookSpecificOutput/additionalContext");
    let context = context.or(None).map(Value::take);
    if let Some(context) = context {
        let context = context.as_str().unwrap().to_owned();
        assert!(
            context.contains("Do not revert") && context.contains("keep two small"),
            "{context}"
        );
        assert_eq!(decision, Amended);
    }
    assert_eq!(&said, expected);
}

fn claude(input: Value, context: bool) -> Value {
    let mut specific = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow"});
    if !input.is_null() {
        specific["updatedInput"] = input;
    }
    if context {
        specific["additionalContext"] = Value::Null;
    }
    json!({"hookSpecificOutput": specific})
}

#[test]
fn claude_edits() {
    let edit = |old: &str, new: &str| json!({"file_path": "@ROOT@/a.txt", "old_string": old, "new_string": new, "replace_all": false});
    let all = |text| {
        check(
            "claude-edit.json",
            "a.txt",
            Accepted,
            Some(text),
            &claude(Value::Null, false),
        );
    };
    all("one\nTWO\nthree\n");
    let amended = |text, old, new| {
        check(
            "claude-edit.json",
            "a.txt",
            Amended,
            Some(text),
            &claude(edit(old, new), true),
        );
        check(
            "claude-edit-bypass.json",
            "a.txt",
            Amended,
            Some(text),
            &claude(edit(old, new), true),
        );
    };
    amended("one\n2\nthree\n", "two", "2");
    amended("ONE\n2\nthree\n", "one\ntwo\n", "ONE\n2\n");
    amended("one\nTWO\nthree", "two\nthree\n", "TWO\nthree");
}

#[test]
fn claude_makes_several_edits_or_writes() {
    let several = json!({"file_path": "@ROOT@/a.txt", "edits": [{"old_string": "one\n", "new_string": "1\n", "replace_all": false}]});
    check(
        "claude-multi-edit.json",
        "a.txt",
        Amended,
        Some("1\ntwo\nthree\n"),
        &claude(several, true),
    );
    let write = json!({"file_path": "@ROOT@/new/b.txt", "content": "y"});
    check(
        "claude-write.json",
        "new/b.txt",
        Accepted,
        Some("x\n"),
        &claude(Value::Null, false),
    );
    check(
        "claude-write.json",
        "new/b.txt",
        Amended,
        Some("y"),
        &claude(write, true),
    );
}

#[test]
fn a_rejection_has_its_reason() {
    let reason = "countersign: nothing of this edit is written.\nkeep two small";
    let denied = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}});
    check("claude-edit.json", "a.txt", Rejected, None, &denied);
    check("claude-edit-bypass.json", "a.txt", Rejected, None, &denied);
    check("codex-apply-patch.json", "a.txt", Rejected, None, &denied);
    check("droid-edit.json", "a.txt", Rejected, None, &denied);
    check("qwen-edit.json", "a.txt", Rejected, None, &denied);
    let denied = json!({"overrideInput": {}, "context": reason});
    check("cline-editor.json", "a.txt", Rejected, None, &denied);
    check("cline-apply-patch.json", "a.txt", Rejected, None, &denied);
    let denied = json!({"permissionDecision": "deny", "permissionDecisionReason": reason});
    check("copilot-edit.json", "a.txt", Rejected, None, &denied);
    let denied = json!({"decision": "deny", "reason": reason});
    check("gemini-replace.json", "a.txt", Rejected, None, &denied);
    check("kilo-edit.json", "a.txt", Rejected, None, &denied);
    check("opencode-edit.json", "a.txt", Rejected, None, &denied);
    check("pi-edit.json", "a.txt", Rejected, None, &denied);
}

#[test]
fn cline_gets_arguments_always() {
    let answer = |input: &str, file, decision, text| {
        let project = project();
        let does = Does::Approve(vec![(file, decision, Some(text))]);
        let said = reviewed(input, project.path(), does);
        let note = said["context"].as_str().unwrap_or_default();
        assert_eq!(
            note.contains("Do not revert"),
            decision == Amended,
            "{said}"
        );
        said["overrideInput"].clone()
    };
    let edit = |old, new| json!({"path": "@ROOT@/a.txt", "old_text": old, "new_text": new, "insert_line": null});
    let replace = |new| json!({"path": "@ROOT@/a.txt", "old_text": "two", "new_text": new});
    let loud = "one\nTWO\nthree\n";
    assert_eq!(
        answer("cline-editor.json", "a.txt", Accepted, loud),
        replace("TWO")
    );
    let amended = answer("cline-editor.json", "a.txt", Amended, "one\n2\nthree\n");
    assert_eq!(amended, edit("two", "2"));
    let insert = json!({"path": "@ROOT@/a.txt", "new_text": "TWO", "insert_line": 3});
    let inserted = "one\ntwo\nTWO\nthree\n";
    assert_eq!(
        answer("cline-editor-insert.json", "a.txt", Accepted, inserted),
        insert
    );
    let amended = answer(
        "cline-editor-insert.json",
        "a.txt",
        Amended,
        "one\ntwo\n2\nthree\n",
    );
    assert_eq!(amended, edit("three\n", "2\nthree\n"));
    let create = |text| json!({"path": "@ROOT@/new.txt", "new_text": text});
    assert_eq!(
        answer("cline-editor-create.json", "new.txt", Accepted, "TWO\n"),
        create("TWO\n")
    );
    assert_eq!(
        answer("cline-editor-create.json", "new.txt", Amended, "2\n"),
        create("2\n")
    );
}

#[test]
fn countersign_writes_the_patches_of_cline() {
    let project = project();
    let does = Does::Approve(vec![("a.txt", Accepted, Some("one\nTWO\nthree\n"))]);
    let said = reviewed("cline-apply-patch.json", project.path(), does);
    assert_eq!(said["overrideInput"], json!({}));
    let reason = said["context"].as_str().unwrap();
    assert!(reason.contains("approved and written already"), "{reason}");
    let text = fs::read_to_string(project.path().join("a.txt")).unwrap();
    assert_eq!(text, "one\nTWO\nthree\n");
}

#[test]
fn a_patch_in_the_input_of_a_running_shell_of_codex_is_denied() {
    let project = project();
    let patch =
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\nEOF\n";
    for (chars, is_denied) in [(patch, true), ("ls\n", false)] {
        let input = json!({
            "session_id": "s", "cwd": project.path(), "hook_event_name": "PreToolUse", "tool_name": "write_stdin",
            "tool_input": {"session_id": 1, "chars": chars},
        });
        let (said, code) = gate("codex", "", &input.to_string());
        assert_eq!(
            (said.contains("cannot be reviewed"), code),
            (is_denied, Some(0)),
            "{chars}"
        );
    }
}

/// Its own tools refuse a call without arguments; those of other servers may not.
#[test]
fn a_denial_of_an_unknown_tool_ends_the_turn_of_cline() {
    let input = json!({"workspaceRoots": ["/"], "tool_call": {"name": "files__write_file", "input": {"path": "a.txt", "content": "x"}}});
    let (said, code) = gate("cline", "", &input.to_string());
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["cancel"], code), (&json!(true), Some(0)));
    let reason = said["errorMessage"].as_str().unwrap();
    assert!(reason.contains("`files__write_file`"), "{reason}");
}

#[test]
fn codex_gets_an_envelope_that_applies_in_one_way() {
    let both = |first, text| {
        Does::Approve(vec![
            ("a.txt", first, text),
            ("b.txt", Accepted, Some("new\n")),
        ])
    };
    let command = |does| {
        let project = project();
        let said = reviewed("codex-apply-patch.json", project.path(), does);
        let specific = &said["hookSpecificOutput"];
        let fields: Vec<&String> = specific
            .as_object()
            .map(|fields| fields.keys().collect())
            .unwrap_or_default();
        let known = [
            "additionalContext",
            "hookEventName",
            "permissionDecision",
            "updatedInput",
        ];
        assert!(
            fields.iter().all(|field| known.contains(&field.as_str())),
            "{fields:?}"
        );
        // Codex refuses an `allow` without an input.
        let decision = specific.get("permissionDecision");
        assert_eq!(decision.is_some(), specific.get("updatedInput").is_some());
        assert!(decision.is_none_or(|decision| decision == "allow"));
        specific
            .pointer("/updatedInput/command")
            .map(|text| text.as_str().unwrap().to_owned())
    };
    assert_eq!(command(both(Accepted, Some("one\nTWO\nthree\n"))), None);
    assert_eq!(
        command(both(Amended, Some("one\n2\nthree\nfour\n"))).unwrap(),
        "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n three\n+four\n*** Add File: b.txt\n+new\n*** End Patch"
    );
    assert_eq!(
        command(both(Rejected, None)).unwrap(),
        "*** Begin Patch\n*** Add File: b.txt\n+new\n*** End Patch"
    );
}

#[test]
fn copilot_gets_arguments_or_a_plain_patch() {
    let answer = |input: &str, file, decision, text| {
        let project = project();
        let does = Does::Approve(vec![(file, decision, Some(text))]);
        let said = reviewed(input, project.path(), does);
        assert_eq!(said["permissionDecision"], "allow");
        let note = said["additionalContext"].as_str().unwrap_or_default();
        assert_eq!(note.contains("Do not revert"), decision == Amended);
        said.get("modifiedArgs").cloned()
    };
    let all = "one\nTWO\nthree\n";
    for input in ["copilot-edit.json", "copilot-apply-patch.json"] {
        // The client gets the name under which the file was reviewed, so the patch is written again.
        let amended = answer(input, "a.txt", Accepted, all);
        assert_eq!(amended.is_some(), input == "copilot-apply-patch.json");
    }
    assert_eq!(
        answer("copilot-create.json", "b.txt", Accepted, "x\n"),
        None
    );
    assert_eq!(
        answer("copilot-edit.json", "a.txt", Amended, "one\n2\nthree\n").unwrap(),
        json!({"path": "@ROOT@/a.txt", "old_str": "two", "new_str": "2"})
    );
    assert_eq!(
        answer("copilot-create.json", "b.txt", Amended, "y\n").unwrap(),
        json!({"path": "@ROOT@/b.txt", "file_text": "y\n"})
    );
    assert_eq!(
        answer(
            "copilot-apply-patch.json",
            "a.txt",
            Amended,
            "one\n2\nthree\n"
        )
        .unwrap(),
        "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n three\n*** End Patch"
    );
}

#[test]
fn countersign_writes_what_qwen_code_cannot_be_given() {
    let accepted = Some("one\nTWO\nthree\n");
    let allow = claude(Value::Null, false);
    check("qwen-edit.json", "a.txt", Accepted, accepted, &allow);
    let project = project();
    let amended = Does::Approve(vec![("a.txt", Amended, Some("one\n2\nthree\n"))]);
    let said = reviewed("qwen-edit.json", project.path(), amended);
    let specific = &said["hookSpecificOutput"];
    assert_eq!(specific["permissionDecision"], "deny");
    let reason = specific["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("approved and written already"), "{reason}");
    let text = fs::read_to_string(project.path().join("a.txt")).unwrap();
    assert_eq!(text, "one\n2\nthree\n");
}

#[test]
fn gemini_is_told_that_a_person_changed_it() {
    let allow = |input: Value| json!({"decision": "allow", "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": input}});
    check(
        "gemini-replace.json",
        "a.txt",
        Accepted,
        Some("one\nTWO\nthree\n"),
        &json!({"decision": "allow"}),
    );
    let input = json!({
        "file_path": "@ROOT@/a.txt", "old_string": "two", "new_string": "2", "allow_multiple": false, "instruction": "Make it loud.",
        "modified_by_user": true, "ai_proposed_content": "one\nTWO\nthree\n",
    });
    check(
        "gemini-replace.json",
        "a.txt",
        Amended,
        Some("one\n2\nthree\n"),
        &allow(input),
    );
    let input = json!({"file_path": "@ROOT@/new/b.txt", "content": "y\n", "modified_by_user": true, "ai_proposed_content": "x\n"});
    check(
        "gemini-write-file.json",
        "new/b.txt",
        Amended,
        Some("y\n"),
        &allow(input),
    );
}

#[test]
fn plugins_get_arguments() {
    let opencode = json!({"filePath": "@ROOT@/a.txt", "oldString": "two", "newString": "2", "replaceAll": false});
    let pi = json!({"path": "@ROOT@/a.txt", "edits": [{"oldText": "two", "newText": "2"}]});
    for (call, args) in [
        ("kilo-edit.json", &opencode),
        ("opencode-edit.json", &opencode),
        ("pi-edit.json", &pi),
    ] {
        let project = project();
        let approve = Does::Approve(vec![("a.txt", Amended, Some("one\n2\nthree\n"))]);
        let said = reviewed(call, project.path(), approve);
        let note = said["note"].as_str().unwrap();
        assert!(note.contains("keep two small"), "{said}");
        assert_eq!(said["decision"], "allow");
        assert_eq!(&said["args"], args);
    }
}

#[test]
fn what_the_client_would_spoil_is_written_by_countersign() {
    let project = project();
    let file = project.path().join("a.txt");
    fs::write(&file, "one\r\ntwo\nthree\n").unwrap();
    let approved = "one\r\nTWO\nthree\n";
    let said = reviewed(
        "claude-edit.json",
        project.path(),
        Does::Approve(vec![("a.txt", Accepted, Some(approved))]),
    );
    let specific = &said["hookSpecificOutput"];
    assert_eq!(specific["permissionDecision"], "deny");
    let reason = specific["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("approved and written already"), "{reason}");
    assert_eq!(fs::read_to_string(&file).unwrap(), approved);
    // Gemini keeps the end of a file as it was.
    let project = self::project();
    let file = project.path().join("a.txt");
    let said = reviewed(
        "gemini-replace.json",
        project.path(),
        Does::Approve(vec![("a.txt", Amended, Some("one\nTWO\nthree"))]),
    );
    assert_eq!(said["decision"], "deny");
    assert_eq!(fs::read_to_string(&file).unwrap(), "one\nTWO\nthree");
}

#[test]
fn a_cell_of_a_notebook() {
    let project = project();
    let notebook = "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 3,\n   \"id\": \"b\",\n   \"outputs\": [1],\n   \"source\": [\n    \"print(1)\"\n   ]\n  }\n ],\n \"nbformat\": 4\n}\n";
    fs::write(project.path().join("n.ipynb"), notebook).unwrap();
    let asked = reviewer(project.path(), Does::Leave);
    gate(
        "claude",
        "",
        &recorded("claude-notebook.json", project.path()),
    );
    let sent: Value = serde_json::from_str(&asked.recv().unwrap().input).unwrap();
    let content: Value = serde_json::from_str(sent["content"].as_str().unwrap()).unwrap();
    assert_eq!(content["cells"][0]["source"], json!(["print(2)\n"]));
    assert_eq!(content["cells"][0]["outputs"], json!([]));
    drop(asked);
}

#[test]
fn what_writes_nothing_goes_its_own_way() {
    let project = project();
    for name in [
        "claude-read.json",
        "claude-bash.json",
        "claude-own-server.json",
    ] {
        let said = gate("claude", "", &recorded(name, project.path()));
        assert_eq!(said, ("{}\n".to_owned(), Some(0)), "{name}");
    }
}
