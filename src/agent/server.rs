//! Socket server of the reviewer: accepts clients, reads their requests, and answers each proposal once.
//!
//! Every connection has two threads, one that reads and one that writes, so that a hung client delays nobody else. Requests are
//! limited in size, number and rate; a client that sends anything else gets the reason and is disconnected. The proposals of a
//! client that disconnects are withdrawn.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::connection::RequestReader;
use super::registry::{ClientEvent, Connection, Limits, Registry};
use super::socket::{Socket, SocketError, Stopper};
use super::wire::{Denial, Refused, ReviewerMessage, write_line};

/// Socket server, open until it is dropped; pending clients then get the answer that the reviewer is closing.
#[derive(Debug)]
pub struct SocketServer {
    shared: Arc<Registry>,
    path: PathBuf,
    stopper: Stopper,
    acceptor: Option<JoinHandle<()>>,
}

impl SocketServer {
    /// Starts the server on a socket. `notify` is called for each event, and returns whether anybody receives it.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn open(
        socket: Socket,
        limits: Limits,
        notify: impl Fn(ClientEvent) -> bool + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Registry::new(limits));
        let path = socket.path().to_owned();
        let stopper = socket.stopper();
        let shared_registry = Arc::clone(&shared);
        let acceptor = thread::Builder::new()
            .name("countersign-server".to_owned())
            .spawn(move || accept_clients(&socket, &shared_registry, &Arc::new(notify)))?;
        Ok(Self {
            shared,
            path,
            stopper,
            acceptor: Some(acceptor),
        })
    }

    /// The socket.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Confirms that a proposal is in the queue.
    pub fn confirm_queued(&self, ticket: u64, position: usize) {
        let entries = self.shared.entries();
        if let Some(waiting) = entries.waiting.get(&ticket) {
            let id = waiting.id.clone();
            // One that has gone away needs no answer.
            let _ = waiting
                .answers
                .send(ReviewerMessage::Accepted { id, position });
        }
    }

    /// Answers a proposal, with a reply made for its id. Returns whether anybody waited for it; a second answer is
    /// dropped.
    pub fn answer(&self, ticket: u64, reply: impl FnOnce(String) -> ReviewerMessage) -> bool {
        let waiting = self.shared.take(ticket);
        waiting.is_some_and(|waiting| waiting.answers.send(reply(waiting.id)).is_ok())
    }
}

impl Drop for SocketServer {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        self.stopper.stop();
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        let mut entries = self.shared.entries();
        let waiting = std::mem::take(&mut entries.waiting);
        let connections = std::mem::take(&mut entries.connections);
        drop(entries);
        for waiting in waiting.into_values() {
            let refused = Refused {
                id: Some(waiting.id),
                code: Denial::Closing,
                message: "the reviewer has left without deciding; nothing of it is written"
                    .to_owned(),
            };
            let _ = waiting.answers.send(ReviewerMessage::Refused(refused));
        }
        for connection in connections.values() {
            let _ = connection.stream.shutdown(Shutdown::Read);
        }
        for connection in connections.into_values() {
            let _ = connection.writer.join();
        }
    }
}

/// Accepts clients until the server is stopped.
fn accept_clients<K>(socket: &Socket, shared: &Arc<Registry>, notify: &Arc<K>)
where
    K: Fn(ClientEvent) -> bool + Send + Sync + 'static,
{
    let mut number = 0;
    loop {
        let client = socket.accept();
        if shared.closing.load(Ordering::Acquire) {
            return;
        }
        number += 1;
        if shared.entries().connections.len() >= shared.limits.connections {
            shared.close_silent();
        }
        match client {
            Ok(stream) if shared.entries().connections.len() < shared.limits.connections => {
                // Without threads for it the client sees a closed connection.
                let _ = start_connection(stream, number, shared, notify);
            }
            Ok(mut stream) => {
                let refused = Refused {
                    id: None,
                    code: Denial::TooMany,
                    message: "too many clients are connected".to_owned(),
                };
                let _ = stream.set_nonblocking(true);
                let _ = write_line(&mut stream, &ReviewerMessage::Refused(refused));
            }
            Err(SocketError::Stopped) => return,
            // One that is not let in, or a system without room for now: never a tight loop.
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn start_connection<K>(
    stream: UnixStream,
    number: u64,
    shared: &Arc<Registry>,
    notify: &Arc<K>,
) -> io::Result<()>
where
    K: Fn(ClientEvent) -> bool + Send + Sync + 'static,
{
    stream.set_write_timeout(Some(shared.limits.unread))?;
    let (answers, outbox) = channel();
    let (to, from) = (stream.try_clone()?, stream.try_clone()?);
    let (shared_registry, registry) = (Arc::clone(shared), Arc::clone(shared));
    let writer = thread::Builder::new()
        .name("countersign-write_replies".to_owned())
        .spawn(move || write_replies(to, number, &outbox, &shared_registry))?;
    let connection = Connection {
        stream,
        writer,
        is_silent: true,
    };
    shared.entries().connections.insert(number, connection);
    let notify = Arc::clone(notify);
    let reader = thread::Builder::new()
        .name("countersign-read".to_owned())
        .spawn(move || {
            let mut reader = RequestReader {
                number,
                shared: &registry,
                answers: &answers,
                notify: &*notify,
            };
            // A connection that fails has ended.
            let _ = reader.read(from);
            for (ticket, _) in registry.waiting_of(number) {
                (notify)(ClientEvent::Withdrawn { ticket });
            }
            registry.entries().connections.remove(&number);
        });
    reader.map(drop).inspect_err(|_| {
        shared.entries().connections.remove(&number);
    })
}

/// Writes replies to a client, and a sign of life while it waits.
fn write_replies(
    mut to: UnixStream,
    number: u64,
    outbox: &Receiver<ReviewerMessage>,
    shared: &Registry,
) {
    loop {
        let said = match outbox.recv_timeout(shared.limits.pulse) {
            Ok(reply) => write_line(&mut to, &reply),
            Err(RecvTimeoutError::Timeout) => {
                let mut waiting = shared.waiting_of(number).into_iter();
                waiting
                    .try_for_each(|(_, id)| write_line(&mut to, &ReviewerMessage::Waiting { id }))
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if said.is_err() {
            break;
        }
    }
    // The reader ends by this too.
    let _ = to.shutdown(Shutdown::Both);
}
