//! What is sent, and what becomes of faults on the way.

use std::time::{Duration, Instant};

use countersign::agent::Cancel;
use countersign::agent::model::{ModelError, ModelProtocol};
use serde_json::json;

use crate::server::{Answer, Server, chat, status, tagged};
use crate::{AFTER, FILE, errand, service, sketch};

/// What comes of the answers of a service with chat completions.
fn outcome(answers: Vec<Answer>) -> (Result<(), ModelError>, usize) {
    let server = Server::start(answers);
    let service = service(server.endpoint.clone(), ModelProtocol::OpenAiChat);
    let result = errand(4096)
        .unwrap()
        .run(&service, &Cancel::new())
        .map(drop);
    (result, server.asked().len())
}

#[test]
fn every_style_is_spoken() {
    let relace = Answer::Says(200, "", json!({ "mergedCode": AFTER }).to_string());
    for (style, answer) in [
        (ModelProtocol::OpenAiChat, tagged(AFTER)),
        (
            ModelProtocol::OpenAiChat,
            chat(&format!("```rust\n{AFTER}```\n")),
        ),
        (ModelProtocol::Morph, chat(AFTER)),
        (ModelProtocol::Relace, relace),
    ] {
        let server = Server::start(vec![answer]);
        let service = service(server.endpoint.clone(), style);
        let hunk = errand(4096).unwrap().run(&service, &Cancel::new()).unwrap();
        assert!(
            hunk.body.postimage.contains(&"    flush();".to_owned()),
            "{style:?}"
        );
        let asked = server.asked();
        let [(head, body)] = asked.as_slice() else {
            panic!("{asked:?}");
        };
        assert!(head.starts_with("POST /v1 HTTP/1.1"), "{head}");
        assert!(
            head.to_lowercase().contains("authorization: bearer sesame"),
            "{head}"
        );
        assert_eq!(body["model"], "small");
        let said = body.to_string();
        assert!(
            said.contains("write();") && said.contains("flush();"),
            "{said}"
        );
        match style {
            ModelProtocol::OpenAiChat => assert_eq!(body["messages"][0]["role"], "system"),
            ModelProtocol::Morph => {
                let content = body["messages"][0]["content"].as_str().unwrap();
                assert!(content.starts_with("<instruction>"), "{content}");
                assert!(
                    content.contains(&format!("<code>{FILE}</code>\n<update>")),
                    "{content}"
                );
            }
            ModelProtocol::Relace => assert_eq!(body["initialCode"], FILE),
        }
    }
}

#[test]
fn a_sketch_is_sent_as_it_is() {
    let server = Server::start(vec![chat(AFTER)]);
    let service = service(server.endpoint.clone(), ModelProtocol::Morph);
    assert!(sketch().run(&service, &Cancel::new()).is_ok());
    let asked = server.asked();
    let content = asked[0].1["messages"][0]["content"].as_str().unwrap();
    let update = "<update>// ... existing code ...\n    flush();\n    unlock();\n</update>";
    assert!(content.ends_with(update), "{content}");
}

#[test]
fn a_service_that_is_busy_is_asked_again() {
    let good = tagged(AFTER);
    let later = Answer::Says(429, "Retry-After: 0\r\n", String::new());
    assert_eq!(outcome(vec![later, good.clone()]), (Ok(()), 2));
    assert_eq!(
        outcome(vec![status(503), status(500), good.clone()]),
        (Ok(()), 3)
    );
    assert_eq!(outcome(vec![Answer::CutOff, good]), (Ok(()), 2));
}

#[test]
fn what_does_not_pass_is_an_error() {
    let failed = |status| Err(ModelError::Status { status });
    assert_eq!(outcome(vec![status(500)]), (failed(500), 3));
    assert_eq!(outcome(vec![status(401)]), (failed(401), 1));
    let moved = Answer::Says(302, "Location: http://127.0.0.1:1/\r\n", String::new());
    assert_eq!(outcome(vec![moved]), (failed(302), 1));
    let (result, asked) = outcome(vec![Answer::CutOff]);
    assert!(
        matches!(result, Err(ModelError::NoAnswer { .. })),
        "{result:?}"
    );
    assert_eq!(asked, 3);
}

#[test]
fn a_service_that_is_slow_is_given_up() {
    let server = Server::start(vec![Answer::Silence(Duration::from_secs(59))]);
    let mut service = service(server.endpoint.clone(), ModelProtocol::OpenAiChat);
    service.timeout = Duration::from_millis(300);
    let begun = Instant::now();
    let result = errand(4096).unwrap().run(&service, &Cancel::new());
    assert!(
        matches!(result, Err(ModelError::NoAnswer { .. })),
        "{result:?}"
    );
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn sizes_have_an_end() {
    let long = tagged(&AFTER.repeat(100));
    assert_eq!(
        outcome(vec![long]),
        (Err(ModelError::TooLong { most: 4096 }), 1)
    );
    let bytes = FILE.len();
    let small = errand(100).map(drop);
    assert_eq!(small, Err(ModelError::TooLarge { bytes, most: 50 }));
    let server = Server::start(vec![tagged(AFTER)]);
    let mut service = service(server.endpoint.clone(), ModelProtocol::OpenAiChat);
    service.most_bytes = 300;
    let result = errand(4096)
        .unwrap()
        .run(&service, &Cancel::new())
        .map(drop);
    assert!(
        matches!(result, Err(ModelError::TooLarge { .. })),
        "{result:?}"
    );
    assert!(server.asked().is_empty());
}
