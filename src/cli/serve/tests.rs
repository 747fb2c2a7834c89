//! The desk and the door together, with a person who decides by a rule, and clients that come over the real socket.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::desk::Event;
use super::office::{Office, PATIENCE, Rule, accept_all, edit, nothing, submission};
use crate::agent::{Approved, Cancel, ClientError, FileDecision, Mode, Submission, Verdict, ask};
use crate::review::{Call, Decision, HunkId, HunkStatus, ReviewSession, Standing, Status, Target};
use crate::store::Root;
use crate::ui::Ending;

#[test]
fn forty_proposals_at_once_are_each_answered_once_and_in_order() {
    const FILES: [&str; 5] = ["a.txt", "b.txt", "src/c.txt", "src/d.txt", "e.txt"];
    const AGENTS: [&str; 4] = ["claude", "codex", "gemini", "opencode"];
    let office = Office::open(
        &FILES.map(|name| (name, "top\nend\n")),
        Duration::ZERO,
        accept_all(),
    );
    let verdicts: Vec<(String, Verdict)> = thread::scope(|scope| {
        let ask = |n: usize| {
            let agent = format!("{}-{n}", AGENTS[n % AGENTS.len()]);
            let insert = |file: &str| edit(file, "end", &format!("{agent}\nend"));
            // Some are for two files, in one order or the other.
            let (one, two) = (FILES[n % FILES.len()], FILES[(n / 3) % FILES.len()]);
            let mut input = insert(one);
            if one != two {
                input.push_str(&insert(two));
            }
            let verdict = office.ask(&submission(&agent, input)).unwrap();
            (agent, verdict)
        };
        let clients: Vec<_> = (0..40).map(|n| scope.spawn(move || ask(n))).collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .collect()
    });
    let numbers: BTreeMap<String, u64> = office
        .joined
        .lock()
        .unwrap()
        .iter()
        .map(|(n, agent)| (agent.clone(), *n))
        .collect();
    assert_eq!(numbers.len(), 40, "every proposal has joined once");
    let mut expected: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for (agent, verdict) in &verdicts {
        assert_eq!(verdict.status, Status::Applied, "{}", verdict.message);
        for file in &verdict.files {
            assert_eq!(file.decision, FileDecision::Accepted);
            expected
                .entry(&file.path)
                .or_default()
                .push((numbers[agent], agent));
        }
    }
    for (file, mut agents) in expected {
        agents.sort_unstable();
        let lines: Vec<&str> = agents.into_iter().map(|(_, agent)| agent).collect();
        let text = office.read(file);
        let found: Vec<&str> = text.lines().filter(|line| line.contains('-')).collect();
        assert_eq!(found, lines, "{file}");
    }
    let root = Root::open(&office.tree()).unwrap();
    let root = root.keeping_state_in(office.place.path().join("state"));
    assert_eq!(root.log().unwrap().len(), 40);
    // Each is in the log, with who asked.
    let finished = root.finished().unwrap();
    let asked: BTreeSet<String> = (finished.iter())
        .flat_map(|id| crate::cli::finished::read(&root, id).unwrap().agents)
        .collect();
    assert_eq!((finished.len(), asked.len()), (40, 40));
    office.close(Ending::Write);
}

#[test]
fn a_later_proposal_is_placed_on_what_the_earlier_one_left() {
    let office = Office::open(&[("a.txt", "one\ntwo\nthree\n")], Duration::ZERO, nothing());
    thread::scope(|scope| {
        let first = scope.spawn(|| office.ask(&submission("claude", edit("a.txt", "two", "2"))));
        office.wait_for(|session| session.files.len() == 1);
        let second = scope.spawn(|| office.ask(&submission("codex", edit("a.txt", "2", "zwei"))));
        office.wait_for(|session| session.files.len() == 2);
        office.decide(|session| {
            assert_eq!(session.files[1].standing, Standing::Held);
            session.decide(&Target::Rest, Decision::Accepted);
        });
        first.join().unwrap().unwrap();
        office.wait_for(|session| session.files[1].is_open());
        assert_eq!(office.read("a.txt"), "one\n2\nthree\n");
        office.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
        second.join().unwrap().unwrap();
    });
    assert_eq!(office.read("a.txt"), "one\nzwei\nthree\n");
    office.close(Ending::Write);
}

#[test]
fn a_client_that_goes_withdraws_and_nothing_of_it_is_written() {
    let office = Office::open(
        &[("a.txt", "one\ntwo\n")],
        Duration::from_secs(1000),
        nothing(),
    );
    let cancel = Cancel::new();
    let gone = submission("claude", edit("a.txt", "two", "2"));
    thread::scope(|scope| {
        let first = scope.spawn(|| ask(&office.tree(), &gone, None, &cancel));
        office.wait_for(|session| session.files.len() == 1);
        let second = scope.spawn(|| office.ask(&submission("codex", edit("a.txt", "two", "zwei"))));
        office.wait_for(|session| session.files.len() == 2);
        // It is decided, but not sent yet: a rejection without a word may still get one.
        office.decide(|session| _ = session.decide(&Target::File(0), Decision::Rejected));
        cancel.cancel();
        assert!(matches!(first.join().unwrap(), Err(ClientError::Cancelled)));
        office.wait_for(|session| session.files[1].is_open());
        assert_eq!(
            office.session.lock().unwrap().files[0].standing,
            Standing::Withdrawn
        );
        office.decide(|session| {
            assert_eq!(
                session.decide(&Target::File(0), Decision::Accepted).changed,
                0
            );
            session.decide(&Target::File(1), Decision::Accepted);
        });
        second.join().unwrap().unwrap();
    });
    assert_eq!(office.read("a.txt"), "one\nzwei\n");
    office.close(Ending::Write);
}

#[test]
fn what_an_agent_was_allowed_it_is_not_asked_for_at_another_door() {
    let office = Office::open(&[("a.txt", "one\ntwo\n")], Duration::ZERO, nothing());
    let by = |agent: &str, input: String| Submission {
        mode: Mode::AgentWrites,
        ..submission(agent, input)
    };
    let whole = |text: &str| format!("a.txt\n```\n{text}```\n");
    thread::scope(|scope| {
        let first = scope.spawn(|| office.ask(&by("gemini", edit("a.txt", "two", "2"))));
        office.wait_for(|session| !session.files.is_empty());
        office.decide(|session| {
            session.decide(&Target::Rest, Decision::Accepted);
        });
        let first = first.join().unwrap().unwrap();
        // The same text as a whole file, which nobody looks at.
        let second = office.ask(&by("gemini", whole("one\n2\n"))).unwrap();
        assert_eq!(second.status, Status::Applied, "{}", second.message);
        assert_eq!(second.files[0].result, first.files[0].result);
        assert_eq!(office.joined.lock().unwrap().len(), 1);
        // Another text, and the same one of another agent, wait for the person.
        for (agent, text) in [("gemini", "one\n3\n"), ("claude", "one\n2\n")] {
            let (office, by, whole) = (&office, &by, &whole);
            let waits = scope.spawn(move || office.ask(&by(agent, whole(text))));
            office.wait_for(|session| {
                let own = |call: &Call| call.agent == agent;
                let mut files = session.files.iter();
                files.any(|file| file.is_open() && file.call.as_deref().is_some_and(own))
            });
            office.decide(|session| {
                session.reject_all();
            });
            let _ = waits.join().unwrap();
        }
    });
    office.close(Ending::Discard);
}

#[test]
fn the_agent_writes_and_the_next_proposal_waits_for_it() {
    let office = Office::open(&[("a.txt", "one\ntwo\n")], Duration::ZERO, accept_all());
    let approved = |verdict: &Verdict| verdict.files[0].result.clone();
    let by_agent = |search: &str, replace: &str| Submission {
        mode: Mode::AgentWrites,
        ..submission("claude", edit("a.txt", search, replace))
    };
    let verdict = office.ask(&by_agent("two", "2")).unwrap();
    assert_eq!(
        approved(&verdict),
        Some(Approved::Text("one\n2\n".to_owned()))
    );
    assert!(!verdict.written && verdict.files[0].base_sha256.is_some());
    assert_eq!(verdict.message, "Approved as sent: 1 hunk.\n");
    assert_eq!(
        office.read("a.txt"),
        "one\ntwo\n",
        "the agent writes, not we"
    );
    // The next one waits until it does.
    thread::scope(|scope| {
        let next = scope.spawn(|| office.ask(&by_agent("2", "zwei")));
        office.wait_for(|session| {
            session
                .files
                .iter()
                .any(|file| file.standing == Standing::Held)
        });
        fs::write(office.tree().join("a.txt"), "one\n2\n").unwrap();
        let verdict = next.join().unwrap().unwrap();
        assert_eq!(
            approved(&verdict),
            Some(Approved::Text("one\nzwei\n".to_owned()))
        );
    });
    // It never does: the one after goes on by what is there.
    let verdict = office.ask(&by_agent("2", "deux")).unwrap();
    assert_eq!(
        approved(&verdict),
        Some(Approved::Text("one\ndeux\n".to_owned()))
    );
    assert_eq!(office.read("a.txt"), "one\n2\n");
    office.close(Ending::Write);
}

#[test]
fn a_file_that_changes_is_placed_anew_before_anything_is_written() {
    let office = Office::open(&[("a.txt", "one\ntwo\n")], Duration::ZERO, nothing());
    office.busy.store(true, Ordering::Release);
    thread::scope(|scope| {
        let client = scope.spawn(|| office.ask(&submission("claude", edit("a.txt", "two", "2"))));
        office.wait_for(|session| session.files.len() == 1);
        office.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
        let placing = office.session.lock().unwrap().calls[0].placing;
        fs::write(office.tree().join("a.txt"), "zero\none\ntwo\n").unwrap();
        office.busy.store(false, Ordering::Release);
        office.events.send(Event::Touched).unwrap();
        let verdict = client.join().unwrap().unwrap();
        assert_eq!(verdict.status, Status::Applied);
        assert!(placing > 0);
    });
    assert_eq!(office.read("a.txt"), "zero\none\n2\n");
    office.close(Ending::Write);
}

#[test]
fn what_cannot_be_decided_is_answered_at_once_and_more_is_said_the_second_time() {
    let lines: Vec<String> = (1..=40).map(|n| format!("line number {n}")).collect();
    let text = lines.join("\n") + "\n";
    let office = Office::open(&[("a.txt", &text)], Duration::ZERO, nothing());
    let wrong = || submission("claude", edit("a.txt", "line number twenty", "x"));
    let first = office.ask(&wrong()).unwrap();
    assert_eq!(first.status, Status::Refused);
    assert_eq!(first.files[0].hunks[0].outcome, HunkStatus::NotFound);
    assert!(
        !first.message.contains("It failed before"),
        "{}",
        first.message
    );
    let second = office.ask(&wrong()).unwrap();
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
    // Another agent starts anew, and a success ends the row.
    let other = office.ask(&submission("codex", wrong().input)).unwrap();
    assert!(!other.message.contains("It failed before"));
    let there = office.ask(&submission(
        "claude",
        edit("a.txt", "line number 2", "line number 2"),
    ));
    assert!(there.is_ok());
    let none = office.ask(&submission("claude", "no edits here".to_owned()));
    let none = none.unwrap_err().to_string();
    assert_eq!(none, "no edit is recognised in the input");
    office.close(Ending::Write);
}

#[test]
fn all_or_nothing_is_nothing_if_not_all_is_accepted() {
    let rule: Rule = Box::new(|session| {
        for file in 0..session.files.len() {
            let hunk = |hunk| Target::Hunk(HunkId { file, hunk });
            session.decide(&hunk(0), Decision::Accepted);
            session.decide(&hunk(1), Decision::Rejected);
        }
    });
    let office = Office::open(
        &[("a.txt", "one\ntwo\nthree\nfour\n")],
        Duration::ZERO,
        rule,
    );
    let input = edit("a.txt", "one", "1") + &edit("a.txt", "four", "4");
    let whole = Submission {
        partial: false,
        ..submission("claude", input.clone())
    };
    let verdict = office.ask(&whole).unwrap();
    assert_eq!(verdict.status, Status::Refused);
    assert!(
        verdict.message.contains("takes all of its edits or none"),
        "{}",
        verdict.message
    );
    assert_eq!(office.read("a.txt"), "one\ntwo\nthree\nfour\n");
    let verdict = office.ask(&submission("claude", input)).unwrap();
    assert_eq!(
        (verdict.status, verdict.files[0].decision),
        (Status::Partial, FileDecision::Amended)
    );
    assert_eq!(office.read("a.txt"), "1\ntwo\nthree\nfour\n");
    office.close(Ending::Write);
}

#[test]
fn names_begin_in_the_folder_of_who_asks() {
    let files = [("a.txt", "one\n"), ("sub/a.txt", "one\n")];
    let office = Office::open(&files, Duration::ZERO, accept_all());
    let asks = |folder: &Path| {
        let deadline = Some(Instant::now() + PATIENCE);
        ask(
            folder,
            &submission("codex", edit("a.txt", "one", "1")),
            deadline,
            &Cancel::new(),
        )
    };
    asks(&office.tree().join("sub")).unwrap();
    assert_eq!(
        (
            office.read("a.txt").as_str(),
            office.read("sub/a.txt").as_str()
        ),
        ("one\n", "1\n")
    );
    office.close(Ending::Write);
}

#[test]
fn who_is_not_answered_is_told_so_and_decisions_come_back() {
    let office = Office::open(
        &[("a.txt", "one\ntwo\nthree\nfour\n")],
        Duration::ZERO,
        nothing(),
    );
    let input = edit("a.txt", "one", "1") + &edit("a.txt", "four", "4");
    let accepted = |session: &ReviewSession| session.counts().accepted;
    thread::scope(|scope| {
        let client = scope.spawn(|| {
            ask(
                &office.tree(),
                &submission("claude", input.clone()),
                None,
                &Cancel::new(),
            )
        });
        office.wait_for(|session| session.files.len() == 1);
        office.decide(|session| {
            session.decide(
                &Target::Hunk(HunkId { file: 0, hunk: 0 }),
                Decision::Accepted,
            );
        });
        let session = Box::new(office.session.lock().unwrap().clone());
        office
            .events
            .send(Event::Ended(session, Ending::Aborted))
            .unwrap();
        let error = client.join().unwrap().unwrap_err();
        assert!(
            error.is_sure() && error.to_string().contains("left without deciding"),
            "{error}"
        );
    });
    assert_eq!(office.read("a.txt"), "one\ntwo\nthree\nfour\n");
    let Office {
        place,
        desk,
        person,
        ..
    } = office;
    desk.join().unwrap();
    person.join().unwrap();
    let again = Office::open_in(place, Duration::ZERO, nothing());
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
    // What is left at the end is answered as it stands.
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
            verdict.message.contains("left undecided"),
            "{}",
            verdict.message
        );
    });
}
