//! The answer to an agent, in the shape that it reads.

use serde_json::{Map, Value, json};

use super::names::Agent;

/// What an agent is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The call is none of ours: the agent does as it would without us.
    Pass,
    /// It may go on.
    Allow {
        /// With these arguments instead of its own, all of them.
        input: Option<Map<String, Value>>,
        /// What the model is to know about it.
        note: Option<String>,
    },
    /// It must not, and why, for the model.
    Deny(String),
    /// A call was carried out, and the model is to know this.
    Note(String),
}

impl Answer {
    /// The answer as one line of JSON.
    pub fn shown(&self, agent: Agent) -> String {
        let value = match agent {
            Agent::Claude | Agent::Codex => self.pre_tool_use(),
            Agent::Gemini => self.before_tool(),
            Agent::Opencode => self.own(),
        };
        value.to_string()
    }

    /// Codex refuses fields that it does not know, and then lets the edit through: nothing may stand here beside these.
    fn pre_tool_use(&self) -> Value {
        let mut specific = json!({"hookEventName": "PreToolUse"});
        match self {
            Self::Pass => return json!({}),
            Self::Allow { input, note } => {
                specific["permissionDecision"] = "allow".into();
                if let Some(input) = input {
                    specific["updatedInput"] = Value::Object(input.clone());
                }
                if let Some(note) = note {
                    specific["additionalContext"] = note.as_str().into();
                }
            }
            Self::Deny(reason) => {
                specific["permissionDecision"] = "deny".into();
                specific["permissionDecisionReason"] = reason.as_str().into();
            }
            Self::Note(note) => {
                specific["hookEventName"] = "PostToolUse".into();
                specific["additionalContext"] = note.as_str().into();
            }
        }
        json!({"hookSpecificOutput": specific})
    }

    fn before_tool(&self) -> Value {
        match self {
            Self::Pass => json!({}),
            Self::Allow { input: None, .. } => json!({"decision": "allow"}),
            Self::Allow {
                input: Some(input), ..
            } => json!({
                "decision": "allow",
                "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": input},
            }),
            Self::Deny(reason) => json!({"decision": "deny", "reason": reason}),
            Self::Note(note) => json!({
                "hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": note},
            }),
        }
    }

    /// What our plugin in opencode reads.
    fn own(&self) -> Value {
        match self {
            Self::Pass => json!({"decision": "pass"}),
            Self::Allow { input, note } => {
                json!({"decision": "allow", "args": input, "note": note})
            }
            Self::Deny(reason) => json!({"decision": "deny", "reason": reason}),
            Self::Note(note) => json!({"decision": "pass", "note": note}),
        }
    }
}
