//! Reads the settings of a client that could keep it from calling a gate.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::hook::settings_file::{read_settings, settings_file};
use crate::agent::hook::switches::{Gate, SettingsOwner, SettingsText, has_event};
use crate::agent::hook::{
    Agent, SettingsScope, SettingsSource, normalized, reads_gate, refused_settings, settings,
    trusted_by_copilot, trusts,
};
use crate::agent::program;

/// Returns what keeps a gate from being called: settings, and variables of the environment.
pub(super) fn switches(
    agent: Agent,
    scope: SettingsScope,
    file: &Path,
    command: &str,
    project: &Path,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut texts = Vec::new();
    let files = files(agent, project);
    let is_here = program::found(agent.name()).is_some();
    let refused = if is_here {
        let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
        refused_settings(agent, &paths, project)
    } else {
        Vec::new()
    };
    for (layer, path) in files {
        if let Some((_, why)) = refused.iter().find(|(refused, _)| *refused == path) {
            if std::path::absolute(&path).is_ok_and(|path| path == file) {
                found.push(format!(
                    "{agent} reads nothing of a file with a wrong value ({why})"
                ));
            }
            // Of a file of the administrator it may read a part.
            if layer != SettingsOwner::Managed {
                continue;
            }
        }
        match read_settings(&path) {
            Ok(Some(text)) => texts.push((layer, path, text)),
            Ok(None) => (),
            Err(error) => found.push(format!("cannot read `{}` ({error})", path.display())),
        }
    }
    let layers: Vec<SettingsText<'_>> = texts
        .iter()
        .map(|(layer, path, text)| SettingsText {
            layer: *layer,
            name: path.file_name().and_then(OsStr::to_str).unwrap_or_default(),
            text,
        })
        .collect();
    let gate = Gate {
        file: &file.to_string_lossy(),
        command,
        owner: match scope {
            SettingsScope::Project => SettingsOwner::Project,
            SettingsScope::User => SettingsOwner::User,
        },
    };
    let distrust = distrust(agent, &layers, project);
    let read = read_layers(agent, layers, distrust.is_some());
    found.extend(agent.switched_off(&read, gate));
    found.extend(replacement(agent, file, command));
    if is_here && reads_gate(agent, scope, command, project) == Some(false) {
        found.push(format!(
            "{agent} does not list it among its hooks; a wrong value anywhere in a file makes it read nothing of that file"
        ));
    }
    if scope == SettingsScope::Project {
        found.extend(distrust);
    }
    let own: &[&str] = match scope {
        SettingsScope::Project => agent.project_variables(),
        SettingsScope::User => &[],
    };
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| agent.is_on(name, &value));
    found.extend(
        (agent.variables().iter().chain(own).copied())
            .filter(set)
            .map(|name| format!("the environment sets {name}")),
    );
    found.extend(set_in_files(agent, project));
    found
}

/// Returns the settings that count. Some clients read those of a folder only if it is trusted.
fn read_layers(
    agent: Agent,
    mut layers: Vec<SettingsText<'_>>,
    is_distrusted: bool,
) -> Vec<SettingsText<'_>> {
    if is_distrusted && matches!(agent, Agent::Gemini | Agent::Qwen) {
        layers.retain(|settings| settings.layer != SettingsOwner::Project);
    }
    layers
}

/// Returns the file whose hooks a client calls in place of those in the file that has the gate.
fn replacement(agent: Agent, file: &Path, command: &str) -> Option<String> {
    let quoted = Value::from(command).to_string();
    let mut files = (agent.replaced_by().iter()).map(|name| file.with_file_name(name));
    let other = files.find(|file| file.exists())?;
    let text = read_settings(&other).ok().flatten().unwrap_or_default();
    let mut events = agent.events().into_iter();
    let event = events.find(|event| has_event(&text, event) && !text.contains(&quoted))?;
    let file = other.display();
    Some(format!(
        "{agent} calls the {event} hooks of `{file}` in its place"
    ))
}

/// Other hooks of a client that are called before a tool, and may change its arguments after the gate.
pub(super) struct OtherHooks {
    /// Those that are seen to give arguments.
    pub(super) changing: Vec<PathBuf>,
    /// All others, in words.
    pub(super) others: Vec<String>,
}

/// Finds the other hooks of a client that are called before a tool.
pub(super) fn other_hooks(agent: Agent, gate: &Path, project: &Path) -> OtherHooks {
    let mut found = other_scripts(agent, gate, project);
    for (_, file) in files(agent, project) {
        let text = read_settings(&file).ok().flatten().unwrap_or_default();
        let commands = settings::other_commands(agent, &text);
        let file = file.display();
        let name = |command: String| format!("the hook `{command}` of `{file}`");
        found.others.extend(commands.into_iter().map(name));
    }
    let is_script = !agent.hook_folders().1.is_empty();
    if agent.has_plugin() && !is_script {
        let entries = gate.parent().and_then(|folder| fs::read_dir(folder).ok());
        let paths = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()));
        let plugins: BTreeSet<PathBuf> = paths
            .filter(|path| path.file_name() != gate.file_name())
            .collect();
        let name = |plugin: PathBuf| format!("the plugin `{}`", plugin.display());
        found.others.extend(plugins.into_iter().map(name));
    }
    found
}

/// Finds those that are files of hooks in folders of the client.
fn other_scripts(agent: Agent, gate: &Path, project: &Path) -> OtherHooks {
    let (of_project, of_home) = agent.hook_folders();
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let folders = of_project.iter().map(|name| project.join(name));
    let folders = folders.chain(
        home.iter()
            .flat_map(|home| of_home.iter().map(|name| home.join(name))),
    );
    let own = gate.parent().filter(|_| !of_home.is_empty());
    let folders = folders.chain(own.map(Path::to_owned));
    let folders: BTreeSet<PathBuf> =
        (folders.filter_map(|folder| folder.canonicalize().ok())).collect();
    let mut found = OtherHooks {
        changing: Vec::new(),
        others: Vec::new(),
    };
    for folder in folders {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut files: Vec<PathBuf> = (entries.filter_map(|entry| Some(entry.ok()?.path())))
            .filter(|file| file.file_stem() == gate.file_stem())
            .collect();
        files.sort();
        for file in files {
            match read_settings(&file) {
                Ok(Some(text)) if !settings::commands(agent, &text).is_empty() => (),
                Ok(Some(text)) if text.contains("overrideInput") => found.changing.push(file),
                Ok(_) | Err(_) => found.others.push(format!("`{}`", file.display())),
            }
        }
    }
    found
}

/// Returns the variables that are set in files which a client reads them from.
fn set_in_files(agent: Agent, project: &Path) -> Vec<String> {
    let project = std::path::absolute(project).unwrap_or_else(|_| project.to_owned());
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let folders = project.ancestors().chain(home.as_deref());
    let files = folders.flat_map(|folder| {
        let names = agent.variable_files().iter();
        names.map(move |name| folder.join(name))
    });
    let files: BTreeSet<PathBuf> = files.collect();
    let mut found = Vec::new();
    for file in files {
        let text = read_settings(&file).ok().flatten().unwrap_or_default();
        let set: Vec<(&str, &str)> = text.lines().filter_map(assigned).collect();
        let names = agent.variables().iter();
        let is_on = |(name, value): &(&str, &str)| agent.is_on(name, value);
        let set: Vec<&str> = set.iter().filter(|it| is_on(it)).map(|it| it.0).collect();
        let names = names.filter(|name| set.contains(name));
        found.extend(names.map(|name| format!("`{}` sets {name}", file.display())));
    }
    found
}

/// Returns the variable that a line of a file of variables sets, and its value.
fn assigned(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (name, value) = line
        .strip_prefix("export ")
        .unwrap_or(line)
        .split_once('=')?;
    Some((name.trim(), value.trim().trim_matches(['"', '\''])))
}

/// Returns why a client that asks for trust does not call the hooks of a folder's own settings.
fn distrust(agent: Agent, layers: &[SettingsText<'_>], project: &Path) -> Option<String> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let file = if agent == Agent::Gemini {
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
    } else if agent == Agent::Qwen {
        "QWEN_CODE_TRUSTED_FOLDERS_PATH"
    } else if agent == Agent::Copilot {
        return copilot_distrust(project);
    } else {
        return None;
    };
    let usual = settings_file(agent, SettingsScope::User, project);
    let usual = usual.map(|settings| settings.with_file_name("trustedFolders.json"));
    let file = std::env::var_os(file).map(PathBuf::from).or(usual)?;
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
    let config =
        settings_file(Agent::Copilot, SettingsScope::User, project)?.with_file_name("config.json");
    let text = match read_settings(&config) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => return Some(format!("cannot read `{}` ({error})", config.display())),
    };
    (!trusted_by_copilot(&text, project))
        .then(|| format!("{} does not trust this folder yet", Agent::Copilot))
}

/// Returns the settings files of a client, the one that overrides the others first.
fn files(agent: Agent, project: &Path) -> Vec<(SettingsOwner, PathBuf)> {
    let sources = agent.sources().iter();
    let files = sources.flat_map(|&(layer, source)| {
        let files = match source {
            SettingsSource::At(path) => vec![PathBuf::from(path)],
            SettingsSource::Variable(name, usual) => {
                vec![named_by(name, project).unwrap_or_else(|| usual.into())]
            }
            SettingsSource::VariableOrBeside(name, (other, usual), file) => {
                let other = named_by(other, project).unwrap_or_else(|| usual.into());
                let beside = other.with_file_name(file);
                vec![named_by(name, project).unwrap_or(beside)]
            }
            SettingsSource::Named(name) => named_by(name, project).into_iter().collect(),
            SettingsSource::Parts(folder) => parts(Path::new(folder)),
            SettingsSource::Beside(scope, name) => settings_file(agent, scope, project)
                .map(|file| file.with_file_name(name))
                .into_iter()
                .collect(),
            SettingsSource::Project(path) => vec![project.join(path)],
        };
        files.into_iter().map(move |file| (layer, file))
    });
    files
        .filter(|(layer, file)| {
            let is_of_system = matches!(layer, SettingsOwner::Managed | SettingsOwner::Defaults);
            !(is_of_system && agent.skips_system_files_of_others()) || is_only_of_root(file)
        })
        .collect()
}

/// Returns the file that a variable names, for a client that is started in the project. An empty variable counts as not set.
fn named_by(variable: &str, project: &Path) -> Option<PathBuf> {
    let name = std::env::var_os(variable).filter(|name| !name.is_empty())?;
    Some(project.join(name))
}

/// Returns whether nobody but root can change a file, or what is there under its name: whether root owns it, all folders above it and the
/// links on the way, and nobody else may write them. Also true of a file that does not exist.
fn is_only_of_root(file: &Path) -> bool {
    let Ok(real) = file.canonicalize() else {
        return !file.exists();
    };
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let file = normalized(&file);
    file.ancestors().chain(real.ancestors()).all(is_closed)
}

/// Returns whether root owns what is at a path, and the path itself if that is a link, and nobody else may write it.
fn is_closed(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.uid() == 0 && found.mode() & 0o022 == 0)
        && fs::symlink_metadata(path).is_ok_and(|found| found.uid() == 0)
}

/// Returns settings that are in parts. A later part overrides those before it.
fn parts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("managed-settings.d"));
    let mut parts: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    parts.sort();
    parts.reverse();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_folder_that_is_not_trusted_do_not_count() {
        let check = |agent: Agent, is_distrusted: bool, expected: &[SettingsOwner]| {
            let layers = [SettingsOwner::Project, SettingsOwner::User];
            let layers = layers.map(|layer| SettingsText {
                layer,
                name: "settings.json",
                text: "",
            });
            let read = read_layers(agent, layers.into(), is_distrusted);
            let read: Vec<SettingsOwner> = read.iter().map(|settings| settings.layer).collect();
            assert_eq!(read, expected, "{agent} {is_distrusted}");
        };
        let both = [SettingsOwner::Project, SettingsOwner::User];
        check(Agent::Gemini, true, &both[1..]);
        check(Agent::Gemini, false, &both);
        check(Agent::Qwen, true, &both[1..]);
        check(Agent::Qwen, false, &both);
        // It calls no hooks of such a folder, and reads its other settings.
        check(Agent::Copilot, true, &both);
    }
}
