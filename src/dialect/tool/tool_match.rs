//! Finds the tool that the fields of a call fit, or the name by which the call is refused.

use serde_json::{Map, Value};

use super::bare_fields;
use super::bind::{self, SchemaMismatch};
use super::edit_request::{EditRequest, act};
use super::field_names::{NAMES, PATHS, TEXTS};
use super::hashline;
use super::schema;
use super::tool_table::Tool;

/// Returns `true` for a text that is no valid JSON but looks like a call that was cut off or written wrong.
pub(in crate::dialect) fn is_likely(text: &str) -> bool {
    let quoted = |name: &&str| text.contains(&format!("\"{name}\""));
    bare_fields::is_patch(text) || (PATHS.iter().any(quoted) && TEXTS.iter().any(quoted))
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
        let found = format!("a JSON object with the fields {}", listed(fields));
        let expected = "a call of a known tool with the fields of its schema";
        EditRequest::refused(path_in(fields), found, expected)
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
    if is_reading(name, fields) {
        return None;
    }
    if !has_rows(name) {
        let is_edit =
            is_edit(name, fields) || known_end(name).is_some_and(|known| fits(known, fields));
        return is_edit.then(|| vec![misnamed(name, fields)]);
    }
    if let Some(requests) = hashline::requests(fields) {
        return Some(requests);
    }
    let mut closest: Option<SchemaMismatch> = None;
    for tool in schema::named(name) {
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
    // All that a known tool needs is there, and one field more.
    let found = match closest? {
        SchemaMismatch::Unknown(field) => {
            format!("a call of `{name}` with the field `{field}`")
        }
        SchemaMismatch::Missing(field) if is_edit(name, fields) => {
            format!("a call of `{name}` without a valid `{field}`")
        }
        SchemaMismatch::Missing(_) => return None,
    };
    let expected = "the fields of a known editing tool: the guide lists them";
    Some(vec![EditRequest::refused(path_in(fields), found, expected)])
}

/// Refuses fields that no tool of this name takes. What they would ask of another tool is no edit: this one may search, preview or
/// undo with them.
pub(in crate::dialect) fn misnamed<'v>(
    name: &str,
    fields: &'v Map<String, Value>,
) -> EditRequest<'v> {
    let found = format!("{}, with the fields {}", of_unknown(name), listed(fields));
    EditRequest::refused(path_in(fields), found, KNOWN_NAME)
}

/// Refuses a text that another tool would read as edits.
pub(in crate::dialect) fn misnamed_text<'v>(name: &str) -> EditRequest<'v> {
    EditRequest::refused(None, of_unknown(name), KNOWN_NAME)
}

const KNOWN_NAME: &str = "the name and the fields of a known editing tool: the guide lists them";

fn of_unknown(name: &str) -> String {
    if has_rows(name) {
        return format!("a call of the tool `{name}`, does not take them");
    }
    // One word may be the verb of any tool.
    let known = known_end(name).filter(|known| known.contains(['_', '-']));
    let known = known.map(|known| format!(" (`{known}` is)"));
    let known = known.unwrap_or_default();
    format!("a call of the tool `{name}`, which is not known{known}")
}

/// Returns the known tool whose name another one ends with. The words before it may be those of a server, but also ask for another
/// action, such as a preview.
fn known_end(name: &str) -> Option<&str> {
    let words = name.match_indices(['_', '-', '.']);
    let mut ends = words.map(|(at, _)| name[at + 1..].trim());
    ends.find(|end| has_rows(end))
}

/// Returns `true` for a call that may change files, whatever it does with its fields.
fn is_edit(name: &str, fields: &Map<String, Value>) -> bool {
    looks_like_edit(fields)
        || bare_fields::envelope(fields).is_some()
        || changes_files(name, fields)
}

/// The file that the fields of any tool name.
fn path_in(fields: &Map<String, Value>) -> Option<&str> {
    PATHS.iter().find_map(|path| fields.get(*path)?.as_str())
}

/// The names of fields, as a message lists them.
fn listed(fields: &Map<String, Value>) -> String {
    let names = fields.keys().map(String::as_str);
    let names: Vec<&str> = names
        .filter(|name| !NAMES.contains(name))
        .take(MOST_NAMES)
        .collect();
    format!("`{}`", names.join("`, `"))
}

/// Returns `true` for fields that a tool of this name takes.
pub(in crate::dialect) fn fits(name: &str, fields: &Map<String, Value>) -> bool {
    let mut rows = schema::named(name);
    rows.any(|tool| bind::fit(tool, fields).is_ok() || hashline::requests(fields).is_some())
}

/// Returns `true` for fields that name a file and hold a text for it.
pub(in crate::dialect) fn looks_like_edit(fields: &Map<String, Value>) -> bool {
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
    use crate::dialect::tool::tool_table::TOOLS;

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
