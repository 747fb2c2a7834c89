//! Calls join a review that stays open, and leave it, while a person works.

use std::sync::Arc;

use crate::script::{Script, shows};
use countersign::review::{Call, CallReview, HunkId, ReviewSession, Standing};
use countersign::ui::action::Effect;
use countersign::ui::state::empty_state::EmptyState;
use countersign::ui::{Ending, SessionChange};

use crate::fixture::Batch;

const BASE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/// An open review with nothing in it.
fn script() -> Script {
    let mut script = Script::new(ReviewSession::default(), 100, 30);
    script.app.empty_state = Some(EmptyState {
        lines: vec!["This listens at /run/door.".to_owned()],
        ..EmptyState::default()
    });
    script
}

fn joined(number: u64, path: &str, base: &str) -> SessionChange {
    let hunks = [("two\nthree", "two\nTHREE"), ("eight\nnine", "eight\nNINE")];
    let files = Batch::new("").modify(path, base, &hunks).session().files;
    let call = Arc::new(Call {
        number,
        proposal: String::new(),
        answers: false,
        agent: format!("agent{number}"),
        intent: "Be louder".to_owned(),
    });
    SessionChange::Joined {
        call: CallReview {
            call,
            problems: Vec::new(),
            comment: None,
            placing: 1,
            precision: Some(85),
            asked: false,
        },
        files,
        kept: None,
        told: Some(format!("agent{number} proposes {path}")),
    }
}

fn left(call: u64, standing: Standing) -> SessionChange {
    let told = format!("agent{call} has left");
    SessionChange::Left {
        call,
        standing,
        told,
        last: None,
    }
}

fn here(script: &Script) -> Option<HunkId> {
    script.app.stream.hunk()
}

#[test]
fn an_empty_review_says_where_it_listens() {
    let mut script = script();
    shows(&mut script, &["Nothing to review", "/run/door"]);
    for keys in [
        "j", "a", "r", "G", "Tab", "]", "i", "v", "A", "u", "y", "z a", "z z", "n", "e", "m",
    ] {
        script.press(keys);
        script.press("Esc");
    }
    script.press("t").screen();
    script.press("a t");
    script.change(joined(1, "first", BASE));
    shows(
        &mut script,
        &["agent1 proposes first", "THREE", "agent1", "Be louder"],
    );
    assert_eq!(here(&script), Some(HunkId { file: 0, hunk: 0 }));
}

#[test]
fn nothing_takes_the_cursor_away() {
    let mut script = script();
    script.change(joined(1, "first", BASE));
    script.change(joined(2, "second", BASE));
    script.press("} j j j");
    let (row, line) = (script.app.stream.row(), script.app.stream.hunk());
    let second = Some(HunkId { file: 1, hunk: 0 });
    assert_eq!(line, second);
    script.change(joined(3, "third", BASE));
    assert_eq!((script.app.stream.row(), here(&script)), (row, second));
    script.change(left(1, Standing::Answered));
    assert_eq!((script.app.stream.row(), here(&script)), (row, second));
    shows(
        &mut script,
        &["agent1 has left", "second", "third", "2 files"],
    );
    assert!(!script.screen().contains("first"));
    // Its own file stays while it is looked at.
    script.change(left(2, Standing::Answered));
    assert_eq!((script.app.stream.row(), here(&script)), (row, second));
    shows(&mut script, &["agent2 has its answer"]);
    script.press("}");
    assert_eq!(here(&script), None);
    assert_eq!(script.app.stream.file(), Some(2));
    assert!(!script.screen().contains("second"));
    script.change(left(3, Standing::Answered));
    shows(
        &mut script,
        &[
            "Nothing to review",
            "Lately",
            "agent3 has left",
            "agent1 has left",
        ],
    );
    script.change(joined(4, "first", BASE));
    assert_eq!(here(&script), Some(HunkId { file: 3, hunk: 0 }));
    script.press("a a");
    assert_eq!(script.app.session.counts().accepted, 2);
}

#[test]
fn what_is_withdrawn_stays_in_sight_and_nothing_of_it_is_decided() {
    let mut script = script();
    script.change(joined(1, "first", BASE)).press("a");
    script.change(left(1, Standing::Withdrawn));
    shows(
        &mut script,
        &["withdrawn by agent1: nothing of it can be written"],
    );
    script.press("i <oooo>");
    assert!(!script.screen().contains("oooo"));
    script.change(joined(2, "second", BASE));
    script.press("g a y");
    assert_eq!(script.app.session.counts().accepted, 2);
    script.press("g g a");
    shows(&mut script, &["withdrawn proposal removed from the screen"]);
    assert!(!script.screen().contains("first"));
}

#[test]
fn what_is_under_way_comes_first() {
    for (begin, end) in [("i <!!>", "Esc"), ("v", "Esc"), ("c <why>", "Enter")] {
        let mut script = script();
        script.change(joined(1, "first", BASE)).press(begin);
        script.change(joined(2, "second", BASE));
        script.change(left(1, Standing::Withdrawn));
        assert!(!script.screen().contains("second"), "{begin}");
        script.press(end);
        shows(&mut script, &["second", "withdrawn by agent1"]);
    }
}

#[test]
fn a_dialog_does_not_count_what_is_withdrawn_meanwhile() {
    let mut script = script();
    script.change(joined(1, "first", BASE)).press("a a");
    script.change(joined(2, "second", BASE)).press("q");
    shows(&mut script, &["2 accepted", "2 proposals wait"]);
    script.change(joined(3, "third", BASE));
    script.change(left(1, Standing::Withdrawn));
    shows(&mut script, &["agent1 has left", "1 proposal waits"]);
    let screen = script.screen();
    assert!(!screen.contains("2 accepted") && !screen.contains("third"));
    // The question goes on about what is left, and closes with nothing.
    script.press("Esc g a");
    shows(&mut script, &["Accept the remaining 4 hunks?"]);
    script.change(left(3, Standing::Withdrawn));
    shows(
        &mut script,
        &["agent3 has left", "Accept the remaining 2 hunks?"],
    );
    script.change(left(2, Standing::Withdrawn));
    shows(&mut script, &["agent2 has left", "withdrawn by agent2"]);
    assert!(!script.screen().contains("Accept the"));
    // What is typed is finished before.
    script.change(joined(4, "fourth", BASE)).press("G c <why>");
    script.change(left(4, Standing::Withdrawn));
    shows(&mut script, &["agent4 has left", "Comment on this hunk"]);
}

#[test]
fn what_waits_says_so() {
    let mut script = script();
    let SessionChange::Joined {
        call, mut files, ..
    } = joined(1, "first", BASE)
    else {
        return;
    };
    files[0].hold();
    script.change(SessionChange::Joined {
        call,
        files,
        kept: None,
        told: None,
    });
    shows(
        &mut script,
        &["first", "waits: an earlier proposal", "THREE"],
    );
    script.press("t");
    shows(&mut script, &["first", "agent1"]);
    script.press("t");
    script.press("g g a");
    shows(&mut script, &["this waits"]);
    script.change(joined(1, "first", BASE));
    shows(&mut script, &["THREE"]);
    script.press("q");
    shows(&mut script, &["1 proposal waits for its answer"]);
    script.press("Esc").change(SessionChange::Ended);
    assert_eq!(script.ending(), Some(Ending::Write));
}

#[test]
fn each_call_has_a_precision_of_its_own() {
    let mut script = script();
    script.press("g <");
    shows(&mut script, &["no edit here that can be placed again"]);
    script.change(joined(1, "first", BASE));
    script.change(joined(2, "second", BASE));
    let asks = |call, percent| Effect::Match {
        call: Some(call),
        percent,
    };
    for (keys, expected) in [
        ("g > g >", vec![asks(1, 90), asks(1, 95)]),
        ("} g <", vec![asks(2, 80)]),
        ("g <", vec![]),
        ("{ g > g >", vec![asks(1, 100)]),
        ("t G g >", vec![asks(2, 85)]),
    ] {
        script.press(keys);
        let asked = script.effects();
        assert_eq!(asked, expected, "{keys}");
    }
}

#[test]
fn to_finish_with_nothing_to_review_is_to_end_the_reviewer_and_says_so() {
    let mut script = script();
    let shown = script.screen();
    assert!(
        shown.contains("q ends the reviewer, after a question; ? shows the keys"),
        "{shown}"
    );
    assert!(!shown.contains("no files"), "{shown}");
    let shown = script.press("q").screen();
    for expected in [
        "End the reviewer",
        "Agents that send proposals later",
        "w end   Esc back",
        " w end  Esc back",
    ] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    assert!(!shown.contains("keep for later"), "{shown}");
    script.press("w");
    assert_eq!(script.ending(), Some(Ending::Write));
}
