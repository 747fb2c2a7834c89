//! What decisions make of a file.

use countersign::review::{
    Decision, Direction, HunkId, HunkReview, Mark, ReviewSession, Side, Target,
};

use crate::fixture::{composed, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };

fn line(session: &mut ReviewSession, line: usize, side: Side, decision: Decision) {
    let lines = line..line + 1;
    session.decide(
        &Target::Lines {
            hunk: FIRST,
            lines,
            side,
        },
        decision,
    );
}

#[test]
fn nothing_is_written_before_it_is_accepted() {
    let mut session = of_edits("a|b|c|d", "b => x ; d => y");
    assert_eq!(composed(&session), "a|b|c|d");
    session.decide(
        &Target::Hunk(HunkId { file: 0, hunk: 1 }),
        Decision::Accepted,
    );
    assert_eq!(composed(&session), "a|b|c|y");
    session.decide(&Target::File(0), Decision::Accepted);
    assert_eq!(composed(&session), "a|x|c|y");
    session.decide(&Target::Rest, Decision::Rejected);
    assert_eq!(
        composed(&session),
        "a|x|c|y",
        "what is decided is not the rest"
    );
}

#[test]
fn each_side_of_each_line_is_decided_alone() {
    let edits = "let a = 1;|let b = 2; => let a = 10;|let b = 20;|let c = 30;";
    let base = "let a = 1;|let b = 2;";
    let mut session = of_edits(base, edits);
    line(&mut session, 1, Side::Both, Decision::Accepted);
    assert_eq!(composed(&session), "let a = 1;|let b = 20;");
    assert_eq!(session.files[0].mark(), Some(Mark::Mixed));
    line(&mut session, 0, Side::New, Decision::Accepted);
    assert_eq!(composed(&session), "let a = 1;|let a = 10;|let b = 20;");
    line(&mut session, 0, Side::Old, Decision::Accepted);
    line(&mut session, 2, Side::Both, Decision::Accepted);
    assert_eq!(composed(&session), "let a = 10;|let b = 20;|let c = 30;");
    assert_eq!(session.files[0].mark(), Some(Mark::Accepted));
}

#[test]
fn a_step_back_takes_back_all_of_a_decision() {
    let mut session = of_edits("a|b|c|d", "b => x ; d => y");
    session.decide(&Target::Rest, Decision::Accepted);
    assert_eq!(session.counts().accepted, 2);
    assert_eq!(session.undo().and_then(|step| step.hunk), Some(FIRST));
    assert_eq!(session.counts().undecided, 2);
    assert_eq!(session.undo(), None);
    assert_eq!(session.redo().and_then(|step| step.hunk), Some(FIRST));
    assert_eq!(composed(&session), "a|x|c|y");
}

#[test]
fn loose_placements_wait_for_a_look() {
    // The first two have a slip of the hand in a line that stays.
    let mut session = of_edits(
        "let total = compute(all)|b|let other = display(all)|d|c",
        "let total = compuet(all)|b => let total = compuet(all)|x ; let other = dispaly(all)|d => let other = dispaly(all)|y ; c => z",
    );
    let decided = session.decide(&Target::Rest, Decision::Accepted);
    assert_eq!((decided.changed, decided.left), (1, 2));
    assert_eq!(
        session.next_undecided(None, Direction::Forward),
        Some(FIRST)
    );
    assert_eq!(
        session.next_undecided(Some(FIRST), Direction::Forward),
        Some(HunkId { file: 0, hunk: 1 })
    );
    assert_eq!(
        session.next_undecided(Some(FIRST), Direction::Backward),
        None
    );
}

#[test]
fn an_edit_in_place_is_the_hunk_from_then_on() {
    let mut session = of_edits("a|b|c|d|e", "c => x");
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    let region = session
        .begin_edit(FIRST, 1)
        .expect("a hunk with a place can be edited");
    assert_eq!(
        (
            region.base.clone(),
            region.first_new,
            region.lines.join("|")
        ),
        (1..4, 1, "b|x|d".into())
    );
    let text: Vec<String> = ["b", "x", "y", "D"].map(str::to_owned).into();
    session.edit(&region, &text);
    session.finish_edit();
    assert_eq!(
        composed(&session),
        "a|b|x|y|D|e",
        "an accepted hunk stays accepted"
    );
    assert!(session.files[0].hunks[0].state.edited);
    session.undo();
    assert_eq!(composed(&session), "a|b|x|d|e");
    session.redo();
    assert!(session.restore(FIRST));
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&session), "a|b|x|d|e");
}

#[test]
fn an_edit_never_reaches_into_another_hunk() {
    let mut session = of_edits("a|b|c|d|e", "b => x ; d => y");
    let region = session
        .begin_edit(FIRST, 10)
        .expect("a hunk with a place can be edited");
    assert_eq!(region.lines.join("|"), "a|x|c");
    session.cancel_edit();
    let region = session
        .begin_edit(HunkId { file: 0, hunk: 1 }, 10)
        .expect("so can the other");
    assert_eq!(
        (region.first_new, region.lines.join("|")),
        (2, "c|y|e".into())
    );
}

#[test]
fn an_edit_back_to_the_base_leaves_nothing_to_write() {
    let mut session = of_edits("a|b|c", "b => x");
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    let region = session
        .begin_edit(FIRST, 0)
        .expect("a hunk with a place can be edited");
    session.edit(&region, &["b".to_owned()]);
    session.finish_edit();
    assert_eq!(composed(&session), "a|b|c");
    let again = session
        .begin_edit(FIRST, 0)
        .expect("it can still be edited");
    assert_eq!(again.lines, ["b"]);
    session.cancel_edit();
    session.undo();
    assert_eq!(composed(&session), "a|x|c");
}

#[test]
fn decisions_survive_a_change_elsewhere_in_the_file() {
    let mut before = of_edits("a|b|c|d", "b => x ; d => y");
    before.decide(&Target::File(0), Decision::Accepted);
    before.comment(FIRST, Some("why?".into()));
    let mut after = of_edits("new|a|b|c|D|d", "b => x ; d => y");
    after.carry_over(&before);
    assert_eq!(composed(&after), "new|a|x|c|D|y");
    assert_eq!(
        after.files[0].hunks[0].state.comment.as_deref(),
        Some("why?")
    );
    let mut touched = of_edits("a|b2|c|d", "b => x ; d => y");
    touched.carry_over(&before);
    assert_eq!(composed(&touched), "a|b2|c|y");
}

#[test]
fn what_is_settled_leaves_no_step_to_take_back() {
    let mut session = of_edits("a|b|c|d", "b => x ; d => y ; gone => z");
    let [first, second, unplaced] = [0, 1, 2].map(|hunk| HunkId { file: 0, hunk });
    session.settle(&[first, unplaced], Decision::Accepted);
    session.settle(&[second], Decision::Rejected);
    assert_eq!(composed(&session), "a|x|c|d");
    let marks = [first, second, unplaced].map(|id| session.hunk(id).and_then(HunkReview::mark));
    assert_eq!(marks, [Some(Mark::Accepted), Some(Mark::Rejected), None]);
    assert!(!session.can_undo());
}
