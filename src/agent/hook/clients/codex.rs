//! Codex 0.169. It reads files by shell commands.

use std::io;
use std::process::Command;

use toml::{Table, Value};

use super::super::switches::SettingsOwner::{Defaults, Managed, Project, User};
use super::super::switches::is_set;
use super::super::switches::{Gate, SettingsOwner, SettingsText};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::{At, Beside};
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, SettingsScope, SettingsSyntax,
    ToolKind,
};

pub(in crate::agent::hook) const CODEX: Profile = Profile {
    name: "codex",
    title: "Codex",
    tools: &[("apply_patch", ToolKind::Patch)],
    readers: &[],
    harmless: &[
        "list_mcp_resource_templates",
        "list_mcp_resources",
        "read_mcp_resource",
        "request_user_input",
        "update_plan",
        "view_image",
        "web_search",
    ],
    // By the names that its hooks and its versions give them.
    shells: &[
        "Bash",
        "exec_command",
        "local_shell",
        "shell",
        "shell_command",
        "unified_exec",
        "write_stdin",
    ],
    fields: Fields {
        path: "path",
        old: "old_string",
        new: "new_string",
        all: Some("replace_all"),
        line: None,
        content: "content",
        patch: "command",
    },
    form: HookFormat::PreToolUse,
    traits: &[ClientTrait::DropsBareAllow],
    installed: Installed::Entries {
        before: "PreToolUse",
        after: None,
        turns: None,
        second: 1,
        // It reads the file by `serde_json::from_str`.
        syntax: SettingsSyntax::PLAIN,
    },
    place: GateFile {
        project: ".codex/hooks.json",
        folder: ("CODEX_HOME", ".codex"),
        user: "hooks.json",
        // It calls the hooks of a folder only if it is trusted.
        usual: SettingsScope::User,
    },
    remembers_names: false,
    sources: &[
        (Managed, At("/etc/codex/requirements.toml")),
        (Managed, At("/etc/codex/managed_config.toml")),
        (Project, Beside(SettingsScope::Project, "config.toml")),
        (User, Beside(SettingsScope::User, "config.toml")),
        (Defaults, At("/etc/codex/config.toml")),
    ],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off,
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    flags: &["--disable hooks", "-c features.hooks=false"],
    next_step: "Codex calls it only after you have trusted it: start `codex`, and confirm it under `/hooks`; `countersign doctor` says whether it is trusted",
    advice: "start `codex` in this folder, and confirm the hook under `/hooks`",
    start,
};

fn switched_off(layers: &[SettingsText<'_>], gate: Gate<'_>) -> Vec<String> {
    let tables: Vec<(SettingsOwner, Table)> = layers
        .iter()
        .filter_map(|layer| Some((layer.layer, layer.text.parse().ok()?)))
        .collect();
    let find = |path: &[&str]| tables.iter().find_map(|(_, table)| at(table, path));
    let mut found = Vec::new();
    let profile = find(&["profile"]).and_then(|name| name.as_str().map(str::to_owned));
    for name in ["hooks", "codex_hooks"] {
        let mut value = find(&["features", name]);
        if let Some(profile) = &profile {
            value = find(&["profiles", profile, "features", name]).or(value);
        }
        if value.and_then(Value::as_bool) == Some(false) {
            found.push(format!("[features] {name} = false"));
        }
    }
    let state = find(&["hooks", "state"]).and_then(Value::as_table);
    for (key, state) in state.into_iter().flatten() {
        let is_off = state.get("enabled").and_then(Value::as_bool) == Some(false);
        if is_off && key.starts_with(&format!("{}:pre_tool_use:", gate.file)) {
            found.push(format!("[hooks.state.\"{key}\"] enabled = false"));
        }
    }
    let managed = tables.iter().filter(|(layer, _)| *layer == Managed);
    let only = managed
        .filter_map(|(_, table)| at(table, &["allow_managed_hooks_only"])?.as_bool())
        .any(|only| only);
    if only {
        found.push("allow_managed_hooks_only = true (managed)".to_owned());
    }
    found
}

fn at<'a>(table: &'a Table, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, name| value.get(*name))
}

#[allow(clippy::unnecessary_wraps, reason = "the form of all clients")]
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let provider = format!(
        "model_providers.countersign={{name=\"countersign\",base_url=\"{}/v1\",wire_api=\"responses\"}}",
        launch.address
    );
    command
        .args(["exec", "--skip-git-repo-check", "--ephemeral"])
        .args(["--sandbox", "danger-full-access"])
        .args(["--config", &provider])
        .args(["--config", "model_provider=\"countersign\""])
        .args(["--model", "gpt-5.5", launch.prompt]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::switches::SettingsOwner::{Managed, Project, User};
    use super::super::super::switches::{SettingsOwner, check_switches};
    use super::CODEX;

    #[track_caller]
    fn check(layers: &[(SettingsOwner, &str)], expected: &[&str]) {
        check_switches(CODEX.switched_off, layers, expected);
    }

    #[test]
    fn settings_that_switch_the_gate_off() {
        let off = "[features] hooks = false";
        check(&[(User, "[features]\nhooks = false\n")], &[off]);
        check(&[(User, "features.hooks = false")], &[off]);
        check(&[(User, "[features]\nhooks = true\n")], &[]);
        let project = (Project, "features = { hooks = true }");
        check(&[project, (User, "features.hooks = false")], &[]);
        let profile = "profile = \"p\"\nfeatures.hooks = true\nprofiles.p.features.hooks = false";
        check(&[(User, profile)], &[off]);
        check(&[(User, &profile.replace("\"p\"", "\"q\""))], &[]);
        let state = "[hooks.state.\"/h/hooks.json:pre_tool_use:0:0\"]\nenabled = false\n";
        check(
            &[(User, state)],
            &["[hooks.state.\"/h/hooks.json:pre_tool_use:0:0\"] enabled = false"],
        );
        check(&[(User, &state.replace("/h/", "/other/"))], &[]);
        let only = "allow_managed_hooks_only = true";
        check(
            &[(Managed, only)],
            &["allow_managed_hooks_only = true (managed)"],
        );
        check(&[(User, only)], &[]);
    }
}
