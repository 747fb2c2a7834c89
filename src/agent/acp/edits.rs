//! Requests of an agent that are reviewed.

use serde_json::{Value, json};

/// Request to write a file: `fs/write_text_file`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The session.
    pub session: String,
    /// The full name of the file.
    pub path: String,
    /// The new contents.
    pub content: String,
}

/// Request for permission to make edits: `session/request_permission`.
#[derive(Debug, Clone, PartialEq)]
pub struct Permission {
    /// The session.
    pub session: String,
    /// The purpose in the agent's words.
    pub title: Option<String>,
    /// The edits, as the protocol writes them.
    diffs: Vec<Value>,
    /// Option that allows this call only.
    allow: Option<String>,
    /// Option that rejects this call only.
    reject: Option<String>,
}

impl Write {
    /// Parses the parameters of a request.
    pub(super) fn read(params: &Value) -> Option<Self> {
        let text = |name: &str| params.get(name)?.as_str().map(str::to_owned);
        Some(Self {
            session: text("sessionId")?,
            path: text("path")?,
            content: text("content")?,
        })
    }

    /// Returns the proposal, in the form of a tool call, with another name of the file.
    pub fn input(&self, path: &str) -> String {
        json!({"file_path": path, "content": self.content}).to_string()
    }
}

impl Permission {
    /// Parses the parameters of a request; `None` if it shows no edit.
    pub(super) fn read(params: &Value) -> Option<Self> {
        let call = params.get("toolCall")?;
        let content = call.get("content")?.as_array()?;
        let is_diff = |item: &&Value| item.get("type").and_then(Value::as_str) == Some("diff");
        let diffs: Vec<Value> = content.iter().filter(is_diff).cloned().collect();
        if diffs.is_empty() {
            return None;
        }
        let options = params.get("options").and_then(Value::as_array);
        let [allow, reject] = ["allow_once", "reject_once"].map(|kind| {
            let is_it = |option: &&Value| option.get("kind").and_then(Value::as_str) == Some(kind);
            let option = options?.iter().find(is_it)?;
            option.get("optionId")?.as_str().map(str::to_owned)
        });
        Some(Self {
            session: params.get("sessionId")?.as_str()?.to_owned(),
            title: call.get("title").and_then(Value::as_str).map(str::to_owned),
            diffs,
            allow,
            reject,
        })
    }

    /// Returns the files of the edits, as the agent names them.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.diffs.iter();
        paths.map(|diff| diff.get("path").and_then(Value::as_str).unwrap_or_default())
    }

    /// Returns the proposal, with other names of the files.
    pub fn input(&self, paths: &[String]) -> String {
        let renamed = self.diffs.iter().zip(paths).map(|(diff, path)| {
            let mut known = json!({"type": "diff", "path": path});
            for name in ["oldText", "newText", "deleted"] {
                if let Some(value) = diff.get(name).filter(|value| !value.is_null()) {
                    known[name] = value.clone();
                }
            }
            known
        });
        let mut diffs: Vec<Value> = renamed.collect();
        match diffs.pop() {
            Some(only) if diffs.is_empty() => only.to_string(),
            last => {
                diffs.extend(last);
                Value::Array(diffs).to_string()
            }
        }
    }

    /// Returns the answer that allows the edit, or rejects it. Without such an option the request is cancelled.
    pub fn outcome(&self, is_allowed: bool) -> Value {
        let option = if is_allowed {
            &self.allow
        } else {
            &self.reject
        };
        match option {
            Some(id) => json!({"outcome": {"outcome": "selected", "optionId": id}}),
            None => json!({"outcome": {"outcome": "cancelled"}}),
        }
    }
}
