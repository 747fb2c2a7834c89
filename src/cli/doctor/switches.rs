//! Reads the settings of a client that could keep it from calling a gate.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::hook::settings_file::{Scope, read_settings, settings_file};
use crate::agent::hook::switches::{Gate, Layer, Settings, switched_off, variables};
use crate::agent::hook::{Agent, trusted_by_copilot, trusts};

/// Returns what keeps a gate from being called: settings, and variables of the environment.
pub(super) fn switches(
    agent: Agent,
    scope: Scope,
    file: &Path,
    command: &str,
    project: &Path,
) -> Vec<String> {
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
    if scope == Scope::Project {
        found.extend(distrust(agent, &layers, project));
    }
    let own = (agent, scope) == (Agent::Opencode, Scope::Project);
    let own = own.then_some("OPENCODE_DISABLE_PROJECT_CONFIG");
    let set = |name: &&str| {
        std::env::var(name).is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
    };
    found.extend(
        (variables(agent).iter().copied().chain(own))
            .filter(set)
            .map(|name| format!("the environment sets {name}")),
    );
    found
}

/// Returns why a client that asks for trust does not call the hooks of a folder's own settings.
fn distrust(agent: Agent, layers: &[Settings<'_>], project: &Path) -> Option<String> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let file = match agent {
        Agent::Gemini => {
            for (name, value) in [
                ("GEMINI_RESTRICTED_MODE", "true"),
                ("GEMINI_CLI_TRUST_WORKSPACE", "false"),
            ] {
                if variable(name) == value {
                    return Some(format!("the environment sets {name}={value}"));
                }
            }
            if variable("GEMINI_CLI_TRUST_WORKSPACE") == "true" {
                return None;
            }
            "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
        }
        Agent::Qwen => "QWEN_CODE_TRUSTED_FOLDERS_PATH",
        Agent::Copilot => return copilot_distrust(project),
        Agent::Claude | Agent::Codex | Agent::Opencode => return None,
    };
    let usual = || {
        let settings = settings_file(agent, Scope::User, project)?;
        Some(settings.with_file_name("trustedFolders.json"))
    };
    let file = std::env::var_os(file).map(PathBuf::from).or_else(usual)?;
    match read_settings(&file) {
        Ok(rules) => match trusts(agent, layers, &rules.unwrap_or_default(), project) {
            Some(true) => None,
            Some(false) => Some(format!(
                "{agent} does not trust this folder: you refused it"
            )),
            // Gemini CLI asks before it starts, and ends where it cannot ask.
            None if agent == Agent::Gemini => None,
            None => Some(format!("{agent} does not trust this folder yet")),
        },
        Err(error) => Some(format!("cannot read `{}` ({error})", file.display())),
    }
}

/// Returns why Copilot CLI does not call the hooks of a folder's own settings: it must be one that the user trusts, or be in one.
fn copilot_distrust(project: &Path) -> Option<String> {
    let config = settings_file(Agent::Copilot, Scope::User, project)?.with_file_name("config.json");
    let text = match read_settings(&config) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => return Some(format!("cannot read `{}` ({error})", config.display())),
    };
    (!trusted_by_copilot(&text, project))
        .then(|| format!("{} does not trust this folder yet", Agent::Copilot))
}

/// Returns the settings files of a client, the one that overrides the others first.
fn files(agent: Agent, project: &Path) -> Vec<(Layer, PathBuf)> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let beside =
        |scope, name: &str| Some(settings_file(agent, scope, project)?.with_file_name(name));
    let named = |layer, path: &str| Some((layer, PathBuf::from(path)));
    let scoped = |layer, scope, name| Some((layer, beside(scope, name)?));
    let files = match agent {
        Agent::Claude => managed_parts()
            .chain([
                named(Layer::Managed, "/etc/claude-code/managed-settings.json"),
                named(
                    Layer::Managed,
                    "/Library/Application Support/ClaudeCode/managed-settings.json",
                ),
                scoped(Layer::Local, Scope::Project, "settings.local.json"),
                scoped(Layer::Project, Scope::Project, "settings.json"),
                scoped(Layer::User, Scope::User, "settings.json"),
            ])
            .collect(),
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
        Agent::Copilot => vec![
            scoped(Layer::Local, Scope::Project, "settings.local.json"),
            scoped(Layer::Project, Scope::Project, "settings.json"),
            Some((Layer::Local, project.join(".claude/settings.local.json"))),
            Some((Layer::Project, project.join(".claude/settings.json"))),
            scoped(Layer::User, Scope::User, "settings.json"),
        ],
        Agent::Opencode => Vec::new(),
        Agent::Qwen => vec![
            Some((
                Layer::Managed,
                set("QWEN_CODE_SYSTEM_SETTINGS_PATH")
                    .unwrap_or_else(|| "/etc/qwen-code/settings.json".into()),
            )),
            named(
                Layer::Managed,
                "/Library/Application Support/QwenCode/settings.json",
            ),
            scoped(Layer::Project, Scope::Project, "settings.json"),
            scoped(Layer::User, Scope::User, "settings.json"),
            Some((
                Layer::Defaults,
                set("QWEN_CODE_SYSTEM_DEFAULTS_PATH")
                    .unwrap_or_else(|| "/etc/qwen-code/system-defaults.json".into()),
            )),
        ],
    };
    files.into_iter().flatten().collect()
}

/// Returns the managed settings of Claude Code that are in parts. A later part overrides those before it.
fn managed_parts() -> impl Iterator<Item = Option<(Layer, PathBuf)>> {
    let folders = [
        "/etc/claude-code",
        "/Library/Application Support/ClaudeCode",
    ];
    let mut parts: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(Path::new(folder).join("managed-settings.d")).ok())
        .flat_map(|entries| entries.filter_map(Result::ok))
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    parts.sort();
    parts
        .into_iter()
        .rev()
        .map(|path| Some((Layer::Managed, path)))
}
