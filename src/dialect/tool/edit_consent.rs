//! Parts of a `WorkspaceEdit` that need an editor or a person: snippets, and changes that a server asks to confirm.
//!
//! <https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#changeAnnotation>

use serde_json::{Map, Value};

/// The `InsertTextFormat` of snippets.
const SNIPPET: u64 = 2;

/// Returns `true` for a text edit whose text has placeholders.
pub(super) fn is_snippet(edit: &Value) -> bool {
    let format = edit.get("insertTextFormat").and_then(Value::as_u64);
    format == Some(SNIPPET) || edit.get("snippet").is_some()
}

/// Returns the label of an annotation with which a server asks that a person confirms its changes.
pub(super) fn unconfirmed(fields: &Map<String, Value>) -> Option<&str> {
    let annotations = fields.get("changeAnnotations")?.as_object()?;
    let asks = |value: &&Value| value.get("needsConfirmation") == Some(&Value::Bool(true));
    let label = annotations.values().find(asks)?.get("label");
    Some(label.and_then(Value::as_str).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_that_need_consent_are_known() {
        let check = |value: Value, expected: Option<&str>| {
            assert_eq!(unconfirmed(value.as_object().unwrap()), expected, "{value}");
        };
        let edit = |needs: bool| json!({"changeAnnotations": {"a": {"label": "x", "needsConfirmation": needs}}});
        check(edit(true), Some("x"));
        check(edit(false), None);
        check(json!({}), None);
    }

    #[test]
    fn snippets_are_known() {
        let check = |edit: Value, expected: bool| assert_eq!(is_snippet(&edit), expected, "{edit}");
        check(json!({"newText": "${0:a}", "insertTextFormat": 2}), true);
        check(json!({"snippet": {"kind": "snippet", "value": "$0"}}), true);
        check(json!({"newText": "${0:a}", "insertTextFormat": 1}), false);
        check(json!({"newText": "${0:a}"}), false);
    }
}
