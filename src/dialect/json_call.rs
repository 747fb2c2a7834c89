//! Tool calls in JSON, bare or in the messages of model APIs, agents' hooks and transcripts.
//!
//! A call is an object with the name of a tool and its fields (under `arguments`, `input`, `args` and the like, which may be
//! a string of JSON), or the fields alone. It is read by the row of [`TOOLS`](super::tools::TOOLS) that it fits; a call that
//! fits none but looks like an edit is refused by its name or by the field that is not known. Results that tools gave, and
//! what the user sent, are not read.
//!
//! Agents that speak the Agent Client Protocol (<https://agentclientprotocol.com>) show an edit as `{"type": "diff", "path",
//! "oldText", "newText"}` in the `content` of a tool call; without an old text the file is new.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::call_fields::{NAMES, by_fields, by_name, flat, unknown};
use super::refactoring;
use super::schema;
use super::tools::{Action, Tool};
use super::wish::{Ask, Wish};

/// Fields that hold the fields of the tool.
const FIELDS: [&str; 15] = [
    "arguments",
    "input",
    "args",
    "parameters",
    "params",
    "tool_input",
    "toolInput",
    "toolArgs",
    "tool_args",
    "kwargs",
    "rawInput",
    "action_input",
    "operation",
    "modifiedArgs",
    "inputs",
];
/// Fields in which calls are looked for. What a tool answered is under other names.
const CONTAINERS: [&str; 46] = [
    "message",
    "messages",
    "content",
    "parts",
    "part",
    "choices",
    "delta",
    "output",
    "candidates",
    "functionCall",
    "function_call",
    "functionCalls",
    "function",
    "payload",
    "item",
    "items",
    "tool_calls",
    "tool_call",
    "toolCalls",
    "toolCall",
    "tool_uses",
    "toolUse",
    "calls",
    "operations",
    "events",
    "history",
    "trajectory",
    "steps",
    "step",
    "action",
    "actions",
    "update",
    "params",
    "state",
    "data",
    "response",
    "request",
    "body",
    "turns",
    "entries",
    "conversation",
    "info",
    "model_response",
    "tool_call_metadata",
    "llm_message",
    "replay",
];
/// Values of `type` and `role` of objects that no agent wrote.
const OTHERS: [&str; 16] = [
    "tool_result",
    "tool-result",
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "apply_patch_call_output",
    "tool_output",
    "toolResult",
    "function_response",
    "tool",
    "user",
    "system",
    "developer",
    "human",
    "summary",
    "file-history-snapshot",
];
/// What was found in a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Found<'v> {
    pub(super) asks: Vec<Ask<'v>>,
    /// What the agent said, in the texts of its messages.
    pub(super) said: Vec<&'v str>,
    /// Whether the value is a message or an event of a transcript.
    pub(super) is_message: bool,
}

/// Finds everything that a value asks for.
pub(super) fn find(value: &Value) -> Found<'_> {
    let mut found = Found::default();
    if let Some(asks) = refactoring::asks(value) {
        found.asks = asks;
    } else {
        walk(value, &mut found);
    }
    if found.asks.is_empty() && !found.is_message {
        found.asks.extend(value.as_object().and_then(unknown));
    }
    found
}

/// Replaces strings of JSON that hold the fields of a call by their value.
pub(super) fn unwrapped(mut value: Value) -> Value {
    unwrap_strings(&mut value);
    value
}

fn unwrap_strings(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(unwrap_strings),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if let Value::String(text) = field {
                    let may_be = FIELDS.contains(&name.as_str())
                        || matches!(name.as_str(), "function" | "content" | "text");
                    if !may_be || !text.trim_start().starts_with('{') {
                        continue;
                    }
                    match serde_json::from_str(text) {
                        Ok(inner @ Value::Object(_)) if is_fields(name, &inner) => *field = inner,
                        Ok(_) | Err(_) => (),
                    }
                } else {
                    unwrap_strings(field);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// Whether a string of JSON holds a call, and is not the text of a JSON file.
fn is_fields(name: &str, inner: &Value) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| inner.get(name).is_some());
    FIELDS.contains(&name) || (name != "content" && has(&NAMES) && has(&FIELDS))
}

fn walk<'v>(value: &'v Value, found: &mut Found<'v>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| walk(value, found)),
        Value::Object(fields) => object(fields, found),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn object<'v>(fields: &'v Map<String, Value>, found: &mut Found<'v>) {
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let is_message =
        word("role").is_some() || (word("type").is_some() && !fields.contains_key("path"));
    found.is_message |= is_message;
    if ["type", "role"]
        .iter()
        .filter_map(|name| word(name))
        .any(|word| OTHERS.contains(&word))
    {
        return;
    }
    if let Some(asks) = call(fields) {
        found.asks.extend(asks);
        return;
    }
    if let Some(text) =
        word("text").filter(|_| word("type").is_some_and(|kind| kind.ends_with("text")))
    {
        found.said.push(text);
    }
    if let Some(text) = word("content").filter(|_| word("role") == Some("assistant")) {
        found.said.push(text);
    }
    // A message's words come before its calls.
    for (name, value) in fields {
        if CONTAINERS.contains(&name.as_str()) || FIELDS.contains(&name.as_str()) {
            walk(value, found);
        }
    }
}

/// Reads an object as a call, with its name or without.
fn call(fields: &Map<String, Value>) -> Option<Vec<Ask<'_>>> {
    if let Some(asks) = refactoring::acp(fields) {
        return Some(asks);
    }
    let own_type = fields.get("type").and_then(Value::as_str);
    let tool_type = own_type.filter(|kind| kind.ends_with("_call"));
    let mut names = NAMES.iter().filter_map(|name| fields.get(*name)?.as_str());
    let function = fields.get("function").and_then(Value::as_str);
    let name = names.next().or(function);
    let inner = FIELDS.iter().filter_map(|field| fields.get(*field));
    for inner in inner {
        let name = name.or(tool_type);
        match (inner, name) {
            (Value::Object(inner), Some(name)) => {
                if let Some(asks) = by_name(name, inner) {
                    return Some(asks);
                }
            }
            (Value::Object(inner), None) => {
                if let Some(asks) = by_fields(inner) {
                    return Some(asks);
                }
            }
            // Codex sends the text of a patch without fields around it.
            (Value::String(text), Some(name)) => {
                let is_patch = |tool: &Tool| matches!(tool.action, Action::Patch);
                if schema::named(name).any(is_patch) && text.contains("***") {
                    let text = Cow::Borrowed(text.as_str());
                    return Some(vec![Ask {
                        path: None,
                        wish: Wish::Edits { text },
                    }]);
                }
            }
            _ => (),
        }
    }
    if let Some(name) = name
        && schema::named(name).next().is_some()
    {
        // The name stands among the fields.
        let is_outer = |key: &&String| !NAMES.contains(&key.as_str());
        let inner: Vec<&String> = fields.keys().filter(is_outer).collect();
        if inner.len() < fields.len()
            && let Some(asks) = flat(name, fields)
        {
            return Some(asks);
        }
    }
    by_fields(fields)
}
