//! Steps that need what an earlier step of the same input leaves under another name.

use std::fs;

use tempfile::TempDir;

use crate::run_in;

/// Applies an input to a folder with the file `a`; gives the exit code, the message and the files.
fn applied(input: &str) -> (Option<i32>, String, Vec<String>) {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("a"), "one\ntwo\n").unwrap();
    let inputs = TempDir::new().unwrap();
    let file = inputs.path().join("input");
    fs::write(&file, input).unwrap();
    let (code, out, err) = run_in(place.path(), &[], &["apply", file.to_str().unwrap()]);
    let entries = fs::read_dir(place.path()).unwrap().map(Result::unwrap);
    let mut files: Vec<String> = entries
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            format!(
                "{}: {}",
                entry.file_name().display(),
                text.trim().replace('\n', " ")
            )
        })
        .collect();
    files.sort();
    (code, out + &err, files)
}

fn call(name: &str, input: &str) -> String {
    format!("{{\"name\":\"{name}\",\"input\":{{{input}}}}}\n")
}

#[test]
fn a_call_is_for_the_result_of_the_earlier_ones() {
    let edit = call(
        "Edit",
        r#""file_path":"a","old_string":"one","new_string":"1""#,
    );
    let copy = call("copy_path", r#""source_path":"a","destination_path":"c""#);
    let moved = |from: &str, to: &str| {
        let paths = format!("\"source_path\":\"{from}\",\"destination_path\":\"{to}\"");
        call("move_path", &paths)
    };
    let deleted = call("delete_path", r#""path":"c""#);
    for input in [
        edit.clone() + &copy,
        copy.clone() + &moved("c", "a"),
        moved("a", "c") + &call("copy_path", r#""source_path":"c","destination_path":"d""#),
    ] {
        let (code, told, files) = applied(&input);
        assert_ne!(code, Some(0), "{input} {told}");
        assert!(
            told.contains("as an earlier step leaves it"),
            "{input} {told}"
        );
        assert_eq!(files, ["a: one two"], "{input} {told}");
    }
    for (input, expected) in [
        (moved("a", "c") + &moved("c", "a"), vec!["a: one two"]),
        (moved("a", "c") + &deleted, vec![]),
        (
            moved("a", "c") + &edit.replace("\"a\"", "\"c\""),
            vec!["c: 1 two"],
        ),
    ] {
        let (code, told, files) = applied(&input);
        assert_eq!(
            (code, files),
            (Some(0), expected.into_iter().map(str::to_owned).collect()),
            "{input} {told}"
        );
    }
    let (code, told, files) = applied(&(copy.clone() + &edit));
    assert_eq!(
        (code, files),
        (
            Some(0),
            vec!["a: 1 two".to_owned(), "c: one two".to_owned()]
        ),
        "{told}"
    );
    let (code, told, files) = applied(&(edit + &moved("a", "c")));
    assert_eq!(
        (code, files),
        (Some(0), vec!["c: 1 two".to_owned()]),
        "{told}"
    );
}

#[test]
fn a_patch_is_for_the_result_of_the_earlier_ones() {
    let start = |digit: &str| {
        format!(
            "From {} Mon Sep 17 00:00:00 2001\nSubject: x\n\n",
            digit.repeat(40)
        )
    };
    let edit = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n";
    let copy = "diff --git a/a b/d\nsimilarity index 100%\ncopy from a\ncopy to d\n";
    let (code, told, files) = applied(&format!("{}{edit}{}{copy}", start("1"), start("2")));
    assert_ne!(code, Some(0), "{told}");
    assert_eq!(files, ["a: one two"], "{told}");
    // A diff is for the files as they are.
    let (code, told, files) = applied(&format!("{edit}{copy}"));
    assert_eq!(
        (code, files),
        (
            Some(0),
            vec!["a: 1 two".to_owned(), "d: one two".to_owned()]
        ),
        "{told}"
    );
}

#[test]
fn a_rename_onto_itself_is_no_change() {
    let git = "diff --git a/a b/a\nsimilarity index 100%\nrename from a\nrename to a\n";
    let (code, told, files) = applied(git);
    assert_eq!(
        (code, files),
        (Some(0), vec!["a: one two".to_owned()]),
        "{told}"
    );
    assert!(
        told.contains("already applied: 1 hunk") && !told.contains("rename"),
        "{told}"
    );
    let (code, told, files) = applied(&git.repeat(2));
    assert_eq!(
        (code, files),
        (Some(0), vec!["a: one two".to_owned()]),
        "{told}"
    );
    let envelope = "*** Begin Patch\n*** Update File: a\n*** Move to: ./a\n@@\n one\n-two\n+TWO\n*** End Patch\n";
    let (code, told, files) = applied(envelope);
    assert_eq!(
        (code, files),
        (Some(0), vec!["a: one TWO".to_owned()]),
        "{told}"
    );
    assert!(!told.contains("rename"), "{told}");
}

#[test]
fn an_input_is_for_the_result_of_the_earlier_ones() {
    let moved = "diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n";
    let edit = |name: &str| {
        format!(
            "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"
        )
    };
    let check = |second: &str, code: i32, expected: &str| {
        let place = TempDir::new().unwrap();
        fs::write(place.path().join("a"), "one\ntwo\n").unwrap();
        let inputs = TempDir::new().unwrap();
        let names = ["0001.patch", "0002.patch"].map(|name| inputs.path().join(name));
        fs::write(&names[0], moved).unwrap();
        fs::write(&names[1], second).unwrap();
        let arguments: Vec<&str> = names.iter().map(|name| name.to_str().unwrap()).collect();
        let apply = [&["apply"], &arguments[..]].concat();
        // Sent again, it changes nothing.
        for _ in 0..2 {
            let (found, out, err) = run_in(place.path(), &[], &apply);
            let name = if code == 0 { "c" } else { "a" };
            let text = fs::read_to_string(place.path().join(name)).unwrap_or_default();
            assert_eq!((found, text.as_str()), (Some(code), expected), "{out}{err}");
        }
    };
    check(&edit("c"), 0, "1\ntwo\n");
    check(&edit("a"), 2, "one\ntwo\n");
}
