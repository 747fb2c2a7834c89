//! Requests of calls: the fields of a tool turned into an edit.

use std::borrow::Cow;

use serde_json::Value;

use super::bind::BoundFields;
use super::tool_table::{Tool, ToolAction};
use crate::proposal::{CellEdit, CellKind, LineEdit};
use crate::text::LineNo;

/// One thing that a call asks for. A call without a path is for the file that is named outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct EditRequest<'v> {
    pub(in crate::dialect) path: Option<Cow<'v, str>>,
    pub(in crate::dialect) edit: CallEdit<'v>,
}

impl<'v> EditRequest<'v> {
    /// Refuses what cannot be made an edit.
    pub(super) fn refused(
        path: Option<&'v str>,
        found: impl Into<String>,
        expected: &'static str,
    ) -> Self {
        let edit = CallEdit::Other {
            found: found.into(),
            expected: Cow::Borrowed(expected),
        };
        Self {
            path: path.map(Cow::Borrowed),
            edit,
        }
    }
}

/// The edit that a call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) enum CallEdit<'v> {
    /// One text in place of another.
    Replace {
        old: &'v str,
        new: &'v str,
        every: Every,
        line: Option<LineNo>,
        /// True if an empty `new` removes the line break behind `old` as well.
        removes_line: bool,
    },
    /// New lines after a line.
    Insert { after: usize, text: &'v str },
    /// Text at the end of a file.
    Append { text: Cow<'v, str> },
    /// New lines at the end of a file.
    AppendLines { text: &'v str },
    /// A text in place of numbered lines.
    Lines {
        start: usize,
        end: usize,
        text: &'v str,
    },
    /// A text in place of the one between two positions.
    Span { range: Range, text: &'v str },
    /// Lines in place of lines that are named by number and hash, or beside them.
    Hashed {
        edit: LineEdit,
        first: &'v str,
        last: Option<&'v str>,
        lines: Vec<&'v str>,
    },
    /// A text in place of the match of a regular expression, or of all its matches.
    Pattern {
        pattern: &'v str,
        new: &'v str,
        every: bool,
    },
    /// The operations of a JSON Patch, which is the whole value.
    JsonPatch,
    /// A new file.
    Create { text: &'v str },
    /// A new file, whose last line gets an end if it has none.
    CreateLines { text: &'v str },
    /// New code with marks for what stays.
    Sketch { text: &'v str },
    /// New contents for a file, of so many lines if the call counts them.
    Write { text: &'v str, lines: Option<usize> },
    /// The file is removed, which holds this text if the call states one.
    Delete { old: Option<&'v str> },
    /// The file is made of the text of another one.
    CopyOf { source: &'v str },
    /// The file gets another name.
    Rename { to: &'v str },
    /// An edit of one cell of a notebook.
    Cell {
        cell: Option<&'v str>,
        edit: CellEdit,
        kind: Option<CellKind>,
        source: &'v str,
    },
    /// A text in another dialect.
    Edits { text: Cow<'v, str> },
    /// A command of a shell, which runs in this folder if the call names one.
    Shell {
        text: Cow<'v, str>,
        folder: Option<&'v str>,
    },
    /// Input of a program that runs already, such as a shell.
    ShellInput { text: Cow<'v, str> },
    /// An edit that cannot be made here.
    Other {
        found: String,
        expected: Cow<'static, str>,
    },
}

/// Two positions in a file: lines from 0, columns in UTF-16 code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) struct Range {
    pub(super) start: (usize, usize),
    pub(super) end: (usize, usize),
}

/// Number of times that a text is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum Every {
    Once,
    Time,
    /// As often as the call states.
    Count(usize),
}

impl CallEdit<'_> {
    /// Describes an edit whose call names no file.
    pub(in crate::dialect) fn without_file(&self) -> &'static str {
        if *self == Self::JsonPatch {
            "a JSON Patch (RFC 6902), which names no file"
        } else {
            "a call that names no file"
        }
    }
}

/// Turns the fields of a tool into requests.
pub(super) fn act<'v>(tool: &Tool, bound: &BoundFields<'v>) -> Option<Vec<EditRequest<'v>>> {
    if let Some(paths) = bound.value("paths") {
        let several = paths
            .as_array()
            .map_or(std::slice::from_ref(paths), Vec::as_slice);
        let requests = several
            .iter()
            .map(|path| one(tool, bound, Some(path.as_str()?)));
        return requests.collect();
    }
    if !bound.several.is_empty() {
        let path = bound.text("path");
        let mut requests = Vec::new();
        for part in &bound.several {
            let path = part.text("path").or(path);
            requests.push(one(tool, part, path)?);
        }
        return Some(requests);
    }
    one(tool, bound, bound.text("path")).map(|request| vec![request])
}

/// Returns the edit of a call that writes a whole file.
fn written<'v>(bound: &BoundFields<'v>, text: &'v str) -> CallEdit<'v> {
    if bound.value("text").is_none() && bound.flag("empty") != Some(true) {
        return CallEdit::Other {
            found: "a call that writes a file without a text".to_owned(),
            expected: Cow::Borrowed("the text, or a field that says that the file is empty"),
        };
    }
    if bound.flag("overwrite") == Some(false) {
        return CallEdit::Create { text };
    }
    let lines = bound.number("count");
    CallEdit::Write { text, lines }
}

/// Returns the edit of a call that adds a text at the end of a file.
fn appended<'v>(bound: &BoundFields<'v>, text: &'v str) -> CallEdit<'v> {
    let line_break = |role| match bound.flag(role) {
        Some(true) => "\n",
        Some(false) | None => "",
    };
    let text = match [line_break("leading"), line_break("trailing")] {
        ["", ""] => Cow::Borrowed(text),
        [before, after] => Cow::Owned([before, text, after].concat()),
    };
    CallEdit::Append { text }
}

/// Returns the edit of a call that replaces a text by another.
fn replaced<'v>(tool: &Tool, bound: &BoundFields<'v>) -> Option<CallEdit<'v>> {
    let is_every = bound
        .flag("every")
        .unwrap_or(tool.action == ToolAction::ReplaceEvery);
    let every = match bound.number("count") {
        Some(count) if count != 1 => Every::Count(count),
        None if is_every => Every::Time,
        Some(_) | None => Every::Once,
    };
    let new = bound.text("new").unwrap_or_default();
    let is_made = bound.value("old").is_none_or(Value::is_null);
    if is_made || bound.text("old") == Some("") {
        return Some(CallEdit::Create { text: new });
    }
    let line = bound.number("line").and_then(LineNo::new);
    let edit = replacement(bound.text("old")?, new, every, line);
    Some(if tool.action == ToolAction::ReplaceOrRemove {
        removing_line(edit)
    } else {
        edit
    })
}

fn one<'v>(tool: &Tool, bound: &BoundFields<'v>, path: Option<&'v str>) -> Option<EditRequest<'v>> {
    let text = bound.text("text").unwrap_or_default();
    let edit = match tool.action {
        ToolAction::Replace | ToolAction::ReplaceOrRemove | ToolAction::ReplaceEvery => {
            replaced(tool, bound)?
        }
        ToolAction::Write | ToolAction::WriteTrimmed => written(bound, text),
        ToolAction::Create => CallEdit::Create { text },
        ToolAction::CreateLines => match bound.flag("ends") {
            Some(false) => CallEdit::Create { text },
            Some(true) | None => CallEdit::CreateLines { text },
        },
        ToolAction::Append => appended(bound, text),
        ToolAction::AppendLines => CallEdit::AppendLines { text },
        ToolAction::InsertAfter => CallEdit::Insert {
            after: bound.number("line")?,
            text,
        },
        ToolAction::InsertBefore => inserted_before(bound.number("line")?, text),
        ToolAction::LinesFromZero => CallEdit::Lines {
            start: bound.number("start")?.checked_add(1)?,
            end: bound.number("end")?.checked_add(1)?,
            text,
        },
        ToolAction::Pattern => CallEdit::Pattern {
            pattern: bound.text("old")?,
            new: bound.text("new").unwrap_or_default(),
            every: bound.flag("every").unwrap_or(false),
        },
        ToolAction::Sketch => CallEdit::Sketch { text },
        ToolAction::Patch => CallEdit::Edits {
            text: joined(bound.value("patch")?)?,
        },
        ToolAction::Shell => CallEdit::Shell {
            text: joined(bound.value("patch")?)?,
            folder: bound.text("folder"),
        },
        ToolAction::ShellInput => CallEdit::ShellInput {
            text: joined(bound.value("patch")?)?,
        },
        ToolAction::EnvelopeHunks => {
            let text = enveloped("Update", path?, bound.text("patch")?);
            return Some(EditRequest {
                path: None,
                edit: CallEdit::Edits { text: text.into() },
            });
        }
        ToolAction::EnvelopeLines => {
            let text = enveloped("Add", path?, bound.text("patch")?);
            return Some(EditRequest {
                path: None,
                edit: CallEdit::Edits { text: text.into() },
            });
        }
        ToolAction::Delete if bound.text("new").is_some_and(|new| !new.is_empty()) => {
            CallEdit::Other {
                found: "a call that deletes a file and states its new text".to_owned(),
                expected: Cow::Borrowed("one of the two"),
            }
        }
        ToolAction::Delete | ToolAction::DeleteAll => CallEdit::Delete {
            old: bound.text("old").filter(|old| !old.is_empty()),
        },
        ToolAction::RemoveLines if bound.flag("every") == Some(true) => {
            removing_line(replacement(bound.text("old")?, "", Every::Time, None))
        }
        ToolAction::RemoveLines => {
            removing_line(replacement(bound.text("old")?, "", Every::Once, None))
        }
        ToolAction::CopyFile => {
            return Some(EditRequest {
                path: Some(Cow::Borrowed(bound.text("to")?)),
                edit: CallEdit::CopyOf { source: path? },
            });
        }
        ToolAction::Rename => CallEdit::Rename {
            to: bound.text("to")?,
        },
        ToolAction::Cell => cell(bound)?,
        ToolAction::Refuse(expected) => CallEdit::Other {
            found: format!(
                "a call of `{}`",
                tool.names.first().copied().unwrap_or(tool.agent)
            ),
            expected: Cow::Borrowed(expected),
        },
    };
    Some(EditRequest {
        path: path.map(Cow::Borrowed),
        edit,
    })
}

/// Lines before a line, of which the first is 1.
fn inserted_before(line: usize, text: &str) -> CallEdit<'_> {
    line.checked_sub(1).map_or_else(
        || CallEdit::Other {
            found: "an insertion before line 0".to_owned(),
            expected: Cow::Borrowed("a line of the file, the first of which is 1"),
        },
        |after| CallEdit::Insert { after, text },
    )
}

pub(super) fn replacement<'v>(
    old: &'v str,
    new: &'v str,
    every: Every,
    line: Option<LineNo>,
) -> CallEdit<'v> {
    if old.is_empty() {
        return CallEdit::Create { text: new };
    }
    CallEdit::Replace {
        old,
        new,
        every,
        line,
        removes_line: false,
    }
}

/// The same edit by a tool that removes the line break behind an old text for which there is no new one.
fn removing_line(mut edit: CallEdit<'_>) -> CallEdit<'_> {
    if let CallEdit::Replace {
        old,
        new,
        removes_line,
        ..
    } = &mut edit
    {
        *removes_line = new.is_empty() && !old.ends_with('\n');
    }
    edit
}

/// The text of a patch that may be a list of texts.
fn joined(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            // Of `bash -lc COMMAND` only the command counts.
            let words = words?;
            let is_shell = words.first().is_some_and(|word| word.ends_with("sh"));
            Some(match words.as_slice() {
                [.., command] if is_shell => Cow::Borrowed(*command),
                words => Cow::Owned(words.join("\n\n")),
            })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// Puts hunks or added lines into an envelope for one file.
fn enveloped(operation: &str, path: &str, hunks: &str) -> String {
    let hunks = hunks.trim_end_matches('\n');
    if hunks.contains("*** Begin Patch") {
        return hunks.to_owned();
    }
    format!("*** Begin Patch\n*** {operation} File: {path}\n{hunks}\n*** End Patch\n")
}

/// An edit of a notebook's cell. A notebook that is only read has none of its fields.
fn cell<'v>(bound: &BoundFields<'v>) -> Option<CallEdit<'v>> {
    let refused = |found: &str, expected: &'static str| {
        Some(CallEdit::Other {
            found: found.to_owned(),
            expected: Cow::Borrowed(expected),
        })
    };
    let edit = match bound.text("edit").unwrap_or("replace") {
        "replace" => CellEdit::Replace,
        "insert" => CellEdit::Insert,
        "delete" => CellEdit::Delete,
        _ => return refused("another 'edit_mode'", "'replace', 'insert' or 'delete'"),
    };
    let kind = match bound.text("kind").map(CellKind::named) {
        Some(None) => return refused("another 'cell_type'", "'code', 'markdown' or 'raw'"),
        Some(kind) => kind,
        None => None,
    };
    let (cell, source) = (bound.text("cell"), bound.text("source"));
    let (whole, expected) = match edit {
        CellEdit::Replace => (
            cell.is_some() && source.is_some(),
            "'cell_id' and 'new_source'",
        ),
        CellEdit::Insert => (
            kind.is_some() && source.is_some(),
            "'cell_type' and 'new_source'",
        ),
        CellEdit::Delete => (cell.is_some(), "'cell_id'"),
    };
    if !whole {
        let is_edit = cell.is_some() || source.is_some() || bound.text("edit").is_some();
        is_edit.then_some(())?;
        return refused("an edit of a cell that is not whole", expected);
    }
    Some(CallEdit::Cell {
        cell,
        edit,
        kind,
        source: source.unwrap_or_default(),
    })
}
