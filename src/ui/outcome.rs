//! Outcome of a review, and the reasons why there is none.

use std::io;

use thiserror::Error;

use crate::review::ReviewSession;

/// Outcome of a review.
#[derive(Debug)]
pub struct ReviewOutcome {
    /// The session with every decision, edit and comment.
    pub session: ReviewSession,
    /// Way in which the review ended.
    pub ending: Ending,
    /// The texts for agents that could not be stored, and if it was aborted those that were not sent.
    pub unsent: Vec<String>,
}

/// Way in which a review ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The person finished: what is accepted is to be written.
    Write,
    /// Nothing is to be written now, and the review is to be kept for later.
    Keep,
    /// Nothing is to be written, and the review is to be dropped.
    Discard,
    /// The review was not finished: aborted, or the terminal went away. Nothing is to be written.
    Aborted,
}

/// Why there was no review.
#[derive(Debug, Error)]
pub enum UiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[source] io::Error),
    /// The review is to stay open, and to go line by line.
    #[error("a review that stays open needs a screen: it cannot go line by line")]
    NoScreen,
}

impl UiError {
    /// Advice for the person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Terminal(_) => {
                "a review needs a terminal of its own; `apply` and `check` do without"
            }
            Self::NoScreen => "set `TERM` to what the terminal is, and `ui.linear` to `false`",
        }
    }
}
