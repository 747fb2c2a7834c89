//! The examples beside this file, one folder for each form in which a tool writes edits, and the page of the guide that lists them.
//!
//! `run` gives the same examples to any other program. `UPDATE_DOCS=1 cargo test --test formats` rewrites the page.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use countersign::dialect::known_tools;

/// The files of a folder, by their names.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut examples: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    examples.sort();
    examples
}

fn collect(root: &Path, folder: &Path, tree: &mut Tree) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, tree);
        } else if !path.ends_with(".empty") {
            let name = path.strip_prefix(root).unwrap().to_owned();
            tree.insert(name, fs::read(&path).unwrap());
        }
    }
}

fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(root, root, &mut tree);
    tree
}

/// Gives an example to the program; returns why it fails.
fn fault(example: &Path) -> Option<String> {
    let top = tempfile::tempdir().unwrap();
    let root = top.path().join("root");
    for (name, bytes) in tree(&example.join("before")) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let options = fs::read_to_string(example.join("options")).unwrap_or_default();
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["apply", "--root"])
        .arg(&root)
        .args(options.split_whitespace())
        .arg("-")
        .current_dir(&root)
        .env_clear()
        .env("HOME", top.path().join("home"))
        .env("XDG_STATE_HOME", top.path().join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = fs::read(example.join("input")).unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let (got, succeeded) = (tree(&root), output.status.success());
    let refusal = fs::read_to_string(example.join("refusal"));
    let holds = match &refusal {
        Ok(refusal) => {
            !succeeded && said.contains(refusal.trim()) && got == tree(&example.join("before"))
        }
        Err(_) => succeeded && got == tree(&example.join("after")),
    };
    (!holds).then(|| format!("{}:\n{said}", example.display()))
}

#[test]
fn every_example_is_read_or_refused_by_name() {
    let examples = examples();
    assert!(examples.len() > 60, "{} examples", examples.len());
    let faults: Vec<String> = examples
        .iter()
        .filter_map(|example| fault(example))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_tool_has_an_example() {
    let inputs = examples()
        .into_iter()
        .map(|example| fs::read_to_string(example.join("input")));
    let inputs: Vec<String> = inputs.map(Result::unwrap).collect();
    let is_called = |name: &&'static str| {
        let name = name.trim_matches(['<', '>']);
        let is_edge = |c: char| !c.is_alphanumeric() && c != '-';
        let calls = |text: &String| {
            text.match_indices(name).any(|(at, _)| {
                text[..at].chars().next_back().is_none_or(is_edge)
                    && text[at + name.len()..].chars().next().is_none_or(is_edge)
            })
        };
        inputs.iter().any(calls)
    };
    let without =
        known_tools().filter(|tool| !tool.names.is_empty() && !tool.names.iter().any(&is_called));
    let without: BTreeSet<String> = without
        .map(|tool| format!("{} {}", tool.agent, tool.names.join(" ")))
        .collect();
    assert!(
        without.is_empty(),
        "these need a folder in tests/formats: {without:#?}"
    );
}

/// The page of the guide.
fn page() -> String {
    let mut page = String::from(
        "# Tools\n\nEvery tool whose calls countersign reads, with the source of its schema. A call is read by the name of its tool and by its \
         fields; a field or a tool that is not known is refused by name, and so is a call that asks for a dry run. Fields without a name are \
         read if all tools that take them do the same. `role=field` says what a field means, `field:value` demands a value, `?` marks what \
         may be missing.\n\n| agent | tools | fields | source |\n|---|---|---|---|\n",
    );
    for tool in known_tools() {
        let names: Vec<String> = tool.names.iter().map(|name| format!("`{name}`")).collect();
        let names = if names.is_empty() {
            "without a name".to_owned()
        } else {
            names.join(", ")
        };
        let _ = writeln!(
            page,
            "| {} | {names} | `{}` | {} |",
            tool.agent, tool.fields, tool.source
        );
    }
    page.push_str(
        "\n## Examples\n\n`tests/formats` has an example of each form below: an input, the files before, and the files after or the words of the refusal. \
         `tests/formats/run --binary PROGRAM` gives them to any program with the same command line.\n\n| example | tool, version, source |\n|---|---|\n",
    );
    for example in examples() {
        let name = example.file_name().unwrap().to_string_lossy();
        let source = fs::read_to_string(example.join("source")).unwrap();
        let _ = writeln!(page, "| `{name}` | {} |", source.trim());
    }
    page
}

#[test]
fn the_guide_lists_every_tool() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/tools.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let is_same = found == page();
    assert!(
        is_same,
        "docs/src/tools.md: run UPDATE_DOCS=1 cargo test --test formats"
    );
}
