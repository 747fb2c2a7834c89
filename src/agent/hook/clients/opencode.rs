//! opencode 1.18.

use std::io;
use std::process::Command;

use serde_json::json;

use super::profile::{
    CONFIG, Fields, GateFile, HookFormat, Installed, Launch, Profile, SETTINGS, START,
    SettingsScope, ToolKind,
};

pub(in crate::agent::hook) const OPENCODE: Profile = Profile {
    name: "opencode",
    title: "opencode",
    tools: &[
        ("edit", ToolKind::Replace),
        ("multiedit", ToolKind::ReplaceSeveral),
        ("write", ToolKind::Write),
        ("apply_patch", ToolKind::Patch),
        ("patch", ToolKind::Patch),
    ],
    readers: &["read"],
    harmless: &[
        "codesearch",
        "glob",
        "grep",
        "list",
        "lsp",
        "plan_enter",
        "plan_exit",
        "question",
        "skill",
        "task",
        "todoread",
        "todowrite",
        "webfetch",
        "websearch",
    ],
    shells: &["bash"],
    fields: Fields {
        path: "filePath",
        old: "oldString",
        new: "newString",
        all: Some("replaceAll"),
        line: None,
        content: "content",
        patch: "patchText",
    },
    form: HookFormat::Own,
    traits: &[],
    installed: Installed::Plugin(include_str!("../../../../assets/hooks/opencode.js")),
    place: GateFile {
        project: ".opencode/plugins/countersign.js",
        folder: CONFIG,
        user: "opencode/plugins/countersign.js",
        usual: SettingsScope::Project,
    },
    remembers_names: true,
    sources: &[],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off: |_, _| Vec::new(),
    variables: &["OPENCODE_PURE"],
    variable_files: &[],
    project_variables: &["OPENCODE_DISABLE_PROJECT_CONFIG"],
    is_on,
    flags: &["--pure"],
    next_step: START,
    advice: SETTINGS,
    start: |launch, command| start("OPENCODE", "build", launch, command),
};

/// Returns `true` for a value with which a variable is switched on: those that Effect's `Config.boolean` knows for the plugins, and with
/// another value the client does not start. It reads the others itself.
fn is_on(name: &str, value: &str) -> bool {
    if name.ends_with("_PURE") {
        return matches!(value, "true" | "yes" | "on" | "1" | "y");
    }
    matches!(value.to_lowercase().as_str(), "true" | "1")
}

/// Starts it, or a fork of it whose variables have another prefix and whose usual agent has another name.
#[allow(clippy::unnecessary_wraps, reason = "the form of all clients")]
pub(super) fn start(
    prefix: &str,
    agent: &str,
    launch: Launch<'_>,
    command: &mut Command,
) -> io::Result<()> {
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": format!("{}/v1", launch.address), "apiKey": launch.key},
        "models": {"probe": {"name": "probe", "tool_call": true}},
    });
    let settings = json!({
        "provider": {"countersign": provider}, "enabled_providers": ["countersign"],
        "model": "countersign/probe", "small_model": "countersign/probe", "share": "disabled", "autoupdate": false,
    });
    command
        .env(format!("{prefix}_CONFIG_CONTENT"), settings.to_string())
        .env(format!("{prefix}_DISABLE_MODELS_FETCH"), "1")
        .env(format!("{prefix}_DISABLE_AUTOUPDATE"), "1")
        .env("XDG_DATA_HOME", launch.scratch.join("data"))
        .args(["run", "--agent", agent, "--model", "countersign/probe"])
        .arg(launch.prompt);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_on;

    #[test]
    fn values_switch_a_variable_on() {
        let check = |name: &str, on: &[&str], off: &[&str]| {
            for (value, expected) in on
                .iter()
                .map(|value| (value, true))
                .chain(off.iter().map(|value| (value, false)))
            {
                assert_eq!(is_on(name, value), expected, "{name}={value}");
            }
        };
        check(
            "OPENCODE_PURE",
            &["1", "true", "yes", "on", "y"],
            &["0", "false", "no", "", "TRUE", "True", "2"],
        );
        check(
            "KILO_DISABLE_PROJECT_CONFIG",
            &["1", "true", "TRUE"],
            &["0", "false", "", "yes", "on", "2"],
        );
    }
}
