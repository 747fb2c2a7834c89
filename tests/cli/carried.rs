//! Approvals carry over between reviews, whichever command opens them.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{answered, git_program, run_in};

const ACCEPTED: &str = "accepted as in an earlier review";

/// A repository with `a.txt` committed, in which an edit or a command changes rows; `None` where there is no git.
struct Place(TempDir);

impl Place {
    fn new() -> Option<Self> {
        if !git_program::can_run() {
            return None;
        }
        let place = Self(TempDir::new().unwrap());
        for folder in ["root", "old"] {
            fs::create_dir(place.at(folder)).unwrap();
            fs::write(place.at(folder).join("a.txt"), rows(&[])).unwrap();
        }
        for arguments in [&["init", "-q", "."][..], &["add", "."]] {
            let git = Command::new("git")
                .args(arguments)
                .current_dir(place.at("root"))
                .status();
            assert!(git.unwrap().success(), "git {arguments:?}");
        }
        Some(place)
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Reviews line by line with these answers, and returns what is printed.
    fn review(&self, arguments: &[&str], answers: &str) -> String {
        let arguments = [arguments, &["--linear"]].concat();
        answered(
            self.0.path(),
            &self.0.path().join("home"),
            &arguments,
            answers,
        )
    }

    /// Changes rows of the file.
    fn change(&self, changed: &[usize]) {
        fs::write(self.at("root/a.txt"), rows(changed)).unwrap();
    }

    fn git(&self, answers: &str) -> String {
        self.review(&["git", "--root", "root"], answers)
    }

    fn diff(&self, answers: &str) -> String {
        self.review(&["diff", "old", "root"], answers)
    }

    /// Reviews an edit that changes rows.
    fn edit(&self, changed: &[usize], answers: &str) -> String {
        let blocks = changed.iter().map(|row| {
            let [above, below] = [row - 1, row + 1].map(|row| format!("row {row}"));
            let block = |text: &str| format!("{above}\n{text}\n{below}\n");
            let [old, new] = [format!("row {row}"), format!("changed {row}")];
            let [old, new] = [block(&old), block(&new)];
            format!("a.txt\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n")
        });
        fs::write(self.at("edit"), blocks.collect::<String>()).unwrap();
        self.review(&["review", "--root", "root", "edit"], answers)
    }

    /// Reviews a call that writes the whole file.
    fn write(&self, changed: &[usize], answers: &str) -> String {
        let input = serde_json::json!({"file_path": "a.txt", "content": rows(changed)});
        let call = serde_json::json!({"name": "Write", "input": input});
        fs::write(self.at("edit"), call.to_string()).unwrap();
        self.review(&["review", "--root", "root", "edit"], answers)
    }

    /// Runs a command in a layer of the root; gives its exit code and what is printed.
    fn run(&self, command: &[&str]) -> (Option<i32>, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let run = ["run", "--root", "root", "--no-review", "--"];
        let (code, _, told) = run_in(self.0.path(), &[("PATH", &path)], &[&run, command].concat());
        (code, told)
    }

    /// Reviews what a command changes in a layer.
    fn layer(&self, changed: &[usize], answers: &str) -> String {
        let edits = changed
            .iter()
            .map(|row| format!("s/row {row}$/changed {row}/;"));
        let root = self.at("root").canonicalize().unwrap();
        let script = format!(
            "cd {} && sed -i '{}' a.txt",
            root.display(),
            edits.collect::<String>()
        );
        let (code, told) = self.run(&["bash", "-c", &script]);
        assert_eq!(code, Some(0), "{told}");
        let id = told.trim_end().rsplit(' ').next().unwrap_or_default();
        self.review(&["review", "--root", "root", "--run", id], answers)
    }
}

fn rows(changed: &[usize]) -> String {
    let row = |n: usize| {
        let word = if changed.contains(&n) {
            "changed"
        } else {
            "row"
        };
        format!("{word} {n}\n")
    };
    (1..=60).map(row).collect()
}

/// Checks which rows a review asks about, and how many hunks are accepted from the beginning.
#[track_caller]
fn check(told: &str, accepted: usize, asked: &[usize]) {
    let lines = told.lines().filter(|line| line.starts_with("Hunk "));
    let mut found: Vec<usize> = lines
        .filter_map(|line| {
            line.split(", line ")
                .nth(1)?
                .split(',')
                .next()?
                .parse()
                .ok()
        })
        .collect();
    found.dedup();
    assert_eq!(found, asked, "{told}");
    let count = told.lines().find_map(|line| {
        let (before, rest) = line.split_once(" hunk")?;
        let count = before.rsplit(' ').next()?;
        rest.contains(ACCEPTED).then(|| count.parse().ok())?
    });
    assert_eq!(count.unwrap_or(0), accepted, "{told}");
}

#[test]
fn what_was_accepted_in_a_review_that_was_left_is_accepted_in_the_next_one() {
    // Kept for later, or broken off.
    for end in ["y\nj\nk\n", "y\n"] {
        let Some(place) = Place::new() else { return };
        check(&place.edit(&[5, 20], end), 0, &[5, 20]);
        // Another proposal with the same change.
        check(&place.edit(&[5, 35], "j\n"), 1, &[35]);
        // Beside a change next to it, it is another one.
        check(&place.edit(&[5, 7], "j\nj\n"), 0, &[5, 7]);
        // What is written and comes again was taken back by somebody.
        place.edit(&[5, 45], "n\nw\n");
        assert_eq!(
            fs::read_to_string(place.at("root/a.txt")).unwrap(),
            rows(&[5])
        );
        place.change(&[]);
        check(&place.edit(&[5, 50], "j\nj\n"), 0, &[5, 50]);
    }
}

#[test]
fn what_was_accepted_of_a_whole_file_is_accepted_when_other_lines_are_written() {
    let Some(place) = Place::new() else { return };
    check(&place.write(&[5, 20, 35], "y\ny\nn\nk\n"), 0, &[5, 20, 35]);
    check(&place.write(&[5, 20, 50], "j\n"), 2, &[50]);
    check(&place.edit(&[20, 50], "j\n"), 1, &[50]);
    check(&place.write(&[6, 20], "j\n"), 1, &[6]);
}

#[test]
fn what_was_taken_back_in_a_later_review_is_asked_about() {
    let Some(place) = Place::new() else { return };
    place.edit(&[5, 20], "y\nj\nk\n");
    // Accepted from the beginning, undone, and then left open or rejected.
    check(&place.edit(&[5, 35], "u\nj\nj\nq\nw\n"), 1, &[35, 5, 35]);
    check(&place.edit(&[5, 45], "j\nj\n"), 0, &[5, 45]);
}

#[test]
fn what_was_accepted_as_a_proposal_is_accepted_where_it_is_in_the_files() {
    let Some(place) = Place::new() else { return };
    place.edit(&[5], "y\nw\n");
    place.edit(&[20], "y\nw\n");
    place.change(&[5, 20, 35]);
    check(&place.git("j\n"), 2, &[35]);
    check(&place.diff("j\n"), 2, &[35]);
    // The file as a whole is reviewed, and one of the changes is left open.
    check(&place.git("u\ny\nj\nj\nq\nw\n"), 2, &[35, 5, 20, 35]);
    place.change(&[5, 20, 35, 50]);
    check(&place.git("j\nj\nj\n"), 1, &[20, 35, 50]);
}

#[test]
fn two_folders_have_the_approvals_of_their_earlier_reviews() {
    let Some(place) = Place::new() else { return };
    place.change(&[5, 20]);
    check(&place.diff("y\nn\nw\n"), 0, &[5, 20]);
    place.change(&[5, 35]);
    check(&place.diff("j\n"), 1, &[35]);
    place.change(&[5, 20]);
    let told = place.diff("j\n");
    check(&told, 1, &[20]);
    assert!(told.contains("you rejected this change before"), "{told}");
}

#[test]
fn layers_have_the_approvals_of_earlier_ones() {
    let Some(place) = Place::new() else { return };
    // Not every system allows layers.
    if place.run(&["true"]).0 != Some(0) {
        return;
    }
    check(&place.layer(&[5, 20], "y\nj\nk\n"), 0, &[5, 20]);
    check(&place.layer(&[5, 35], "j\n"), 1, &[35]);
    check(&place.edit(&[5, 45], "j\n"), 1, &[45]);
}

#[test]
fn nothing_is_accepted_where_no_person_follows() {
    let Some(place) = Place::new() else { return };
    place.edit(&[5, 20], "y\nj\nk\n");
    fs::write(place.at("none.json"), r#"{ "schema": 1, "files": [] }"#).unwrap();
    let apply = [
        "apply",
        "--root",
        "root",
        "--decisions",
        "none.json",
        "edit",
    ];
    let (code, told, errors) = run_in(Path::new(place.0.path()), &[], &apply);
    let told = told + &errors;
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("it was not accepted in `none.json`"),
        "{told}"
    );
    assert_eq!(
        fs::read_to_string(place.at("root/a.txt")).unwrap(),
        rows(&[])
    );
}

#[test]
fn a_selection_for_jj_is_no_decision_about_the_changes() {
    let Some(place) = Place::new() else { return };
    place.change(&[5, 20]);
    fs::write(place.at("root/JJ-INSTRUCTIONS"), "Select a part.\n").unwrap();
    place.diff("y\nn\nw\n");
    fs::remove_file(place.at("root/JJ-INSTRUCTIONS")).unwrap();
    place.change(&[5, 20]);
    let told = place.diff("y\nn\nw\n");
    check(&told, 0, &[5, 20]);
    assert!(!told.contains("rejected this change before"), "{told}");
    // The same answers without the instructions are decisions.
    place.change(&[5, 20]);
    let told = place.diff("j\n");
    check(&told, 1, &[20]);
    assert!(told.contains("you rejected this change before"), "{told}");
}
