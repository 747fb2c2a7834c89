//! Whatever a person makes of a file, the amended input makes exactly that of it, to the letter and in one place only.

use countersign::agent::Approved;
use countersign::agent::hook::{Agent, Allowed, FileOutcome, HookRequest, allowed, read};
use countersign::text::Document;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The input that makes `approved` of `base`; none if countersign writes.
fn input(agent: Agent, call: &Value, base: &str, approved: &str) -> Option<Map<String, Value>> {
    let Ok(HookRequest::Write(call)) = read(agent, call.to_string().as_bytes()) else {
        panic!("{call}")
    };
    let base = Document::from_text(base);
    let outcome = FileOutcome {
        path: "f",
        rename: None,
        base: Some(&base),
        approved: &Approved::Text(approved.to_owned()),
        is_amended: true,
    };
    match allowed(&call, &[outcome]) {
        Allowed::Amended(input) => Some(input),
        Allowed::AsSent => Some(call.args),
        Allowed::Impossible => None,
    }
}

/// Codex' way with an envelope, for lines that stand there to the letter: each hunk at its first place after the last. `same` is
/// what the client makes of a line before it compares.
fn patched(envelope: &str, base: &str, same: fn(&str) -> String) -> Option<String> {
    let hunks = envelope
        .strip_prefix("*** Begin Patch\n*** Update File: f\n@@\n")?
        .strip_suffix("*** End Patch")?;
    let lines: Vec<&str> = base.split_inclusive('\n').collect();
    let compared: Vec<String> = lines.iter().map(|line| same(line)).collect();
    let (mut text, mut from) = (String::new(), 0);
    for hunk in hunks.split("@@\n") {
        let (mut old, mut new) = (Vec::new(), String::new());
        for line in hunk.split_inclusive('\n') {
            let (sign, rest) = line.split_at(1);
            if sign != "+" {
                old.push(same(rest));
            }
            if sign != "-" {
                new.push_str(rest);
            }
        }
        let places = |from: usize| {
            (from..=lines.len())
                .filter(|&at| compared[at..].starts_with(&old))
                .collect::<Vec<_>>()
        };
        assert_eq!(places(0).len(), 1, "{envelope} in {base:?}");
        let at = *places(from).first()?;
        text.push_str(&lines[from..at].concat());
        text.push_str(&new);
        from = at + old.len();
    }
    text.push_str(&lines[from..].concat());
    Some(text)
}

/// Few different lines, so that most stand in several places.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![Just("a"), Just("b"), Just(""), Just("  a"), Just("c c")];
    (prop::collection::vec(line, 0..14), any::<bool>()).prop_map(|(lines, ended)| {
        let text = lines.join("\n");
        if ended && !lines.is_empty() {
            text + "\n"
        } else {
            text
        }
    })
}

/// Lines that differ in the kind of their dashes and quotes.
fn typographic() -> impl Strategy<Value = String> {
    let line = prop::sample::select(
        &[
            "a-b\n",
            "a\u{2013}b\n",
            "\"c\"\n",
            "\u{201c}c\u{201d}\n",
            "d\n",
        ][..],
    );
    prop::collection::vec(line, 1..14).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn a_replacement(base in text(), approved in text(), old in "[ab]{1,2}") {
        for (agent, call) in [
            (Agent::Claude, json!({"cwd": "/", "tool_name": "Edit", "tool_input": {"file_path": "f", "old_string": old, "new_string": "x"}})),
            (Agent::Gemini, json!({"cwd": "/", "tool_name": "replace", "tool_input": {"file_path": "f", "old_string": old, "new_string": "x"}})),
            (Agent::Opencode, json!({"directory": "/", "tool": "edit", "args": {"filePath": "f", "oldString": old, "newString": "x"}})),
        ] {
            let Some(input) = input(agent, &call, &base, &approved) else { continue };
            let [old, new] = if agent == Agent::Opencode { ["oldString", "newString"] } else { ["old_string", "new_string"] }
                .map(|name| input[name].as_str().unwrap());
            if base.is_empty() {
                prop_assert_eq!((old, new), ("", approved.as_str()));
                continue;
            }
            prop_assert_eq!(base.matches(old).count(), 1, "{:?}", input);
            let mut made = base.replacen(old, new, 1);
            if agent == Agent::Gemini && base.ends_with('\n') && !made.ends_with('\n') {
                made.push('\n');
            }
            let line_goes = new.is_empty() && agent == Agent::Claude && !old.ends_with('\n');
            prop_assert!(made == approved || line_goes, "{:?}: {:?}", input, made);
        }
    }

    #[test]
    fn an_envelope(base in text(), approved in text()) {
        let call = json!({"cwd": "/", "tool_name": "apply_patch", "tool_input": {"command": ""}});
        prop_assume!(base != approved);
        if let Some(input) = input(Agent::Codex, &call, &base, &approved) {
            let envelope = input["command"].as_str().unwrap();
            prop_assert_eq!(patched(envelope, &base, str::to_owned), Some(approved));
        } else {
            let ended = |text: &str| text.is_empty() || text.ends_with('\n');
            prop_assert!(!ended(&base) || !ended(&approved), "{:?} {:?}", base, approved);
        }
    }

    /// Droid takes dashes and quotes of every kind for each other.
    #[test]
    fn an_envelope_of_droid(base in typographic(), approved in typographic()) {
        let call = json!({"cwd": "/", "tool_name": "ApplyPatch", "tool_input": {"input": ""}});
        prop_assume!(base != approved);
        let input = input(Agent::Droid, &call, &base, &approved).expect("an envelope");
        let envelope = input["input"].as_str().unwrap();
        let plain = |line: &str| line.replace('\u{2013}', "-").replace(['\u{201c}', '\u{201d}'], "\"");
        prop_assert_eq!(patched(envelope, &base, plain), Some(approved));
    }
}
