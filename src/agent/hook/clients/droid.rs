//! Factory Droid 0.225, whose hooks have the form of Claude Code.

use std::fs;
use std::io;
use std::process::Command;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

use super::super::switches::SettingsOwner::{Local, Managed, Project, User};
use super::super::switches::value;
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::{Beside, Named};
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, SETTINGS, SNAKE_CASE, START,
    SettingsScope, SettingsSyntax, ToolKind,
};

/// Files that have its hooks where the person has changed them in Droid itself, and before.
const REPLACED_BY: [&str; 2] = ["hooks.json", "hooks/hooks.json"];

pub(in crate::agent::hook) const DROID: Profile = Profile {
    name: "droid",
    title: "Droid",
    tools: &[
        ("Edit", ToolKind::Replace),
        ("Create", ToolKind::Write),
        // GPT models get it in place of the others.
        ("ApplyPatch", ToolKind::Patch),
    ],
    readers: &["Read"],
    harmless: &[
        "AskUser",
        "ExitSpecMode",
        "FetchUrl",
        "Glob",
        "Grep",
        "LS",
        "Skill",
        "Task",
        "TodoWrite",
        "WebSearch",
    ],
    shells: &["Execute"],
    fields: Fields {
        old: "old_str",
        new: "new_str",
        all: Some("change_all"),
        patch: "input",
        ..SNAKE_CASE
    },
    form: HookFormat::PreToolUse,
    traits: &[
        ClientTrait::KeepsLineEndings,
        ClientTrait::LosesByteOrderMark,
        ClientTrait::AddsLastNewline,
        ClientTrait::KeepsLastNewline,
        ClientTrait::MakesNoEmptyFiles,
        ClientTrait::FoldsTypography,
    ],
    installed: Installed::Entries {
        before: "PreToolUse",
        after: Some("PostToolUse"),
        turns: None,
        second: 1,
        // <https://github.com/git-ai-project/git-ai/pull/1515>
        syntax: SettingsSyntax {
            comments: true,
            last_commas: true,
            mark: false,
        },
    },
    place: GateFile {
        project: ".factory/settings.json",
        folder: ("", ".factory"),
        user: "settings.json",
        usual: SettingsScope::User,
    },
    remembers_names: true,
    sources: &[
        (Managed, Named("FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH")),
        (Local, Named("FACTORY_RUNTIME_SETTINGS_PATH")),
        (Local, Beside(SettingsScope::Project, "settings.local.json")),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (Project, Beside(SettingsScope::Project, REPLACED_BY[0])),
        (Project, Beside(SettingsScope::Project, REPLACED_BY[1])),
        (User, Beside(SettingsScope::User, "settings.json")),
        (User, Beside(SettingsScope::User, REPLACED_BY[0])),
        (User, Beside(SettingsScope::User, REPLACED_BY[1])),
    ],
    replaced_by: &REPLACED_BY,
    hook_folders: (&[], &[]),
    switched_off: |layers, _| {
        // The files of hooks have it at the top.
        let paths: [&[&str]; 2] = [&["hooks", "hooksDisabled"], &["hooksDisabled"]];
        let is_on = |path: &&&[&str]| value(layers, path).is_some_and(|value| value == "true");
        let found = paths.iter().filter(is_on);
        found
            .map(|path| format!("{}: true", path.join(".")))
            .collect()
    },
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    flags: &["--settings (with hooks switched off)"],
    next_step: START,
    advice: SETTINGS,
    start,
};

/// It has no option for a model of one's own, so it gets a home with the settings of the user and that model.
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let own = launch.scratch.join(".factory");
    fs::create_dir(&own)?;
    let text = with_model(launch.settings.1, launch.address, launch.key)?;
    fs::write(own.join("settings.json"), text)?;
    for name in REPLACED_BY {
        let file = launch.settings.0.with_file_name(name);
        if file.exists() {
            let copy = own.join(name);
            copy.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::copy(file, copy)?;
        }
    }
    command
        .env("HOME", launch.scratch)
        .env("FACTORY_DROID_AUTO_UPDATE_ENABLED", "false")
        .args(["exec", "--model", "custom:probe-0", "--auto", "low"])
        .arg(launch.prompt);
    Ok(())
}

/// Returns settings with which it has one model of the user's own.
fn with_model(text: &str, address: &str, key: &str) -> io::Result<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(io::Error::other)?;
    let top = root
        .object_value_or_create()
        .ok_or_else(|| io::Error::other("the settings of Droid are not understood"))?;
    if let Some(models) = top.get("customModels") {
        models.remove();
    }
    let address = format!("{address}/v1");
    let fields = [
        ("model", "probe"),
        ("displayName", "probe"),
        ("baseUrl", &address),
        ("apiKey", key),
        ("provider", "generic-chat-completion-api"),
    ];
    let fields =
        fields.map(|(name, value)| (name.to_owned(), CstInputValue::String(value.to_owned())));
    let model = CstInputValue::Object(fields.into());
    top.append("customModels", CstInputValue::Array(vec![model]));
    Ok(root.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::super::switches::SettingsOwner::{Project, User};
    use super::super::super::switches::check_switches;
    use super::DROID;

    #[test]
    fn settings_that_switch_the_gate_off() {
        let off = (User, "{\"hooks\": {\"hooksDisabled\": true}}");
        let found = &["hooks.hooksDisabled: true"];
        check_switches(DROID.switched_off, &[off], found);
        let on = (Project, "{\"hooks\": {\"hooksDisabled\": false}}");
        check_switches(DROID.switched_off, &[on, off], &[]);
        let file = (Project, "{\"hooksDisabled\": true}");
        check_switches(DROID.switched_off, &[file, on], &["hooksDisabled: true"]);
    }
}
