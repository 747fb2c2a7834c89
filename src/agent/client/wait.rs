//! The wait for a verdict: its deadline, its cancellation, and its progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::error::ClientError;

/// Ends the waiting, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Nothing is cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the flag that cancels when set, for use in a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Withdraws the proposal, soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Returns whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Progress of a pending proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalProgress {
    /// The proposal is in the queue, at this place from 1.
    Queued(usize),
    /// The reviewer is there, and the person has not decided yet.
    Waiting,
}

/// Deadline and cancellation of a request.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// When to give up; never without it.
    pub deadline: Option<Instant>,
    /// Ends the waiting from elsewhere.
    pub cancel: &'a Cancel,
}

impl Asking<'_> {
    /// Returns the reason to stop waiting, if there is one.
    pub(super) fn over(&self) -> Option<ClientError> {
        if self.cancel.is_cancelled() {
            return Some(ClientError::Cancelled);
        }
        let late = self.deadline.is_some_and(|at| Instant::now() >= at);
        late.then_some(ClientError::TimeUp)
    }
}
