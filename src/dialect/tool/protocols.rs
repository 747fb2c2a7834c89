//! Edits as refactoring tools and protocols write them in JSON: `WorkspaceEdit` of the Language Server Protocol, diffs of the Agent Client Protocol, changes of Codex and GitLab, and JSON Patch.
//!
//! <https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceEdit>
//! and <https://www.rfc-editor.org/rfc/rfc6902>.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::ast_grep;
use super::edit_consent;
use super::edit_request::{CallEdit, EditRequest, Range};
use super::review_comment;

/// Reads a value that is one of these as a whole; `None` for any other.
pub(in crate::dialect) fn requests(value: &Value) -> Option<Vec<EditRequest<'_>>> {
    match value {
        Value::Object(fields) => workspace_edit(fields)
            .or_else(|| of_one_file(value))
            .or_else(|| ast_grep::rewrite(value).map(|request| vec![request]))
            .or_else(|| review_comment::refused(fields).map(|request| vec![request]))
            .or_else(|| merge_request_diff(value).map(|request| vec![request]))
            .or_else(|| is_operation(value).then(|| vec![lone_operation()])),
        Value::Array(values) if !values.is_empty() => ast_grep::rewrites(values)
            .or_else(|| json_patch(values))
            .or_else(|| code_actions(values))
            .or_else(|| all(values, workspace_edit_alone))
            .or_else(|| all(values, of_one_file))
            .or_else(|| values.iter().map(merge_request_diff).collect())
            .or_else(|| all(values, review_comment::refused_value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}

/// Reads each of several values, all of which must be of one kind.
fn all<'v>(
    values: &'v [Value],
    read: fn(&'v Value) -> Option<Vec<EditRequest<'v>>>,
) -> Option<Vec<EditRequest<'v>>> {
    let read: Option<Vec<Vec<EditRequest>>> = values.iter().map(read).collect();
    read.map(|requests| requests.into_iter().flatten().collect())
}

// --- Language Server Protocol

/// Reads a `WorkspaceEdit`, also within a message of the protocol or a code action.
fn workspace_edit(fields: &Map<String, Value>) -> Option<Vec<EditRequest<'_>>> {
    let inner = ["result", "params", "edit"].iter();
    let inner = inner.filter_map(|name| match fields.get(*name)? {
        Value::Object(inner) => workspace_edit(inner),
        Value::Array(values) => code_actions(values),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    });
    if let Some(requests) = inner.into_iter().next() {
        return Some(requests);
    }
    if let Some(label) = edit_consent::unconfirmed(fields) {
        let found = format!("a WorkspaceEdit with changes (`{label}`) that `needsConfirmation`");
        let expected = "the edit without `needsConfirmation`, once a person has confirmed it";
        return Some(vec![EditRequest::refused(None, found, expected)]);
    }
    if let Some(Value::Array(changes)) = fields.get("documentChanges") {
        let mut requests = Vec::new();
        for change in changes {
            requests.extend(document_change(change)?);
        }
        return Some(requests);
    }
    let changes = fields.get("changes")?.as_object()?;
    let is_file = |(name, edits): (&String, &Value)| name.contains("://") || are_text_edits(edits);
    if changes.is_empty() || !changes.iter().all(is_file) {
        return None;
    }
    let mut requests = Vec::new();
    for (uri, edits) in changes {
        requests.extend(text_edits(uri, edits.as_array()?)?);
    }
    Some(requests)
}

fn workspace_edit_alone(value: &Value) -> Option<Vec<EditRequest<'_>>> {
    workspace_edit(value.as_object()?)
}

/// Returns `true` for a list of texts, each with a range.
fn are_text_edits(value: &Value) -> bool {
    let is_edit = |edit: &Value| edit.get("range").is_some() && edit.get("newText").is_some();
    let edits = value.as_array();
    edits.is_some_and(|edits| !edits.is_empty() && edits.iter().all(is_edit))
}

/// Reads the edits of one file: a `TextDocumentEdit`, or the same with the URI beside the edits.
fn of_one_file(value: &Value) -> Option<Vec<EditRequest<'_>>> {
    value.get("edits").filter(|edits| are_text_edits(edits))?;
    match value.get("uri").and_then(Value::as_str) {
        Some(uri) => text_edits(uri, value.get("edits")?.as_array()?),
        None => document_change(value),
    }
}

/// Reads a list of code actions. They are alternatives, so only a list of one is an edit.
fn code_actions(values: &[Value]) -> Option<Vec<EditRequest<'_>>> {
    let is_action = |value: &Value| value.get("title").is_some_and(Value::is_string);
    let edits = values
        .iter()
        .map(|value| value.as_object().and_then(workspace_edit));
    let mut edits: Vec<Vec<EditRequest>> = edits.flatten().collect();
    if edits.is_empty() || !values.iter().all(is_action) {
        return None;
    }
    if values.len() > 1 {
        let found = "a list of code actions, of which one is to be chosen";
        return Some(vec![EditRequest::refused(
            None,
            found,
            "the WorkspaceEdit of one",
        )]);
    }
    edits.pop()
}

fn document_change(change: &Value) -> Option<Vec<EditRequest<'_>>> {
    let text = |name: &str| change.get(name).and_then(Value::as_str);
    let request = |uri: &str, edit| {
        vec![EditRequest {
            path: Some(file_of(uri).into()),
            edit,
        }]
    };
    Some(match text("kind") {
        Some("create") => request(text("uri")?, CallEdit::Create { text: "" }),
        Some("delete") => request(text("uri")?, CallEdit::Delete { old: None }),
        Some("rename") => {
            let (from, to) = (text("oldUri")?, text("newUri")?);
            if to.contains('%') {
                return Some(vec![EditRequest::refused(
                    None,
                    "a WorkspaceEdit that renames to an escaped name",
                    "a name without escapes",
                )]);
            }
            request(
                from,
                CallEdit::Rename {
                    to: to.strip_prefix("file://").unwrap_or(to),
                },
            )
        }
        Some(_) => return None,
        None => {
            let uri = change.get("textDocument")?.get("uri")?.as_str()?;
            text_edits(uri, change.get("edits")?.as_array()?)?
        }
    })
}

/// Reads the edits of one file, whose ranges are all counted in the file as it was: the last range first, so that none of
/// them moves another. Texts inserted at one position keep their order.
fn text_edits<'v>(uri: &str, edits: &'v [Value]) -> Option<Vec<EditRequest<'v>>> {
    let path = file_of(uri);
    if edits.iter().any(edit_consent::is_snippet) {
        let found = "a WorkspaceEdit with a snippet, whose placeholders only an editor can fill";
        return Some(vec![EditRequest {
            path: Some(path.into()),
            ..EditRequest::refused(None, found, "edits with plain text")
        }]);
    }
    let span = |edit: &'v Value| {
        let range = edit.get("range")?;
        let text = edit.get("newText")?.as_str()?;
        let (start, end) = (position(range.get("start")?)?, position(range.get("end")?)?);
        Some((Range { start, end }, text))
    };
    let mut spans = edits.iter().map(span).collect::<Option<Vec<_>>>()?;
    spans.sort_by_key(|(range, _)| (range.start, range.end));
    if spans.windows(2).any(|pair| pair[1].0.start < pair[0].0.end) {
        let found = "a WorkspaceEdit with two edits of the same text";
        let request = EditRequest::refused(None, found, "ranges that do not overlap");
        return Some(vec![EditRequest {
            path: Some(path.into()),
            ..request
        }]);
    }
    let requests = spans.into_iter().rev().map(|(range, text)| EditRequest {
        path: Some(path.clone().into()),
        edit: CallEdit::Span { range, text },
    });
    Some(requests.collect())
}

fn position(value: &Value) -> Option<(usize, usize)> {
    let number = |name: &str| usize::try_from(value.get(name)?.as_u64()?).ok();
    Some((number("line")?, number("character")?))
}

/// The path of a `file:` URI.
fn file_of(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%')
            .then(|| std::str::from_utf8(tail.get(..2)?).ok())
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

// --- JSON Patch

/// Returns `true` for an operation of a JSON Patch.
fn is_operation(value: &Value) -> bool {
    const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let points = text("path").is_some_and(|path| path.is_empty() || path.starts_with('/'));
    points && text("op").is_some_and(|op| OPERATIONS.contains(&op))
}

/// Refuses an operation of a JSON Patch without its list.
fn lone_operation() -> EditRequest<'static> {
    let found = "an operation of a JSON Patch (RFC 6902) outside of a list";
    EditRequest::refused(None, found, "a JSON array of operations")
}

fn json_patch(values: &[Value]) -> Option<Vec<EditRequest<'_>>> {
    values.iter().all(is_operation).then(|| {
        vec![EditRequest {
            path: None,
            edit: CallEdit::JsonPatch,
        }]
    })
}

// --- Agent Client Protocol, version 2

/// Reads a diff that states the changes of files beside a patch of their texts.
pub(in crate::dialect) fn acp(fields: &Map<String, Value>) -> Option<Vec<EditRequest<'_>>> {
    if fields.get("type")?.as_str() != Some("diff") {
        return None;
    }
    let changes = fields.get("changes")?.as_array()?;
    let patch = fields.get("patch").and_then(|patch| {
        let text = ["diff", "text"]
            .iter()
            .find_map(|name| patch.get(*name)?.as_str());
        text.filter(|_| patch.get("format").and_then(Value::as_str) == Some("git_patch"))
    });
    if let Some(text) = patch {
        return Some(vec![EditRequest {
            path: None,
            edit: CallEdit::Edits {
                text: Cow::Borrowed(text),
            },
        }]);
    }
    let request = |change: &'_ Value| -> Option<(Option<String>, Option<String>, String)> {
        let text = |name: &str| change.get(name).and_then(Value::as_str).map(str::to_owned);
        Some((text("path"), text("oldPath"), text("operation")?))
    };
    let mut requests = Vec::new();
    for change in changes {
        let (name, old, operation) = request(change)?;
        requests.push(match (operation.as_str(), name, old) {
            ("delete", Some(name), _) => EditRequest {
                path: Some(name.into()),
                edit: CallEdit::Delete { old: None },
            },
            ("move" | "rename", Some(_), Some(old)) => {
                let to = change.get("path")?.as_str()?;
                EditRequest {
                    path: Some(old.into()),
                    edit: CallEdit::Rename { to },
                }
            }
            (operation, ..) => {
                let found =
                    format!("an ACP diff that says `operation: {operation}` without a `git_patch`");
                EditRequest::refused(None, found, "a patch of the file's text")
            }
        });
    }
    Some(requests)
}

// --- Codex

/// Refuses an event of `codex exec --json` that names changed files without their text.
///
/// `openai/codex codex-rs/exec/src/exec_events.rs` (`FileChangeItem`)
pub(in crate::dialect) fn file_change(fields: &Map<String, Value>) -> Option<Vec<EditRequest<'_>>> {
    let is_named = |change: &Value| change.get("path").is_some() && change.get("diff").is_none();
    let changes = fields.get("changes")?.as_array()?;
    let is_it = fields.get("type")?.as_str() == Some("file_change") && changes.iter().all(is_named);
    is_it.then(|| {
        let found = "a log of `codex exec --json`, which names changed files without their text";
        let expected = "the rollout file of the session, below `~/.codex/sessions`";
        vec![EditRequest::refused(None, found, expected)]
    })
}

/// Reads the changes of files that Codex asks to approve, or that its server shows.
///
/// `openai/codex codex-rs/protocol/src/protocol.rs` (`FileChange`), `codex-rs/app-server-protocol` (`FileUpdateChange`)
pub(in crate::dialect) fn file_updates(
    fields: &Map<String, Value>,
) -> Option<Vec<EditRequest<'_>>> {
    if let Some(changes) = fields.get("fileChanges") {
        let changes = changes.as_object()?.iter();
        return changes
            .map(|(path, change)| update(path, change, change))
            .collect();
    }
    let is_item = fields.get("type").and_then(Value::as_str) == Some("fileChange");
    let changes = fields.get("changes").filter(|_| is_item)?.as_array()?;
    changes
        .iter()
        .map(|change| update(change.get("path")?.as_str()?, change.get("kind")?, change))
        .collect()
}

/// Returns `true` for an event in which Codex reports a change of files that a call before it asked for.
pub(in crate::dialect) fn is_report(value: &Value) -> bool {
    let event = ["payload", "msg"].iter().find_map(|name| value.get(*name));
    let kind = event.unwrap_or(value).get("type").and_then(Value::as_str);
    matches!(
        kind,
        Some("patch_apply_begin" | "patch_apply_end" | "turn_diff")
    )
}

/// Reads the change of a file of a kind: its whole text, or a diff of its lines.
fn update<'v>(path: &'v str, kind: &'v Value, change: &'v Value) -> Option<EditRequest<'v>> {
    let text = |names: &[&str]| names.iter().find_map(|name| change.get(*name)?.as_str());
    let edit = match kind.as_str().or_else(|| kind.get("type")?.as_str())? {
        "add" => CallEdit::Create {
            text: text(&["content", "diff"])?,
        },
        "delete" => CallEdit::Delete { old: None },
        "update" if kind.get("move_path").is_none_or(Value::is_null) => CallEdit::Edits {
            text: text(&["unified_diff", "diff"])?.into(),
        },
        _ => {
            return Some(EditRequest::refused(
                Some(path),
                "a change of Codex that moves a file",
                "its patch",
            ));
        }
    };
    Some(EditRequest {
        path: Some(path.into()),
        edit,
    })
}

// --- GitLab

/// Reads the diff of a file as the API of GitLab lists those of a merge request.
///
/// <https://docs.gitlab.com/api/merge_requests/#list-merge-request-diffs>
fn merge_request_diff(value: &Value) -> Option<EditRequest<'_>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let flag = |name: &str| value.get(name).and_then(Value::as_bool) == Some(true);
    let (old, new, diff) = (text("old_path")?, text("new_path")?, text("diff")?);
    let header = if flag("new_file") {
        format!("new file mode 100644\n--- /dev/null\n+++ b/{new}\n")
    } else if flag("deleted_file") {
        format!("deleted file mode 100644\n--- a/{old}\n+++ /dev/null\n")
    } else if old == new {
        format!("--- a/{old}\n+++ b/{new}\n")
    } else {
        format!("rename from {old}\nrename to {new}\n--- a/{old}\n+++ b/{new}\n")
    };
    let text = format!("diff --git a/{old} b/{new}\n{header}{diff}");
    Some(EditRequest {
        path: None,
        edit: CallEdit::Edits { text: text.into() },
    })
}

// --- SWE-agent

/// The patch that a run of SWE-agent submitted, or that a prediction for SWE-bench holds. The actions of a run may be
/// commands of its own shell.
///
/// `SWE-agent/SWE-agent docs/usage/trajectories.md`
pub(in crate::dialect) fn submission(fields: &Map<String, Value>) -> Option<&str> {
    let text = if fields.contains_key("trajectory") {
        fields.get("info")?.get("submission")
    } else {
        fields
            .get("model_patch")
            .filter(|_| fields.contains_key("instance_id"))
    };
    text?.as_str().filter(|text| !text.trim().is_empty())
}
