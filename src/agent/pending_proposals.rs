//! Pending proposals as they are listed and decided from another terminal: `countersign decide`.

use serde::{Deserialize, Serialize};

use crate::review::{Decision, Mark, Status};

/// The name and version of [`PendingDocument`].
pub const PENDING_SCHEMA: &str = "countersign-pending/1";

/// Question about the pending proposals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingQuestion {
    /// Id that the client chose for the question.
    pub id: String,
    /// The proposal to show with the lines of its hunks, by its [`PendingProposal::id`]; all in outline without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
}

/// Decision about a pending proposal, from another terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteDecision {
    /// Id that the client chose for the request.
    pub id: String,
    /// The proposal, by its [`PendingProposal::id`].
    pub proposal: String,
    /// The decision; undecided is refused.
    pub decision: Decision,
    /// The hunks, by their [`PendingHunk::name`]; without any, all that are undecided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<String>,
    /// Comment for the agent: on the named hunks, else on the proposal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// Document of `countersign decide --report json`, and the standard input of a notification command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingDocument {
    /// The name and version of this form: [`PENDING_SCHEMA`].
    pub schema: String,
    /// The pending proposals, in the order of arrival.
    pub proposals: Vec<PendingProposal>,
    /// True if the reviewer takes decisions from other terminals; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes_decisions: Option<bool>,
    /// The result of a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<RemoteDecided>,
    /// The reason why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A pending proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingProposal {
    /// Its number and a hash of its content: another id once a file or the proposal has changed.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// The agent's description of the change; may be empty.
    pub intent: String,
    /// Seconds since it arrived.
    pub seconds: u64,
    /// The number of undecided hunks.
    pub undecided: usize,
    /// Parts of its input that could not be read.
    pub problems: Vec<String>,
    /// Its files.
    pub files: Vec<PendingFile>,
}

/// A file of a pending proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingFile {
    /// Its name, relative to the root.
    pub path: String,
    /// The change of the file as a whole, such as `new` or `renamed to b.txt`; empty if only its lines change.
    pub change: String,
    /// True if an earlier proposal for the file is decided first; its hunks are not placed until then.
    pub held: bool,
    /// Remarks about the file, as the screen shows them.
    pub notes: Vec<String>,
    /// Its hunks, in the order of the proposal.
    pub hunks: Vec<PendingHunk>,
}

/// A hunk of a pending proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingHunk {
    /// Its name for `--hunk`: its number, after the number of its file where the proposal has several files.
    pub name: String,
    /// Its first changed line, from 1; none for a change of the file as a whole and for a hunk without a place.
    pub line: Option<usize>,
    /// Number of added lines.
    pub added: usize,
    /// Number of removed lines.
    pub removed: usize,
    /// The decision so far; none if it cannot be decided.
    pub decision: Option<Mark>,
    /// True if it has no place, or is undecided and never accepted with others: a loose match, a loss, or a protected file.
    pub needs_attention: bool,
    /// Remarks about it, as the screen shows them.
    pub notes: Vec<String>,
    /// Its lines with some around them, each after ` `, `-` or `+`; only where one proposal is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// Result of a decision from another terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteDecided {
    /// The proposal.
    pub proposal: String,
    /// The decision.
    pub decision: Decision,
    /// The names of the hunks that have it now.
    pub hunks: Vec<String>,
    /// The names of the hunks that were left out because each needs a decision of its own: `--hunk`.
    pub left_out: Vec<String>,
    /// The number of hunks that are undecided now.
    pub undecided: usize,
    /// The answer that the agent got; none while something of the proposal is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// All of this in words.
    pub message: String,
}

impl PendingDocument {
    /// A document with proposals only.
    pub fn of(proposals: Vec<PendingProposal>) -> Self {
        Self {
            schema: PENDING_SCHEMA.to_owned(),
            proposals,
            takes_decisions: None,
            decided: None,
            error: None,
        }
    }
}
