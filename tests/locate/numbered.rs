//! Hunks that name lines by number alone. Lines of a text are parted by `|`.

use countersign::locate::{Tolerance, place_all};
use countersign::proposal::{Extent, HunkOrder};
use countersign::text::Document;

use crate::table::{hunk, lines, shown};

/// Replaces `count` lines of the file `a|b|c|}|` from line `at` with others.
#[track_caller]
fn check(at: usize, count: usize, with: &str, expected: &str) {
    let document = Document::from_text("a\nb\nc\n}\n\n");
    let mut hunk = hunk(&format!("{at}@ => {with}"));
    hunk.body.preimage = lines("");
    hunk.extent = Extent::Numbered(count);
    let found = place_all(&[&hunk], HunkOrder::Any, &document, Tolerance::default());
    assert_eq!(shown(&found[0]), expected, "{at} {count} {with}");
}

#[test]
fn lines_are_replaced_by_number() {
    check(2, 1, "x", "exact fuzzy 1-2:x");
    check(2, 2, "x|y", "exact fuzzy 1-3:x|y");
    check(2, 0, "x", "exact fuzzy 1-1:x");
    check(5, 3, "x", "not found, near");
}

#[test]
fn lines_that_are_there_already_are_known_if_they_tell() {
    check(2, 1, "b", "applied at 2");
    check(2, 0, "b", "applied at 2");
    check(2, 1, "b|c", "applied at 2");
    // A bracket may have been there before.
    check(4, 0, "}", "exact doubtful Done 3-3:}");
}

#[test]
fn a_beginning_does_not_show_that_the_rest_was_removed() {
    check(1, 3, "a", "exact doubtful Done 0-3:a");
    check(1, 3, "a|b", "exact doubtful Done 0-3:a|b");
}
