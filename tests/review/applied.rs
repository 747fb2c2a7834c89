//! The note of a file on hunks that are already applied.

use countersign::review::notes;

use crate::fixture::of_edits;

/// Checks the notes of a file with some settings, of which those of `applied` are already as the edits want them.
fn check(settings: &str, applied: &str, expected: &[&str]) {
    let lines = settings.chars().map(|name| {
        let value = if applied.contains(name) { "new" } else { "old" };
        format!("[{name}]|{name} is {value}|")
    });
    let edits: Vec<String> = settings
        .chars()
        .map(|name| format!("[{name}]|{name} is old => [{name}]|{name} is new"))
        .collect();
    let session = of_edits(&lines.collect::<String>(), &edits.join(" ; "));
    let file = &session.files[0];
    let hunks = (0..file.hunks.len()).map(Some);
    let all = [None].into_iter().chain(hunks);
    let texts: Vec<String> = all
        .flat_map(|hunk| notes(file, hunk))
        .map(|note| note.text)
        .collect();
    assert_eq!(texts, expected, "{settings} {applied}");
}

#[test]
fn hunks_that_are_already_applied_share_one_note() {
    check("abc", "", &[]);
    check("abc", "b", &["already applied: hunk 2 (line 3)"]);
    check(
        "abc",
        "ac",
        &["already applied: hunk 1 (line 1), hunk 3 (line 5)"],
    );
    check("abcdef", "acdef", &["already applied: 5 of 6 hunks"]);
    check("abc", "abc", &["already applied: nothing to change"]);
}
