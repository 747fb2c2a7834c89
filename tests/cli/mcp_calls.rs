//! Calls that the MCP server cannot read.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Sends a request to the server after the greeting, and returns its answer.
fn asked(method: &str, params: &Value) -> Value {
    let place = TempDir::new().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .arg("mcp")
        .current_dir(place.path())
        .env("HOME", place.path().join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let greeting = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"},
    });
    let mut send = |message: &Value| writeln!(input, "{message}").unwrap();
    send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting}));
    lines.next().unwrap().unwrap();
    send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    send(&json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}));
    let answer = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    drop(input);
    server.wait().unwrap();
    answer
}

#[test]
fn a_model_reads_what_is_wrong_with_its_arguments() {
    for arguments in [json!("text"), json!([]), json!(7)] {
        let answer = asked(
            "tools/call",
            &json!({"name": "edit_file", "arguments": arguments}),
        );
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let said = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(said.contains("and `arguments` an object"), "{answer}");
    }
    let answer = asked("tools/forget", &json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}
