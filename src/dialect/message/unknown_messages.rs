//! Messages of clients that are not known: a search for the calls and the results in their fields.

use std::ops::Range;

use serde_json::Value;

use super::call_search::CallSearch;
use super::json_call;
use super::json_event::JsonEvent;
use crate::text::LineIdx;

/// Adds the calls of messages that are not known, and results in fields that are not, where no message that is known has a call.
pub(in crate::dialect) fn add_unknown(values: &mut Vec<(Range<LineIdx>, Value)>) {
    let is_call = |event: &JsonEvent| matches!(event, JsonEvent::Call(_));
    if (values.iter()).any(|(_, value)| json_call::find(value).events.iter().any(is_call)) {
        return;
    }
    let found: Vec<Vec<CallSearch>> = values.iter().map(|(_, value)| searched(value)).collect();
    if found.iter().flatten().all(|found| found.calls.is_empty()) {
        return;
    }
    for ((lines, value), found) in std::mem::take(values).into_iter().zip(found) {
        let messages = if let Value::Array(messages) = value {
            messages
        } else {
            vec![value]
        };
        for (message, CallSearch { calls, failures }) in messages.into_iter().zip(found) {
            let has_more = !calls.is_empty() || !failures.is_empty();
            values.push((lines.clone(), message));
            if has_more {
                let more = calls.into_iter().chain(failures);
                values.extend(more.map(|more| (lines.clone(), more)));
            }
        }
    }
}

/// Searches the messages of a value. Each message of a list has its calls and results in their order.
fn searched(value: &Value) -> Vec<CallSearch> {
    match value {
        Value::Array(messages) => messages.iter().map(CallSearch::of).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            vec![CallSearch::of(value)]
        }
    }
}
