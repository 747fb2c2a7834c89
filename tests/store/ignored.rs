//! Ignore files mean what git says that they mean.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use countersign::proposal::RepoPath;
use countersign::store::{Forbidden, ReadError};
use proptest::prelude::*;
use proptest::sample::select;

use crate::git_program;
use crate::tree::Tree;

const PATHS: [&str; 9] = [
    "a",
    "b.key",
    "d/a",
    "d/b.key",
    "d/e/a",
    "d/e/b.key",
    "a/a",
    "e/d/a",
    "d/e/f/b.key",
];

const PATTERNS: [&str; 24] = [
    "a", "*.key", "d/", "/d", "d/e", "e", "e/", "!a", "!*.key", "!d/", "!e", "**/e", "d/**", "d/*",
    "!d/e", "/a", "!/a", "# a", "a ", "b.ke?", "[ab]", "!b.key", "**/a", "\\!a",
];

fn lines() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(select(PATTERNS.to_vec()), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_path_is_ignored_if_git_ignores_it(
        files in proptest::collection::btree_map(select(vec!["", "d/", "d/e/"]), lines(), 1..4),
    ) {
        if !git_program::can_run() {
            return Ok(());
        }
        let tree = Tree::in_memory(&[("d/e/f/x", "")]);
        for (folder, lines) in &files {
            let text = lines.join("\n");
            fs::write(tree.path(&format!("{folder}.gitignore")), &text).unwrap();
            fs::write(tree.path(&format!("{folder}.rooignore")), &text).unwrap();
        }
        let git = git_ignores(&tree);
        for path in PATHS {
            let found = match tree.root.read(&RepoPath::parse(path).unwrap()) {
                Err(ReadError::Forbidden(Forbidden::Ignored { file, line, pattern, .. })) => {
                    let folder = file.strip_suffix(".rooignore").unwrap();
                    prop_assert_eq!(files[folder][line.idx()].trim_end(), pattern);
                    true
                }
                Ok(_) => false,
                Err(error) => panic!("{error}"),
            };
            prop_assert_eq!(found, git[path], "{} in {:?}", path, files);
        }
    }
}

/// Which of the paths git ignores.
fn git_ignores(tree: &Tree) -> BTreeMap<&'static str, bool> {
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command
            .args(args)
            .current_dir(tree.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        command.spawn().unwrap()
    };
    assert!(git(&["init", "-q"]).wait().unwrap().success());
    let mut check = git(&["check-ignore", "--no-index", "--stdin"]);
    let input = PATHS.join("\n") + "\n";
    check
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = check.wait_with_output().unwrap();
    let ignored = String::from_utf8(output.stdout).unwrap();
    PATHS
        .iter()
        .map(|path| (*path, ignored.lines().any(|line| line == *path)))
        .collect()
}
