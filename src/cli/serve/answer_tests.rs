//! Answers of the scheduler, over the real socket, to a person who decides by a rule.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::event::SchedulerEvent;
use super::test_harness::{
    Harness, PATIENCE, PersonReaction, accept_all, edit, nothing, submission,
};
use crate::agent::{Cancel, FileDecision, SeenFile, Submission, WriteMode, ask};
use crate::review::{Call, Decision, HunkId, HunkStatus, ReviewSession, Status, Target};
use crate::ui::Ending;

#[test]
fn what_an_agent_was_allowed_it_is_not_asked_for_at_another_door() {
    let harness = Harness::open(&[("a.txt", "one\ntwo\n")], Duration::ZERO, nothing());
    let by = |agent: &str, input: String| Submission {
        mode: WriteMode::AgentWrites,
        ..submission(agent, input)
    };
    let whole = |text: &str| format!("a.txt\n```\n{text}```\n");
    thread::scope(|scope| {
        let first = scope.spawn(|| harness.ask(&by("gemini", edit("a.txt", "two", "2"))));
        harness.wait_for(|session| !session.files.is_empty());
        harness.decide(|session| {
            session.decide(&Target::Rest, Decision::Accepted);
        });
        let first = first.join().unwrap().unwrap();
        // The same text as a whole file, which nobody looks at.
        let second = harness.ask(&by("gemini", whole("one\n2\n"))).unwrap();
        assert_eq!(second.status, Status::Applied, "{}", second.message);
        assert_eq!(second.files[0].result, first.files[0].result);
        assert_eq!(harness.joined.lock().unwrap().len(), 1);
        // Another text, and the same one of another agent, wait for the person.
        for (agent, text) in [("gemini", "one\n3\n"), ("claude", "one\n2\n")] {
            let (harness, by, whole) = (&harness, &by, &whole);
            let waits = scope.spawn(move || harness.ask(&by(agent, whole(text))));
            harness.wait_for(|session| {
                let own = |call: &Call| call.agent == agent;
                let mut files = session.files.iter();
                files.any(|file| file.is_open() && file.call.as_deref().is_some_and(own))
            });
            harness.decide(|session| {
                session.reject_all();
            });
            let _ = waits.join().unwrap();
        }
    });
    harness.close(Ending::Discard);
}

#[test]
fn what_cannot_be_decided_is_answered_at_once_and_more_is_said_the_second_time() {
    let lines: Vec<String> = (1..=40).map(|n| format!("line number {n}")).collect();
    let text = lines.join("\n") + "\n";
    let harness = Harness::open(&[("a.txt", &text)], Duration::ZERO, nothing());
    let wrong = || submission("claude", edit("a.txt", "line number twenty", "x"));
    let first = harness.ask(&wrong()).unwrap();
    assert_eq!(first.status, Status::Refused);
    assert_eq!(first.files[0].hunks[0].outcome, HunkStatus::NotFound);
    assert!(
        !first.message.contains("It failed before"),
        "{}",
        first.message
    );
    let second = harness.ask(&wrong()).unwrap();
    assert!(
        second.message.contains("It failed before as well. Lines "),
        "{}",
        second.message
    );
    assert!(
        second.message.contains(" | line number "),
        "{}",
        second.message
    );
    assert!(second.message.lines().count() < 60, "{}", second.message);
    // Another agent has a count of its own, and a success ends the row.
    let other = harness.ask(&submission("codex", wrong().input)).unwrap();
    assert!(!other.message.contains("It failed before"));
    let there = harness.ask(&submission(
        "claude",
        edit("a.txt", "line number 2", "line number 2"),
    ));
    assert!(there.is_ok());
    let none = harness.ask(&submission("claude", "no edits here".to_owned()));
    let none = none.unwrap_err().to_string();
    assert_eq!(none, "no edit is recognised in the input");
    harness.close(Ending::Write);
}

#[test]
fn all_or_nothing_is_nothing_if_not_all_is_accepted() {
    let rule: PersonReaction = Box::new(|session| {
        for file in 0..session.files.len() {
            let hunk = |hunk| Target::Hunk(HunkId { file, hunk });
            session.decide(&hunk(0), Decision::Accepted);
            session.decide(&hunk(1), Decision::Rejected);
        }
    });
    let harness = Harness::open(
        &[("a.txt", "one\ntwo\nthree\nfour\n")],
        Duration::ZERO,
        rule,
    );
    let input = edit("a.txt", "one", "1") + &edit("a.txt", "four", "4");
    let whole = Submission {
        partial: false,
        ..submission("claude", input.clone())
    };
    let verdict = harness.ask(&whole).unwrap();
    assert_eq!(verdict.status, Status::Refused);
    assert!(
        (verdict.message).contains("rejected: another part of the batch is not applied"),
        "{}",
        verdict.message
    );
    assert_eq!(harness.read("a.txt"), "one\ntwo\nthree\nfour\n");
    let verdict = harness.ask(&submission("claude", input)).unwrap();
    assert_eq!(
        (verdict.status, verdict.files[0].decision),
        (Status::Partial, FileDecision::Amended)
    );
    assert_eq!(harness.read("a.txt"), "1\ntwo\nthree\nfour\n");
    harness.close(Ending::Write);
}

#[test]
fn names_begin_in_the_folder_of_who_asks() {
    let files = [("a.txt", "one\n"), ("sub/a.txt", "one\n")];
    let harness = Harness::open(&files, Duration::ZERO, accept_all());
    let asks = |folder: &Path| {
        let deadline = Some(Instant::now() + PATIENCE);
        ask(
            folder,
            &submission("codex", edit("a.txt", "one", "1")),
            deadline,
            &Cancel::new(),
        )
    };
    asks(&harness.tree().join("sub")).unwrap();
    assert_eq!(
        (
            harness.read("a.txt").as_str(),
            harness.read("sub/a.txt").as_str()
        ),
        ("one\n", "1\n")
    );
    harness.close(Ending::Write);
}

#[test]
fn who_is_not_answered_is_told_so_and_decisions_come_back() {
    let harness = Harness::open(
        &[("a.txt", "one\ntwo\nthree\nfour\n")],
        Duration::ZERO,
        nothing(),
    );
    let input = edit("a.txt", "one", "1") + &edit("a.txt", "four", "4");
    let accepted = |session: &ReviewSession| session.counts().accepted;
    thread::scope(|scope| {
        let client = scope.spawn(|| {
            ask(
                &harness.tree(),
                &submission("claude", input.clone()),
                None,
                &Cancel::new(),
            )
        });
        harness.wait_for(|session| session.files.len() == 1);
        harness.decide(|session| {
            session.decide(
                &Target::Hunk(HunkId { file: 0, hunk: 0 }),
                Decision::Accepted,
            );
        });
        let session = Box::new(harness.session.lock().unwrap().clone());
        harness
            .events
            .send(SchedulerEvent::Ended(session, Ending::Aborted))
            .unwrap();
        let error = client.join().unwrap().unwrap_err();
        assert!(
            error.is_sure() && error.to_string().contains("left without deciding"),
            "{error}"
        );
    });
    assert_eq!(harness.read("a.txt"), "one\ntwo\nthree\nfour\n");
    let Harness {
        place,
        scheduler,
        person,
        ..
    } = harness;
    scheduler.join().unwrap();
    person.join().unwrap();
    let again = Harness::open_in(place, Duration::ZERO, nothing());
    thread::scope(|scope| {
        let client = scope.spawn(|| again.ask(&submission("claude", input.clone())));
        again.wait_for(|session| accepted(session) == 1);
        again.decide(|session| _ = session.decide(&Target::Rest, Decision::Rejected));
        let verdict = client.join().unwrap().unwrap();
        assert_eq!(verdict.status, Status::Partial);
    });
    assert_eq!(again.read("a.txt"), "1\ntwo\nthree\nfour\n");
    // It is answered before it leaves the screen.
    again.wait_for(|session| session.calls.is_empty());
    // Hunks that are undecided at the end count as rejected.
    thread::scope(|scope| {
        let tree = again.tree();
        let client = scope.spawn(move || {
            ask(
                &tree,
                &submission("claude", edit("a.txt", "two", "2")),
                None,
                &Cancel::new(),
            )
        });
        again.wait_for(|session| session.calls.len() == 1);
        again.close(Ending::Write);
        let verdict = client.join().unwrap().unwrap();
        assert_eq!(verdict.status, Status::Refused);
        assert!(
            verdict
                .message
                .contains("the reviewer made no decision about it"),
            "{}",
            verdict.message
        );
    });
}

#[test]
fn what_was_rejected_before_can_be_answered_without_the_person() {
    let harness = Harness::open_set(
        &[("a.txt", "one\ntwo\nthree\nfour\n")],
        &[("review.rejected_before", "reject")],
        nothing(),
    );
    let asks = || harness.ask(&submission("claude", edit("a.txt", "two", "2")));
    thread::scope(|scope| {
        let first = scope.spawn(asks);
        harness.wait_for(|session| !session.files.is_empty());
        harness.decide(|session| {
            let hunk = HunkId { file: 0, hunk: 0 };
            session.comment(hunk, Some("words, not digits".to_owned()));
            session.decide(&Target::Rest, Decision::Rejected);
        });
        assert_eq!(first.join().unwrap().unwrap().status, Status::Refused);
        let again = asks().unwrap();
        assert_eq!(again.status, Status::Refused);
        assert!(
            again
                .message
                .contains("this change was rejected before: “words, not digits”"),
            "{}",
            again.message
        );
    });
    assert_eq!(harness.joined.lock().unwrap().len(), 1);
    assert_eq!(harness.read("a.txt"), "one\ntwo\nthree\nfour\n");
    harness.close(Ending::Write);
}

/// An edit of an agent that has read an older version of the file belongs where that version has its lines.
#[test]
fn an_edit_goes_where_the_agent_has_seen_its_lines() {
    let part = |name: &str, wait: u8| format!("{name}\n  wait {wait}\n  go\nend\n\n");
    let seen = part("first", 1) + &part("second", 2);
    let wish = || {
        let change = edit("a.txt", "  wait 1\n  go", "  wait 3\n  go");
        submission("claude", change)
    };
    let check = |now: &str, input: Submission, expected: Result<&str, &str>| {
        let harness = Harness::open(&[("a.txt", now)], Duration::ZERO, accept_all());
        let verdict = harness.ask(&input).unwrap();
        let result = if verdict.status == Status::Applied {
            Ok(harness.read("a.txt"))
        } else {
            Err(verdict.message)
        };
        match (result, expected) {
            (Ok(text), Ok(expected)) => assert_eq!(text, expected),
            (Err(message), Err(part)) => assert!(message.contains(part), "{message}"),
            (result, expected) => panic!("{result:?} instead of {expected:?}"),
        }
        harness.close(Ending::Write);
    };
    let having_seen = |text: &str| Submission {
        seen: vec![SeenFile {
            path: "a.txt".to_owned(),
            text: text.to_owned(),
        }],
        ..wish()
    };
    // Only the second part is left, and it reads now as the first one did.
    let now = part("second", 1);
    check(&now, wish(), Ok(&part("second", 3)));
    check(
        &now,
        having_seen(&seen),
        Err("written against what claude read"),
    );
    // Both read alike now.
    let now = part("first", 1) + &part("second", 1);
    let moved = part("first", 3) + &part("second", 1);
    check(&now, wish(), Err("2 places"));
    check(&now, having_seen(&seen), Ok(&moved));
    // The version that was seen does not have the lines.
    let now = part("first", 1);
    check(&now, having_seen("other\n"), Ok(&part("first", 3)));
}
