//! Fits the fields of a call to the schema of a tool.

use serde_json::{Map, Value};

use super::schema::{SchemaWord, is_note, number_in, words_of};
use super::tool_table::Tool;

/// The fields of a call by their roles.
#[derive(Debug, Clone, Default)]
pub(super) struct BoundFields<'v> {
    values: Vec<(&'static str, &'v Value)>,
    /// The same for each object of an array, or for each number of numbered fields.
    pub(super) several: Vec<BoundFields<'v>>,
}

impl<'v> BoundFields<'v> {
    pub(super) fn value(&self, role: &str) -> Option<&'v Value> {
        let mut values = self.values.iter();
        values.find_map(|(known, value)| (*known == role).then_some(*value))
    }

    pub(super) fn text(&self, role: &str) -> Option<&'v str> {
        self.value(role)?.as_str()
    }

    /// Returns `true` if there is a field beside that of the file.
    pub(super) fn is_more_than_a_path(&self) -> bool {
        self.values.iter().any(|(role, _)| *role != "path")
    }

    /// A number, which models also write as a string.
    pub(super) fn number(&self, role: &str) -> Option<usize> {
        usize::try_from(whole_number(self.value(role)?)?).ok()
    }

    /// A truth value, which models also write as a string.
    pub(super) fn flag(&self, role: &str) -> Option<bool> {
        let value = self.value(role)?;
        value
            .as_bool()
            .or_else(|| value.as_str()?.trim().to_lowercase().parse().ok())
    }
}

/// Reads a number of lines or places. Models write it as a string, and servers that keep fields in a `Struct` of protobuf
/// write it with a fraction of 0.
fn whole_number(value: &Value) -> Option<u64> {
    if let Some(text) = value.as_str() {
        return text.trim().parse().ok();
    }
    value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        format!("{number:.0}").parse().ok()
    })
}

/// Why fields do not fit a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SchemaMismatch {
    /// The schema has no such field.
    Unknown(String),
    /// The call lacks this field, or has something else in it.
    Missing(&'static str),
}

/// Fits fields to the schema of a tool.
pub(super) fn fit<'v>(
    tool: &Tool,
    fields: &'v Map<String, Value>,
) -> Result<BoundFields<'v>, SchemaMismatch> {
    fit_beside(tool, fields, &[])
}

/// Fits fields to the schema of a tool, where there are others of these names beside them.
pub(super) fn fit_beside<'v>(
    tool: &Tool,
    fields: &'v Map<String, Value>,
    beside: &[&str],
) -> Result<BoundFields<'v>, SchemaMismatch> {
    bind(words_of(tool), fields, beside)
}

fn bind<'v>(
    schema: &[SchemaWord],
    fields: &'v Map<String, Value>,
    beside: &[&str],
) -> Result<BoundFields<'v>, SchemaMismatch> {
    let mut bound = BoundFields::default();
    let mut used: Vec<&str> = Vec::new();
    let given = |name: &str| fields.get(name).filter(|value| !value.is_null());
    for word in schema {
        match word {
            SchemaWord::Constant {
                name,
                value,
                optional,
            } => {
                let fits = match given(name) {
                    None => *optional,
                    Some(found) => *value == "*" || is_constant(found, value),
                };
                if !fits {
                    return Err(SchemaMismatch::Missing(name));
                }
                used.push(name);
            }
            SchemaWord::Field { name, .. } if name.contains('#') => (),
            SchemaWord::Field {
                role,
                name,
                optional,
                inner,
            } => {
                match (given(name), inner) {
                    (None, _) if *optional => (),
                    (None, _) => return Err(SchemaMismatch::Missing(name)),
                    (Some(value), None) => {
                        if !is_of_role(role, value) {
                            return Err(SchemaMismatch::Missing(name));
                        }
                        bound.values.push((role, value));
                    }
                    (Some(value), Some(inner)) => {
                        bound.several = elements(inner, role, name, value)?;
                    }
                }
                used.push(name);
            }
        }
    }
    let numbered = numbered(schema, fields)?;
    let takes_any = used.contains(&"*");
    let own =
        |name: &str| takes_any || used.contains(&name) || is_note(name) || beside.contains(&name);
    for name in fields.keys() {
        let is_numbered = numbered.iter().any(|(known, _)| known == name);
        if !own(name) && !is_numbered && given(name).is_some() {
            return Err(SchemaMismatch::Unknown(name.clone()));
        }
    }
    if let Some(groups) = groups(schema, &numbered, fields)? {
        bound.several = groups;
    }
    Ok(bound)
}

fn is_constant(found: &Value, value: &str) -> bool {
    match found {
        Value::String(text) if matches!(value, "true" | "false") => {
            text.trim().eq_ignore_ascii_case(value)
        }
        Value::String(text) => text == value,
        Value::Bool(flag) => flag.to_string() == value,
        Value::Number(number) => {
            let number = number.to_string();
            number.strip_suffix(".0").unwrap_or(&number) == value
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Returns `true` for a value of the type that a role has.
fn is_of_role(role: &str, value: &Value) -> bool {
    let as_word = value.as_str().map(str::trim);
    match role {
        "every" | "overwrite" | "empty" | "ends" | "leading" | "trailing" => {
            value.is_boolean()
                || as_word
                    .is_some_and(|word| matches!(word.to_lowercase().as_str(), "true" | "false"))
        }
        "line" | "near" | "last" | "start" | "end" | "count" => whole_number(value).is_some(),
        "patch" | "paths" => value.is_string() || is_words(value),
        "timeout" | "yield" | "login" | "project" | "workdir" | "cwd" | "symbol" | "fuzzy"
        | "rejects" => true,
        _ => value.is_string(),
    }
}

/// Returns `true` for a command as a list of words, or a list of texts.
fn is_words(value: &Value) -> bool {
    let words = value.as_array();
    words.is_some_and(|words| !words.is_empty() && words.iter().all(Value::is_string))
}

/// Fits the objects of an array, or one object in place of an array, which few tools take: Claude Code answers a `MultiEdit` of that kind
/// with an `InputValidationError`.
fn elements<'v>(
    inner: &[SchemaWord],
    role: &str,
    name: &'static str,
    value: &'v Value,
) -> Result<Vec<BoundFields<'v>>, SchemaMismatch> {
    let objects: Vec<&Value> = match value.as_array() {
        Some(values) => values.iter().collect(),
        None if role == "edits_or_one" => vec![value],
        None => Vec::new(),
    };
    if objects.is_empty() {
        return Err(SchemaMismatch::Missing(name));
    }
    let bound = objects.into_iter().map(|object| {
        let fields = object.as_object().ok_or(SchemaMismatch::Missing(name))?;
        bind(inner, fields, &[])
    });
    bound.collect()
}

/// The fields whose names are those of the schema with a number, and their numbers.
fn numbered(
    schema: &[SchemaWord],
    fields: &Map<String, Value>,
) -> Result<Vec<(String, usize)>, SchemaMismatch> {
    let mut found = Vec::new();
    for word in schema {
        let SchemaWord::Field { name, .. } = word else {
            continue;
        };
        if !name.contains('#') {
            continue;
        }
        for field in fields.keys() {
            let number = number_in(name, field);
            found.extend(number.map(|number| (field.clone(), number)));
        }
        if found.is_empty() {
            return Err(SchemaMismatch::Missing(name));
        }
    }
    Ok(found)
}

/// The numbered fields of each number, in the order of the numbers.
fn groups<'v>(
    schema: &[SchemaWord],
    numbered: &[(String, usize)],
    fields: &'v Map<String, Value>,
) -> Result<Option<Vec<BoundFields<'v>>>, SchemaMismatch> {
    if numbered.is_empty() {
        return Ok(None);
    }
    let mut numbers: Vec<usize> = numbered.iter().map(|(_, number)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut groups = Vec::new();
    for number in numbers {
        let mut group = BoundFields::default();
        for word in schema {
            let SchemaWord::Field {
                role,
                name,
                optional,
                ..
            } = word
            else {
                continue;
            };
            let Some((before, after)) = name.split_once('#') else {
                continue;
            };
            match fields.get(&format!("{before}{number}{after}")) {
                Some(value) if is_of_role(role, value) => group.values.push((role, value)),
                None if *optional => (),
                Some(_) | None => return Err(SchemaMismatch::Missing(name)),
            }
        }
        groups.push(group);
    }
    Ok(Some(groups))
}
