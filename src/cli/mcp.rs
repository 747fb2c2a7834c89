//! `countersign mcp`: the reviewer as tools of any agent that speaks MCP.

use super::args::SettingArgs;
use super::exit::Exit;
use super::gate_args::McpArgs;
use super::{output, settings};
use crate::agent::mcp::Server;
use crate::store::Root;

/// Serves on standard input and output until the agent closes them.
pub(super) fn run(args: &McpArgs) -> anyhow::Result<Exit> {
    let folder = Root::open(&args.root)?.path().to_owned();
    let settings = settings::load(&SettingArgs::default(), &folder)?.settings;
    let server = Server::new(folder, args.patience, settings.overlay.command);
    if let Err(error) = server.run() {
        // No file is concerned: the agent does not speak the protocol, or is gone.
        output::say(&format!("the MCP server has ended: {error}"));
        return Ok(Exit::Usage);
    }
    Ok(Exit::Done)
}
