//! Several edits of one file, of which one writes, makes or removes it: each stands on what the one before leaves.

use crate::outcome::check;

const NOTES: (&str, &str) = ("notes.txt", "one\ntwo\nthree\n");

/// What calls make of the notes, and what is said of those that cannot.
#[track_caller]
fn becomes(calls: &[&str], after: Option<&str>, said: &[&str]) {
    let after: Vec<(&str, &str)> = after.map(|text| ("notes.txt", text)).into_iter().collect();
    check(&[NOTES], &calls.join("\n"), &after, said);
}

const WRITE: &str = r#"{"file_path":"notes.txt","content":"red\ngreen\nblue\n"}"#;
const EDIT: &str = r#"{"file_path":"notes.txt","old_string":"green","new_string":"lime"}"#;
const EDIT_AGAIN: &str = r#"{"file_path":"notes.txt","old_string":"lime","new_string":"moss"}"#;
const EDIT_BEFORE: &str = r#"{"file_path":"notes.txt","old_string":"two","new_string":"2"}"#;
const EDIT_NOTHING: &str = r#"{"file_path":"notes.txt","old_string":"pink","new_string":"rose"}"#;
const WRITE_AGAIN: &str = r#"{"file_path":"notes.txt","content":"black\n"}"#;

#[test]
fn an_edit_stands_on_what_was_written_before_it() {
    becomes(&[WRITE, EDIT], Some("red\nlime\nblue\n"), &[]);
    becomes(&[WRITE, EDIT, EDIT_AGAIN], Some("red\nmoss\nblue\n"), &[]);
    becomes(&[WRITE, EDIT, WRITE_AGAIN], Some("black\n"), &[]);
    becomes(&[EDIT_BEFORE, WRITE], Some("red\ngreen\nblue\n"), &[]);
    becomes(&[EDIT_BEFORE, WRITE, EDIT], Some("red\nlime\nblue\n"), &[]);
}

#[test]
fn an_edit_without_a_place_costs_itself_alone() {
    let said = ["no match in the file"];
    becomes(&[WRITE, EDIT_NOTHING], Some("red\ngreen\nblue\n"), &said);
    // What the file holds no longer when its turn comes is not there.
    becomes(&[WRITE, EDIT_BEFORE], Some("red\ngreen\nblue\n"), &said);
    becomes(&[EDIT, WRITE], Some("red\ngreen\nblue\n"), &said);
}

#[test]
fn a_file_that_is_removed_and_made_again_is_written() {
    let again = "*** Begin Patch\n*** Delete File: notes.txt\n*** Add File: notes.txt\n+one\n+2\n*** End Patch\n";
    check(&[NOTES], again, &[("notes.txt", "one\n2\n")], &[]);
    let removed = "*** Begin Patch\n*** Update File: notes.txt\n-two\n+2\n*** Delete File: notes.txt\n*** End Patch\n";
    check(&[NOTES], removed, &[], &[]);
}

#[test]
fn a_new_file_is_made_and_changed() {
    let edit = "*** Begin Patch\n*** Add File: new.txt\n+a\n+b\n*** Update File: new.txt\n-b\n+c\n*** End Patch\n";
    check(&[], edit, &[("new.txt", "a\nc\n")], &[]);
    let removed =
        "*** Begin Patch\n*** Add File: new.txt\n+a\n*** Delete File: new.txt\n*** End Patch\n";
    check(&[], removed, &[], &[]);
    let copied = "diff --git a/notes.txt b/copy.txt\nsimilarity index 90%\ncopy from notes.txt\ncopy to copy.txt\n*** Begin Patch\n*** Update File: copy.txt\n-two\n+2\n*** End Patch\n";
    let copy = ("copy.txt", "one\n2\nthree\n");
    check(&[NOTES], copied, &[copy, NOTES], &[]);
}

#[test]
fn what_stands_there_is_not_overwritten_by_a_creation() {
    let edit = "*** Begin Patch\n*** Add File: notes.txt\n+a\n*** Update File: notes.txt\n-a\n+b\n*** End Patch\n";
    let said = ["the file exists already, with another text"];
    check(&[NOTES], edit, &[NOTES], &said);
}
