//! Hunks that a person splits.

use std::collections::BTreeMap;

use countersign::review::{
    Decision, DecisionSource, Decisions, HunkId, HunkStatus, NotSplit, Report, ReviewSession,
    Target, Writing,
};
use countersign::text::LineNo;

use crate::fixture::{composed, lines, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };
const EDIT: &str = "a|b|c|d|e|f => A|b|c|D|E|x|f";

fn edit(session: &mut ReviewSession, hunk: HunkId, text: &str) {
    let region = session.begin_edit(hunk, 0).expect("it can be edited");
    session.edit(&region, &lines(text));
    session.finish_edit();
}

#[test]
fn the_parts_are_decided_each_by_itself() {
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    let second = session
        .split(FIRST, 1)
        .expect("there are unchanged lines between");
    let third = session.split(second, 1).expect("a change can be split too");
    assert_eq!(composed(&session), "a|b|c|d|e|f");
    session.decide(&Target::Hunk(second), Decision::Accepted);
    assert_eq!(composed(&session), "a|b|c|D|e|f");
    session.decide(&Target::Hunk(third), Decision::Accepted);
    assert_eq!(composed(&session), "a|b|c|D|E|x|f");
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&session), "A|b|c|D|E|x|f");
    for _ in 0..5 {
        assert!(session.undo().is_some());
    }
    assert_eq!(session.undo(), None);
    assert_eq!(
        session.files[0].hunks,
        of_edits("a|b|c|d|e|f", EDIT).files[0]
            .hunks
            .clone()
            .into_iter()
            .zip(&session.files[0].hunks)
            .map(|(mut fresh, own)| {
                fresh.asked.clone_from(&own.asked);
                fresh
            })
            .collect::<Vec<_>>()
    );
    for _ in 0..5 {
        assert!(session.redo().is_some());
    }
    assert_eq!(composed(&session), "A|b|c|D|E|x|f");
}

#[test]
fn lines_inserted_at_one_place_stay_in_their_order() {
    let mut session = of_edits("a|b", "a|b => a|1|2|3|b");
    let last = session.split(FIRST, 2).expect("a change can be split");
    let middle = session.split(FIRST, 1).expect("so can its first part");
    for hunk in [last, FIRST, middle] {
        session.decide(&Target::Hunk(hunk), Decision::Accepted);
    }
    assert_eq!(composed(&session), "a|1|2|3|b");
    edit(&mut session, middle, "two");
    assert_eq!(composed(&session), "a|1|two|3|b");
}

#[test]
fn what_cannot_be_split_is_left() {
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    assert_eq!(session.split(FIRST, 0), Err(NotSplit::AtTheEdge));
    assert_eq!(session.split(FIRST, 9), Err(NotSplit::AtTheEdge));
    assert_eq!(
        session.split(HunkId { file: 0, hunk: 9 }, 1),
        Err(NotSplit::NoLines)
    );
    edit(&mut session, FIRST, "A|b|c|D|more|x");
    assert_eq!(session.split(FIRST, 2), Err(NotSplit::Edited));
    let second = session
        .split(FIRST, 1)
        .expect("at unchanged lines an edit can be split");
    session.decide(&Target::Hunk(second), Decision::Accepted);
    assert_eq!(composed(&session), "a|b|c|D|more|x|f");
    assert!(session.restore(second));
    session.decide(&Target::Hunk(second), Decision::Accepted);
    assert_eq!(composed(&session), "a|b|c|D|E|x|f");
}

#[test]
fn a_split_comes_back_with_the_decisions_of_its_parts() {
    let mut before = of_edits("a|b|c|d|e|f", EDIT);
    let second = before
        .split(FIRST, 1)
        .expect("there are unchanged lines between");
    before.split(second, 1).expect("a change can be split too");
    before.decide(&Target::Hunk(second), Decision::Accepted);
    before.decide(&Target::Hunk(FIRST), Decision::Rejected);
    before.comment(second, Some("good".into()));
    let decisions =
        Decisions::from_json(&Decisions::of(&before).to_json()).expect("what was written");
    for (base, expected) in [
        ("a|b|c|d|e|f", "a|b|c|D|e|f"),
        ("n|a|b|c|d|e|f", "n|a|b|c|D|e|f"),
    ] {
        let mut after = of_edits(base, EDIT);
        after.take_up(&decisions, DecisionSource::SameProposal);
        assert_eq!(composed(&after), expected);
        assert_eq!(after.files[0].hunks.len(), 3);
        assert_eq!(
            after.files[0].hunks[1].state.comment.as_deref(),
            Some("good")
        );
    }
    let mut carried = of_edits("n|a|b|c|d|e|f", EDIT);
    carried.carry_over(&before);
    assert_eq!(composed(&carried), "n|a|b|c|D|e|f");
    while carried.undo().is_some() {}
}

#[test]
fn the_report_answers_for_the_hunk_as_it_was_sent() {
    let mut session = of_edits("a|b|c|d|e|f", EDIT);
    let second = session
        .split(FIRST, 1)
        .expect("there are unchanged lines between");
    session.decide(&Target::Hunk(second), Decision::Accepted);
    session.decide(&Target::Hunk(FIRST), Decision::Rejected);
    let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::new());
    assert_eq!(report.hunks.len(), 1);
    let hunk = &report.hunks[0];
    assert_eq!(hunk.status, HunkStatus::AppliedWithEdits);
    let parts: Vec<_> = hunk
        .parts
        .iter()
        .map(|part| (part.line.map(LineNo::get), part.status))
        .collect();
    assert_eq!(
        parts,
        [
            (Some(1), HunkStatus::Rejected),
            (Some(4), HunkStatus::Applied)
        ]
    );
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::new());
    assert_eq!(report.hunks[0].status, HunkStatus::Applied);
}

#[test]
fn an_edit_of_a_part_that_another_hunk_overlaps_now_is_kept_and_placed_as_a_whole() {
    let edits = "a|b => A|B ; x => X";
    let mut session = of_edits("a|b|x|c|x|d", edits);
    let second = session.split(FIRST, 1).expect("two lines");
    let region = session.begin_edit(second, 1).expect("it can be edited");
    let text: Vec<String> = (region.lines.iter())
        .map(|line| {
            if line == "x" {
                "y".to_owned()
            } else {
                line.clone()
            }
        })
        .collect();
    session.edit(&region, &text);
    session.finish_edit();
    let decisions = Decisions::of(&session);
    // The other hunk has one place now, in the lines of the edit.
    let mut later = of_edits("a|b|x|c|d", edits);
    let taken = later.take_up(&decisions, DecisionSource::SameProposal);
    assert_eq!(taken.kept_edits.len(), 1, "{taken:?}");
    let hunk = later.hunk(FIRST).expect("a hunk");
    assert!(hunk.kept_edit().is_some() && hunk.can_be_placed());
    assert_eq!(hunk.part, None);
    assert_eq!(later.files[0].hunks.len(), 2);
    assert_eq!(later.split(FIRST, 1), Err(NotSplit::EditWithoutPlace));
}
