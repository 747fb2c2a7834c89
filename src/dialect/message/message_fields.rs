//! Fields of JSON messages in which the calls of an agent are.

use serde_json::{Map, Value};

use crate::dialect::tool::field_names::NAMES;

/// Fields that hold the fields of the tool.
pub(in crate::dialect) const FIELDS: [&str; 16] = [
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
    "tool_kwargs",
];
/// Fields in which calls are looked for. What a tool answered is under other names.
pub(super) const CONTAINERS: [&str; 55] = [
    "message",
    "messages",
    "content",
    "contents",
    "parts",
    "part",
    "choices",
    "delta",
    "output",
    "outputs",
    "candidates",
    "functionCall",
    "function_call",
    "functionCalls",
    "function",
    "custom",
    "payload",
    "item",
    "items",
    "tool_calls",
    "tool_call",
    "toolCalls",
    "toolCallStates",
    "toolCall",
    "toolInvocation",
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
    "conversations",
    "info",
    "model_response",
    "llm_message",
    "properties",
    "replay",
    "raw_item",
    "required_action",
    "submit_tool_outputs",
];
/// Fields in which the parts of one call are: its name or its result may be outside of them.
pub(super) const CARRIERS: [&str; 10] = [
    "function",
    "custom",
    "functionCall",
    "function_call",
    "toolCall",
    "toolInvocation",
    "tool_call",
    "toolUse",
    "state",
    "content",
];

/// The name of the tool that an object calls.
pub(super) fn tool_name(fields: &Map<String, Value>) -> Option<&str> {
    let mut names = NAMES.iter().filter_map(|name| fields.get(*name)?.as_str());
    names.next().or_else(|| fields.get("function")?.as_str())
}
