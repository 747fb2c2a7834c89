//! Cline CLI 3.0, whose gate is a script among its hooks.
//!
//! Found in `@cline/core` 0.0.86 (`dist/index.js`, the functions `GV`, `jV`, `zl` and `O6` in its minified text), which Cline CLI 3.0.65 is
//! built from, and by running it:
//!
//! - It runs every file `PreToolUse` with or without the ending of a script in `hooks` below `~/.cline` and `.cline`, by the program in its
//!   first line, with the call on standard input.
//! - It reads the last line that begins with `HOOK_CONTROL` and a tab, or the whole output where there is none. `cancel` ends the turn;
//!   `overrideInput` replaces the arguments; the model gets `context`.
//! - It lets the call pass where the hook prints nothing or no JSON, whatever its exit code, and where it takes more than two minutes. So
//!   the script itself prints a `cancel` where `countersign` ends without an answer, and `countersign` answers within that time.
//! - Its tools refuse arguments without a path or a text. That is how a call is denied and the turn goes on.

use std::fs;
use std::io;
use std::process::Command;

use serde_json::json;

use super::super::switches::is_set;
use super::client_trait::ClientTrait;
use super::profile::{
    Fields, GateFile, HookFormat, Installed, Launch, Profile, START, SettingsScope, ToolKind,
};

pub(in crate::agent::hook) const CLINE: Profile = Profile {
    name: "cline",
    title: "Cline CLI",
    // Without an old text or a line `editor` makes a file.
    tools: &[
        ("editor", ToolKind::Write),
        ("apply_patch", ToolKind::Patch),
    ],
    readers: &["read_files"],
    harmless: &[
        "ask_question",
        "fetch_web_content",
        "search_codebase",
        "skills",
    ],
    shells: &["run_commands"],
    fields: Fields {
        path: "path",
        old: "old_text",
        new: "new_text",
        all: None,
        line: Some("insert_line"),
        content: "new_text",
        patch: "input",
    },
    form: HookFormat::Cline,
    traits: &[
        ClientTrait::RefusesLongTexts,
        ClientTrait::RefusesToOverwrite,
        ClientTrait::AppliesPatchesLoosely,
        ClientTrait::TakesLastArguments,
    ],
    installed: Installed::Script(include_str!("../../../../assets/hooks/cline.sh")),
    place: GateFile {
        project: ".cline/hooks/PreToolUse.sh",
        folder: ("CLINE_DIR", ".cline"),
        user: "hooks/PreToolUse.sh",
        usual: SettingsScope::User,
    },
    remembers_names: false,
    sources: &[],
    replaced_by: &[],
    hook_folders: (&[".cline/hooks", ".clinerules/hooks"], &[".cline/hooks"]),
    switched_off: |_, _| Vec::new(),
    variables: &[],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    // It reads the hooks of another folder then.
    flags: &["--config"],
    next_step: START,
    advice: "a hook among its own, or a plugin, may change the call afterwards; `countersign run` holds back what it writes",
    start,
};

/// The provider comes from a file of its own, and the session runs in this process and not in the daemon, which lives on.
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let provider = json!({
        "provider": "openai-compatible", "apiKey": launch.key, "model": "probe", "baseUrl": format!("{}/v1", launch.address),
    });
    let settings = json!({
        "version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
        "providers": {"openai-compatible": {"settings": provider, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}},
    });
    let file = launch.scratch.join("providers.json");
    fs::write(&file, settings.to_string())?;
    command
        .env("CLINE_PROVIDER_SETTINGS_PATH", file)
        .env("CLINE_DATA_DIR", launch.scratch.join("data"))
        .env("CLINE_SESSION_BACKEND_MODE", "local")
        .args(["--provider", "openai-compatible", "--model", "probe"])
        .arg(launch.prompt);
    Ok(())
}
