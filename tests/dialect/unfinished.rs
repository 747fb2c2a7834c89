//! Messages that were cut off: their last edit is refused in every API.

use serde_json::{Value, json};

use crate::show::read;

fn args(name: &str) -> Value {
    json!({"file_path": name, "content": "a\n"})
}

/// Reads an input and compares which files are read, and which field is named for those that are refused.
#[track_caller]
fn check(input: &str, files: &[&str], cut: Option<&str>) {
    let read = read(input);
    for name in files {
        assert!(
            read.contains(&format!("O {name} ")),
            "{name}: {read}\n{input}"
        );
    }
    assert_eq!(
        read.lines().filter(|line| line.starts_with("O ")).count(),
        files.len(),
        "{read}\n{input}"
    );
    match cut {
        Some(cut) => {
            let expected = format!("at the end of a message that was cut off (`{cut}`)");
            assert!(read.contains(&expected), "{expected}\n{read}\n{input}");
        }
        None => assert!(!read.contains('!'), "{read}\n{input}"),
    }
}

/// Joins values to server-sent events.
fn events(values: &[Value]) -> String {
    let lines = values.iter().map(|value| format!("data: {value}\n\n"));
    lines.collect()
}

#[test]
fn the_last_call_of_a_message_that_was_cut_off_is_refused() {
    let anthropic = |reason: &str| {
        let call = |name: &str| json!({"type": "tool_use", "id": name, "name": "Write", "input": args(name)});
        json!({"type": "message", "role": "assistant", "stop_reason": reason, "content": [call("a"), call("b")]})
    };
    check(&anthropic("tool_use").to_string(), &["a", "b"], None);
    let cut = anthropic("max_tokens");
    check(&cut.to_string(), &["a"], Some("stop_reason: max_tokens"));
    // As a line of a log, and within other objects.
    let line = json!({"type": "assistant", "message": cut});
    let other = json!({"type": "system", "content": "x"});
    check(
        &format!("{other}\n{line}\n{other}\n"),
        &["a"],
        Some("stop_reason: max_tokens"),
    );
    // The call was carried out as it is.
    let result = |id: &str| {
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": "ok"});
        json!({"type": "user", "message": {"role": "user", "content": [block]}})
    };
    let log = [line.clone(), result("a"), result("b")].map(|line| line.to_string());
    check(&log.join("\n"), &["a", "b"], None);

    let chat = |reason: &str| {
        let call = json!({"id": "1", "type": "function", "function": {"name": "Write", "arguments": args("a").to_string()}});
        json!({"choices": [{"index": 0, "finish_reason": reason, "message": {"role": "assistant", "tool_calls": [call]}}]})
    };
    check(&chat("tool_calls").to_string(), &["a"], None);
    check(
        &chat("length").to_string(),
        &[],
        Some("finish_reason: length"),
    );

    let gemini = |reason: &str| {
        let call = json!({"functionCall": {"name": "write_file", "args": args("a")}});
        json!({"candidates": [{"finishReason": reason, "content": {"role": "model", "parts": [call]}}]})
    };
    check(&gemini("STOP").to_string(), &["a"], None);
    let cut = gemini("MAX_TOKENS");
    check(&cut.to_string(), &[], Some("finishReason: MAX_TOKENS"));
    check(&events(&[cut]), &[], Some("finishReason: MAX_TOKENS"));

    let response = |status: &str| {
        let call = json!({"type": "function_call", "call_id": "c", "name": "Write", "arguments": args("a").to_string()});
        json!({"object": "response", "status": status, "output": [call]})
    };
    check(&response("completed").to_string(), &["a"], None);
    let cut = response("incomplete");
    check(&cut.to_string(), &[], Some("status: incomplete"));
    let event = json!({"type": "response.incomplete", "response": cut});
    check(&events(&[event]), &[], Some("status: incomplete"));

    let bedrock = |reason: &str| {
        let call = json!({"toolUse": {"toolUseId": "1", "name": "Write", "input": args("a")}});
        json!({"output": {"message": {"role": "assistant", "content": [call]}}, "stopReason": reason})
    };
    check(&bedrock("tool_use").to_string(), &["a"], None);
    let cut = bedrock("max_tokens");
    check(&cut.to_string(), &[], Some("stopReason: max_tokens"));

    // A message that is not known.
    let call = json!({"id": "1", "name": "Write", "input": args("a")});
    let unknown = json!({"predictions": [{"finish_reason": "length", "x": call}]});
    check(&unknown.to_string(), &[], Some("finish_reason: length"));
}

#[test]
fn the_last_call_of_a_stream_that_was_cut_off_is_refused() {
    let anthropic = |reason: &str| {
        let block = json!({"type": "tool_use", "id": "1", "name": "Write", "input": {}});
        let delta = json!({"type": "input_json_delta", "partial_json": args("a").to_string()});
        events(&[
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
            json!({"type": "message_stop"}),
        ])
    };
    check(&anthropic("tool_use"), &["a"], None);
    check(
        &anthropic("max_tokens"),
        &[],
        Some("stop_reason: max_tokens"),
    );
    let chat = |reason: &str| {
        let function = json!({"name": "Write", "arguments": args("a").to_string()});
        let delta = json!({"tool_calls": [{"index": 0, "id": "1", "function": function}]});
        events(&[
            json!({"choices": [{"index": 0, "delta": delta}]}),
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        ])
    };
    check(&chat("tool_calls"), &["a"], None);
    check(&chat("length"), &[], Some("finish_reason: length"));
    let start = json!({"toolUse": {"toolUseId": "1", "name": "Write"}});
    let text = args("a").to_string();
    let delta = |text: &str| {
        let delta = json!({"toolUse": {"input": text}});
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": delta}})
    };
    let bedrock = events(&[
        json!({"contentBlockStart": {"contentBlockIndex": 0, "start": start}}),
        delta(&text[..9]),
        delta(&text[9..]),
        json!({"contentBlockStop": {"contentBlockIndex": 0}}),
        json!({"messageStop": {"stopReason": "max_tokens"}}),
    ]);
    check(&bedrock, &[], Some("stopReason: max_tokens"));
}

#[test]
fn the_last_edit_in_a_text_that_was_cut_off_is_refused() {
    let check = |input: &str, expected: &str| {
        let read = read(input);
        assert!(read.contains(expected), "{read}\n{input}");
        assert!(read.starts_with("M a") && !read.contains("M b"), "{read}");
    };
    let edit =
        |name: &str| format!("{name}\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n\n");
    let text = edit("a") + &edit("b");
    let message = json!({"role": "assistant", "stop_reason": "max_tokens", "content": [{"type": "text", "text": text}]});
    let expected = "the last edit of a message that was cut off (`stop_reason: max_tokens`)";
    check(&message.to_string(), expected);
    let expected = "the last edit of a message that was cut off (`finish_reason: length`)";
    let choice =
        json!({"finish_reason": "length", "message": {"role": "assistant", "content": text}});
    check(&json!({ "choices": [choice] }).to_string(), expected);
    let chunk = |text: &str| json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]});
    check(
        &events(&[chunk(&edit("a")), chunk(&edit("b")), end]),
        expected,
    );
    let expected = "the last edit of a message that was cut off (`done_reason: length`)";
    let piece = json!({"response": text, "done": true, "done_reason": "length"});
    check(&piece.to_string(), expected);
}
