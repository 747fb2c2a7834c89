//! Which changed lines were shown is kept through edits, splits and a new placement.

use std::collections::BTreeMap;

use countersign::review::{HunkId, Report, ReviewSession, ShownCount, Side, Writing};

use crate::fixture::{lines, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };
const EDIT: &str = "a|b|c|d|e|f => A|b|c|D|E|x|f";

fn shown() -> ReviewSession {
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    session.count_seen();
    session.mark_hunk_seen(FIRST);
    session
}

#[track_caller]
fn check(session: &ReviewSession, lines: usize, of: usize) {
    assert_eq!(session.seen(), Some(ShownCount { lines, of }));
}

#[test]
fn sides_are_counted_by_themselves() {
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    assert_eq!(session.seen(), None);
    session.count_seen();
    check(&session, 0, 7);
    session.mark_seen(FIRST, 0, Side::Old);
    session.mark_seen(FIRST, 0, Side::Old);
    check(&session, 1, 7);
    session.mark_seen(FIRST, 0, Side::New);
    check(&session, 2, 7);
    session.mark_seen(FIRST, 99, Side::Both);
    check(&session, 2, 7);
}

#[test]
fn what_an_edit_changes_is_shown_again() {
    let mut session = shown();
    check(&session, 7, 7);
    let region = session.begin_edit(FIRST, 0).expect("it can be edited");
    session.edit(&region, &lines("A|b|c|D|E|xx"));
    session.finish_edit();
    check(&session, 6, 7);
    session.undo();
    check(&session, 7, 7);
}

#[test]
fn the_parts_of_a_split_keep_their_own() {
    let mut session = shown();
    let second = session.split(FIRST, 1).expect("there is a gap");
    check(&session, 7, 7);
    session.undo();
    check(&session, 7, 7);
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    session.count_seen();
    session.mark_seen(FIRST, 0, Side::Both);
    session.split(FIRST, 1).expect("there is a gap");
    check(&session, 2, 7);
    session.mark_hunk_seen(second);
    check(&session, 7, 7);
}

#[test]
fn a_new_placement_keeps_what_changes_the_same_lines() {
    let mut moved = of_edits("new|a|b|c|d|e|f", EDIT);
    moved.carry_over(&shown());
    check(&moved, 7, 7);
    let mut other = of_edits("a|b|c|d|e|f", "a|b|c|d|e|f => A|b|c|D|E|y|f");
    other.carry_over(&shown());
    check(&other, 0, 7);
}

#[test]
fn the_report_has_it() {
    let report = |session: &ReviewSession| {
        let report = Report::new(session, &Writing::Rehearsed, &BTreeMap::new());
        let json = serde_json::to_value(&report).unwrap();
        let text = report.to_string();
        let last = text.lines().last().unwrap_or_default().to_owned();
        (json.get("seen").map(ToString::to_string), last)
    };
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    let (seen, last) = report(&session);
    assert_eq!(seen, None);
    assert!(!last.starts_with("shown"), "{last}");
    session.count_seen();
    session.mark_seen(FIRST, 0, Side::New);
    let told = "shown on the screen: 1 of 7 changed lines".to_owned();
    assert_eq!(
        report(&session),
        (Some(r#"{"lines":1,"of":7}"#.to_owned()), told)
    );
    let (seen, last) = report(&shown());
    assert_eq!(seen.as_deref(), Some(r#"{"lines":7,"of":7}"#));
    assert!(!last.starts_with("shown"), "{last}");
}
