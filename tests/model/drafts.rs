//! Lines that are to be changed as a person says.

use countersign::agent::Cancel;
use countersign::agent::model::{Draft, ModelError, ModelProtocol};
use countersign::text::Document;

use crate::server::{Answer, Server, chat, status, tagged};
use crate::{FILE, service};

/// A draft of the lines `write();` and `unlock();`.
fn draft(most_bytes: usize) -> Result<Draft, ModelError> {
    let text = Document::from_text(FILE);
    Draft::new("src/door.rs", &text, 6..8, "Flush first.", most_bytes)
}

/// What comes of an answer.
fn outcome(answer: &str) -> Result<String, ModelError> {
    let server = Server::start(vec![tagged(answer)]);
    let service = service(server.endpoint.clone(), ModelProtocol::OpenAiChat);
    let lines = draft(4096).unwrap().run(&service, &Cancel::new())?;
    Ok(lines.join("|"))
}

fn replaced(from: &str, to: &str) -> String {
    FILE.replacen(from, to, 1)
}

#[test]
fn the_lines_alone_change() {
    for (from, to, expected) in [
        (
            "    write();",
            "    flush();\n    write();",
            "    flush();|    write();|    unlock();",
        ),
        ("    write();\n    unlock();\n", "", ""),
        (
            "    unlock();\n",
            "    unlock();\n    done();\n",
            "    write();|    unlock();|    done();",
        ),
        ("    write();", "}", "}|    unlock();"),
    ] {
        assert_eq!(
            outcome(&replaced(from, to)).as_deref(),
            Ok(expected),
            "{to}"
        );
    }
    let far = |line| Err(ModelError::FarAway { line });
    assert_eq!(outcome(&replaced("open", "opened")), far(1));
    assert_eq!(outcome(&replaced("}\n\n", "}\n")), far(5));
    assert_eq!(outcome(FILE.strip_suffix("}\n").unwrap()), far(9));
    assert_eq!(outcome("    flush();\n    write();\n"), far(1));
    assert_eq!(outcome(FILE), Err(ModelError::NoChange));
    let line = "// ... rest of the code ...".to_owned();
    let elided = replaced("    write();", &format!("    {line}"));
    assert_eq!(outcome(&elided), Err(ModelError::LeavesOut { line }));
}

#[test]
fn what_is_sent_says_which_lines_and_what() {
    let server = Server::start(vec![chat(&replaced("write", "flush"))]);
    let service = service(server.endpoint.clone(), ModelProtocol::Morph);
    assert!(draft(4096).unwrap().run(&service, &Cancel::new()).is_ok());
    let content = server.asked()[0].1["messages"][0]["content"].to_string();
    assert!(
        content.contains("Flush first.\\nChange only lines 7 to 8"),
        "{content}"
    );
    assert!(
        content.contains("<update>    write();\\n    unlock();\\n</update>"),
        "{content}"
    );
}

#[test]
fn as_much_around_the_lines_as_there_is_room_for_is_sent() {
    assert_eq!(
        draft(53).map(drop),
        Err(ModelError::TooLarge {
            bytes: 27,
            most: 26
        })
    );
    let server = Server::start(vec![chat("")]);
    let service = service(server.endpoint.clone(), ModelProtocol::Relace);
    let _ = draft(2 * (27 + 2 * 13))
        .unwrap()
        .run(&service, &Cancel::new());
    let code = server.asked()[0].1["initialCode"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(code, "fn close() {\n    write();\n    unlock();\n}\n");
}

#[test]
fn what_is_given_up_is_not_sent_again() {
    let server = Server::start(vec![status(503), Answer::Says(200, "", "{}".to_owned())]);
    let service = service(server.endpoint.clone(), ModelProtocol::OpenAiChat);
    let cancel = Cancel::new();
    cancel.cancel();
    let result = draft(4096).unwrap().run(&service, &cancel);
    assert_eq!(result, Err(ModelError::GivenUp));
    assert!(server.asked().is_empty());
}
