//! Comments on the lines of a file, as the API of GitHub has them: they may hold a suggestion, but are no edits.
//!
//! <https://docs.github.com/en/rest/pulls/comments>

use serde_json::{Map, Value};

use super::edit_request::EditRequest;

/// Refuses a comment, or a review with comments.
pub(in crate::dialect) fn refused(fields: &Map<String, Value>) -> Option<EditRequest<'_>> {
    let comments = fields.get("comments").and_then(Value::as_array);
    let first = comments.and_then(|comments| comments.first()?.as_object());
    let path = is_comment(fields).or_else(|| is_comment(first?))?;
    let found = "a review comment of GitHub in JSON, whose text may be prose or a suggestion";
    let expected = "the ```suggestion``` block of its `body` below the name of the file and the numbers of the lines, or a diff";
    Some(EditRequest::refused(Some(path), found, expected))
}

/// The same for any value.
pub(in crate::dialect) fn refused_value(value: &Value) -> Option<Vec<EditRequest<'_>>> {
    Some(vec![refused(value.as_object()?)?])
}

/// Returns the file of a comment.
fn is_comment(fields: &Map<String, Value>) -> Option<&str> {
    const LINES: [&str; 3] = ["line", "original_line", "position"];
    let has_line = LINES
        .iter()
        .any(|name| fields.get(*name).is_some_and(Value::is_u64));
    fields
        .get("body")
        .filter(|body| has_line && body.is_string())?;
    fields.get("path")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_comment_on_a_line_is_refused() {
        let check = |value: Value, expected: bool| {
            assert_eq!(refused_value(&value).is_some(), expected, "{value}");
        };
        let comment = || json!({"path": "a", "line": 3, "body": "Why?", "side": "RIGHT"});
        check(comment(), true);
        check(json!({"event": "COMMENT", "comments": [comment()]}), true);
        check(json!({"path": "a", "body": "text"}), false);
        check(json!({"title": "x", "body": "text", "line": 1}), false);
    }
}
