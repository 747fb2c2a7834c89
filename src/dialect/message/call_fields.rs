//! Fields of a call that hold the fields of its tool (`arguments`, `input`), which may be a string of JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::message_fields::FIELDS;
use crate::dialect::tool::bare_fields::{by_fields, is_patch};
use crate::dialect::tool::edit_request::{CallEdit, EditRequest};
use crate::dialect::tool::schema;
use crate::dialect::tool::tool_match::{by_name, misnamed_text};
use crate::dialect::tool::tool_table::{Tool, ToolAction};
use crate::text::UniqueJson;

/// Reads the fields of a call that hold those of its tool; several must be the same. `None` if there are none.
pub(super) fn read<'v>(
    fields: &'v Map<String, Value>,
    name: Option<&'v str>,
    tool_type: Option<&'v str>,
) -> Option<Vec<EditRequest<'v>>> {
    let mut found = FIELDS.iter().filter_map(|field| {
        let inner = fields.get(*field)?;
        Some((*field, in_field(inner, name, tool_type)?))
    });
    let (field, requests) = found.next()?;
    let other = found.find(|(_, other)| *other != requests);
    Some(match other {
        None => requests,
        Some((other, _)) => vec![twice(name, field, other)],
    })
}

/// Returns the request of a call of an editing tool whose fields are in a string that is no valid JSON.
fn broken_fields<'v>(name: &str, text: &str) -> Option<EditRequest<'v>> {
    let edits = |tool: &Tool| !matches!(tool.action, ToolAction::Shell);
    schema::named(name).find(|tool| edits(tool))?;
    let error = UniqueJson::parse(text.as_bytes()).err()?;
    let edit = CallEdit::Other {
        found: format!("a call of `{name}` with {error}"),
        expected: Cow::Borrowed("its fields in valid JSON"),
    };
    Some(EditRequest { path: None, edit })
}

/// Reads what a field of a call holds as the fields of its tool.
fn in_field<'v>(
    inner: &'v Value,
    name: Option<&'v str>,
    tool_type: Option<&'v str>,
) -> Option<Vec<EditRequest<'v>>> {
    match (inner, name.or(tool_type)) {
        (Value::Object(inner), name) => {
            name.map_or_else(|| by_fields(inner), |name| by_name(name, inner))
        }
        (Value::String(text), Some(name)) if text.trim_start().starts_with('{') => {
            Some(vec![broken_fields(name, text)?])
        }
        // Codex sends the text of a patch without fields around it.
        (Value::String(text), Some(name)) => {
            let takes_patch = |tool: &Tool| matches!(tool.action, ToolAction::Patch);
            let mut tools = schema::named(name).peekable();
            if tools.peek().is_none() {
                return is_patch(text).then(|| vec![misnamed_text(name)]);
            }
            let is_patch = tools.any(takes_patch) && text.contains("***");
            let text = Cow::Borrowed(text.as_str());
            let edit = CallEdit::Edits { text };
            is_patch.then(|| vec![EditRequest { path: None, edit }])
        }
        _ => None,
    }
}

/// Refuses a call whose fields are in two fields of it, which differ.
fn twice<'v>(name: Option<&str>, field: &str, other: &str) -> EditRequest<'v> {
    let tool = name.map(|name| format!("of `{name}` "));
    let tool = tool.unwrap_or_default();
    let edit = CallEdit::Other {
        found: format!("a call {tool}with `{field}` and `{other}`, which differ"),
        expected: Cow::Borrowed("its fields once"),
    };
    EditRequest { path: None, edit }
}
