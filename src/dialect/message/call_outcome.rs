//! Outcome of a call as fields state it, in whatever client: flags of a failure, and the words of a state.

use serde_json::{Map, Value};

/// Outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallOutcome {
    /// It succeeded.
    Done,
    /// The text of its result states neither success nor failure.
    Unclear,
    /// Its result begins with words that failures have, or has a state that is not known.
    Doubtful,
    /// A command ran and ended with an exit code other than 0.
    Exit,
    /// It failed, or was rejected.
    Failed,
}

/// Parts of the states of a call that was not carried out.
const FAILED: [&str; 14] = [
    "abort",
    "cancel",
    "declin",
    "denied",
    "deny",
    "error",
    "fail",
    "incomplete",
    "interrupt",
    "invalid",
    "refus",
    "reject",
    "skipped",
    "timed",
];
/// States of a call that was carried out.
const DONE: [&str; 22] = [
    "accepted",
    "added",
    "applied",
    "approved",
    "complete",
    "completed",
    "created",
    "deleted",
    "done",
    "edited",
    "executed",
    "finished",
    "modified",
    "ok",
    "output-available",
    "removed",
    "renamed",
    "result",
    "succeeded",
    "success",
    "successful",
    "updated",
];
/// States of a call that goes on, of which another object states how it ends.
const OPEN: [&str; 24] = [
    "active",
    "approval-requested",
    "approval-responded",
    "awaiting-approval",
    "awaiting-confirmation",
    "call",
    "calling",
    "confirmed",
    "executing",
    "generated",
    "generating",
    "in-progress",
    "inprogress",
    "input-available",
    "input-streaming",
    "partial-call",
    "pending",
    "queued",
    "ready",
    "requested",
    "running",
    "scheduled",
    "started",
    "validating",
];
/// Fields of a result that may hold the object with its outcome.
const INNER: [&str; 9] = [
    "observation",
    "run",
    "value",
    "data",
    "result",
    "output",
    "state",
    "toolResult",
    "response",
];

/// The most lines of an output that are searched for an exit code.
const HEAD: usize = 8;

/// The outcome that an object states in its fields, or in those of an object within it.
pub(super) fn stated(fields: &Map<String, Value>) -> Option<CallOutcome> {
    let inner = INNER
        .iter()
        .filter_map(|name| fields.get(*name)?.as_object());
    let each = std::iter::once(fields).chain(inner);
    let outcomes: Vec<CallOutcome> = each.filter_map(own_state).collect();
    let is_done = |outcome: &&CallOutcome| **outcome == CallOutcome::Done;
    let failed = outcomes.iter().find(|outcome| !is_done(outcome));
    failed.or_else(|| outcomes.first()).copied()
}

/// The outcome that an object states in fields of its own.
fn own_state(fields: &Map<String, Value>) -> Option<CallOutcome> {
    let flag = |name: &str| fields.get(name).and_then(Value::as_bool);
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let is_error = || flag("is_error").or_else(|| flag("isError"));
    let failed = is_error() == Some(true)
        || flag("success") == Some(false)
        || fields.get("error").is_some_and(is_set);
    if failed {
        return Some(match exit_code(&output(fields)) {
            Some(code) if code != 0 => CallOutcome::Exit,
            Some(_) | None => CallOutcome::Failed,
        });
    }
    let states = ["status", "state", "confirmation_state"];
    // `error-text` of a result in the AI SDK of Vercel, and `tool-output-error` and its like in the stream for its screens.
    let kind = word("type").filter(|kind| {
        kind.starts_with("error-") || kind.ends_with("-error") || kind.ends_with("-denied")
    });
    let state = states.iter().find_map(|name| word(name)).or(kind);
    let Some(state) = state.map(|state| state.to_lowercase().replace('_', "-")) else {
        let is_done = is_error() == Some(false) || flag("success") == Some(true);
        return is_done.then_some(CallOutcome::Done);
    };
    if FAILED.iter().any(|part| state.contains(part)) || kind.is_some() {
        return Some(CallOutcome::Failed);
    }
    if DONE.contains(&state.as_str()) {
        return Some(CallOutcome::Done);
    }
    (!OPEN.contains(&state.as_str())).then_some(CallOutcome::Doubtful)
}

/// Returns the exit code at the head of a command's output.
pub(super) fn exit_code(text: &str) -> Option<i64> {
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

/// Fields with the text of a result.
const TEXTS: [&str; 7] = [
    "output", "content", "text", "result", "value", "message", "run",
];

/// The text of a result.
pub(super) fn output(fields: &Map<String, Value>) -> String {
    let value = TEXTS.iter().find_map(|name| fields.get(*name));
    value.map(text_of).unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(fields) => output(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// Returns `true` for anything but null, `false` and an empty text.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::String(text) => !text.is_empty(),
        Value::Number(number) => number.as_i64() != Some(0),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_state_an_outcome_in_many_ways() {
        use CallOutcome::{Done, Doubtful, Exit, Failed};
        let check = |value: Value, expected: Option<CallOutcome>| {
            assert_eq!(stated(value.as_object().unwrap()), expected, "{value}");
        };
        check(json!({"content": "x"}), None);
        check(json!({"is_error": false}), Some(Done));
        check(json!({"success": false}), Some(Failed));
        check(
            json!({"isError": true, "content": "Exit code 2"}),
            Some(Exit),
        );
        check(json!({"status": "rejected-by-user"}), Some(Failed));
        check(json!({"status": "TIMED_OUT"}), Some(Failed));
        check(json!({"status": "in_progress"}), None);
        check(json!({"status": "odd"}), Some(Doubtful));
        check(json!({"run": {"status": "done"}}), Some(Done));
        check(json!({"run": {"status": "cancelled"}}), Some(Failed));
        check(
            json!({"status": "success", "value": {"isError": true}}),
            Some(Failed),
        );
        check(
            json!({"output": {"type": "error-text", "value": "x"}}),
            Some(Failed),
        );
        check(
            json!({"output": {"type": "execution-denied"}}),
            Some(Failed),
        );
        check(json!({"output": {"type": "text", "value": "x"}}), None);
        for kind in [
            "tool-error",
            "tool-output-error",
            "tool-input-error",
            "tool-output-denied",
        ] {
            check(json!({"type": kind, "toolCallId": "c"}), Some(Failed));
        }
    }
}
