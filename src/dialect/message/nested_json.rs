//! Values in JSON that are strings in another value: the fields of a call, a list in one of them.

use serde_json::{Map, Value};

use super::message_fields::{FIELDS, tool_name};
use crate::dialect::tool::schema;
use crate::dialect::tool::tool_match::{self, NAMES};
use crate::text::UniqueJson;

/// Replaces strings of JSON that hold the fields of a call by their value.
pub(in crate::dialect) fn unwrapped(mut value: Value) -> Value {
    unwrap_strings(&mut value);
    value
}

fn unwrap_strings(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(unwrap_strings),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if let Value::String(text) = field {
                    if let Some(inner) = fields_of(name, text) {
                        *field = inner;
                    }
                } else {
                    unwrap_strings(field);
                }
            }
            join_named_values(fields);
            unwrap_lists(fields);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
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
