//! Threads as they are shown in a review.

use serde::{Deserialize, Serialize};

use crate::text::LineIdx;

/// A thread at a file under review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedThread {
    /// The name of the thread.
    pub id: String,
    /// Its state.
    pub state: ThreadState,
    /// The last of its lines; `None` if they are not in the file any more.
    pub place: Option<ThreadPlace>,
    /// The conversation, as it is shown.
    pub text: String,
}

/// A line of a file under review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadPlace {
    /// A line of the base.
    Base(LineIdx),
    /// A line that a hunk adds.
    Added {
        /// The hunk.
        hunk: usize,
        /// The position among its changed lines.
        line: usize,
    },
}

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadState {
    /// The agent has not answered the latest message.
    Open,
    /// The agent has answered, or proposes that it is resolved.
    Answered,
    /// The person has resolved it.
    Resolved,
}

impl ThreadState {
    /// Returns the state in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered => "answered",
            Self::Resolved => "resolved",
        }
    }
}
