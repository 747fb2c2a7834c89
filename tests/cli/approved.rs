//! What a person accepted in a review of the working tree is accepted in the next one, and nothing else is.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{answered, git_program};

/// A repository with one committed file; `None` where there is no git.
fn repository(text: &str) -> Option<TempDir> {
    if !git_program::can_run() {
        return None;
    }
    let place = TempDir::new().unwrap();
    let root = place.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("a.txt"), text).unwrap();
    for arguments in [&["init", "-q", "."][..], &["add", "."]] {
        let mut git = Command::new("git");
        let done = git.args(arguments).current_dir(&root).status();
        assert!(done.unwrap().success(), "git {arguments:?}");
    }
    Some(place)
}

/// Reviews the working tree line by line with these answers, and returns what is printed.
fn review(place: &Path, answers: &str) -> String {
    let (folder, home) = (place.join("root"), place.join("home"));
    answered(&folder, &home, &["git", "--linear"], answers)
}

fn rows(changed: &[(usize, &str)]) -> String {
    let row = |n: usize| {
        let changed = changed.iter().find(|(at, _)| *at == n);
        changed.map_or_else(|| format!("row {n}\n"), |(_, text)| format!("{text}\n"))
    };
    (1..=40).map(row).collect()
}

/// Accepts the rows 5 and 20 in one review, and returns the hunks that the next one asks about after a change of the file.
#[track_caller]
fn check(second: &[(usize, &str)], notice: Option<&str>, expected: &[&str]) {
    let Some(place) = repository(&rows(&[])) else {
        return;
    };
    let file = place.path().join("root/a.txt");
    fs::write(&file, rows(&[(5, "five"), (20, "twenty")])).unwrap();
    let told = review(place.path(), "y\ny\nw\n");
    assert!(told.contains("2 hunks kept"), "{told}");
    fs::write(&file, rows(second)).unwrap();
    // Everything that is asked about is left, and then the review is broken off.
    let told = review(place.path(), "j\nj\nj\n");
    let asked = told.lines().filter(|line| line.starts_with("Hunk "));
    let mut asked: Vec<&str> = asked.filter_map(|line| line.split(',').nth(1)).collect();
    asked.dedup();
    let asked: Vec<&str> = asked.into_iter().map(str::trim).collect();
    assert_eq!(asked, expected, "{told}");
    match notice {
        Some(notice) => assert!(told.contains(notice), "{told}"),
        None => assert!(!told.contains("accepted as in an earlier review"), "{told}"),
    }
}

#[test]
fn what_was_accepted_is_not_asked_about_again() {
    let both = "2 hunks are accepted as in an earlier review; undo takes that back";
    let one = "1 hunk is accepted as in an earlier review; undo takes that back";
    check(
        &[(5, "five"), (20, "twenty"), (35, "last")],
        Some(both),
        &["line 35"],
    );
    check(&[(5, "five"), (20, "twenty too")], Some(one), &["line 20"]);
    // Another line next to it is another change, or is near to it.
    check(
        &[(5, "five"), (6, "six"), (20, "twenty")],
        Some(one),
        &["line 5"],
    );
    check(
        &[(5, "five"), (8, "eight"), (20, "twenty")],
        Some(one),
        &["line 5"],
    );
    check(&[(5, "Five"), (20, "Twenty")], None, &["line 5", "line 20"]);
    // The same text at another place.
    check(&[(6, "five")], None, &["line 6"]);
}

#[test]
fn what_is_taken_back_is_asked_about_from_then_on() {
    let Some(place) = repository(&rows(&[])) else {
        return;
    };
    let file = place.path().join("root/a.txt");
    let changed = rows(&[(5, "five"), (20, "twenty")]);
    fs::write(&file, &changed).unwrap();
    review(place.path(), "y\ny\nw\n");
    // Undone as one step, and only one of them is accepted again.
    let told = review(place.path(), "b\nu\ny\nq\nw\n");
    assert!(told.contains("undone: decision about 2 hunks"), "{told}");
    fs::write(&file, rows(&[(5, "five"), (20, "twenty"), (35, "last")])).unwrap();
    let told = review(place.path(), "j\nj\nj\n");
    let one = "1 hunk is accepted as in an earlier review";
    assert!(told.contains(one), "{told}");
    assert!(told.contains("line 35,"), "{told}");
    assert_ne!(
        told.contains("line 5,"),
        told.contains("line 20,"),
        "{told}"
    );
}

#[test]
fn an_approval_is_for_one_of_two_equal_changes_alone() {
    let text = "a\nb\nc\nx\nd\ne\nf\n".repeat(2);
    let Some(place) = repository(&text) else {
        return;
    };
    let file = place.path().join("root/a.txt");
    let twice = "-\n".repeat(12) + &text + &"-\n".repeat(12) + &text;
    fs::write(&file, &twice).unwrap();
    let root = place.path().join("root");
    let added = Command::new("git")
        .args(["add", "."])
        .current_dir(&root)
        .status();
    assert!(added.unwrap().success());
    fs::write(&file, twice.replacen("x\n", "y\n", 1)).unwrap();
    let told = review(place.path(), "y\nw\n");
    assert!(told.contains("1 hunk kept"), "{told}");
    fs::write(&file, twice.replace("x\n", "y\n")).unwrap();
    let told = review(place.path(), "");
    assert!(!told.contains("as in an earlier review"), "{told}");
}

/// Accepts all that a shell script does to a repository, and returns what the next review asks about after another script.
#[cfg(unix)]
fn asked_after(first: &str, second: &str) -> Option<Vec<String>> {
    let place = repository("row 1\nrow 2\n")?;
    let root = place.path().join("root");
    let run = |script: &str| {
        let mut shell = Command::new("sh");
        let done = shell.args(["-ec", script]).current_dir(&root).status();
        assert!(done.unwrap().success(), "{script}");
    };
    run("touch empty; printf '\\000\\001' > image; ln -s a.txt link; git add .");
    run(first);
    let told = review(place.path(), "y\ny\ny\nw\n");
    assert!(told.contains("kept"), "{told}");
    run(second);
    let told = review(place.path(), "j\nj\nj\n");
    let asked = told.lines().filter(|line| line.starts_with("Hunk "));
    let mut asked: Vec<String> = asked
        .filter_map(|line| {
            Some(
                line.split_once(" in ")?
                    .1
                    .trim_end_matches(", undecided")
                    .to_owned(),
            )
        })
        .collect();
    asked.dedup();
    Some(asked)
}

#[cfg(unix)]
#[test]
fn what_is_no_change_of_lines_is_accepted_again_as_well() {
    for (first, second, expected) in [
        ("chmod +x a.txt", "", &[][..]),
        (
            "chmod +x a.txt",
            "echo more >> a.txt",
            &["a.txt, line 3, +1 -0"],
        ),
        ("printf '\\000\\002' > image", "", &[]),
        (
            "printf '\\000\\002' > image",
            "printf '\\000\\003' > image",
            &["image, binary file changes"],
        ),
        ("printf '\\000' > other", "", &[]),
        ("rm image", "", &[]),
        (
            "rm image",
            "echo text > image",
            &["image, binary file changes"],
        ),
        ("touch new", "", &[]),
        ("rm empty", "", &[]),
        ("ln -s empty new", "", &[]),
        (
            "ln -s empty new",
            "ln -sfn image new",
            &["new, symbolic link to image"],
        ),
        ("rm link", "", &[]),
        (
            "ln -sfn image link",
            "rm link",
            &["link, removes the symbolic link"],
        ),
        ("echo new > new", "", &[]),
        // What was accepted was a file that cannot be executed.
        (
            "echo new > new",
            "chmod +x new",
            &["new, becomes executable"],
        ),
        (
            "printf '\\000' > new",
            "chmod +x new",
            &["new, becomes executable"],
        ),
        ("echo new > new; chmod +x new", "", &[]),
    ] {
        let Some(asked) = asked_after(first, second) else {
            return;
        };
        assert_eq!(asked, expected, "{first}; {second}");
    }
}
