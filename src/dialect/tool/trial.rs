//! Fields with which a call asks that nothing is written: a dry run, a preview, a simulation.
//!
//! Tools whose other fields are free, and messages around a call, may have one too.

use serde_json::{Map, Value};

use super::edit_request::EditRequest;

/// Names of such fields, and values of a field for the mode, in small letters without the signs between words.
const TRIALS: [&str; 12] = [
    "checkonly",
    "dry",
    "dryrun",
    "isdryrun",
    "ispreview",
    "noop",
    "preview",
    "previewonly",
    "simulate",
    "simulation",
    "validateonly",
    "whatif",
];

/// Returns the name of a field that asks that nothing is written.
pub(in crate::dialect) fn field(fields: &Map<String, Value>) -> Option<&str> {
    let asks = |(name, value): &(&String, &Value)| {
        (is_trial(name) && is_set(value))
            || (name.as_str() == "mode" && value.as_str().is_some_and(is_trial))
    };
    fields.iter().find(asks).map(|(name, _)| name.as_str())
}

/// Refuses a call that has such a field.
pub(in crate::dialect) fn refused<'v>(field: &str) -> EditRequest<'v> {
    let found = format!("a call with the field `{field}`, which asks that nothing is written");
    EditRequest::refused(None, found, "the same call without it")
}

fn is_trial(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let folded: String = letters.flat_map(char::to_lowercase).collect();
    TRIALS.contains(&folded.as_str())
}

/// Returns `true` for a value that means "yes". A text of a preview does not.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => {
            matches!(
                text.trim().to_lowercase().as_str(),
                "true" | "yes" | "on" | "1"
            )
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_that_asks_for_a_trial_is_found() {
        let check = |fields: Value, expected: Option<&str>| {
            assert_eq!(field(fields.as_object().unwrap()), expected, "{fields}");
        };
        check(json!({"path": "a", "dryRun": true}), Some("dryRun"));
        check(json!({"dry_run": "True"}), Some("dry_run"));
        check(json!({"what-if": 1}), Some("what-if"));
        check(json!({"mode": "dry-run"}), Some("mode"));
        check(
            json!({"dryRun": false, "preview": null, "simulate": 0}),
            None,
        );
        check(json!({"preview": "def f(): …"}), None);
        check(json!({"mode": "append", "laundry_run": true}), None);
    }
}
