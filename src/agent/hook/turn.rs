//! The beginning and the end of a turn of Claude Code, as its hooks `UserPromptSubmit` and `Stop` tell of them.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::call::Malformed;

/// What a hook tells of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnNews {
    /// What has happened.
    pub event: TurnEvent,
    /// The agent's session.
    pub session: String,
    /// The folder that the agent works in.
    pub folder: PathBuf,
}

/// What has happened to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEvent {
    /// The person has asked for something.
    Begins,
    /// The agent is about to stop.
    Ends,
    /// The agent is about to stop, and goes on already only because a hook would not let it.
    EndsAgain,
    /// Something else.
    Other,
}

/// What the agent is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnAnswer {
    /// Nothing: it does as it would without us.
    Nothing,
    /// It does so, and the person is told this.
    Tell(String),
    /// It goes on, and the model is told this.
    GoOn(String),
}

impl TurnNews {
    /// Reads what the agent says.
    ///
    /// # Errors
    ///
    /// [`Malformed`] if that is not understood.
    pub fn read(input: &[u8]) -> Result<Self, Malformed> {
        let value: Value = serde_json::from_slice(input)?;
        let text = |name: &'static str| {
            let text = value.get(name).and_then(Value::as_str);
            text.ok_or(Malformed::Missing(name))
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
        })
    }
}

impl TurnAnswer {
    /// The answer as one line of JSON.
    pub fn shown(&self) -> String {
        let value = match self {
            Self::Nothing => json!({}),
            Self::Tell(told) => json!({"systemMessage": told}),
            Self::GoOn(reason) => json!({"decision": "block", "reason": reason}),
        };
        value.to_string()
    }
}
