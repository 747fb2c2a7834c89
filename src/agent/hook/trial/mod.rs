//! Trial of an installed gate: the command from the settings, a call as the agent makes it, and a scripted reviewer.

mod reviewer;
mod scratch;

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::call::InputFields;
use super::clients::{HookFormat, Installed, ToolKind};
use super::names::Agent;
use crate::agent::approved_call::forget_approvals;
use crate::agent::launcher::overlay_signs;
use crate::agent::pending_note::NoteKey;
use crate::agent::program::output_within;
pub use reviewer::{AMENDED, Reviewer};
use reviewer::{CHANGED, MESSAGE, with_reviewer};
pub use scratch::FILE;
use scratch::WITHIN;

/// Name of the session and of the call.
const NAME: &str = "doctor";

/// Reaction of an agent to the answer of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It would write what the reviewer made of the edit.
    Amended,
    /// It would write nothing.
    No,
    /// It would write its own text.
    LetThrough,
}

/// Runs a gate's command in a folder that holds [`FILE`] and nothing else.
///
/// # Errors
///
/// Any I/O error. The gate itself does not fail: its exit code is part of what is heard.
pub fn tried(agent: Agent, command: &str, folder: &Path, reviewer: Reviewer) -> io::Result<Heard> {
    let folder = folder.canonicalize()?;
    let shell = shell(command, &folder);
    let input = call(agent, &folder).to_string();
    let run = || output_within(shell, input.as_bytes(), Instant::now() + WITHIN);
    let output = if reviewer == Reviewer::Nobody {
        run()
    } else {
        with_reviewer(reviewer, &folder, run)
    }?;
    // No client carries the call out.
    forget_approvals(&NoteKey {
        session: NAME.to_owned(),
        tool: agent.profile().tools[0].0.to_owned(),
        file: NAME.into(),
    });
    let Some((code, said)) = output else {
        return Ok(Heard::LetThrough);
    };
    let heard = interpret(agent, code, &said);
    if heard == Heard::Amended && agent == Agent::Gemini && !delivers_note(command, &folder)? {
        return Ok(Heard::LetThrough);
    }
    Ok(heard)
}

/// Returns whether the hook after the tool delivers the reviewer's message about an edit.
fn delivers_note(command: &str, folder: &Path) -> io::Result<bool> {
    let mut input = call(Agent::Gemini, folder);
    input["hook_event_name"] = "AfterTool".into();
    let until = Instant::now() + WITHIN;
    let output = output_within(shell(command, folder), input.to_string().as_bytes(), until)?;
    Ok(output.is_some_and(|(_, said)| said.contains(MESSAGE)))
}

/// Runs the review of a turn in an empty folder where nobody reviews. Returns whether the agent may stop and the person
/// gets a message about a file that was written; `None` if there is no git to compare with.
///
/// # Errors
///
/// Any I/O error.
pub fn lets_stop(command: &str, folder: &Path) -> io::Result<Option<bool>> {
    let folder = folder.canonicalize()?;
    let mut git = Command::new("git");
    git.args(["init", "--quiet"]).current_dir(&folder);
    if !matches!(
        output_within(git, b"", Instant::now() + WITHIN),
        Ok(Some((Some(0), _)))
    ) {
        return Ok(None);
    }
    run_event(command, &folder, "UserPromptSubmit")?;
    // As a shell command of an agent would.
    let mut write = Command::new("/bin/sh");
    write
        .args(["-c", "echo one > \"$0\"", FILE.0])
        .current_dir(&folder);
    output_within(write, b"", Instant::now() + WITHIN)?;
    let Some((Some(0), said)) = run_event(command, &folder, "Stop")? else {
        return Ok(Some(false));
    };
    let said: Value = serde_json::from_str(&said).unwrap_or_default();
    Ok(Some(
        said.get("decision").is_none() && said["systemMessage"].is_string(),
    ))
}

/// A command of a hook, to be run in a folder that has all that it may write.
fn shell(command: &str, folder: &Path) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", command]).current_dir(folder);
    shell.env("XDG_CONFIG_HOME", folder).stderr(Stdio::null());
    shell.env("XDG_STATE_HOME", folder.join(".git/doctor"));
    // Nothing is to be opened over what the person looks at.
    for sign in overlay_signs() {
        shell.env_remove(sign);
    }
    shell
}

/// An edit as the agent asks about it.
fn call(agent: Agent, folder: &Path) -> Value {
    let profile = agent.profile();
    let fields = &profile.fields;
    let (file, old, new) = (folder.join(FILE.0), "two", "TWO");
    let (tool, kind) = profile.tools[0];
    let args = match kind {
        ToolKind::Patch => {
            let patch = format!(
                "*** Begin Patch\n*** Update File: {}\n@@\n one\n-{old}\n+{new}\n three\n*** End Patch",
                FILE.0
            );
            json!({fields.patch: patch})
        }
        ToolKind::ReplaceSeveral => {
            json!({fields.path: file, "edits": [{fields.old: old, fields.new: new}]})
        }
        ToolKind::Replace
        | ToolKind::Insert
        | ToolKind::Write
        | ToolKind::Notebook
        | ToolKind::Diff => {
            json!({fields.path: file, fields.old: old, fields.new: new})
        }
    };
    if agent.form() == HookFormat::Cline {
        return json!({
            "hookName": "tool_call", "workspaceRoots": [folder], "sessionContext": {"rootSessionId": NAME},
            "tool_call": {"id": NAME, "name": tool, "input": args},
        });
    }
    let names = InputFields::of(agent);
    let mut call = json!({
        names.session: NAME, names.folder: folder, names.tool: tool, names.args: args,
        "permission_mode": "bypassPermissions", "tool_use_id": NAME,
    });
    if let Installed::Entries { before, .. } = profile.installed {
        call["hook_event_name"] = before.into();
    }
    call
}

/// Interprets an exit code and an output as the agent would.
fn interpret(agent: Agent, code: Option<i32>, said: &str) -> Heard {
    if agent.form() == HookFormat::Cline {
        return interpret_cline(said);
    }
    let is_strict = matches!(agent.form(), HookFormat::Copilot | HookFormat::Own);
    if code == Some(2) || (is_strict && code != Some(0)) {
        return Heard::No;
    }
    let said: Value = match (code, serde_json::from_str(said)) {
        (Some(0), Ok(said)) => said,
        (_, _) => return Heard::LetThrough,
    };
    let decision = said.pointer("/hookSpecificOutput/permissionDecision");
    let decision = decision
        .or_else(|| said.get("permissionDecision"))
        .or_else(|| said.get("decision"))
        .and_then(Value::as_str);
    match decision {
        Some("deny") => Heard::No,
        Some("allow") if said.to_string().contains(CHANGED) => Heard::Amended,
        Some(_) | None => Heard::LetThrough,
    }
}

/// Interprets an output as Cline CLI would, which takes no notice of the exit code.
fn interpret_cline(said: &str) -> Heard {
    let mut controls = (said.lines().rev()).filter_map(|line| line.strip_prefix("HOOK_CONTROL\t"));
    let control = controls.next().unwrap_or(said);
    let control: Value = serde_json::from_str(control).unwrap_or_default();
    let input = control.get("overrideInput").and_then(Value::as_object);
    match input {
        _ if control["cancel"] == Value::Bool(true) => Heard::No,
        Some(input) if input.is_empty() => Heard::No,
        Some(input) if Value::Object(input.clone()).to_string().contains(CHANGED) => Heard::Amended,
        Some(_) | None => Heard::LetThrough,
    }
}

/// Runs the hook for an event of a turn. Returns its exit code and output.
fn run_event(
    command: &str,
    folder: &Path,
    event: &str,
) -> io::Result<Option<(Option<i32>, String)>> {
    let news = json!({
        "session_id": NAME, "cwd": folder, "hook_event_name": event, "stop_hook_active": false, "prompt": "",
    });
    let until = Instant::now() + WITHIN;
    output_within(shell(command, folder), news.to_string().as_bytes(), until)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the reaction of an agent whose gate is this command.
    #[track_caller]
    fn check(agent: Agent, command: &str, expected: Heard) {
        let folder = tempfile::tempdir().unwrap();
        let found = tried(agent, command, folder.path(), Reviewer::Nobody).unwrap();
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn what_would_keep_an_agent_from_stopping_is_found_out() {
        for (command, expected) in [
            ("echo '{\"systemMessage\":\"look\"}'", true),
            ("echo '{}'", false),
            ("exit 2", false),
            (
                "echo '{\"decision\":\"block\",\"systemMessage\":\"look\"}'",
                false,
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let found = lets_stop(command, folder.path()).unwrap();
            assert_eq!(found, Some(expected), "{command}");
        }
    }

    #[test]
    fn gates_that_let_through_are_found_out() {
        for agent in [Agent::Claude, Agent::Codex, Agent::Gemini, Agent::Qwen] {
            check(agent, "exit 2", Heard::No);
            check(agent, "nowhere/countersign || exit 2", Heard::No);
            check(agent, "nowhere/countersign", Heard::LetThrough);
            check(agent, "true", Heard::LetThrough);
            check(agent, "echo '{}'", Heard::LetThrough);
            check(agent, "echo nonsense", Heard::LetThrough);
        }
        for agent in [Agent::Copilot, Agent::Kilo, Agent::Opencode, Agent::Pi] {
            check(agent, "nowhere/countersign", Heard::No);
            check(agent, "echo nonsense", Heard::LetThrough);
            check(agent, "echo '{}'", Heard::LetThrough);
        }
        for (said, expected) in [
            ("{\"cancel\":true}", Heard::No),
            ("{\"overrideInput\":{}}", Heard::No),
            ("{\"context\":\"two and a half\"}", Heard::LetThrough),
            ("{\"cancel\":false}", Heard::LetThrough),
            ("nonsense", Heard::LetThrough),
            ("{}", Heard::LetThrough),
        ] {
            check(Agent::Cline, &format!("echo '{said}'; exit 2"), expected);
        }
        let stopped = "printf 'cut off\\nHOOK_CONTROL\\t%s' '{\"cancel\":true}'";
        check(Agent::Cline, stopped, Heard::No);
        check(Agent::Cline, "exit 2", Heard::LetThrough);
        let denied = "echo '{\"permissionDecision\":\"deny\"}'";
        check(Agent::Copilot, denied, Heard::No);
        check(Agent::Gemini, "echo '{\"decision\":\"deny\"}'", Heard::No);
        check(
            Agent::Gemini,
            "echo '{\"decision\":\"allow\"}'",
            Heard::LetThrough,
        );
    }
}
