//! Calls in the stream of Cursor's agent, `cursor-agent --output-format stream-json`.
//!
//! An event `{"type": "tool_call", "subtype", "call_id", "tool_call": {"editToolCall": {"args", "result"}}}` is one of two for a call: the
//! `started` one has its arguments, the `completed` one its result as well. The key of a call names its tool, and the only key of a result
//! its outcome: `success`, `error`, `rejected` and the like. The arguments of `editToolCall` are a part of the edit (`streamContent`), but
//! its result has the file before and after.
//!
//! <https://cursor.com/docs/cli/reference/output-format> documents `writeToolCall`; `BloopAI/vibe-kanban crates/executors` reads the others
//! from recorded streams.

use serde_json::{Map, Value};

use super::call_outcome::CallOutcome;
use super::call_result::call_id;
use super::json_event::{JsonCall, JsonEvent};
use crate::dialect::tool::edit_request::{CallEdit, EditRequest, Every};
use crate::dialect::tool::tool_match::{by_name, flat};

/// Reads the event of a call that may change files.
pub(super) fn event(fields: &Map<String, Value>) -> Option<JsonEvent<'_>> {
    if fields.get("type")?.as_str() != Some("tool_call") {
        return None;
    }
    let mut calls = fields.get("tool_call")?.as_object()?.iter();
    let (tool, call) =
        calls.find_map(|(key, call)| Some((key.strip_suffix("ToolCall").map(|_| key)?, call)))?;
    let args = call.get("args")?.as_object()?;
    let result = call.get("result").and_then(Value::as_object);
    Some(JsonEvent::Call(JsonCall {
        id: call_id(fields),
        tool: Some(tool),
        requests: requests(tool, args, result)?,
        outcome: result.and_then(|result| outcome(tool, result)),
    }))
}

/// Returns the outcome that a result names.
fn outcome(tool: &str, result: &Map<String, Value>) -> Option<CallOutcome> {
    let is_shell = tool == SHELL;
    if let Some(success) = result.get("success") {
        let code = success.get("exitCode").and_then(Value::as_i64);
        let has_failed = is_shell && code.is_some_and(|code| code != 0);
        let is_error = success.get("isError").and_then(Value::as_bool) == Some(true);
        return Some(match (has_failed, is_error) {
            (true, _) => CallOutcome::Exit,
            (false, true) => CallOutcome::Failed,
            (false, false) => CallOutcome::Done,
        });
    }
    // A command that ran may have written before it failed or took too long.
    let has_run = |name: &str| result.contains_key(name);
    Some(if is_shell && (has_run("failure") || has_run("timeout")) {
        CallOutcome::Exit
    } else {
        CallOutcome::Failed
    })
    .filter(|_| !result.is_empty())
}

/// Returns what a call asks for; `None` if it is no edit.
fn requests<'v>(
    tool: &'v str,
    args: &'v Map<String, Value>,
    result: Option<&'v Map<String, Value>>,
) -> Option<Vec<EditRequest<'v>>> {
    let path = args.get("path").and_then(Value::as_str);
    let success = result.and_then(|result| result.get("success"));
    let stated = |name: &str| success?.get(name)?.as_str();
    let path = path.or_else(|| stated("path"));
    let of_file = |edit| vec![of_file(path, edit)];
    if let Some(new) = stated("afterFullFileContent") {
        let old = stated("beforeFullFileContent").filter(|old| !old.is_empty());
        let whole = CallEdit::Write {
            text: new,
            lines: None,
        };
        return Some(of_file(old.map_or(whole, |old| CallEdit::Replace {
            old,
            new,
            every: Every::Once,
            line: None,
            removes_line: false,
        })));
    }
    if let Some(old) = stated("prevContent") {
        let old = Some(old).filter(|old| !old.is_empty());
        return Some(of_file(CallEdit::Delete { old }));
    }
    if tool == MCP {
        let mut names = ["toolName", "name"].iter();
        let name = names.find_map(|name| args.get(*name)?.as_str())?;
        return by_name(name, args.get("args")?.as_object()?);
    }
    let names = [tool, tool.strip_suffix("ToolCall").unwrap_or(tool)];
    let mut read = (names.iter()).filter_map(|name| flat(name, args, &["toolCallId"]));
    if let Some(requests) = read.next() {
        return Some(requests);
    }
    if tool == EDIT {
        let found = "a call of `editToolCall` without the file before and after".to_owned();
        let expected = "the line of its result, with `\"subtype\": \"completed\"`".into();
        return Some(of_file(CallEdit::Other { found, expected }));
    }
    by_name(tool, args)
}

/// Returns the request to edit a file.
fn of_file<'v>(path: Option<&'v str>, edit: CallEdit<'v>) -> EditRequest<'v> {
    EditRequest {
        path: path.map(Into::into),
        edit,
    }
}

const EDIT: &str = "editToolCall";
const MCP: &str = "mcpToolCall";
const SHELL: &str = "shellToolCall";

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    #[test]
    fn a_call_is_read_by_its_result_or_else_by_its_arguments() {
        let check = |call: &str, expected: &[&str]| {
            let text = format!(
                r#"{{"type":"tool_call","subtype":"completed","call_id":"c\n1","tool_call":{{{call},"toolCallId":"c\n1"}}}}"#
            );
            let parsed = parse(&text, &Options::default());
            let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
            let added = hunks.map(|hunk| hunk.body.postimage.join(";"));
            let refused = parsed.problems.iter().map(|_| "?".to_owned());
            let found: Vec<String> = added.chain(refused).collect();
            assert_eq!(found, expected, "{text}\n{:?}", parsed.problems);
        };
        let edit = |args: &str, result: &str| {
            format!(r#""editToolCall":{{"args":{{"path":"f",{args}}},"result":{{{result}}}}}"#)
        };
        let part = r#""streamContent":"b""#;
        let success =
            |fields: &str| edit(part, &format!(r#""success":{{"path":"/w/f",{fields}}}"#));
        check(
            &success(r#""beforeFullFileContent":"a\n","afterFullFileContent":"b\n""#),
            &["b"],
        );
        check(&success(r#""afterFullFileContent":"b\nc\n""#), &["b;c"]);
        check(&success(r#""linesAdded":1"#), &["?"]);
        check(&edit(part, r#""error":{"error":"not found"}"#), &["?"]);
        let replace = r#""strReplace":{"oldText":"a","newText":"b"}"#;
        check(&edit(replace, r#""success":{}"#), &["b"]);
        let patch = r#""applyPatch":{"patchContent":"@@ -1 +1 @@\n-a\n+b\n"}"#;
        check(&edit(patch, r#""success":{}"#), &["b"]);
        let write = r#""writeToolCall":{"args":{"path":"f","fileText":"b\n","toolCallId":"c"}"#;
        check(&format!("{write}}}"), &["b"]);
        check(&format!(r#"{write},"result":{{"success":{{}}}}}}"#), &["b"]);
        check(
            &format!(r#"{write},"result":{{"rejected":{{}}}}}}"#),
            &["?"],
        );
        let server = |name: &str| {
            format!(
                r#""mcpToolCall":{{"args":{{"name":"fs-{name}","toolName":"{name}","args":{{"path":"f","content":"b\n"}}}},"result":{{"success":{{"isError":false}}}}}}"#
            )
        };
        check(&server("write_file"), &["b"]);
        check(&server("other_tool"), &["?"]);
    }
}
