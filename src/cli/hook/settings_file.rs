//! Where agents keep the settings that their gates stand in.

use std::path::{Path, PathBuf};

use crate::agent::hook::Agent;

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Scope {
    /// Those of the folder that the agent is started in.
    Project,
    /// Those of the user, for every folder.
    User,
}

/// How many of the folders above the file with its gate are an agent's own.
pub(super) fn own_folders(agent: Agent) -> usize {
    match agent {
        Agent::Claude | Agent::Codex | Agent::Gemini => 1,
        Agent::Opencode => 2,
    }
}

/// The file in which an agent's gate stands.
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
        (Agent::Gemini, Scope::Project) => project.join(".gemini/settings.json"),
        (Agent::Gemini, Scope::User) => below_home(".gemini/settings.json")?,
        (Agent::Opencode, Scope::Project) => project.join(".opencode/plugins/countersign.js"),
        (Agent::Opencode, Scope::User) => {
            let base = set("XDG_CONFIG_HOME").or_else(|| below_home(".config"))?;
            base.join("opencode/plugins/countersign.js")
        }
    })
}
