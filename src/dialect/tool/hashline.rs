//! Edits that name lines by number and a short hash of their text ([`LineHash`]), as hashline editors ask for them.
//!
//! * `{"op": "replace" | "append" | "prepend", "pos": "12#ZP", "end"?, "lines"}`: code-yeongyu/oh-my-openagent
//!   `src/tools/hashline-edit`;
//! * `{"set_line": {"anchor": "12:3f", "new_text"}}`, `replace_lines`, `insert_after`: can1357/oh-my-pi `prompts/tools/hashline.md`;
//! * `{"type": "set_line", "line": "12:3f", "text"}` and the like: the first form of oh-my-openagent.
//!
//! Every edit of a call names the lines of the file as it was read.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::edit_request::{CallEdit, EditRequest, Every, replacement};
use super::schema::is_note;
use crate::proposal::{LineEdit, LineHash};

/// Fields that name the file.
const PATHS: [&str; 3] = ["path", "filePath", "file_path"];
/// Operations of the forms with anchors.
const OPERATIONS: [&str; 6] = [
    "set_line",
    "replace_lines",
    "insert_after",
    "insert_before",
    "delete_lines",
    "delete_line",
];

/// Reads the fields of a call that names lines by their hashes; `None` for any other.
pub(super) fn requests(fields: &Map<String, Value>) -> Option<Vec<EditRequest<'_>>> {
    let edits = fields.get("edits")?.as_array()?;
    if !edits.iter().any(is_hashed) {
        return None;
    }
    let path = PATHS.iter().find_map(|path| fields.get(*path)?.as_str());
    let request = |edit| EditRequest {
        path: path.map(Cow::Borrowed),
        edit,
    };
    let is_idle = |value: &Value| matches!(value, Value::Null | Value::Bool(false));
    let is_known = |name: &str| name == "edits" || PATHS.contains(&name);
    let mut others = fields
        .iter()
        .filter(|(name, value)| !is_known(name) && !is_note(name) && !is_idle(value));
    if let Some((name, _)) = others.next() {
        return Some(vec![request(refused(&format!("with the field `{name}`")))]);
    }
    let read = |value| edit(value).unwrap_or_else(|| refused("whose lines or text cannot be read"));
    Some(edits.iter().map(|value| request(read(value))).collect())
}

fn refused<'v>(what: &str) -> CallEdit<'v> {
    CallEdit::Other {
        found: format!("a hashline edit {what}"),
        expected: Cow::Borrowed(
            "a line hash (`LINE#ID` in `pos`, or `LINE:HASH` as the `anchor` of `set_line` and the like) and the new text",
        ),
    }
}

/// Returns `true` for an edit in one of the forms.
fn is_hashed(edit: &Value) -> bool {
    let is_named = |name: &&str| edit.get(*name).is_some_and(Value::is_object);
    let text = |name: &str| edit.get(name).and_then(Value::as_str);
    OPERATIONS.iter().any(is_named)
        || (text("op").is_some() && (text("pos").is_some() || text("end").is_some()))
        || text("type").is_some_and(|kind| OPERATIONS.contains(&kind))
}

/// Reads one edit.
fn edit(edit: &Value) -> Option<CallEdit<'_>> {
    let fields = edit.as_object()?;
    if let Some(op) = fields.get("op") {
        return by_operation(op.as_str()?, fields);
    }
    if let Some(kind) = fields.get("type") {
        return by_type(kind.as_str()?, fields);
    }
    let mut entries = fields.iter();
    let (Some((name, inner)), None) = (entries.next(), entries.next()) else {
        return None;
    };
    by_type(name, inner.as_object()?)
}

/// Reads `{"op", "pos", "end", "lines"}`.
fn by_operation<'v>(op: &str, fields: &'v Map<String, Value>) -> Option<CallEdit<'v>> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    if op == "replace_text" {
        known(fields, &["op", "oldText", "newText"])?;
        return Some(replacement(
            text("oldText")?,
            text("newText")?,
            Every::Once,
            None,
        ));
    }
    known(fields, &["op", "pos", "end", "lines"])?;
    let lines = match fields.get("lines")? {
        Value::Null => Vec::new(),
        Value::String(text) => text.split('\n').collect(),
        Value::Array(lines) => lines
            .iter()
            .map(Value::as_str)
            .collect::<Option<Vec<_>>>()?,
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    let (first, last) = (text("pos"), text("end"));
    match op {
        "replace" => hashed(LineEdit::Replace, first?, last, lines),
        "append" => hashed(LineEdit::After, first.or(last)?, None, lines),
        "prepend" => hashed(LineEdit::Before, first.or(last)?, None, lines),
        _ => None,
    }
}

/// Reads the fields of `set_line` and the like.
fn by_type<'v>(kind: &str, fields: &'v Map<String, Value>) -> Option<CallEdit<'v>> {
    let text = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_str());
    let new = text(&["new_text", "text"]);
    let lines = || new.map(whole);
    let anchor = || text(&["anchor", "line"]);
    let range = || {
        let first = text(&["start_anchor", "start_line"]).or_else(anchor);
        Some((first?, text(&["end_anchor", "end_line"])))
    };
    known(
        fields,
        &[
            "type",
            "anchor",
            "line",
            "start_anchor",
            "start_line",
            "end_anchor",
            "end_line",
            "new_text",
            "text",
            "old_text",
            "all",
        ],
    )?;
    match kind {
        "set_line" => hashed(LineEdit::Replace, anchor()?, None, lines()?),
        "replace_lines" => {
            let (first, last) = range()?;
            hashed(LineEdit::Replace, first, Some(last?), lines()?)
        }
        "delete_lines" | "delete_line" => {
            let (first, last) = range()?;
            new.is_none().then_some(())?;
            hashed(LineEdit::Replace, first, last, Vec::new())
        }
        "insert_after" => hashed(LineEdit::After, anchor()?, None, lines()?),
        "insert_before" => hashed(LineEdit::Before, anchor()?, None, lines()?),
        "replace" => {
            let every = match fields.get("all") {
                None | Some(Value::Null | Value::Bool(false)) => Every::Once,
                Some(Value::Bool(true)) => Every::Time,
                Some(_) => return None,
            };
            Some(replacement(text(&["old_text"])?, new?, every, None))
        }
        _ => None,
    }
}

/// Returns `None` if there are other fields than these.
fn known(fields: &Map<String, Value>, names: &[&str]) -> Option<()> {
    let is_known = |name: &String| names.contains(&name.as_str());
    fields.keys().all(is_known).then_some(())
}

/// The lines of a text; the newline at its end ends its last line.
fn whole(text: &str) -> Vec<&str> {
    if text.is_empty() {
        return Vec::new();
    }
    text.strip_suffix('\n')
        .unwrap_or(text)
        .split('\n')
        .collect()
}

fn hashed<'v>(
    edit: LineEdit,
    first: &'v str,
    last: Option<&'v str>,
    lines: Vec<&'v str>,
) -> Option<CallEdit<'v>> {
    let are_named = [Some(first), last].into_iter().flatten();
    let are_named = are_named.map(LineHash::parse).all(|name| name.is_some());
    // The editors take copied names of lines off; here nothing is guessed.
    let is_copied = |line: &&str| {
        let name = line
            .split_once('|')
            .and_then(|(name, _)| LineHash::parse(name));
        name.is_some()
    };
    let is_insertion = edit != LineEdit::Replace;
    (are_named && !lines.iter().any(is_copied) && !(is_insertion && lines.is_empty())).then_some(
        CallEdit::Hashed {
            edit,
            first,
            last,
            lines,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_hashline_editors_are_read() {
        let check = |edit: &str, expected: &str| {
            let call = format!(r#"{{"path":"f","edits":[{edit}]}}"#);
            let value: Value = serde_json::from_str(&call).unwrap();
            let requests = requests(value.as_object().unwrap());
            let found = requests.map(|requests| {
                let edit = &requests[0].edit;
                if let CallEdit::Hashed {
                    edit,
                    first,
                    last,
                    lines,
                } = edit
                {
                    return format!("{edit:?} {first} {} {lines:?}", last.unwrap_or("-"));
                }
                if let CallEdit::Replace { old, new, .. } = edit {
                    return format!("{old}>{new}");
                }
                assert!(matches!(edit, CallEdit::Other { .. }), "{edit:?}");
                "refused".to_owned()
            });
            assert_eq!(found.as_deref().unwrap_or("none"), expected, "{edit}");
        };
        check(
            r#"{"op":"replace","pos":"2#ZP","lines":"a\nb"}"#,
            r#"Replace 2#ZP - ["a", "b"]"#,
        );
        check(
            r#"{"op":"replace","pos":"2#ZP","end":"4#MQ","lines":["a"]}"#,
            r#"Replace 2#ZP 4#MQ ["a"]"#,
        );
        check(
            r#"{"op":"replace","pos":"2#ZP","lines":null}"#,
            "Replace 2#ZP - []",
        );
        check(
            r#"{"op":"append","pos":"2#ZP","lines":["a"]}"#,
            r#"After 2#ZP - ["a"]"#,
        );
        check(
            r#"{"op":"prepend","pos":"2#ZP","end":"3#ZP","lines":["a"]}"#,
            r#"Before 2#ZP - ["a"]"#,
        );
        check(
            r#"{"set_line":{"anchor":"2:3f","new_text":"a\n"}}"#,
            r#"Replace 2:3f - ["a"]"#,
        );
        check(
            r#"{"set_line":{"anchor":"2:3f","new_text":""}}"#,
            "Replace 2:3f - []",
        );
        check(
            r#"{"replace_lines":{"start_anchor":"2:3f","end_anchor":"3:4a","new_text":"a"}}"#,
            r#"Replace 2:3f 3:4a ["a"]"#,
        );
        check(
            r#"{"insert_after":{"anchor":"2:3f","text":"a"}}"#,
            r#"After 2:3f - ["a"]"#,
        );
        check(
            r#"{"type":"set_line","line":"5:a3","text":"a"}"#,
            r#"Replace 5:a3 - ["a"]"#,
        );
        check(
            r#"{"type":"replace_lines","start_line":"5:a3","end_line":"7:b2","text":"a"}"#,
            r#"Replace 5:a3 7:b2 ["a"]"#,
        );
        check(
            r#"{"type":"insert_after","line":"5:a3","text":"a"}"#,
            r#"After 5:a3 - ["a"]"#,
        );
        check(
            r#"{"replace":{"old_text":"a","new_text":"b"}},{"set_line":{"anchor":"2:3f","new_text":"a"}}"#,
            "a>b",
        );
        check(r#"{"op":"replace","pos":"2","lines":"a"}"#, "refused");
        check(
            r#"{"op":"replace","pos":"2#ZP","lines":"3#ZP|a"}"#,
            "refused",
        );
        check(
            r#"{"op":"replace","pos":"2#ZP","lines":"a","more":1}"#,
            "refused",
        );
        check(r#"{"op":"append","pos":"2#ZP","lines":[]}"#, "refused");
        check(
            r#"{"replace_lines":{"start_anchor":"2:3f","new_text":"a"}}"#,
            "refused",
        );
        check(r#"{"oldText":"a","newText":"b"}"#, "none");
    }
}
