//! A line ending that is another shows as a sign in either layout, and as none where nothing differs.

use std::sync::Arc;

use crate::script::Script;
use countersign::review::{Compared, Found, Stance, compare};
use countersign::text::Document;

/// The changed lines of two versions as a screen of some width shows them, from the sign on.
#[track_caller]
fn check(old: &str, new: &str, width: u16, expected: &[&str]) {
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
    let mut script = Script::new(session, width, 20);
    let shown = script.screen();
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
