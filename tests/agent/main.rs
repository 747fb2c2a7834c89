//! The server of the resident reviewer, with clients that misbehave.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod caller;

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use countersign::agent::{
    Cancel, ClientError, ClientEvent, Denial, Limits, PendingDocument, PendingQuestion, Refused,
    Request, ReviewerMessage, Submission, ask,
};
use countersign::review::Decision;

use caller::{Caller, Open, PATIENCE, tight};

fn withdrawn(id: String) -> ReviewerMessage {
    ReviewerMessage::Withdrawn { id }
}

#[test]
fn garbage_is_refused_and_its_sender_sent_away() {
    let open = Open::new(Limits {
        bytes: 1 << 20,
        ..tight()
    });
    let long = [b'x'; 5000];
    let cases: [(&[u8], Denial); 8] = [
        (b"\n", Denial::Malformed),
        (b"hello\n", Denial::Malformed),
        (b"\xff\xfe\x00\n", Denial::Malformed),
        (b"{}\n", Denial::Malformed),
        (b"{\"v\":1,\"type\":\"submit\"}\n", Denial::Malformed),
        (b"{\"v\":2,\"type\":\"ping\"}\n", Denial::Version),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", Denial::Malformed),
        (&long, Denial::TooLarge),
    ];
    for (bytes, expected) in cases {
        let mut caller = open.call();
        caller.raw(bytes);
        let (code, message) = caller.refused();
        assert_eq!(code, expected, "{message}");
        caller.expect_hung_up();
    }
    open.expect_alive();
    assert!(
        open.events.try_recv().is_err(),
        "nothing of it came through"
    );
}

#[test]
fn deep_nesting_is_garbage_too() {
    let open = Open::new(Limits::default());
    let mut caller = open.call();
    caller.raw(b"{\"v\":1,\"type\":\"submit\",\"input\":");
    caller.raw(&vec![b'['; 1 << 20]);
    caller.raw(b"\n");
    assert_eq!(caller.refused().0, Denial::Malformed);
    open.expect_alive();
}

#[test]
fn half_a_line_is_no_proposal() {
    let open = Open::new(tight());
    let mut caller = open.call();
    caller.raw(b"{\"v\":1,\"type\":\"submit\",\"id\":\"1\",\"agent\":\"a\",\"input\":\"x\"}");
    drop(caller);
    // One that stalls in the middle is sent away.
    let mut staller = open.call();
    staller.raw(b"{\"v\":1,");
    staller.expect_hung_up();
    open.expect_alive();
    assert!(open.events.try_recv().is_err());
}

#[test]
fn a_client_that_waits_hears_that_somebody_is_there() {
    let open = Open::new(tight());
    let mut caller = open.call();
    caller.submit("one", "x");
    let ticket = open.submitted();
    open.server.confirm_queued(ticket, 4);
    let id = || "one".to_owned();
    let position = 4;
    assert_eq!(
        caller.hear(),
        Some(ReviewerMessage::Accepted { id: id(), position })
    );
    for _ in 0..3 {
        assert_eq!(caller.hear(), Some(ReviewerMessage::Waiting { id: id() }));
    }
    assert!(open.server.answer(ticket, withdrawn));
    assert!(
        !open.server.answer(ticket, withdrawn),
        "one answer and no more"
    );
    while let Some(reply) = caller.hear() {
        if reply == withdrawn(id()) {
            caller.say(&Request::Ping);
            assert_eq!(
                caller.hear(),
                Some(ReviewerMessage::Pong),
                "nothing else comes"
            );
            return;
        }
        assert_eq!(reply, ReviewerMessage::Waiting { id: id() });
    }
    panic!("no answer came");
}

#[test]
fn another_terminal_asks_and_decides() {
    let open = Open::new(tight());
    let mut caller = open.call();
    let question = PendingQuestion {
        id: "one".to_owned(),
        proposal: None,
    };
    caller.say(&Request::Pending(question.clone()));
    let event = open.event();
    let ClientEvent::Asked {
        ticket,
        question: heard,
    } = event
    else {
        panic!("{event:?}");
    };
    assert_eq!(heard, question);
    // It hears that somebody is there, as an agent does.
    let id = || "one".to_owned();
    assert_eq!(caller.hear(), Some(ReviewerMessage::Waiting { id: id() }));
    let pending = || Box::new(PendingDocument::of(Vec::new()));
    assert!(open.server.answer(ticket, |id| ReviewerMessage::Pending {
        id,
        pending: pending()
    }));
    let expected = ReviewerMessage::Pending {
        id: id(),
        pending: pending(),
    };
    while let Some(reply) = caller.hear().filter(|reply| *reply != expected) {
        assert_eq!(reply, ReviewerMessage::Waiting { id: id() });
    }
    caller.raw(b"{\"v\":1,\"type\":\"decide\",\"id\":\"2\",\"proposal\":\"1-3fa9c1\",\"decision\":\"accepted\"}\n");
    let event = open.event();
    let ClientEvent::Decided { ticket, decision } = event else {
        panic!("{event:?}");
    };
    assert_eq!(
        (decision.decision, decision.hunks.len()),
        (Decision::Accepted, 0)
    );
    // One that goes away before the answer has withdrawn nothing but its request.
    drop(caller);
    open.withdrawn(ticket);
    let mut caller = open.call();
    caller.raw(
        b"{\"v\":1,\"type\":\"decide\",\"id\":\"2\",\"proposal\":\"1\",\"decision\":\"yes\"}\n",
    );
    assert_eq!(caller.refused().0, Denial::Malformed);
    open.expect_alive();
}

#[test]
fn a_client_that_dies_has_withdrawn() {
    let open = Open::new(tight());
    let mut caller = open.call();
    caller.submit("one", "x");
    caller.submit("two", "x");
    let (one, two) = (open.submitted(), open.submitted());
    drop(caller);
    let gone: Vec<u64> = [open.event(), open.event()]
        .into_iter()
        .map(|event| {
            let ClientEvent::Withdrawn { ticket } = event else {
                panic!("{event:?}");
            };
            ticket
        })
        .collect();
    assert!(gone.contains(&one) && gone.contains(&two));
    // And one that thinks better of it.
    let mut caller = open.call();
    caller.submit("three", "x");
    let three = open.submitted();
    caller.say(&Request::Withdraw {
        id: "three".to_owned(),
    });
    open.withdrawn(three);
    caller.say(&Request::Withdraw {
        id: "four".to_owned(),
    });
    let (code, message) = caller.refused();
    assert_eq!(
        (code, message.as_str()),
        (Denial::Malformed, "no proposal of this name waits")
    );
}

#[test]
fn names_are_taken_once() {
    let open = Open::new(tight());
    let (mut first, mut second) = (open.call(), open.call());
    first.submit("same", "x");
    let ticket = open.submitted();
    second.submit("same", "y");
    assert_eq!(second.refused().0, Denial::Duplicate);
    open.server.answer(ticket, withdrawn);
    second.submit("same", "y");
    open.submitted();
}

#[test]
fn too_many_and_too_large_is_refused() {
    let open = Open::new(tight());
    let mut caller = open.call();
    for id in ["1", "2", "3"] {
        caller.submit(id, "x");
        open.submitted();
    }
    caller.submit("4", "x");
    assert_eq!(
        caller.refused(),
        (Denial::TooMany, "3 proposals wait already".to_owned())
    );
    drop(caller);
    for _ in 0..3 {
        let ClientEvent::Withdrawn { ticket } = open.event() else {
            panic!("they withdraw");
        };
        open.server.answer(ticket, withdrawn);
    }

    let big = "x".repeat(1900);
    let mut callers: Vec<Caller> = (0..3).map(|_| open.call()).collect();
    for (id, caller) in callers.iter_mut().enumerate() {
        caller.submit(&format!("big{id}"), &big);
    }
    let replies: Vec<Option<ReviewerMessage>> = callers.iter_mut().map(Caller::hear).collect();
    let refused = |reply: &&Option<ReviewerMessage>| {
        let too_many = Denial::TooMany;
        matches!(reply, Some(ReviewerMessage::Refused(Refused { code, .. })) if *code == too_many)
    };
    assert!(
        replies.iter().filter(refused).count() >= 1,
        "4096 bytes hold two of them"
    );
}

#[test]
fn who_says_too_much_is_sent_away() {
    let open = Open::new(tight());
    let mut flood = open.call();
    for _ in 0..50 {
        flood.raw(b"{\"v\":1,\"type\":\"ping\"}\n");
    }
    let mut pongs = 0;
    loop {
        match flood.hear() {
            Some(ReviewerMessage::Pong) => pongs += 1,
            Some(ReviewerMessage::Refused(Refused {
                code: Denial::TooMany,
                ..
            })) => break,
            other => panic!("{other:?} after {pongs}"),
        }
    }
    assert_eq!(pongs, 20);
}

#[test]
fn too_many_clients_are_not_let_in() {
    let open = Open::new(tight());
    let mut callers: Vec<Caller> = (0..8).map(|_| open.call()).collect();
    for caller in &mut callers {
        caller.say(&Request::Ping);
        assert_eq!(caller.hear(), Some(ReviewerMessage::Pong));
    }
    let mut ninth = open.call();
    assert_eq!(ninth.refused().0, Denial::TooMany);
    drop(callers);
    // They are gone soon, and then there is room again.
    let until = Instant::now() + PATIENCE;
    loop {
        let mut caller = open.call();
        caller.raw(b"{\"v\":1,\"type\":\"ping\"}\n");
        if caller.hear() == Some(ReviewerMessage::Pong) {
            break;
        }
        assert!(Instant::now() < until);
    }
}

#[test]
fn a_client_that_does_not_listen_holds_up_nobody() {
    let open = Open::new(Limits {
        lines: usize::MAX,
        ..tight()
    });
    let mut deaf = open.call();
    deaf.submit("deaf", "x");
    let ticket = open.submitted();
    deaf.stream
        .set_write_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    // It asks and asks and never reads an answer, until the server gives it up.
    let until = Instant::now() + PATIENCE;
    while deaf
        .stream
        .write_all(b"{\"v\":1,\"type\":\"ping\"}\n".repeat(100).as_slice())
        .is_ok()
    {
        assert!(Instant::now() < until, "it is heard for ever");
    }
    open.expect_alive();
    open.withdrawn(ticket);
}

#[test]
fn a_door_that_closes_tells_those_who_wait() {
    let open = Open::new(tight());
    let root = open.root();
    let asked =
        std::thread::spawn(move || ask(&root, &Submission::new("test", "x"), None, &Cancel::new()));
    open.submitted();
    let Open { place, server, .. } = open;
    let path = server.path().to_owned();
    drop(server);
    match asked.join().unwrap() {
        Err(
            error @ ClientError::Refused {
                code: Denial::Closing,
                ..
            },
        ) => assert!(error.is_sure()),
        other => panic!("{other:?}"),
    }
    assert!(!path.exists());
    let nobody = ask(
        place.path(),
        &Submission::new("test", "x"),
        None,
        &Cancel::new(),
    );
    assert!(matches!(nobody, Err(ClientError::Nobody(_))));
}

#[test]
fn a_flood_of_garbage_from_many_sides_is_survived() {
    let open = Open::new(Limits {
        connections: 64,
        ..tight()
    });
    let path = open.server.path().to_owned();
    std::thread::scope(|scope| {
        for seed in 0_u8..16 {
            let path = &path;
            scope.spawn(move || {
                for round in 0_u8..20 {
                    let Ok(mut stream) = UnixStream::connect(path) else {
                        continue;
                    };
                    let bytes: Vec<u8> = (0..200_u8)
                        .map(|n| n.wrapping_mul(seed).wrapping_add(round))
                        .collect();
                    let _ = stream.write_all(&bytes);
                    if round % 3 == 0 {
                        let _ = stream.write_all(b"\n");
                        let mut answer = Vec::new();
                        let _ = stream.read_to_end(&mut answer);
                    }
                }
            });
        }
    });
    open.expect_alive();
    assert!(open.events.try_recv().is_err());
}
