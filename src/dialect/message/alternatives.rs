//! Several answers to one request (`choices`, `candidates`): they are alternatives, of which one may be carried out.

use std::ops::Range;

use serde_json::{Value, json};

use super::json_event::{JsonCall, JsonEvent};
use crate::dialect::tool::edit_request::{CallEdit, EditRequest};
use crate::text::LineIdx;

/// Fields that hold the answers to one request.
const SEVERAL: [&str; 2] = ["choices", "candidates"];

/// Returns the answers in a field, if it has more than one.
pub(super) fn of<'v>(field: &str, value: &'v Value) -> Option<&'v [Value]> {
    let several = value.as_array().filter(|_| SEVERAL.contains(&field))?;
    (several.len() > 1).then_some(several.as_slice())
}

/// Splits an event of a stream with pieces of several answers; each piece has the number of its answer.
pub(super) fn split(event: Value) -> Vec<(u64, Value)> {
    let Some((field, several)) = SEVERAL
        .iter()
        .find_map(|name| Some((*name, event.get(*name)?.as_array()?)))
    else {
        return vec![(0, event)];
    };
    let is_piece = |answer: &Value| field == "candidates" || answer.get("delta").is_some();
    let numbers: Vec<u64> = several.iter().enumerate().map(number).collect();
    if !several.iter().all(is_piece) || numbers.iter().all(|number| *number == 0) {
        return vec![(0, event)];
    }
    let pieces = numbers.into_iter().zip(several);
    let pieces = pieces.map(|(number, answer)| (number, json!({ field: [answer] })));
    pieces.collect()
}

/// Returns the number of an answer: the one that it has, or that of its place.
fn number((at, answer): (usize, &Value)) -> u64 {
    let index = answer.get("index").and_then(Value::as_u64);
    index.unwrap_or(at as u64)
}

/// Joins the messages of several answers, which were in a stream, to one response.
pub(super) fn joined(answers: &[Vec<(Range<LineIdx>, Value)>]) -> (Range<LineIdx>, Value) {
    let lines = || answers.iter().flatten().map(|(lines, _)| lines);
    let start = lines().map(|lines| lines.start).min().unwrap_or_default();
    let end = lines().map(|lines| lines.end).max().unwrap_or_default();
    let values = answers.iter().map(|answer| {
        let values = answer.iter().map(|(_, value)| value.clone());
        Value::Array(values.collect())
    });
    let choices: Vec<Value> = values.collect();
    (start..end, json!({ "choices": choices }))
}

/// Returns what the calls among events ask for.
fn calls<'v>(events: &[JsonEvent<'v>]) -> Vec<Vec<EditRequest<'v>>> {
    let calls = events.iter().filter_map(|event| {
        let JsonEvent::Call(call) = event else {
            return None;
        };
        Some(call.requests.clone())
    });
    calls.collect()
}

/// Returns the events that count of several answers: those of all, each with its number, if one at most has calls; those of one if the
/// calls are equal; and a refusal otherwise.
pub(super) fn chosen<'v>(field: &str, each: Vec<Vec<JsonEvent<'v>>>) -> Vec<JsonEvent<'v>> {
    let count = each.len();
    let mut with_calls =
        (each.iter().map(|events| calls(events))).filter(|calls| !calls.is_empty());
    let (first, second) = (with_calls.next(), with_calls.next());
    if second.is_none() {
        let of_answer = |(number, events): (usize, Vec<JsonEvent<'v>>)| {
            std::iter::once(JsonEvent::Answer(Some(number))).chain(events)
        };
        let events = each.into_iter().enumerate().flat_map(of_answer);
        return events.chain([JsonEvent::Answer(None)]).collect();
    }
    let is_same = second == first && with_calls.all(|calls| Some(&calls) == first.as_ref());
    if is_same {
        let with_calls = each.into_iter().find(|events| !calls(events).is_empty());
        return with_calls.unwrap_or_default();
    }
    let edit = CallEdit::Other {
        found: format!("a response with {count} {field} that hold different edits"),
        expected: "one of them".into(),
    };
    vec![JsonEvent::Call(JsonCall {
        id: None,
        tool: None,
        requests: vec![EditRequest { path: None, edit }],
        outcome: None,
    })]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_split_by_the_numbers_of_its_answers() {
        let check = |event: Value, expected: &[u64]| {
            let numbers = split(event.clone()).into_iter().map(|(number, _)| number);
            assert_eq!(numbers.collect::<Vec<_>>(), expected, "{event}");
        };
        check(json!({"type": "x"}), &[0]);
        check(json!({"choices": [{"index": 0, "delta": {}}]}), &[0]);
        check(json!({"choices": [{"index": 2, "delta": {}}]}), &[2]);
        check(
            json!({"choices": [{"index": 1, "delta": {}}, {"index": 0, "delta": {}}]}),
            &[1, 0],
        );
        check(json!({"choices": [{"index": 1, "message": {}}]}), &[0]);
        check(json!({"candidates": [{"content": {}}, {}]}), &[0, 1]);
    }
}
