//! Settings files of the agents in which gates are installed.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::agent::hook::Agent;
use crate::store::read_regular_text;

/// The largest settings file that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Scope {
    /// Those of the folder that the agent is started in.
    Project,
    /// Those of the user, for every folder.
    User,
}

/// Reads a settings file; `None` if there is none. Anything but a regular file of a sensible size is an error: a pipe would block.
///
/// # Errors
///
/// If the file cannot be read.
pub(in crate::cli) fn read_settings(path: &Path) -> io::Result<Option<String>> {
    match read_regular_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Returns how many folders above the settings file belong to the agent alone.
pub(super) fn own_folders(agent: Agent, scope: Scope) -> usize {
    match (agent, scope) {
        (Agent::Claude | Agent::Codex | Agent::Gemini | Agent::Qwen, _)
        | (Agent::Copilot, Scope::User) => 1,
        (Agent::Copilot, Scope::Project) | (Agent::Opencode, _) => 2,
    }
}

/// Returns the settings file of an agent for a gate.
pub(in crate::cli) fn settings_file(agent: Agent, scope: Scope, project: &Path) -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let home = set("HOME");
    let below_home = |name: &str| home.as_ref().map(|home| home.join(name));
    Some(match (agent, scope) {
        (Agent::Claude, Scope::Project) => project.join(".claude/settings.json"),
        (Agent::Claude, Scope::User) => set("CLAUDE_CONFIG_DIR")
            .or_else(|| below_home(".claude"))?
            .join("settings.json"),
        (Agent::Codex, Scope::Project) => project.join(".codex/hooks.json"),
        (Agent::Codex, Scope::User) => set("CODEX_HOME")
            .or_else(|| below_home(".codex"))?
            .join("hooks.json"),
        (Agent::Copilot, Scope::Project) => project.join(".github/copilot/settings.json"),
        (Agent::Copilot, Scope::User) => set("COPILOT_HOME")
            .or_else(|| below_home(".copilot"))?
            .join("settings.json"),
        (Agent::Gemini, Scope::Project) => project.join(".gemini/settings.json"),
        (Agent::Gemini, Scope::User) => set("GEMINI_CLI_HOME")
            .or(home)?
            .join(".gemini/settings.json"),
        (Agent::Qwen, Scope::Project) => project.join(".qwen/settings.json"),
        (Agent::Qwen, Scope::User) => set("QWEN_HOME")
            .or_else(|| below_home(".qwen"))?
            .join("settings.json"),
        (Agent::Opencode, Scope::Project) => project.join(".opencode/plugins/countersign.js"),
        (Agent::Opencode, Scope::User) => {
            let base = set("XDG_CONFIG_HOME").or_else(|| below_home(".config"))?;
            base.join("opencode/plugins/countersign.js")
        }
    })
}
