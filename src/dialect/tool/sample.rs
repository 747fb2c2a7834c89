//! Calls of the tools of the table, for tests.

use serde_json::{Map, Value};

use super::schema::{SchemaWord, words_of};
use super::tool_table::Tool;

/// Returns a call of a tool with every field of its schema.
pub(super) fn sample(tool: &'static Tool) -> Map<String, Value> {
    fields_of(words_of(tool))
}

fn fields_of(words: &[SchemaWord]) -> Map<String, Value> {
    let field = |word: &SchemaWord| match word {
        SchemaWord::Constant { name: "*", .. } => None,
        SchemaWord::Constant { name, value, .. } => {
            let json = serde_json::from_str(value);
            Some((*name, json.unwrap_or_else(|_| Value::from(*value))))
        }
        SchemaWord::Field {
            name,
            inner: Some(inner),
            ..
        } => Some((*name, Value::from(vec![Value::from(fields_of(inner))]))),
        SchemaWord::Field { role, name, .. } => Some((*name, sample_of_role(role))),
    };
    let fields = words.iter().filter_map(field);
    fields
        .map(|(name, value)| (name.replace('#', "1"), value))
        .collect()
}

fn sample_of_role(role: &str) -> Value {
    match role {
        "every" | "overwrite" | "empty" | "ends" | "leading" | "trailing" => false.into(),
        "line" | "near" | "last" | "start" | "end" | "count" => 1.into(),
        "paths" => vec!["f"].into(),
        "kind" => "code".into(),
        "edit" => "replace".into(),
        role => role.into(),
    }
}
