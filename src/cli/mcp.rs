//! `countersign mcp`: the reviewer as tools of any agent that speaks MCP.

use super::exit::Exit;
use super::gate_args::McpArgs;
use crate::agent::mcp::Server;

/// Serves on standard input and output until the agent closes them.
pub(super) fn run(args: &McpArgs) -> anyhow::Result<Exit> {
    let folder = args.root.canonicalize()?;
    Server::new(folder, args.patience).run()?;
    Ok(Exit::Done)
}
