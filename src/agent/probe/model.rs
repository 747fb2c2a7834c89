//! Scripted model: asks for one edit, and keeps what the client sends back about it.
//!
//! It answers in the four protocols of the clients: `OpenAI`'s responses (Codex) and chat completions (Copilot CLI, opencode, Qwen Code), Anthropic's
//! messages (Claude Code), and Gemini's `generateContent`.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::agent::hook::Agent;

/// Id of the call, by which the clients send its result.
const CALL: &str = "call_countersign_probe";
/// The text of the new file.
const TEXT: &str = "probe\n";
/// Its text where it asks for nothing.
const DONE: &str = "done";

/// A scripted model.
#[derive(Debug)]
pub(super) struct ScriptedModel {
    /// The tool that it calls.
    tool: &'static str,
    /// The arguments; a text for the tools that take one.
    input: Value,
    /// The request with the result of the call.
    result: Mutex<Option<String>>,
}

/// Content type and body of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptedResponse {
    pub(super) kind: &'static str,
    pub(super) body: String,
}

impl ScriptedModel {
    /// Makes a model that has an agent create a file.
    pub(super) fn new(agent: Agent, file: &Path) -> Self {
        let path = file.to_string_lossy();
        let (tool, input) = agent.creation(&path, TEXT);
        Self {
            tool,
            input,
            result: Mutex::default(),
        }
    }

    /// Returns the request with the result of the call, once the client has sent it.
    pub(super) fn result(&self) -> Option<String> {
        let result = self.result.lock();
        result.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Answers a request.
    pub(super) fn answer(&self, path: &str, body: &Value) -> ScriptedResponse {
        let path = path.split('?').next().unwrap_or_default();
        if path.ends_with("/count_tokens") {
            plain(&json!({"input_tokens": 1}))
        } else if path.ends_with(":countTokens") {
            plain(&json!({"totalTokens": 1}))
        } else if path.ends_with("/responses") {
            self.responses(body)
        } else if path.ends_with("/messages") {
            self.messages(body)
        } else if path.ends_with("/chat/completions") {
            self.completions(body)
        } else if path.ends_with(":streamGenerateContent") {
            events(&[("", self.gemini(body))])
        } else if path.ends_with(":generateContent") {
            plain(&self.gemini(body))
        } else {
            plain(&json!({}))
        }
    }

    /// Returns whether to make the call now: once, where the client offers tools.
    fn is_time(&self, body: &Value) -> bool {
        let text = body.to_string();
        if text.contains(CALL) || text.contains("\"functionResponse\"") {
            let mut result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
            *result = Some(text);
            return false;
        }
        body["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty())
    }

    fn responses(&self, body: &Value) -> ScriptedResponse {
        let item = match (&self.input, self.is_time(body)) {
            (Value::String(input), true) => json!({
                "type": "custom_tool_call", "id": "item", "call_id": CALL, "name": self.tool, "input": input,
                "status": "completed",
            }),
            (input, true) => json!({
                "type": "function_call", "id": "item", "call_id": CALL, "name": self.tool,
                "arguments": input.to_string(), "status": "completed",
            }),
            (_, false) => json!({
                "type": "message", "id": "item", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": DONE, "annotations": []}],
            }),
        };
        let usage = json!({
            "input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2,
        });
        events(&[
            event("response.created", json!({"response": {"id": "probe"}})),
            event(
                "response.output_item.added",
                json!({"output_index": 0, "item": item}),
            ),
            event(
                "response.output_item.done",
                json!({"output_index": 0, "item": item}),
            ),
            event(
                "response.completed",
                json!({"response": {"id": "probe", "output": [item], "usage": usage}}),
            ),
        ])
    }

    fn messages(&self, body: &Value) -> ScriptedResponse {
        let (block, delta, reason) = if self.is_time(body) {
            (
                json!({"type": "tool_use", "id": CALL, "name": self.tool, "input": {}}),
                json!({"type": "input_json_delta", "partial_json": self.input.to_string()}),
                "tool_use",
            )
        } else {
            (
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": DONE}),
                "end_turn",
            )
        };
        let message = json!({
            "id": "probe", "type": "message", "role": "assistant", "model": body["model"], "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
        });
        events(&[
            event("message_start", json!({"message": message})),
            event(
                "content_block_start",
                json!({"index": 0, "content_block": block}),
            ),
            event("content_block_delta", json!({"index": 0, "delta": delta})),
            event("content_block_stop", json!({"index": 0})),
            event(
                "message_delta",
                json!({
                    "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 1},
                }),
            ),
            event("message_stop", json!({})),
        ])
    }

    fn completions(&self, body: &Value) -> ScriptedResponse {
        let (delta, reason) = if self.is_time(body) {
            let call = json!({
                "index": 0, "id": CALL, "type": "function",
                "function": {"name": self.tool, "arguments": self.input.to_string()},
            });
            (
                json!({"role": "assistant", "tool_calls": [call]}),
                "tool_calls",
            )
        } else {
            (json!({"role": "assistant", "content": DONE}), "stop")
        };
        let chunks = [(delta, Value::Null), (json!({}), reason.into())].map(|(delta, reason)| {
            let chunk = json!({
                "id": "probe", "object": "chat.completion.chunk", "created": 1, "model": body["model"],
                "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            });
            ("", chunk)
        });
        let mut answer = events(&chunks);
        answer.body.push_str("data: [DONE]\n\n");
        answer
    }

    fn gemini(&self, body: &Value) -> Value {
        let part = if self.is_time(body) {
            json!({"functionCall": {"name": self.tool, "args": self.input}})
        } else {
            json!({"text": DONE})
        };
        json!({
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        })
    }
}

/// Formats server-sent events, with their names where they have one.
fn events(items: &[(&str, Value)]) -> ScriptedResponse {
    let text = items.iter().map(|(name, data)| match *name {
        "" => format!("data: {data}\n\n"),
        name => format!("event: {name}\ndata: {data}\n\n"),
    });
    ScriptedResponse {
        kind: "text/event-stream",
        body: text.collect(),
    }
}

fn plain(value: &Value) -> ScriptedResponse {
    ScriptedResponse {
        kind: "application/json",
        body: value.to_string(),
    }
}

/// Returns an event of a stream, whose data name its type too.
fn event(name: &'static str, mut fields: Value) -> (&'static str, Value) {
    fields["type"] = name.into();
    (name, fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the model calls the tool once, in a protocol: where tools are offered, and not after the result.
    #[track_caller]
    fn check(agent: Agent, path: &str, tool: &str, result: &Value) {
        let model = ScriptedModel::new(agent, Path::new("/w/new.txt"));
        let calls = |body: &Value| model.answer(path, body).body.contains(tool);
        assert!(!calls(&json!({"model": "m"})), "no tools are offered");
        let mut body = json!({"model": "m", "tools": [{"name": "x"}]});
        assert!(calls(&body));
        assert!(model.answer(path, &body).body.contains("/w/new.txt"));
        assert_eq!(model.result(), None);
        body["last"] = result.clone();
        assert!(!calls(&body));
        assert!(model.result().is_some_and(|heard| heard.contains("denied")));
    }

    #[test]
    fn one_call_is_made_in_every_protocol() {
        let by_id = json!({"id": CALL, "text": "denied"});
        check(Agent::Claude, "/v1/messages?beta=true", "Write", &by_id);
        check(Agent::Cline, "/v1/chat/completions", "editor", &by_id);
        check(Agent::Codex, "/v1/responses", "apply_patch", &by_id);
        check(Agent::Copilot, "/v1/chat/completions", "\"create\"", &by_id);
        check(Agent::Opencode, "/v1/chat/completions", "write", &by_id);
        let stream = "/v1beta/models/m:streamGenerateContent?alt=sse";
        let by_name = json!({"functionResponse": {"output": "denied"}});
        check(Agent::Gemini, stream, "write_file", &by_name);
        check(Agent::Qwen, "/v1/chat/completions", "write_file", &by_id);
    }

    #[test]
    fn other_requests_are_answered_without_a_call() {
        let model = ScriptedModel::new(Agent::Claude, Path::new("/w/new.txt"));
        let body = json!({"tools": [{"name": "x"}]});
        for path in ["/v1/messages/count_tokens", "/v1/models", "/"] {
            assert!(
                !model.answer(path, &body).body.contains("new.txt"),
                "{path}"
            );
        }
    }
}
