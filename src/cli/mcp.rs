//! `countersign mcp`: the reviewer as tools of any agent that speaks MCP.

use std::path::PathBuf;
use std::time::SystemTime;

use super::agent_args::McpArgs;
use super::exit::Exit;
use super::shared_args::SettingArgs;
use super::{output, settings};
use crate::agent::mcp::{McpServer, MessagePurpose, ThreadStore};
use crate::app::threads::{self, reviewed_root};
use crate::review::{Author, Thread};
use crate::store::Root;

/// The threads of the root that a folder is reviewed in.
#[derive(Debug)]
struct FolderThreads {
    folder: PathBuf,
}

/// Serves on standard input and output until the agent closes them.
pub(super) fn run(args: &McpArgs) -> anyhow::Result<Exit> {
    let folder = Root::open(&args.root)?.path().to_owned();
    let settings = settings::load(&SettingArgs::default(), &folder)?.settings;
    let threads = Box::new(FolderThreads {
        folder: folder.clone(),
    });
    let server = McpServer::new(folder, args.patience, settings.overlay.command, threads);
    if let Err(error) = server.run() {
        // No file is concerned: the agent does not speak the protocol, or is gone.
        output::say(&format!("the MCP server has ended: {error}"));
        return Ok(Exit::Usage);
    }
    Ok(Exit::Done)
}

impl FolderThreads {
    fn root(&self) -> Result<Root, String> {
        reviewed_root(&self.folder).map_err(|error| error.to_string())
    }
}

impl ThreadStore for FolderThreads {
    fn all(&self) -> Result<(Vec<Thread>, Vec<String>), String> {
        let known = threads::located(&self.root()?).map_err(|error| error.to_string())?;
        Ok((known.threads, known.damaged))
    }

    fn reply(
        &self,
        agent: &str,
        id: &str,
        text: &str,
        answer: MessagePurpose,
    ) -> Result<Thread, String> {
        let author = Author::agent(agent).map_err(|why| why.to_string())?;
        let proposes_resolution = answer == MessagePurpose::Resolution;
        threads::reply(&self.root()?, id, author, text, proposes_resolution)
            .map_err(|error| error.to_string())
    }

    fn changed(&self) -> Option<SystemTime> {
        self.root().ok()?.threads_changed()
    }
}
