//! Pi 0.87, whose gate is an extension.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use ignore::gitignore::GitignoreBuilder;
use serde_json::json;

use super::super::switches::SettingsOwner::{Project, User};
use super::super::switches::is_set;
use super::super::switches::{Gate, SettingsText, at, json_layers};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::Beside;
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, START, SettingsScope, ToolKind,
};

pub(in crate::agent::hook) const PI: Profile = Profile {
    name: "pi",
    title: "Pi",
    tools: &[
        ("edit", ToolKind::ReplaceSeveral),
        ("write", ToolKind::Write),
    ],
    readers: &["read"],
    harmless: &["find", "grep", "ls"],
    shells: &["bash"],
    fields: Fields {
        path: "path",
        old: "oldText",
        new: "newText",
        all: None,
        line: None,
        content: "content",
        patch: "patch",
    },
    form: HookFormat::Own,
    traits: &[ClientTrait::LosesByteOrderMark],
    installed: Installed::Plugin(include_str!("../../../../assets/hooks/pi.js")),
    place: GateFile {
        project: ".pi/extensions/countersign.js",
        folder: ("PI_CODING_AGENT_DIR", ".pi/agent"),
        user: "extensions/countersign.js",
        // It loads the extensions of a folder only if it is trusted.
        usual: SettingsScope::User,
    },
    remembers_names: false,
    sources: &[
        (Project, Beside(SettingsScope::Project, "../settings.json")),
        (User, Beside(SettingsScope::User, "../settings.json")),
    ],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off,
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    flags: &["--no-extensions"],
    next_step: START,
    advice: "Pi loads the extensions of a folder only if you trust the folder (`/trust`), and `extensions` in its settings may leave out the gate",
    start,
};

/// Returns the patterns in its `extensions` that leave out the gate. `!` and a glob leaves out, `+` and a path takes in after all, and `-`
/// and a path leaves out whatever the others say.
fn switched_off(layers: &[SettingsText<'_>], gate: Gate<'_>) -> Vec<String> {
    let layers = json_layers(layers);
    let own = layers.iter().filter(|(layer, _)| *layer == gate.owner);
    let lists = own.filter_map(|(_, root)| at(root, &["extensions"]));
    let elements = lists.filter_map(|list| Some(list.as_array()?.elements()));
    let patterns: Vec<String> = elements
        .flatten()
        .filter_map(|pattern| pattern.as_string_lit()?.decoded_value().ok())
        .collect();
    let full = Path::new(gate.file);
    let base = full.parent().and_then(Path::parent);
    let relative = base.and_then(|base| full.strip_prefix(base).ok());
    let names = [relative.unwrap_or(full), full];
    let is_named = |path: &str| names.contains(&Path::new(path.strip_prefix("./").unwrap_or(path)));
    let is_left_out = |glob: &str| names.iter().any(|path| matches_glob(path, glob));
    let taken_in = (patterns.iter()).any(|pattern| pattern.strip_prefix('+').is_some_and(is_named));
    let found = patterns.iter().filter(|pattern| {
        pattern.strip_prefix('-').is_some_and(is_named)
            || (!taken_in && pattern.strip_prefix('!').is_some_and(is_left_out))
    });
    found
        .map(|pattern| format!("extensions has \"{pattern}\""))
        .collect()
}

/// The model comes from an extension of its own.
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let provider = json!({
        "baseUrl": format!("{}/v1", launch.address), "api": "openai-completions", "apiKey": launch.key,
        "models": [{
            "id": "probe", "name": "probe", "reasoning": false, "input": ["text"], "contextWindow": 128_000, "maxTokens": 4096,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
        }],
    });
    let extension = launch.scratch.join("model.js");
    let text =
        format!("export default (pi) => pi.registerProvider(\"countersign\", {provider});\n");
    fs::write(&extension, text)?;
    command
        .args(["--print", "--no-session", "--offline"])
        .args(["--model", "countersign/probe", "--extension"])
        .arg(extension)
        .arg(launch.prompt);
    Ok(())
}

/// Returns true if a glob, read as a line of an ignore file, matches a path.
fn matches_glob(path: &Path, glob: &str) -> bool {
    let mut builder = GitignoreBuilder::new("");
    let below = path.strip_prefix("/").unwrap_or(path);
    builder.add_line(None, glob).is_ok()
        && (builder.build()).is_ok_and(|rules| rules.matched(below, false).is_ignore())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(extensions: &str, expected: &[&str]) {
        let text = format!("{{\"extensions\": {extensions}}}");
        let found = |owner, installed| {
            let layers = [SettingsText {
                layer: owner,
                name: "settings.json",
                text: &text,
            }];
            let gate = Gate {
                file: "/h/.pi/agent/extensions/countersign.js",
                command: "countersign hook pi",
                owner: installed,
            };
            switched_off(&layers, gate)
        };
        let expected: Vec<String> = (expected.iter())
            .map(|pattern| format!("extensions has \"{pattern}\""))
            .collect();
        assert_eq!(found(User, User), expected);
        assert_eq!(found(Project, User), [""; 0]);
    }

    #[test]
    fn patterns_that_leave_out_the_gate() {
        check("[]", &[]);
        check("[\"!**/*\", \"+x.js\"]", &["!**/*"]);
        check("[\"!countersign.*\"]", &["!countersign.*"]);
        check("[\"!extensions/other.js\", \"-other.js\"]", &[]);
        check("[\"!/h/.pi/**\"]", &["!/h/.pi/**"]);
        let again = "\"+extensions/countersign.js\"";
        check(&format!("[\"!*.js\", {again}]"), &[]);
        let path = "-./extensions/countersign.js";
        check(&format!("[\"{path}\", {again}]"), &[path]);
    }
}
