//! Settings of the clients that keep an installed gate from being called.
//!
//! | client | settings |
//! |---|---|
//! | Claude Code | `disableAllHooks`; managed `allowManagedHooksOnly` and `strictPluginOnlyCustomization` |
//! | Codex | `features.hooks`, also in the selected profile; `hooks.state.*.enabled`; managed `allow_managed_hooks_only` |
//! | GitHub Copilot CLI | `disableAllHooks`, also in the settings of Claude Code in the folder |
//! | Gemini CLI | `hooksConfig.enabled`, `hooksConfig.disabled`, `tools.enableHooks` |
//! | Qwen Code | `disableAllHooks` |
//!
//! Gemini CLI and Qwen Code also call the hooks of a folder's own settings only if the user trusts it ([`trusts`](super::trusts)).
//! Environment variables and options of the command line are in [`variables`] and [`flags`].

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstRootNode};
use toml::Table;

use super::names::Agent;

/// Owner of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The administrator of the machine; the user cannot override these.
    Managed,
    /// The user, for one project.
    Local,
    /// A project.
    Project,
    /// The user.
    User,
    /// The administrator of the machine; everybody else can override these.
    Defaults,
}

/// Text of a settings file. The layers of a client are given in order, the one that overrides the others first.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Whose settings they are.
    pub layer: Layer,
    /// The text; for Codex TOML, for the others JSON with comments.
    pub text: &'a str,
}

/// The gate that is checked.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// The file that it is installed in, in full.
    pub file: &'a str,
    /// Its command.
    pub command: &'a str,
}

/// Returns the settings that keep a gate from being called, as a person would find them in the file.
pub fn switched_off(agent: Agent, layers: &[Settings<'_>], gate: Gate<'_>) -> Vec<String> {
    match agent {
        Agent::Claude => claude(layers),
        Agent::Codex => codex(layers, gate),
        Agent::Copilot => copilot(layers),
        Agent::Gemini => gemini(layers, gate),
        Agent::Opencode => Vec::new(),
        Agent::Qwen => qwen(layers),
    }
}

/// Returns the environment variables that keep a client from calling its hooks, if they are set.
pub fn variables(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::Claude => &["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"],
        Agent::Opencode => &["OPENCODE_PURE"],
        Agent::Qwen => &["QWEN_CODE_SAFE_MODE"],
        Agent::Codex | Agent::Copilot | Agent::Gemini => &[],
    }
}

/// Returns the options with which a client calls no hooks at all.
pub fn flags(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::Claude => &[
            "--bare",
            "--safe-mode",
            "--setting-sources (without this scope)",
        ],
        Agent::Codex => &["--disable hooks"],
        Agent::Copilot => &[],
        Agent::Gemini => &["--acp", "--experimental-acp"],
        Agent::Opencode => &["--pure"],
        Agent::Qwen => &["--bare", "--safe-mode"],
    }
}

fn claude(layers: &[Settings<'_>]) -> Vec<String> {
    let layers = json_layers(layers);
    let mut found = Vec::new();
    if let Some(value) = first(&layers, &["disableAllHooks"])
        && !matches!(value.as_str(), "false" | "null")
    {
        found.push(format!("disableAllHooks: {value}"));
    }
    let managed = layers.iter().filter(|(layer, _)| *layer == Layer::Managed);
    let managed: Vec<_> = managed.cloned().collect();
    if first(&managed, &["allowManagedHooksOnly"]).as_deref() == Some("true") {
        found.push("allowManagedHooksOnly: true (managed)".to_owned());
    }
    // An invalid value counts as `true`.
    if let Some(value) = first(&managed, &["strictPluginOnlyCustomization"])
        && value != "false"
        && (!value.starts_with('[') || value.contains("\"hooks\""))
    {
        found.push(format!("strictPluginOnlyCustomization: {value} (managed)"));
    }
    found
}

/// A folder cannot switch the hooks on again that the user has switched off.
fn copilot(layers: &[Settings<'_>]) -> Vec<String> {
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

fn qwen(layers: &[Settings<'_>]) -> Vec<String> {
    let value = value(layers, &["disableAllHooks"]).filter(|value| value != "false");
    value
        .map(|value| format!("disableAllHooks: {value}"))
        .into_iter()
        .collect()
}

fn gemini(layers: &[Settings<'_>], gate: Gate<'_>) -> Vec<String> {
    let layers = json_layers(layers);
    let mut found = Vec::new();
    for path in [["hooksConfig", "enabled"], ["tools", "enableHooks"]] {
        if first(&layers, &path).as_deref() == Some("false") {
            found.push(format!("{}: false", path.join(".")));
        }
    }
    for path in [["hooksConfig", "disabled"], ["hooks", "disabled"]] {
        let lists = layers.iter().filter_map(|(_, root)| at(root, &path));
        let names = lists.filter_map(|list| Some(list.as_array()?.elements()));
        let is_off = names.flatten().any(|name| {
            let name = name
                .as_string_lit()
                .and_then(|name| name.decoded_value().ok());
            name.is_some_and(|name| name == gate.command)
        });
        if is_off {
            found.push(format!("{} names this command", path.join(".")));
        }
    }
    found
}

fn codex(layers: &[Settings<'_>], gate: Gate<'_>) -> Vec<String> {
    let tables: Vec<(Layer, Table)> = layers
        .iter()
        .filter_map(|layer| Some((layer.layer, layer.text.parse().ok()?)))
        .collect();
    let find = |path: &[&str]| {
        tables
            .iter()
            .find_map(|(_, table)| at_toml(table, path).cloned())
    };
    let mut found = Vec::new();
    let profile = find(&["profile"]).and_then(|name| name.as_str().map(str::to_owned));
    for name in ["hooks", "codex_hooks"] {
        let mut value = find(&["features", name]);
        if let Some(profile) = &profile {
            value = find(&["profiles", profile, "features", name]).or(value);
        }
        if value.and_then(|value| value.as_bool()) == Some(false) {
            found.push(format!("[features] {name} = false"));
        }
    }
    let state = find(&["hooks", "state"]);
    for (key, state) in state
        .as_ref()
        .and_then(toml::Value::as_table)
        .into_iter()
        .flatten()
    {
        let is_off = state.get("enabled").and_then(toml::Value::as_bool) == Some(false);
        if is_off && key.starts_with(&format!("{}:pre_tool_use:", gate.file)) {
            found.push(format!("[hooks.state.\"{key}\"] enabled = false"));
        }
    }
    let managed = tables.iter().filter(|(layer, _)| *layer == Layer::Managed);
    let only = managed
        .filter_map(|(_, table)| at_toml(table, &["allow_managed_hooks_only"])?.as_bool())
        .any(|only| only);
    if only {
        found.push("allow_managed_hooks_only = true (managed)".to_owned());
    }
    found
}

fn json_layers(layers: &[Settings<'_>]) -> Vec<(Layer, CstRootNode)> {
    let parse = |text| CstRootNode::parse(text, &ParseOptions::default()).ok();
    layers
        .iter()
        .filter_map(|layer| Some((layer.layer, parse(layer.text)?)))
        .collect()
}

/// Returns the text of a value in the first settings that have it.
pub(super) fn value(layers: &[Settings<'_>], path: &[&str]) -> Option<String> {
    first(&json_layers(layers), path)
}

/// Returns the text of the first value at a path that is set.
fn first(layers: &[(Layer, CstRootNode)], path: &[&str]) -> Option<String> {
    layers
        .iter()
        .find_map(|(_, root)| Some(at(root, path)?.to_string()))
}

fn at(root: &CstRootNode, path: &[&str]) -> Option<CstNode> {
    let (last, folders) = path.split_last()?;
    let mut object = root.object_value()?;
    for name in folders {
        object = object.object_value(name)?;
    }
    object.get(last)?.value()
}

fn at_toml<'a>(table: &'a Table, path: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(table.get(*first)?, |value, name| value.get(*name))
}

#[cfg(test)]
mod tests {
    use super::Layer::{Local, Managed, Project, User};
    use super::*;

    #[track_caller]
    fn check(agent: Agent, layers: &[(Layer, &str)], expected: &[&str]) {
        let layers: Vec<Settings<'_>> = layers
            .iter()
            .map(|&(layer, text)| Settings { layer, text })
            .collect();
        let gate = Gate {
            file: "/h/hooks.json",
            command: "countersign hook gemini",
        };
        assert_eq!(switched_off(agent, &layers, gate), expected);
    }

    #[test]
    fn claude_code() {
        let off = "disableAllHooks: true";
        check(Agent::Claude, &[], &[]);
        check(
            Agent::Claude,
            &[(Project, "{\"disableAllHooks\": true}")],
            &[off],
        );
        check(
            Agent::Claude,
            &[(User, "{/*x*/\"disableAllHooks\": true,}")],
            &[off],
        );
        check(
            Agent::Claude,
            &[(User, "{\"disableAllHooks\": false}")],
            &[],
        );
        let local = (Local, "{\"disableAllHooks\": false}");
        check(
            Agent::Claude,
            &[local, (User, "{\"disableAllHooks\": true}")],
            &[],
        );
        let only = "{\"allowManagedHooksOnly\": true}";
        check(
            Agent::Claude,
            &[(Managed, only)],
            &["allowManagedHooksOnly: true (managed)"],
        );
        check(Agent::Claude, &[(User, only)], &[]);
        for (value, is_off) in [
            ("true", true),
            ("false", false),
            ("[\"skills\", \"hooks\"]", true),
            ("[\"skills\"]", false),
            ("\"x\"", true),
        ] {
            let strict = format!("{{\"strictPluginOnlyCustomization\": {value}}}");
            let off = format!("strictPluginOnlyCustomization: {value} (managed)");
            let expected = if is_off { vec![off.as_str()] } else { vec![] };
            check(Agent::Claude, &[(Managed, &strict)], &expected);
            check(Agent::Claude, &[(User, &strict)], &[]);
        }
    }

    #[test]
    fn gemini_cli() {
        let off = "{\"hooksConfig\": {\"enabled\": false}}";
        check(
            Agent::Gemini,
            &[(User, off)],
            &["hooksConfig.enabled: false"],
        );
        let on = "{\"hooksConfig\": {\"enabled\": true}}";
        check(Agent::Gemini, &[(Project, on), (User, off)], &[]);
        check(
            Agent::Gemini,
            &[(User, "{\"tools\": {\"enableHooks\": false}}")],
            &["tools.enableHooks: false"],
        );
        let named = "{\"hooksConfig\": {\"disabled\": [\"x\", \"countersign hook gemini\"]}}";
        check(
            Agent::Gemini,
            &[(User, named)],
            &["hooksConfig.disabled names this command"],
        );
        check(
            Agent::Gemini,
            &[(User, "{\"hooksConfig\": {\"disabled\": [\"x\"]}}")],
            &[],
        );
    }

    #[test]
    fn copilot_cli() {
        let off = "{\"disableAllHooks\": true}";
        let on = (Project, "{\"disableAllHooks\": false}");
        check(Agent::Copilot, &[(Local, off)], &["disableAllHooks: true"]);
        check(
            Agent::Copilot,
            &[on, (User, off)],
            &["disableAllHooks: true"],
        );
        check(Agent::Copilot, &[on, (User, "{}")], &[]);
    }

    #[test]
    fn qwen_code() {
        let off = "{\"disableAllHooks\": true}";
        check(Agent::Qwen, &[(User, off)], &["disableAllHooks: true"]);
        let on = "{\"disableAllHooks\": false}";
        check(Agent::Qwen, &[(Project, on), (User, off)], &[]);
    }

    #[test]
    fn codex_cli() {
        let off = "[features] hooks = false";
        check(
            Agent::Codex,
            &[(User, "[features]\nhooks = false\n")],
            &[off],
        );
        check(Agent::Codex, &[(User, "features.hooks = false")], &[off]);
        check(Agent::Codex, &[(User, "[features]\nhooks = true\n")], &[]);
        let project = (Project, "features = { hooks = true }");
        check(
            Agent::Codex,
            &[project, (User, "features.hooks = false")],
            &[],
        );
        let profile = "profile = \"p\"\nfeatures.hooks = true\nprofiles.p.features.hooks = false";
        check(Agent::Codex, &[(User, profile)], &[off]);
        check(
            Agent::Codex,
            &[(User, &profile.replace("\"p\"", "\"q\""))],
            &[],
        );
        let state = "[hooks.state.\"/h/hooks.json:pre_tool_use:0:0\"]\nenabled = false\n";
        check(
            Agent::Codex,
            &[(User, state)],
            &["[hooks.state.\"/h/hooks.json:pre_tool_use:0:0\"] enabled = false"],
        );
        check(
            Agent::Codex,
            &[(User, &state.replace("/h/", "/other/"))],
            &[],
        );
        let only = "allow_managed_hooks_only = true";
        check(
            Agent::Codex,
            &[(Managed, only)],
            &["allow_managed_hooks_only = true (managed)"],
        );
        check(Agent::Codex, &[(User, only)], &[]);
    }
}
