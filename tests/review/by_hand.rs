//! Hunks that a person places.

use countersign::review::{
    Decision, DecisionSource, Decisions, HunkId, NotPlaced, Outcome, Report, ReviewSession, Target,
    Writing,
};

use crate::fixture::{composed, of_edits};

const FIRST: HunkId = HunkId { file: 0, hunk: 0 };

fn placed(base: &str, edits: &str, line: usize) -> ReviewSession {
    let mut session = of_edits(base, edits);
    session.begin_place(FIRST).expect("it has no place");
    session.try_place(line).expect("it can stand there");
    assert!(session.finish_place());
    session
}

#[test]
fn the_places_of_an_ambiguous_hunk_are_gone_through() {
    let mut session = of_edits("k|a|k|b|k", "k => x");
    assert_eq!(session.places_near(FIRST), [0, 2, 4]);
    session.begin_place(FIRST).expect("it has no place");
    for (line, expected) in [(0, "x|a|k|b|k"), (2, "k|a|x|b|k"), (4, "k|a|k|b|x")] {
        session.try_place(line).expect("it can stand there");
        assert_eq!(
            session.files[0].yours().text().trim().replace('\n', "|"),
            expected
        );
    }
    session.cancel_place();
    assert!(matches!(
        session.files[0].hunks[0].outcome,
        Outcome::Unplaced(_)
    ));
    assert!(!session.can_undo());
}

#[test]
fn a_place_is_one_step_and_waits_for_a_decision() {
    let mut session = placed("k|a|k", "k => x", 2);
    assert!(session.files[0].hunks[0].is_by_hand());
    session.decide(&Target::Rest, Decision::Accepted);
    assert_eq!(
        composed(&session),
        "k|a|k",
        "a batch key takes no place that was chosen"
    );
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&session), "k|a|x");
    session.undo();
    session.undo();
    assert!(matches!(
        session.files[0].hunks[0].outcome,
        Outcome::Unplaced(_)
    ));
    session.redo();
    session.redo();
    assert_eq!(composed(&session), "k|a|x");
    let report = Report::new(
        &session,
        &Writing::Rehearsed,
        &std::collections::BTreeMap::new(),
    );
    assert!(report.to_string().contains("placed by hand"), "{report}");
}

#[test]
fn only_a_hunk_without_a_sure_place_can_be_moved() {
    let mut sure = of_edits("one|two|three", "two => new");
    assert_eq!(sure.begin_place(FIRST), Err(NotPlaced::HasPlace));
    let file = "alpha beta|gamma delta epsilon|zeta eta|theta iota|kappa";
    let mut loose = of_edits(file, "gamma delta omega|zeta eta => new|zeta eta");
    let placement = loose.hunk(FIRST).and_then(|hunk| hunk.placement());
    assert!(placement.is_some_and(|placement| !placement.is_sure()));
    loose.begin_place(FIRST).expect("its place is not sure");
    loose.try_place(3).expect("it can be there");
    assert!(loose.finish_place());
    loose.decide(&Target::Hunk(FIRST), Decision::Accepted);
    let expected = "alpha beta|gamma delta epsilon|zeta eta|new|theta iota|kappa";
    assert_eq!(composed(&loose), expected);
}

#[test]
fn what_the_file_does_not_have_is_not_removed() {
    let mut session = placed("one|two|three", "nothing like it => new", 1);
    session.decide(&Target::Hunk(FIRST), Decision::Accepted);
    assert_eq!(composed(&session), "one|new|two|three");
}

#[test]
fn two_hunks_never_change_the_same_line() {
    let mut session = of_edits("a|k|b|k", "k => x ; a|k => a|y");
    let unplaced = HunkId { file: 0, hunk: 0 };
    if session
        .hunk(unplaced)
        .is_some_and(|hunk| !hunk.is_decidable())
    {
        session.begin_place(unplaced).expect("it has no place");
        assert!(matches!(session.try_place(1), Err(NotPlaced::Overlaps(_))));
        assert!(!session.finish_place());
    }
    let mut placed = placed("k|a|k", "k => x", 0);
    assert_eq!(
        placed.begin_place(HunkId { file: 0, hunk: 7 }),
        Err(NotPlaced::HasPlace)
    );
    placed
        .begin_place(FIRST)
        .expect("what was placed by hand can be placed again");
    placed.try_place(2).expect("its own place is no obstacle");
    placed.finish_place();
    placed.decide(&Target::File(0), Decision::Accepted);
    assert_eq!(composed(&placed), "k|a|x");
}

#[test]
fn a_place_comes_back_with_its_decision() {
    let mut before = placed("k|a|k|b", "k => x", 2);
    before.decide(&Target::Hunk(FIRST), Decision::Accepted);
    let decisions =
        Decisions::from_json(&Decisions::of(&before).to_json()).expect("what was written");
    let mut after = of_edits("k|a|k|b", "k => x");
    let taken = after.take_up(&decisions, DecisionSource::SameProposal);
    assert_eq!((taken.hunks, taken.lost.len()), (1, 0));
    assert_eq!(composed(&after), "k|a|x|b");
    assert_eq!(Decisions::of(&after), decisions);
    // Where it was placed is another line now, and nobody knows which place is meant.
    let mut touched = of_edits("k|k|a|b|k", "k => x");
    touched.take_up(&decisions, DecisionSource::SameProposal);
    assert_eq!(composed(&touched), "k|k|a|b|k");
    // While it is only being tried, nothing is kept.
    let mut trying = of_edits("k|a|k|b", "k => x");
    trying.begin_place(FIRST).expect("it has no place");
    trying.try_place(0).expect("it can stand there");
    assert!(Decisions::of(&trying).is_empty());
}
