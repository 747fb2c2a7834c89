//! The arguments of the commands that agents call, and of the one that looks after them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::shared_args::{ReportForm, parse_seconds};
use crate::agent::hook::Agent;

/// Arguments of `hook`.
#[derive(Debug, Clone, Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "flags of the command line are so"
)]
pub struct HookArgs {
    /// The agent
    #[arg(value_parser = agent_parser())]
    pub agent: Agent,
    /// Seconds that a person may take to decide: at most 3540, or 110 with Cline, which are the default; undecided hunks are denied then,
    /// or stay with --stop; with --install, have the gate wait so long
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub wait: Option<Duration>,
    /// Review what Claude Code wrote in a turn by other means, such as a shell command, before it stops; with --install, have it do so
    #[arg(long, conflicts_with = "uninstall")]
    pub stop: bool,
    /// Put the gate into the agent's settings, after showing what will change
    #[arg(long, conflicts_with_all = ["uninstall", "print"])]
    pub install: bool,
    /// Take the gate out of the agent's settings again
    #[arg(long, conflicts_with = "print")]
    pub uninstall: bool,
    /// Print what `--install` would put into settings that are empty
    #[arg(long)]
    pub print: bool,
    /// The settings of this folder only: the default, except for Cline, Codex, Copilot, Droid and Pi
    #[arg(long, conflicts_with = "user")]
    pub project: bool,
    /// The settings of the user, for all folders: the default for Cline, Codex, Copilot, Droid and Pi
    #[arg(long)]
    pub user: bool,
    /// Do not ask before the settings are changed
    #[arg(long, short)]
    pub yes: bool,
}

/// Arguments of `doctor`.
#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// The folder that agents work in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Start each agent that has a gate, with a scripted model in place of its own, and see whether the gate holds back an edit
    #[cfg(feature = "mcp")]
    #[arg(long)]
    pub probe: bool,
    /// The form of what is found
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub report: ReportForm,
}

/// Arguments of `mcp`.
#[cfg(feature = "mcp")]
#[derive(Debug, Clone, Args)]
pub struct McpArgs {
    /// The folder that the agent works in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Seconds that a call waits for a verdict before it returns a ticket: less than the agent waits for a tool
    #[arg(long, value_name = "SECONDS", default_value = "50", value_parser = parse_seconds)]
    pub patience: Duration,
}

/// Arguments of `acp`.
#[derive(Debug, Clone, Args)]
pub struct AcpArgs {
    /// The agent's command and its arguments
    #[arg(last = true, value_name = "AGENT", required = true)]
    pub agent: Vec<OsString>,
    /// The folder of sessions for which the editor names none (default: the current folder); with `--layer` the folder that the layer
    /// covers (default: the git working tree around the current folder, or that folder)
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Run the agent in a copy-on-write layer, as `countersign run` does, instead of having it write through the editor
    #[arg(long)]
    pub layer: bool,
}

/// Parses the name of an agent.
fn agent_parser() -> impl TypedValueParser<Value = Agent> {
    let names = Agent::ALL.map(|agent| PossibleValue::new(agent.name()).help(agent.title()));
    PossibleValuesParser::new(names)
        .try_map(|name| Agent::named(&name).ok_or("no agent has this name"))
}
