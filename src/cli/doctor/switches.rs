//! Reads the settings of a client that could keep it from calling a gate.

use std::path::{Path, PathBuf};

use super::super::hook::settings_file::{Scope, read_settings, settings_file};
use crate::agent::hook::Agent;
use crate::agent::hook::switches::{Gate, Layer, Settings, switched_off, variables};

/// Returns what keeps a gate from being called: settings, and variables of the environment.
pub(super) fn switches(agent: Agent, file: &Path, command: &str, project: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut texts = Vec::new();
    for (layer, path) in files(agent, project) {
        match read_settings(&path) {
            Ok(Some(text)) => texts.push((layer, text)),
            Ok(None) => (),
            Err(error) => found.push(format!("cannot read `{}` ({error})", path.display())),
        }
    }
    let layers: Vec<Settings<'_>> = texts
        .iter()
        .map(|(layer, text)| Settings {
            layer: *layer,
            text,
        })
        .collect();
    let gate = Gate {
        file: &file.to_string_lossy(),
        command,
    };
    found.extend(switched_off(agent, &layers, gate));
    let set = |name: &&&str| {
        std::env::var(name).is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
    };
    found.extend(
        variables(agent)
            .iter()
            .filter(set)
            .map(|name| format!("the environment sets {name}")),
    );
    found
}

/// Returns the settings files of a client, the one that overrides the others first.
fn files(agent: Agent, project: &Path) -> Vec<(Layer, PathBuf)> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let beside =
        |scope, name: &str| Some(settings_file(agent, scope, project)?.with_file_name(name));
    let named = |layer, path: &str| Some((layer, PathBuf::from(path)));
    let scoped = |layer, scope, name| Some((layer, beside(scope, name)?));
    let files = match agent {
        Agent::Claude => vec![
            named(Layer::Managed, "/etc/claude-code/managed-settings.json"),
            named(
                Layer::Managed,
                "/Library/Application Support/ClaudeCode/managed-settings.json",
            ),
            scoped(Layer::Local, Scope::Project, "settings.local.json"),
            scoped(Layer::Project, Scope::Project, "settings.json"),
            scoped(Layer::User, Scope::User, "settings.json"),
        ],
        Agent::Codex => vec![
            named(Layer::Managed, "/etc/codex/requirements.toml"),
            named(Layer::Managed, "/etc/codex/managed_config.toml"),
            scoped(Layer::Project, Scope::Project, "config.toml"),
            scoped(Layer::User, Scope::User, "config.toml"),
            named(Layer::Defaults, "/etc/codex/config.toml"),
        ],
        Agent::Gemini => vec![
            Some((
                Layer::Managed,
                set("GEMINI_CLI_SYSTEM_SETTINGS_PATH")
                    .unwrap_or_else(|| "/etc/gemini-cli/settings.json".into()),
            )),
            named(
                Layer::Managed,
                "/Library/Application Support/GeminiCli/settings.json",
            ),
            scoped(Layer::Project, Scope::Project, "settings.json"),
            scoped(Layer::User, Scope::User, "settings.json"),
            Some((
                Layer::Defaults,
                set("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
                    .unwrap_or_else(|| "/etc/gemini-cli/system-defaults.json".into()),
            )),
        ],
        Agent::Opencode => Vec::new(),
    };
    files.into_iter().flatten().collect()
}
