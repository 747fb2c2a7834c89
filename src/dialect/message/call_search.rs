//! Calls of known tools in fields of any name, for messages of clients that are not known.
//!
//! Only what cannot be anything else is a call: the name of a tool of the table beside fields that it takes. The two may be
//! at the ends of longer names, as the conventions of `OpenTelemetry` write them (`gen_ai.tool.name`,
//! `gen_ai.tool.call.arguments`), or the name may be the key of the fields (`{"editToolCall": {"args": {…}}}`).

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use super::call_outcome::CallOutcome;
use super::call_result::{CallResult, call_id};
use super::message_fields::FIELDS;
use super::message_role::{OTHERS, PEOPLE};
use super::unfinished;
use crate::dialect::tool::ast_grep;
use crate::dialect::tool::schema;
use crate::dialect::tool::tool_match::{by_name, fits, has_rows, words};
use crate::text::UniqueJson;

/// Keys of what tools answered, and of the definitions of tools.
pub(super) const NO_CALLS: [&str; 10] = [
    "tools",
    "functions",
    "tool_results",
    "toolUseResult",
    "toolResult",
    "result",
    "results",
    "observation",
    "examples",
    "permission_denials",
];

/// Calls of known tools in a value, and results of calls in fields of any name.
#[derive(Debug, Default)]
pub(super) struct CallSearch {
    /// The calls, each with its name where it has one.
    pub(super) calls: Vec<Value>,
    /// The results of calls that were not carried out.
    pub(super) failures: Vec<Value>,
}

/// Returns `true` for a value with a call of a known tool.
pub(in crate::dialect) fn has_calls(value: &Value) -> bool {
    !CallSearch::of(value).calls.is_empty()
}

impl CallSearch {
    /// Searches a value.
    pub(super) fn of(value: &Value) -> Self {
        let mut search = Self::default();
        search.visit(value, None);
        search
    }

    fn add(&mut self, mut call: Value, id: Option<&str>) {
        if let (Some(id), Some(fields)) = (id, call.as_object_mut()) {
            fields.insert("id".to_owned(), id.into());
        }
        self.calls.push(call);
    }

    /// Visits a value within a message or a call of this name.
    fn visit(&mut self, value: &Value, id: Option<&str>) {
        match value {
            // Matches are in an order of their own.
            Value::Array(values) if ast_grep::rewrites(values).is_some() => {
                self.calls.push(value.clone());
            }
            Value::Array(values) => values.iter().for_each(|value| self.visit(value, id)),
            Value::Object(_) if is_protocol(value) => self.calls.push(value.clone()),
            Value::Object(fields) => self.object(fields, id),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, outer: Option<&str>) {
        let id = call_id(fields).or_else(|| outer.map(str::to_owned));
        let word = |name: &str| fields.get(name).and_then(Value::as_str);
        let kinds = [word("role"), word("type"), word("from")];
        let is_other =
            |kind: &str| kind == "tool" || [&PEOPLE[..], &OTHERS].concat().contains(&kind);
        if kinds.into_iter().flatten().any(is_other) {
            return self.results(fields);
        }
        self.contents(fields, id.as_deref());
        let cut = unfinished::stated(fields).filter(|_| !self.calls.is_empty());
        (self.calls).extend(cut.map(|stated| unfinished::message(&stated)));
    }

    /// Visits the contents of an object in a call of this name.
    fn contents(&mut self, fields: &Map<String, Value>, id: Option<&str>) {
        let word = |name: &str| fields.get(name).and_then(Value::as_str);
        let mut found = named(fields);
        // A conversation for training, in the form of ShareGPT.
        if word("from") == Some("function_call")
            && let Some(call) = fields.get("value").and_then(object_of)
        {
            found = named(&call);
        }
        if !found.is_empty() {
            return found.into_iter().for_each(|call| self.add(call, id));
        }
        for (key, value) in fields {
            match value {
                // The answer of a server may be an edit.
                _ if key == "result" && fields.contains_key("jsonrpc") => self.visit(value, id),
                Value::Object(inner) if NO_CALLS.contains(&key.as_str()) => self.results(inner),
                Value::Array(values) if NO_CALLS.contains(&key.as_str()) => {
                    for inner in values.iter().filter_map(Value::as_object) {
                        self.results(inner);
                    }
                }
                _ if NO_CALLS.contains(&key.as_str()) => (),
                Value::Object(inner) => match keyed(key, inner) {
                    Some(call) => self.add(call, id),
                    None => self.visit(value, id),
                },
                Value::Array(_)
                | Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_) => self.visit(value, id),
            }
        }
    }

    /// Collects the results of calls that failed.
    fn results(&mut self, fields: &Map<String, Value>) {
        if let Some(result) = CallResult::of(fields) {
            let ids = result.ids.into_iter();
            let failures =
                ids.map(|id| json!({ "type": "tool_result", "tool_use_id": id, "is_error": true }));
            if result.outcome == CallOutcome::Failed {
                self.failures.extend(failures);
            }
            return;
        }
        for value in fields.values() {
            match value {
                Value::Object(inner) => self.results(inner),
                Value::Array(values) => {
                    for inner in values.iter().filter_map(Value::as_object) {
                        self.results(inner);
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
            }
        }
    }
}

/// Returns `true` for an edit in a form that needs no name of a tool: a match of ast-grep, a diff of the Agent Client Protocol, a call
/// of `OpenAI`'s `apply_patch`.
fn is_protocol(value: &Value) -> bool {
    let kind = value.get("type").and_then(Value::as_str);
    let has = |name: &str| value.get(name).is_some();
    match kind {
        Some("apply_patch_call") => has("operation"),
        Some("diff") => (has("changes") && has("patch")) || (has("path") && has("newText")),
        Some(_) | None => ast_grep::rewrite(value).is_some(),
    }
}

/// The calls whose names are in fields of an object, each with its fields in one that begins with the same words
/// (`next_tool_name`, `next_tool_args`).
fn named(fields: &Map<String, Value>) -> Vec<Value> {
    let mut calls = Vec::new();
    let mut inner: Option<FieldsByPath> = None;
    for (key, value) in fields {
        let Some(tool) = value.as_str() else {
            continue;
        };
        let Some(path) = before_last(key, &NAMES).filter(|_| has_rows(tool)) else {
            continue;
        };
        let inner = inner.get_or_insert_with(|| fields_by_path(fields));
        let found = inner.get(&path).and_then(|value| object_of(value));
        if let Some(found) = found.filter(|found| by_name(tool, found).is_some()) {
            calls.push(json!({ "name": tool, "arguments": found }));
        }
    }
    calls
}

/// The fields that hold the fields of a call, by the words that their names begin with.
type FieldsByPath<'v> = FxHashMap<Vec<String>, &'v Value>;

/// The most words of such a beginning.
const MOST_WORDS: usize = 8;

fn fields_by_path(fields: &Map<String, Value>) -> FieldsByPath<'_> {
    let mut found = FieldsByPath::default();
    for (key, value) in fields {
        let is_call = value.is_object() || value.is_string();
        let Some(path) = before_last(key, &FIELDS).filter(|_| is_call) else {
            continue;
        };
        // `gen_ai.tool.call.arguments` are those of `gen_ai.tool.name` too.
        let least = usize::from(!path.is_empty());
        for length in least..=path.len().min(MOST_WORDS) {
            found.entry(path[..length].to_vec()).or_insert(value);
        }
    }
    found
}

/// Returns the tool that a field with a prefix names among the fields of its call (`cb_tool_name`), and the fields of that prefix.
pub(super) fn prefixed_name(fields: &Map<String, Value>) -> Option<(&str, Vec<&str>)> {
    fields.iter().find_map(|(key, value)| {
        let tool = value.as_str()?;
        let path = before_last(key, &NAMES).filter(|path| !path.is_empty() && has_rows(tool))?;
        let same = fields.keys().filter(|key| words(key).starts_with(&path));
        Some((tool, same.map(String::as_str).collect()))
    })
}

/// The call whose tool is the key of its fields.
fn keyed(key: &str, inner: &Map<String, Value>) -> Option<Value> {
    let tool = key.strip_suffix("ToolCall").unwrap_or(key);
    schema::named(tool).next()?;
    let nested = FIELDS.iter().find_map(|name| inner.get(*name)?.as_object());
    let fields = nested.unwrap_or(inner);
    fits(tool, fields).then(|| json!({ "name": tool, "arguments": fields }))
}

/// Names of fields that name a tool.
const NAMES: [&str; 4] = ["tool_name", "function_name", "name", "tool"];

/// The words of a key before the longest of these names that it ends with.
fn before_last(key: &str, names: &[&str]) -> Option<Vec<String>> {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let names: Vec<String> = names.iter().map(|name| letters(name)).collect();
    let whole = letters(key);
    if !names.iter().any(|name| whole.ends_with(name)) {
        return None;
    }
    let longest = names.iter().map(String::len).max()?;
    let mut words = words(key);
    let (mut last, mut start) = (String::new(), None);
    for (at, word) in words.iter().enumerate().rev() {
        last.insert_str(0, word);
        if last.len() > longest {
            break;
        }
        if names.contains(&last) {
            start = Some(at);
        }
    }
    words.truncate(start?);
    Some(words)
}

/// Returns the fields of a call, which may be a string of JSON.
fn object_of(value: &Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) => Some(fields.clone()),
        Value::String(text) if text.trim_start().starts_with('{') => {
            let value = UniqueJson::parse(text.as_bytes()).ok()?;
            object_of(&value)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_in_fields_of_any_name() {
        let args = || json!({"file_path": "a", "old_string": "b", "new_string": "c"});
        let check = |value: &Value, expected: usize| {
            assert_eq!(CallSearch::of(value).calls.len(), expected, "{value}");
        };
        let call = || json!({"id": "1", "name": "Edit", "input": args()});
        check(&json!({"predictions": [{"x": call()}, call()]}), 2);
        check(
            &json!({"a.tool.name": "Edit", "a.tool.call.arguments": args().to_string()}),
            1,
        );
        check(&json!({"b.tool.name": "Edit", "a.arguments": args()}), 0);
        check(&json!({"x": {"editToolCall": {"args": args()}}}), 1);
        let edits = json!([{"op": "replace", "pos": "2#ZX", "lines": "b"}]);
        check(&json!({"edit": {"path": "a", "edits": edits}}), 1);
        check(&json!({"FunctionName": "Edit", "Arguments": args()}), 1);
        let patch = || json!({"type": "apply_patch_call", "operation": {"type": "delete_file", "path": "a"}});
        check(&json!({"record": patch()}), 1);
        check(&json!({"jsonrpc": "2.0", "result": {"item": patch()}}), 1);
        check(&json!({"result": {"item": patch()}}), 0);
        let found = || json!({"text": "a", "file": "f", "range": {"start": {"line": 0}}, "replacement": "b"});
        check(&json!({"log": [found(), found()]}), 1);
        check(
            &json!({"next_tool_name": "Edit", "next_tool_args": args()}),
            1,
        );
        // Neither what a person sent, nor definitions, nor results are calls, nor the fields of another tool.
        check(&json!({"role": "user", "x": call()}), 0);
        check(&json!({"tools": [call()], "results": [call()]}), 0);
        check(&json!({"x": {"name": "Edit", "input": {"a": 1}}}), 0);
        check(&json!({"x": {"edit": {"path": "a"}}}), 0);
    }
}
