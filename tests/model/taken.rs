//! Which answers are taken.

use countersign::agent::Cancel;
use countersign::agent::model::{ModelError, ModelProtocol};

use crate::server::{Answer, Server, chat, tagged};
use crate::{AFTER, FILE, errand, service};

/// What comes of one answer.
fn outcome(answer: Answer) -> Result<String, ModelError> {
    let server = Server::start(vec![answer]);
    let service = service(server.endpoint.clone(), ModelProtocol::OpenAiChat);
    let hunk = errand(4096).unwrap().run(&service, &Cancel::new())?;
    assert_eq!(hunk.span.first.get(), 3);
    let half = |lines: &[String]| lines.join("|");
    let line = hunk.hint.map_or(0, countersign::text::LineNo::get);
    Ok(format!(
        "{line} {} => {}",
        half(&hunk.body.preimage),
        half(&hunk.body.postimage)
    ))
}

#[test]
fn a_whole_text_becomes_a_hunk() {
    assert_eq!(
        outcome(tagged(AFTER)).unwrap(),
        "4 }||fn close() {|    write();|    unlock();|} => }||fn close() {|    flush();|    unlock();|}"
    );
    assert_eq!(outcome(chat(AFTER)), outcome(tagged(AFTER)));
    assert_eq!(outcome(tagged(FILE)), Err(ModelError::NoChange));
}

#[test]
fn an_answer_that_is_cut_off_is_not_taken() {
    assert_eq!(
        outcome(chat("<updated_code>\nfn open() {")),
        Err(ModelError::CutOff)
    );
    assert_eq!(
        outcome(chat("```rust\nfn open() {")),
        Err(ModelError::CutOff)
    );
    let length = serde_json::json!({ "choices": [{ "message": { "content": AFTER }, "finish_reason": "length" }] });
    let cut = Answer::Says(200, "", length.to_string());
    assert_eq!(outcome(cut), Err(ModelError::CutOff));
    let cut = Answer::Says(200, "", "{\"choices\": [".to_owned());
    assert_eq!(outcome(cut), Err(ModelError::CutOff));
}

#[test]
fn an_answer_in_another_shape_is_not_taken() {
    for body in [
        "hello",
        "[]",
        "{\"mergedCode\": \"x\"}",
        "{\"choices\": []}",
    ] {
        let result = outcome(Answer::Says(200, "", body.to_owned()));
        assert!(
            matches!(result, Err(ModelError::Unreadable { .. })),
            "{body}: {result:?}"
        );
    }
}

#[test]
fn an_answer_that_leaves_lines_out_is_not_taken() {
    let elided = "// ... existing code ...\n\nfn close() {\n    flush();\n    unlock();\n}\n";
    let line = "// ... existing code ...".to_owned();
    assert_eq!(outcome(tagged(elided)), Err(ModelError::LeavesOut { line }));
}

#[test]
fn an_answer_that_changes_something_else_is_not_taken() {
    let lines: String = FILE.replace("fn open", &format!("{}fn open", "// x\n".repeat(30)));
    assert!(matches!(
        outcome(tagged(&lines)),
        Err(ModelError::FarAway { .. })
    ));
    let renamed = AFTER.replace("lock();\n    read", "lock_all();\n    read");
    assert_eq!(
        outcome(tagged(&renamed)),
        Err(ModelError::FarAway { line: 2 })
    );
    let short = "fn close() {\n    flush();\n    unlock();\n}\n";
    assert!(matches!(
        outcome(tagged(short)),
        Err(ModelError::FarAway { .. })
    ));
}
