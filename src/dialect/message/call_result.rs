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

use super::call_outcome::{CallOutcome, output, stated};
use super::result_text;

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct CallResult {
    /// The names of the calls that it belongs to.
    pub(super) ids: Vec<String>,
    /// The tool, where the result names no call.
    pub(super) tool: Option<String>,
    pub(super) outcome: CallOutcome,
    pub(super) text: String,
}

/// Fields that name the call of a result.
const IDS: [&str; 8] = [
    "tool_use_id",
    "toolUseId",
    "toolUseID",
    "call_id",
    "tool_call_id",
    "toolCallId",
    "callID",
    "callId",
];

impl CallResult {
    /// Reads an object as the result of a call; `None` if it names no call.
    pub(super) fn of(fields: &Map<String, Value>) -> Option<Self> {
        if let Some(response) = fields.get("functionResponse").and_then(Value::as_object) {
            let text = |name: &str| response.get(name).and_then(Value::as_str);
            let inner = response.get("response").and_then(Value::as_object);
            let stated = inner.and_then(stated).unwrap_or(CallOutcome::Done);
            let ids = text("id").map(str::to_owned).into_iter().collect();
            let mut result = Self::with(ids, Some(stated), inner.unwrap_or(response));
            result.tool = text("name").map(str::to_owned);
            return Some(result);
        }
        if let Some(inner) = fields.get("toolResult").and_then(Value::as_object) {
            return Self::of(inner)
                .or_else(|| call_id(fields).map(|id| Self::with(vec![id], stated(inner), inner)));
        }
        if let Some(observation) = fields.get("observation").and_then(Value::as_str) {
            let ids = ["cause", "tool_call_id"];
            let ids = ids.iter().filter_map(|name| id(fields, name)).collect();
            let failed = matches!(observation, "error" | "user_rejected");
            return Some(Self::with(
                ids,
                failed.then_some(CallOutcome::Failed),
                fields,
            ));
        }
        let mut ids: Vec<String> = IDS.iter().filter_map(|name| id(fields, name)).collect();
        if let Some(Value::Array(several)) = fields.get("tool_call_ids") {
            ids.extend(several.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        let role = fields.get("role").and_then(Value::as_str);
        let is_rejected = fields.contains_key("rejection_reason");
        let is_failed = || role == Some("tool") && result_text::is_failure(&output(fields));
        let stated = (is_rejected.then_some(CallOutcome::Failed))
            .or_else(|| stated(fields))
            .or_else(|| is_failed().then_some(CallOutcome::Exit));
        (!ids.is_empty()).then(|| Self::with(ids, stated, fields))
    }

    /// Joins what the fields of a result state with what its text does.
    fn with(ids: Vec<String>, stated: Option<CallOutcome>, fields: &Map<String, Value>) -> Self {
        let text = output(fields);
        let outcome = match stated {
            // A client may report a refusal as the answer of a tool that succeeded.
            Some(CallOutcome::Done) if result_text::is_refusal(&text) => CallOutcome::Doubtful,
            Some(stated) => stated,
            None => match exit_field(fields) {
                Some(0) => CallOutcome::Done,
                Some(_) => CallOutcome::Exit,
                None => result_text::outcome(&text),
            },
        };
        Self {
            ids,
            tool: None,
            outcome,
            text,
        }
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

/// The exit code in a field of a result.
fn exit_field(fields: &Map<String, Value>) -> Option<i64> {
    let names = ["exit_code", "exitCode"];
    names.iter().find_map(|name| fields.get(*name)?.as_i64())
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
            CallOutcome::Done,
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
            CallOutcome::Done,
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
    }

    #[test]
    fn results_of_other_clients_have_the_same_shapes() {
        check(
            r#"{"toolUseID":"1","run":{"status":"rejected-by-user"}}"#,
            "1",
            CallOutcome::Failed,
        );
        check(
            r#"{"id":"1","toolResult":{"status":"success","value":{"content":[{"text":"x"}],"isError":true}}}"#,
            "1",
            CallOutcome::Failed,
        );
        check(
            r#"{"id":"1","toolResult":{"status":"success","value":[{"type":"text","text":"The user has declined to run this tool."}]}}"#,
            "1",
            CallOutcome::Doubtful,
        );
        check(
            r#"{"tool_use_id":"1","content":"{\"status\":\"denied\"}"}"#,
            "1",
            CallOutcome::Failed,
        );
        check(
            r#"{"tool_use_id":"1","content":"Abgelehnt."}"#,
            "1",
            CallOutcome::Unclear,
        );
        check(
            r#"{"toolCallId":"1","output":{"type":"execution-denied","reason":"x"}}"#,
            "1",
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
            CallOutcome::Unclear,
        );
    }
}
