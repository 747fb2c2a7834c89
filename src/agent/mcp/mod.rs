//! MCP server on standard input and output: tools with which any agent proposes edits instead of writing them.
//!
//! A call becomes a proposal, waits for the decision (with progress notifications if the client wants them), and returns the
//! verdict as text and as data. Clients give up on a call after a while, usually a minute, so before that a call returns a ticket,
//! with which `wait_for_verdict` continues to wait. A cancelled call withdraws its proposal, and so does the end of the connection.
//! Nothing but the protocol (<https://modelcontextprotocol.io>) is written to standard output.

mod parameters;
mod thread_store;
mod threads;
mod tickets;
mod tools;
mod unique_lines;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::sync::watch;

use thread_store::Delivered;
pub use thread_store::{MessagePurpose, ThreadStore};
use tickets::Tickets;
use unique_lines::UniqueLines;

/// The longest wait for the client to read the last answers.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// The server.
#[derive(Debug)]
pub struct McpServer {
    /// The folder that the agent works in.
    folder: PathBuf,
    /// The longest wait of a call before it returns a ticket.
    patience: Duration,
    /// The person's own command that opens a reviewer.
    overlay: Option<String>,
    tickets: Tickets,
    /// Closed when the client has closed its side.
    input: watch::Receiver<()>,
    /// The threads of the folder.
    threads: Box<dyn ThreadStore>,
    delivered: Delivered,
}

impl McpServer {
    /// A server for the proposals of an agent that works in a folder. Where nobody reviews, a reviewer is opened, by the
    /// person's own command if there is one.
    pub fn new(
        folder: PathBuf,
        patience: Duration,
        overlay: Option<String>,
        threads: Box<dyn ThreadStore>,
    ) -> Self {
        Self {
            folder,
            patience,
            overlay,
            tickets: Tickets::default(),
            input: watch::channel(()).1,
            threads,
            delivered: Delivered::default(),
        }
    }

    /// Serves until the client closes the connection. What waits by then is withdrawn.
    ///
    /// # Errors
    ///
    /// Any I/O error, or that the client does not begin as the protocol asks.
    pub fn run(mut self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let ended = runtime.block_on(async {
            let UniqueLines {
                server,
                input,
                written,
            } = UniqueLines::between(tokio::io::stdin(), tokio::io::stdout());
            self.input = input;
            let ended = match self.serve(server).await {
                Ok(service) => service.waiting().await.map(drop).map_err(io::Error::other),
                // A client may also end before it has begun.
                Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
                Err(error) => Err(io::Error::other(error.to_string())),
            };
            // A client that reads no more must not keep the program.
            let _ = tokio::time::timeout(LAST_ANSWERS, written).await;
            ended
        });
        // A read of standard input that is under way would keep the program.
        runtime.shutdown_background();
        ended
    }

    /// Waits until the client has closed its side: the library would let calls wait on for seconds.
    async fn input_ended(&self) {
        // Nothing is sent: it changes by being closed.
        let _ = self.input.clone().changed().await;
    }
}
