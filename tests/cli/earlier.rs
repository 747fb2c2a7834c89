//! An edit of a version that the file had: the one that git has checked out, or the one that the last batch left.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{git_program, run_in};

const SCHEMA: &str = include_str!("../../assets/report.schema.json");
const OLD: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
/// Every line of the edit's context has changed since, but for those right beside the change.
const NOW: &str = "zero\none\ntwo: second\nthree\nfour\nfive\nsix: sixth\nseven\n";
const MERGED: &str = "zero\none\ntwo: second\nthree\n4\nfive\nsix: sixth\nseven\n";
const EDIT: &str = "a.txt\n<<<<<<< SEARCH\ntwo\nthree\nfour\nfive\nsix\n=======\ntwo\nthree\n4\nfive\nsix\n>>>>>>> REPLACE\n";

/// A folder with the file `root/a.txt`.
fn place(text: &str) -> TempDir {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("root")).unwrap();
    fs::write(place.path().join("root/a.txt"), text).unwrap();
    place
}

/// Applies an edit; gives the exit code, what the file holds then, and what was told.
fn apply(place: &Path, edit: &str, how: &[&str]) -> (Option<i32>, String, String) {
    fs::write(place.join("edit"), edit).unwrap();
    let arguments = [&["apply", "--root", "root", "edit"], how].concat();
    let (code, told, complaint) = run_in(place, &[], &arguments);
    let text = fs::read_to_string(place.join("root/a.txt")).unwrap();
    (code, text, told + &complaint)
}

#[track_caller]
fn expect_placed_by_version(place: &Path, version: &str) {
    let (code, text, told) = apply(place, EDIT, &["--confidence", "exact"]);
    assert_eq!((code, text.as_str()), (Some(2), NOW), "{told}");
    assert!(
        told.contains(&format!("(written against {version}")),
        "{told}"
    );
    let (_, _, told) = apply(place, EDIT, &["--dry-run", "--report", "json"]);
    assert!(told.contains(r#""written_against""#), "{told}");
    super::schema::expect_valid(SCHEMA, &told).unwrap();
    let (code, text, told) = apply(place, EDIT, &["--report", "agent"]);
    assert_eq!((code, text.as_str()), (Some(0), MERGED), "{told}");
    assert!(told.contains("read it again before you go on"), "{told}");
    let (code, text, told) = apply(place, EDIT, &[]);
    assert_eq!((code, text.as_str()), (Some(0), MERGED), "{told}");
    assert!(told.starts_with("already-applied"), "{told}");
}

#[test]
fn what_the_last_batch_left_says_where_an_edit_belongs() {
    let place = place("one\nTWO\nthree\nfour\nfive\nsix\nseven\n");
    let first = "a.txt\n<<<<<<< SEARCH\nTWO\n=======\ntwo\n>>>>>>> REPLACE\n";
    let (code, text, told) = apply(place.path(), first, &[]);
    assert_eq!((code, text.as_str()), (Some(0), OLD), "{told}");
    fs::write(place.path().join("root/a.txt"), NOW).unwrap();
    expect_placed_by_version(place.path(), "what an earlier batch left");
}

#[test]
fn an_operation_on_a_value_is_meant_for_the_file_as_it_is() {
    let place = place("{\n  \"size\": 1\n}\n");
    for size in [2, 3, 4] {
        let patch = format!(r#"[{{"op": "replace", "path": "/size", "value": {size}}}]"#);
        let (code, text, told) = apply(place.path(), &patch, &["--path", "a.txt"]);
        let expected = format!("{{\n  \"size\": {size}\n}}\n");
        assert_eq!((code, text), (Some(0), expected), "{told}");
    }
}

/// Runs git in a folder.
fn git(place: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=-", "-c", "user.email=-"]);
    let done = git.args(arguments).current_dir(place).env("HOME", place);
    let done = done.output().unwrap();
    assert!(done.status.success(), "git {arguments:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// A repository, of which the root is a folder, with a commit for each of these texts of a file. `None` without git.
fn repository(name: &str, texts: &[&str]) -> Option<TempDir> {
    if !git_program::can_run() {
        return None;
    }
    let place = place(texts[0]);
    fs::remove_file(place.path().join("root/a.txt")).unwrap();
    git(place.path(), &["init", "-q", "."]);
    for text in texts {
        fs::write(place.path().join("root").join(name), text).unwrap();
        git(place.path(), &["add", "root"]);
        git(place.path(), &["commit", "-qm", "text"]);
    }
    Some(place)
}

#[test]
fn the_index_of_git_says_where_an_edit_belongs() {
    let Some(place) = repository("a.txt", &[OLD]) else {
        return;
    };
    fs::write(place.path().join("root/a.txt"), NOW).unwrap();
    expect_placed_by_version(place.path(), "git's index");
}

#[test]
fn a_commit_says_where_an_edit_belongs_however_many_came_after_it() {
    let between: Vec<String> = (0..5).map(|i| format!("{OLD}{i}\n")).collect();
    let mut texts = vec!["another\n", OLD];
    texts.extend(between.iter().map(String::as_str));
    texts.push(NOW);
    let Some(place) = repository("a.txt", &texts) else {
        return;
    };
    let commit = git(place.path(), &["rev-parse", "HEAD~1"]);
    let version = format!("commit {}, one version ago", &commit[..7]);
    expect_placed_by_version(place.path(), &version);
}

#[test]
fn a_commit_is_found_through_a_rename() {
    let Some(place) = repository("old.txt", &[OLD]) else {
        return;
    };
    git(place.path(), &["mv", "root/old.txt", "root/a.txt"]);
    git(place.path(), &["commit", "-qm", "renamed"]);
    fs::write(place.path().join("root/a.txt"), NOW).unwrap();
    git(place.path(), &["commit", "-qam", "changed"]);
    expect_placed_by_version(place.path(), "commit ");
}

#[test]
fn lines_that_a_commit_removed_are_not_sought_in_their_twin() {
    let part = |name: &str| {
        format!("fn {name} {{\n    open({name});\n    // until it is done\n    wait();\n}}\n\n")
    };
    let (both, one) = (part("first") + &part("second"), part("second"));
    let Some(place) = repository("a.txt", &[&both, &one]) else {
        return;
    };
    let edit = "a.txt\n<<<<<<< SEARCH\n    open(first);\n    // until it is done\n    wait();\n=======\n    open(first);\n    // until it is done\n    wait_long();\n>>>>>>> REPLACE\n";
    let removed = git(place.path(), &["rev-parse", "HEAD"]);
    let written = git(place.path(), &["rev-parse", "HEAD~1"]);
    let (code, text, told) = apply(place.path(), edit, &["--confidence", "doubtful"]);
    assert_eq!((code, text.as_str()), (Some(2), one.as_str()), "{told}");
    let (written, removed) = (&written[..7], &removed[..7]);
    let words = format!(
        "it was written against commit {written}, one version ago, and its lines were changed in commit {removed}"
    );
    assert!(told.contains(&words), "{told}");
}

/// A diff that says from which version it was made is not applied to the twin of what it was made for.
#[test]
fn an_exact_match_gives_way_to_the_version_that_a_diff_names() {
    let part = "start\n  wait 1\n  go\nend\n";
    let (both, one) = (format!("{part}middle\n{part}"), format!("middle\n{part}"));
    let Some(place) = repository("a.txt", &[&both, &one]) else {
        return;
    };
    let blob = git(place.path(), &["rev-parse", "HEAD~1:root/a.txt"]);
    let edit =
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n start\n-  wait 1\n+  wait 2\n   go\n end\n";
    let named = format!(
        "diff --git a/a.txt b/a.txt\nindex {}..0123456 100644\n{edit}",
        &blob[..10]
    );
    let (code, text, told) = apply(place.path(), &named, &["--confidence", "doubtful"]);
    assert_eq!((code, text.as_str()), (Some(2), one.as_str()), "{told}");
    assert!(told.contains("it was written against blob"), "{told}");
}

#[test]
fn without_an_earlier_version_nothing_is_guessed() {
    let place = place(NOW);
    let (code, text, told) = apply(place.path(), EDIT, &["--confidence", "fuzzy"]);
    assert_eq!((code, text.as_str()), (Some(2), NOW), "{told}");
}
