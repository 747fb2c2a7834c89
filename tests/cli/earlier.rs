//! An edit of a version that the file had: the one that git has checked out, or the one that the last batch left.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::run_in;

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
fn expect_placed_by_version(place: &Path) {
    let (code, text, told) = apply(place, EDIT, &["--confidence", "exact"]);
    assert_eq!((code, text.as_str()), (Some(2), NOW), "{told}");
    let words = "(placed by an earlier version of the file)";
    assert!(told.contains(words), "{told}");
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
    expect_placed_by_version(place.path());
}

/// The root is a folder within the repository.
#[test]
fn what_git_has_checked_out_says_where_an_edit_belongs() {
    let place = place(OLD);
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=-", "-c", "user.email=-"]);
        let done = git
            .args(arguments)
            .current_dir(place.path())
            .env("HOME", place.path());
        done.output().ok().filter(|done| done.status.success())
    };
    let committed = (git(&["init", "-q", "."]))
        .and_then(|_| git(&["add", "root"]))
        .and_then(|_| git(&["commit", "-qm", "old"]));
    if committed.is_none() {
        // There is no git to ask.
        return;
    }
    fs::write(place.path().join("root/a.txt"), NOW).unwrap();
    expect_placed_by_version(place.path());
}

#[test]
fn without_an_earlier_version_nothing_is_guessed() {
    let place = place(NOW);
    let (code, text, told) = apply(place.path(), EDIT, &["--confidence", "fuzzy"]);
    assert_eq!((code, text.as_str()), (Some(2), NOW), "{told}");
}
