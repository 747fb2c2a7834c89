//! The schemas of tools, parsed from the table.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::tool_table::{TOOLS, Tool, ToolAction};

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
pub(super) enum SchemaWord {
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

/// Returns the schema of a tool of the table.
pub(super) fn words_of(tool: &Tool) -> &'static [SchemaWord] {
    let mut schemas = SCHEMAS.iter();
    let schema = schemas.find(|(known, _)| std::ptr::eq(*known, tool));
    schema.map_or(&[], |(_, words)| words)
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

/// The most separators of a name behind which the name of a tool may begin: a server and its own one have a few.
const MOST_PARTS: usize = 4;

fn rows(name: &str) -> impl Iterator<Item = &'static (&'static Tool, Vec<SchemaWord>)> {
    let parts = name.rmatch_indices([':', '/', '.']).take(MOST_PARTS);
    let parts = parts.map(|(at, _)| &name[at + 1..]);
    let names = [name, bare_name(name)].into_iter().chain(parts);
    // Names that differ in their capitals are those of other tools, if a row has the very name.
    let rows_of = |name| {
        let rows = ROWS_OF_NAMES.get(&folded(name)).into_iter().flatten();
        rows.map(move |row| (!SCHEMAS[*row].0.names.contains(&name), *row))
    };
    let found: BTreeSet<(bool, usize)> = names.flat_map(rows_of).collect();
    found.into_iter().map(|(_, row)| &SCHEMAS[row])
}

/// The positions of the rows for each name in small letters.
static ROWS_OF_NAMES: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut rows: HashMap<String, Vec<usize>> = HashMap::new();
    for (row, (tool, _)) in SCHEMAS.iter().enumerate() {
        for name in tool.names {
            rows.entry(folded(name)).or_default().push(row);
        }
    }
    rows
});

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
pub(in crate::dialect) fn is_note(name: &str) -> bool {
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

/// Returns `true` for a field of a tool that holds the whole text of a file.
pub(in crate::dialect) fn is_whole_text(tool: &str, field: &str) -> bool {
    let is_it = |word: &SchemaWord| matches!(word, SchemaWord::Field { role: "text", name, .. } if *name == field);
    let writes = |action| {
        use ToolAction::{Create, CreateLines, Write, WriteTrimmed};
        matches!(action, Create | CreateLines | Write | WriteTrimmed)
    };
    rows(tool).any(|(tool, words)| writes(tool.action) && words.iter().any(is_it))
}

/// Returns `true` for a tool that writes the text between its tags without the blanks around it.
pub(in crate::dialect) fn trims_text(tool: &str) -> bool {
    rows(tool).any(|(tool, _)| tool.action == ToolAction::WriteTrimmed)
}

/// Returns `true` for a field of a tool that holds the name of a file.
pub(in crate::dialect) fn names_file(tool: &str, field: &str) -> bool {
    let is_it = |word: &SchemaWord| matches!(word, SchemaWord::Field { role: "path" | "to", name, .. } if *name == field);
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

/// Returns `true` for the name of a tool or of a field of one.
pub(in crate::dialect) fn has_word(name: &str) -> bool {
    fn has_field(words: &[SchemaWord], name: &str) -> bool {
        words.iter().any(|word| match word {
            SchemaWord::Field {
                name: known, inner, ..
            } => *known == name || inner.as_deref().is_some_and(|inner| has_field(inner, name)),
            SchemaWord::Constant { name: known, .. } => *known == name,
        })
    }
    element(name).is_some() || SCHEMAS.iter().any(|(_, words)| has_field(words, name))
}

/// The number in the name of a field whose name in a schema has a `#` in its place.
pub(super) fn number_in(name: &str, field: &str) -> Option<usize> {
    let (before, after) = name.split_once('#')?;
    let digits = field.strip_prefix(before)?.strip_suffix(after)?;
    digits.parse().ok()
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
        check("default_api:container.exec", true);
        check("lint_file", false);
    }
}
