//! Values in JSON that are strings in another value: the fields of a call, a list in one of them.

use serde_json::{Map, Value};

use super::call_result::CallResult;
use super::call_search::{self, NO_CALLS};
use super::message_fields::{FIELDS, tool_name};
use crate::dialect::tool::field_names::NAMES;
use crate::dialect::tool::schema;
use crate::dialect::tool::tool_match;
use crate::text::UniqueJson;

/// Replaces strings of JSON that hold the fields of a call by their value.
pub(in crate::dialect) fn unwrapped(mut value: Value) -> Value {
    unwrap_strings(&mut value, true);
    value
}

/// Replaces the strings in a value; those in records are looked into unless the value is a part of a call or of a result.
fn unwrap_strings(value: &mut Value, has_records: bool) {
    match value {
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| unwrap_strings(value, has_records)),
        Value::Object(fields) => {
            let is_record = has_records && is_record(fields);
            let is_reply = fields.contains_key("jsonrpc");
            for (name, field) in fields.iter_mut() {
                if let Value::String(text) = field {
                    let document = || is_record.then(|| document(text))?;
                    if let Some(inner) = fields_of(name, text).or_else(document) {
                        *field = inner;
                    }
                } else {
                    let name = name.as_str();
                    let is_part = FIELDS.contains(&name) || NO_CALLS.contains(&name) && !is_reply;
                    unwrap_strings(field, has_records && !is_part);
                }
            }
            join_named_values(fields);
            unwrap_lists(fields);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// Returns `true` for an object whose strings may be documents: neither a call, nor a result of one, nor a message or a part of it,
/// whose text is read as such.
fn is_record(fields: &Map<String, Value>) -> bool {
    const PARTS: [&str; 3] = ["text", "output", "result"];
    let of_message = ["role", "from", "source"];
    let kind = fields.get("type").and_then(Value::as_str);
    let is_part = kind.is_some_and(|kind| PARTS.iter().any(|end| kind.ends_with(end)));
    let has_one = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
    let is_call = tool_match::is_named(fields) && has_one(&FIELDS);
    let is_other = is_part || is_call || has_one(&of_message);
    !is_other && !tool_match::looks_like_edit(fields) && CallResult::of(fields).is_none()
}

/// Parses a string that is a document with a known call, as the records of a log hold it.
fn document(text: &str) -> Option<Value> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut inner = UniqueJson::parse(text.as_bytes()).ok()?;
    unwrap_strings(&mut inner, true);
    call_search::has_calls(&inner).then_some(inner)
}

/// Turns a list of names and values, as Bedrock's agents get the fields of a call, into the object of these fields.
///
/// <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_FunctionInvocationInput.html>
fn join_named_values(fields: &mut Map<String, Value>) {
    let Some(tool) = tool_name(fields).map(str::to_owned) else {
        return;
    };
    let named = |value: &Value| {
        let name = value.get("name")?.as_str()?;
        Some((name.to_owned(), value.get("value")?.clone()))
    };
    let inner = fields
        .get_mut("parameters")
        .filter(|_| tool_match::has_rows(&tool));
    if let Some(inner) = inner
        && let Some(values) = inner.as_array().filter(|values| !values.is_empty())
        && let Some(values) = values.iter().map(named).collect::<Option<Map<_, _>>>()
    {
        *inner = Value::Object(values);
    }
}

/// Replaces strings of JSON by their value where the tool takes a list. Other fields may hold the text of a JSON file.
fn unwrap_lists(fields: &mut Map<String, Value>) {
    let Some(tool) = tool_name(fields).map(str::to_owned) else {
        return;
    };
    let inner = fields
        .iter_mut()
        .filter(|(name, _)| FIELDS.contains(&name.as_str()));
    for (name, field) in inner
        .filter_map(|(_, inner)| inner.as_object_mut())
        .flatten()
    {
        if let Value::String(text) = field
            && text.trim_start().starts_with(['[', '{'])
            && schema::is_list(&tool, name)
            && let Ok(inner @ (Value::Array(_) | Value::Object(_))) =
                UniqueJson::parse(text.as_bytes())
        {
            *field = inner;
        }
    }
}

/// Parses the string of a field that may hold the fields of a call; some servers encode them twice. The text of a JSON file
/// is no call.
fn fields_of(name: &str, text: &str) -> Option<Value> {
    let is_call = |inner: &Value| {
        let has = |names: &[&str]| names.iter().any(|name| inner.get(name).is_some());
        FIELDS.contains(&name) || (has(&NAMES) && has(&FIELDS))
    };
    if !FIELDS.contains(&name) && name != "function" || !text.trim_start().starts_with(['{', '"']) {
        return None;
    }
    let mut inner = UniqueJson::parse(text.as_bytes()).ok()?;
    if let Value::String(text) = &inner {
        inner = UniqueJson::parse(text.as_bytes()).ok()?;
    }
    (inner.is_object() && is_call(&inner)).then_some(inner)
}
