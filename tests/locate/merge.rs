//! Hunks that have no place, placed by the version that they were made from. Lines of a text are parted by `|`.

use std::iter;
use std::sync::Arc;

use countersign::locate::{
    Location, Origin, Placement, Tolerance, merge, place_all, place_by_versions,
};
use countersign::proposal::{Hunk, HunkOrder, Version, VersionName};
use countersign::text::Document;
use proptest::prelude::*;

use crate::table::{hunk, lines, shown};

/// Where edits are placed by the file, and then `by` the version before too.
fn located(
    (was, is): (&[String], &[String]),
    edits: &str,
    order: HunkOrder,
    by: impl Fn(&[&Hunk], &Document, &Document, &mut [Location]),
) -> Vec<Location> {
    let text = |lines: &[String]| Document::from_text(lines.join("\n") + "\n");
    let (was, is) = (text(was), text(is));
    let hunks: Vec<_> = edits.split(" ; ").map(hunk).collect();
    let hunks: Vec<_> = hunks.iter().collect();
    let mut locations = place_all(&hunks, order, &is, Tolerance::default());
    by(&hunks, &was, &is, &mut locations);
    locations
}

/// A version with this text.
fn version(text: &Document, name: VersionName) -> Version {
    Version {
        text: text.clone(),
        name: Arc::new(name),
    }
}

fn merged(was: &[String], is: &[String], edits: &str) -> Vec<Location> {
    let order = HunkOrder::Ascending;
    located((was, is), edits, order, |hunks, was, is, locations| {
        let blob = VersionName::Blob {
            id: "1a2b3c4".to_owned(),
        };
        merge(hunks, 0..hunks.len(), &version(was, blob), is, locations);
    })
}

/// The same for edits that do not say that they were made from `was`.
fn by_earlier(was: &[String], is: &[String], edits: &str) -> Vec<Location> {
    by_version((was, is), edits, &VersionName::Batch, Origin::Possible)
}

/// The same where it is known that the agent has read `was` last.
fn by_read(was: &[String], is: &[String], edits: &str) -> Vec<Location> {
    let read = VersionName::Read {
        agent: "claude".to_owned(),
        seconds: 240,
    };
    by_version((was, is), edits, &read, Origin::Known)
}

fn by_version(
    texts: (&[String], &[String]),
    edits: &str,
    name: &VersionName,
    origin: Origin,
) -> Vec<Location> {
    let order = HunkOrder::Any;
    located(texts, edits, order, |hunks, was, is, locations| {
        let versions = iter::once(version(was, name.clone()));
        place_by_versions(hunks, order, versions, origin, is, locations);
    })
}

/// `was` is the version that the edits were made from, `is` the file. Edits as in the table of [`crate::table`].
#[track_caller]
fn check(was: &str, is: &str, edits: &str, expected: &str) {
    check_by(merged, [was, is, edits], expected);
}

/// As [`check`].
#[track_caller]
fn check_earlier(was: &str, is: &str, edits: &str, expected: &str) {
    check_by(by_earlier, [was, is, edits], expected);
}

/// As [`check`].
#[track_caller]
fn check_read(was: &str, is: &str, edits: &str, expected: &str) {
    check_by(by_read, [was, is, edits], expected);
}

#[track_caller]
fn check_by(
    by: fn(&[String], &[String], &str) -> Vec<Location>,
    [was, is, edits]: [&str; 3],
    expected: &str,
) {
    let found = by(&lines(was), &lines(is), edits);
    let found: Vec<String> = found.iter().map(shown).collect();
    assert_eq!(found.join(" ; "), expected, "{was:?} {is:?} {edits:?}");
}

#[test]
fn an_edit_of_an_earlier_version_is_placed_for_a_look() {
    let was = "a(x)|b(x)|c|d|e|f(x)|g";
    let is = "new|a(x)|b(y, 1)|c|d|e|f(y, 1)|g";
    let edit = "b(x)|c|d|e|f(x) => b(x)|c|D|e|f(x)";
    check_earlier(was, is, edit, "exact safe 4-5:D");
    // With blanks lost.
    check_earlier(
        "fn|  b(x)|  c|  d|  e|  f(x)",
        "fn|  b(y, 1)|  c|  d|  e|  f(y, 1)",
        "b(x)|c|d|e|f(x) => b(x)|c|D|e|f(x)",
        "indent fuzzy 3-4:  D",
    );
    // It is done already, or in part.
    let done = "new|a(x)|b(y, 1)|c|D|e|f(y, 1)|g";
    check_earlier(was, done, edit, "applied at 3");
    check_earlier(
        "a(x)|k|b(x)|c|d|e|g",
        "A|k|b(y, 1)|c|d|e|g",
        "a(x)|k|b(x)|c|d|e => A|k|b(x)|c|D|e",
        "exact safe 4-5:D",
    );
    // What stands in the file is placed by the file.
    check_earlier(
        was,
        is,
        "a(x) => A(x) ; b(x)|c|d|e|f(x) => b(x)|c|D|e|f(x)",
        "exact exact 1-2:A(x) ; exact safe 4-5:D",
    );
    // Two that changed one line there.
    check_earlier(
        was,
        is,
        "d|e => D2|e ; b(x)|c|d|e|f(x) => b(x)|c|D|e|f(x)",
        "exact exact 4-5:D2 ; not found, near 3",
    );
}

#[test]
fn an_edit_of_an_earlier_version_stays_lost_in_doubt() {
    let was = "a(x)|b(x)|c|d|e|f(x)|g";
    let edit = "b(x)|c|d|e|f(x) => b(x)|c|D|e|f(x)";
    // Its line has changed, or those beside it.
    check_earlier(
        was,
        "a(x)|b(y, 1)|c|ddd|e|f(y, 1)|g",
        edit,
        "conflict, near 3",
    );
    check_earlier(
        was,
        "a(x)|b(y, 1)|c|d|eee|f(y, 1)|g",
        edit,
        "conflict, near 3",
    );
    // It is gone.
    check_earlier(was, "a(x)|g", edit, "conflict");
    // It stood there twice, or only something like it.
    let twice = "b(x)|c|d|e|u|b(x)|c|d|e|v";
    let now = "b(y, 1)|c|d|e|u|b(y, 1)|c|d|e|v";
    let edit = "1@b(x)|c|d|e => b(x)|c|D|e";
    check_earlier(twice, now, edit, "similar doubtful Words 2-3:D");
    check_earlier(
        "// adds up all of them|c|d|e|f(x)|g",
        "b(y, 1)|c|d|e|f(y, 1)|g",
        "// adds up whatever they are|c|d|e|f(x) => // adds up whatever they are|c|D|e|f(x)",
        "not found, near 2",
    );
}

#[test]
fn a_hunk_whose_context_has_changed_is_placed() {
    let was = "a|b|c|d|e|f|g";
    check(
        was,
        "a|B|c|d|e|F|g",
        "1@a|b|c|d|e|f|g => a|b|c|D|e|f|g",
        "exact safe 3-4:D",
    );
    check(
        was,
        "x|y|B|c|d|e|F|g",
        "b|c|d|e|f => b|c|D|e|f",
        "exact safe 4-5:D",
    );
    // An insertion, and a removal.
    check(
        was,
        "a|B|c|d|e|F|g",
        "b|c|d|e|f => b|c|d|x|e|f",
        "exact safe 4-4:x",
    );
    check(
        was,
        "a|B|c|d|e|F|g",
        "b|c|d|e|f => b|c|e|f",
        "exact safe 3-4:",
    );
    // To the ends of both texts.
    check(
        "a|b|c|d",
        "a|b|c|D",
        "a|b|c|d => A|b|c|d",
        "exact safe 0-1:A",
    );
    check(
        "a|b|c|d",
        "A|b|c|d",
        "a|b|c|d => a|b|c|D",
        "exact safe 3-4:D",
    );
}

#[test]
fn a_file_that_is_still_the_version_keeps_its_line_numbers() {
    // No line of it stands there once.
    let text = "f|1||g|2||f|1||g|2||";
    let edit = |at: usize| format!("{at}@|g|2| => |g|3|");
    check(text, text, &edit(3), "exact safe 4-5:3");
    check(text, text, &edit(9), "exact safe 10-11:3");
}

#[test]
fn equal_places_are_told_apart_by_the_version() {
    let was = "fn a|  x|end a|fn b|  x|end b";
    let is = "fn b2|  x|end b2|fn a|  x|end a|fn b|  x|end b";
    check(was, is, "2@  x =>   y", "exact safe 4-5:  y");
    check(was, is, "5@  x =>   y", "exact safe 7-8:  y");
}

#[test]
fn an_exact_match_gives_way_to_the_version_that_the_agent_has_read() {
    let (was, edit) = ("p|a|b|q|r|s|c|b|t|u", "a|b => a|z");
    // The place that was read is gone, and its twin reads now as it did.
    check_earlier(was, "r|s|a|b|t|u", edit, "exact exact 3-4:z");
    check_read(was, "r|s|a|b|t|u", edit, "conflict");
    // Another place was made equal to it.
    check_read(was, "p|a|b|q|r|s|a|b|t|u", edit, "exact safe 2-3:z");
    // It was not read so, or nothing has changed.
    check_read("p|c|b|q", "p|a|b|q", edit, "exact exact 2-3:z");
    check_read("p|a|b|q", "p|a|b|q", edit, "exact exact 2-3:z");
}

#[test]
fn what_changed_on_both_sides_is_a_conflict() {
    let was = "a|b|c|d|e|f|g|h|i";
    let edit = "b|c|d|e|f => b|c|D|e|f";
    check(was, "a|b|c|DDDD|e|f|g|h|i", edit, "conflict, near 2");
    // The lines beside it have changed.
    check(was, "a|b|CCCC|d|EEEE|f|g|h|i", edit, "conflict, near 2");
    check(was, "a|b|CCCC|d|e|f|g|h|i", edit, "conflict, near 2");
    check(
        was,
        "a|b|c|d|new one|e|FFFF|g|h|i",
        edit,
        "conflict, near 2",
    );
    // All of it is gone.
    check(was, "a|g|h|i", edit, "conflict");
}

#[test]
fn what_was_done_already_is_not_done_again() {
    let was = "a|b|c|d|e|f|g";
    let edit = "a|b|c|d|e|f => A|b|c|d|E|f";
    check(was, "A|b|C|d|E|f|g", edit, "applied at 1");
    check(was, "A|b|c|d|E|F|g", edit, "conflict, near 2");
    check(was, "A|b|c|d|e|FF|g", edit, "conflict, near 2");
    check(was, "A|b|c|d|e|f|G", edit, "exact exact 4-5:E");
}

#[test]
fn where_lines_repeat_a_difference_may_stand_elsewhere() {
    // Which `x` was put in cannot be known, so nothing is put in beside one.
    check(
        "k|x|x|x|l|m",
        "k|x|x|x|x|l|M",
        "k|x|x|x|l|m => k|x|x|y|x|l|m",
        "conflict, near 1",
    );
    // Nor is anything known of stretches that stand there more than once.
    check(
        "x|y|z|x|y|z",
        "x|y|z|1|x|y|z",
        "3@z|x => z|new|x",
        "ambiguous 1 5",
    );
    check(
        "x|y|x|y|x|y",
        "x|y|q|x|y|x|y|x|y",
        "2@y|x|y => y|x|new|y",
        "ambiguous 5 7",
    );
}

proptest! {
    /// Changes of lines that stand far apart are merged, whatever the lines between hold; sent again they change nothing.
    #[test]
    fn what_is_placed_is_what_was_meant(
        texts in prop::collection::vec("[abc]", 12..30),
        at in 3_usize..9,
        moved in prop::collection::vec((0_usize..30, "[abcd]?"), 1..4),
    ) {
        let was: Vec<String> = texts.iter().enumerate()
            .map(|(i, line)| if i == at { "the line".to_owned() } else { line.clone() }).collect();
        let mut is = was.clone();
        for (i, with) in moved {
            let i = i % is.len();
            if is[i] != "the line" {
                is[i] = with;
            }
        }
        let context = |line: &str| [&was[at - 2..at], &[line.to_owned()], &was[at + 1..at + 3]].concat().join("|");
        let edit = format!("{} => {}", context("the line"), context("another"));
        let target = is.iter().position(|line| line == "the line").expect("it was not touched");
        for location in by_earlier(&was, &is, &edit) {
            if let Location::Placed(Placement { changes, .. }) = location {
                prop_assert_eq!(changes.len(), 1);
                prop_assert_eq!(changes[0].lines.clone(), target..target + 1);
            }
        }
        for location in merged(&was, &is, &edit) {
            if let Location::Placed(Placement { changes, .. }) = location {
                prop_assert_eq!(changes.len(), 1);
                prop_assert_eq!(changes[0].lines.clone(), target..target + 1);
                is[target] = changes[0].with[0].clone();
            }
        }
        let again = merged(&was, &is, &edit);
        let placed = again.iter().any(|location| matches!(location, Location::Placed(_)));
        prop_assert!(!placed || is[target] == "the line", "{:?}", again);
    }
}
