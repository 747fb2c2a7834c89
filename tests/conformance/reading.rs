//! Cases without files: which blocks a text has, and whether it is refused.

use countersign::dialect::{Options, Parsed, named, parse};
use serde_json::Value;

/// The blocks of Aider's edit format, as `[name, old, new]`.
pub(crate) fn aider(case: &Value) -> Option<String> {
    if case["format"] != "aider-editblock" {
        return None;
    }
    let parsed = read(Some("aider"), None, &case["edit"]);
    let Some(expected) = case["expected_blocks"].as_array() else {
        return parsed.problems.is_empty().then(|| "is read".to_owned());
    };
    // A block without a name is a shell command.
    let expected: Vec<Vec<String>> = expected
        .iter()
        .filter(|block| !block[0].is_null())
        .filter_map(|block| serde_json::from_value(block.clone()).ok())
        .collect();
    let found: Vec<Vec<String>> = parsed
        .proposal
        .files
        .iter()
        .flat_map(|file| {
            file.hunks.iter().map(|hunk| {
                let path = file.path.first().to_owned();
                vec![path, text(&hunk.body.preimage), text(&hunk.body.postimage)]
            })
        })
        .collect();
    (found != expected).then(|| format!("{found:?}\nnot {expected:?}\n{:?}", parsed.problems))
}

/// Whether Roo Code takes the markers of a text.
pub(crate) fn roo(case: &Value) -> Option<String> {
    let parsed = read(None, Some("f"), &case["diff"]);
    let found = parsed.problems.iter().map(ToString::to_string);
    let found: Vec<String> = found.collect();
    let taken = found.is_empty() && !parsed.proposal.files.is_empty();
    let expected = case["expected_ok"] == true;
    (taken != expected).then(|| format!("{found:?}, there {}", case["expected_error"]))
}

fn read(dialect: Option<&str>, path: Option<&str>, edit: &Value) -> Parsed {
    let options = Options {
        dialect: dialect.and_then(named),
        path: path.map(str::to_owned),
        ..Options::default()
    };
    parse(edit.as_str().unwrap_or_default(), &options)
}

fn text(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push_str(if lines.is_empty() { "" } else { "\n" });
    text
}
