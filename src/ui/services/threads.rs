//! Threads with agents, kept outside the review.

use std::sync::mpsc::{Receiver, Sender};

use crate::review::{Passage, Thread};

/// Threads with agents.
#[derive(Debug)]
pub struct ThreadService {
    /// Carries requests out in their order, beside the review. Each is answered once.
    pub requests: Sender<ThreadRequest>,
    /// Brings all threads whenever one has changed.
    pub news: Receiver<ThreadNews>,
    /// True if the threads that are not resolved are asked about before a review is finished.
    pub asks: bool,
}

/// A request of the person about threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThreadRequest {
    /// Asks the agent about lines of a file.
    Ask {
        /// The file.
        path: String,
        /// The lines.
        passage: Passage,
        /// The question.
        text: String,
        /// The agent, if one waits for its answer.
        agent: Option<String>,
        /// The proposal that it waits for.
        proposal: Option<String>,
    },
    /// Writes in a thread.
    Reply {
        /// The name of the thread.
        id: String,
        /// The message.
        text: String,
    },
    /// Resolves a thread.
    Resolve {
        /// The name of the thread.
        id: String,
    },
    /// Reopens a thread.
    Reopen {
        /// The name of the thread.
        id: String,
    },
}

/// News of the threads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadNews {
    /// All threads as they are now; `None` if they cannot be read.
    pub threads: Option<Vec<Thread>>,
    /// The outcome of the earliest request that has none yet.
    pub answer: Option<RequestOutcome>,
    /// The reason why a record, or all of them, cannot be read.
    pub problem: Option<String>,
}

/// Outcome of a request: it is stored, or the reason why it is not.
pub type RequestOutcome = Result<(), String>;

impl ThreadNews {
    /// The outcome of a request where nobody carries it out.
    pub(crate) fn without_worker() -> Self {
        Self {
            answer: Some(Err("threads are not kept any more".to_owned())),
            ..Self::default()
        }
    }
}
