//! Messages that state an edit in two ways: several answers to one request, and a call with its fields twice.

use serde_json::{Value, json};

use crate::show::read;

fn call(name: &str, text: &str) -> Value {
    let arguments = json!({"file_path": name, "content": text}).to_string();
    json!({"id": name, "type": "function", "function": {"name": "Write", "arguments": arguments}})
}

#[track_caller]
fn check(input: &str, expected: &str) {
    let read = read(input);
    let is_right = match expected.strip_prefix("! ") {
        Some(found) => read.starts_with("! ") && read.contains(found) && !read.contains('\n'),
        None => read == expected,
    };
    assert!(is_right, "{read}\n{expected}\n{input}");
}

#[test]
fn several_answers_are_no_batch() {
    let choice = |names: &[&str]| {
        let calls: Vec<Value> = names.iter().map(|name| call(name, "x\n")).collect();
        json!({"message": {"role": "assistant", "content": "x", "tool_calls": calls}})
    };
    let choices = |first: &[&str], second: &[&str]| {
        let choices = [choice(first), choice(second)];
        json!({ "choices": choices }).to_string()
    };
    let differing = "! a response with 2 choices that hold different edits, expected one of them";
    check(&choices(&["a"], &["b"]), differing);
    check(&choices(&["a"], &["a", "b"]), differing);
    check(&choices(&["a"], &["a"]), "O a +nl [=>x;]");
    check(&choices(&[], &["a"]), "O a +nl [=>x;]");
    let candidate = |name: &str| {
        let args = json!({"file_path": name, "content": "x\n"});
        json!({"content": {"role": "model", "parts": [{"functionCall": {"name": "write_file", "args": args}}]}})
    };
    let candidates = json!({"candidates": [candidate("a"), candidate("b")]});
    check(&candidates.to_string(), "! that hold different edits");
}

#[test]
fn several_answers_of_a_stream_are_not_mixed() {
    let chunk = |index: usize, delta: Value| {
        let event = json!({"choices": [{"index": index, "delta": delta}]});
        format!("data: {event}\n\n")
    };
    let said = |text: &str| json!({ "content": text });
    let calls = |mut call: Value| {
        call["index"] = 0.into();
        json!({"tool_calls": [call]})
    };
    let (a, b) = (call("a", "x\n"), call("b", "x\n"));
    let stream = chunk(0, calls(a.clone())) + &chunk(1, calls(b));
    check(
        &stream,
        "! a response with 2 choices that hold different edits",
    );
    let stream = chunk(0, said("x")) + &chunk(1, calls(a.clone()));
    check(&stream, "O a +nl [=>x;]");
    let stream = chunk(1, calls(a));
    check(&stream, "O a +nl [=>x;]");
}

#[test]
fn several_texts_with_edits_are_refused() {
    let edit = |new: &str| format!("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+{new}\n");
    let choice = |text: &str| json!({"message": {"role": "assistant", "content": text}});
    let choices = |texts: &[&str]| {
        let choices: Vec<Value> = texts.iter().map(|text| choice(text)).collect();
        json!({ "choices": choices }).to_string()
    };
    let (b, c) = (edit("b"), edit("c"));
    check(
        &choices(&[&b, &c]),
        "! several answers that hold different edits",
    );
    check(&choices(&[&b, &b]), "M f 1 [a;=>b;]");
    check(&choices(&["I cannot.", &b]), "M f 1 [a;=>b;]");
    check(&choices(&[&b, "I cannot.", &c]), "! several answers");
}

#[test]
fn a_call_with_its_fields_twice_is_refused() {
    let args = |name: &str| json!({"file_path": name, "content": "x\n"});
    let call = |one: Value, other: Value| {
        json!({"name": "Write", "input": one, "arguments": other}).to_string()
    };
    check(
        &call(args("a"), args("b")),
        "! a call of `Write` with `arguments` and `input`, which differ, expected its fields once",
    );
    check(&call(args("a"), args("a")), "O a +nl [=>x;]");
    check(
        &call(args("a"), args("a").to_string().into()),
        "O a +nl [=>x;]",
    );
}
