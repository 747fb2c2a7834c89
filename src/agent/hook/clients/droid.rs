//! Factory Droid 0.225, whose hooks have the form of Claude Code.

use std::fs;
use std::io;
use std::process::Command;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

use super::super::switches::SettingsOwner::{Local, Project, User};
use super::super::switches::value;
use super::profile::SettingsSource::Beside;
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, SETTINGS, SNAKE_CASE, START,
    SettingsScope, ToolKind,
};

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
    shells: &["Execute"],
    // It names the tools of MCP servers after the server.
    foreign_tools: None,
    fields: Fields {
        old: "old_str",
        new: "new_str",
        all: Some("change_all"),
        patch: "input",
        ..SNAKE_CASE
    },
    form: HookFormat::PreToolUse,
    installed: Installed::Entries {
        before: "PreToolUse",
        after: Some("PostToolUse"),
        turns: None,
        second: 1,
    },
    place: GateFile {
        project: ".factory/settings.json",
        folder: ("", ".factory"),
        user: "settings.json",
        usual: SettingsScope::User,
    },
    remembers_names: true,
    sources: &[
        (Local, Beside(SettingsScope::Project, "settings.local.json")),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (User, Beside(SettingsScope::User, "settings.json")),
    ],
    switched_off: |layers, _| {
        let value = value(layers, &["hooks", "hooksDisabled"]).filter(|value| value == "true");
        value
            .map(|value| format!("hooks.hooksDisabled: {value}"))
            .into_iter()
            .collect()
    },
    variables: &[],
    project_variables: &[],
    flags: &[],
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
    }
}
