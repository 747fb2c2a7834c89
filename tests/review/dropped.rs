//! Hunks without a place that a person rejects, so that the agent does not send them again.

use std::collections::BTreeMap;

use countersign::review::{
    Decision, DecisionSource, Decisions, HunkId, HunkReview, HunkStatus, Mark, RecurrenceKind,
    RejectionRecord, Rejections, Report, ReviewSession, Target, Writing, rejected_changes,
};

use crate::fixture::{composed, of_edits};

const GONE: HunkId = HunkId { file: 0, hunk: 1 };

/// Two edits, of which the second has no place.
fn session() -> ReviewSession {
    of_edits("a|b|c", "b => x ; gone => z")
}

fn dropped() -> ReviewSession {
    let mut session = session();
    assert_eq!(
        session
            .decide(&Target::Hunk(GONE), Decision::Rejected)
            .changed,
        1
    );
    session
}

fn mark(session: &ReviewSession) -> Option<Mark> {
    session.hunk(GONE).and_then(HunkReview::mark)
}

fn report(session: &ReviewSession) -> Report {
    Report::new(session, &Writing::Rehearsed, &BTreeMap::new())
}

#[test]
fn a_hunk_without_a_place_can_be_rejected_by_itself_only() {
    let mut session = session();
    for (target, decision) in [
        (Target::Hunk(GONE), Decision::Accepted),
        (Target::File(0), Decision::Rejected),
        (Target::Files(vec![0]), Decision::Rejected),
        (Target::Rest, Decision::Rejected),
    ] {
        session.decide(&target, decision);
        assert_eq!(mark(&session), None, "{target:?} {decision:?}");
    }
    assert_eq!(
        (session.counts().unplaced, session.attention().count()),
        (1, 1)
    );

    session.decide(&Target::Hunk(GONE), Decision::Rejected);
    assert_eq!(mark(&session), Some(Mark::Rejected));
    assert_eq!(
        (session.counts().unplaced, session.attention().count()),
        (0, 0)
    );
    assert_eq!((session.counts().hunks, session.counts().rejected), (2, 2));
    session.undo();
    assert_eq!(mark(&session), None);
    session.redo();
    session.decide(&Target::Hunk(GONE), Decision::Undecided);
    assert_eq!(mark(&session), None);
}

#[test]
fn the_report_says_that_it_is_rejected_and_quotes_no_place() {
    let mut session = dropped();
    session.decide(&Target::Rest, Decision::Accepted);
    session.comment(GONE, Some("not needed".into()));
    assert_eq!(composed(&session), "a|x|c");
    let report = report(&session);
    let statuses: Vec<HunkStatus> = report.hunks.iter().map(|hunk| hunk.status).collect();
    assert_eq!(statuses, [HunkStatus::Applied, HunkStatus::Rejected]);
    let hunk = &report.hunks[1];
    assert_eq!(hunk.comment.as_deref(), Some("not needed"));
    assert!(
        hunk.nearest.is_empty() && hunk.places.is_empty(),
        "{hunk:?}"
    );
}

#[test]
fn its_rejection_comes_back_with_the_same_proposal_only() {
    let decisions = Decisions::of(&dropped());
    let text = decisions.to_json();
    assert_eq!(
        Decisions::from_json(&text).expect("what was written"),
        decisions
    );
    for (origin, expected) in [
        (DecisionSource::SameProposal, Some(Mark::Rejected)),
        (DecisionSource::AnotherProposal, None),
    ] {
        let mut after = session();
        let taken = after.take_up(&decisions, origin);
        assert_eq!(
            (mark(&after), taken.hunks),
            (expected, usize::from(expected.is_some()))
        );
    }
    // It has a place now: the person does not want it there either.
    let mut placed = of_edits("a|b|c|gone", "b => x ; gone => z");
    placed.carry_over(&dropped());
    assert_eq!(mark(&placed), Some(Mark::Rejected));
}

#[test]
fn a_place_by_hand_takes_the_rejection_back() {
    let mut session = dropped();
    session.begin_place(GONE).expect("it has no place");
    session.try_place(2).expect("it can be placed there");
    assert!(session.finish_place());
    assert_eq!(mark(&session), Some(Mark::Undecided));
    session.undo();
    assert_eq!(mark(&session), Some(Mark::Rejected));
}

#[test]
fn a_rejected_hunk_without_a_place_is_recognised_when_it_is_proposed_again() {
    const FILE: &str = "fn a() {|    one();|    two();|}";
    const LOST: &str = "    let gone = start();|    stop(gone);|    end(gone); => \
        let gone = start();|    abort(gone);|    end(gone);";
    let mut first = of_edits(FILE, LOST);
    let id = HunkId { file: 0, hunk: 0 };
    first.decide(&Target::Hunk(id), Decision::Rejected);
    let record = RejectionRecord {
        time: 1,
        rejected: rejected_changes(&first),
        ..RejectionRecord::default()
    };
    let rejections = Rejections::new([record]);
    let kind = |file: &str, edit: &str| {
        let mut again = of_edits(file, edit);
        rejections.mark(&mut again);
        again.hunk(id)?.recurrence().map(|earlier| earlier.kind)
    };
    let there =
        "fn a() {|    one();|    let gone = start();|    stop(gone);|    end(gone);|    two();|}";
    for (file, edit, expected) in [
        (FILE, LOST, Some(RecurrenceKind::Same)),
        (there, LOST, Some(RecurrenceKind::Same)),
        (
            FILE,
            "    let gone = start();|    stop(gone);|    end(gone); => \
             let gone = start();|    stop(gone).unwrap();|    end(gone);",
            None,
        ),
    ] {
        assert_eq!(kind(file, edit), expected, "{file} {edit}");
    }

    let mut again = of_edits(FILE, LOST);
    again.reject_again(&[id]);
    assert!(again.hunk(id).is_some_and(HunkReview::is_dropped));
}
