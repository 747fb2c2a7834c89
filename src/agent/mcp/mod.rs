//! The reviewer as an MCP server on standard input and output: tools that any agent can call instead of writing by itself.
//!
//! A call becomes a proposal, waits until it is decided (telling its progress if the client wants to hear it), and comes
//! back with the verdict as text and as data. Clients give up on a call after a while, usually a minute; so before that a
//! call comes back with a ticket, by which `wait_for_verdict` goes on waiting. A cancelled call takes its proposal back, and so
//! does the end of the connection. Nothing but the protocol (<https://modelcontextprotocol.io>) goes to standard output.

mod parameters;
mod tickets;
mod tools;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use tickets::Tickets;

/// The server.
#[derive(Debug)]
pub struct Server {
    /// The folder that the agent works in.
    folder: PathBuf,
    /// How long a call waits before it comes back with a ticket.
    patience: Duration,
    /// The person's own command that opens a reviewer.
    overlay: Option<String>,
    tickets: Tickets,
}

impl Server {
    /// A server for the proposals of an agent that works in a folder. Where nobody reviews, a reviewer is opened, by the
    /// person's own command if there is one.
    pub fn new(folder: PathBuf, patience: Duration, overlay: Option<String>) -> Self {
        Self {
            folder,
            patience,
            overlay,
            tickets: Tickets::default(),
        }
    }

    /// Serves until the client closes the connection. What waits by then is withdrawn.
    ///
    /// # Errors
    ///
    /// What the system says, or that the client does not begin as the protocol asks.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let ended = runtime.block_on(async {
            let service = match self.serve(rmcp::transport::stdio()).await {
                // A client may also end before it has begun.
                Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                service => service.map_err(|error| io::Error::other(error.to_string()))?,
            };
            service.waiting().await.map(drop).map_err(io::Error::other)
        });
        // A read of standard input that is under way would keep the program.
        runtime.shutdown_background();
        ended
    }
}
