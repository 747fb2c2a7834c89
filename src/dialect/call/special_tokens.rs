//! Tool calls as chat templates mark them: special tokens around the name of a tool and the JSON of its fields.
//!
//! They are in a text where the server did not parse them. The line begins with such a token, and the JSON begins on it or on
//! the first line of the code fence below:
//!
//! * Mistral: `[TOOL_CALLS] [{…}]`, `[TOOL_CALLS]NAME[ARGS]{…}`;
//! * Llama: `<|python_tag|>{…}`; `OpenAI`'s harmony: `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}`;
//! * `DeepSeek`: `<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME` and a fence, or the JSON at once;
//! * Kimi: `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}`; Phi: `functools[{…}]`;
//! * Functionary: `>>>NAME` and, below, the JSON;
//! * agents that reason and act in turn (`ReAct`): `Action: NAME` and, below, `Action Input: {…}`.
//!
//! The templates are those of the models' `tokenizer_config.json`; `openai/harmony docs/format.md`.

use serde_json::{Map, Value, json};

use crate::dialect::input::Input;
use crate::dialect::tool::{schema, tool_match};
use crate::text::{LineIdx, UniqueJson};

/// Beginnings of a line with a marked call.
const MARKS: [&str; 6] = ["<|", "<｜", "[TOOL_CALLS]", "functools[", "Action:", ">>>"];
/// The most bytes of a line before the JSON.
const LONGEST: usize = 400;

/// Reads the calls that begin on a line, and returns the first line after them.
pub(super) fn read(input: &Input, at: LineIdx) -> Option<(Value, LineIdx)> {
    let line = input.line(at)?;
    let marked = line.trim_start();
    if !MARKS.iter().any(|mark| marked.starts_with(mark)) {
        return None;
    }
    let text = input.tail(at);
    let mut calls = Vec::new();
    let mut end = line.len() - marked.len();
    while let Some(call) = next(&text[end..]) {
        end += call.end;
        calls.push(call.value);
    }
    (!calls.is_empty()).then(|| (calls.into(), input.line_at(at, end.saturating_sub(1)) + 1))
}

/// A call and the position after it.
struct Marked {
    value: Value,
    end: usize,
}

/// Reads the next call that begins on the first line of a text.
fn next(text: &str) -> Option<Marked> {
    let line = text.lines().next()?;
    // `[` may belong to a token or to the JSON.
    let starts = line.match_indices(['{', '[']).map(|(start, _)| start);
    let mut starts = starts.take_while(|start| *start < LONGEST);
    if let Some(start) = starts.find(|start| is_json(&text[*start..])) {
        let (fields, length) = value(&text[start..])?;
        let value = called(&line[..start], fields);
        return Some(Marked {
            value,
            end: start + length,
        });
    }
    let below = text.get(line.len()..)?.trim_start();
    let led = ["```json", "Action Input:"]
        .iter()
        .find_map(|lead| below.strip_prefix(lead));
    let at_once = || {
        let is_name = line.trim_start().starts_with(">>>") && is_json(below);
        is_name.then_some(below)
    };
    let below = led.or_else(at_once)?.trim_start();
    let (fields, length) = value(below)?;
    let end = text.len() - below.len() + length;
    let closing = text[end..].trim_start().strip_prefix("```");
    Some(Marked {
        value: called(line, fields),
        end: closing.map_or(end, |rest| text.len() - rest.len()),
    })
}

fn is_json(text: &str) -> bool {
    let inner = text.strip_prefix('[').map_or(text, str::trim_start);
    let fields = inner.strip_prefix('{').map(str::trim_start);
    fields.is_some_and(|fields| fields.is_empty() || fields.starts_with(['"', '}']))
}

/// Reads the value that a text begins with.
fn value(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<UniqueJson>();
    let UniqueJson(value) = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// The call of the tool that the text before the fields names; the value itself if it names none. The fields of a tool that is
/// not known are not read as those of another.
fn called(head: &str, value: Value) -> Value {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut words = head.split(|c: char| !is_part(c)).rev();
    let known = words.find(|word| schema::named(word).next().is_some());
    let unknown = || {
        let words = without_tokens(head);
        (!words.is_empty()).then_some(words)
    };
    let fields: Option<&Map<String, Value>> = value.as_object();
    let Some(fields) = fields.filter(|fields| known.is_some() || !tool_match::is_named(fields))
    else {
        return value;
    };
    match known.map(str::to_owned).or_else(unknown) {
        Some(name) => json!({ "name": name, "arguments": fields }),
        None => value,
    }
}

/// The words of a text that are outside of special tokens, without the marks that begin its line.
fn without_tokens(text: &str) -> String {
    const TOKENS: [(&str, &str); 3] = [("<|", "|>"), ("<｜", "｜>"), ("[", "]")];
    let mut words = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let token = TOKENS.iter().find_map(|(open, close)| {
            let inner = rest.strip_prefix(open)?;
            Some(inner.split_once(close).map_or("", |(_, after)| after))
        });
        if let Some(after) = token {
            words.push(' ');
            rest = after;
        } else {
            words.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    let words = words.trim_start_matches(['>', ' ']);
    let words = words.strip_prefix("Action:").unwrap_or(words);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::ReadReason;

    #[test]
    fn calls_are_between_special_tokens() {
        let check = |text: &str, expected: &str, lines: usize| {
            let input = Input::new(text, None, ReadReason::InTurn);
            let (value, end) = read(&input, 0).unwrap();
            let calls = value.as_array().unwrap().iter().map(|call| {
                let call = call.get(0).unwrap_or(call);
                format!("{} {}", call["name"].as_str().unwrap(), call["arguments"])
            });
            let calls: Vec<String> = calls.collect();
            assert_eq!(
                (calls.join("; ").as_str(), end),
                (expected, lines),
                "{text}"
            );
        };
        check(
            r#"[TOOL_CALLS] [{"name":"edit","arguments":{"a":1}}]"#,
            r#"edit {"a":1}"#,
            1,
        );
        check(
            r#"[TOOL_CALLS]edit[ARGS]{"a":1}[TOOL_CALLS]edit[ARGS]{"a":2}"#,
            r#"edit {"a":1}; edit {"a":2}"#,
            1,
        );
        check(
            r#"<|python_tag|>{"name":"edit","arguments":{"a":1}}<|eom_id|>"#,
            r#"edit {"a":1}"#,
            1,
        );
        check(
            r#"<|start|>assistant<|channel|>commentary to=functions.edit <|constrain|>json<|message|>{"a":1}<|call|>"#,
            r#"functions.edit {"a":1}"#,
            1,
        );
        check(
            "<|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>{\"a\":\n1}<|tool_call_end|>\nx",
            r#"functions.edit {"a":1}"#,
            2,
        );
        check(
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>edit\n```json\n{\"a\":1}\n```<｜tool▁call▁end｜>",
            r#"edit {"a":1}"#,
            4,
        );
        check(
            "Action: edit\nAction Input: {\"a\":\n1}\nObservation",
            r#"edit {"a":1}"#,
            3,
        );
    }

    #[test]
    fn other_lines_are_no_calls() {
        for text in [
            "<|im_start|>user\nAction",
            "[x] {\"a\":1}",
            "Action: write it {soon}",
            "<｜",
        ] {
            let input = Input::new(text, None, ReadReason::InTurn);
            assert!(read(&input, 0).is_none(), "{text}");
        }
    }
}
