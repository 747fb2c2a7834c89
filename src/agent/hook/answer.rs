//! Answers to agents, in the form that each of them reads.

use serde_json::{Map, Value, json};

use super::clients::{ClientTrait, FREEFORM, HookFormat};
use super::names::Agent;

/// End of the reason that a model gets where there was no review.
pub const NOT_OTHERWISE: &str = "Do not write the file in another way.";

/// Answer of a gate to an agent.
#[derive(Debug, Clone, PartialEq)]
pub enum GateAnswer {
    /// The call is not gated: the agent does as it would without the hook.
    Pass,
    /// The agent may go on.
    Allow {
        /// All the arguments to use instead of its own.
        input: Option<Map<String, Value>>,
        /// A message for the model.
        note: Option<String>,
    },
    /// The agent must not go on; the reason is for the model.
    Deny(String),
    /// The call is not gated, and the model gets a message with its result.
    PassWith(String),
    /// A message for the model about a call that was carried out.
    Note(String),
}

impl GateAnswer {
    /// Returns the answer as one line of JSON.
    pub fn shown(&self, agent: Agent) -> String {
        let value = match agent.form() {
            HookFormat::PreToolUse => self.pre_tool_use(agent),
            HookFormat::Copilot => self.copilot(),
            HookFormat::BeforeTool => self.before_tool(),
            HookFormat::Cline => self.cline(),
            HookFormat::Own => self.own(),
        };
        value.to_string()
    }

    /// Codex refuses fields that it does not know, and then lets the edit through: nothing may be added here. It refuses
    /// `allow` without an input as well, and drops the note with it; without a decision it goes on and delivers the note.
    fn pre_tool_use(&self, agent: Agent) -> Value {
        let mut specific = json!({"hookEventName": "PreToolUse"});
        match self {
            Self::Pass => return json!({}),
            // The hook after the tool delivers the note.
            Self::PassWith(_) if agent.takes_notes_afterwards() => return json!({}),
            Self::PassWith(note) => specific["additionalContext"] = note.as_str().into(),
            Self::Allow { input, note } => {
                if input.is_some() || !agent.has(ClientTrait::DropsBareAllow) {
                    specific["permissionDecision"] = "allow".into();
                }
                if let Some(input) = input {
                    specific["updatedInput"] = Value::Object(input.clone());
                }
                if let Some(note) = note
                    && !agent.takes_notes_afterwards()
                {
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
        if specific.as_object().is_some_and(|fields| fields.len() == 1) {
            return json!({});
        }
        json!({"hookSpecificOutput": specific})
    }

    fn before_tool(&self) -> Value {
        match self {
            // The hook after the tool delivers the note.
            Self::Pass | Self::PassWith(_) => json!({}),
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

    /// A tool that takes a plain text gets one in place of arguments.
    fn copilot(&self) -> Value {
        match self {
            Self::Pass => json!({}),
            Self::Allow { input, note } => {
                let mut answer = json!({"permissionDecision": "allow"});
                if let Some(input) = input {
                    let text = input.get(FREEFORM).filter(|_| input.len() == 1);
                    let object = || Value::Object(input.clone());
                    answer["modifiedArgs"] = text.cloned().unwrap_or_else(object);
                }
                if let Some(note) = note {
                    answer["additionalContext"] = note.as_str().into();
                }
                answer
            }
            Self::Deny(reason) => {
                json!({"permissionDecision": "deny", "permissionDecisionReason": reason})
            }
            Self::PassWith(note) | Self::Note(note) => json!({"additionalContext": note}),
        }
    }

    /// A client that ends the turn of its agent at a denial gets arguments that its own tool refuses, with the reason beside them. Only the
    /// tools of the client itself are sure to refuse them.
    #[must_use]
    pub fn for_known_tool(self, agent: Agent) -> Self {
        match self {
            Self::Deny(reason) if agent.ends_turn_when_denied() => Self::Allow {
                input: Some(Map::new()),
                note: Some(reason),
            },
            Self::Pass | Self::Allow { .. } | Self::Deny(_) | Self::PassWith(_) | Self::Note(_) => {
                self
            }
        }
    }

    /// Cline goes on with the arguments that the last of its hooks gives.
    fn cline(&self) -> Value {
        match self {
            Self::Pass
            | Self::Allow {
                input: None,
                note: None,
            } => json!({}),
            Self::Allow { input, note } => {
                let mut answer = json!({});
                if let Some(input) = input {
                    answer["overrideInput"] = Value::Object(input.clone());
                }
                if let Some(note) = note {
                    answer["context"] = note.as_str().into();
                }
                answer
            }
            Self::Deny(reason) => json!({"cancel": true, "errorMessage": reason}),
            Self::PassWith(note) | Self::Note(note) => json!({"context": note}),
        }
    }

    /// Returns the answer in the form of our plugins.
    fn own(&self) -> Value {
        match self {
            Self::Pass => json!({"decision": "pass"}),
            Self::Allow { input, note } => {
                json!({"decision": "allow", "args": input, "note": note})
            }
            Self::Deny(reason) => json!({"decision": "deny", "reason": reason}),
            Self::PassWith(note) | Self::Note(note) => json!({"decision": "pass", "note": note}),
        }
    }
}
