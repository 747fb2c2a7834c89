//! Reads fields of calls without the name of a tool.
//!
//! Fields alone are read only if all tools that take them do the same.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::bind::{self, BoundFields};
use super::edit_request::{CallEdit, EditRequest, Every, act, replacement};
use super::field_names::PATHS;
use super::hashline;
use super::schema;
use super::tool_table::{TOOLS, Tool, ToolAction};

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
    if let Some(requests) = agreed(fields, is_explicit) {
        return Some(requests);
    }
    let by_synonyms = loose(fields)?;
    Some(vec![by_synonyms])
}

/// The shells and the patch program with which a command begins that is a list of words.
const FIRST_WORDS: [&str; 8] = [
    "apply_patch",
    "applypatch",
    "ash",
    "bash",
    "dash",
    "ksh",
    "sh",
    "zsh",
];

/// Returns `true` for the start of a JSON array of words that may be a command with an edit.
pub(in crate::dialect) fn may_be_words(line: &str) -> bool {
    let word = line.strip_prefix('[').map(str::trim_start);
    let word = word.and_then(|line| line.strip_prefix('"')?.split_once('"'));
    word.is_some_and(|(word, _)| is_first_word(word))
}

fn is_first_word(word: &str) -> bool {
    FIRST_WORDS.contains(&word.rsplit('/').next().unwrap_or(word))
}

/// Reads a command alone, as a list of words: `["bash", "-lc", SCRIPT]` or `["apply_patch", PATCH]`.
pub(in crate::dialect) fn by_words(value: &Value) -> Option<EditRequest<'_>> {
    let words: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
    let words = words?;
    let edit = match words.as_slice() {
        [program, patch] if is_first_word(program) && program.ends_with("patch") => {
            let text = Cow::Borrowed(*patch);
            CallEdit::Edits { text }
        }
        [shell, flags @ .., script]
            if is_first_word(shell)
                && shell.ends_with("sh")
                && flags
                    .last()
                    .is_some_and(|flag| flag.starts_with('-') && flag.ends_with('c')) =>
        {
            CallEdit::Shell {
                text: Cow::Borrowed(*script),
                folder: None,
            }
        }
        _ => return None,
    };
    Some(EditRequest { path: None, edit })
}

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

/// Returns `true` for a text with an envelope of `apply_patch`.
pub(in crate::dialect) fn is_patch(text: &str) -> bool {
    text.contains("*** Begin Patch")
}

/// The patch in a shell command, in one string or in several.
pub(super) fn envelope(fields: &Map<String, Value>) -> Option<&str> {
    let is_patch = |text: &&str| is_patch(text);
    ["input", "command", "cmd", "patch_text"]
        .iter()
        .find_map(|name| match fields.get(*name)? {
            Value::String(text) => Some(text.as_str()).filter(is_patch),
            Value::Array(words) => words.iter().filter_map(Value::as_str).find(is_patch),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        })
}

/// Beginnings of search/replace blocks.
const BLOCKS: [&str; 2] = ["<<<<<<< SEARCH\n", "------- SEARCH\n"];

/// A tool that takes the fields, and what it does with them.
struct FittingTool<'v> {
    tool: &'static Tool,
    likelihood: Likelihood,
    requests: Vec<EditRequest<'v>>,
}

impl FittingTool<'_> {
    fn name(&self) -> String {
        let name = self.tool.names.first().copied().unwrap_or_default();
        format!("`{}` ({})", name.trim_matches(['<', '>']), self.tool.agent)
    }
}

/// The degree to which a text has the form that a tool takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    /// The tool takes a form of text that would show, and does not.
    Low,
    Plain,
    /// The text has the form that only such a tool takes.
    High,
}

/// Reads fields by the rows of the table that they fit and that meet a condition. Tools that would do different things with
/// them refuse each other.
fn agreed(
    fields: &Map<String, Value>,
    condition: fn(&Tool, &BoundFields<'_>, &Map<String, Value>) -> bool,
) -> Option<Vec<EditRequest<'_>>> {
    let mut fitting: Vec<FittingTool> = Vec::new();
    for tool in TOOLS {
        // Of the rows of one tool the first one decides.
        let is_known =
            |other: &FittingTool| other.tool.agent == tool.agent && other.tool.names == tool.names;
        if tool.action == ToolAction::Shell || fitting.iter().any(is_known) {
            continue;
        }
        if let Ok(bound) = bind::fit(tool, fields)
            && condition(tool, &bound, fields)
            && let Some(requests) = act(tool, &bound)
        {
            fitting.push(FittingTool {
                tool,
                likelihood: likelihood(tool, &bound),
                requests,
            });
        }
    }
    let most = fitting.iter().map(|it| it.likelihood).max()?;
    let mut fitting = fitting.into_iter().filter(|it| it.likelihood == most);
    let first = fitting.next()?;
    let Some(other) = fitting.find(|it| !do_the_same(&first.requests, &it.requests)) else {
        return Some(first.requests);
    };
    let found = format!(
        "fields that fit {} and {}, which do different things",
        first.name(),
        other.name()
    );
    let path = PATHS.iter().find_map(|path| fields.get(*path)?.as_str());
    Some(vec![EditRequest {
        path: path.map(Cow::Borrowed),
        edit: CallEdit::Other {
            found,
            expected: Cow::Borrowed("the name of the tool beside its fields"),
        },
    }])
}

/// Returns the degree to which the text of a call has the form that a tool takes.
fn likelihood(tool: &Tool, bound: &BoundFields<'_>) -> Likelihood {
    if tool.action == ToolAction::Patch {
        let text = bound.text("patch").unwrap_or_default();
        // A text of search/replace blocks is hardly the text of a file.
        return if BLOCKS.iter().any(|mark| text.contains(mark)) {
            Likelihood::High
        } else {
            Likelihood::Low
        };
    }
    // A text that is written as a whole is refused if marks in it may replace code.
    if tool.action == ToolAction::Sketch {
        return Likelihood::Low;
    }
    Likelihood::Plain
}

/// Returns `true` if requests have the same effect. Tools that write a text into a file agree on what the file holds then.
fn do_the_same(left: &[EditRequest<'_>], right: &[EditRequest<'_>]) -> bool {
    let is_same = |(left, right): (&EditRequest, &EditRequest)| {
        let is_same_edit = match (&left.edit, &right.edit) {
            (
                CallEdit::Write { text, .. } | CallEdit::Create { text },
                CallEdit::Write { text: other, .. } | CallEdit::Create { text: other },
            ) => text == other,
            (CallEdit::Other { .. }, CallEdit::Other { .. }) => true,
            (left, right) => left == right,
        };
        left.path == right.path && is_same_edit
    };
    left.len() == right.len() && left.iter().zip(right).all(is_same)
}

/// Returns `true` for fields that ask for an edit, whatever the tool that takes them is called.
fn is_explicit(tool: &Tool, bound: &BoundFields<'_>, fields: &Map<String, Value>) -> bool {
    match tool.action {
        // `{"path": …}` alone asks for nothing.
        ToolAction::Delete | ToolAction::Rename => fields.contains_key("type"),
        // `{"path": …}` alone is hardly refused for what it may ask.
        ToolAction::Refuse(_) => fields.contains_key("command") || bound.is_more_than_a_path(),
        ToolAction::DeleteAll | ToolAction::CopyFile | ToolAction::RemoveLines => false,
        // Without a text it may be a call that reads the lines.
        ToolAction::LinesFromZero => bound.value("text").is_some(),
        ToolAction::Write
        | ToolAction::WriteTrimmed
        | ToolAction::Create
        | ToolAction::CreateLines => {
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
        | ToolAction::Shell
        | ToolAction::ShellInput => true,
    }
}
