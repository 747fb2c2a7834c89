//! Requests of agents that wait for an answer, in a review that stays open.

use std::sync::Arc;

use crate::proposal::Problem;

/// The request of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub number: u64,
    /// The agent.
    pub agent: String,
    /// The name that the client gave the proposal; may be empty.
    pub proposal: String,
    /// True if the agent can answer a question before it has the verdict.
    pub answers: bool,
    /// The agent's description of the change; may be empty.
    pub intent: String,
}

/// A call under review: what of it is not in its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallReview {
    /// The request of one agent.
    pub call: Arc<Call>,
    /// Parts of its input that could not be read.
    pub problems: Vec<Problem>,
    /// The reviewer's comment on it.
    pub comment: Option<String>,
    /// The number of this placement, as in [`crate::review::ReviewSession::placing`].
    pub placing: u64,
    /// Minimum similarity of a fuzzy match in it, in percent; `None` if nothing of it is placed.
    pub precision: Option<u8>,
    /// True while an apply model is asked about it.
    pub asked: bool,
}

/// The state of a file's request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Standing {
    /// It can be decided.
    #[default]
    Open,
    /// An earlier call for it is decided first.
    Held,
    /// Its call is answered.
    Answered,
    /// Its call was taken back: nothing of it can be written any more.
    Withdrawn,
    /// It has left; only its position is kept.
    Gone,
}
