//! The sandbox of Codex, as far as it decides whether Codex carries out an edit at all.
//!
//! A hook is asked before the sandbox. In a sandbox that is read-only Codex asks the person for every edit, unless it may ask nobody
//! (`codex exec`): then it refuses all of them, also those that were approved in a review. The input of a hook does not have the sandbox;
//! the record of the session, which the input names, has it in its last entry `turn_context`. Codex documents neither, so anything that is
//! not found there changes nothing.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// Bytes that are read from the end of the record at first.
const FIRST: u64 = 64 << 10;
/// The most bytes that are read.
const MOST: u64 = 64 << 20;
/// Type of the entry with the sandbox.
const ENTRY: &str = "turn_context";

/// Returns whether Codex refuses every edit of the turn that a hook is called in.
pub(super) fn refuses_edits(input: &Value) -> bool {
    let record = input.get("transcript_path").and_then(Value::as_str);
    let Some(Ok(Some(turn))) = record.map(|record| last_turn(Path::new(record))) else {
        return false;
    };
    let text = |pointer: &str| turn.pointer(pointer).and_then(Value::as_str);
    let is_this = text("/payload/turn_id") == input.get("turn_id").and_then(Value::as_str);
    is_this
        && text("/payload/sandbox_policy/type") == Some("read-only")
        && text("/payload/approval_policy") == Some("never")
}

/// Returns the last entry of a record about a turn. Of a long record only the end is read, in steps that grow.
fn last_turn(record: &Path) -> io::Result<Option<Value>> {
    // To open a pipe would block.
    if !record.metadata()?.is_file() {
        return Ok(None);
    }
    let mut file = File::open(record)?;
    let length = file.metadata()?.len();
    let mut size = FIRST;
    loop {
        let start = length.saturating_sub(size);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.by_ref().take(size).read_to_end(&mut bytes)?;
        // The first line may have no beginning; then it is no JSON.
        let found = bytes.rsplit(|&byte| byte == b'\n').find_map(turn);
        if found.is_some() || start == 0 || size >= MOST {
            return Ok(found);
        }
        size *= 4;
    }
}

/// Returns a line of a record if it is about a turn.
fn turn(line: &[u8]) -> Option<Value> {
    memchr::memmem::find(line, ENTRY.as_bytes())?;
    let entry: Value = serde_json::from_slice(line).ok()?;
    (entry.get("type")?.as_str()? == ENTRY).then_some(entry)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    #[test]
    fn edits_that_codex_would_refuse_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("record.jsonl");
        let context = |turn: &str, sandbox: &str, approval: &str| json!({"type": ENTRY, "payload": {"turn_id": turn, "approval_policy": approval, "sandbox_policy": {"type": sandbox}}});
        let check = |lines: &[Value], expected: bool| {
            let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
            fs::write(&record, lines.join("\n") + "\n").unwrap();
            let input = json!({"transcript_path": record, "turn_id": "t"});
            assert_eq!(refuses_edits(&input), expected);
        };
        let refused = context("t", "read-only", "never");
        check(std::slice::from_ref(&refused), true);
        check(&[context("t", "read-only", "on-request")], false);
        check(&[context("t", "workspace-write", "never")], false);
        check(&[context("other", "read-only", "never")], false);
        check(&[], false);
        // The last turn counts, and what it said of the entry does not.
        let said = json!({"type": "response_item", "payload": {"text": "turn_context"}});
        check(
            &[
                context("t", "workspace-write", "never"),
                refused.clone(),
                said,
            ],
            true,
        );
        check(
            &[refused.clone(), context("t", "workspace-write", "never")],
            false,
        );
        // It is found before a turn that is longer than the first step.
        let long = json!({"type": "response_item", "payload": "y".repeat(300_000)});
        check(&[refused, long], true);
        let check_none = |input: Value| assert!(!refuses_edits(&input), "{input}");
        check_none(json!({}));
        check_none(json!({"transcript_path": folder.path(), "turn_id": "t"}));
        check_none(json!({"transcript_path": folder.path().join("none"), "turn_id": "t"}));
    }
}
