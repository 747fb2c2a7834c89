//! Calls of agents that change a file in several places: each place is decided by itself, and the call that goes back to the
//! agent makes exactly what was accepted.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::project::Project;
use crate::serving::serve;

/// Lines 3, 15 and 27 are the ones that change.
fn text(changed: [&str; 3]) -> String {
    let line = |n: usize| match n {
        3 | 15 | 27 => format!("{} of it\n", changed[n / 12]),
        n => format!("line {n}\n"),
    };
    (1..=30).map(line).collect()
}

const OLD: [&str; 3] = ["old", "old", "old"];
const NEW: [&str; 3] = ["new", "new", "new"];
/// The middle change is rejected.
const WANTED: [&str; 3] = ["new", "old", "new"];

/// Answer of the gate to a call about `a.txt`, of whose three hunks the person rejects the middle one.
#[track_caller]
fn amended(agent: &str, call: impl Fn(&str) -> Value) -> Value {
    let project = Project::new();
    project.write("a.txt", &text(OLD));
    let mut terminal = serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    let root = project.path("").canonicalize().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.args(["hook", agent]);
    project.prepare(&mut command);
    let mut gate = (command.stdin(Stdio::piped()).stdout(Stdio::piped()))
        .spawn()
        .unwrap();
    let call = call(root.to_str().unwrap()).to_string();
    let mut stdin = gate.stdin.take().unwrap();
    stdin.write_all(call.as_bytes()).unwrap();
    drop(stdin);
    terminal.wait_for("hunk 1/3");
    terminal.keys("a");
    terminal.wait_for("1 ✓");
    terminal.keys("r");
    terminal.wait_for("1 ✗");
    terminal.keys("a");
    let output = gate.wait_with_output().unwrap();
    assert_eq!(project.read("a.txt"), text(OLD), "the agent writes it");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The call of a client whose hooks get its tool and its input.
fn pre_tool_use(root: &str, tool: &str, input: &Value) -> Value {
    json!({"hook_event_name": "PreToolUse", "cwd": root, "tool_name": tool, "tool_input": input})
}

/// A replacement by its old and its new text, carried out on the file.
fn replaced(input: &Value) -> String {
    let [old, new] = ["old_string", "new_string"].map(|name| input[name].as_str().unwrap());
    assert_eq!(text(OLD).matches(old).count(), 1, "{input}");
    text(OLD).replace(old, new)
}

#[test]
fn a_whole_file_is_written_as_far_as_it_is_accepted() {
    let write = |root: &str| json!({"file_path": format!("{root}/a.txt"), "content": text(NEW)});
    let said = amended("claude", |root| pre_tool_use(root, "Write", &write(root)));
    let input = &said["hookSpecificOutput"]["updatedInput"];
    assert_eq!(input["content"], text(WANTED), "{said}");

    let said = amended(
        "gemini",
        |root| json!({"hook_event_name": "BeforeTool", "cwd": root, "tool_name": "write_file", "tool_input": write(root)}),
    );
    let input = &said["hookSpecificOutput"]["tool_input"];
    assert_eq!(input["content"], text(WANTED), "{said}");
    assert_eq!(input["ai_proposed_content"], text(NEW), "{said}");

    let said = amended("opencode", |root| {
        let args = json!({"filePath": format!("{root}/a.txt"), "content": text(NEW)});
        json!({"tool": "write", "directory": root, "args": args})
    });
    assert_eq!(said["args"]["content"], text(WANTED), "{said}");
}

#[test]
fn a_replacement_everywhere_is_made_where_it_is_accepted() {
    let said = amended("claude", |root| {
        let path = format!("{root}/a.txt");
        let input = json!({"file_path": path, "old_string": "old", "new_string": "new", "replace_all": true});
        pre_tool_use(root, "Edit", &input)
    });
    let input = &said["hookSpecificOutput"]["updatedInput"];
    assert_eq!(input["replace_all"], false, "{said}");
    assert_eq!(replaced(input), text(WANTED), "{said}");
}

#[test]
fn several_edits_are_made_as_far_as_they_are_accepted() {
    let said = amended("claude", |root| {
        let edit = |line: &str, to: &str| {
            let [old, new] =
                [("old", line), (to, line)].map(|(word, line)| format!("{word} of it\n{line}"));
            json!({"old_string": old, "new_string": new})
        };
        let edits = [
            edit("line 4", "new"),
            edit("line 16", "new"),
            edit("line 28", "new"),
        ];
        let input = json!({"file_path": format!("{root}/a.txt"), "edits": edits});
        pre_tool_use(root, "MultiEdit", &input)
    });
    let input = &said["hookSpecificOutput"]["updatedInput"];
    assert_eq!(replaced(&input["edits"][0]), text(WANTED), "{said}");
}

#[test]
fn a_patch_holds_the_accepted_hunks() {
    let said = amended("codex", |root| {
        let hunk = |n: usize| {
            format!(
                "@@\n line {}\n-old of it\n+new of it\n line {}\n",
                n - 1,
                n + 1
            )
        };
        let hunks = [3, 15, 27].map(hunk).concat();
        let patch = format!("*** Begin Patch\n*** Update File: a.txt\n{hunks}*** End Patch");
        pre_tool_use(root, "apply_patch", &json!({"command": patch}))
    });
    let patch = said["hookSpecificOutput"]["updatedInput"]["command"]
        .as_str()
        .unwrap();
    let changed: Vec<&str> = (patch.lines())
        .filter(|line| line.starts_with(['+', '-']) || line.starts_with(" line"))
        .collect();
    let wanted = [2, 26].map(|n| {
        [
            format!(" line {n}"),
            "-old of it".to_owned(),
            "+new of it".to_owned(),
            format!(" line {}", n + 2),
        ]
    });
    let is_made = |hunk: &[String; 4]| changed.windows(4).any(|lines| lines == hunk);
    assert!(wanted.iter().all(is_made), "{patch}");
    assert_eq!(patch.matches("+new of it").count(), 2, "{patch}");
}
