//! Factory Droid 0.225, whose hooks have the form of Claude Code.

use std::fs;
use std::io;
use std::process::Command;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

use super::super::switches::SettingsOwner::{Local, Managed, Project, User};
use super::super::switches::is_set;
use super::super::switches::{Gate, SettingsOwner, SettingsText, at, parsed};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::{Beside, Named};
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, SETTINGS, SNAKE_CASE, START,
    SettingsScope, SettingsSyntax, ToolKind,
};

/// The file of hooks that it writes itself.
const HOOKS_FILE: &str = "hooks.json";
/// The files whose hooks it calls in place of those of the settings: its own, and the one of earlier versions.
const REPLACED_BY: [&str; 2] = [HOOKS_FILE, "hooks/hooks.json"];

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
        // It reads no hooks from `settings.local.json`.
        (Project, Beside(SettingsScope::Project, HOOKS_FILE)),
        (Project, Beside(SettingsScope::Project, REPLACED_BY[1])),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (User, Beside(SettingsScope::User, HOOKS_FILE)),
        (User, Beside(SettingsScope::User, REPLACED_BY[1])),
        (User, Beside(SettingsScope::User, "settings.json")),
    ],
    replaced_by: &REPLACED_BY,
    hook_folders: (&[], &[]),
    switched_off,
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    flags: &["--settings (with hooks switched off)"],
    next_step: START,
    advice: SETTINGS,
    start,
};

/// Finds the first settings that have hooks switched on or off. A file of hooks has it at the top, and others among their hooks.
fn switched_off(layers: &[SettingsText<'_>], _: Gate<'_>) -> Vec<String> {
    let of_hooks = |settings: &SettingsText<'_>| settings.name == HOOKS_FILE;
    let mut read: Vec<SettingsOwner> = Vec::new();
    for settings in layers {
        let path: &[&str] = if of_hooks(settings) {
            // The older of the two files is read where the newer one is missing.
            if read.contains(&settings.layer) {
                continue;
            }
            read.push(settings.layer);
            &["hooksDisabled"]
        } else {
            &["hooks", "hooksDisabled"]
        };
        let value = parsed(settings.text).and_then(|root| at(&root, path));
        let value = value.and_then(|value| value.as_boolean_lit()?.value().into());
        if let Some(is_off) = value {
            let found = format!("{}: true", path.join("."));
            return is_off.then_some(found).into_iter().collect();
        }
    }
    Vec::new()
}

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
    use super::super::super::switches::check_files;
    use super::{DROID, SettingsOwner, SettingsText};

    #[test]
    fn settings_that_switch_the_gate_off() {
        let check = |files: &[(SettingsOwner, &str, &str)], expected: &[&str]| {
            let layers =
                files
                    .iter()
                    .map(|&(layer, name, text)| SettingsText { layer, name, text });
            check_files(DROID.switched_off, &layers.collect::<Vec<_>>(), expected);
        };
        let inner = |owner, is_off: &'static str| (owner, "settings.json", is_off);
        let off = inner(User, "{\"hooks\": {\"hooksDisabled\": true}}");
        check(&[off], &["hooks.hooksDisabled: true"]);
        let on = inner(Project, "{\"hooks\": {\"hooksDisabled\": false}}");
        check(&[on, off], &[]);
        // Each of the two files has it in a place of its own.
        let top = |owner, text: &'static str| (owner, "hooks.json", text);
        let file = top(Project, "{\"hooksDisabled\": true}");
        check(&[file, on], &["hooksDisabled: true"]);
        check(&[top(User, "{\"hooksDisabled\": false}"), off], &[]);
        check(&[top(User, "{\"hooks\": {\"hooksDisabled\": true}}")], &[]);
        check(&[inner(User, "{\"hooksDisabled\": true}")], &[]);
        check(
            &[inner(User, "{\"hooks\": {\"hooksDisabled\": \"true\"}}")],
            &[],
        );
        // The older file of hooks is read if there is no newer one.
        let older = top(Project, "{\"hooksDisabled\": true}");
        check(&[top(Project, "{}"), older], &[]);
        check(&[top(User, "{}"), older], &["hooksDisabled: true"]);
    }
}
