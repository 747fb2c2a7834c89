//! A line ending that is another shows as a sign in either layout, and as none where nothing differs.

use std::sync::Arc;

use crate::script::Script;
use countersign::review::{Compared, Found, Stance, compare};
use countersign::text::Document;

/// A screen of two versions.
fn screen_of(old: &str, new: &str, width: u16, height: u16) -> String {
    let found = |text: &str| Found::Text {
        document: Arc::new(Document::from_text(text)),
        executable: false,
    };
    let file = Compared {
        path: "file".to_owned(),
        rename: None,
        old: found(old),
        new: found(new),
        stance: Stance::Proposed,
        doubtful: Vec::new(),
        protected: None,
        origin: "test",
    };
    let session = compare(String::new(), &[file]);
    Script::new(session, width, height).screen()
}

/// The changed lines of two versions as a screen of some width shows them, from the sign on.
#[track_caller]
fn check(old: &str, new: &str, width: u16, expected: &[&str]) {
    let shown = screen_of(old, new, width, 20);
    let signs = ["␊", "␍", "∅"];
    let rows = shown.lines().skip(4).filter_map(|row| {
        let words = row.split([' ', '│', '·', '▌']);
        let words = words.filter(|word| !word.is_empty() && word.parse::<u8>().is_err());
        let row = words.collect::<Vec<&str>>().join(" ");
        let changed = row.starts_with(['−', '+']);
        (changed || signs.iter().any(|sign| row.contains(sign))).then_some(row)
    });
    let rows: Vec<String> = rows.collect();
    assert_eq!(rows, expected, "{shown}");
}

#[test]
fn a_missing_newline_shows_on_changed_lines() {
    let (old, new) = ("one\ntwo", "one\ntwo\n");
    check(old, new, 110, &["− two∅ + two␊"]);
    check(old, new, 60, &["− two∅", "+ two␊"]);
    check(new, old, 60, &["− two␊", "+ two∅"]);
    check("one\ntwo", "one\n2", 60, &["− two∅", "+ 2∅"]);
    check("one", "one\ntwo", 60, &["− one∅", "+ one␊", "+ two∅"]);
    check("a\nb\nc\n", "a\nB\nC\n", 60, &["− b", "− c", "+ B", "+ C"]);
}

#[test]
fn an_ending_that_is_another_shows_on_changed_lines() {
    let (old, new) = ("one\ntwo\r\nend\n", "one\n2\nend\n");
    check(old, new, 110, &["− two␍␊ + 2␊"]);
    check(old, new, 60, &["− two␍␊", "+ 2␊"]);
    let (old, new) = ("one\nend\n", "one\ntwo\r\nend\n");
    check(old, new, 110, &["+ two␍␊"]);
    check(old, new, 60, &["+ two␍␊"]);
    check("a\r\nb\r\n", "a\r\nB\r\nc\r\n", 60, &["− b", "+ B", "+ c"]);
}

#[test]
fn an_ending_that_changes_alone_shows_on_the_lines_that_stay() {
    let (old, new) = ("one\ntwo\r\nend\n", "uno\ntwo\nend\n");
    check(old, new, 110, &["− one + uno", "two␍␊ two␊"]);
    check(old, new, 60, &["− one", "+ uno", "two␍␊→␊"]);
    check("a\r\nb\r\n", "a\r\nB\r\n", 60, &["− b", "+ B"]);
}

/// Forty lines, of which those at `changed` end in LF and all others in CR LF.
fn lines_with_lf(changed: std::ops::Range<usize>) -> String {
    let line = |n| {
        let ending = if changed.contains(&n) { "\n" } else { "\r\n" };
        format!("line {n}{ending}")
    };
    (0..40).map(line).collect()
}

#[test]
fn no_fold_hides_a_line_whose_ending_changes() {
    let [old, new] = [lines_with_lf(0..0), lines_with_lf(20..21)];
    let new = new.replace("line 3\r", "other\r");
    let shown = screen_of(&old, &new, 80, 30);
    let step = "line endings CRLF to LF in line 21";
    assert!(shown.contains(step), "{shown}");
    assert!(shown.contains("line 20␍␊→␊"), "{shown}");
    assert!(shown.contains("⋯ 13 unchanged"), "{shown}");
    assert!(shown.contains("⋯ 19 unchanged"), "{shown}");
    // Without another change.
    let shown = screen_of(&old, &lines_with_lf(20..21), 80, 30);
    assert!(shown.contains("line 20␍␊→␊"), "{shown}");
}

#[test]
fn an_ending_that_changes_in_most_lines_is_named_once() {
    let old = lines_with_lf(0..0);
    let signs = |changed| {
        let shown = screen_of(&old, &lines_with_lf(changed), 80, 60);
        (shown.matches("␍␊→␊").count(), shown)
    };
    let (count, shown) = signs(10..29);
    assert_eq!(count, 19, "{shown}");
    assert!(shown.contains("CRLF to LF in 19 lines from line 11 on"));
    let (count, shown) = signs(10..30);
    assert_eq!(count, 0, "{shown}");
    assert!(shown.contains("CRLF to LF in 20 lines from line 11 on"));
    assert!(signs(0..40).1.contains("line endings CRLF to LF "));
}
