//! Cases from other tools' own test suites, as data outside of this repository.
//!
//! `COUNTERSIGN_CONFORMANCE` names the folder that holds them; without it there is nothing to run. Only the reading is
//! compared: which blocks a text has, and whether it is refused. Where we differ on purpose, the reason stands here.

use std::path::{Path, PathBuf};

use countersign::dialect::{Options, Parsed, named, parse};
use serde_json::Value;

/// What a refusal says that comes from placing an edit, not from reading it.
const PLACING: [&str; 9] = [
    "matching location",
    "similar match",
    "does not match anything",
    "non-existent",
    "Multiple occurrences",
    "verbatim",
    "must be different",
    "`insert_line`",
    "already exists",
];

/// Cases that we read otherwise on purpose: a part of the name, and why.
const ON_PURPOSE: [(&str, &str); 15] = [
    (
        "bogus_path_prefix",
        "a name is not cut down to a file that happens to be there",
    ),
    (
        "[103]",
        "a block that ends with a divider is cut off, not ended",
    ),
    (
        "[8764]",
        "a block that ends with a divider is cut off, not ended",
    ),
    (
        "[7792]",
        "of several dividers the file decides; Aider drops what follows the second",
    ),
    (
        "[7831]",
        "of several dividers the file decides; Aider drops what follows the second",
    ),
    (
        "detects two separators",
        "of several dividers the file decides; Roo refuses the whole edit",
    ),
    (
        "no start_line is provided for insertion",
        "an empty search half makes a file",
    ),
    (
        "malformed search - missing space",
        "the blank in a marker is free",
    ),
    (
        "trailing space on separator",
        "blanks after a marker are free",
    ),
    (
        "missing final REPLACE marker",
        "a block without an end is cut off",
    ),
    (
        "too many characters (9+)",
        "markers of five to nine characters are read",
    ),
    (
        "test_undo_edit",
        "what was written is taken back by `countersign undo`",
    ),
    (
        "test_multiple_undo_edits",
        "what was written is taken back by `countersign undo`",
    ),
    (
        "test_str_replace_with_empty_old_str",
        "an empty old text makes a file",
    ),
    (
        "replacer-38",
        "an empty edit makes an empty file, without a hunk",
    ),
];

/// Codex's scenarios that its parser refuses.
const REFUSED_BY_CODEX: [&str; 3] = ["005_", "008_", "013_"];

/// Says how a case is read otherwise, if it is.
type Difference = fn(&Value) -> Option<String>;

#[test]
fn other_tools_read_the_same() {
    let Some(folder) = std::env::var_os("COUNTERSIGN_CONFORMANCE").map(PathBuf::from) else {
        #[expect(clippy::print_stderr, reason = "says why nothing was compared")]
        {
            eprintln!("skipped: COUNTERSIGN_CONFORMANCE names no folder");
        }
        return;
    };
    let suites: [(&str, Difference); 6] = [
        ("aider-parse.jsonl", aider),
        ("aider.jsonl", aider_whole),
        ("roo.jsonl", |case| {
            refusal(case, &case["diff"], &case["expected_error"])
        }),
        ("cline.jsonl", |case| {
            refusal(case, &case["diff"], &case["throws"])
        }),
        ("openhands.jsonl", |case| {
            refusal(case, &case["edit"], &case["expected_error"])
        }),
        ("opencode.jsonl", opencode),
    ];
    let mut differences = Vec::new();
    for (file, difference) in suites {
        let cases = cases(&folder.join(file));
        assert!(!cases.is_empty(), "{file} holds no cases");
        for case in &cases {
            let name = name(case);
            if ON_PURPOSE.iter().any(|(part, _)| name.contains(part)) {
                continue;
            }
            differences.extend(difference(case).map(|text| format!("{file}: {name}: {text}")));
        }
    }
    differences.extend(codex(&folder.join("codex-scenarios")));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The blocks of Aider's edit format, as `(name, old, new)`.
fn aider(case: &Value) -> Option<String> {
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

/// The contents of Aider's whole files.
fn aider_whole(case: &Value) -> Option<String> {
    if case["format"] != "aider-whole" {
        return None;
    }
    let path = case["meta"]["chat_files"][0].as_str();
    let parsed = read(Some("whole"), path, &case["edit"]);
    let file = parsed.proposal.files.first();
    let written = file.map(|file| {
        let hunks = file.hunks.iter();
        hunks
            .map(|hunk| text(&hunk.body.postimage))
            .collect::<String>()
    });
    let expected = file.and_then(|file| case["expected_files"][file.path.first()].as_str());
    (written.as_deref() != expected).then(|| format!("{written:?} not {expected:?}"))
}

/// Whether the text is refused here as there, if there it was for how it is written.
fn refusal(case: &Value, edit: &Value, error: &Value) -> Option<String> {
    let error = error.as_str().unwrap_or_default();
    if PLACING.iter().any(|part| error.contains(part)) {
        return None;
    }
    let refused = case["expected_ok"] == false || case["throws"].is_string() || !error.is_empty();
    let parsed = read(None, case["edit"].is_null().then_some("f"), edit);
    let found = parsed.problems.iter().map(ToString::to_string);
    let found: Vec<String> = found.collect();
    let refused_here = !found.is_empty() || parsed.proposal.files.is_empty();
    (refused != refused_here).then(|| format!("{found:?}, there {error:?}"))
}

/// opencode's arguments, which come without the name of a file.
fn opencode(case: &Value) -> Option<String> {
    let mut call = case["args"].clone();
    call["filePath"] = "f".into();
    let parsed = read(None, None, &call.to_string().into());
    let hunks: usize = parsed
        .proposal
        .files
        .iter()
        .map(|file| file.hunks.len())
        .sum();
    (hunks != 1).then(|| format!("{hunks} hunks"))
}

/// Codex's scenarios: the patches that its parser takes.
fn codex(folder: &Path) -> Vec<String> {
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    folders
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let patch = std::fs::read_to_string(entry.path().join("patch.txt")).ok()?;
            let parsed = read(None, None, &patch.into());
            let refused = REFUSED_BY_CODEX
                .iter()
                .any(|number| name.starts_with(number));
            let refused_here = !parsed.problems.is_empty() || parsed.proposal.files.is_empty();
            (refused != refused_here).then(|| format!("codex: {name}: {:?}", parsed.problems))
        })
        .collect()
}

fn read(dialect: Option<&str>, path: Option<&str>, edit: &Value) -> Parsed {
    let options = Options {
        dialect: dialect.and_then(named),
        path: path.map(str::to_owned),
    };
    parse(edit.as_str().unwrap_or_default(), &options)
}

fn text(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push_str(if lines.is_empty() { "" } else { "\n" });
    text
}

fn cases(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn name(case: &Value) -> &str {
    ["name", "test", "id"]
        .iter()
        .find_map(|key| case[*key].as_str())
        .unwrap_or_default()
}
