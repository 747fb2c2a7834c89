//! Asks clients how they read their settings. Some silently read nothing of a file that has one wrong value, and no gate in it either.
//!
//! `claude doctor` lists the wrong values by file, `copilot config --list` prints the settings that are in effect. Both read the
//! settings as in any session, and start no session.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::clients::SettingsScope;
use super::names::Agent;
use crate::agent::program::output_within;

/// The longest that a client may take to answer.
const WITHIN: Duration = Duration::from_secs(20);

/// Words in the reports of Claude Code about a value that it leaves out, while it reads the rest of the file.
const LEFT_OUT: [&str; 4] = ["was ignored", "is ignored", "was skipped", "was removed"];

/// Returns the files of settings of which the client reads nothing, with the reason. None if the client does not report them.
pub fn refused_settings(agent: Agent, files: &[PathBuf], project: &Path) -> Vec<(PathBuf, String)> {
    if agent != Agent::Claude {
        return Vec::new();
    }
    let mut command = Command::new(agent.name());
    command
        .arg("doctor")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1");
    let Some(report) = output(command, project) else {
        return Vec::new();
    };
    let refused = files
        .iter()
        .filter_map(|file| Some((file.clone(), refusal_by_any_name(&report, file)?)));
    refused.collect()
}

/// Returns the same as [`refusal`]. The client names the files of the project from the real name of its folder.
fn refusal_by_any_name(report: &str, file: &Path) -> Option<String> {
    let names = std::path::absolute(file).into_iter();
    let mut names = names.chain(file.canonicalize());
    names.find_map(|name| refusal(report, &name))
}

/// Returns the first reason in the report of `claude doctor` why nothing of a file is read.
fn refusal(report: &str, file: &Path) -> Option<String> {
    let (_, list) = report.split_once("\nInvalid settings\n")?;
    let file = file.to_str()?;
    let lines = list.lines().take_while(|line| !line.is_empty());
    let mut reasons = lines.filter_map(|line| {
        let rest = line.strip_prefix("- ")?.strip_prefix(file)?;
        rest.strip_prefix(" › ").or(rest.strip_prefix(": "))
    });
    let reason = reasons.find(|reason| !LEFT_OUT.iter().any(|words| reason.contains(words)));
    reason.map(str::to_owned)
}

/// Returns whether the client reads a gate, by the settings that it prints; `None` if it does not print them. Copilot CLI prints those of
/// a folder as they are in the file, also if it reads nothing of them.
pub fn reads_gate(
    agent: Agent,
    scope: SettingsScope,
    command: &str,
    project: &Path,
) -> Option<bool> {
    if agent != Agent::Copilot || scope != SettingsScope::User {
        return None;
    }
    let mut client = Command::new(agent.name());
    client
        .args(["config", "--list", "--json"])
        .env("COPILOT_AUTO_UPDATE", "false");
    let settings: Value = serde_json::from_str(&output(client, project)?).ok()?;
    let hooks = settings.as_object()?.get("hooks");
    Some(has_command(hooks, command))
}

/// Returns true if any value in settings is this command.
fn has_command(settings: Option<&Value>, command: &str) -> bool {
    let mut left: Vec<&Value> = settings.into_iter().collect();
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) if text == command => return true,
            Value::Array(list) => left.extend(list),
            Value::Object(fields) => left.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }
    false
}

/// Runs a client in the project, and returns what it printed; `None` if it failed, or did not end in time.
fn output(mut command: Command, project: &Path) -> Option<String> {
    command.current_dir(project).stderr(Stdio::null());
    let (code, printed) = output_within(command, b"", Instant::now() + WITHIN).ok()??;
    (code == Some(0)).then_some(printed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_that_claude_code_refuses() {
        let report = "Claude Code doctor\n\nRunning: npm-global (2.1.331)\n\nInvalid settings\n\
            - /p/.claude/settings.json › permissions.allow: Invalid permission rule \"Edit(\" was skipped: Malformed\n\
            - /p/.claude/settings.json › permissions: Expected object, but received string\n  \
              Suggested fix: none\n\
            - /h/.claude/settings.json › hooks.Stop: Hook event \"Stop\" must be an array of matchers; received number. This entry was ignored.\n\
            - /h/.claude/settings.local.json: Invalid or malformed JSON\n\n\
            Remote Control\n- /q/.claude/settings.json › x: y\n";
        let check = |file: &str, expected: Option<&str>| {
            let found = refusal(report, Path::new(file));
            assert_eq!(found.as_deref(), expected, "{file}");
        };
        let wrong = "permissions: Expected object, but received string";
        check("/p/.claude/settings.json", Some(wrong));
        check("/h/.claude/settings.json", None);
        let malformed = "Invalid or malformed JSON";
        check("/h/.claude/settings.local.json", Some(malformed));
        check("/p/.claude/settings", None);
        check("/q/.claude/settings.json", None);
        assert_eq!(refusal("", Path::new("/p")), None);
    }

    #[test]
    fn commands_among_the_hooks_of_a_client() {
        let hooks = json!({"preToolUse": [{"hooks": [{"command": "countersign hook copilot"}]}]});
        assert!(has_command(Some(&hooks), "countersign hook copilot"));
        assert!(!has_command(Some(&hooks), "countersign hook"));
        assert!(!has_command(None, "countersign hook copilot"));
    }
}
