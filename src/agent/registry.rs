//! Server state shared by all connection threads: connections and pending proposals.

use std::collections::HashMap;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::byte_budget::Budget;
use super::pending_proposals::{PendingQuestion, RemoteDecision};
use super::wire::{AgentWarning, Denial, MOST_BYTES, Refused, ReviewerMessage, Submission};

/// Event from a client.
#[derive(Debug)]
pub enum ClientEvent {
    /// A proposal has arrived. It is answered once, by its ticket.
    Submitted {
        /// Its ticket, for the answer; a later one has a greater number.
        ticket: u64,
        /// The proposal.
        submission: Box<Submission>,
    },
    /// Another terminal asks for the pending proposals.
    Asked {
        /// Its ticket, for the answer.
        ticket: u64,
        /// The question.
        question: PendingQuestion,
    },
    /// Another terminal decides a pending proposal.
    Decided {
        /// Its ticket, for the answer.
        ticket: u64,
        /// The decision.
        decision: RemoteDecision,
    },
    /// A proposal was withdrawn, or its client has ended.
    Withdrawn {
        /// Its ticket.
        ticket: u64,
    },
    /// The person is to be warned of something.
    Warned(AgentWarning),
}

/// Limits for clients.
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
    /// The longest silence of a client that waits for nothing.
    pub idle: Duration,
    /// Interval at which a waiting client gets a sign of life.
    pub pulse: Duration,
    /// The longest time for which a client may leave a reply unread.
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

#[derive(Debug)]
pub(super) struct Registry {
    pub(super) limits: Limits,
    pub(super) budget: Budget,
    pub(super) closing: AtomicBool,
    pub(super) tickets: AtomicU64,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) waiting: HashMap<u64, WaitingRequest>,
    pub(super) connections: HashMap<u64, Connection>,
}

/// A pending request.
#[derive(Debug)]
pub(super) struct WaitingRequest {
    pub(super) id: String,
    pub(super) connection: u64,
    bytes: usize,
    pub(super) answers: Sender<ReviewerMessage>,
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stream: UnixStream,
    pub(super) writer: JoinHandle<()>,
    /// True until it sends its first line.
    pub(super) is_silent: bool,
}

impl Registry {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            budget: Budget::new(limits.bytes),
            closing: AtomicBool::new(false),
            tickets: AtomicU64::new(1),
            entries: Mutex::default(),
        }
    }

    pub(super) fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes a pending proposal.
    pub(super) fn take(&self, ticket: u64) -> Option<WaitingRequest> {
        let waiting = self.entries().waiting.remove(&ticket);
        if let Some(waiting) = &waiting {
            self.budget.give_back(waiting.bytes);
        }
        waiting
    }

    /// Registers a request with an input of some bytes, or returns the reason why not.
    pub(super) fn admit(
        &self,
        connection: u64,
        (id, bytes): (&str, usize),
        answers: &Sender<ReviewerMessage>,
    ) -> Result<u64, Refused> {
        let mut entries = self.entries();
        let count = entries.waiting.len();
        let refusal = if self.closing.load(Ordering::Acquire) {
            Some((Denial::Closing, "the reviewer is leaving".to_owned()))
        } else if entries.waiting.values().any(|other| other.id == id) {
            let message = "a proposal of this name waits already";
            Some((Denial::Duplicate, message.to_owned()))
        } else if count >= self.limits.waiting {
            Some((Denial::TooMany, format!("{count} proposals wait already")))
        } else if !self.budget.take(bytes) {
            let message = "the proposals that wait are too large together";
            Some((Denial::TooMany, message.to_owned()))
        } else {
            None
        };
        if let Some((code, message)) = refusal {
            return Err(Refused {
                id: Some(id.to_owned()),
                code,
                message,
            });
        }
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let waiting = WaitingRequest {
            id: id.to_owned(),
            connection,
            bytes,
            answers: answers.clone(),
        };
        entries.waiting.insert(ticket, waiting);
        Ok(ticket)
    }

    /// Closes the oldest connection that has sent no line yet, to make room for another one.
    pub(super) fn close_silent(&self) {
        let mut entries = self.entries();
        let silent = entries.connections.iter().filter(|(_, one)| one.is_silent);
        let oldest = silent.map(|(number, _)| *number).min();
        if let Some(connection) = oldest.and_then(|number| entries.connections.remove(&number)) {
            // Its threads end by this.
            let _ = connection.stream.shutdown(Shutdown::Both);
        }
    }

    /// Notes that a connection has sent a line.
    pub(super) fn has_spoken(&self, connection: u64) {
        if let Some(connection) = self.entries().connections.get_mut(&connection) {
            connection.is_silent = false;
        }
    }

    /// Returns the pending proposals of a connection: tickets and ids.
    pub(super) fn waiting_of(&self, connection: u64) -> Vec<(u64, String)> {
        let entries = self.entries();
        let own = entries.waiting.iter();
        own.filter(|(_, waiting)| waiting.connection == connection)
            .map(|(ticket, waiting)| (*ticket, waiting.id.clone()))
            .collect()
    }
}
