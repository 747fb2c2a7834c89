//! The companion of Gemini CLI: an MCP server over HTTP on loopback, which shows Gemini's edits as an editor would.
//!
//! Gemini calls `openDiff` with a file and the text that it is to have, is answered at once, and asks the person in its own
//! window too; whichever answers first decides. What is decided here goes back as the notification `ide/diffAccepted`, with
//! the text as the person left it, or `ide/diffRejected`; if it is decided there, `closeDiff` comes. The rules are those of
//! "Gemini CLI companion plugin: Interface specification" (`docs/ide-integration/ide-companion-spec.md` of Gemini CLI), and
//! where it says nothing, those of Gemini CLI 0.61 as it runs.
//!
//! Only a person's decision is told. Whatever fails on the way leaves the question where it was: in Gemini's own window.

mod port_file;
mod server;
mod shown;
mod tools;

use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use super::client::Cancel;
use crate::text::hex;
use port_file::PortFile;
use server::Server;

/// What Gemini wants to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The file, by its full name.
    pub file: PathBuf,
    /// The text that it is to have, with lines that end with `\n`.
    pub text: String,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The person wants the file to have this text.
    Accepted(String),
    /// The person does not want it.
    Rejected,
    /// Nobody has decided, and nobody will: it was closed, or cannot be reviewed any more.
    Undecided,
}

/// A diff that can be shown: shows it, and waits until it is decided or cancelled.
pub type Showing = Box<dyn FnOnce(&Cancel) -> Outcome + Send>;

/// Looks at a diff, and says how it is shown, or why it cannot be.
pub type Opener = Arc<dyn Fn(Diff) -> Result<Showing, String> + Send + Sync>;

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
    /// Listens on a free port of the loopback device, and leaves word where a Gemini that is started in `root` or below it
    /// looks for it.
    ///
    /// # Errors
    ///
    /// What the system says, or that Gemini cannot be told of a folder with such a name.
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
        let server = Server::new(opener, &token);
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

/// What only those know who can read the file.
fn token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}
