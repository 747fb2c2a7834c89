//! Beginning and end of a turn of Claude Code, as reported by its hooks `UserPromptSubmit` and `Stop`.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::call::MalformedInput;

/// Input of a hook about a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnNews {
    /// The event.
    pub event: TurnEvent,
    /// The agent's session.
    pub session: String,
    /// The folder that the agent works in.
    pub folder: PathBuf,
    /// The last message of the agent, where it is about to stop.
    pub message: Option<String>,
}

/// Event of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEvent {
    /// The person has asked for something.
    Begins,
    /// The agent is about to stop.
    Ends,
    /// The agent is about to stop, after it went on because a hook would not let it stop.
    EndsAgain,
    /// Something else.
    Other,
}

/// Answer to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnAnswer {
    /// No message: the agent does as it would without the hook.
    Nothing,
    /// The agent stops, and the person gets this message.
    Tell(String),
    /// The model gets this message with what the person has asked for.
    Context(String),
    /// The agent goes on, and the model gets the reason; the person gets a message, if there is one.
    GoOn {
        /// The message for the model.
        reason: String,
        /// The message for the person.
        tell: Option<String>,
    },
}

impl TurnNews {
    /// Parses the input of the hook.
    ///
    /// # Errors
    ///
    /// [`MalformedInput`] if it cannot be read.
    pub fn read(input: &[u8]) -> Result<Self, MalformedInput> {
        let value: Value = serde_json::from_slice(input)?;
        let text = |name: &'static str| {
            let text = value.get(name).and_then(Value::as_str);
            text.ok_or(MalformedInput::Missing(name))
        };
        // Whoever does not say that it goes on because of a hook may do so for ever.
        let again = value.get("stop_hook_active").and_then(Value::as_bool);
        let event = match (text("hook_event_name")?, again) {
            ("UserPromptSubmit", _) => TurnEvent::Begins,
            ("Stop", Some(false)) => TurnEvent::Ends,
            ("Stop", Some(true) | None) => TurnEvent::EndsAgain,
            (_, _) => TurnEvent::Other,
        };
        Ok(Self {
            event,
            session: text("session_id")?.to_owned(),
            folder: text("cwd")?.into(),
            message: text("last_assistant_message").ok().map(str::to_owned),
        })
    }
}

impl TurnAnswer {
    /// The answer that the model goes on, for this reason.
    pub fn go_on(reason: String) -> Self {
        Self::GoOn { reason, tell: None }
    }

    /// Returns the same answer with a message to the person added.
    #[must_use]
    pub fn telling(self, more: Option<String>) -> Self {
        let Some(more) = more else {
            return self;
        };
        match self {
            Self::Nothing => Self::Tell(more),
            Self::Tell(told) => Self::Tell(format!("{told}. {more}")),
            // It is about a prompt, where the message to the person is not known to be shown.
            Self::Context(text) => Self::Context(text),
            Self::GoOn { reason, .. } => Self::GoOn {
                reason,
                tell: Some(more),
            },
        }
    }

    /// The answer as one line of JSON.
    pub fn shown(&self) -> String {
        let value = match self {
            Self::Nothing => json!({}),
            Self::Tell(told) => json!({"systemMessage": told}),
            Self::Context(text) => json!({
                "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": text},
            }),
            Self::GoOn { reason, tell: None } => json!({"decision": "block", "reason": reason}),
            Self::GoOn {
                reason,
                tell: Some(told),
            } => json!({"decision": "block", "reason": reason, "systemMessage": told}),
        };
        value.to_string()
    }
}
