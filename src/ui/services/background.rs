//! Background services of a review: autosave, file watching, and proposals that arrive or leave.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::apply_model::ModelService;
use super::check::Check;
use super::threads::ThreadService;
use crate::review::{CallReview, Decisions, FileReview, Forecasts, ReviewSession, Standing};

/// Background services of a review.
pub struct Services<'a> {
    /// Message to show until the first key.
    pub notice: Option<String>,
    /// Is given the session whenever a decision, an edit that has ended or a comment has changed, and when something has
    /// joined or left. The next key waits for it.
    pub changed: &'a mut dyn FnMut(&ReviewSession),
    /// Brings the proposal as it is placed in files that have changed on disk.
    pub placed: Receiver<Placed>,
    /// Services of the resident reviewer, which stays open without proposals.
    pub resident: Option<Resident>,
    /// Match threshold, if it can be changed.
    pub precision: Option<MatchThreshold<'a>>,
    /// A command that checks what would be written, if there is one.
    pub check: Option<Check>,
    /// The apply model, if one is configured.
    pub model: Option<ModelService>,
    /// Threads with agents, where they can be kept.
    pub threads: Option<ThreadService>,
}

/// Match threshold: the least similarity of a fuzzy match.
pub struct MatchThreshold<'a> {
    /// In hundredths; `None` where each call has its own ([`CallReview::precision`]).
    pub percent: Option<u8>,
    /// Has everything placed again with another one, beside the review: [`Services::placed`] brings it. Or the call of that number,
    /// which [`Resident::changes`] brings.
    pub set: &'a mut dyn FnMut(Option<u64>, u8),
}

/// A proposal that was placed: what was shown in outline until then, or again because files have changed on disk.
#[derive(Debug)]
pub struct Placed {
    /// It, with nothing decided.
    pub session: ReviewSession,
    /// The names of the files that have changed; none for the first placing of what was shown in outline.
    pub changed: Vec<String>,
    /// The precision that it was placed with, in hundredths, if that was asked for in the review.
    pub precision: Option<u8>,
    /// An additional message.
    pub notice: Option<String>,
}

/// Services of the resident reviewer.
#[derive(Debug)]
pub struct Resident {
    /// Brings what joins and leaves.
    pub changes: Receiver<SessionChange>,
    /// Set while the person is in the middle of something: a comment, an edit, a selection, a question.
    pub busy: Arc<AtomicBool>,
    /// Time of the latest key.
    pub last_key: LastKey,
    /// Text to show while there is nothing to review.
    pub idle: Vec<String>,
}

/// Something joins or leaves a review. It is shown as soon as that disturbs nothing.
#[derive(Debug)]
pub enum SessionChange {
    /// A call joins, or is placed again.
    Joined {
        /// The call.
        call: CallReview,
        /// Its files, with nothing decided.
        files: Vec<FileReview>,
        /// Earlier decisions on the same edits.
        kept: Option<Decisions>,
        /// Message to show.
        told: Option<String>,
    },
    /// A call has its answer, or was taken back.
    Left {
        /// Its number.
        call: u64,
        /// Answered or withdrawn.
        standing: Standing,
        /// Message to show.
        told: String,
        /// Is given the session with the call in it, when all that the person wrote about it is there.
        last: Option<SessionReader>,
    },
    /// The queue has changed: who waits, and which proposals conflict.
    Queue(Queue),
    /// Another terminal asks about the session. It is answered at once.
    Asked(SessionReader),
    /// Another terminal decides, unless the person is in the middle of something.
    Decided(SessionDecider),
    /// Something is to be said.
    Said(String),
    /// The person is to be warned of something.
    Warned(String),
    /// Nothing more will come.
    Ended,
}

/// Queue of the resident reviewer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Queue {
    /// The agents that wait, the one that waits longest first.
    pub agents: Vec<AgentWait>,
    /// Conflicts between the proposals.
    pub forecasts: Forecasts,
}

/// An agent that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentWait {
    /// The agent.
    pub agent: String,
    /// The number of its pending proposals.
    pub proposals: usize,
    /// The arrival of the oldest of them.
    pub since: Instant,
}

/// Time of the latest key or movement of the mouse; at first, of its creation.
#[derive(Debug, Clone)]
pub struct LastKey(Arc<Mutex<Instant>>);

impl LastKey {
    /// Nothing was pressed yet.
    pub fn now() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    /// Notes that a key was pressed.
    pub(crate) fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Returns the time.
    pub fn at(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Function that reads the session, for another thread.
pub struct SessionReader(pub Box<dyn FnOnce(&ReviewSession) + Send>);

/// Function that decides in the session, for another terminal. It gets nothing while the person is in the middle of something,
/// and returns the message to show if it has decided.
pub struct SessionDecider(pub Box<DecideInSession>);

type DecideInSession = dyn FnOnce(Option<&mut ReviewSession>) -> Option<String> + Send;

impl fmt::Debug for SessionReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionReader")
    }
}

impl fmt::Debug for SessionDecider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionDecider")
    }
}
