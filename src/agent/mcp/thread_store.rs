//! Access of the server to threads, and what its client was given of them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::review::{Thread, ThreadState};

/// The threads of the folder that the server works in.
pub trait ThreadStore: fmt::Debug + Send + Sync {
    /// Returns all threads, in order, with the lines where they are now, and the damaged records.
    ///
    /// # Errors
    ///
    /// The reason why they cannot be read.
    fn all(&self) -> Result<(Vec<Thread>, Vec<String>), String>;

    /// Adds a message of an agent to a thread. Returns the thread.
    ///
    /// # Errors
    ///
    /// The reason why the thread does not take it.
    fn reply(
        &self,
        agent: &str,
        thread: &str,
        text: &str,
        answer: MessagePurpose,
    ) -> Result<Thread, String>;

    /// Returns another time whenever a thread has changed.
    fn changed(&self) -> Option<SystemTime>;
}

/// Purpose of a message of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessagePurpose {
    /// It answers.
    Reply,
    /// It proposes that the thread is resolved.
    Resolution,
}

/// The latest change by the person of each thread that the client was given, by the names of the threads.
#[derive(Debug, Default)]
pub(super) struct Delivered(Mutex<BTreeMap<String, u64>>);

impl Delivered {
    /// Notes that the client was given threads as they are.
    pub(super) fn note<'a>(&self, threads: impl IntoIterator<Item = &'a Thread>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for thread in threads {
            known.insert(thread.id.clone(), thread.person_revision);
        }
    }

    /// Returns true if the person has changed a thread since the client was given it. One that the client was never given counts
    /// if it waits for an answer.
    pub(super) fn is_news(&self, thread: &Thread) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(&thread.id) {
            Some(revision) => thread.person_revision > *revision,
            None => thread.state == ThreadState::Open,
        }
    }
}
