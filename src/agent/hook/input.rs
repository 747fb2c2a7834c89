//! A call as a proposal for the reviewer.

use serde_json::{Map, Value, json};

use super::call::HookCall;
use super::client_effect::written;
use super::clients::{ClientTrait, ToolKind};
use super::notebook;
use crate::agent::{Submission, WriteMode};
use crate::text::Document;

/// Arguments in which agents describe an edit in words.
pub(super) const REASONS: [&str; 4] = ["instruction", "description", "explanation", "reason"];

impl HookCall {
    /// Returns the proposal of this call. `path` is its file relative to the root of the reviewer, and `base` the
    /// file's text (needed for the edit of a notebook); a patch has neither.
    pub fn submission(&self, path: Option<&str>, base: Option<&Document>) -> Option<Submission> {
        let (format, input) = match self.kind {
            ToolKind::Patch => ("envelope", self.patch()?.to_owned()),
            ToolKind::Notebook => {
                let content = notebook::proposed(&self.args, base?)?;
                (
                    "tool-call",
                    json!({"file_path": path?, "content": content}).to_string(),
                )
            }
            ToolKind::Diff => {
                let own = self.text("newContent")?;
                // With the line endings that Gemini will write.
                let content = written(self.agent, base, own).unwrap_or_else(|| own.to_owned());
                (
                    "tool-call",
                    json!({"file_path": path?, "content": content}).to_string(),
                )
            }
            // The names that opencode gives them are those of a tool of another client that only makes new files.
            ToolKind::Write if !self.agent.has(ClientTrait::MakesNewFilesOnly) => (
                "tool-call",
                json!({"file_path": path?, "content": self.text(self.agent.fields().content)?})
                    .to_string(),
            ),
            ToolKind::Replace | ToolKind::ReplaceSeveral | ToolKind::Insert | ToolKind::Write => {
                ("tool-call", self.tool_call(path?).to_string())
            }
        };
        let words = REASONS.iter().find_map(|name| self.text(name));
        Some(Submission {
            session: self.session.clone(),
            tool: Some(self.tool.clone()),
            origin: words.map(str::to_owned),
            format: Some(format.to_owned()),
            mode: WriteMode::AgentWrites,
            ..Submission::new(self.agent.name(), input)
        })
    }

    /// The arguments that matter, under the file's own name.
    fn tool_call(&self, path: &str) -> Value {
        let fields = self.agent.fields();
        let mut args = Map::new();
        let names = [
            fields.old,
            fields.new,
            fields.content,
            "edits",
            "expected_replacements",
        ];
        for name in names.into_iter().chain(fields.all).chain(fields.line) {
            if let Some(value) = self.args.get(name).filter(|value| !value.is_null()) {
                args.insert(name.to_owned(), value.clone());
            }
        }
        args.insert(fields.path.to_owned(), path.into());
        Value::Object(args)
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::Agent;
    use super::*;
    use crate::agent::hook::{HookRequest, read};

    /// Checks the edit that the reviewer gets for a call of a plugin.
    #[track_caller]
    fn check(agent: Agent, tool: &str, args: &Value, expected: &Value) {
        let asked = json!({"tool": tool, "directory": "/w", "args": args}).to_string();
        let Ok(HookRequest::Write(call)) = read(agent, asked.as_bytes()) else {
            panic!("it is not understood");
        };
        let submission = call.submission(Some("a"), None).unwrap();
        let found: Value = serde_json::from_str(&submission.input).unwrap();
        assert_eq!(&found, expected, "{agent}");
    }

    #[test]
    fn new_contents_of_a_file_have_one_meaning() {
        let expected = json!({"file_path": "a", "content": "x"});
        let args = json!({"filePath": "/w/a", "content": "x"});
        check(Agent::Opencode, "write", &args, &expected);
        let args = json!({"path": "/w/a", "content": "x"});
        check(Agent::Pi, "write", &args, &expected);
    }
}
