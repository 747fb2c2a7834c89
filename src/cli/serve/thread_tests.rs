//! Messages of the person in threads reach the agent that the threads are of.

use std::thread;
use std::time::Duration;

use super::test_harness::{Harness, edit, nothing, submission};
use crate::agent::Verdict;
use crate::app::threads;
use crate::review::{Author, Decision, FileReview, HunkId, ReviewSession, Target};
use crate::store::Root;
use crate::ui::Ending;

/// Asks as an agent, and lets the person decide.
fn asked(
    harness: &Harness,
    agent: &str,
    input: String,
    decides: impl FnOnce(&mut ReviewSession),
) -> Verdict {
    // The files of the proposal before have left.
    harness.wait_for(|session| !session.files.iter().any(FileReview::is_open));
    thread::scope(|scope| {
        let verdict = scope.spawn(move || harness.ask(&submission(agent, input)).unwrap());
        harness.wait_for(|session| session.files.iter().any(FileReview::is_open));
        harness.decide(decides);
        verdict.join().unwrap()
    })
}

fn accepts(session: &mut ReviewSession) {
    session.decide(&Target::Rest, Decision::Accepted);
}

#[test]
fn what_the_person_adds_to_a_thread_goes_to_its_agent_with_the_next_verdict() {
    let files = [("a.txt", "one\ntwo\nthree\n"), ("b.txt", "four\n")];
    let harness = Harness::open(&files, Duration::ZERO, nothing());
    let root = Root::open(&harness.tree()).unwrap();
    let root = root.keeping_state_in(harness.place.path().join("state"));
    let names = |verdict: &Verdict| -> Vec<String> {
        let threads = verdict.threads.iter();
        threads.map(|thread| thread.id.clone()).collect()
    };
    let first = asked(&harness, "claude", edit("a.txt", "two", "2"), |session| {
        let id = HunkId { file: 0, hunk: 0 };
        session.comment(id, Some("why?".to_owned()));
        accepts(session);
    });
    assert_eq!(names(&first), ["t1"]);
    let claude = Author::Agent("claude".to_owned());
    threads::reply(&root, "t1", claude, "because", false).unwrap();
    // The thread of one agent is nothing for another one in the same file.
    let other = asked(&harness, "codex", edit("a.txt", "three", "3"), accepts);
    assert!(names(&other).is_empty());
    // Without news a verdict about another file has no thread.
    let second = asked(&harness, "claude", edit("b.txt", "four", "4"), accepts);
    assert!(names(&second).is_empty());
    threads::reply(&root, "t1", Author::Person, "and now?", false).unwrap();
    let other = asked(&harness, "codex", edit("b.txt", "4", "five"), accepts);
    assert!(names(&other).is_empty());
    let third = asked(&harness, "claude", edit("b.txt", "five", "5"), accepts);
    assert_eq!(names(&third), ["t1"]);
    assert!(third.asks());
    assert!(third.message.contains("and now?"), "{}", third.message);
    // It goes there once, and a hook at the end of the turn has nothing to add.
    assert!(threads::news_for(&root, "claude").unwrap().is_empty());
    let fourth = asked(&harness, "claude", edit("b.txt", "5", "6"), accepts);
    assert!(names(&fourth).is_empty());
    threads::reply(&root, "t1", Author::Person, "hello?", false).unwrap();
    assert!(threads::news_for(&root, "codex").unwrap().is_empty());
    let news = threads::news_for(&root, "claude").unwrap();
    assert_eq!(news[0].latest(), "hello?");
    assert!(threads::news_for(&root, "claude").unwrap().is_empty());
    harness.close(Ending::Discard);
}
