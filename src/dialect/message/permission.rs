//! Requests for permission in logs of the Agent Client Protocol, and the answers of the person.
//!
//! <https://agentclientprotocol.com/protocol/tool-calls#requesting-permission>

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::text::LineIdx;

/// The call of a request, and the options that reject it.
type PermissionRequest = (String, Vec<String>);

/// Adds the result of each call that the person did not allow, below the answer that states it.
pub(in crate::dialect) fn add_refusals(values: &mut Vec<(Range<LineIdx>, Value)>) {
    let mut requests: FxHashMap<String, PermissionRequest> = FxHashMap::default();
    let mut refusals = Vec::new();
    for (at, (lines, value)) in values.iter().enumerate() {
        let messages = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for message in messages {
            let Some(id) = message.get("id").map(ToString::to_string) else {
                continue;
            };
            if let Some(request) = request(message) {
                requests.insert(id, request);
            } else if let Some((call, rejecting)) = requests.get(&id)
                && is_refusal(message, rejecting)
            {
                let result =
                    json!({ "type": "tool_result", "tool_use_id": call, "is_error": true });
                refusals.push((at + 1, (lines.clone(), result)));
            }
        }
    }
    if refusals.is_empty() {
        return;
    }
    let mut refusals = refusals.into_iter().peekable();
    for (at, value) in std::mem::take(values).into_iter().enumerate() {
        values.push(value);
        while let Some((_, refusal)) = refusals.next_if(|(after, _)| *after == at + 1) {
            values.push(refusal);
        }
    }
}

fn request(message: &Value) -> Option<PermissionRequest> {
    let is_it = message.get("method")?.as_str()? == "session/request_permission";
    let params = message.get("params").filter(|_| is_it)?;
    let call = params.get("toolCall")?.get("toolCallId")?.as_str()?;
    let options = params.get("options").and_then(Value::as_array);
    let text = |option: &Value, name: &str| Some(option.get(name)?.as_str()?.to_owned());
    let rejects =
        |option: &&Value| text(option, "kind").is_some_and(|kind| kind.starts_with("reject"));
    let rejecting = options.into_iter().flatten().filter(rejects);
    let rejecting = rejecting.filter_map(|option| text(option, "optionId"));
    Some((call.to_owned(), rejecting.collect()))
}

/// Returns `true` for an answer that does not allow the call.
fn is_refusal(message: &Value, rejecting: &[String]) -> bool {
    let outcome = message
        .get("result")
        .and_then(|result| result.get("outcome"));
    let text = |name: &str| outcome?.get(name)?.as_str();
    match text("outcome") {
        Some("selected") => {
            text("optionId").is_some_and(|id| rejecting.iter().any(|known| known == id))
        }
        Some(_) => true,
        None => message.get("error").is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_do_not_allow_a_call_are_its_result() {
        let check = |answer: Value, expected: usize| {
            let request = json!({"id": 5, "method": "session/request_permission", "params": {
                "toolCall": {"toolCallId": "c"},
                "options": [{"optionId": "n", "kind": "reject_once"}, {"optionId": "y", "kind": "allow_once"}],
            }});
            let mut values = vec![(0..1, request), (1..2, answer)];
            add_refusals(&mut values);
            assert_eq!(values.len() - 2, expected, "{values:?}");
        };
        check(
            json!({"id": 5, "result": {"outcome": {"outcome": "cancelled"}}}),
            1,
        );
        let selected =
            |option: &str| json!({"outcome": {"outcome": "selected", "optionId": option}});
        check(json!({"id": 5, "result": selected("n")}), 1);
        check(json!({"id": 5, "result": selected("y")}), 0);
        check(json!({"id": 6, "result": selected("n")}), 0);
        check(json!({"id": 5, "error": {"code": 1}}), 1);
    }
}
