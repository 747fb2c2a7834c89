//! What a person says.

use std::collections::BTreeMap;

use countersign::review::{
    Decisions, Folds, HunkId, Layout, Origin, Report, ReviewSession, Row, Rows, Side, Subject,
    Writing,
};

use crate::fixture::{lines, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };

fn session() -> ReviewSession {
    let mut session = of_edits("a|b|c|d", "b|c => x|y|z");
    session.comment_lines(FIRST, 1..3, Side::New, Some("why two?".into()));
    session
}

fn said(session: &ReviewSession) -> Vec<(usize, usize, &str)> {
    let all = session.files[0].hunks[0].state.line_comments.iter();
    { all }
        .map(|said| (said.lines.start, said.lines.end, said.text.as_str()))
        .collect()
}

#[test]
fn every_comment_can_be_taken_back() {
    let mut session = session();
    session.comment(FIRST, Some("hunk".into()));
    session.comment_file(0, Some("file".into()));
    session.say_of_batch(None, Some("batch".into()));
    session.say_of_batch(None, Some("batch".into()));
    assert_eq!(session.undo().map(|step| step.files), Some(Vec::new()));
    assert_eq!(session.comment, None);
    assert_eq!(
        session.undo().map(|step| (step.hunk, step.files)),
        Some((None, vec![0]))
    );
    assert_eq!(session.files[0].comment, None);
    assert_eq!(session.undo().and_then(|step| step.hunk), Some(FIRST));
    session.undo();
    assert!(said(&session).is_empty() && !session.can_undo() && session.can_redo());
    while session.redo().is_some() {}
    assert_eq!(session.comment.as_deref(), Some("batch"));
    assert_eq!(said(&session), [(1, 3, "why two?")]);
}

#[test]
fn the_same_lines_have_one_comment() {
    let mut session = session();
    session.comment_lines(FIRST, 1..3, Side::New, Some("why?".into()));
    session.comment_lines(FIRST, 0..1, Side::Both, Some("good".into()));
    session.comment_lines(FIRST, 7..9, Side::Both, Some("no such lines".into()));
    assert_eq!(said(&session), [(0, 1, "good"), (1, 3, "why?")]);
    session.comment_lines(FIRST, 1..3, Side::New, None);
    assert_eq!(said(&session), [(0, 1, "good")]);
}

#[test]
fn comments_follow_their_lines_through_an_edit() {
    let mut session = session();
    let region = session.begin_edit(FIRST, 0).expect("it can be edited");
    session.edit(&region, &lines("x|more|y|z"));
    session.finish_edit();
    let kept = said(&session);
    assert_eq!(kept.len(), 1);
    let lines = &session.files[0].hunks[0].state.lines;
    assert_eq!(lines[kept[0].1 - 1].adds.as_deref(), Some("z"));
    session.undo();
    assert_eq!(said(&session), [(1, 3, "why two?")]);
}

#[test]
fn comments_are_reported_with_their_lines_and_kept() {
    let before = session();
    let report = Report::new(&before, &Writing::Rehearsed, &BTreeMap::new());
    let told = report.to_string();
    assert!(
        told.contains("comment on new lines 3 to 4: why two?\n      +y\n      +z\n"),
        "{told}"
    );
    let mut after = of_edits("n|a|b|c|d", "b|c => x|y|z");
    after.take_up(&Decisions::of(&before), Origin::SameProposal);
    assert_eq!(said(&after), said(&before));
    let report = Report::new(&after, &Writing::Rehearsed, &BTreeMap::new());
    assert!(report.to_string().contains("new lines 4 to 5"));
}

#[test]
fn a_comment_stands_under_the_last_of_its_lines() {
    let mut session = session();
    session.comment(FIRST, Some("two\nlines".into()));
    for layout in [Layout::Split, Layout::Unified] {
        let rows = Rows::lay_out(&session, layout, &Folds::default());
        let all: Vec<Row> = (0..rows.len()).filter_map(|idx| rows.get(idx)).collect();
        let at = |about: Subject| {
            all.iter()
                .position(|row| matches!(row, Row::Comment { about: of, .. } if *of == about))
        };
        let lines = at(Subject::Lines { hunk: 0, nth: 0 }).expect("a row for the comment");
        assert!(
            matches!(all[lines - 1], Row::Change { line: 2, .. }),
            "{all:?}"
        );
        let hunk = at(Subject::Hunk(0)).expect("a row for the comment");
        assert!(matches!(all[hunk - 1], Row::Hunk { .. }));
        assert!(matches!(all[hunk + 1], Row::Comment { line: 1, .. }));
    }
}
