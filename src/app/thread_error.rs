//! Reasons why threads are not changed, with advice.

use std::io;

use thiserror::Error;

use crate::review::ThreadRefusal;
use crate::store::{LockError, MOST_THREADS, StateError};

/// Reason why a thread is not changed.
#[derive(Debug, Error)]
pub(crate) enum ThreadError {
    /// There is no such thread.
    #[error("there is no thread `{0}`")]
    Unknown(String),
    /// Its record cannot be read.
    #[error("the record of the thread is damaged: {0}")]
    Damaged(String),
    /// It does not take the change.
    #[error(transparent)]
    Refused(#[from] ThreadRefusal),
    /// There are too many that are not resolved.
    #[error("{MOST_THREADS} threads are not resolved")]
    TooMany,
    /// The change is for a person, and nobody is at a terminal.
    #[error("this is for a person at a terminal")]
    NoPerson,
    /// Threads cannot be listed.
    #[error(transparent)]
    State(#[from] StateError),
    /// Another program changes threads.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The record cannot be written.
    #[error("the thread cannot be written: {0}")]
    Write(#[from] io::Error),
}

impl ThreadError {
    /// Returns advice on what to do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "`countersign threads --all` lists the threads",
            Self::Damaged(_) => "remove the file: the other threads do not need it",
            Self::Refused(ThreadRefusal::Reserved { .. }) => {
                "give the agent's own name; a person replies without one, at a terminal"
            }
            Self::Refused(ThreadRefusal::Resolved { .. }) => "only a person reopens a thread",
            Self::Refused(
                ThreadRefusal::Empty | ThreadRefusal::TooLong { .. } | ThreadRefusal::Full { .. },
            ) => "write another message",
            Self::TooMany => "resolve some of them: `countersign threads`",
            Self::NoPerson => "an agent replies with `--as NAME`; only a person resolves a thread",
            Self::State(error) => error.hint(),
            Self::Lock(error) => error.hint(),
            Self::Write(_) => "fix the problem above and retry",
        }
    }

    /// Returns true if the thread was not changed because of the request itself.
    pub(crate) fn is_of_request(&self) -> bool {
        match self {
            Self::Unknown(_) | Self::Refused(_) | Self::TooMany | Self::NoPerson => true,
            Self::Damaged(_) | Self::State(_) | Self::Lock(_) | Self::Write(_) => false,
        }
    }
}
