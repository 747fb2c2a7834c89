//! GitHub Copilot CLI 1.0.

use std::io;
use std::process::Command;

use super::super::switches::SettingsOwner::{Local, Project, User};
use super::super::switches::is_set;
use super::super::switches::{SettingsText, at, json_layers};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::Beside;
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, START, SettingsScope, SettingsSource,
    SettingsSyntax, ToolKind,
};

/// Name of the only argument of a tool that takes a plain text in place of arguments.
pub(in crate::agent::hook) const FREEFORM: &str = "input";

pub(in crate::agent::hook) const COPILOT: Profile = Profile {
    name: "copilot",
    title: "GitHub Copilot CLI",
    tools: &[
        ("edit", ToolKind::Replace),
        ("create", ToolKind::Write),
        ("apply_patch", ToolKind::Patch),
    ],
    readers: &[],
    harmless: &[
        "ask_user",
        "exit_plan_mode",
        "fetch_copilot_cli_documentation",
        "glob",
        "grep",
        "list_agents",
        "list_bash",
        "read_agent",
        "read_bash",
        "report_intent",
        "rg",
        "show_file",
        "skill",
        "stop_bash",
        "task",
        "update_todo",
        "view",
        "web_fetch",
        "write_bash",
    ],
    shells: &["bash"],
    fields: Fields {
        path: "path",
        old: "old_str",
        new: "new_str",
        all: None,
        line: None,
        content: "file_text",
        patch: FREEFORM,
    },
    form: HookFormat::Copilot,
    traits: &[
        ClientTrait::RemovesWholeLines,
        ClientTrait::MakesNewFilesOnly,
    ],
    installed: Installed::Entries {
        before: "preToolUse",
        after: None,
        turns: None,
        second: 1,
        syntax: SettingsSyntax::PLAIN,
    },
    place: GateFile {
        project: ".github/copilot/settings.json",
        folder: ("COPILOT_HOME", ".copilot"),
        user: "settings.json",
        // It shares the folder's file with everybody who has it, and calls the hooks of a folder only if it is trusted.
        usual: SettingsScope::User,
    },
    remembers_names: false,
    sources: &[
        (Local, Beside(SettingsScope::Project, "settings.local.json")),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (
            Local,
            SettingsSource::Project(".claude/settings.local.json"),
        ),
        (Project, SettingsSource::Project(".claude/settings.json")),
        (User, Beside(SettingsScope::User, "settings.json")),
    ],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off: |layers, _| switched_off(layers),
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    // It reads the settings of another folder then.
    flags: &["--config-dir"],
    next_step: START,
    advice: "install the gate with `--user`, or trust the folder; `disableAllHooks` switches it off",
    start,
};

/// A folder cannot switch the hooks on again that the user has switched off.
fn switched_off(layers: &[SettingsText<'_>]) -> Vec<String> {
    let layers = json_layers(layers);
    let values = layers
        .iter()
        .filter_map(|(_, root)| at(root, &["disableAllHooks"]));
    let is_off = values.into_iter().any(|value| value.to_string() == "true");
    is_off
        .then(|| "disableAllHooks: true".to_owned())
        .into_iter()
        .collect()
}

#[allow(clippy::unnecessary_wraps, reason = "the form of all clients")]
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let others = std::env::vars_os().filter(|(name, _)| {
        name.to_str()
            .is_some_and(|name| name.starts_with("COPILOT_PROVIDER_"))
    });
    for (name, _) in others {
        command.env_remove(name);
    }
    command
        .env(
            "COPILOT_PROVIDER_BASE_URL",
            format!("{}/v1", launch.address),
        )
        .env("COPILOT_PROVIDER_API_KEY", launch.key)
        .env("COPILOT_OFFLINE", "true")
        .env("COPILOT_AUTO_UPDATE", "false")
        .args(["--model", "claude-sonnet-4", "--allow-tool", "write"])
        .args(["--log-dir".as_ref(), launch.scratch.as_os_str()])
        .args(["--prompt", launch.prompt]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::switches::SettingsOwner::{Local, Project, User};
    use super::super::super::switches::check_switches;
    use super::COPILOT;

    #[test]
    fn settings_that_switch_the_gate_off() {
        let check = |layers: &[_]| {
            check_switches(COPILOT.switched_off, layers, &["disableAllHooks: true"]);
        };
        let off = "{\"disableAllHooks\": true}";
        let on = (Project, "{\"disableAllHooks\": false}");
        check(&[(Local, off)]);
        check(&[on, (User, off)]);
        check_switches(COPILOT.switched_off, &[on, (User, "{}")], &[]);
    }
}
