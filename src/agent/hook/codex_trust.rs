//! Asks Codex whether it trusts a hook. Codex silently skips a hook that the user has not confirmed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::agent::program::line_within;

/// The longest that Codex may take to answer.
const WITHIN: Duration = Duration::from_secs(15);

/// True if Codex calls a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Codex calls it.
    Trusted,
    /// Codex does not call it, with the reason.
    Untrusted(String),
    /// This version of Codex does not report it.
    Unknown,
}

/// Asks the app server of Codex for its hooks, and looks for the one that is installed in a file.
///
/// The answer takes the settings of Codex into account as Codex itself reads them: features, profiles, managed
/// requirements, the trust of the project and of the hook.
pub fn codex_trust(file: &Path, project: &Path) -> Trust {
    let Ok(project) = project.canonicalize() else {
        return Trust::Unknown;
    };
    let requests = [
        json!({"id": 0, "method": "initialize", "params": {
            "clientInfo": {"name": "countersign", "version": env!("CARGO_PKG_VERSION")},
        }}),
        json!({"method": "initialized"}),
        json!({"id": 1, "method": "hooks/list", "params": {"cwds": [project]}}),
    ];
    let requests = requests.map(|request| request.to_string() + "\n").concat();
    let mut codex = Command::new("codex");
    codex
        .arg("app-server")
        .current_dir(&project)
        .stderr(Stdio::null());
    let parse = |line: &str| serde_json::from_str::<Value>(line).ok();
    let is_answer = |line: &str| parse(line).is_some_and(|reply| reply["id"] == 1);
    let end = Instant::now() + WITHIN;
    match line_within(codex, requests.as_bytes(), is_answer, end) {
        Ok(Some(line)) => parse(&line).map_or(Trust::Unknown, |reply| read(&reply, file)),
        Ok(None) | Err(_) => Trust::Unknown,
    }
}

/// Reads the answer to `hooks/list`.
fn read(reply: &Value, file: &Path) -> Trust {
    let Some(folders) = reply.pointer("/result/data").and_then(Value::as_array) else {
        return Trust::Unknown;
    };
    let hooks = folders
        .iter()
        .filter_map(|folder| folder["hooks"].as_array());
    let ours = hooks.flatten().find(|hook| {
        let text = |name: &str| hook[name].as_str().unwrap_or_default();
        text("eventName") == "preToolUse"
            && Path::new(text("sourcePath")) == file
            && text("command").contains(" hook codex")
    });
    let Some(hook) = ours else {
        return Trust::Untrusted(
            "it does not load this file; is the folder trusted, and `[features] hooks` on?"
                .to_owned(),
        );
    };
    match (hook["enabled"].as_bool(), hook["trustStatus"].as_str()) {
        (Some(true), Some("trusted" | "managed")) => Trust::Trusted,
        (Some(false), _) => Trust::Untrusted("the hook is disabled".to_owned()),
        (_, Some("modified")) => {
            Trust::Untrusted("the hook has changed since you trusted it".to_owned())
        }
        (_, Some(_)) => Trust::Untrusted("you have not trusted it yet".to_owned()),
        (_, None) => Trust::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hook: &Value, expected: &str) {
        let reply = json!({"id": 1, "result": {"data": [{"cwd": "/p", "hooks": [hook]}]}});
        let found = match read(&reply, Path::new("/h/hooks.json")) {
            Trust::Trusted => "trusted".to_owned(),
            Trust::Untrusted(why) => why,
            Trust::Unknown => "unknown".to_owned(),
        };
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn codex_says_whether_it_calls_a_hook() {
        let hook = |enabled: bool, status: &str| {
            json!({"eventName": "preToolUse", "sourcePath": "/h/hooks.json", "command": "countersign hook codex || x",
                "enabled": enabled, "trustStatus": status})
        };
        check(&hook(true, "trusted"), "trusted");
        check(&hook(true, "managed"), "trusted");
        check(&hook(true, "untrusted"), "not trusted it yet");
        check(&hook(true, "modified"), "has changed");
        check(&hook(false, "trusted"), "disabled");
        check(
            &json!({"eventName": "preToolUse", "sourcePath": "/other"}),
            "does not load",
        );
        assert_eq!(
            read(&json!({"id": 1, "error": {}}), Path::new("/h")),
            Trust::Unknown
        );
    }
}
