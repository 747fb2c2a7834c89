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
    /// Files of the calls that have not ended, by the id of the call.
    open: HashMap<String, HashSet<String>>,
    /// Files that were reported.
    reported: HashSet<String>,
}

impl UnreviewedEdits {
    /// Notes that the agent asks for permission to make a call.
    pub(super) fn ask(&mut self, params: &Value) {
        let id = params.pointer("/toolCall/toolCallId");
        self.asked
            .extend(id.and_then(Value::as_str).map(str::to_owned));
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
        let content = update.get("content").and_then(Value::as_array);
        let diffs = content.into_iter().flatten().filter_map(|item| {
            let is_diff = item.get("type").and_then(Value::as_str) == Some("diff");
            item.get("path").filter(|_| is_diff)?.as_str()
        });
        let paths = self.open.entry(id.to_owned()).or_default();
        paths.extend(diffs.map(str::to_owned));
        let is_done = match text("status") {
            Some("completed") => true,
            Some("failed") => false,
            Some(_) | None => return Vec::new(),
        };
        let paths = self.open.remove(id).unwrap_or_default();
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
        asked.ask(&json!({"toolCall": {"toolCallId": "1"}}));
        assert_eq!(reported(&mut asked, &edit("completed")), [""; 0]);
        let mut failed = new();
        failed.write("/w/a");
        assert_eq!(reported(&mut failed, &edit("failed")), [""; 0]);
        assert_eq!(reported(&mut failed, &edit("completed")), ["/w/a"]);
        let mut other = new();
        other.ask(&json!({"toolCall": {"toolCallId": "2"}}));
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
