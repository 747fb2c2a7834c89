//! Edits that an agent makes by itself, as it tells the editor of them: too late to be reviewed, but the person must know.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

/// Edits of one session, in so far as the agent asks for them or tells of them.
#[derive(Debug, Default)]
pub(super) struct UnreviewedEdits {
    /// Calls for which the agent asked for permission.
    asked: HashSet<String>,
    /// Files that it wrote through the editor, with the number of writes whose calls have not ended.
    written: HashMap<String, usize>,
    /// Calls that have not ended, by their id.
    open: HashMap<String, OpenCall>,
    /// Files that were reported.
    reported: HashSet<String>,
}

/// A call that has not ended.
#[derive(Debug, Default)]
struct OpenCall {
    /// Files that it has shown edits of.
    paths: HashSet<String>,
    /// Content of its last update that has any.
    content: Option<Value>,
}

impl UnreviewedEdits {
    /// Notes that the agent asks for permission to make a call. A request for permission is an update of the call, and leaves out
    /// what has not changed: it gets the content that the call has shown before.
    pub(super) fn ask(&mut self, params: &mut Value) {
        let Some(call) = params.get_mut("toolCall") else {
            return;
        };
        let Some(id) = call.get("toolCallId").and_then(Value::as_str) else {
            return;
        };
        self.asked.insert(id.to_owned());
        let shown = self.open.get(id).and_then(|open| open.content.clone());
        if let Some(shown) = shown
            && call.get("content").is_none_or(Value::is_null)
        {
            call["content"] = shown;
        }
    }

    /// Notes that the agent writes a file through the editor.
    pub(super) fn write(&mut self, path: &str) {
        *self.written.entry(path.to_owned()).or_default() += 1;
    }

    /// Follows an update of a session. Returns the files that a call has changed by itself, each once.
    pub(super) fn follow(&mut self, update: &Value) -> Vec<String> {
        let text = |name: &str| update.get(name).and_then(Value::as_str);
        let kind = text("sessionUpdate");
        let (Some("tool_call" | "tool_call_update"), Some(id)) = (kind, text("toolCallId")) else {
            return Vec::new();
        };
        let open = self.open.entry(id.to_owned()).or_default();
        if let Some(Value::Array(content)) = update.get("content") {
            let diffs = content.iter().filter_map(|item| {
                let is_diff = item.get("type").and_then(Value::as_str) == Some("diff");
                item.get("path").filter(|_| is_diff)?.as_str()
            });
            open.paths.extend(diffs.map(str::to_owned));
            open.content = Some(Value::Array(content.clone()));
        }
        let is_done = match text("status") {
            Some("completed") => true,
            Some("failed") => false,
            Some(_) | None => return Vec::new(),
        };
        let paths = self.open.remove(id).unwrap_or_default().paths;
        let was_asked = self.asked.remove(id);
        let mut unreviewed = Vec::new();
        for path in paths {
            let was_written = self.end_write(&path);
            if is_done && !was_asked && !was_written && self.reported.insert(path.clone()) {
                unreviewed.push(path);
            }
        }
        unreviewed.sort_unstable();
        unreviewed
    }

    /// Notes that a call has ended which changes a file. Returns true if it wrote the file through the editor.
    fn end_write(&mut self, path: &str) -> bool {
        // Some agents name a file by its full name in the one place, and by a part of it in the other.
        let is_same =
            |other: &str| Path::new(path).ends_with(other) || Path::new(other).ends_with(path);
        let mut written = self.written.iter_mut();
        let Some((_, count)) = written.find(|(other, count)| **count > 0 && is_same(other)) else {
            return false;
        };
        *count -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Follows updates of one call, and returns what is reported.
    fn reported(edits: &mut UnreviewedEdits, updates: &[Value]) -> Vec<String> {
        let follow = |update: &Value| {
            let mut update = update.clone();
            update["sessionUpdate"] = "tool_call_update".into();
            edits.follow(&update)
        };
        updates.iter().flat_map(follow).collect()
    }

    #[test]
    fn a_request_for_permission_has_what_its_call_has_shown() {
        let mut edits = UnreviewedEdits::default();
        let shown = json!([{"type": "diff", "path": "/w/a", "newText": "b"}]);
        let call =
            json!({"sessionUpdate": "tool_call", "toolCallId": "1", "content": shown.clone()});
        edits.follow(&call);
        edits.follow(
            &json!({"sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "pending"}),
        );
        let mut check = |asked: Value, expected: &Value| {
            let mut params = json!({"toolCall": asked});
            edits.ask(&mut params);
            assert_eq!(&params["toolCall"]["content"], expected);
        };
        check(json!({"toolCallId": "1"}), &shown);
        check(json!({"toolCallId": "1", "content": null}), &shown);
        check(json!({"toolCallId": "1", "content": []}), &json!([]));
        check(json!({"toolCallId": "2"}), &Value::Null);
    }

    #[test]
    fn only_what_nobody_was_asked_about_is_reported() {
        let diff = |path: &str| json!([{"type": "diff", "path": path, "newText": "b"}]);
        let edit = |status: &str| {
            [
                json!({"toolCallId": "1", "status": "pending", "content": diff("/w/a")}),
                json!({"toolCallId": "1", "status": status}),
            ]
        };
        let new = UnreviewedEdits::default;
        assert_eq!(reported(&mut new(), &edit("completed")), ["/w/a"]);
        assert_eq!(reported(&mut new(), &edit("failed")), [""; 0]);
        assert_eq!(reported(&mut new(), &edit("in_progress")), [""; 0]);
        let read = json!({"toolCallId": "1", "status": "completed", "content": [{"type": "content", "path": "/w/a"}]});
        assert_eq!(reported(&mut new(), &[read]), [""; 0]);

        let mut asked = new();
        asked.ask(&mut json!({"toolCall": {"toolCallId": "1"}}));
        assert_eq!(reported(&mut asked, &edit("completed")), [""; 0]);
        let mut failed = new();
        failed.write("/w/a");
        assert_eq!(reported(&mut failed, &edit("failed")), [""; 0]);
        assert_eq!(reported(&mut failed, &edit("completed")), ["/w/a"]);
        let mut other = new();
        other.ask(&mut json!({"toolCall": {"toolCallId": "2"}}));
        assert_eq!(reported(&mut other, &edit("completed")), ["/w/a"]);
        assert_eq!(reported(&mut other, &edit("completed")), [""; 0]);

        for (written, is_same) in [
            ("/w/a", true),
            ("a", true),
            ("/w/b", false),
            ("/w/xa", false),
        ] {
            let mut edits = new();
            edits.write(written);
            let found = reported(&mut edits, &edit("completed"));
            assert_eq!(found.is_empty(), is_same, "{written}");
            // One write does not cover another call.
            let again = reported(&mut edits, &edit("completed"));
            assert_eq!(again.is_empty(), !is_same, "{written}");
        }
    }
}
