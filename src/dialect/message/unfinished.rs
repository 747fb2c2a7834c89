//! Messages that state that they were cut off: their last call, or the last edit in their text, may be the beginning of another one.
//!
//! * Anthropic: `stop_reason`; <https://docs.anthropic.com/en/api/handling-stop-reasons>. Bedrock and the Agent Client Protocol:
//!   `stopReason`; <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>.
//! * `OpenAI` Chat Completions: `finish_reason`; Responses: the `status` of the response;
//!   <https://platform.openai.com/docs/api-reference/responses/object>.
//! * Gemini and the AI SDK of Vercel: `finishReason`; <https://ai.google.dev/api/generate-content>. Ollama: `done_reason`.

use serde_json::{Map, Value, json};

/// Fields that state why a message ends.
const REASONS: [&str; 5] = [
    "stop_reason",
    "stopReason",
    "finish_reason",
    "finishReason",
    "done_reason",
];

/// Reasons to end a message before the model is done, in small letters, without marks between the words.
const CUTS: [&str; 22] = [
    "aborted",
    "blocklist",
    "cancelled",
    "contentfilter",
    "contentfiltered",
    "error",
    "errorlimit",
    "errortoxic",
    "guardrailintervened",
    "language",
    "length",
    "malformedfunctioncall",
    "maxlength",
    "maxoutputtokens",
    "maxtokens",
    "modelcontextwindowexceeded",
    "modellength",
    "prohibitedcontent",
    "recitation",
    "refusal",
    "safety",
    "spii",
];

/// Returns the field with which an object states that the message in it was cut off.
pub(super) fn stated(fields: &Map<String, Value>) -> Option<String> {
    let reason = REASONS.iter().find_map(|name| {
        let reason = fields.get(*name)?.as_str()?;
        let letters = reason.chars().filter(char::is_ascii_alphanumeric);
        let flat: String = letters.map(|c| c.to_ascii_lowercase()).collect();
        let is_cut = CUTS.contains(&flat.as_str());
        is_cut.then(|| format!("{name}: {reason}"))
    });
    reason.or_else(|| {
        let is_response = ["output", "incomplete_details"]
            .iter()
            .any(|name| matches!(fields.get(*name), Some(Value::Array(_) | Value::Object(_))));
        let status = fields.get("status").and_then(Value::as_str);
        (is_response && status == Some("incomplete")).then(|| "status: incomplete".to_owned())
    })
}

/// Returns the field with which an event of a stream states that the message was cut off.
pub(super) fn in_event(event: &Value) -> Option<String> {
    let first = |name: &str| event.get(name).and_then(|several| several.get(0));
    let parts = [
        Some(event),
        event.get("delta"),
        first("choices"),
        first("candidates"),
        event.get("messageStop"),
    ];
    let mut parts = parts.into_iter().flatten().filter_map(Value::as_object);
    parts.find_map(stated)
}

/// Returns a message without contents that states the same.
pub(super) fn message(stated: &str) -> Value {
    let reason = stated.split_once(": ");
    let (name, reason) = reason.unwrap_or(("stop_reason", stated));
    let mut message = json!({ "role": "assistant", "content": [], "output": [] });
    message[name] = reason.into();
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_api_states_it_in_a_field_of_its_own() {
        let check = |value: Value, expected: Option<&str>| {
            let found = stated(value.as_object().unwrap());
            assert_eq!(found.as_deref(), expected, "{value}");
            // What was found in a message is found again.
            if let Some(found) = found {
                let again = message(&found);
                assert_eq!(stated(again.as_object().unwrap()), Some(found), "{again}");
            }
        };
        check(
            json!({"stop_reason": "max_tokens"}),
            Some("stop_reason: max_tokens"),
        );
        check(json!({"stop_reason": "end_turn"}), None);
        check(json!({"stop_reason": null}), None);
        check(
            json!({"finish_reason": "length"}),
            Some("finish_reason: length"),
        );
        check(json!({"finish_reason": "tool_calls"}), None);
        check(
            json!({"finishReason": "MAX_TOKENS"}),
            Some("finishReason: MAX_TOKENS"),
        );
        check(json!({"finishReason": "STOP"}), None);
        check(
            json!({"finishReason": "content-filter"}),
            Some("finishReason: content-filter"),
        );
        check(
            json!({"status": "incomplete", "output": []}),
            Some("status: incomplete"),
        );
        // The state of one call is that of the call.
        check(
            json!({"status": "incomplete", "type": "function_call"}),
            None,
        );
        check(json!({"status": "completed", "output": []}), None);
    }

    #[test]
    fn an_event_states_it_in_its_delta() {
        let check = |event: Value, expected: Option<&str>| {
            assert_eq!(in_event(&event).as_deref(), expected, "{event}");
        };
        check(
            json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
            Some("stop_reason: max_tokens"),
        );
        check(
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}),
            Some("finish_reason: length"),
        );
        check(
            json!({"messageStop": {"stopReason": "max_tokens"}}),
            Some("stopReason: max_tokens"),
        );
        check(
            json!({"choices": [{"index": 0, "delta": {"content": "length"}}]}),
            None,
        );
    }
}
