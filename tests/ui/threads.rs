//! Threads on the screen: questions, answers, replies, and what is asked before the end.

use std::sync::Arc;

use countersign::review::{
    Author, Call, ReviewSession, Spot, Standing, Thread, ThreadKind, ThreadMessage, passage_at,
};
use countersign::ui::state::known_threads::KnownThreads;
use countersign::ui::{Ending, SessionChange, ThreadNews, ThreadRequest};

use crate::fixture::Batch;
use crate::script::{Script, shows};

const BASE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn session() -> ReviewSession {
    let hunks = [("two\nthree", "two\nTHREE"), ("eight\nnine", "eight\nNINE")];
    Batch::new("").modify("a.txt", BASE, &hunks).session()
}

/// A review of a proposal; `agent` waits for its verdict, and can answer before that or not.
fn script(agent: Option<(&str, bool)>) -> Script {
    let mut session = session();
    if let Some((agent, answers)) = agent {
        session.files[0].call = Some(Arc::new(Call {
            number: 1,
            proposal: "7-1".to_owned(),
            answers,
            agent: agent.to_owned(),
            intent: String::new(),
        }));
    }
    let mut script = Script::new(session, 100, 40);
    script.app.threads = Some(KnownThreads::new(true));
    script
}

#[test]
fn undo_stops_at_a_question_that_was_sent() {
    let mut script = script(None);
    script.press("j c <precious> Enter j j Q <why?> Enter");
    let screen = script.press("u").screen();
    let words = "a question was sent and cannot be undone; u undoes the step before it";
    assert!(screen.contains(words), "{screen}");
    assert!(screen.contains("precious"), "{screen}");
    let screen = script.press("u").screen();
    assert!(screen.contains("undone: comment on"), "{screen}");
    assert!(!screen.contains("precious"), "{screen}");
    assert!(script.press("u").screen().contains("nothing to undo"));
    // A step after the question is undone first.
    script.press("Q <why?> Enter a 2 u");
    let screen = script.screen();
    assert!(screen.contains(words), "{screen}");
    assert_eq!(script.app.session.counts().accepted, 0);
}

fn thread(script: &Script, text: &str) -> Thread {
    let file = &script.app.session.files[0];
    let passage = passage_at(file, &Spot::Hunk(0));
    let mut thread =
        Thread::opened("a.txt", passage, ThreadKind::Question, text, 0).expect("a thread");
    "t1".clone_into(&mut thread.id);
    thread
}

fn news(threads: &[&Thread]) -> ThreadNews {
    ThreadNews {
        threads: Some(threads.iter().copied().cloned().collect()),
        ..ThreadNews::default()
    }
}

/// The outcome of the earliest request.
fn outcome(outcome: Result<(), &str>) -> ThreadNews {
    ThreadNews {
        answer: Some(outcome.map_err(str::to_owned)),
        ..ThreadNews::default()
    }
}

fn answer(thread: &mut Thread, text: &str, proposes_resolution: bool) {
    let message = ThreadMessage {
        author: Author::Agent("claude".to_owned()),
        text: text.to_owned(),
        time: 0,
        proposes_resolution,
    };
    thread.add(message).expect("room for a message");
}

#[test]
fn a_question_is_sent_and_the_screen_is_honest_about_the_answer() {
    let check = |agent: Option<(&str, bool)>, notice: &str| {
        let mut script = script(agent);
        script.press("Q <why?> Enter");
        shows(&mut script, &["storing the question"]);
        assert!(!script.screen().contains(notice));
        script.threads(outcome(Ok(())));
        shows(&mut script, &[notice]);
        let requests = script.thread_requests();
        let [
            ThreadRequest::Ask {
                path,
                passage,
                text,
                agent: asked,
                proposal,
            },
        ] = &requests[..]
        else {
            panic!("{requests:?}");
        };
        assert_eq!((path.as_str(), text.as_str()), ("a.txt", "why?"));
        assert_eq!(
            (passage.line, &passage.lines[..]),
            (3, &["THREE".to_owned()][..])
        );
        assert_eq!(asked.as_deref(), agent.map(|(name, _)| name));
        assert_eq!(proposal.as_deref(), agent.map(|_| "7-1"));
        // The review goes on.
        script.press("a");
        shows(&mut script, &["1 ✓"]);
    };
    check(
        Some(("claude", true)),
        "asked: claude can answer while you go on",
    );
    check(
        Some(("codex", false)),
        "codex waits for the verdict and cannot answer before: the question goes with it",
    );
    check(
        None,
        "no agent waits here: the question goes with the report",
    );
}

#[test]
fn nothing_is_asked_about_nothing_or_without_words() {
    let mut script = script(None);
    script.press("Q Enter");
    script.press("Q < > Enter");
    script.press("Q <gone> Esc");
    assert_eq!(script.thread_requests(), []);
    script.press("g g Q");
    shows(&mut script, &["no lines to ask about here"]);
    script.app.threads = None;
    script.press("] Q");
    shows(&mut script, &["questions cannot be kept here"]);
}

#[test]
fn an_answer_appears_when_it_arrives_and_interrupts_nothing() {
    let mut script = script(Some(("claude", true)));
    let mut asked = thread(&script, "why three?");
    let before = (script.app.stream.row(), script.app.stream.hunk());
    script.threads(news(&[&asked]));
    shows(&mut script, &["question t1, open", "you: why three?"]);
    answer(&mut asked, "it is louder", false);
    script.press("c <half a comm>");
    script.threads(news(&[&asked]));
    assert!(!script.screen().contains("it is louder"));
    script.press("<ent> Enter");
    shows(
        &mut script,
        &[
            "claude answers t1 in a.txt",
            "claude: it is louder",
            "half a comment",
        ],
    );
    assert_eq!((script.app.stream.row(), script.app.stream.hunk()), before);
    answer(&mut asked, "it is THREE now", true);
    script.threads(news(&[&asked]));
    shows(&mut script, &["claude proposes to resolve t1 in a.txt"]);
}

#[test]
fn the_person_replies_resolves_and_reopens_at_the_thread() {
    let mut script = script(None);
    let mut asked = thread(&script, "why three?");
    script.press("T");
    shows(&mut script, &["no thread here"]);
    script.threads(news(&[&asked]));
    script.press("g j c <and five?> Enter");
    let id = || "t1".to_owned();
    let text = "and five?".to_owned();
    assert_eq!(
        script.thread_requests(),
        [ThreadRequest::Reply { id: id(), text }]
    );
    script.press("T");
    assert_eq!(
        script.thread_requests(),
        [ThreadRequest::Resolve { id: id() }]
    );
    asked.resolve();
    script.threads(news(&[&asked]));
    shows(&mut script, &["t1 is resolved", "question t1, resolved"]);
    script.press("T");
    assert_eq!(
        script.thread_requests(),
        [ThreadRequest::Reopen { id: id() }]
    );
}

#[test]
fn threads_that_are_not_resolved_are_asked_about_before_the_end() {
    let check = |asks: bool, resolved: bool, is_asked: bool| {
        let mut script = script(None);
        script.app.threads.as_mut().expect("threads").asks = asks;
        let mut asked = thread(&script, "why three?");
        script.threads(news(&[&asked]));
        if resolved {
            asked.resolve();
            script.threads(news(&[&asked]));
        }
        script.press("a a Z Z");
        assert_eq!(script.ending().is_none(), is_asked);
        if is_asked {
            shows(&mut script, &["1 thread is not resolved: t1"]);
            script.press("w");
        }
        assert_eq!(script.ending(), Some(Ending::Write));
    };
    check(true, false, true);
    check(true, true, false);
    check(false, false, false);
}

#[test]
fn what_cannot_be_kept_is_named() {
    let mut script = script(None);
    script.threads(ThreadNews {
        problem: Some("a thread is left out: t2.json: it is cut off".to_owned()),
        ..ThreadNews::default()
    });
    shows(&mut script, &["a thread is left out: t2.json"]);
}

#[test]
fn an_answered_proposal_names_its_threads_that_are_not_resolved() {
    let check = |resolved: bool, standing: Standing, is_named: bool| {
        let mut script = script(Some(("claude", false)));
        let mut asked = thread(&script, "why three?");
        script.threads(news(&[&asked]));
        if resolved {
            asked.resolve();
            script.threads(news(&[&asked]));
        }
        script.change(SessionChange::Left {
            call: 1,
            standing,
            told: "claude has its answer".to_owned(),
            last: None,
        });
        let screen = script.screen();
        let words = "claude has its answer; 1 thread is not resolved: t1";
        assert_eq!(screen.contains(words), is_named, "{screen}");
    };
    check(false, Standing::Answered, true);
    check(true, Standing::Answered, false);
    check(false, Standing::Withdrawn, false);
    // A comment opens a thread with the answer.
    let mut script = script(Some(("claude", false)));
    script.press("c <so?> Enter");
    script.change(SessionChange::Left {
        call: 1,
        standing: Standing::Answered,
        told: "claude has its answer".to_owned(),
        last: None,
    });
    shows(
        &mut script,
        &["claude has its answer; 1 comment opens a thread"],
    );
}

#[test]
fn the_plan_shows_the_questions_that_the_agent_would_get() {
    let mut script = script(None);
    let asked = thread(&script, "why three?");
    script.threads(news(&[&asked]));
    script.press("! G");
    shows(
        &mut script,
        &["Threads that wait for your answer:", "why three?"],
    );
}

#[test]
fn the_review_ends_when_what_was_asked_is_stored() {
    let check = |keys: &str, ending: Ending| {
        let mut script = script(None);
        script.press("Q <why?> Enter Q <and how?> Enter");
        script.press(keys);
        shows(
            &mut script,
            &["leaving when what you wrote to agents is stored"],
        );
        // No key decides anything more.
        script.press("a r c <more>");
        script.threads(outcome(Ok(())));
        assert_eq!(script.ending(), None);
        script.threads(outcome(Ok(())));
        assert_eq!(script.ending(), Some(ending));
    };
    check("q k", Ending::Keep);
    check("q w", Ending::Write);
    check("q d", Ending::Discard);
}

#[test]
fn what_cannot_be_stored_keeps_the_review_open_with_the_text() {
    let mut script = script(None);
    script.press("Q <why?> Enter q k");
    script.threads(outcome(Err("the folder of threads cannot be used")));
    assert_eq!(script.ending(), None);
    let words =
        "not sent, and the same key opens the text again: the folder of threads cannot be used";
    shows(&mut script, &[words]);
    script.press("q");
    shows(&mut script, &["1 draft not sent"]);
    script.press("Esc Q");
    shows(&mut script, &["why?"]);
    script.press("Enter");
    assert_eq!(script.thread_requests().len(), 2);
    script.threads(outcome(Ok(())));
    assert_eq!(script.press("q k").ending(), Some(Ending::Keep));
}

#[test]
fn a_person_who_waits_to_leave_can_stay_or_abort() {
    let mut script = script(None);
    script.press("Q <why?> Enter q k Esc");
    shows(&mut script, &["the review goes on"]);
    script.threads(outcome(Ok(())));
    assert_eq!(script.ending(), None);
    script.press("Q <again?> Enter q k C-c C-c");
    assert_eq!(script.ending(), Some(Ending::Aborted));
}

#[test]
fn a_reply_that_is_not_stored_is_no_step_and_keeps_its_text() {
    let mut script = script(None);
    let asked = thread(&script, "why three?");
    script.threads(news(&[&asked]));
    script.press("g j c <and five?> Enter");
    script.threads(outcome(Err("the disk is full")));
    shows(
        &mut script,
        &["not sent, and the same key opens the text again: the disk is full"],
    );
    assert!(script.press("u").screen().contains("nothing to undo"));
    script.press("g j c");
    shows(&mut script, &["and five?"]);
    script.press("Esc g j T");
    script.threads(outcome(Err("the disk is full")));
    shows(
        &mut script,
        &["the thread is not changed: the disk is full"],
    );
}

#[test]
fn a_text_that_no_thread_takes_stays_in_its_box() {
    let mut script = script(None);
    script.press("Q");
    script.paste(&"x".repeat(20_000));
    script.press("Enter");
    shows(
        &mut script,
        &["the message has 20000 bytes, and a thread takes 16384"],
    );
    assert_eq!(script.thread_requests(), []);
    script.press("Esc Q");
    shows(&mut script, &["xxxxxxxxxx"]);
}

#[test]
fn nothing_is_asked_about_a_proposal_that_is_over() {
    let check = |standing: Standing, words: &str| {
        let mut script = script(Some(("claude", false)));
        script.app.session.files[0].standing = standing;
        script.press("Q");
        shows(&mut script, &[words]);
        assert!(script.app.mode.prompt().is_none());
    };
    check(Standing::Answered, "its agent has the answer already");
    check(Standing::Withdrawn, "its proposal was withdrawn");
    // It ended while the question was typed.
    let mut script = script(Some(("claude", false)));
    script.press("Q <why?>");
    script.app.session.files[0].standing = Standing::Withdrawn;
    script.press("Enter");
    shows(&mut script, &["its proposal was withdrawn", "why?"]);
    assert_eq!(script.thread_requests(), []);
}

#[test]
fn a_comment_that_opens_no_thread_is_kept_and_named() {
    let mut script = script(None);
    script.press("c");
    script.paste(&"x".repeat(20_000));
    script.press("Enter");
    shows(
        &mut script,
        &[
            "the comment is kept and opens no thread: the message has 20000 bytes",
            "xxxxx",
        ],
    );
    let mut brief = self::script(None);
    let shown = brief.press("c <short> Enter").screen();
    assert!(!shown.contains("opens no thread"), "{shown}");
}
