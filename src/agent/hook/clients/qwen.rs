//! Qwen Code 0.24, whose hooks have the form of Claude Code.

use std::io;
use std::process::Command;

use super::super::switches::{Layer, value};
use super::profile::{
    Form, Installed, Kind, Launch, Place, Profile, SETTINGS, SNAKE_CASE, START, Scope, Source,
};

pub(in crate::agent::hook) const QWEN: Profile = Profile {
    name: "qwen",
    title: "Qwen Code",
    tools: &[
        ("edit", Kind::Replace),
        ("write_file", Kind::Write),
        ("notebook_edit", Kind::Notebook),
    ],
    readers: &["read_file"],
    shells: &["run_shell_command"],
    foreign_tools: Some("mcp__.*"),
    fields: SNAKE_CASE,
    form: Form::PreToolUse,
    installed: Installed::Entries {
        before: "PreToolUse",
        after: Some("PostToolUse"),
        turns: None,
        // It reads numbers from 1000 on as milliseconds.
        second: 1000,
    },
    place: Place {
        project: ".qwen/settings.json",
        folder: ("QWEN_HOME", ".qwen"),
        user: "settings.json",
        usual: Scope::Project,
    },
    remembers_names: true,
    sources: &[
        (
            Layer::Managed,
            Source::Variable(
                "QWEN_CODE_SYSTEM_SETTINGS_PATH",
                "/etc/qwen-code/settings.json",
            ),
        ),
        (
            Layer::Managed,
            Source::At("/Library/Application Support/QwenCode/settings.json"),
        ),
        (
            Layer::Project,
            Source::Beside(Scope::Project, "settings.json"),
        ),
        (Layer::User, Source::Beside(Scope::User, "settings.json")),
        (
            Layer::Defaults,
            Source::Variable(
                "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
                "/etc/qwen-code/system-defaults.json",
            ),
        ),
    ],
    switched_off: |layers, _| {
        let value = value(layers, &["disableAllHooks"]).filter(|value| value != "false");
        value
            .map(|value| format!("disableAllHooks: {value}"))
            .into_iter()
            .collect()
    },
    variables: &["QWEN_CODE_SAFE_MODE"],
    project_variables: &[],
    flags: &["--bare", "--safe-mode"],
    next_step: START,
    advice: SETTINGS,
    start,
};

#[allow(clippy::unnecessary_wraps, reason = "the form of all clients")]
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let address = format!("{}/v1", launch.address);
    command
        .env("OPENAI_API_KEY", launch.key)
        .env("OPENAI_BASE_URL", &address)
        .args(["--auth-type", "openai", "--openai-api-key", launch.key])
        .args(["--openai-base-url", &address, "--model", "probe"])
        .args(["--approval-mode", "auto-edit", "--chat-recording=false"])
        .args(["--prompt", launch.prompt]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::switches::Layer::{Project, User};
    use super::super::super::switches::check_switches;
    use super::QWEN;

    #[test]
    fn settings_that_switch_the_gate_off() {
        let off = (User, "{\"disableAllHooks\": true}");
        check_switches(QWEN.switched_off, &[off], &["disableAllHooks: true"]);
        let on = (Project, "{\"disableAllHooks\": false}");
        check_switches(QWEN.switched_off, &[on, off], &[]);
    }
}
