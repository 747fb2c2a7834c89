//! Messages of the person in threads reach the agent that the threads are of.

use std::thread;
use std::time::Duration;

use super::test_harness::{Harness, edit, nothing, submission};
use crate::agent::{Cancel, Verdict, ask};
use crate::app::threads;
use crate::review::{Author, Decision, FileReview, HunkId, ReviewSession, Standing, Target};
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
    // The log of the person has it.
    let latest = root.finished().unwrap().remove(0);
    let logged = crate::app::finished_reviews::read(&root, &latest).unwrap();
    assert_eq!(logged.agents, ["codex"]);
    assert_eq!(logged.report["threads"][0]["id"], "t1");
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

#[test]
fn comments_on_a_withdrawn_proposal_reach_its_agent_in_threads() {
    let files = [("a.txt", "one\ntwo\nthree\n")];
    let harness = Harness::open(&files, Duration::ZERO, nothing());
    let root = Root::open(&harness.tree()).unwrap();
    let root = root.keeping_state_in(harness.place.path().join("state"));
    let cancel = Cancel::new();
    let proposed = submission("claude", edit("a.txt", "two", "2"));
    thread::scope(|scope| {
        let client = scope.spawn(|| ask(&harness.tree(), &proposed, None, &cancel));
        harness.wait_for(|session| session.files.len() == 1);
        harness.decide(|session| {
            session.comment(HunkId { file: 0, hunk: 0 }, Some("why?".to_owned()));
            session.comment_file(0, Some("too long".to_owned()));
            session.say_of_batch(Some(0), Some("not now".to_owned()));
        });
        cancel.cancel();
        client.join().unwrap().unwrap_err();
        harness.wait_for(|session| session.files[0].standing == Standing::Withdrawn);
    });
    // The same proposal finds its decisions again, and its comment opens no other thread.
    let input = edit("a.txt", "two", "2");
    let verdict = asked(&harness, "claude", input, accepts);
    let shown = verdict.threads.iter().map(|thread| {
        let asks = if thread.asks() { "asks" } else { "asks not" };
        format!("{}, {}, {asks}", thread.latest(), thread.quoted.concat())
    });
    let shown: Vec<String> = shown.collect();
    assert_eq!(
        shown,
        ["why?, 2, asks", "too long, , asks", "not now, , asks"]
    );
    assert!(verdict.asks() && threads::news_for(&root, "claude").unwrap().is_empty());
    assert_eq!(threads::known(&root).unwrap().threads.len(), 3);
    harness.close(Ending::Write);
}
