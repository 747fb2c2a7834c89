//! What a person rejected in one review is recognised by the commands that come after it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{answered, run_in};

const FILE: &str = "\
use std::io;

pub fn send(&self, request: &Request) -> Result<Response> {
    let stream = self.connect()?;
    stream.write_all(request.as_bytes())?;
    read_response(stream)
}
";

const EDIT: &str = "\
client.rs
<<<<<<< SEARCH
    stream.write_all(request.as_bytes())?;
=======
    let bytes = request.as_bytes();
    stream.write_all(bytes).unwrap();
>>>>>>> REPLACE
";

/// The same change as a diff, with its lines broken otherwise.
const AGAIN: &str = "\
--- a/client.rs
+++ b/client.rs
@@ -4,3 +4,5 @@
     let stream = self.connect()?;
-    stream.write_all(request.as_bytes())?;
+    let bytes =
+        request.as_bytes();
+    stream.write_all(bytes).unwrap();
     read_response(stream)
";

fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("root")).unwrap();
    fs::write(place.path().join("root/client.rs"), FILE).unwrap();
    fs::write(place.path().join("edit"), EDIT).unwrap();
    fs::write(place.path().join("again"), AGAIN).unwrap();
    place
}

/// Reviews an edit line by line with these answers, and returns what is printed.
fn review(place: &Path, edit: &str, options: &[&str], answers: &str) -> String {
    let command = ["review", "--linear", "--root", "root", edit];
    let command = [&command, options].concat();
    answered(place, &place.join("home"), &command, answers)
}

fn reject(place: &Path) {
    let told = review(place, "edit", &[], "c\nno unwrap, please\nn\nw\n");
    assert!(told.contains("rejected"), "{told}");
}

#[test]
fn a_rejected_change_is_not_written_when_it_comes_again() {
    let place = place();
    reject(place.path());
    let report = ["--root", "root", "again", "--report", "json"];
    let apply = [&["apply"], &report[..]].concat();
    let (code, told, _) = run_in(place.path(), &[], &apply);
    assert_eq!(code, Some(2), "{told}");
    let report: serde_json::Value = serde_json::from_str(&told).unwrap();
    let hunk = &report["hunks"][0];
    assert_eq!(hunk["status"], "rejected");
    assert_eq!(hunk["rejected_before"]["kind"], "same");
    assert_eq!(hunk["rejected_before"]["reason"], "no unwrap, please");
    let kept = fs::read_to_string(place.path().join("root/client.rs")).unwrap();
    assert_eq!(kept, FILE);
}

/// Finds the only record of rejections in a folder of state.
fn record(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.find_map(|entry| {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            return None;
        }
        if path.ends_with("rejections") {
            return Some(fs::read_dir(path).unwrap().next()?.unwrap().path());
        }
        record(&path)
    })
}

#[test]
fn a_damaged_record_holds_back_until_it_is_removed() {
    let damages: [fn(&Path); 7] = [
        |file| fs::write(file, "").unwrap(),
        |file| fs::write(file, "garbage\n").unwrap(),
        |file| fs::write(file, &fs::read(file).unwrap()[..40]).unwrap(),
        |file| fs::write(file, vec![b' '; 3 << 20]).unwrap(),
        |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        },
        |file| {
            fs::remove_file(file).unwrap();
            symlink("/dev/null", file).unwrap();
        },
        |file| {
            let folder = file.parent().unwrap();
            fs::remove_dir_all(folder).unwrap();
            fs::write(folder, "").unwrap();
        },
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let place = place();
        reject(place.path());
        let record = record(&place.path().join("home")).unwrap();
        damage(&record);
        for options in [&[][..], &["--partial"]] {
            let command = [&["apply", "--root", "root", "again"], options].concat();
            let (code, told, errors) = run_in(place.path(), &[], &command);
            let told = told + &errors;
            assert_ne!(code, Some(0), "{number}: {told}");
            assert!(
                told.contains("a record of that is damaged; remove it"),
                "{number}: {told}"
            );
            let folder = record.parent().unwrap();
            assert!(told.contains(folder.to_str().unwrap()), "{number}: {told}");
        }
        let read = || fs::read_to_string(place.path().join("root/client.rs")).unwrap();
        assert_eq!(read(), FILE);
        // A person decides about each hunk as ever.
        let told = review(place.path(), "again", &[], "y\nw\n");
        assert!(
            told.contains("a record of that is damaged"),
            "{number}: {told}"
        );
        assert_ne!(read(), FILE, "{number}: {told}");
    }
}

#[test]
fn the_person_is_shown_the_old_reason_and_can_accept_after_all() {
    let place = place();
    reject(place.path());
    let told = review(place.path(), "again", &[], "y\nw\n");
    let words = "you rejected this change before: “no unwrap, please”";
    assert!(told.contains(words), "{told}");
    let written = fs::read_to_string(place.path().join("root/client.rs")).unwrap();
    assert!(written.contains("unwrap"), "{written}");
    // It is no longer a rejected change.
    fs::write(place.path().join("root/client.rs"), FILE).unwrap();
    let (code, told, _) = run_in(
        place.path(),
        &[],
        &["apply", "--root", "root", "edit", "--dry-run"],
    );
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn what_is_accepted_and_then_discarded_stays_rejected() {
    let place = place();
    reject(place.path());
    let told = review(place.path(), "again", &[], "y\nd\n");
    assert!(told.contains("you rejected this change before"), "{told}");
    let told = review(place.path(), "again", &[], "n\nw\n");
    assert!(told.contains("you rejected this change before"), "{told}");
}

#[test]
fn rejecting_it_again_gives_the_agent_the_old_reason() {
    let place = place();
    reject(place.path());
    let told = review(place.path(), "again", &["--report", "agent"], "n\nw\n");
    let words = "this change was rejected before: “no unwrap, please”";
    assert!(told.contains(words), "{told}");
    // And so does the next review.
    let told = review(place.path(), "edit", &[], "n\nw\n");
    assert!(told.contains("no unwrap, please"), "{told}");
}

#[test]
fn new_lines_of_another_version_are_marked() {
    let place = place();
    reject(place.path());
    let revised = EDIT.replace("write_all(bytes).unwrap()", "write_all(bytes)?");
    fs::write(place.path().join("revised"), revised).unwrap();
    let told = review(place.path(), "revised", &[], "n\nw\n");
    let words =
        "you rejected an earlier version of this change: “no unwrap, please”; 1 line of it is new";
    assert!(told.contains(words), "{told}");
    let marked = "\
+    stream.write_all(bytes)?;
\\ this line is new since you rejected the earlier version
";
    assert!(told.contains(marked), "{told}");
}

#[test]
fn a_setting_rejects_it_without_asking() {
    let place = place();
    reject(place.path());
    let settings = ["--set", "review.rejected_before=reject"];
    let told = review(place.path(), "again", &settings, "q\nw\n");
    assert!(
        told.contains("0 undecided") || !told.contains("undecided:"),
        "{told}"
    );
    assert!(told.contains("rejected"), "{told}");
}

#[test]
fn a_review_that_is_left_rejects_nothing() {
    let place = place();
    // Kept for later, discarded, and broken off.
    for answers in ["q\nk\n", "q\nd\n", ""] {
        review(place.path(), "edit", &[], answers);
    }
    let (code, told, _) = run_in(
        place.path(),
        &[],
        &["apply", "--root", "root", "edit", "--dry-run"],
    );
    assert_eq!(code, Some(0), "{told}");
}
