//! Hash of what a call writes, by which the call that a client carried out is compared with the approved one.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::call::HookCall;
use super::clients::{Installed, ToolKind};
use crate::text::hex;

/// Arguments that decide what is written, beside those with names of the client's own.
const COMMON: [&str; 2] = ["edits", "expected_replacements"];

impl HookCall {
    /// Returns the hash of arguments of this call that decide what is written into a file. An argument that is `false` or `null` counts as
    /// not given: clients fill those in. `None` where the client passes no call on after the tool, or not as it was carried out.
    pub fn hash_of(&self, args: &Map<String, Value>, file: &Path) -> Option<String> {
        let profile = self.agent.profile();
        let Installed::Entries { after: Some(_), .. } = profile.installed else {
            return None;
        };
        let is_plain = match self.kind {
            ToolKind::Replace | ToolKind::ReplaceSeveral | ToolKind::Write | ToolKind::Patch => {
                true
            }
            // Clients fill in arguments of these by themselves.
            ToolKind::Insert | ToolKind::Notebook | ToolKind::Diff => false,
        };
        if !is_plain || self.embedded.is_some() || !self.agent.takes_amended_input() {
            return None;
        }
        let fields = &profile.fields;
        let names = [fields.old, fields.new, fields.content, fields.patch];
        let names = names
            .into_iter()
            .chain(COMMON)
            .chain(fields.all)
            .chain(fields.line);
        let given: BTreeMap<&str, String> = names
            .filter_map(|name| Some((name, canonical(args.get(name)?)?)))
            .collect();
        let mut hash = Sha256::new();
        hash.update(file.as_os_str().as_encoded_bytes());
        hash.update(format!("\0{given:?}"));
        Some(hex(&hash.finalize())[..32].to_owned())
    }
}

/// Returns a value as a text that does not depend on the order of names; `None` for one that counts as not given.
fn canonical(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null | Value::Bool(false) => return None,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(list) => {
            let list: Vec<Option<String>> = list.iter().map(canonical).collect();
            format!("{list:?}")
        }
        Value::Object(fields) => {
            let fields: BTreeMap<&String, String> = fields
                .iter()
                .filter_map(|(name, value)| Some((name, canonical(value)?)))
                .collect();
            format!("{fields:?}")
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agent::hook::{Agent, HookRequest, read};

    fn hash(agent: Agent, tool: &str, args: &Value, file: &str) -> Option<String> {
        let input = json!({"session_id": "s", "cwd": "/p", "tool_name": tool, "tool_input": args});
        let Ok(HookRequest::Write(call)) = read(agent, input.to_string().as_bytes()) else {
            panic!("{input}");
        };
        call.hash_of(&call.args, Path::new(file))
    }

    #[test]
    fn calls_that_write_the_same_have_the_same_hash() {
        let edit = |args: Value| hash(Agent::Claude, "Edit", &args, "/p/a.txt").unwrap();
        let usual = edit(json!({"file_path": "a.txt", "old_string": "a", "new_string": "b"}));
        let same = json!({"new_string": "b", "old_string": "a", "replace_all": false, "file_path": "/p/a.txt"});
        assert_eq!(edit(same), usual);
        for other in [
            json!({"file_path": "a.txt", "old_string": "a", "new_string": "c"}),
            json!({"file_path": "a.txt", "old_string": "a", "new_string": "b", "replace_all": true}),
        ] {
            assert_ne!(edit(other), usual);
        }
        let args = json!({"file_path": "a.txt", "old_string": "a", "new_string": "b"});
        let elsewhere = hash(Agent::Claude, "Edit", &args, "/p/b.txt").unwrap();
        assert_ne!(elsewhere, usual);
        // Its hooks cannot change a call.
        assert_eq!(hash(Agent::Qwen, "edit", &args, "/p/a.txt"), None);
    }
}
