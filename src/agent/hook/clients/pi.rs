//! Pi 0.87, whose gate is an extension.

use std::fs;
use std::io;
use std::process::Command;

use serde_json::json;

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
    shells: &["bash"],
    foreign_tools: None,
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
    installed: Installed::Plugin(include_str!("../../../../assets/hooks/pi.js")),
    place: GateFile {
        project: ".pi/extensions/countersign.js",
        folder: ("PI_CODING_AGENT_DIR", ".pi/agent"),
        user: "extensions/countersign.js",
        // It loads the extensions of a folder only if it is trusted.
        usual: SettingsScope::User,
    },
    remembers_names: false,
    sources: &[],
    switched_off: |_, _| Vec::new(),
    variables: &[],
    project_variables: &[],
    flags: &["--no-extensions"],
    next_step: START,
    advice: "trust the folder (`/trust`), or install the gate with `--user`",
    start,
};

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
