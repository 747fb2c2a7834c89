//! What a person says.

use std::collections::BTreeMap;

use countersign::agent::Verdict;
use countersign::review::{
    DecisionSource, Decisions, Folds, ForAgent, HunkId, Layout, Report, ReviewSession, Row, Rows,
    Side, Subject, Voice, Writing,
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
    after.take_up(&Decisions::of(&before), DecisionSource::SameProposal);
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

/// What is said of lines that stay.
fn passages(session: &ReviewSession) -> Vec<(usize, usize, &str)> {
    let all = session.files[0].passages.iter();
    { all }
        .map(|said| (said.lines.start, said.lines.end, said.text.as_str()))
        .collect()
}

#[test]
fn lines_that_stay_can_be_commented_on() {
    let mut session = of_edits("a|b|c|d|e|f", "b => x|y");
    session.comment_passage(0, &(3..5), Some("these too".into()));
    session.comment_passage(0, &(0..1), Some("why not this?".into()));
    session.comment_passage(0, &(9..12), Some("no such lines".into()));
    assert_eq!(
        passages(&session),
        [(0, 1, "why not this?"), (3, 5, "these too")]
    );
    session.comment_passage(0, &(0..1), None);
    assert_eq!(passages(&session), [(3, 5, "these too")]);
    session.undo();
    assert_eq!(passages(&session).len(), 2);
    session.undo();
    session.undo();
    assert!(passages(&session).is_empty() && !session.can_undo());
    session.redo();
    assert_eq!(passages(&session), [(3, 5, "these too")]);
}

#[test]
fn what_is_said_of_lines_that_stay_is_told_with_their_numbers_then_and_now() {
    let mut session = of_edits("a|b|c|d|e|f", "b => x|y");
    session.comment_passage(0, &(3..5), Some("these too".into()));
    let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::new());
    let said = &report.files[0].comments[0];
    let numbers = |lines: Option<countersign::review::ReportedLines>| {
        lines.map(|lines| (lines.first.get(), lines.last.get()))
    };
    assert_eq!(
        (numbers(said.old), numbers(said.new)),
        (Some((4, 5)), Some((5, 6)))
    );
    let quoted = "the reviewer says of unchanged lines 4 to 5: these too\n     d\n     e\n";
    let told = ForAgent::new(&report, Voice::Would).to_string();
    assert!(told.contains(quoted), "{told}");
    let told = report.to_string();
    assert!(
        told.contains("comment on unchanged lines 4 to 5: these too"),
        "{told}"
    );
    let verdict = Verdict::new(&report, String::new());
    let [comment] = verdict.comments.as_slice() else {
        panic!("{:?}", verdict.comments);
    };
    assert_eq!(
        (comment.path.as_deref(), comment.hunk),
        (Some("file"), None)
    );
    assert_eq!(
        comment.old.map(|lines| (lines.first, lines.last)),
        Some((4, 5))
    );
    assert_eq!(comment.quoted, [" d", " e"]);
    // What the verdict says of changed lines.
    let report = Report::new(&self::session(), &Writing::Rehearsed, &BTreeMap::new());
    let verdict = Verdict::new(&report, String::new());
    let comment = &verdict.comments[0];
    assert_eq!(
        (comment.hunk, comment.line, comment.old),
        (Some(1), Some(2), None)
    );
    assert_eq!(
        comment.new.map(|lines| (lines.first, lines.last)),
        Some((3, 4))
    );
    assert_eq!(
        (comment.quoted.join("|").as_str(), comment.text.as_str()),
        ("+y|+z", "why two?")
    );
}

#[test]
fn what_is_said_of_lines_that_stay_comes_back_where_they_are_known() {
    let mut before = of_edits("a|b|c|d|e|f", "b => x");
    before.comment_passage(0, &(3..5), Some("these too".into()));
    for (base, expected) in [
        ("a|b|c|d|e|f", Some((3, 5))),
        ("a|b|new|c|d|e|f", Some((4, 6))),
        ("a|b|c|d|other|f", None),
        ("a|b|d|e|d|e|f", None),
    ] {
        let mut after = of_edits(base, "b => x");
        after.carry_over(&before);
        let known = passages(&after).first().map(|said| (said.0, said.1));
        assert_eq!(known, expected, "{base}");
    }
}

#[test]
fn what_is_said_of_lines_that_stay_is_seen_though_they_are_folded_away_or_edited() {
    let base: Vec<String> = (0..60).map(|n| n.to_string()).collect();
    let mut session = of_edits(&base.join("|"), "3 => x");
    session.comment_passage(0, &(40..42), Some("here".into()));
    session.comment_passage(0, &(4..5), Some("there".into()));
    let above = |session: &ReviewSession, layout, nth| {
        let rows = Rows::lay_out(session, layout, &Folds::default());
        let about =
            |row: Row| matches!(row, Row::Comment { about: Subject::Passage(of), .. } if of == nth);
        let at = rows.find(0..rows.len(), false, about).expect("a row");
        rows.get(at - 1)
    };
    for layout in [Layout::Split, Layout::Unified] {
        let row = above(&session, layout, 1);
        assert!(matches!(row, Some(Row::Context { old: 41, .. })), "{row:?}");
    }
    let region = session.begin_edit(FIRST, 1).expect("it can be edited");
    session.edit(&region, &lines("2|x|changed"));
    session.finish_edit();
    for layout in [Layout::Split, Layout::Unified] {
        let row = above(&session, layout, 0);
        assert!(
            matches!(row, Some(Row::Change { old: Some(4), .. })),
            "{row:?}"
        );
    }
}
