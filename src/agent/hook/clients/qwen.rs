//! Qwen Code 0.24, whose hooks have the form of Claude Code.

use std::io;
use std::process::Command;

use super::super::switches::SettingsOwner::{Defaults, Managed, Project, User};
use super::super::switches::{is_set, is_truthy, value};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::{Beside, Variable, VariableOrBeside};
use super::profile::{
    GateFile, HookFormat, Installed, Launch, Profile, SETTINGS, SNAKE_CASE, START, SettingsScope,
    SettingsSyntax, ToolKind, on_this_system,
};

/// The variable that names its system settings, and where they are if it is not set.
const SYSTEM: (&str, &str) = (
    "QWEN_CODE_SYSTEM_SETTINGS_PATH",
    on_this_system(
        "/etc/qwen-code/settings.json",
        "/Library/Application Support/QwenCode/settings.json",
    ),
);

pub(in crate::agent::hook) const QWEN: Profile = Profile {
    name: "qwen",
    title: "Qwen Code",
    tools: &[
        ("edit", ToolKind::Replace),
        ("write_file", ToolKind::Write),
        ("notebook_edit", ToolKind::Notebook),
    ],
    readers: &["read_file"],
    harmless: &[
        "ask_user_question",
        "exit_plan_mode",
        "glob",
        "grep_search",
        "list_directory",
        "lsp",
        "read_many_files",
        "skill",
        "task",
        "todo_write",
        "web_fetch",
    ],
    shells: &["run_shell_command"],
    fields: SNAKE_CASE,
    form: HookFormat::PreToolUse,
    traits: &[
        ClientTrait::KeepsLineEndings,
        ClientTrait::LosesByteOrderMark,
        ClientTrait::RemovesWholeLines,
        ClientTrait::FormatsNotebooks,
    ],
    installed: Installed::Entries {
        before: "PreToolUse",
        after: Some("PostToolUse"),
        turns: None,
        // It reads numbers from 1000 on as milliseconds.
        second: 1000,
        // As Gemini CLI, which it was made from.
        syntax: SettingsSyntax {
            comments: true,
            last_commas: false,
            mark: false,
        },
    },
    place: GateFile {
        project: ".qwen/settings.json",
        folder: ("QWEN_HOME", ".qwen"),
        user: "settings.json",
        usual: SettingsScope::Project,
    },
    remembers_names: true,
    sources: &[
        (Managed, Variable(SYSTEM.0, SYSTEM.1)),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (User, Beside(SettingsScope::User, "settings.json")),
        (
            Defaults,
            VariableOrBeside(
                "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
                SYSTEM,
                "system-defaults.json",
            ),
        ),
    ],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off: |layers, _| {
        let value = value(layers, &["disableAllHooks"]).filter(|value| is_truthy(value));
        value
            .map(|value| format!("disableAllHooks: {value}"))
            .into_iter()
            .collect()
    },
    variables: &["QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE"],
    variable_files: &[".qwen/.env", ".env"],
    project_variables: &[],
    is_on: is_set,
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
    use super::super::super::switches::SettingsOwner::{Project, User};
    use super::super::super::switches::check_switches;
    use super::QWEN;

    #[test]
    fn settings_that_switch_the_gate_off() {
        let off = (User, "{\"disableAllHooks\": true}");
        check_switches(QWEN.switched_off, &[off], &["disableAllHooks: true"]);
        let on = (Project, "{\"disableAllHooks\": false}");
        check_switches(QWEN.switched_off, &[on, off], &[]);
        for (value, is_off) in [("0", false), ("null", false), ("\"false\"", true)] {
            let text = format!("{{\"disableAllHooks\": {value}}}");
            let off = format!("disableAllHooks: {value}");
            let expected = if is_off { vec![off.as_str()] } else { vec![] };
            check_switches(QWEN.switched_off, &[(User, text.as_str())], &expected);
        }
    }
}
