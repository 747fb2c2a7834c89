//! Finds the tool that the fields of a call fit, or the name by which the call is refused.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::bind::{self, SchemaMismatch};
use super::edit_request::{CallEdit, EditRequest, Every, act, replacement};
use super::hashline;
use super::schema;
use super::tool_table::{TOOLS, Tool, ToolAction};

/// Fields that hold the name of the tool.
pub(in crate::dialect) const NAMES: [&str; 7] = [
    "name",
    "tool_name",
    "toolName",
    "tool",
    "recipient_name",
    "action",
    "function_name",
];
/// Fields that name a file, and fields that hold its text: a call with one of each is an edit that nobody knows.
pub(super) const PATHS: [&str; 17] = [
    "file_path",
    "filePath",
    "filepath",
    "path",
    "target_file",
    "notebook_path",
    "absolute_path",
    "filename",
    "file_name",
    "file",
    "TargetFile",
    "relative_path",
    "relative_file_path",
    "pathInProject",
    "uri",
    "targetFile",
    "target",
];
pub(super) const TEXTS: [&str; 41] = [
    "content",
    "contents",
    "file_text",
    "file_content",
    "text",
    "code",
    "code_edit",
    "body",
    "new_source",
    "old_string",
    "new_string",
    "oldString",
    "newString",
    "old_str",
    "new_str",
    "oldStr",
    "newStr",
    "old_text",
    "new_text",
    "oldText",
    "newText",
    "old_content",
    "new_content",
    "search",
    "replace",
    "find",
    "replacement",
    "diff",
    "patch",
    "patchText",
    "edits",
    "edit",
    "replacements",
    "changes",
    "before",
    "after",
    "CodeContent",
    "TargetContent",
    "ReplacementContent",
    "ReplacementChunks",
    "insert_text",
];

/// Returns `true` for a text that is no valid JSON but looks like a call that was cut off or written wrong.
pub(in crate::dialect) fn is_likely(text: &str) -> bool {
    let quoted = |name: &&str| text.contains(&format!("\"{name}\""));
    text.contains("*** Begin Patch") || (PATHS.iter().any(quoted) && TEXTS.iter().any(quoted))
}

/// Returns `true` for the name of a tool in the table.
pub(in crate::dialect) fn has_rows(name: &str) -> bool {
    schema::named(name).next().is_some()
}

/// Returns `true` for an object that names a tool.
pub(in crate::dialect) fn is_named(fields: &Map<String, Value>) -> bool {
    NAMES.iter().any(|name| fields.contains_key(*name))
}

/// Refuses an object that looks like an edit, by the names of its fields.
pub(in crate::dialect) fn unknown(fields: &Map<String, Value>) -> Option<EditRequest<'_>> {
    looks_like_edit(fields).then(|| {
        let names: Vec<&str> = fields.keys().map(String::as_str).take(MOST_NAMES).collect();
        let found = format!("a JSON object with the fields `{}`", names.join("`, `"));
        let expected = Cow::Borrowed("a call of a known tool with the fields of its schema");
        let path = PATHS.iter().find_map(|path| fields.get(*path)?.as_str());
        EditRequest {
            path: path.map(Cow::Borrowed),
            edit: CallEdit::Other { found, expected },
        }
    })
}

/// The most fields that a message names.
const MOST_NAMES: usize = 8;

/// Reads a call whose name is among its fields, and maybe others of the message.
pub(in crate::dialect) fn flat<'v>(
    name: &str,
    fields: &'v Map<String, Value>,
    others: &[&str],
) -> Option<Vec<EditRequest<'v>>> {
    let beside = NAMES.iter().chain(&["type"]).chain(others);
    let beside: Vec<&str> = beside.copied().collect();
    let fits = |tool: &'static Tool| match bind::fit_beside(tool, fields, &beside) {
        Ok(bound) => act(tool, &bound),
        Err(_) => None,
    };
    schema::named(name).find_map(fits)
}

/// Reads the fields of a tool that is named. `None` if it is no edit.
pub(in crate::dialect) fn by_name<'v>(
    name: &str,
    fields: &'v Map<String, Value>,
) -> Option<Vec<EditRequest<'v>>> {
    if let Some(requests) = hashline::requests(fields) {
        return Some(requests);
    }
    let mut closest: Option<SchemaMismatch> = None;
    let mut known = false;
    for tool in schema::named(name) {
        known = true;
        match bind::fit(tool, fields) {
            Ok(bound) => return act(tool, &bound),
            // A field that is there and does not fit says more than one that is missing.
            Err(SchemaMismatch::Missing(field)) if !fields.contains_key(field) => {
                closest = closest.or(Some(SchemaMismatch::Missing(field)));
            }
            // Nothing says more than that all is there, and one field more.
            Err(misfit) => {
                if !matches!(closest, Some(SchemaMismatch::Unknown(_))) {
                    closest = Some(misfit);
                }
            }
        }
    }
    if !known && let Some(requests) = unnamed_preimage(fields) {
        return Some(requests);
    }
    // All that a known tool needs is there, and one field more.
    let is_known = matches!(closest, Some(SchemaMismatch::Unknown(_)));
    let is_edit = is_known || looks_like_edit(fields) || changes_files(name, fields);
    if is_reading(name, fields) || !is_edit {
        return None;
    }
    let found = match closest {
        Some(SchemaMismatch::Unknown(field)) => {
            format!("a call of `{name}` with the field `{field}`")
        }
        Some(SchemaMismatch::Missing(field)) => {
            format!("a call of `{name}` without a valid `{field}`")
        }
        None => format!("a call of the tool `{name}`, which is not known"),
    };
    let expected = Cow::Borrowed("the fields of a known editing tool: the guide lists them");
    let path = PATHS.iter().find_map(|path| fields.get(*path)?.as_str());
    Some(vec![EditRequest {
        path: path.map(Cow::Borrowed),
        edit: CallEdit::Other { found, expected },
    }])
}

/// Returns `true` for fields that a tool of this name takes.
pub(in crate::dialect) fn fits(name: &str, fields: &Map<String, Value>) -> bool {
    schema::named(name).any(|tool| bind::fit(tool, fields).is_ok())
}

/// Reads fields without the name of a tool.
pub(in crate::dialect) fn by_fields(fields: &Map<String, Value>) -> Option<Vec<EditRequest<'_>>> {
    if let Some(requests) = hashline::requests(fields) {
        return Some(requests);
    }
    if let Some(text) = envelope(fields) {
        let folders = ["workdir", "working_directory"].iter();
        let mut folders = folders.filter_map(|name| fields.get(*name)?.as_str());
        if let Some(folder) = folders.next() {
            let edit = CallEdit::Shell {
                text: Cow::Borrowed(text),
                folder: Some(folder),
            };
            return Some(vec![EditRequest { path: None, edit }]);
        }
        let path = fields.get("path").and_then(Value::as_str);
        return Some(vec![EditRequest {
            path: path.map(Cow::Borrowed),
            edit: CallEdit::Edits {
                text: Cow::Borrowed(text),
            },
        }]);
    }
    // A text of search/replace blocks is hardly the text of a file.
    let mut texts = fields.values().filter_map(Value::as_str);
    let has_blocks = texts.any(|text| BLOCKS.iter().any(|mark| text.contains(mark)));
    let patches = TOOLS
        .iter()
        .filter(|tool| has_blocks && tool.action == ToolAction::Patch);
    let mut rows = patches.chain(TOOLS.iter().filter(|tool| tool.action != ToolAction::Shell));
    if let Some(requests) = rows.find_map(|tool| {
        let bound = bind::fit(tool, fields).ok()?;
        let is_explicit = match tool.action {
            // `{"path": …}` alone asks for nothing.
            ToolAction::Delete | ToolAction::Rename => fields.contains_key("type"),
            // `{"path": …}` alone is hardly refused for what it may ask.
            ToolAction::Refuse(_) => fields.contains_key("command") || bound.is_more_than_a_path(),
            ToolAction::DeleteAll | ToolAction::CopyFile | ToolAction::RemoveLines => false,
            // Without a text it may be a call that reads the lines.
            ToolAction::LinesFromZero => bound.value("text").is_some(),
            ToolAction::Write | ToolAction::Create | ToolAction::CreateLines => {
                bound.value("text").is_some() || fields.contains_key("command")
            }
            ToolAction::Replace
            | ToolAction::ReplaceOrRemove
            | ToolAction::ReplaceEvery
            | ToolAction::Append
            | ToolAction::AppendLines
            | ToolAction::InsertAfter
            | ToolAction::InsertBefore
            | ToolAction::Pattern
            | ToolAction::Sketch
            | ToolAction::Patch
            | ToolAction::EnvelopeHunks
            | ToolAction::EnvelopeLines
            | ToolAction::Cell
            | ToolAction::Shell => true,
        };
        act(tool, &bound).filter(|_| is_explicit)
    }) {
        return Some(requests);
    }
    let by_synonyms = loose(fields)?;
    Some(vec![by_synonyms])
}

/// Beginnings of search/replace blocks.
const BLOCKS: [&str; 2] = ["<<<<<<< SEARCH\n", "------- SEARCH\n"];

/// Reads a text and its replacement by names that several tools share, with nothing beside them.
fn loose(fields: &Map<String, Value>) -> Option<EditRequest<'_>> {
    const OLD: [&str; 8] = [
        "old_string",
        "oldString",
        "old_str",
        "old_text",
        "oldText",
        "search",
        "old_content",
        "find",
    ];
    const NEW: [&str; 8] = [
        "new_string",
        "newString",
        "new_str",
        "new_text",
        "newText",
        "replace",
        "new_content",
        "replacement",
    ];
    let path = PATHS.iter().find_map(|path| fields.get(*path)?.as_str())?;
    let mut lists = ["edits", "replacements"]
        .iter()
        .filter_map(|name| fields.get(*name)?.as_array());
    let has_text = |edit: &Value| OLD.iter().chain(&NEW).any(|name| edit.get(*name).is_some());
    if lists.any(|edits| edits.iter().any(has_text)) {
        let found = "an edit without an old text, or with a field that is not known".to_owned();
        let expected = Cow::Borrowed("'old_string' and 'new_string' in each");
        return Some(EditRequest {
            path: Some(Cow::Borrowed(path)),
            edit: CallEdit::Other { found, expected },
        });
    }
    let old = OLD.iter().find_map(|name| fields.get(*name)?.as_str());
    let new = NEW.iter().find_map(|name| fields.get(*name)?.as_str());
    let every = ["replace_all", "replaceAll", "allow_multiple"];
    let known = |name: &str| {
        PATHS.contains(&name)
            || OLD.contains(&name)
            || NEW.contains(&name)
            || every.contains(&name)
            || schema::is_note(name)
    };
    let path = Some(Cow::Borrowed(path));
    if let Some(field) = fields.keys().find(|name| !known(name)) {
        let found = format!("an edit with the field `{field}`");
        let expected = Cow::Borrowed("the name of its tool, or fields that are known");
        (old.is_some() && new.is_some()).then_some(())?;
        return Some(EditRequest {
            path,
            edit: CallEdit::Other { found, expected },
        });
    }
    let is_set = |name: &&str| fields.get(*name).and_then(Value::as_bool) == Some(true);
    let every = if every.iter().any(is_set) {
        Every::Time
    } else {
        Every::Once
    };
    let (old, new) = (old?, new?);
    Some(EditRequest {
        path,
        edit: replacement(old, new, every, None),
    })
}

/// The patch in a shell command, in one string or in several.
fn envelope(fields: &Map<String, Value>) -> Option<&str> {
    let is_patch = |text: &&str| text.contains("*** Begin Patch");
    ["input", "command", "cmd", "patch_text"]
        .iter()
        .find_map(|name| match fields.get(*name)? {
            Value::String(text) => Some(text.as_str()).filter(is_patch),
            Value::Array(words) => words.iter().filter_map(Value::as_str).find(is_patch),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        })
}

/// Reads the fields of a tool that is not known, if they state what they expect in the file: a wrong guess finds no place.
fn unnamed_preimage(fields: &Map<String, Value>) -> Option<Vec<EditRequest<'_>>> {
    const MARKS: [&str; 5] = ["<<<<<<<", "------- SEARCH", "*** ", "@@", "--- "];
    TOOLS.iter().find_map(|tool| {
        let bound = bind::fit(tool, fields).ok()?;
        let is_patch = || {
            let text = bound.text("patch");
            text.is_some_and(|text| MARKS.iter().any(|mark| text.contains(mark)))
        };
        let states = match tool.action {
            ToolAction::Replace | ToolAction::ReplaceOrRemove => true,
            ToolAction::Patch => is_patch(),
            ToolAction::ReplaceEvery
            | ToolAction::Write
            | ToolAction::Create
            | ToolAction::CreateLines
            | ToolAction::Append
            | ToolAction::AppendLines
            | ToolAction::InsertAfter
            | ToolAction::InsertBefore
            | ToolAction::LinesFromZero
            | ToolAction::Pattern
            | ToolAction::Sketch
            | ToolAction::EnvelopeHunks
            | ToolAction::EnvelopeLines
            | ToolAction::Delete
            | ToolAction::DeleteAll
            | ToolAction::RemoveLines
            | ToolAction::Rename
            | ToolAction::CopyFile
            | ToolAction::Cell
            | ToolAction::Shell
            | ToolAction::Refuse(_) => false,
        };
        act(tool, &bound).filter(|_| states)
    })
}

/// Returns `true` for fields that name a file and hold a text for it.
fn looks_like_edit(fields: &Map<String, Value>) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
    has(&TEXTS) && (has(&PATHS) || has(&["edits", "replacements", "patch", "diff"]))
}

/// Returns `true` for a call that only reads or searches, by its name or by its command.
fn is_reading(name: &str, fields: &Map<String, Value>) -> bool {
    const NAMES: [&str; 7] = [
        "grep",
        "search_files",
        "searchfiles",
        "glob",
        "find_files",
        "codebase_search",
        "view",
    ];
    let name = schema::bare_name(name).to_lowercase();
    let command = fields.get("command").and_then(Value::as_str);
    NAMES.contains(&name.as_str()) || matches!(command, Some("view" | "read" | "list"))
}

/// Verbs in the names of tools that change files.
const CHANGES: [&str; 19] = [
    "append", "apply", "change", "copy", "create", "delete", "edit", "insert", "modify", "move",
    "patch", "remove", "rename", "replace", "revert", "rewrite", "undo", "update", "write",
];
/// Words in the names of fields that name files.
const FILES: [&str; 8] = [
    "path", "paths", "file", "files", "filename", "filepath", "notebook", "uri",
];

/// Returns `true` for a call of a tool that changes files, by the words in its name and in the names of its fields. A new
/// folder changes none.
fn changes_files(name: &str, fields: &Map<String, Value>) -> bool {
    let name = words(schema::bare_name(name));
    let changes = has_changing_verb(&name);
    let has = |words: &[&str]| name.iter().any(|word| words.contains(&word.as_str()));
    let is_folder = has(&["directory", "dir", "folder"]) && has(&["create"]);
    let names_file = |field: &String| {
        PATHS.contains(&field.as_str())
            || words(field)
                .iter()
                .any(|word| FILES.contains(&word.as_str()))
    };
    let names_files = fields.keys().any(names_file)
        || (fields.contains_key("source") && fields.contains_key("destination"));
    changes && !is_folder && names_files
}

/// Returns `true` if the words of a name have a verb for a change of files.
pub(in crate::dialect) fn has_changing_verb(name: &[String]) -> bool {
    name.iter().any(|word| CHANGES.contains(&word.as_str()))
}

/// The words of a name in snake case, kebab case or camel case, in lower case.
pub(in crate::dialect) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::dialect::tool::sample::sample;

    #[test]
    fn every_tool_is_read_by_its_own_row_or_by_one_that_means_the_same() {
        let mut others = Vec::new();
        for tool in TOOLS {
            let fields = sample(tool);
            let bound = bind::fit(tool, &fields);
            let expected = act(tool, &bound.unwrap_or_else(|it| panic!("{tool:?}: {it:?}")));
            let is_other = |name: &&&str| expected.is_none() || by_name(name, &fields) != expected;
            others.extend(
                tool.names
                    .iter()
                    .find(is_other)
                    .map(|name| (name, tool.fields)),
            );
        }
        assert!(others.is_empty(), "{others:#?}");
    }

    #[test]
    fn a_call_that_changes_files_is_known_by_its_words() {
        let check = |name: &str, fields: Value, expected: bool| {
            let fields = fields.as_object().unwrap();
            assert_eq!(changes_files(name, fields), expected, "{name} {fields:?}");
        };
        check("fancy_edit", json!({"path": "a"}), true);
        check("deleteFile", json!({"targetFile": "a"}), true);
        check("remove-files", json!({"file_paths": ["a"]}), true);
        check(
            "server__move",
            json!({"source": "a", "destination": "b"}),
            true,
        );
        check("write_multiple", json!({"files": [{"name": "a"}]}), true);
        check("read_file", json!({"path": "a"}), false);
        check("create_directory", json!({"dirPath": "a"}), false);
        check("delete_directory", json!({"path": "a"}), true);
        check("TodoWrite", json!({"todos": []}), false);
        check("update_issue", json!({"title": "a", "body": "b"}), false);
        check("credit", json!({"path": "a"}), false);
    }
}
