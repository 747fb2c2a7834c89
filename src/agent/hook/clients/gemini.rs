//! Gemini CLI 0.61.

use std::fs;
use std::io;
use std::process::Command;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

use super::super::switches::SettingsOwner::{Defaults, Managed, Project, User};
use super::super::switches::{Gate, SettingsText, at, first, is_set, is_truthy, json_layers};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::{Beside, Variable, VariableOrBeside};
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, SNAKE_CASE, SettingsScope,
    SettingsSyntax, ToolKind, on_this_system,
};

/// The variable that names its system settings, and where they are if it is not set.
const SYSTEM: (&str, &str) = (
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    on_this_system(
        "/etc/gemini-cli/settings.json",
        "/Library/Application Support/GeminiCli/settings.json",
    ),
);

pub(in crate::agent::hook) const GEMINI: Profile = Profile {
    name: "gemini",
    title: "Gemini CLI",
    tools: &[
        ("replace", ToolKind::Replace),
        ("write_file", ToolKind::Write),
        ("openDiff", ToolKind::Diff),
    ],
    readers: &["read_file"],
    harmless: &[
        "activate_skill",
        "ask_user",
        "cli_help",
        "codebase_investigator",
        "complete_task",
        "enter_plan_mode",
        "exit_plan_mode",
        "get_internal_docs",
        "glob",
        "google_web_search",
        "grep_search",
        "list_directory",
        "read_many_files",
        "search_file_content",
        "update_topic",
        "web_fetch",
        "write_todos",
    ],
    shells: &["run_shell_command"],
    fields: Fields {
        all: Some("allow_multiple"),
        ..SNAKE_CASE
    },
    form: HookFormat::BeforeTool,
    traits: &[
        ClientTrait::KeepsLineEndings,
        ClientTrait::LosesByteOrderMark,
        ClientTrait::KeepsLastNewline,
        ClientTrait::ReportsAmendedInput,
        ClientTrait::SkipsSystemFilesOfOthers,
    ],
    installed: Installed::Entries {
        before: "BeforeTool",
        after: Some("AfterTool"),
        turns: None,
        second: 1000,
        // It takes the comments out, and gives the rest to `JSON.parse`.
        syntax: SettingsSyntax {
            comments: true,
            last_commas: false,
            mark: false,
        },
    },
    place: GateFile {
        project: ".gemini/settings.json",
        folder: ("GEMINI_CLI_HOME", ""),
        user: ".gemini/settings.json",
        usual: SettingsScope::Project,
    },
    remembers_names: false,
    sources: &[
        (Managed, Variable(SYSTEM.0, SYSTEM.1)),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (User, Beside(SettingsScope::User, "settings.json")),
        (
            Defaults,
            VariableOrBeside(
                "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
                SYSTEM,
                "system-defaults.json",
            ),
        ),
    ],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off,
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    flags: &["--acp", "--experimental-acp"],
    next_step: "Gemini reads a folder's settings only if the folder is trusted (`/permissions`); `--user` does for all folders",
    advice: "see in `/hooks` which hooks Gemini CLI calls; it reads those of a folder only if you trust the folder (`/permissions`)",
    start,
};

fn switched_off(layers: &[SettingsText<'_>], gate: Gate<'_>) -> Vec<String> {
    let layers = json_layers(layers);
    let mut found = Vec::new();
    // It reads the text `"false"` as `false`, and `null` as not set.
    let is_on = |value: &str| {
        value == "null" || (is_truthy(value) && !value.eq_ignore_ascii_case("\"false\""))
    };
    if let Some(value) = first(&layers, &["hooksConfig", "enabled"]).filter(|value| !is_on(value)) {
        found.push(format!("hooksConfig.enabled: {value}"));
    }
    let lists = layers
        .iter()
        .filter_map(|(_, root)| at(root, &["hooksConfig", "disabled"]));
    let names = lists.flat_map(|list| match list.as_array() {
        Some(list) => list.elements(),
        None => vec![list],
    });
    let is_off = names.into_iter().any(|name| {
        let name = name
            .as_string_lit()
            .and_then(|name| name.decoded_value().ok());
        name.is_some_and(|name| name == gate.command)
    });
    if is_off {
        found.push("hooksConfig.disabled names this command".to_owned());
    }
    found
}

/// It has no option for the account, so it gets a home with the settings of the user and no account.
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let (settings_file, settings) = launch.settings;
    let own = launch.scratch.join(".gemini");
    fs::create_dir(&own)?;
    fs::write(own.join("settings.json"), with_api_key(settings)?)?;
    let trust = "GEMINI_CLI_TRUSTED_FOLDERS_PATH";
    if std::env::var_os(trust).is_none() {
        command.env(trust, settings_file.with_file_name("trustedFolders.json"));
    }
    command
        .env("GEMINI_CLI_HOME", launch.scratch)
        .env("GEMINI_API_KEY", launch.key)
        .env("GOOGLE_GEMINI_BASE_URL", launch.address)
        .env("GEMINI_CLI_NO_RELAUNCH", "1")
        .args(["--model", "gemini-2.5-flash", "--prompt", launch.prompt])
        .args(["--approval-mode", "auto_edit"]);
    Ok(())
}

/// Returns settings with which it uses a key and no account.
fn with_api_key(text: &str) -> io::Result<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(io::Error::other)?;
    let auth = root
        .object_value_or_create()
        .and_then(|top| top.object_value_or_create("security"))
        .and_then(|security| security.object_value_or_create("auth"))
        .ok_or_else(|| io::Error::other("the settings of Gemini CLI are not understood"))?;
    for name in ["selectedType", "enforcedType"] {
        if let Some(value) = auth.get(name) {
            value.remove();
        }
    }
    let kind = CstInputValue::String("gemini-api-key".to_owned());
    auth.append("selectedType", kind);
    Ok(root.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::super::switches::SettingsOwner::{Project, User};
    use super::super::super::switches::check_switches;
    use super::*;
    use crate::agent::hook::switches::SettingsOwner;

    #[track_caller]
    fn check(layers: &[(SettingsOwner, &str)], expected: &[&str]) {
        check_switches(GEMINI.switched_off, layers, expected);
    }

    #[test]
    fn settings_that_switch_the_gate_off() {
        let off = (User, "{\"hooksConfig\": {\"enabled\": false}}");
        check(&[off], &["hooksConfig.enabled: false"]);
        check(
            &[(User, "{\"hooksConfig\": {\"enabled\": \"false\"}}")],
            &["hooksConfig.enabled: \"false\""],
        );
        check(
            &[(Project, "{\"hooksConfig\": {\"enabled\": true}}"), off],
            &[],
        );
        check(
            &[(User, "{\"hooksConfig\": {\"enabled\": 0}}")],
            &["hooksConfig.enabled: 0"],
        );
        for on in [
            "{\"hooksConfig\": {\"enabled\": null}}",
            "{\"hooksConfig\": {\"enabled\": \"true\"}}",
            "{\"hooksConfig\": {\"enabled\": 1}}",
            // Names of earlier versions, which it no longer reads.
            "{\"tools\": {\"enableHooks\": false}}",
            "{\"hooks\": {\"disabled\": [\"countersign hook gemini\"]}}",
        ] {
            check(&[(User, on)], &[]);
        }
        let named = "{\"hooksConfig\": {\"disabled\": [\"x\", \"countersign hook gemini\"]}}";
        check(
            &[(User, named)],
            &["hooksConfig.disabled names this command"],
        );
        check(
            &[(
                User,
                "{\"hooksConfig\": {\"disabled\": \"countersign hook gemini\"}}",
            )],
            &["hooksConfig.disabled names this command"],
        );
        check(&[(User, "{\"hooksConfig\": {\"disabled\": [\"x\"]}}")], &[]);
    }

    #[track_caller]
    fn check_key(settings: &str, expected: &Value) {
        let text = with_api_key(settings).unwrap();
        assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), expected);
    }

    #[test]
    fn settings_stay_but_for_the_account() {
        let auth = json!({"selectedType": "gemini-api-key"});
        check_key("", &json!({"security": {"auth": auth}}));
        check_key(
            "{\"hooksConfig\":{\"enabled\":false}, \"security\":{\"auth\":{\"selectedType\":\"oauth\",\"enforcedType\":\"oauth\"}}}",
            &json!({"hooksConfig": {"enabled": false}, "security": {"auth": auth}}),
        );
        assert!(with_api_key("[]").is_err());
    }
}
