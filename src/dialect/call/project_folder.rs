//! The folder in which a session of Gemini CLI works: its log has the SHA-256 of it, and absolute names below it.
//!
//! google-gemini/gemini-cli, `getProjectHash` in packages/core/src/utils/paths.ts.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::text::{LineIdx, hex};

/// The digits of a SHA-256.
const DIGITS: usize = 64;
/// The most bytes of a name that is looked at.
const MOST_NAME: usize = 1024;

/// Finds the folder above a name of a log that has the hash which the log states.
pub(super) fn of_session(values: &[(Range<LineIdx>, Value)]) -> Option<&str> {
    let mut stated = values
        .iter()
        .filter_map(|(_, value)| value.get("projectHash"));
    let hash = stated.find_map(|hash| hash.as_str().filter(|hash| hash.len() == DIGITS))?;
    let mut known = HashSet::new();
    (values.iter()).find_map(|(_, value)| above_names(value, hash, &mut known))
}

/// Looks for the folder in the strings of a value.
fn above_names<'v>(value: &'v Value, hash: &str, known: &mut HashSet<&'v str>) -> Option<&'v str> {
    match value {
        Value::String(text) => above(text, hash, known),
        Value::Array(values) => (values.iter()).find_map(|value| above_names(value, hash, known)),
        Value::Object(fields) => {
            (fields.values()).find_map(|value| above_names(value, hash, known))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Looks for the folder above an absolute name.
fn above<'v>(name: &'v str, hash: &str, known: &mut HashSet<&'v str>) -> Option<&'v str> {
    let is_absolute = name.starts_with('/') || name.get(1..3) == Some(":\\");
    if !is_absolute || name.len() > MOST_NAME || name.contains('\n') {
        return None;
    }
    let mut folder = name;
    while let Some((above, _)) = folder.rsplit_once(['/', '\\']) {
        folder = above;
        if folder.is_empty() || !known.insert(folder) {
            break;
        }
        if digest(folder) == hash {
            return Some(folder);
        }
    }
    None
}

/// Returns the SHA-256 of a text in lower-case digits.
fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_folder_of_the_hash_is_found_above_the_names() {
        let check = |folder: &str, name: &str, expected: Option<&str>| {
            let values = [
                (0..1, json!({"projectHash": digest(folder)})),
                (
                    1..2,
                    json!({"toolCalls": [{"args": {"file_path": name, "content": "/a\n"}}]}),
                ),
            ];
            assert_eq!(of_session(&values), expected, "{folder} {name}");
        };
        check("/home/me/w", "/home/me/w/src/a", Some("/home/me/w"));
        check("/home/me/w", "/home/me/w2/src/a", None);
        check("C:\\me\\w", "C:\\me\\w\\src\\a", Some("C:\\me\\w"));
        check("src", "src/a", None);
    }
}
