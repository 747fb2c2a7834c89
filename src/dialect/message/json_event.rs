//! Events of a transcript, as JSON messages state them.

use super::call_outcome::CallOutcome;
use super::call_result::CallResult;
use super::tool_report::ToolReport;
use crate::dialect::tool::edit_request::EditRequest;

/// Something that happened in a value.
#[derive(Debug, Clone)]
pub(in crate::dialect) enum JsonEvent<'v> {
    /// A message that a later [`JsonEvent::Rewind`] may name.
    Message(&'v str),
    /// A prompt of the person.
    Prompt,
    /// A prompt that a later [`JsonEvent::RollBack`] counts.
    UserMessage,
    /// A text of the agent.
    Said(&'v str),
    /// A call of an editing tool.
    Call(JsonCall<'v>),
    /// The result of a call.
    Result(CallResult),
    /// Results of calls that the agent's text has, as a client reports them in a text of its own.
    Reports(Vec<ToolReport>),
    /// The person stopped the agent, as this text states.
    Interrupted(&'v str),
    /// The answer of this number begins, one of several to one request; without a number they end.
    Answer(Option<usize>),
    /// The message was cut off, as this field of it states.
    Cut(String),
    /// All events since a message are taken back; those of the whole transcript without one.
    Rewind(Option<&'v str>),
    /// The last prompts, so many of them, are taken back with the work for them.
    RollBack(usize),
}

impl JsonEvent<'_> {
    /// Returns what stays of an event of a branch that was left: its calls are no edits, but their results still belong to them.
    pub(in crate::dialect) fn of_left_branch(self) -> Option<Self> {
        match self {
            JsonEvent::Call(call) => Some(JsonEvent::Call(JsonCall {
                outcome: Some(CallOutcome::Failed),
                ..call
            })),
            JsonEvent::Result(_) => Some(self),
            JsonEvent::Message(_)
            | JsonEvent::Prompt
            | JsonEvent::UserMessage
            | JsonEvent::Said(_)
            | JsonEvent::Reports(_)
            | JsonEvent::Interrupted(_)
            | JsonEvent::Answer(_)
            | JsonEvent::Cut(_)
            | JsonEvent::Rewind(_)
            | JsonEvent::RollBack(_) => None,
        }
    }
}

/// A call of an editing tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct JsonCall<'v> {
    /// The name of the call, which its result repeats.
    pub(super) id: Option<String>,
    /// The name of the tool.
    pub(in crate::dialect) tool: Option<&'v str>,
    pub(in crate::dialect) requests: Vec<EditRequest<'v>>,
    /// The outcome that the call itself states.
    pub(super) outcome: Option<CallOutcome>,
}
