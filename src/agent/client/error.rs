//! Errors of a client, with advice and with whether anything can have been written.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::agent::socket::SocketError;
use crate::agent::wire::{Denial, MOST_BYTES, MalformedLine};

/// Silence after which the reviewer counts as hung: it sends a line every few seconds.
pub(super) const SILENCE: Duration = Duration::from_secs(30);

/// Reason for a missing verdict. Nothing of the proposal is written, unless [`ClientError::is_sure`] is false.
#[derive(Debug, Error)]
pub enum ClientError {
    /// No reviewer serves this folder or one above it.
    #[error("no reviewer serves `{}`", .0.display())]
    Nobody(PathBuf),
    /// The socket cannot be used.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// The reviewer does not take the proposal.
    #[error("{message}")]
    Refused {
        /// Why, for programs.
        code: Denial,
        /// Why, in words.
        message: String,
    },
    /// The proposal is longer than is taken.
    #[error("the proposal is longer than {} MiB", MOST_BYTES >> 21)]
    TooLarge,
    /// The reviewer's answer is too long.
    #[error("the reviewer's answer is longer than {} MiB", MOST_BYTES >> 20)]
    AnswerTooLong,
    /// The reviewer has gone away without a verdict.
    #[error("the reviewer has ended without a verdict")]
    Gone,
    /// The reviewer is there, but has stopped answering.
    #[error("the reviewer has not answered for {} seconds", SILENCE.as_secs())]
    Stalled,
    /// The time is up, and the proposal is withdrawn.
    #[error("there was no decision in time, and the proposal is withdrawn")]
    TimeUp,
    /// It was cancelled, and the proposal is withdrawn.
    #[error("the proposal is withdrawn")]
    Cancelled,
    /// The reviewer's answer cannot be parsed.
    #[error("the reviewer's reply cannot be read: {0}")]
    Protocol(#[from] MalformedLine),
    /// The connection failed.
    #[error("the connection to the reviewer failed: {0}")]
    Connection(#[source] io::Error),
}

impl ClientError {
    /// Returns advice for the person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Nobody(_) => "run `countersign serve` in a terminal of its own",
            Self::Socket(error) => error.hint(),
            Self::Refused { code, .. } => match code {
                Denial::Version => "run the same version of countersign on both sides",
                Denial::TooMany => "wait until some proposals are decided",
                Denial::TooLarge => "send it in parts",
                Denial::NoEdits => "name the form with `format`, and the file with `path`",
                Denial::Malformed | Denial::Duplicate | Denial::Closing => {
                    "send the proposal again"
                }
                Denial::Unknown | Denial::Changed => {
                    "list what waits: `countersign decide`, and name the id that it shows"
                }
                Denial::Busy => "finish at the screen what is open there, and decide again",
                Denial::NotAllowed => {
                    "decide at the screen, or start the reviewer with `countersign serve --remote`"
                }
            },
            Self::TooLarge => "send it in parts",
            Self::Gone | Self::Connection(_) => {
                "look at the files before sending it again, and start `countersign serve` if it has ended"
            }
            Self::Stalled => {
                "look at the reviewer's terminal (is it suspended?) and at the files, and send it again"
            }
            Self::AnswerTooLong => {
                "look at the files, where what is approved may be written, and send what is missing in parts"
            }
            Self::TimeUp => "send it again when somebody is there",
            Self::Cancelled => "send it again if it is still wanted",
            Self::Protocol(_) => "run the same version of countersign on both sides",
        }
    }

    /// Returns whether it is certain that nothing was and nothing will be written: not if the reviewer was lost while
    /// it could have been writing.
    pub fn is_sure(&self) -> bool {
        match self {
            Self::Nobody(_)
            | Self::Socket(_)
            | Self::Refused { .. }
            | Self::TooLarge
            | Self::TimeUp
            | Self::Cancelled => true,
            Self::AnswerTooLong
            | Self::Gone
            | Self::Stalled
            | Self::Protocol(_)
            | Self::Connection(_) => false,
        }
    }
}
