//! Tools that are in no table: those of other MCP servers, and those of later versions of a client.
//!
//! Such a tool writes behind the reviewer's back if it takes a path and a text for it, or a path and a verb that changes
//! files. It is refused; tools that read, and tools that write somewhere else (an issue, a message, a remote repository),
//! pass.

use serde_json::{Map, Value};

/// Arguments that hold text for a file.
const TEXTS: [&str; 22] = [
    "body",
    "changes",
    "code",
    "code_edit",
    "content",
    "contents",
    "data",
    "diff",
    "edits",
    "file_text",
    "insert_text",
    "lines",
    "new_content",
    "new_source",
    "new_str",
    "new_string",
    "new_text",
    "newstring",
    "newtext",
    "patch",
    "replacement",
    "text",
];
/// Words in the name of a tool that changes files.
const VERBS: [&str; 22] = [
    "append",
    "apply",
    "copy",
    "create",
    "delete",
    "edit",
    "insert",
    "mkdir",
    "modify",
    "move",
    "overwrite",
    "patch",
    "put",
    "remove",
    "rename",
    "replace",
    "rm",
    "save",
    "touch",
    "truncate",
    "update",
    "write",
];
/// Arguments by which a tool addresses a repository on a server.
const REMOTE: [&str; 6] = [
    "owner",
    "project_id",
    "projectid",
    "repo",
    "repository",
    "workspace_slug",
];

/// Returns why a tool must not be called; `None` if it may.
pub(super) fn check(tool: &str, args: &Map<String, Value>) -> Option<String> {
    // The calls of our own MCP server are reviewed there.
    if tool.starts_with("mcp__countersign__")
        || tool.starts_with("mcp_countersign_")
        || tool.starts_with("countersign_")
    {
        return None;
    }
    let writes = has_patch(args)
        || (names_file(args) && (has_text(args) || has_verb(tool)) && !is_remote(args));
    writes.then(|| {
        format!(
            "`{tool}` seems to write files, and countersign does not know how to review it; use the usual tools for edits"
        )
    })
}

fn has_patch(args: &Map<String, Value>) -> bool {
    let is_patch = |text: &str| text.contains("*** Begin Patch") || text.starts_with("diff --git ");
    args.values().filter_map(Value::as_str).any(is_patch)
}

/// Returns whether an argument holds the name of a file, at any depth.
fn names_file(args: &Map<String, Value>) -> bool {
    args.iter().any(|(name, value)| {
        let words = words(name);
        let is_name = words.iter().any(|word| {
            matches!(
                word.as_str(),
                "path"
                    | "paths"
                    | "file"
                    | "files"
                    | "filename"
                    | "filepath"
                    | "uri"
                    | "destination"
                    | "target"
            )
        });
        let is_file =
            |text: &str| is_name && !text.is_empty() && !text.contains('\n') && !is_web(text);
        value.as_str().is_some_and(is_file)
            || value.as_object().is_some_and(names_file)
            || value.as_array().is_some_and(|list| {
                list.iter().any(|one| {
                    one.as_str().is_some_and(is_file) || one.as_object().is_some_and(names_file)
                })
            })
    })
}

fn is_web(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Returns whether an argument holds text for a file, at any depth.
fn has_text(args: &Map<String, Value>) -> bool {
    args.iter().any(|(name, value)| {
        let name = name.replace('-', "_").to_lowercase();
        let is_text =
            TEXTS.contains(&name.as_str()) || TEXTS.contains(&words(&name).join("_").as_str());
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
            Value::String(_) => is_text,
            Value::Array(list) => is_text || list.iter().filter_map(Value::as_object).any(has_text),
            Value::Object(fields) => is_text || has_text(fields),
        }
    })
}

fn has_verb(tool: &str) -> bool {
    // The server's own name says nothing about the tool.
    let name = tool.rsplit("__").next().unwrap_or(tool);
    words(name)
        .iter()
        .any(|word| VERBS.contains(&word.as_str()))
}

fn is_remote(args: &Map<String, Value>) -> bool {
    args.keys()
        .any(|name| REMOTE.contains(&name.to_lowercase().as_str()))
}

/// Splits an identifier into words, in lower case: `filePath` and `file_path` are `file` and `path`.
fn words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            found.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = found.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    found.retain(|word| !word.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check_tool(tool: &str, args: &Value, is_refused: bool) {
        assert_eq!(
            check(tool, args.as_object().unwrap()).is_some(),
            is_refused,
            "{tool} {args}"
        );
    }

    #[test]
    fn tools_that_write_files_are_refused() {
        for (tool, args) in [
            (
                "mcp__filesystem__write_file",
                json!({"path": "a", "content": "x"}),
            ),
            (
                "mcp__filesystem__edit_file",
                json!({"path": "a", "edits": [{"oldText": "a", "newText": "b"}]}),
            ),
            (
                "mcp__filesystem__move_file",
                json!({"source": "a", "destination": "b"}),
            ),
            ("mcp__fs__deleteFile", json!({"filePath": "a"})),
            (
                "mcp__serena__replace_symbol_body",
                json!({"name_path": "f", "relative_path": "a", "body": "x"}),
            ),
            (
                "mcp__x__bulk",
                json!({"files": [{"path": "a", "content": "x"}]}),
            ),
            ("mcp__x__do", json!({"input": "*** Begin Patch\n"})),
            ("FutureEdit", json!({"file_path": "a", "new_string": "x"})),
        ] {
            check_tool(tool, &args, true);
        }
    }

    #[test]
    fn other_tools_pass() {
        for (tool, args) in [
            ("mcp__filesystem__read_file", json!({"path": "a"})),
            ("mcp__filesystem__list_directory", json!({"path": "."})),
            (
                "mcp__slack__post_message",
                json!({"channel": "c", "text": "x"}),
            ),
            (
                "mcp__github__create_issue",
                json!({"owner": "o", "repo": "r", "title": "t", "body": "b"}),
            ),
            (
                "mcp__github__create_or_update_file",
                json!({"owner": "o", "repo": "r", "path": "a", "content": "x"}),
            ),
            (
                "mcp__web__fetch",
                json!({"uri": "https://example.org/update", "data": "x"}),
            ),
            (
                "mcp__countersign__propose_edits",
                json!({"path": "a", "content": "x"}),
            ),
            (
                "mcp__db__update_row",
                json!({"table": "t", "data": {"a": 1}}),
            ),
            ("Bash", json!({"command": "ls"})),
        ] {
            check_tool(tool, &args, false);
        }
    }
}
