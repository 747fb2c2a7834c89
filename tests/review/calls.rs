//! Proposals join a review that stays open, and leave it.

use std::sync::Arc;

use countersign::review::{
    Call, CallReview, Decision, Decisions, HunkId, Imprint, Postimage, ReviewSession, Standing,
    Target, compose,
};

use crate::fixture::of_edits;

fn call(number: u64, placing: u64) -> CallReview {
    CallReview {
        call: Arc::new(Call {
            number,
            proposal: String::new(),
            answers: false,
            agent: format!("agent {number}"),
            intent: String::new(),
        }),
        problems: Vec::new(),
        comment: None,
        placing,
        precision: Some(85),
        asked: false,
    }
}

/// Lets a call with one file join, or join again with another text below it.
fn join(session: &mut ReviewSession, number: u64, path: &str, base: &str, edits: &str) {
    let mut files = of_edits(base, edits).files;
    for file in &mut files {
        path.clone_into(&mut file.path);
    }
    session.join(call(number, 1), files, None);
}

/// Every file in a word or two: its name, its standing, and its decisions.
fn files(session: &ReviewSession) -> String {
    let file = |file: &countersign::review::FileReview| {
        let marks = file.hunks.iter().map(|hunk| match hunk.mark() {
            Some(mark) => format!("{mark:?}").chars().next().unwrap_or('?'),
            None => '-',
        });
        let marks: String = marks.collect();
        format!("{} {:?} {marks}", file.path, file.standing)
    };
    let all: Vec<String> = session.files.iter().map(file).collect();
    all.join(" ; ")
}

fn accept(session: &mut ReviewSession, file: usize, hunk: usize) -> usize {
    let target = Target::Hunk(HunkId { file, hunk });
    session.decide(&target, Decision::Accepted).changed
}

#[test]
fn a_call_that_joins_again_keeps_what_still_fits() {
    let mut session = ReviewSession::default();
    join(&mut session, 1, "one", "a|b|c|d", "a => A ; c => C");
    join(&mut session, 2, "two", "a|b", "b => B");
    accept(&mut session, 0, 0);
    accept(&mut session, 0, 1);
    accept(&mut session, 1, 0);
    assert_eq!(files(&session), "one Open AA ; two Open A");
    // A line above moves both, and another makes the second hunk another.
    join(&mut session, 1, "one", "x|a|b|c|d", "a => A ; c => C");
    assert_eq!(files(&session), "one Open AA ; two Open A");
    join(&mut session, 1, "one", "x|a|b|k|c|d", "a => A ; k|c => C");
    assert_eq!(files(&session), "one Open AU ; two Open A");
    // What can be taken back is what still fits: of the first file its first hunk, and the second file.
    assert_eq!(
        session.undo().and_then(|step| step.hunk),
        Some(HunkId { file: 1, hunk: 0 })
    );
    assert_eq!(
        session.undo().and_then(|step| step.hunk),
        Some(HunkId { file: 0, hunk: 0 })
    );
    assert_eq!(session.undo(), None);
    assert_eq!(files(&session), "one Open UU ; two Open U");
}

#[test]
fn what_was_withdrawn_cannot_be_decided_or_written() {
    let mut session = ReviewSession::default();
    join(&mut session, 1, "one", "a|b", "a => A");
    join(&mut session, 2, "two", "a|b", "b => B");
    accept(&mut session, 0, 0);
    assert!(session.is_decided(1) && !session.is_decided(2));
    session.retire(1, Standing::Withdrawn);
    assert_eq!(compose(&session.files[0]), Postimage::Unchanged);
    assert_eq!(accept(&mut session, 0, 0), 0);
    assert_eq!(
        session.decide(&Target::File(0), Decision::Rejected).changed,
        0
    );
    assert_eq!(session.undo(), None);
    assert!(session.begin_edit(HunkId { file: 0, hunk: 0 }, 3).is_none());
    let rest = session.would_decide(&Target::Rest, Decision::Accepted);
    assert_eq!(rest.changed, 1);
    assert_eq!(session.decide(&Target::Rest, Decision::Accepted).changed, 1);
    let counts = session.counts();
    assert_eq!((counts.files, counts.hunks, counts.accepted), (1, 1, 1));
    assert_eq!(session.calls.len(), 1);
    session.drop_file(0);
    assert_eq!(files(&session), "one Gone  ; two Open A");
}

#[test]
fn what_is_held_waits_and_keeps_its_call_undecided() {
    let mut session = ReviewSession::default();
    let mut held = of_edits("a|b", "a => A").files;
    held[0].hold();
    session.join(call(7, 1), held, None);
    assert_eq!(files(&session), "file Held U");
    assert!(!session.is_decided(7));
    session.join(call(7, 2), of_edits("b|a", "a => A").files, None);
    assert_eq!(files(&session), "file Open U");
    assert_eq!(session.of_call(7).placing, 2);
    accept(&mut session, 0, 0);
    assert!(session.is_decided(7));
}

#[test]
fn what_was_said_and_decided_belongs_to_its_call() {
    let mut session = ReviewSession::default();
    join(&mut session, 1, "file", "a|b", "a => A");
    join(&mut session, 2, "other", "a|b", "b => B");
    session.say_of_batch(Some(1), Some("for two".to_owned()));
    session.say_of_batch(None, Some("for nobody".to_owned()));
    assert_eq!(session.said_of_batch(Some(1)), Some("for two"));
    assert_eq!(session.said_of_batch(Some(0)), None);
    accept(&mut session, 1, 0);
    let two = session.of_call(2);
    assert_eq!(two.comment.as_deref(), Some("for two"));
    assert_eq!(files(&two), "other Open A");
    assert!(Imprint::of_call(&session, 1).is_empty());
    assert_eq!(
        Imprint::of_call(&session, 2).decisions(),
        Decisions::of(&two)
    );
    // The same proposal comes again after a break.
    let kept = Decisions::of(&two);
    let mut again = ReviewSession::default();
    let mut files_again = of_edits("a|b", "b => B").files;
    "other".clone_into(&mut files_again[0].path);
    let taken = again.join(call(9, 1), files_again, Some(&kept));
    assert_eq!((taken.hunks, taken.lost.len()), (1, 0));
    assert_eq!(files(&again), "other Open A");
    assert_eq!(again.of_call(9).comment.as_deref(), Some("for two"));
}
