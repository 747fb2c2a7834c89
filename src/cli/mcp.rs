//! `countersign mcp`: the reviewer as tools of any agent that speaks MCP.

use super::args::SettingArgs;
use super::exit::Exit;
use super::gate_args::McpArgs;
use super::settings;
use crate::agent::mcp::Server;

/// Serves on standard input and output until the agent closes them.
pub(super) fn run(args: &McpArgs) -> anyhow::Result<Exit> {
    let folder = args.root.canonicalize()?;
    let settings = settings::load(&SettingArgs::default(), &folder)?.settings;
    Server::new(folder, args.patience, settings.overlay.command).run()?;
    Ok(Exit::Done)
}
