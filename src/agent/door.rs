//! The reviewer's end of the socket: lets clients in, hears what they say, and brings each its one answer.
//!
//! Every connection has two threads, one that hears and one that speaks, so that a client that hangs holds up nobody else.
//! What a client may ask for is limited in size, number and speed; one that says what cannot be understood is told so and
//! sent away. A client that goes away has withdrawn whatever it waited for.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::hall::{Connection, Limits, Shared};
use super::hearer::Hearer;
use super::socket::{Socket, SocketError, Stopper};
use super::wire::{Denial, Refused, Reply, Submission, write_line};

/// What clients want.
#[derive(Debug)]
pub enum Knock {
    /// A proposal came. It is answered by its ticket, once.
    Submitted {
        /// What it is answered by; a later one has a greater number.
        ticket: u64,
        /// It.
        submission: Box<Submission>,
    },
    /// A proposal was taken back, or its client has gone.
    Withdrawn {
        /// Which.
        ticket: u64,
    },
}

/// A door that is open until it is dropped; then everybody who still waits is told so.
#[derive(Debug)]
pub struct Door {
    shared: Arc<Shared>,
    path: PathBuf,
    stopper: Stopper,
    porter: Option<JoinHandle<()>>,
}

impl Door {
    /// Opens the door at a socket. Whoever comes is told to `knock`, which says whether anybody listens.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn open(
        socket: Socket,
        limits: Limits,
        knock: impl Fn(Knock) -> bool + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(limits));
        let path = socket.path().to_owned();
        let stopper = socket.stopper();
        let inside = Arc::clone(&shared);
        let porter = thread::Builder::new()
            .name("countersign-door".to_owned())
            .spawn(move || let_in(&socket, &inside, &Arc::new(knock)))?;
        Ok(Self {
            shared,
            path,
            stopper,
            porter: Some(porter),
        })
    }

    /// The socket.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Says that a proposal is in the queue.
    pub fn welcome(&self, ticket: u64, position: usize) {
        let rooms = self.shared.rooms();
        if let Some(waiting) = rooms.waiting.get(&ticket) {
            let id = waiting.id.clone();
            // One that has gone away needs no answer.
            let _ = waiting.answers.send(Reply::Accepted { id, position });
        }
    }

    /// Gives a proposal its answer, made for its name; whether anybody waited for it. A second answer goes nowhere.
    pub fn answer(&self, ticket: u64, reply: impl FnOnce(String) -> Reply) -> bool {
        let waiting = self.shared.take(ticket);
        waiting.is_some_and(|waiting| waiting.answers.send(reply(waiting.id)).is_ok())
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        self.stopper.stop();
        if let Some(porter) = self.porter.take() {
            let _ = porter.join();
        }
        let mut rooms = self.shared.rooms();
        let waiting = std::mem::take(&mut rooms.waiting);
        let connections = std::mem::take(&mut rooms.connections);
        drop(rooms);
        for waiting in waiting.into_values() {
            let refused = Refused {
                id: Some(waiting.id),
                code: Denial::Closing,
                message: "the reviewer has left without deciding; nothing of it is written"
                    .to_owned(),
            };
            let _ = waiting.answers.send(Reply::Refused(refused));
        }
        for connection in connections.values() {
            let _ = connection.stream.shutdown(Shutdown::Read);
        }
        for connection in connections.into_values() {
            let _ = connection.speaker.join();
        }
    }
}

/// Lets clients in until the door is closed.
fn let_in<K>(socket: &Socket, shared: &Arc<Shared>, knock: &Arc<K>)
where
    K: Fn(Knock) -> bool + Send + Sync + 'static,
{
    let mut number = 0;
    loop {
        let client = socket.accept();
        if shared.closing.load(Ordering::Acquire) {
            return;
        }
        number += 1;
        if shared.rooms().connections.len() >= shared.limits.connections {
            shared.close_silent();
        }
        match client {
            Ok(stream) if shared.rooms().connections.len() < shared.limits.connections => {
                // Without threads for it the client hears that the door was shut.
                let _ = attend(stream, number, shared, knock);
            }
            Ok(mut stream) => {
                let refused = Refused {
                    id: None,
                    code: Denial::TooMany,
                    message: "too many clients are connected".to_owned(),
                };
                let _ = stream.set_nonblocking(true);
                let _ = write_line(&mut stream, &Reply::Refused(refused));
            }
            Err(SocketError::Stopped) => return,
            // One that is not let in, or a system without room for now: never a tight loop.
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn attend<K>(
    stream: UnixStream,
    number: u64,
    shared: &Arc<Shared>,
    knock: &Arc<K>,
) -> io::Result<()>
where
    K: Fn(Knock) -> bool + Send + Sync + 'static,
{
    stream.set_write_timeout(Some(shared.limits.unread))?;
    let (answers, outbox) = channel();
    let (to, from) = (stream.try_clone()?, stream.try_clone()?);
    let (inside, hall) = (Arc::clone(shared), Arc::clone(shared));
    let speaker = thread::Builder::new()
        .name("countersign-speak".to_owned())
        .spawn(move || speak(to, number, &outbox, &inside))?;
    let connection = Connection {
        stream,
        speaker,
        is_silent: true,
    };
    shared.rooms().connections.insert(number, connection);
    let knock = Arc::clone(knock);
    let hearer = thread::Builder::new()
        .name("countersign-hear".to_owned())
        .spawn(move || {
            let mut hearer = Hearer {
                number,
                shared: &hall,
                answers: &answers,
                knock: &*knock,
            };
            // A connection that fails has ended.
            let _ = hearer.hear(from);
            for (ticket, _) in hall.waiting_of(number) {
                (knock)(Knock::Withdrawn { ticket });
            }
            hall.rooms().connections.remove(&number);
        });
    hearer.map(drop).inspect_err(|_| {
        shared.rooms().connections.remove(&number);
    })
}

/// Writes what a client is told, and that somebody is there while it waits.
fn speak(mut to: UnixStream, number: u64, outbox: &Receiver<Reply>, shared: &Shared) {
    loop {
        let said = match outbox.recv_timeout(shared.limits.pulse) {
            Ok(reply) => write_line(&mut to, &reply),
            Err(RecvTimeoutError::Timeout) => {
                let mut waiting = shared.waiting_of(number).into_iter();
                waiting.try_for_each(|(_, id)| write_line(&mut to, &Reply::Waiting { id }))
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if said.is_err() {
            break;
        }
    }
    // The hearer ends by this too.
    let _ = to.shutdown(Shutdown::Both);
}
