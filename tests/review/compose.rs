//! The newline at the end of a file that is composed.

use std::sync::Arc;

use countersign::locate::Tolerance;
use countersign::proposal::{FileChange, FinalNewline, HunkOrder, InputSpan, Operation, PathClaim};
use countersign::review::{
    Decision, Found, HunkId, Intake, NewTextEncoding, Postimage, Side, Target, compose, intake,
};

use crate::fixture::{hunk, lines, session};

/// Composes one edit that states how the file ends, with these of its changed lines rejected. Lines of a text are parted by `|`.
#[track_caller]
fn check(base: &str, edit: (&str, &str), stated: FinalNewline, rejected: &[usize], expected: &str) {
    let mut hunk = hunk(lines(edit.0), lines(edit.1), 0);
    hunk.final_newline = stated;
    hunk.at_end = stated != FinalNewline::Keep;
    let mut session = session(base, vec![hunk]);
    session.decide(&Target::Rest, Decision::Accepted);
    let hunk = HunkId { file: 0, hunk: 0 };
    for line in rejected {
        let lines = *line..line + 1;
        let side = Side::Both;
        session.decide(&Target::Lines { hunk, lines, side }, Decision::Rejected);
    }
    let Postimage::Text { text, .. } = compose(&session.files[0]) else {
        panic!("{base:?} {edit:?} makes no text");
    };
    assert_eq!(text, expected, "{base:?} {edit:?}");
}

#[test]
fn the_last_line_is_changed_where_it_is() {
    use FinalNewline::{Add, Keep, Remove};
    check("a\nb\n", ("a|b", "a|c"), Keep, &[], "a\nc\n");
    check("a\nb", ("a|b", "a|c"), Keep, &[], "a\nc");
    check("a\nb\n", ("a|b", "a|c"), Remove, &[], "a\nc");
    check("a\nb", ("a|b", "a|c"), Add, &[], "a\nc\n");
    check("a\nb\n", ("a|b", "a|b"), Remove, &[], "a\nb");
    check("a\nb", ("a|b", "a|b"), Add, &[], "a\nb\n");
    // A removal at the end: the line above it becomes the last one.
    check("a\nb\n", ("a|b", "a"), Remove, &[], "a");
    check("a\nb", ("a|b", "a"), Add, &[], "a\n");
    check("a\nb\nc\n", ("a|b|c", "x|b"), Remove, &[], "x\nb");
    check("a\nb\nc\n", ("a|b|c", "a|x"), Remove, &[], "a\nx");
    check("a\r\nb\r\n", ("a|b", "a|c"), Remove, &[], "a\r\nc");
}

#[test]
fn a_stated_end_counts_for_the_last_line_only() {
    use FinalNewline::{Add, Remove};
    // The line below is kept, so the new one is not the last.
    check("a\nb\nc\n", ("a|b|c", "a|B"), Remove, &[], "a\nB");
    check("a\nb\nc\n", ("a|b|c", "a|B"), Remove, &[1], "a\nB\nc\n");
    check("a\nb\nc", ("a|b|c", "a|B"), Add, &[1], "a\nB\nc");
}

#[test]
fn a_new_line_ends_like_the_one_that_it_replaces() {
    use FinalNewline::Keep;
    let base = "a\nb\r\nc\n";
    check(base, ("a|b|c", "a|x|c"), Keep, &[], "a\nx\r\nc\n");
    // The new line is accepted, and the old one stays above it.
    let mut session = session(base, vec![hunk(lines("a|b|c"), lines("a|x|c"), 0)]);
    session.decide(&Target::Rest, Decision::Accepted);
    let hunk = HunkId { file: 0, hunk: 0 };
    let old = Target::Lines {
        hunk,
        lines: 0..1,
        side: Side::Old,
    };
    session.decide(&old, Decision::Rejected);
    let Postimage::Text { text, .. } = compose(&session.files[0]) else {
        panic!("the new line is accepted");
    };
    assert_eq!(text, "a\nb\r\nx\r\nc\n");
}

#[test]
fn a_new_file_whose_text_is_rejected_is_not_made_executable() {
    let change = FileChange {
        path: PathClaim::plain("file"),
        operation: Operation::Create,
        executable: Some(true),
        is_regular: false,
        blobs: None,
        binary: None,
        hunks: vec![hunk(Vec::new(), lines("a|b"), 0)],
        dialect: "test",
        span: InputSpan::of(0..1),
        patch: 0,
    };
    let file = Intake {
        change: Arc::new(change),
        order: HunkOrder::Ascending,
        path: "file".to_owned(),
        other: countersign::review::OtherFile::None,
        found: Found::Absent,
        protected: None,
        bytes: None,
        reading: NewTextEncoding::default(),
    };
    let mut session = intake(String::new(), Vec::new(), vec![file], Tolerance::default());
    session.decide(&Target::Rest, Decision::Accepted);
    let text = (session.hunks()).find(|(_, hunk)| hunk.step.is_none());
    let text = text.expect("it has text").0;
    assert!(session.hunks().any(|(_, hunk)| hunk.step.is_some()));
    session.decide(&Target::Hunk(text), Decision::Rejected);
    assert_eq!(compose(&session.files[0]), Postimage::Unchanged);
}
