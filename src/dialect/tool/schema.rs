//! Fits the fields of a call to the schema of a tool.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::tool_table::{TOOLS, Tool};

/// Fields that explain a call to a person, or that say how it is run, and change no edit.
const NOTES: [&str; 35] = [
    "CodeMarkdownLanguage",
    "Complexity",
    "Description",
    "Instruction",
    "TargetLintErrorIds",
    "call_id",
    "code_language",
    "description",
    "display_description",
    "explanation",
    "id",
    "instruction",
    "instruction_reminder",
    "instructions",
    "isDangerous",
    "is_dangerous",
    "justification",
    "language",
    "line_count",
    "lines_count",
    "reason",
    "reasoning",
    "requires_approval",
    "riskLevel",
    "safety",
    "security_risk",
    "status",
    "summary",
    "task_progress",
    "thought",
    "thoughts",
    "toolAction",
    "toolSummary",
    "tool_call_id",
    "waitForPreviousTools",
];

/// A word of a schema.
#[derive(Debug, Clone)]
enum SchemaWord {
    /// A field with a role.
    Field {
        role: &'static str,
        name: &'static str,
        optional: bool,
        /// The schema of the objects in it.
        inner: Option<Vec<SchemaWord>>,
    },
    /// A field that must hold a value.
    Constant {
        name: &'static str,
        value: &'static str,
        optional: bool,
    },
}

/// The schemas of all tools, in the order of the table.
static SCHEMAS: LazyLock<Vec<(&'static Tool, Vec<SchemaWord>)>> = LazyLock::new(|| {
    let parsed = |tool: &'static Tool| (tool, words(tool.fields));
    TOOLS.iter().map(parsed).collect()
});

/// Parses a schema, or the text between the brackets of one.
fn words(text: &'static str) -> Vec<SchemaWord> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let mut depth = 0_usize;
        let end = rest.find(|c: char| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => (),
            }
            c == ' ' && depth == 0
        });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        words.extend(self::word(word));
        rest = after.trim_start();
    }
    words
}

fn word(word: &'static str) -> Option<SchemaWord> {
    let (bare, optional) = match word.strip_suffix('?') {
        Some(bare) => (bare, true),
        None => (word, false),
    };
    let sign = bare.find(['=', ':'])?;
    let (left, right) = (&bare[..sign], &bare[sign + 1..]);
    if bare[sign..].starts_with(':') {
        return Some(SchemaWord::Constant {
            name: left,
            value: right,
            optional,
        });
    }
    let (name, inner) = match right.split_once('[') {
        Some((name, inner)) => (name, inner.strip_suffix(']').map(words)),
        None => (right, None),
    };
    Some(SchemaWord::Field {
        role: left,
        name,
        optional,
        inner,
    })
}

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
        let value = self.value(role)?;
        if let Some(text) = value.as_str() {
            return text.trim().parse().ok();
        }
        usize::try_from(value.as_u64()?).ok()
    }

    /// A truth value, which models also write as a string.
    pub(super) fn flag(&self, role: &str) -> Option<bool> {
        let value = self.value(role)?;
        value.as_bool().or_else(|| match value.as_str()?.trim() {
            "true" | "True" => Some(true),
            "false" | "False" => Some(false),
            _ => None,
        })
    }
}

/// Why fields do not fit a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SchemaMismatch {
    /// The schema has no such field.
    Unknown(String),
    /// The call lacks this field, or has something else in it.
    Missing(&'static str),
}

/// The rows for a tool of this name.
pub(in crate::dialect) fn named(name: &str) -> impl Iterator<Item = &'static Tool> {
    rows(name).map(|(tool, _)| *tool)
}

/// Returns the name of the tool that an element calls: a name in angle brackets is that of an element alone.
pub(in crate::dialect) fn element(tag: &str) -> Option<&'static str> {
    let is_it = |name: &&str| name.trim_matches(['<', '>']) == tag;
    let names = || SCHEMAS.iter().flat_map(|(tool, _)| tool.names).copied();
    let alone = names().find(|name| name.starts_with('<') && is_it(name));
    let bare = bare_name(tag);
    alone
        .or_else(|| names().find(is_it))
        .or_else(|| names().find(|name| *name == bare))
}

fn rows(name: &str) -> impl Iterator<Item = &'static (&'static Tool, Vec<SchemaWord>)> {
    let names = [name, bare_name(name)].map(folded);
    SCHEMAS.iter().filter(move |(tool, _)| {
        let mut known = tool.names.iter();
        known.any(|known| names.contains(&folded(known)))
    })
}

/// A tool's name without the name of the server or the namespace that provides it.
pub(super) fn bare_name(name: &str) -> &str {
    let name = name.rsplit("__").next().unwrap_or(name);
    name.rsplit([':', '/', '.']).next().unwrap_or(name)
}

fn folded(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns `true` for a field that changes no edit. Protocols reserve names with an underscore for what they add (`_meta`).
pub(super) fn is_note(name: &str) -> bool {
    NOTES.contains(&name) || name.starts_with('_')
}

/// Returns `true` for a field of a tool that holds a list of edits or of texts.
pub(in crate::dialect) fn is_list(tool: &str, field: &str) -> bool {
    let is_it = |word: &SchemaWord| {
        let SchemaWord::Field {
            role, name, inner, ..
        } = word
        else {
            return false;
        };
        *name == field && (inner.is_some() || matches!(*role, "patch" | "paths"))
    };
    rows(tool).any(|(_, words)| words.iter().any(is_it))
}

/// Returns `true` if any row for a tool has a field, or if it is a note.
pub(in crate::dialect) fn has_field(tool: &str, field: &str) -> bool {
    let is_it = |word: &SchemaWord| match word {
        SchemaWord::Field { name, .. } | SchemaWord::Constant { name, .. } => {
            *name == field || number_in(name, field).is_some()
        }
    };
    is_note(field) || rows(tool).any(|(_, words)| words.iter().any(is_it))
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
    let mut schemas = SCHEMAS.iter();
    let schema = schemas.find(|(known, _)| std::ptr::eq(*known, tool));
    bind(schema.map_or(&[][..], |(_, words)| words), fields, beside)
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
                    (Some(value), Some(inner)) => bound.several = elements(inner, name, value)?,
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
        Value::String(text) => text == value,
        Value::Bool(flag) => flag.to_string() == value,
        Value::Number(number) => number.to_string() == value,
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
        "line" | "near" | "last" | "start" | "end" | "count" => {
            value.is_u64() || as_word.is_some_and(|word| word.parse::<u64>().is_ok())
        }
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

/// Fits the objects of an array, or one object in place of an array.
fn elements<'v>(
    inner: &[SchemaWord],
    name: &'static str,
    value: &'v Value,
) -> Result<Vec<BoundFields<'v>>, SchemaMismatch> {
    let objects = value
        .as_array()
        .map_or_else(|| vec![value], |values| values.iter().collect());
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

/// The number in the name of a field whose name in a schema has a `#` in its place.
fn number_in(name: &str, field: &str) -> Option<usize> {
    let (before, after) = name.split_once('#')?;
    let digits = field.strip_prefix(before)?.strip_suffix(after)?;
    digits.parse().ok()
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

/// Returns a call of a tool with every field of its schema.
#[cfg(test)]
pub(super) fn sample(tool: &'static Tool) -> Map<String, Value> {
    let mut schemas = SCHEMAS.iter();
    let schema = schemas.find(|(known, _)| std::ptr::eq(*known, tool));
    fields_of(schema.map_or(&[][..], |(_, words)| words))
}

#[cfg(test)]
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

#[cfg(test)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_can_be_parsed() {
        let fields = |words: &[SchemaWord]| words.len();
        for (tool, schema) in SCHEMAS.iter() {
            assert_eq!(fields(schema), words(tool.fields).len(), "{}", tool.fields);
            assert!(fields(schema) > 0, "{}", tool.fields);
            let signs = tool.fields.matches(['=', ':']).count();
            let inner: usize = schema
                .iter()
                .map(|word| match word {
                    SchemaWord::Field { inner, .. } => inner.as_ref().map_or(0, Vec::len),
                    SchemaWord::Constant { .. } => 0,
                })
                .sum();
            assert_eq!(signs, fields(schema) + inner, "{}", tool.fields);
        }
    }

    #[test]
    fn names_lose_what_a_server_puts_before_them() {
        let check = |name: &str, expected: bool| {
            assert_eq!(named(name).next().is_some(), expected, "{name}");
        };
        check("Edit", true);
        check("mcp__fs__edit_file", true);
        check("developer__text_editor", true);
        check("functions.apply_patch", true);
        check("server.edit", true);
        check("default_api:replace_string_in_file", true);
        check("lint_file", false);
    }
}
