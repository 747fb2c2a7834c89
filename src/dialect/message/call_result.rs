//! Results of tool calls in transcripts: a call that failed or that the person rejected is no edit.
//!
//! * Anthropic: `tool_result` with `is_error`; <https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use>.
//! * `OpenAI` and Codex: `function_call_output`, `custom_tool_call_output`, `apply_patch_call_output` with a `status`, or an
//!   `output` that begins with `Exit code: N` or is JSON with `metadata.exit_code`; `openai/codex codex-rs/core/src/tools/mod.rs`.
//! * `OpenAI` Chat Completions: messages of the role `tool`, which have no field for a failure: the text begins with it.
//! * Gemini: `functionResponse` with an `error`; records of Gemini CLI with a `status`, `google-gemini/gemini-cli
//!   packages/core/src/scheduler/types.ts`.
//! * opencode: `state.status`. Agent Client Protocol: `status` of a `tool_call_update`.
//! * `OpenHands` 1: events with a `tool_call_id` and an `observation`, an `error` or a `rejection_reason`,
//!   `OpenHands/software-agent-sdk openhands-sdk/openhands/sdk/event`; before: observations `error` and
//!   `user_rejected` with their `cause`, `All-Hands-AI/OpenHands openhands/events/observation`.
//! * Bedrock and Goose: `toolResult` with a `status`; <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html>,
//!   `block/goose crates/goose/src/conversation`.
//! * SWE-agent: observations in which its editor reports that nothing was replaced.

use serde_json::{Map, Value};

/// Outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallOutcome {
    /// It succeeded.
    Done,
    /// Its result states neither success nor failure.
    Unclear,
    /// Its result begins with words that failures have.
    Doubtful,
    /// A command ran and ended with an exit code other than 0.
    Exit,
    /// It failed, or was rejected.
    Failed,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct CallResult {
    /// The names of the calls that it belongs to.
    pub(super) ids: Vec<String>,
    /// The tool, where the result names no call.
    pub(super) tool: Option<String>,
    pub(super) outcome: CallOutcome,
}

/// Fields that name the call of a result.
const IDS: [&str; 7] = [
    "tool_use_id",
    "toolUseId",
    "call_id",
    "tool_call_id",
    "toolCallId",
    "callID",
    "callId",
];

/// States of a call that was not carried out.
const FAILED: [&str; 15] = [
    "error",
    "errored",
    "failed",
    "failure",
    "cancelled",
    "canceled",
    "rejected",
    "declined",
    "denied",
    "aborted",
    "interrupted",
    "incomplete",
    "output-error",
    "output-denied",
    "user_rejected",
];

/// Beginnings of the messages with which the `str_replace` editors of Anthropic, SWE-agent and `OpenHands` refuse an edit.
const EDITOR_REFUSALS: [&str; 4] = [
    "No replacement was performed",
    "Invalid `path` parameter",
    "Invalid `insert_line` parameter",
    "File already exists at",
];

/// Beginnings of results of calls that failed or were rejected.
const FAILURES: [&str; 6] = [
    "error",
    "rejected",
    "the user rejected",
    "the user denied",
    "user rejected",
    "user denied",
];

/// Parts of words with which a tool says that it did not do what it was asked to.
const DOUBTS: [&str; 10] = [
    "abort",
    "cancel",
    "could not",
    "declin",
    "denied",
    "error",
    "fail",
    "invalid",
    "reject",
    "unable",
];

/// The most lines of an output that are searched for an exit code.
const HEAD: usize = 8;

impl CallResult {
    /// Reads an object as the result of a call; `None` if it names no call.
    pub(super) fn of(fields: &Map<String, Value>) -> Option<Self> {
        if let Some(response) = fields.get("functionResponse").and_then(Value::as_object) {
            let text = |name: &str| response.get(name).and_then(Value::as_str);
            let inner = response.get("response").and_then(Value::as_object);
            let failed = inner.is_some_and(|inner| inner.get("error").is_some_and(is_set));
            return Some(Self {
                ids: text("id").map(str::to_owned).into_iter().collect(),
                tool: text("name").map(str::to_owned),
                outcome: if failed {
                    CallOutcome::Failed
                } else {
                    CallOutcome::Done
                },
            });
        }
        if let Some(inner) = fields.get("toolResult").and_then(Value::as_object) {
            return Self::of(inner).or_else(|| {
                call_id(fields).map(|id| Self {
                    ids: vec![id],
                    tool: None,
                    outcome: stated(inner).unwrap_or(CallOutcome::Unclear),
                })
            });
        }
        if let Some(observation) = fields.get("observation").and_then(Value::as_str) {
            let ids = ["cause", "tool_call_id"];
            let failed = matches!(observation, "error" | "user_rejected");
            return Some(Self {
                ids: ids.iter().filter_map(|name| id(fields, name)).collect(),
                tool: None,
                outcome: if failed {
                    CallOutcome::Failed
                } else {
                    text_fate(fields)
                },
            });
        }
        let mut ids: Vec<String> = IDS.iter().filter_map(|name| id(fields, name)).collect();
        if let Some(Value::Array(several)) = fields.get("tool_call_ids") {
            ids.extend(several.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        let role = fields.get("role").and_then(Value::as_str);
        let is_rejected = fields.contains_key("rejection_reason");
        let inner = fields.get("observation").and_then(Value::as_object);
        let stated = (is_rejected.then_some(CallOutcome::Failed))
            .or_else(|| inner.and_then(stated))
            .or_else(|| stated(fields));
        (!ids.is_empty()).then(|| Self {
            ids,
            tool: None,
            outcome: stated.unwrap_or_else(|| {
                let is_failed = role == Some("tool") && is_failure(&output(fields));
                if is_failed {
                    CallOutcome::Exit
                } else {
                    text_fate(fields)
                }
            }),
        })
    }
}

/// The name of a call in a field, as a text or a number.
pub(super) fn id(fields: &Map<String, Value>, name: &str) -> Option<String> {
    match fields.get(name)? {
        Value::String(id) => Some(id.clone()).filter(|id| !id.is_empty()),
        Value::Number(id) => Some(id.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The name of a call that an object describes.
pub(super) fn call_id(fields: &Map<String, Value>) -> Option<String> {
    let mut names = IDS.iter().chain(&["id"]);
    names.find_map(|name| id(fields, name))
}

/// The outcome that an object states in fields of its own.
pub(super) fn stated(fields: &Map<String, Value>) -> Option<CallOutcome> {
    let flag = |name: &str| fields.get(name).and_then(Value::as_bool);
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let failed = flag("is_error") == Some(true)
        || flag("isError") == Some(true)
        || flag("success") == Some(false)
        || fields.get("error").is_some_and(is_set);
    if failed {
        return Some(match exit_code(&output(fields)) {
            Some(code) if code != 0 => CallOutcome::Exit,
            Some(_) | None => CallOutcome::Failed,
        });
    }
    let states = ["status", "state", "confirmation_state"];
    let state = states.iter().find_map(|name| word(name))?;
    if FAILED.contains(&state) {
        return Some(CallOutcome::Failed);
    }
    let is_done = matches!(state, "success" | "completed" | "output-available");
    is_done.then_some(CallOutcome::Done)
}

/// The outcome that the text of a result tells.
fn text_fate(fields: &Map<String, Value>) -> CallOutcome {
    let code = ["exit_code", "exitCode"]
        .iter()
        .find_map(|name| fields.get(*name)?.as_i64());
    let text = output(fields);
    let text = text.trim_start();
    let text = text
        .strip_prefix("OBSERVATION:")
        .unwrap_or(text)
        .trim_start();
    if EDITOR_REFUSALS.iter().any(|start| text.starts_with(start)) {
        return CallOutcome::Failed;
    }
    match code.or_else(|| exit_code(text)) {
        Some(0) => CallOutcome::Done,
        Some(_) => CallOutcome::Exit,
        None if text.starts_with("Success") => CallOutcome::Done,
        None => {
            let first = text.lines().next().unwrap_or_default().to_lowercase();
            let is_doubtful = DOUBTS.iter().any(|doubt| first.contains(doubt));
            if is_doubtful {
                CallOutcome::Doubtful
            } else {
                CallOutcome::Unclear
            }
        }
    }
}

/// Returns `true` for the text of a result that begins with the statement of a failure. Chat completions have no field for it.
fn is_failure(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let line = line.to_lowercase();
    let rest = FAILURES.iter().find_map(|start| line.strip_prefix(start));
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The text of a result.
fn output(fields: &Map<String, Value>) -> String {
    let value = ["output", "content"]
        .iter()
        .find_map(|name| fields.get(*name));
    value.map(text_of).unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(fields) => {
            let inner = ["text", "content", "output"]
                .iter()
                .find_map(|name| fields.get(*name));
            inner.map(text_of).unwrap_or_default()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// The exit code at the head of a command's output.
fn exit_code(text: &str) -> Option<i64> {
    if text.starts_with('{') {
        let value: Value = serde_json::from_str(text).ok()?;
        return value.get("metadata")?.get("exit_code")?.as_i64();
    }
    let starts = ["Exit code: ", "Exit code ", "Process exited with code "];
    text.lines().take(HEAD).find_map(|line| {
        let number = starts.iter().find_map(|start| line.strip_prefix(start))?;
        number.trim().parse().ok()
    })
}

/// Returns `true` for anything but null, `false` and an empty text.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::String(text) => !text.is_empty(),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, ids: &str, outcome: CallOutcome) {
        let value: Value = serde_json::from_str(json).unwrap();
        let found = CallResult::of(value.as_object().unwrap()).unwrap();
        assert_eq!(
            (found.ids.join(" ").as_str(), found.outcome),
            (ids, outcome),
            "{json}"
        );
    }

    #[test]
    fn results_state_success_in_several_ways() {
        check(
            r#"{"type":"tool_result","tool_use_id":"t1","content":"ok"}"#,
            "t1",
            CallOutcome::Unclear,
        );
        check(
            r#"{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no"}"#,
            "t1",
            CallOutcome::Failed,
        );
        check(
            r#"{"tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"Exit code 2\nno"}]}"#,
            "t1",
            CallOutcome::Exit,
        );
        check(
            r#"{"type":"function_call_output","call_id":"c","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":1}}"}"#,
            "c",
            CallOutcome::Exit,
        );
        check(
            r#"{"call_id":"c","output":"Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess."}"#,
            "c",
            CallOutcome::Done,
        );
        check(
            r#"{"call_id":"c","output":"patch rejected by user"}"#,
            "c",
            CallOutcome::Doubtful,
        );
        check(
            r#"{"call_id":"c","output":"Success. Updated the following files:\nM a"}"#,
            "c",
            CallOutcome::Done,
        );
        check(
            r#"{"type":"apply_patch_call_output","call_id":"c","status":"failed","output":"x"}"#,
            "c",
            CallOutcome::Failed,
        );
        check(
            r#"{"type":"patch_apply_end","call_id":"c","success":false}"#,
            "c",
            CallOutcome::Failed,
        );
        check(
            r#"{"toolCallId":"a","status":"completed"}"#,
            "a",
            CallOutcome::Done,
        );
        check(
            r#"{"observation":"error","cause":7,"content":""}"#,
            "7",
            CallOutcome::Failed,
        );
        check(
            r#"{"observation":"edit","cause":7,"content":"The file has been edited."}"#,
            "7",
            CallOutcome::Unclear,
        );
        check(
            r#"{"role":"tool","content":"OBSERVATION:\nNo replacement was performed, x","tool_call_ids":["a","b"]}"#,
            "a b",
            CallOutcome::Failed,
        );
        check(
            r#"{"functionResponse":{"name":"edit","response":{"error":"no"}}}"#,
            "",
            CallOutcome::Failed,
        );
        check(
            r#"{"functionResponse":{"name":"edit","response":{"output":"ok"}}}"#,
            "",
            CallOutcome::Done,
        );
        check(
            r#"{"kind":"ObservationEvent","tool_call_id":"c","observation":{"is_error":true}}"#,
            "c",
            CallOutcome::Failed,
        );
        check(
            r#"{"kind":"UserRejectObservation","tool_call_id":"c","rejection_reason":"no"}"#,
            "c",
            CallOutcome::Failed,
        );
        check(
            r#"{"kind":"AgentErrorEvent","tool_call_id":"c","error":"no"}"#,
            "c",
            CallOutcome::Failed,
        );
        assert_eq!(CallResult::of(&Map::new()), None);
    }

    #[test]
    fn a_result_without_a_field_for_it_begins_with_the_failure() {
        check(
            r#"{"role":"tool","tool_call_id":"c","content":"Error: the user rejected this edit."}"#,
            "c",
            CallOutcome::Exit,
        );
        check(
            r#"{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"error"}]}"#,
            "c",
            CallOutcome::Exit,
        );
        check(
            r#"{"role":"tool","tool_call_id":"c","content":"errors.py:\n1 x"}"#,
            "c",
            CallOutcome::Doubtful,
        );
    }
}
