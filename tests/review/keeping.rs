//! Decisions as a text, and what another session takes up of them.

use countersign::review::{
    Decision, DecisionSource, Decisions, HunkId, LineDecisions, ReviewSession, Side, Target,
};

use crate::fixture::{composed, lines, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };
const SECOND: HunkId = HunkId { file: 0, hunk: 1 };

/// What is taken up in `after` of the decisions of `before`, which have been a text in between.
#[track_caller]
fn taken_up(
    before: &ReviewSession,
    mut after: ReviewSession,
    origin: DecisionSource,
) -> ReviewSession {
    let decisions = Decisions::of(before);
    let text = decisions.to_json();
    assert_eq!(
        Decisions::from_json(&text).expect("what was written"),
        decisions
    );
    let taken = after.take_up(&decisions, origin);
    let decided = after.hunks().filter(|(_, hunk)| {
        let open = |decision| decision == Decision::Undecided;
        hunk.state.edited
            || !hunk
                .state
                .marks
                .iter()
                .all(|marks| open(marks.added) && open(marks.removed))
    });
    assert!(decided.count() <= taken.hunks);
    after
}

fn edited(mut session: ReviewSession, hunk: HunkId, context: usize, text: &str) -> ReviewSession {
    let region = session.begin_edit(hunk, context).expect("it can be edited");
    session.edit(&region, &lines(text));
    session.finish_edit();
    session
}

#[test]
fn decisions_edits_and_comments_come_back() {
    let (base, edits) = ("a|b|c|d|e|f|g", "b => x|y ; d => z ; f => w");
    let mut before = edited(of_edits(base, edits), SECOND, 1, "C|z|!|e");
    before.decide(&Target::Hunk(SECOND), Decision::Accepted);
    let half = Target::Lines {
        hunk: FIRST,
        lines: 0..1,
        side: Side::New,
    };
    before.decide(&half, Decision::Accepted);
    before.comment(FIRST, Some("both?".into()));
    before.comment = Some("well".into());
    before.files[0].comment = Some("done".into());

    let after = taken_up(&before, of_edits(base, edits), DecisionSource::SameProposal);
    assert_eq!(composed(&after), composed(&before));
    assert_eq!(composed(&after), "a|b|x|C|z|!|e|f|g");
    assert_eq!(
        after.files[0].hunks[0].state.comment.as_deref(),
        Some("both?")
    );
    assert!(after.files[0].hunks[1].state.edited);
    assert_eq!(after.comment.as_deref(), Some("well"));
    assert_eq!(after.files[0].comment.as_deref(), Some("done"));
    assert_eq!(Decisions::of(&after), Decisions::of(&before));
    assert!(Decisions::of(&of_edits(base, edits)).is_empty());
}

#[test]
fn only_the_same_content_gets_its_verdict_back() {
    /// What the second session comes to if everything is accepted in the first one.
    #[track_caller]
    fn check((base, edits): (&str, &str), (now, asked): (&str, &str), expected: &str) {
        let mut before = of_edits(base, edits);
        before.decide(&Target::File(0), Decision::Accepted);
        let after = taken_up(
            &before,
            of_edits(now, asked),
            DecisionSource::AnotherProposal,
        );
        assert_eq!(composed(&after), expected);
    }
    let was = ("a|b|c|d|e", "b|c => b|x ; e => y");
    // The hunks moved.
    check(
        was,
        ("n|a|b|c|d|D|e", "b|c => b|x ; e => y"),
        "n|a|b|x|d|D|y",
    );
    // They stand in another proposal, in another order.
    check(
        was,
        ("a|b|c|d|e", "e => y ; d => D ; b|c => b|x"),
        "a|b|x|d|y",
    );
    // A line that one of them only looks at is another.
    check(was, ("a|B|c|d|e", "B|c => B|x ; e => y"), "a|B|c|d|y");
    // One asks for something else.
    check(was, ("a|b|c|d|e", "b|c => b|X ; e => y"), "a|b|c|d|y");
    // There were two places for the same, and now there is one.
    let twice = ("a|k|b|k", "a|k => a|x ; b|k => b|x");
    check(twice, ("a|k|B|k", "a|k => a|x"), "a|x|B|k");
}

#[test]
fn equal_hunks_are_told_apart_by_their_number() {
    let (base, edits) = ("a|k|b|k", "k => x ; k => x");
    let mut before = of_edits(base, edits);
    before.decide(&Target::Hunk(SECOND), Decision::Accepted);
    let after = taken_up(
        &before,
        of_edits(base, edits),
        DecisionSource::AnotherProposal,
    );
    assert_eq!(composed(&after), "a|k|b|x");
    let one = taken_up(
        &before,
        of_edits("a|k|b", "k => x"),
        DecisionSource::AnotherProposal,
    );
    assert_eq!(composed(&one), "a|k|b");
}

#[test]
fn an_edit_is_lost_with_the_lines_that_it_took_away() {
    let (base, edits) = ("a|b|c|d|e", "c => x");
    let before = || {
        let mut before = edited(of_edits(base, edits), FIRST, 1, "B|x|d");
        before.decide(&Target::File(0), Decision::Accepted);
        before.comment(FIRST, Some("why?".into()));
        before
    };
    let kept = taken_up(
        &before(),
        of_edits("n|a|b|c|d|e", edits),
        DecisionSource::SameProposal,
    );
    assert_eq!(composed(&kept), "n|a|B|x|d|e");
    let mut touched = of_edits("a|b2|c|d|e", edits);
    let taken = touched.take_up(&Decisions::of(&before()), DecisionSource::SameProposal);
    assert_eq!((taken.hunks, taken.lost), (0, vec![("file".to_owned(), 1)]));
    assert_eq!(composed(&touched), "a|b2|c|d|e");
    let said = touched.files[0].hunks[0].state.comment.as_deref();
    assert_eq!(said, Some("why?"), "what was said stays with the hunk");
    // Another hunk changes the line now that the edit changed.
    let mut rival = of_edits(base, "c => x ; b => z");
    rival.take_up(&Decisions::of(&before()), DecisionSource::AnotherProposal);
    rival.decide(&Target::File(0), Decision::Accepted);
    assert_eq!(
        composed(&rival),
        "a|z|c|d|e",
        "the edit waits for its place"
    );
    rival.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&rival), "a|z|x|d|e");
}

#[test]
fn what_was_decided_here_stays() {
    let mut before = of_edits("a|b", "b => x");
    before.decide(&Target::File(0), Decision::Accepted);
    let mut after = of_edits("a|b", "b => x");
    after.decide(&Target::File(0), Decision::Rejected);
    after.take_up(&Decisions::of(&before), DecisionSource::SameProposal);
    assert_eq!(composed(&after), "a|b");
}

#[test]
fn a_text_that_holds_no_decisions_says_why() {
    let error = |text: &str| {
        let error = Decisions::from_json(text.as_bytes()).expect_err(text);
        error.to_string()
    };
    assert!(error("{}").starts_with("this is not a file of decisions: missing field `schema`"));
    assert_eq!(
        error("{\"schema\": 2}"),
        "these decisions have version 2, and this countersign reads version 1"
    );
}

#[test]
fn lines_that_do_not_fit_are_not_taken() {
    let mut before = edited(of_edits("a|b|c", "b => x"), FIRST, 0, "y");
    before.decide(&Target::File(0), Decision::Accepted);
    for spoil in [
        |line: &mut LineDecisions| line.at = -9,
        |line: &mut LineDecisions| line.at = 2,
        |line: &mut LineDecisions| line.adds = Some("y\nz".to_owned()),
    ] {
        let mut decisions = Decisions::of(&before);
        let lines = decisions.files[0].hunks[0].lines.as_mut().expect("an edit");
        spoil(&mut lines[0]);
        let mut after = of_edits("a|b|c", "b => x");
        assert_eq!(
            after
                .take_up(&decisions, DecisionSource::SameProposal)
                .hunks,
            0
        );
        assert_eq!(composed(&after), "a|b|c");
    }
}

#[test]
fn steps_can_be_taken_back_after_a_change_on_disk() {
    let edits = "b => x ; d => y";
    let mut before = of_edits("a|b|c|d|e", edits);
    before.decide(&Target::Hunk(SECOND), Decision::Accepted);
    before.decide(&Target::Hunk(FIRST), Decision::Accepted);
    before.decide(&Target::File(0), Decision::Rejected);
    let mut after = of_edits("n|a|B|b|c|d|e", edits);
    after.carry_over(&before);
    assert_eq!(after.undo().and_then(|step| step.hunk), Some(FIRST));
    assert_eq!(composed(&after), "n|a|B|x|c|y|e");
    after.undo();
    assert_eq!(composed(&after), "n|a|B|b|c|y|e");
    after.redo();
    assert_eq!(composed(&after), "n|a|B|x|c|y|e");
    // What was touched has no steps any more.
    let mut touched = of_edits("a|b2|c|d|e", edits);
    touched.carry_over(&before);
    touched.undo();
    assert_eq!(composed(&touched), "a|b2|c|y|e");
    assert_eq!(touched.undo().and_then(|step| step.hunk), Some(SECOND));
    assert_eq!(touched.undo(), None);
}
