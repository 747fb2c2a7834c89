//! Cases with files: what the files are after the edit, or that nothing is written.

use std::collections::BTreeMap;

use countersign::dialect::{Options, named, parse};
use countersign::locate::Tolerance;
use countersign::review::{Report, ReviewSession, Writing};
use serde_json::Value;

use crate::engine::{Tree, accept_all, review, written};

/// The file of a case whose edit names none.
const FILE: &str = "file.txt";

/// What a case wants.
enum Expected {
    /// These files.
    Files(Tree),
    /// Nothing may be written.
    Refusal,
}

/// Aider's replies, with the files that its chat knows.
pub(crate) fn aider(case: &Value) -> Option<String> {
    let dialect = match case["format"].as_str() {
        Some("aider-whole") => "whole",
        Some("aider-udiff") => "unified",
        _ => "aider",
    };
    // The one file of a chat needs no name above its contents.
    let files_of_chat = case["files"].as_object();
    let path = files_of_chat
        .filter(|files| dialect == "whole" && files.len() == 1)
        .and_then(|files| files.keys().next())
        .map(String::as_str);
    let options = options(Some(dialect), path);
    compare(
        &tree(&case["files"]),
        &case["edit"],
        &options,
        0.85,
        files(case),
    )
}

/// Roo Code's calls, whose line number may come from outside of the edit.
pub(crate) fn roo(case: &Value) -> Option<String> {
    let diff = case["diff"].as_str().unwrap_or_default();
    let edit = match case["start_line"].as_u64() {
        Some(line) if !diff.contains(":start_line:") => {
            let marker = "<<<<<<< SEARCH\n";
            diff.replace(marker, &format!("{marker}:start_line:{line}\n-------\n"))
        }
        Some(_) | None => diff.to_owned(),
    };
    let precision = case["threshold"].as_f64().unwrap_or(1.0);
    of_one_file(
        &edit,
        &case["original"],
        precision,
        expected(&case["expected_content"]),
    )
}

/// Cline's search and replace blocks.
pub(crate) fn cline(case: &Value) -> Option<String> {
    let diff = case["diff"].as_str().unwrap_or_default();
    of_one_file(diff, &case["original"], 0.85, expected(&case["expected"]))
}

/// `OpenHands`' editor and its patches.
pub(crate) fn openhands(case: &Value) -> Option<String> {
    let before = tree(&case["files"]);
    compare(
        &before,
        &case["edit"],
        &options(None, None),
        0.85,
        files(case),
    )
}

/// opencode's edit tool, whose arguments come without the name of the file. What it does is taken, or what its test
/// wants where it fails it.
pub(crate) fn opencode(case: &Value) -> Option<String> {
    let mut call = case["args"].clone();
    call["filePath"] = FILE.into();
    let done = match case["passes_on_1_18_33"].as_bool() {
        Some(true) => &case["engine_1_18_33"]["result"],
        _ => &case["expected"]["equals"],
    };
    of_one_file(&call.to_string(), &case["input"], 0.85, expected(done))
}

/// Codex's scenarios: an edit that it refuses leaves the files as they are.
pub(crate) fn codex(patch: &str, before: &Tree, after: Tree) -> Option<String> {
    let expected = if *before == after {
        Expected::Refusal
    } else {
        Expected::Files(after)
    };
    compare(before, &patch.into(), &options(None, None), 0.85, expected)
}

/// A case with one file, under whatever name the edit gives it.
fn of_one_file(
    edit: &str,
    text: &Value,
    precision: f64,
    expected: impl Fn(&str) -> Expected,
) -> Option<String> {
    let named = parse(edit, &options(None, None)).proposal.files;
    let path = named.first().map_or(FILE, |file| file.path.first());
    let options = options(None, named.is_empty().then_some(FILE));
    let text = text.as_str().unwrap_or_default();
    let before = Tree::from([(path.to_owned(), text.into())]);
    compare(&before, &edit.into(), &options, precision, expected(path))
}

fn compare(
    before: &Tree,
    edit: &Value,
    options: &Options,
    precision: f64,
    expected: Expected,
) -> Option<String> {
    let edit = edit.as_str().unwrap_or_default();
    let tolerance = Tolerance {
        precision: precision.clamp(0.8, 1.0),
    };
    let mut session = review(before, edit, options, tolerance);
    accept_all(&mut session);
    let nothing = session.files.is_empty() && session.problems.is_empty();
    // `apply` writes no hunk whose place is doubtful, at any confidence up to `hinted`.
    let hunks = session.files.iter().flat_map(|file| &file.hunks);
    let mut places = hunks.filter_map(|hunk| hunk.placement());
    let is_doubtful = places.any(|place| place.doubt.is_some());
    let whole = !nothing && session.unplaced() == 0 && !is_doubtful;
    let found = whole.then(|| written(before, &session));
    match (found, expected) {
        (None, Expected::Refusal) => None,
        (Some(Ok(found)), Expected::Files(files)) => {
            (found != files).then(|| format!("{}\nnot {}", shown(&found), shown(&files)))
        }
        (Some(Err(path)), _) => Some(format!("{path} cannot hold it")),
        (Some(Ok(found)), Expected::Refusal) => {
            (found != *before).then(|| format!("is written: {}", shown(&found)))
        }
        (None, Expected::Files(files)) => {
            let told = told(&session);
            Some(format!("is refused: {told}\nnot {}", shown(&files)))
        }
    }
}

fn options(dialect: Option<&str>, path: Option<&str>) -> Options {
    Options {
        dialect: dialect.and_then(named),
        path: path.map(str::to_owned),
        ..Options::default()
    }
}

/// What becomes of one file; nothing is written if its text is not told.
fn expected(text: &Value) -> impl Fn(&str) -> Expected {
    let text = text.as_str().map(str::to_owned);
    move |path| match &text {
        Some(text) => Expected::Files(Tree::from([(path.to_owned(), text.clone().into_bytes())])),
        None => Expected::Refusal,
    }
}

/// What becomes of the files; nothing is written if they are not told.
fn files(case: &Value) -> Expected {
    if case["expected_files"].is_null() {
        Expected::Refusal
    } else {
        Expected::Files(tree(&case["expected_files"]))
    }
}

fn tree(files: &Value) -> Tree {
    let files = files.as_object().into_iter().flatten();
    files
        .filter_map(|(name, text)| Some((name.clone(), text.as_str()?.into())))
        .collect()
}

fn shown(tree: &Tree) -> String {
    let files = tree.iter();
    let files = files.map(|(name, text)| format!("{name} {:?}", String::from_utf8_lossy(text)));
    files.collect::<Vec<_>>().join(", ")
}

/// Why nothing is written.
fn told(session: &ReviewSession) -> String {
    Report::new(session, &Writing::Rehearsed, &BTreeMap::new()).to_string()
}
