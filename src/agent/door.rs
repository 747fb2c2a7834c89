//! The reviewer's end of the socket: lets clients in, hears what they say, and brings each its one answer.
//!
//! Every connection has two threads, one that hears and one that speaks, so that a client that hangs holds up nobody else.
//! What a client may ask for is limited in size, number and speed; one that says what cannot be understood is told so and
//! sent away. A client that goes away has withdrawn whatever it waited for.

use std::collections::HashMap;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::lines::{Lines, Next};
use super::meter::{Budget, Metered};
use super::socket::Socket;
use super::wire::{
    Denial, MOST_BYTES, Malformed, Refused, Reply, Request, Submission, read_request, write_line,
};

/// What clients may ask for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Proposals that wait at once.
    pub waiting: usize,
    /// Bytes of proposals that wait or are being heard.
    pub bytes: usize,
    /// The longest line, in bytes.
    pub line: usize,
    /// Lines within [`Limits::WINDOW`] on one connection.
    pub lines: usize,
    /// How long a client may say nothing while it waits for nothing.
    pub idle: Duration,
    /// How often a client that waits is told that somebody is there.
    pub pulse: Duration,
    /// How long a client may leave unread what it is told.
    pub unread: Duration,
}

impl Limits {
    /// The time in which lines are counted.
    pub const WINDOW: Duration = Duration::from_secs(10);
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 128,
            waiting: 256,
            bytes: 256 << 20,
            line: MOST_BYTES,
            lines: 400,
            idle: Duration::from_secs(30),
            pulse: Duration::from_secs(3),
            unread: Duration::from_secs(5),
        }
    }
}

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
    porter: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    limits: Limits,
    budget: Budget,
    closing: AtomicBool,
    tickets: AtomicU64,
    rooms: Mutex<Rooms>,
}

#[derive(Debug, Default)]
struct Rooms {
    waiting: HashMap<u64, Waiting>,
    connections: HashMap<u64, Connection>,
}

/// A proposal that waits for its answer.
#[derive(Debug)]
struct Waiting {
    id: String,
    connection: u64,
    bytes: usize,
    answers: Sender<Reply>,
}

#[derive(Debug)]
struct Connection {
    stream: UnixStream,
    speaker: JoinHandle<()>,
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
        let shared = Arc::new(Shared {
            limits,
            budget: Budget::new(limits.bytes),
            closing: AtomicBool::new(false),
            tickets: AtomicU64::new(1),
            rooms: Mutex::default(),
        });
        let path = socket.path().to_owned();
        let inside = Arc::clone(&shared);
        let porter = thread::Builder::new()
            .name("countersign-door".to_owned())
            .spawn(move || let_in(&socket, &inside, &Arc::new(knock)))?;
        Ok(Self {
            shared,
            path,
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
        // The porter waits for a client: this is the last one.
        let _ = UnixStream::connect(&self.path);
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

impl Shared {
    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a proposal out of those that wait.
    fn take(&self, ticket: u64) -> Option<Waiting> {
        let waiting = self.rooms().waiting.remove(&ticket);
        if let Some(waiting) = &waiting {
            self.budget.give_back(waiting.bytes);
        }
        waiting
    }

    /// Takes a proposal in; why not, if it is not.
    fn admit(
        &self,
        connection: u64,
        submission: &Submission,
        answers: &Sender<Reply>,
    ) -> Result<u64, Refused> {
        let refuse = |code, message: &str| Refused {
            id: Some(submission.id.clone()),
            code,
            message: message.to_owned(),
        };
        let mut rooms = self.rooms();
        if self.closing.load(Ordering::Acquire) {
            return Err(refuse(Denial::Closing, "the reviewer is leaving"));
        }
        if (rooms.waiting.values()).any(|other| other.id == submission.id) {
            let message = "a proposal of this name waits already";
            return Err(refuse(Denial::Duplicate, message));
        }
        if rooms.waiting.len() >= self.limits.waiting {
            let message = format!("{} proposals wait already", rooms.waiting.len());
            return Err(refuse(Denial::TooMany, &message));
        }
        let bytes = submission.input.len();
        if !self.budget.take(bytes) {
            let message = "the proposals that wait are too large together";
            return Err(refuse(Denial::TooMany, message));
        }
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting {
            id: submission.id.clone(),
            connection,
            bytes,
            answers: answers.clone(),
        };
        rooms.waiting.insert(ticket, waiting);
        Ok(ticket)
    }

    /// The proposals of a connection that wait: their tickets and names.
    fn waiting_of(&self, connection: u64) -> Vec<(u64, String)> {
        let rooms = self.rooms();
        let own = rooms.waiting.iter();
        own.filter(|(_, waiting)| waiting.connection == connection)
            .map(|(ticket, waiting)| (*ticket, waiting.id.clone()))
            .collect()
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
    let connection = Connection { stream, speaker };
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

/// Hears one client.
struct Hearer<'a> {
    number: u64,
    shared: &'a Shared,
    answers: &'a Sender<Reply>,
    knock: &'a dyn Fn(Knock) -> bool,
}

impl Hearer<'_> {
    fn hear(&mut self, from: UnixStream) -> io::Result<()> {
        let limits = self.shared.limits;
        from.set_read_timeout(Some(limits.idle))?;
        let mut lines = Lines::new(Metered::new(from, &self.shared.budget), limits.line);
        let (mut since, mut count) = (Instant::now(), 0);
        loop {
            match lines.wait() {
                Ok(Next::Line(line)) => {
                    lines.source().give_back();
                    if since.elapsed() > Limits::WINDOW {
                        (since, count) = (Instant::now(), 0);
                    }
                    count += 1;
                    if count > limits.lines {
                        self.refuse(Denial::TooMany, "this client says too much".to_owned());
                        return Ok(());
                    }
                    if !self.obey(&line) {
                        return Ok(());
                    }
                }
                Ok(Next::Quiet) if self.shared.waiting_of(self.number).is_empty() => return Ok(()),
                Ok(Next::Quiet) => (),
                Ok(Next::TooLong) => {
                    let message = format!("a line is longer than {} bytes", limits.line);
                    self.refuse(Denial::TooLarge, message);
                    return Ok(());
                }
                Ok(Next::End) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
                    let message = "the proposals that wait are too large together";
                    self.refuse(Denial::TooMany, message.to_owned());
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Does what a line asks; whether the client may go on.
    fn obey(&mut self, line: &[u8]) -> bool {
        match read_request(line) {
            Ok(Request::Submit(submission)) => {
                match self.shared.admit(self.number, &submission, self.answers) {
                    Ok(ticket) => {
                        let submission = Box::new(submission);
                        return (self.knock)(Knock::Submitted { ticket, submission });
                    }
                    Err(refused) => self.say(Reply::Refused(refused)),
                }
                true
            }
            Ok(Request::Withdraw { id }) => {
                let own = self.shared.waiting_of(self.number);
                if let Some((ticket, _)) = own.into_iter().find(|(_, other)| *other == id) {
                    return (self.knock)(Knock::Withdrawn { ticket });
                }
                self.say(Reply::Refused(Refused {
                    id: Some(id),
                    code: Denial::Malformed,
                    message: "no proposal of this name waits".to_owned(),
                }));
                true
            }
            Ok(Request::Ping) => {
                self.say(Reply::Pong);
                true
            }
            Err(error) => {
                let code = match error {
                    Malformed::Version(_) => Denial::Version,
                    Malformed::Form(_) => Denial::Malformed,
                };
                self.refuse(code, error.to_string());
                false
            }
        }
    }

    fn refuse(&mut self, code: Denial, message: String) {
        self.say(Reply::Refused(Refused {
            id: None,
            code,
            message,
        }));
    }

    fn say(&mut self, reply: Reply) {
        // A speaker that has ended has lost its client.
        let _ = self.answers.send(reply);
    }
}
