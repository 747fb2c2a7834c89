//! Proposals that come to the scheduler together, over the real socket, before a person who decides by a rule: their order, and what
//! each is placed in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use super::event::SchedulerEvent;
use super::test_harness::{Harness, accept_all, edit, nothing, submission};
use crate::agent::{
    Approved, Cancel, ClientError, FileDecision, Submission, Verdict, WriteMode, ask,
};
use crate::review::{Decision, HunkId, ReviewSession, Standing, Status, Target};
use crate::store::Root;
use crate::ui::Ending;

#[test]
fn forty_proposals_at_once_are_each_answered_once_and_in_order() {
    const FILES: [&str; 5] = ["a.txt", "b.txt", "src/c.txt", "src/d.txt", "e.txt"];
    const AGENTS: [&str; 4] = ["claude", "codex", "gemini", "opencode"];
    let harness = Harness::open(
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
            let verdict = harness.ask(&submission(&agent, input)).unwrap();
            (agent, verdict)
        };
        let clients: Vec<_> = (0..40).map(|n| scope.spawn(move || ask(n))).collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .collect()
    });
    let numbers: BTreeMap<String, u64> = harness
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
        let text = harness.read(file);
        let found: Vec<&str> = text.lines().filter(|line| line.contains('-')).collect();
        assert_eq!(found, lines, "{file}");
    }
    let root = Root::open(&harness.tree()).unwrap();
    let root = root.keeping_state_in(harness.place.path().join("state"));
    assert_eq!(root.log().unwrap().entries.len(), 40);
    // Each is in the log, with who asked.
    let finished = root.finished().unwrap();
    let asked: BTreeSet<String> = (finished.iter())
        .flat_map(|id| {
            crate::app::finished_reviews::read(&root, id)
                .unwrap()
                .agents
        })
        .collect();
    assert_eq!((finished.len(), asked.len()), (40, 40));
    harness.close(Ending::Write);
}

#[test]
fn a_later_proposal_is_placed_on_what_the_earlier_one_left() {
    let harness = Harness::open(&[("a.txt", "one\ntwo\nthree\n")], Duration::ZERO, nothing());
    thread::scope(|scope| {
        let first = scope.spawn(|| harness.ask(&submission("claude", edit("a.txt", "two", "2"))));
        harness.wait_for(|session| session.files.len() == 1);
        let second = scope.spawn(|| harness.ask(&submission("codex", edit("a.txt", "2", "zwei"))));
        harness.wait_for(|session| session.files.len() == 2);
        harness.decide(|session| {
            assert_eq!(session.files[1].standing, Standing::Held);
            session.decide(&Target::Rest, Decision::Accepted);
        });
        first.join().unwrap().unwrap();
        harness.wait_for(|session| session.files[1].is_open());
        assert_eq!(harness.read("a.txt"), "one\n2\nthree\n");
        harness.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
        second.join().unwrap().unwrap();
    });
    assert_eq!(harness.read("a.txt"), "one\nzwei\nthree\n");
    harness.close(Ending::Write);
}

#[test]
fn a_client_that_goes_withdraws_and_nothing_of_it_is_written() {
    let harness = Harness::open(
        &[("a.txt", "one\ntwo\n")],
        Duration::from_secs(1000),
        nothing(),
    );
    let cancel = Cancel::new();
    let gone = submission("claude", edit("a.txt", "two", "2"));
    thread::scope(|scope| {
        let first = scope.spawn(|| ask(&harness.tree(), &gone, None, &cancel));
        harness.wait_for(|session| session.files.len() == 1);
        let second =
            scope.spawn(|| harness.ask(&submission("codex", edit("a.txt", "two", "zwei"))));
        harness.wait_for(|session| session.files.len() == 2);
        // It is decided, but not sent yet: a rejection without a word may still get one.
        harness.decide(|session| _ = session.decide(&Target::File(0), Decision::Rejected));
        cancel.cancel();
        assert!(matches!(first.join().unwrap(), Err(ClientError::Cancelled)));
        harness.wait_for(|session| session.files[1].is_open());
        assert_eq!(
            harness.session.lock().unwrap().files[0].standing,
            Standing::Withdrawn
        );
        harness.decide(|session| {
            assert_eq!(
                session.decide(&Target::File(0), Decision::Accepted).changed,
                0
            );
            session.decide(&Target::File(1), Decision::Accepted);
        });
        second.join().unwrap().unwrap();
    });
    assert_eq!(harness.read("a.txt"), "one\nzwei\n");
    harness.close(Ending::Write);
}

#[test]
fn the_agent_writes_and_the_next_proposal_waits_for_it() {
    let harness = Harness::open(&[("a.txt", "one\ntwo\n")], Duration::ZERO, accept_all());
    let approved = |verdict: &Verdict| verdict.files[0].result.clone();
    let by_agent = |search: &str, replace: &str| Submission {
        mode: WriteMode::AgentWrites,
        ..submission("claude", edit("a.txt", search, replace))
    };
    let verdict = harness.ask(&by_agent("two", "2")).unwrap();
    assert_eq!(
        approved(&verdict),
        Some(Approved::Text("one\n2\n".to_owned()))
    );
    assert!(!verdict.written && verdict.files[0].base_sha256.is_some());
    assert_eq!(verdict.message, "Approved as sent: 1 hunk.\n");
    assert_eq!(
        harness.read("a.txt"),
        "one\ntwo\n",
        "the agent writes, not we"
    );
    // The next one waits until it does.
    thread::scope(|scope| {
        let next = scope.spawn(|| harness.ask(&by_agent("2", "zwei")));
        harness.wait_for(|session| {
            session
                .files
                .iter()
                .any(|file| file.standing == Standing::Held)
        });
        fs::write(harness.tree().join("a.txt"), "one\n2\n").unwrap();
        let verdict = next.join().unwrap().unwrap();
        assert_eq!(
            approved(&verdict),
            Some(Approved::Text("one\nzwei\n".to_owned()))
        );
    });
    // It never does: the one after goes on by what is there.
    let verdict = harness.ask(&by_agent("2", "deux")).unwrap();
    assert_eq!(
        approved(&verdict),
        Some(Approved::Text("one\ndeux\n".to_owned()))
    );
    assert_eq!(harness.read("a.txt"), "one\n2\n");
    harness.close(Ending::Write);
}

#[test]
fn a_file_that_changes_is_placed_anew_before_anything_is_written() {
    let harness = Harness::open(&[("a.txt", "one\ntwo\n")], Duration::ZERO, nothing());
    harness.busy.store(true, Ordering::Release);
    thread::scope(|scope| {
        let client = scope.spawn(|| harness.ask(&submission("claude", edit("a.txt", "two", "2"))));
        harness.wait_for(|session| session.files.len() == 1);
        harness.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
        let placing = harness.session.lock().unwrap().calls[0].placing;
        fs::write(harness.tree().join("a.txt"), "zero\none\ntwo\n").unwrap();
        harness.busy.store(false, Ordering::Release);
        harness.events.send(SchedulerEvent::Touched).unwrap();
        let verdict = client.join().unwrap().unwrap();
        assert_eq!(verdict.status, Status::Applied);
        assert!(placing > 0);
    });
    assert_eq!(harness.read("a.txt"), "zero\none\n2\n");
    harness.close(Ending::Write);
}

#[test]
fn a_command_of_a_rule_runs_before_its_proposal_is_shown_and_holds_up_no_other() {
    let files = [
        ("names", "c\na\n"),
        ("sorted", "a\nc\n"),
        ("other", "one\n"),
    ];
    let gate = tempfile::tempdir().unwrap();
    let open = gate.path().join("open");
    let wait = format!("until [ -e {} ]; do sleep 0.01; done", open.display());
    let generate = format!("'{wait}; sort names > sorted'");
    let set = [
        ("policy.generated", "['sorted']"),
        ("policy.generated_from", "['names']"),
        ("policy.generate", generate.as_str()),
    ];
    let harness = Harness::open_set(&files, &set, nothing());
    let input = edit("names", "c", "c\nb") + &edit("sorted", "a", "a\nb");
    thread::scope(|scope| {
        let made = scope.spawn(|| harness.ask(&submission("claude", input)));
        let other = scope.spawn(|| harness.ask(&submission("codex", edit("other", "one", "1"))));
        harness.wait_for(|session| session.files.len() == 1);
        assert_eq!(harness.session.lock().unwrap().files[0].path, "other");
        fs::write(&open, "").unwrap();
        harness.wait_for(|session| session.files.len() == 3);
        let is_by_rule = |session: &ReviewSession| {
            let hunks = session.hunks();
            let by_rule = hunks.filter_map(|(_, hunk)| Some(hunk.by_policy()?.rule.clone()));
            by_rule.collect::<Vec<_>>() == ["generated"]
        };
        harness.wait_for(is_by_rule);
        harness.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
        for client in [made, other] {
            assert_eq!(client.join().unwrap().unwrap().status, Status::Applied);
        }
    });
    assert_eq!(harness.read("sorted"), "a\nb\nc\n");
    harness.close(Ending::Write);
}

#[test]
fn a_whole_text_keeps_what_was_written_since_it_came() {
    let files = [("a.txt", "one\ntwo\nthree\nfour\nfive\n")];
    let harness = Harness::open(&files, Duration::ZERO, nothing());
    let whole = "a.txt\n```\none\ntwo\nthree\nfour\n5\n```\n".to_owned();
    thread::scope(|scope| {
        let first = scope.spawn(|| harness.ask(&submission("claude", edit("a.txt", "one", "1"))));
        harness.wait_for(|session| session.files.len() == 1);
        let second = scope.spawn(|| harness.ask(&submission("codex", whole)));
        harness.wait_for(|session| session.files.len() == 2);
        harness.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
        first.join().unwrap().unwrap();
        harness.wait_for(|session| session.files[1].is_open());
        harness.decide(|session| {
            let hunk = HunkId { file: 1, hunk: 0 };
            session.decide(&Target::Hunk(hunk), Decision::Accepted);
        });
        let verdict = second.join().unwrap().unwrap();
        let merged = "the file has changed since your edit came, and your edit was merged into it";
        assert!(verdict.message.contains(merged), "{}", verdict.message);
    });
    assert_eq!(harness.read("a.txt"), "1\ntwo\nthree\nfour\n5\n");
    harness.close(Ending::Write);
}

#[test]
fn what_an_earlier_proposal_renames_is_named_by_its_new_name() {
    let patch = |lines: &str| format!("*** Begin Patch\n{lines}*** End Patch\n");
    let renames =
        patch("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+1\n two\n three\n four\n");
    let deletes = patch("*** Delete File: a.txt\n");
    for later in [edit("a.txt", "three", "3"), deletes] {
        let files = [("a.txt", "one\ntwo\nthree\nfour\n")];
        let harness = Harness::open(&files, Duration::ZERO, nothing());
        thread::scope(|scope| {
            let first = scope.spawn(|| harness.ask(&submission("claude", renames.clone())));
            harness.wait_for(|session| session.files.len() == 1);
            let second = scope.spawn(|| harness.ask(&submission("codex", later)));
            harness.wait_for(|session| session.files.len() == 2);
            harness.decide(|session| _ = session.decide(&Target::Rest, Decision::Accepted));
            assert_eq!(first.join().unwrap().unwrap().status, Status::Applied);
            let verdict = second.join().unwrap().unwrap();
            assert_eq!(verdict.status, Status::Refused);
            let place = "there is no such file; its lines are in `b.txt` now";
            assert!(verdict.message.contains(place), "{}", verdict.message);
        });
        harness.close(Ending::Write);
    }
}
