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
            Self::GoOn { reason, tell } => Self::GoOn {
                reason,
                tell: Some(tell.map_or_else(|| more.clone(), |told| format!("{told}. {more}"))),
            },
        }
    }

    /// Returns true if a message for the model can go with the answer. A message to the person at the beginning of a turn goes alone.
    pub fn takes_news(&self, event: TurnEvent) -> bool {
        let is_message = matches!(self, Self::Tell(_));
        event != TurnEvent::Other && (event != TurnEvent::Begins || !is_message)
    }

    /// Returns the same answer with a message for the model: at the end of a turn it goes on.
    #[must_use]
    pub fn with_news(self, event: TurnEvent, news: &str) -> Self {
        match self {
            Self::Nothing if event == TurnEvent::Begins => Self::Context(news.to_owned()),
            Self::Nothing => Self::go_on(news.to_owned()),
            Self::Context(text) => Self::Context(format!("{text}\n{news}")),
            Self::Tell(told) => Self::GoOn {
                reason: news.to_owned(),
                tell: Some(told),
            },
            Self::GoOn { reason, tell } => Self::GoOn {
                reason: format!("{reason}\n{news}"),
                tell,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: TurnAnswer, event: TurnEvent, expected: Option<&TurnAnswer>) {
        let takes = answer.takes_news(event);
        let found = takes.then(|| answer.with_news(event, "news"));
        assert_eq!(found.as_ref(), expected, "{event:?}");
    }

    #[test]
    fn news_for_the_model_goes_with_any_answer_that_has_room_for_it() {
        let go_on = |reason: &str, tell: Option<&str>| TurnAnswer::GoOn {
            reason: reason.to_owned(),
            tell: tell.map(str::to_owned),
        };
        let tell = || TurnAnswer::Tell("you".to_owned());
        let context = |text: &str| TurnAnswer::Context(text.to_owned());
        check(
            TurnAnswer::Nothing,
            TurnEvent::Begins,
            Some(&context("news")),
        );
        check(
            context("layer"),
            TurnEvent::Begins,
            Some(&context("layer\nnews")),
        );
        check(tell(), TurnEvent::Begins, None);
        check(TurnAnswer::Nothing, TurnEvent::Other, None);
        for event in [TurnEvent::Ends, TurnEvent::EndsAgain] {
            check(TurnAnswer::Nothing, event, Some(&go_on("news", None)));
            check(tell(), event, Some(&go_on("news", Some("you"))));
            check(go_on("more", None), event, Some(&go_on("more\nnews", None)));
        }
    }
}
