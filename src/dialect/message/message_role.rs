//! Messages of a transcript that no agent wrote: prompts of a person, results of tools, notices of a client.

use serde_json::{Map, Value};

use super::call_outcome::CallOutcome;
use super::call_result::{self, CallResult};

/// Values of `type` and `role` of objects that no agent wrote.
pub(super) const OTHERS: [&str; 13] = [
    "tool_result",
    "tool-result",
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "apply_patch_call_output",
    "tool_output",
    "toolResult",
    "function_response",
    "system",
    "developer",
    "summary",
    "file-history-snapshot",
];
/// Values of `type` and `role` of what a person sent, or of what a client sent in a person's name.
pub(super) const PEOPLE: [&str; 2] = ["user", "human"];
/// Collects the results of calls in a message that no agent wrote.
pub(super) fn results(fields: &Map<String, Value>) -> Vec<CallResult> {
    if let Some(result) = CallResult::of(fields) {
        return vec![result];
    }
    let mut found = Vec::new();
    for name in ["message", "content", "parts", "data"] {
        match fields.get(name) {
            Some(Value::Object(inner)) => found.extend(results(inner)),
            Some(Value::Array(values)) => {
                for inner in values.iter().filter_map(Value::as_object) {
                    found.extend(results(inner));
                }
            }
            _ => (),
        }
    }
    found
}

/// Returns `true` for an event with a piece of a message, or one that a log has put into another value.
pub(super) fn has_piece(value: &Value) -> bool {
    value.as_object().is_some_and(is_piece) || wrapped(value).is_some()
}

/// Takes an event with a piece of a message out of the value into which a log has put it.
pub(super) fn piece(mut value: Value) -> Value {
    if value.as_object().is_some_and(is_piece) {
        return value;
    }
    let name = wrapped(&value);
    let inner = name.and_then(|name| Some(value.get_mut(name)?.take()));
    inner.unwrap_or(value)
}

/// The field of a value with an event in it.
fn wrapped(value: &Value) -> Option<&'static str> {
    let is_event = |name: &&str| value.get(*name)?.as_object().map(is_piece);
    (["event", "data", "chunk"].into_iter()).find(|name| is_event(name) == Some(true))
}

/// Returns `true` for an event with a piece of a message: of Anthropic, the Responses API or AG-UI, of a chat completion, whatever
/// its server calls it, or of Bedrock.
fn is_piece(fields: &Map<String, Value>) -> bool {
    let kind = fields.get("type").and_then(Value::as_str);
    let choice = fields.get("choices").and_then(|choices| choices.get(0));
    let starts = ["content_block_", "response.", "TOOL_CALL_", "TEXT_MESSAGE_"];
    kind.is_some_and(|kind| starts.iter().any(|start| kind.starts_with(start)))
        || choice.is_some_and(|choice| choice.get("delta").is_some())
        || BEDROCK.iter().any(|name| fields.contains_key(*name))
}

/// Names of the events of a stream of Bedrock.
const BEDROCK: [&str; 4] = [
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
];

/// Returns `true` for a message that a person wrote. Clients send notices, summaries and demonstrations in the same role.
pub(super) fn is_prompt(fields: &Map<String, Value>) -> bool {
    let flag = |name: &str| fields.get(name).and_then(Value::as_bool) == Some(true);
    let notice = ["isMeta", "isSidechain", "isCompactSummary", "is_demo"];
    let is_observation = matches!(
        fields.get("message_type").and_then(Value::as_str),
        Some("observation" | "demonstration")
    );
    !notice.into_iter().any(flag) && !is_observation && has_text(fields)
}

/// Returns the text with which Claude Code records that the person stopped the agent.
pub(super) fn interruption(fields: &Map<String, Value>) -> Option<&str> {
    let own = |value: &'_ str| value.starts_with("[Request interrupted by user");
    match fields.get("text").or_else(|| fields.get("content")) {
        Some(Value::String(text)) => Some(text.as_str()).filter(|text| own(text)),
        Some(Value::Array(values)) => (values.iter())
            .filter_map(Value::as_object)
            .find_map(interruption),
        _ => interruption(fields.get("message")?.as_object()?),
    }
}

fn has_text(fields: &Map<String, Value>) -> bool {
    // `<command-name>`, `<environment_context>` and the like come from clients.
    let is_own = |text: &str| {
        let tag = text
            .trim()
            .strip_prefix('<')
            .and_then(|tag| tag.chars().next());
        !text.trim().is_empty() && !tag.is_some_and(|first| first.is_ascii_lowercase())
    };
    ["message", "content", "parts", "text"]
        .iter()
        .any(|name| match fields.get(*name) {
            Some(Value::String(text)) => is_own(text),
            Some(Value::Object(inner)) => has_text(inner),
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_object).any(has_text),
            _ => false,
        })
}

/// Returns `true` for an observation of `OpenHands`.
pub(super) fn is_observation(fields: &Map<String, Value>) -> bool {
    fields.get("observation").is_some_and(Value::is_string) && fields.contains_key("cause")
}

/// Returns the calls that a person or a policy denied, as the last message of Claude Code lists them (`permission_denials`).
pub(super) fn denials(fields: &Map<String, Value>) -> impl Iterator<Item = CallResult> {
    let denied = fields.get("permission_denials").and_then(Value::as_array);
    let denied = denied.into_iter().flatten().filter_map(Value::as_object);
    denied.map(|call| CallResult {
        ids: call_result::id(call, "tool_use_id").into_iter().collect(),
        tool: None,
        outcome: CallOutcome::Failed,
        text: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_are_found_within_parts_of_a_message() {
        let message = json!({"role": "tool", "parts": [
            {"type": "tool_result", "data": {"tool_call_id": "1", "content": "x", "is_error": true}},
        ]});
        let found = results(message.as_object().unwrap());
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.ids.join(" "), it.outcome))
            .collect();
        assert_eq!(found, [("1".to_owned(), CallOutcome::Failed)]);
    }

    #[test]
    fn the_record_of_an_interruption_is_known() {
        let check = |message: Value, expected: bool| {
            let found = interruption(message.as_object().unwrap());
            assert_eq!(found.is_some(), expected, "{message}");
        };
        let text = "[Request interrupted by user for tool use]";
        let parts = json!([{"type": "text", "text": text}]);
        check(json!({"message": {"role": "user", "content": parts}}), true);
        check(json!({"role": "user", "content": text}), true);
        check(json!({"role": "user", "content": "go on"}), false);
    }
}
