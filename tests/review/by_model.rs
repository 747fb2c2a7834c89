//! What an apply model makes of hunks and lines.

use std::collections::BTreeMap;

use countersign::proposal::Hunk;
use countersign::review::{
    Decision, DecisionSource, Decisions, ForAgent, HunkId, Mark, NotDrafted, NotPlaced, Report,
    ReviewSession, Target, Voice, Writing,
};

use crate::fixture::{composed, hunk, lines, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };

/// An answer that stands at a line.
fn answer(line: usize, old: &str, new: &str) -> Hunk {
    hunk(lines(old), lines(new), line)
}

fn yours(session: &ReviewSession) -> String {
    session.files[0].yours().text().trim().replace('\n', "|")
}

#[test]
fn an_answer_is_one_step_and_waits_for_a_look() {
    let mut session = of_edits("a|b|c", "gone => x");
    assert!(session.question(FIRST).is_some());
    session
        .take_answer(FIRST, &answer(1, "a|b|c", "a|B|c"))
        .expect("it fits");
    let placed = &session.files[0].hunks[0];
    assert!(placed.is_by_model() && !placed.is_sure() && placed.mark() == Some(Mark::Undecided));
    session.decide(&Target::Rest, Decision::Accepted);
    assert_eq!(
        composed(&session),
        "a|b|c",
        "a batch key takes nothing of the model's"
    );
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&session), "a|B|c");
    let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::default());
    let words = ForAgent {
        report: &report,
        voice: Voice::Would,
        failed_again: None,
    };
    assert!(
        words.to_string().contains("an apply model wrote it"),
        "{words}"
    );
    session.undo();
    session.undo();
    assert!(session.question(FIRST).is_some() && !session.can_undo());
    session.redo();
    assert_eq!(yours(&session), "a|B|c");
    assert!(session.question(FIRST).is_none());
    let again = session.take_answer(FIRST, &answer(1, "a", "x"));
    assert_eq!(again, Err(NotPlaced::HasPlace));
}

#[test]
fn an_answer_that_does_not_fit_changes_nothing() {
    let line = |number| countersign::text::LineNo::new(number).expect("not 0");
    for (given, expected) in [
        (answer(2, "a", "x"), NotPlaced::Changed(line(2))),
        (answer(3, "c|d", "x"), NotPlaced::Changed(line(3))),
        (answer(1, "a|b", "A|x"), NotPlaced::Overlaps(line(1))),
        (answer(2, "b", "b"), NotPlaced::Applied(line(2))),
    ] {
        let mut session = of_edits("a|b|c", "gone => x ; a => A");
        assert_eq!(session.take_answer(FIRST, &given), Err(expected));
        assert!(session.question(FIRST).is_some() && !session.can_undo());
        assert_eq!(yours(&session), "A|b|c");
    }
}

#[test]
fn an_answer_comes_back_with_the_review_even_where_the_file_has_moved() {
    let mut before = of_edits("a|b|c|d", "gone => x");
    before
        .take_answer(FIRST, &answer(2, "b|c", "b|X|c"))
        .expect("it fits");
    let text = Decisions::of(&before).to_json();
    let decisions = Decisions::from_json(&text).expect("what was written");
    for (base, expected) in [
        ("a|b|c|d", "a|b|X|c|d"),
        ("new|a|b|c|d", "new|a|b|X|c|d"),
        ("a|b|other", "a|b|other"),
    ] {
        let mut after = of_edits(base, "gone => x");
        after.take_up(&decisions, DecisionSource::SameProposal);
        assert_eq!(yours(&after), expected);
        assert_eq!(after.files[0].hunks[0].is_by_model(), base != expected);
    }
    before.decide(&Target::Hunk(FIRST), Decision::Accepted);
    let mut after = of_edits("new|a|b|c|d", "gone => x");
    after.carry_over(&before);
    assert_eq!(composed(&after), "new|a|b|X|c|d");
}

/// What comes of a draft of some lines of the right side.
fn draft(
    session: &mut ReviewSession,
    at: std::ops::Range<usize>,
    new: &str,
) -> Result<String, NotDrafted> {
    let old: Vec<String> = (at.clone())
        .map(|idx| session.files[0].yours().line(idx).to_owned())
        .collect();
    session.take_draft(0, &at, &old, &lines(new))?;
    Ok(yours(session))
}

#[test]
fn a_draft_is_an_edit_of_the_hunk_around_the_lines() {
    for (at, new, expected) in [
        (1..2, "X|Y", Ok("a|X|Y|c|d|e|F")),
        (1..3, "X", Ok("a|X|d|e|F")),
        (0..1, "A", Ok("A|B|c|d|e|F")),
        (3..5, "", Ok("a|B|c|F")),
        (2..3, "C", Ok("a|B|C|d|e|F")),
        (1..6, "X", Err(NotDrafted::Several)),
    ] {
        let mut session = of_edits("a|b|c|d|e|f", "b => B ; f => F");
        let result = draft(&mut session, at, new);
        assert_eq!(result.as_deref(), expected.as_ref().map(|text| *text));
        assert_eq!(session.can_undo(), expected.is_ok());
        session.undo();
        assert_eq!(yours(&session), "a|B|c|d|e|F");
    }
    let mut unplaced = of_edits("a|b", "gone => x");
    assert_eq!(draft(&mut unplaced, 0..1, "X"), Err(NotDrafted::NoHunk));
    let mut session = of_edits("a|b|c", "b => B");
    let line = countersign::text::LineNo::new(2).expect("not 0");
    let stale = session.take_draft(0, &(1..2), &lines("other"), &lines("x"));
    assert_eq!(stale, Err(NotDrafted::Changed(line)));
}

#[test]
fn what_a_draft_brings_is_undecided_where_the_rest_is_accepted() {
    let mut session = of_edits("a|b|c", "b => B|D");
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    draft(&mut session, 2..3, "X").expect("it is of the hunk");
    assert_eq!(session.files[0].hunks[0].mark(), Some(Mark::Mixed));
    assert_eq!(composed(&session), "a|B|c");
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&session), "a|B|X|c");
}
