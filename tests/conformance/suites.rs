//! The suites: which file holds the cases, what they are called, and what is compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::engine::Tree;
use crate::{reading, writing};

/// What came of a case.
pub(crate) struct Case {
    /// Its suite and its name there.
    pub(crate) name: String,
    /// How we differ, if we do.
    pub(crate) difference: Option<String>,
}

/// Says how a case is read or written otherwise, if it is.
type Difference = fn(&Value) -> Option<String>;

/// The files of cases: a line each.
const SUITES: [(&str, Difference); 6] = [
    ("aider-parse", reading::aider),
    ("aider", writing::aider),
    ("roo", |case| match case["kind"].as_str() {
        Some("validate") => reading::roo(case),
        _ => writing::roo(case),
    }),
    ("cline", writing::cline),
    ("openhands", writing::openhands),
    ("opencode", writing::opencode),
];

/// Runs every case of every suite.
pub(crate) fn all(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for (suite, difference) in SUITES {
        let text = fs::read_to_string(folder.join(suite).with_extension("jsonl"));
        let values = text.unwrap_or_default();
        let values = values
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let before = cases.len();
        cases.extend(values.map(|case: Value| Case {
            name: format!("{suite}: {}", name(&case)),
            difference: difference(&case),
        }));
        assert!(cases.len() > before, "{suite} holds no cases");
    }
    cases.extend(codex(&folder.join("codex-scenarios")));
    cases
}

/// Codex's scenarios: a folder each.
fn codex(folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let cases = folders.filter_map(|entry| {
        let case = entry.path();
        let patch = fs::read_to_string(case.join("patch.txt")).ok()?;
        let (before, after) = (tree(&case.join("input")), tree(&case.join("expected")));
        Some(Case {
            name: format!("codex: {}", entry.file_name().to_string_lossy()),
            difference: writing::codex(&patch, &before, after),
        })
    });
    let mut cases: Vec<Case> = cases.collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// The files under a folder.
fn tree(folder: &Path) -> Tree {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let (Ok(name), Ok(bytes)) = (path.strip_prefix(folder), fs::read(&path)) {
                files.insert(name.to_string_lossy().into_owned(), bytes);
            }
        }
    }
    files
}

/// What a case is called in its suite.
fn name(case: &Value) -> String {
    let name = ["name", "test", "id"]
        .iter()
        .find_map(|key| case[*key].as_str());
    let version = case["version"]
        .as_str()
        .map(|version| format!(" ({version})"));
    name.unwrap_or_default().to_owned() + &version.unwrap_or_default()
}
