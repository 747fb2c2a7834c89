//! What a tool call in JSON asks for, told by the names of its fields.
//!
//! Claude Code (`Edit`, `MultiEdit`, `Write`, `NotebookEdit`), `OpenHands` (`str_replace_editor`), opencode, Gemini, Roo Code's
//! and Cline's native calls, Codex (`apply_patch`): the tools differ in the names, hardly in the meaning. The call may be
//! bare, or in the envelopes of the model APIs and of agents' hooks.
//!
//! Agents that speak the Agent Client Protocol (<https://agentclientprotocol.com>) show an edit as `{"type": "diff", "path",
//! "oldText", "newText"}` in the `content` of a tool call, before it (`session/request_permission`) or as it goes
//! (`session/update`); without an old text the file is new.

use serde_json::{Map, Value};

use crate::proposal::{CellEdit, CellKind};

/// One thing that a call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask<'v> {
    /// One text in place of another.
    Replace {
        path: &'v str,
        old: &'v str,
        new: &'v str,
        every: Every,
    },
    /// New lines after a line.
    Insert {
        path: &'v str,
        after: usize,
        text: &'v str,
    },
    /// A new file.
    Create { path: &'v str, text: &'v str },
    /// New code with marks for what stays.
    Sketch { path: &'v str, text: &'v str },
    /// New contents for a file.
    Write { path: &'v str, text: &'v str },
    /// An edit of one cell of a notebook.
    Cell {
        path: &'v str,
        cell: Option<&'v str>,
        edit: CellEdit,
        kind: Option<CellKind>,
        source: &'v str,
    },
    /// A text in another dialect.
    Edits {
        path: Option<&'v str>,
        text: &'v str,
    },
    /// An edit that cannot be made here.
    Other {
        path: &'v str,
        found: &'static str,
        expected: &'static str,
    },
}

/// Whether a text is replaced once or everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Every {
    Once,
    Time,
}

const PATH: [&str; 8] = [
    "file_path",
    "filePath",
    "path",
    "target_file",
    "notebook_path",
    "absolute_path",
    "filename",
    "file",
];
const OLD: [&str; 7] = [
    "old_string",
    "oldString",
    "old_str",
    "old_text",
    "oldText",
    "search",
    "old_content",
];
const NEW: [&str; 7] = [
    "new_string",
    "newString",
    "new_str",
    "new_text",
    "newText",
    "replace",
    "new_content",
];
const EVERY: [&str; 3] = ["replace_all", "replaceAll", "allow_multiple"];
const CONTENTS: [&str; 4] = ["content", "file_text", "contents", "new_source"];
const EDITS: [&str; 4] = ["diff", "patch", "patchText", "patch_text"];
/// What holds the call's own fields, in the envelopes around it.
const INNER: [&str; 10] = [
    "tool_input",
    "toolInput",
    "input",
    "arguments",
    "args",
    "parameters",
    "params",
    "function",
    "toolCall",
    "update",
];
/// What holds several calls.
const SEVERAL: [&str; 5] = ["tool_calls", "toolCalls", "calls", "operations", "content"];
/// What may stand beside a path and contents: other JSON has those as well, but with fields of its own.
const BESIDE: [&str; 9] = [
    "description",
    "explanation",
    "instruction",
    "instructions",
    "line_count",
    "overwrite",
    "reason",
    "requires_approval",
    "task_progress",
];

/// Whether a text that is no valid JSON looks like a call that was cut off or written wrong.
pub(super) fn is_likely(text: &str) -> bool {
    let quoted = |name: &&str| text.contains(&format!("\"{name}\""));
    let mut fields = OLD.iter().chain(&EDITS).chain(&CONTENTS);
    text.contains("*** Begin Patch") || (PATH.iter().any(quoted) && fields.any(quoted))
}

/// Everything that a value asks for; nothing if it is no call.
pub(super) fn asks(value: &Value) -> Vec<Ask<'_>> {
    let mut asks = Vec::new();
    collect(value, &mut asks);
    asks
}

/// The value inside a string of JSON, as some APIs send a call's arguments.
pub(super) fn unwrapped(mut value: Value) -> Value {
    unwrap_arguments(&mut value);
    value
}

fn unwrap_arguments(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(unwrap_arguments),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if let Value::String(text) = field {
                    if !INNER.contains(&name.as_str()) || !text.trim_start().starts_with('{') {
                        continue;
                    }
                    if let Ok(inner) = serde_json::from_str(text) {
                        *field = inner;
                    }
                } else {
                    unwrap_arguments(field);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn collect<'v>(value: &'v Value, asks: &mut Vec<Ask<'v>>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, asks)),
        Value::Object(fields) => {
            if let Some(found) = of_fields(fields) {
                asks.extend(found);
                return;
            }
            let inner = INNER
                .iter()
                .chain(&SEVERAL)
                .filter_map(|name| fields.get(*name));
            for value in inner {
                collect(value, asks);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// What the fields of one object ask for, if they are a call's.
fn of_fields(fields: &Map<String, Value>) -> Option<Vec<Ask<'_>>> {
    let path = text(fields, &PATH);
    if let Some(text) = text(fields, &EDITS).or_else(|| envelope(fields)) {
        return Some(vec![Ask::Edits { path, text }]);
    }
    let path = path?;
    if fields.contains_key("notebook_path") {
        return Some(vec![cell(fields, path)?]);
    }
    if let Some(command) = text(fields, &["command"]) {
        return commanded(command, fields, path);
    }
    if let Some(Value::Array(edits)) = fields.get("edits") {
        let found = "an edit without an old text";
        let refused = refusal(path, found, "'old_string' and 'new_string' in each");
        let replaced: Option<_> = edits
            .iter()
            .map(|edit| replacement(edit.as_object()?, path))
            .collect();
        return Some(replaced.unwrap_or_else(|| vec![refused]));
    }
    if let Some(ask) = replacement(fields, path) {
        return Some(vec![ask]);
    }
    if let Some(text) = text(fields, &["code_edit", "edit_snippet", "editSnippet"]) {
        return Some(vec![Ask::Sketch { path, text }]);
    }
    let is_write = |name: &String| {
        let mut names = PATH.iter().chain(&CONTENTS).chain(&BESIDE);
        names.any(|known| known == name)
    };
    let text = text(fields, &CONTENTS).filter(|_| fields.keys().all(is_write))?;
    Some(vec![Ask::Write { path, text }])
}

/// The commands of `str_replace_editor`.
fn commanded<'v>(
    command: &str,
    fields: &'v Map<String, Value>,
    path: &'v str,
) -> Option<Vec<Ask<'v>>> {
    let ask = match command {
        "create" => Ask::Create {
            path,
            text: text(fields, &CONTENTS).unwrap_or_default(),
        },
        "str_replace" => replacement(fields, path)?,
        "insert" => Ask::Insert {
            path,
            after: usize::try_from(fields.get("insert_line")?.as_u64()?).ok()?,
            text: text(fields, &NEW)?,
        },
        "undo_edit" => refusal(
            path,
            "'undo_edit'",
            "an edit; `countersign undo` takes back a batch",
        ),
        _ => return None,
    };
    Some(vec![ask])
}

/// An old text and its new one. Without the new one the old one goes; an empty old one makes the file.
fn replacement<'v>(fields: &'v Map<String, Value>, path: &'v str) -> Option<Ask<'v>> {
    let old = text(fields, &OLD).or_else(|| is_new_file(fields).then_some(""))?;
    let new = text(fields, &NEW).unwrap_or_default();
    if old.is_empty() {
        return Some(Ask::Create { path, text: new });
    }
    let is_set = |name: &&str| fields.get(*name).and_then(Value::as_bool) == Some(true);
    let expected = fields.get("expected_replacements").and_then(Value::as_u64);
    let every = if EVERY.iter().any(is_set) || expected.is_some_and(|count| count > 1) {
        Every::Time
    } else {
        Every::Once
    };
    Some(Ask::Replace {
        path,
        old,
        new,
        every,
    })
}

/// Whether a diff of the Agent Client Protocol has no old text because there is no old file.
fn is_new_file(fields: &Map<String, Value>) -> bool {
    let is_diff = fields.get("type").and_then(Value::as_str) == Some("diff");
    let is_none = fields.get("oldText").is_none_or(Value::is_null);
    is_diff && is_none && text(fields, &["newText"]).is_some()
}

/// An edit of a notebook's cell.
fn cell<'v>(fields: &'v Map<String, Value>, path: &'v str) -> Option<Ask<'v>> {
    let edit = match text(fields, &["edit_mode"]).unwrap_or("replace") {
        "replace" => CellEdit::Replace,
        "insert" => CellEdit::Insert,
        "delete" => CellEdit::Delete,
        _ => {
            let expected = "'replace', 'insert' or 'delete'";
            return Some(refusal(path, "another 'edit_mode'", expected));
        }
    };
    let kind = match text(fields, &["cell_type"]) {
        Some(name) => {
            let Some(kind) = CellKind::named(name) else {
                let expected = "'code', 'markdown' or 'raw'";
                return Some(refusal(path, "another 'cell_type'", expected));
            };
            Some(kind)
        }
        None => None,
    };
    let cell = text(fields, &["cell_id"]);
    let source = text(fields, &["new_source"]);
    let whole = match edit {
        CellEdit::Replace => cell.is_some() && source.is_some(),
        CellEdit::Insert => kind.is_some() && source.is_some(),
        CellEdit::Delete => cell.is_some(),
    };
    if !whole {
        let expected = match edit {
            CellEdit::Replace => "'cell_id' and 'new_source'",
            CellEdit::Insert => "'cell_type' and 'new_source'",
            CellEdit::Delete => "'cell_id'",
        };
        // A notebook that is only read has none of them.
        let is_edit = cell.is_some() || source.is_some() || fields.contains_key("edit_mode");
        return is_edit.then(|| refusal(path, "an edit of a cell that is not whole", expected));
    }
    Some(Ask::Cell {
        path,
        cell,
        edit,
        kind,
        source: source.unwrap_or_default(),
    })
}

/// The patch in a call of `apply_patch`, which may be a shell command in one string or in several.
fn envelope(fields: &Map<String, Value>) -> Option<&str> {
    let is_patch = |text: &&str| text.contains("*** Begin Patch");
    ["input", "command", "cmd"]
        .iter()
        .find_map(|name| match fields.get(*name)? {
            Value::String(text) => Some(text.as_str()).filter(is_patch),
            Value::Array(words) => words.iter().filter_map(Value::as_str).find(is_patch),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        })
}

fn refusal<'v>(path: &'v str, found: &'static str, expected: &'static str) -> Ask<'v> {
    Ask::Other {
        path,
        found,
        expected,
    }
}

/// The first of these fields that is a text.
fn text<'v>(fields: &'v Map<String, Value>, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| fields.get(*name)?.as_str())
}
