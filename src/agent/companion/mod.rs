//! Companion of Gemini CLI: an MCP server over HTTP on loopback, which shows Gemini's edits as an editor would.
//!
//! Gemini calls `openDiff` with a file and its new text, gets an answer at once, and asks the person in its own window as well; the
//! first decision counts. A decision made here is sent as the notification `ide/diffAccepted`, with the text as the person left it,
//! or `ide/diffRejected`; if the decision is made there, `closeDiff` arrives. The protocol is that of "Gemini CLI companion plugin:
//! Interface specification" (`docs/ide-integration/ide-companion-spec.md` of Gemini CLI), and beyond it the behavior of Gemini CLI
//! 0.61.
//!
//! Only decisions of a person are sent. After any error the question stays open in Gemini's own window.

mod diff;
mod open_diffs;
mod port_file;
mod server;
mod tools;

use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use crate::text::hex;
pub use diff::{Diff, DiffOutcome, Opener, Showing};
use port_file::PortFile;
use server::CompanionServer;

/// A companion that is there until it is dropped.
#[derive(Debug)]
pub struct Companion {
    port: u16,
    /// Gone before the server is.
    file: Option<PortFile>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl Companion {
    /// Listens on a free port of the loopback interface, and writes the file by which a Gemini CLI that is started in
    /// `root` or below finds it.
    ///
    /// # Errors
    ///
    /// Any I/O error, or a folder name that the protocol cannot express.
    pub fn open(root: &Path, opener: Opener) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = token()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let file = PortFile::write(port, root, &token)?;
        let (stop, stopped) = oneshot::channel();
        let server = CompanionServer::new(opener, &token);
        let server = thread::Builder::new()
            .name("countersign-companion".to_owned())
            .spawn(move || {
                runtime.block_on(server.run(listener, stopped));
                // A person who is asked for something that was open is not waited for.
                runtime.shutdown_background();
            })?;
        Ok(Self {
            port,
            file: Some(file),
            stop: Some(stop),
            server: Some(server),
        })
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        self.file = None;
        if let Some(stop) = self.stop.take() {
            // A server that has ended needs no word.
            let _ = stop.send(());
        }
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

/// Generates the token that every request must carry.
fn token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}
