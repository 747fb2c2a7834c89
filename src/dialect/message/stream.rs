//! Streams of model APIs: the pieces of a message, joined to the message.
//!
//! * Anthropic: `content_block_start`, `content_block_delta`, `content_block_stop`, also within the `stream_event` of Claude
//!   Code; <https://docs.anthropic.com/en/docs/build-with-claude/streaming>.
//! * `OpenAI` Chat Completions: `chat.completion.chunk` with `choices[].delta`; Responses: the events that repeat an item in
//!   pieces are left out, `response.output_item.done` has it whole; <https://platform.openai.com/docs/api-reference/streaming>.
//!   The realtime API may send `response.function_call_arguments.done` alone.
//! * Bedrock: `contentBlockStart`, `contentBlockDelta`, `contentBlockStop`;
//!   <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html>.
//! * AG-UI: `TOOL_CALL_START`, `TOOL_CALL_ARGS`, `TOOL_CALL_END`, and the same of `TEXT_MESSAGE`; <https://docs.ag-ui.com/concepts/events>.
//! * Gemini: responses that have nothing but texts; <https://ai.google.dev/api/generate-content>.
//! * Ollama: messages or responses that are not `done`; <https://docs.ollama.com/api/streaming>.
//!
//! The events are lines of JSON, or `data:` lines of server-sent events
//! (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use super::alternatives;
use super::message_role;
use super::nested_json;
use super::unfinished;
use crate::dialect::input::Input;
use crate::text::{LineIdx, UniqueJson};

/// Fields of a server-sent event.
const FIELDS: [&str; 5] = ["data:", "event:", "id:", "retry:", ":"];

/// Returns `true` for a line with which a server-sent event may begin.
pub(in crate::dialect) fn may_begin(line: &str) -> bool {
    line.starts_with("data:") || line.starts_with("event:")
}

/// Server-sent events that follow each other.
#[derive(Debug)]
pub(in crate::dialect) struct Events {
    pub(in crate::dialect) values: Vec<(Range<LineIdx>, Value)>,
    /// The first line after them.
    pub(in crate::dialect) end: LineIdx,
    /// The line of an event that cannot be read, and what it is. It is the last one.
    pub(in crate::dialect) broken: Option<(LineIdx, String)>,
}

/// Reads the server-sent events from a line on.
pub(in crate::dialect) fn events(input: &Input, at: LineIdx) -> Events {
    let mut values = Vec::new();
    let mut end = at;
    let mut broken = None;
    for line in at..input.len() {
        let text = input.line(line).unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        if !FIELDS.iter().any(|field| text.starts_with(field)) {
            break;
        }
        end = line + 1;
        let data = text.strip_prefix("data:").map(str::trim_start);
        if let Some(data) = data.filter(|data| *data != "[DONE]") {
            match UniqueJson::parse(data.as_bytes()) {
                Ok(value) => values.push((line..line + 1, nested_json::unwrapped(value))),
                Err(error) => {
                    broken = Some((line, format!("a server-sent event with {error}")));
                    break;
                }
            }
        }
    }
    Events {
        values,
        end,
        broken,
    }
}

/// A stream with its messages whole.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Joined {
    pub(in crate::dialect) values: Vec<(Range<LineIdx>, Value)>,
    /// The first line of a call that the stream does not end, and its tool.
    pub(in crate::dialect) cut: Option<(LineIdx, String)>,
}

/// Joins the pieces among the values of a log.
pub(in crate::dialect) fn joined(values: Vec<(Range<LineIdx>, Value)>) -> Joined {
    let mut stream = MessageStream::default();
    // The answers after the first one, where a request has several.
    let mut others: BTreeMap<u64, MessageStream> = BTreeMap::new();
    for (lines, mut value) in values {
        let parts = (value.as_array_mut()).filter(|events| events.iter().any(is_part));
        let events = match parts {
            Some(parts) => std::mem::take(parts),
            None => vec![value],
        };
        for event in events {
            for (number, piece) in alternatives::split(message_role::piece(event)) {
                let stream = match number {
                    0 => &mut stream,
                    _ => others.entry(number).or_default(),
                };
                stream.take(lines.clone(), piece);
            }
        }
    }
    let mut joined = stream.finish();
    if !others.is_empty() {
        let mut answers = vec![joined.values];
        for other in others.into_values().map(MessageStream::finish) {
            joined.cut = joined.cut.or(other.cut);
            answers.push(other.values);
        }
        joined.values = vec![alternatives::joined(&answers)];
    }
    joined
}

/// A part of a message, of which more pieces may come.
#[derive(Debug)]
struct MessagePart {
    lines: Range<LineIdx>,
    index: (Protocol, u64),
    /// The part without its text.
    fields: Map<String, Value>,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    AgUi,
    Anthropic,
    Bedrock,
    ChatCall,
    ChatText,
    /// The texts of Gemini and of Ollama, whose pieces follow each other.
    Text,
}

/// The number of the call in the only field of a chat completion that may have one (`function_call`).
const LEGACY: u64 = u64::MAX;

#[derive(Debug, Default)]
struct MessageStream {
    joined: Joined,
    open: Vec<MessagePart>,
    /// Calls of the Responses API that were begun, by their names.
    items: Vec<(String, (LineIdx, String))>,
    /// The arguments of calls with the name of the tool, by the names of the items, which no event has whole.
    whole: Vec<(String, Range<LineIdx>, Value)>,
    /// The numbers of the calls and the texts of AG-UI, by their names.
    numbers: FxHashMap<String, u64>,
}

impl MessageStream {
    /// Ends what is open, and returns the messages.
    fn finish(mut self) -> Joined {
        let open = std::mem::take(&mut self.open);
        for part in open {
            self.close(part);
        }
        let whole: FxHashSet<&str> = self.whole.iter().map(|(id, ..)| id.as_str()).collect();
        for (id, (line, tool)) in self.items {
            if !id.is_empty() && !whole.contains(id.as_str()) {
                self.joined.cut.get_or_insert((line, tool));
            }
        }
        let whole = self.whole.into_iter();
        let whole = whole.map(|(_, lines, event)| (lines, event));
        self.joined.values.extend(whole);
        self.joined
    }

    fn take(&mut self, lines: Range<LineIdx>, event: Value) {
        let cut = unfinished::in_event(&event).map(|stated| (lines.clone(), stated));
        self.event(lines, event);
        if let Some((lines, stated)) = cut {
            for part in std::mem::take(&mut self.open) {
                self.close(part);
            }
            let message = unfinished::message(&stated);
            self.joined.values.push((lines, message));
        }
    }

    fn event(&mut self, lines: Range<LineIdx>, event: Value) {
        if let Some((said, is_last)) = text_piece(&event) {
            self.piece(&lines, (Protocol::Text, 0), Map::new(), said);
            if is_last {
                self.end((Protocol::Text, 0));
            }
            return;
        }
        self.end((Protocol::Text, 0));
        match text(&event, "type") {
            "content_block_start" => {
                let fields = event.get("content_block").and_then(Value::as_object);
                let fields = fields.cloned().unwrap_or_default();
                let index = (Protocol::Anthropic, number(&event, "index"));
                self.piece(&lines, index, fields, "");
            }
            "content_block_delta" => {
                let delta = event.get("delta").unwrap_or(&event);
                let piece = [text(delta, "partial_json"), text(delta, "text")].concat();
                let index = (Protocol::Anthropic, number(&event, "index"));
                self.piece(&lines, index, Map::new(), &piece);
            }
            "content_block_stop" => {
                self.end((Protocol::Anthropic, number(&event, "index")));
            }
            "response.output_item.added" => {
                let item = event.get("item").unwrap_or(&event);
                if text(item, "type").ends_with("_call") {
                    let begun = (lines.start, text(item, "name").to_owned());
                    self.items.push((text(item, "id").to_owned(), begun));
                }
            }
            "response.output_item.done" => {
                let id = event
                    .get("item")
                    .map_or("", |item| text(item, "id"))
                    .to_owned();
                self.items.retain(|(known, _)| *known != id);
                self.whole.retain(|(known, ..)| *known != id);
                self.joined.values.push((lines, event));
            }
            "response.function_call_arguments.done" if !text(&event, "name").is_empty() => {
                let id = text(&event, "item_id").to_owned();
                self.whole.push((id, lines, event));
            }
            "response.done" | "response.completed" => {
                self.whole.clear();
                self.joined.values.push((lines, event));
            }
            "TOOL_CALL_START" => {
                let names = [
                    ("type", "tool_use"),
                    ("id", text(&event, "toolCallId")),
                    ("name", text(&event, "toolCallName")),
                ];
                let fields = names.map(|(name, text)| (name.to_owned(), text.into()));
                let index = self.ag_ui(&event);
                self.piece(&lines, index, Map::from_iter(fields), "");
            }
            "TOOL_CALL_ARGS" | "TEXT_MESSAGE_CONTENT" => {
                let index = self.ag_ui(&event);
                self.piece(&lines, index, Map::new(), text(&event, "delta"));
            }
            "TOOL_CALL_END" | "TEXT_MESSAGE_END" => {
                let index = self.ag_ui(&event);
                self.end(index);
            }
            kind if is_repeated(kind) => (),
            _ => self.untyped(lines, event),
        }
    }

    /// The part of AG-UI that an event is of.
    fn ag_ui(&mut self, event: &Value) -> (Protocol, u64) {
        let name = [text(event, "toolCallId"), text(event, "messageId")].concat();
        let next = self.numbers.len() as u64;
        (Protocol::AgUi, *self.numbers.entry(name).or_insert(next))
    }

    /// Takes an event that its fields tell from others: a chunk of a chat completion with one choice, or an event of Bedrock.
    fn untyped(&mut self, lines: Range<LineIdx>, event: Value) {
        let choice = event.get("choices").and_then(|choices| choices.get(0));
        if let Some(delta) = choice.and_then(|choice| choice.get("delta")) {
            return self.chunk(&lines, delta);
        }
        let index = |part: &Value| (Protocol::Bedrock, number(part, "contentBlockIndex"));
        if let Some(part) = event.get("contentBlockStart") {
            let call = part.get("start").and_then(|start| start.get("toolUse"));
            let call = call.unwrap_or(&Value::Null);
            let names = [
                ("type", "tool_use"),
                ("id", text(call, "toolUseId")),
                ("name", text(call, "name")),
            ];
            let fields = names.map(|(name, text)| (name.to_owned(), text.into()));
            self.piece(&lines, index(part), Map::from_iter(fields), "");
        } else if let Some(part) = event.get("contentBlockDelta") {
            let delta = part.get("delta").unwrap_or(part);
            let call = delta.get("toolUse").map_or("", |call| text(call, "input"));
            let piece = [call, text(delta, "text")].concat();
            self.piece(&lines, index(part), Map::new(), &piece);
        } else if let Some(part) = event.get("contentBlockStop") {
            self.end(index(part));
        } else {
            self.joined.values.push((lines, event));
        }
    }

    /// Takes what a chunk of a chat completion adds.
    fn chunk(&mut self, lines: &Range<LineIdx>, delta: &Value) {
        let said = text(delta, "content");
        if !said.is_empty() {
            self.piece(lines, (Protocol::ChatText, 0), Map::new(), said);
        }
        if let Some(function) = delta.get("function_call") {
            let name = function.get("name").filter(|name| name.is_string());
            let fields = name.map(|name| ("name".to_owned(), name.clone()));
            let piece = text(function, "arguments");
            let fields = Map::from_iter(fields);
            self.piece(lines, (Protocol::ChatCall, LEGACY), fields, piece);
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            let function = call.get("function").unwrap_or(&Value::Null);
            let mut fields = Map::new();
            for (name, value) in [("id", call.get("id")), ("name", function.get("name"))] {
                if let Some(value @ Value::String(_)) = value {
                    fields.insert(name.to_owned(), value.clone());
                }
            }
            let index = (Protocol::ChatCall, number(call, "index"));
            let arguments = match function.get("arguments") {
                Some(Value::String(piece)) => piece.clone(),
                Some(whole @ Value::Object(_)) => whole.to_string(),
                _ => String::new(),
            };
            self.piece(lines, index, fields, &arguments);
        }
    }

    /// Adds a piece to its part, which may begin with it.
    fn piece(
        &mut self,
        lines: &Range<LineIdx>,
        index: (Protocol, u64),
        fields: Map<String, Value>,
        text: &str,
    ) {
        let mut parts = self.open.iter_mut().rev();
        let is_start = fields.contains_key("id") || fields.contains_key("type");
        match parts
            .find(|part| part.index == index && !(is_start && part.fields.contains_key("id")))
        {
            Some(part) => {
                part.lines.end = lines.end;
                part.fields.extend(fields);
                part.text.push_str(text);
            }
            None => self.open.push(MessagePart {
                lines: lines.clone(),
                index,
                fields,
                text: text.to_owned(),
            }),
        }
    }

    /// Ends a part.
    fn end(&mut self, index: (Protocol, u64)) {
        if let Some(at) = self.open.iter().position(|part| part.index == index) {
            let part = self.open.remove(at);
            self.close(part);
        }
    }

    /// Turns a part into a message.
    fn close(&mut self, mut part: MessagePart) {
        let is_call =
            part.index.0 == Protocol::ChatCall || text_of(&part.fields, "type") == "tool_use";
        let block = if is_call {
            let own = part.fields.remove("input").filter(|_| part.text.is_empty());
            let input = own.or_else(|| UniqueJson::parse(part.text.as_bytes()).ok());
            let Some(input) = input else {
                let tool = text_of(&part.fields, "name").to_owned();
                self.joined.cut.get_or_insert((part.lines.start, tool));
                return;
            };
            json!({
                "type": "tool_use",
                "id": part.fields.get("id"),
                "name": part.fields.get("name"),
                "input": input,
            })
        } else {
            let said = [text_of(&part.fields, "text"), &part.text].concat();
            json!({ "type": "text", "text": said })
        };
        let message = json!({ "role": "assistant", "content": [block] });
        self.joined
            .values
            .push((part.lines, nested_json::unwrapped(message)));
    }
}

/// Returns `true` for a value that is an event with a piece of a message.
fn is_part(value: &Value) -> bool {
    message_role::has_piece(value) || text_piece(value).is_some()
}

/// The text in an event that has nothing else of a message, and whether it is the last piece: in a response of Gemini, or in
/// one of Ollama.
fn text_piece(event: &Value) -> Option<(&str, bool)> {
    if let Some(candidate) = event.get("candidates").and_then(|them| them.get(0)) {
        let parts = candidate.get("content")?.get("parts")?.as_array()?;
        let [part] = parts.as_slice() else {
            return None;
        };
        let is_said = part.get("thought").and_then(Value::as_bool) != Some(true);
        let fields = part.as_object().filter(|fields| fields.len() == 1)?;
        let said = fields.get("text").filter(|_| is_said)?.as_str()?;
        let is_last = candidate.get("finishReason").is_some_and(Value::is_string);
        return Some((said, is_last));
    }
    let is_last = event.get("done")?.as_bool()?;
    let message = event.get("message");
    let has_calls = message.is_some_and(|message| message.get("tool_calls").is_some());
    let said = message.map_or_else(|| event.get("response"), |message| message.get("content"));
    Some((said.filter(|_| !has_calls)?.as_str()?, is_last))
}

/// Returns `true` for an event with a piece of an item that another event has whole.
fn is_repeated(kind: &str) -> bool {
    let part = kind
        .strip_prefix("response.")
        .and_then(|kind| kind.rsplit_once('.'));
    matches!(part, Some((_, "delta" | "done")))
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn text_of<'v>(fields: &'v Map<String, Value>, name: &str) -> &'v str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::ReadReason;

    #[track_caller]
    fn check(lines: &[Value], expected: &str, cut: Option<&str>) {
        let text: Vec<String> = lines
            .iter()
            .map(|line| format!("data: {line}\n\n"))
            .collect();
        let text = text.concat() + "data: [DONE]\n";
        let input = Input::new(&text, None, ReadReason::InTurn);
        let Events { values, end, .. } = events(&input, 0);
        assert_eq!(end, input.len(), "{text}");
        let joined = joined(values);
        let blocks = joined.values.iter().map(|(lines, value)| {
            let block = value.get("content").map_or(value, |content| &content[0]);
            let what = block
                .get("name")
                .or(block.get("text"))
                .or(block.get("type"));
            format!(
                "{}-{} {} {}",
                lines.start,
                lines.end,
                what.unwrap(),
                block["input"]
            )
        });
        let blocks: Vec<String> = blocks.collect();
        let found = (blocks.join("; "), joined.cut.map(|(_, tool)| tool));
        assert_eq!(
            found,
            (expected.to_owned(), cut.map(str::to_owned)),
            "{text}"
        );
    }

    fn block(index: u64, name: &str) -> Value {
        json!({"type": "content_block_start", "index": index, "content_block": {"type": "tool_use", "id": name, "name": name, "input": {}}})
    }

    fn delta(index: u64, piece: &str) -> Value {
        json!({"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": piece}})
    }

    fn chunk(delta: &Value) -> Value {
        json!({"object": "chat.completion.chunk", "choices": [{"delta": delta}]})
    }

    #[test]
    fn the_pieces_of_a_block_are_joined() {
        let stop = json!({"type": "content_block_stop", "index": 0});
        let text = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}});
        let more = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}});
        check(&[text, more, stop.clone()], r#"0-3 "ab" null"#, None);
        check(
            &[
                block(0, "x"),
                delta(0, "{\"a\""),
                delta(0, ":1}"),
                stop.clone(),
            ],
            r#"0-5 "x" {"a":1}"#,
            None,
        );
        // Without a piece the fields are those of the start; without an end the pieces may lack some.
        check(&[block(0, "x"), stop], r#"0-1 "x" {}"#, None);
        check(&[block(1, "x"), delta(1, "{\"a\"")], "", Some("x"));
    }

    #[test]
    fn calls_of_a_chat_are_joined_by_their_numbers() {
        let call = |index: u64, name: Option<&str>, piece: &str| {
            let id = name.map(|name| format!("id of {name}"));
            chunk(
                &json!({"tool_calls": [{"index": index, "id": id, "function": {"name": name, "arguments": piece}}]}),
            )
        };
        check(
            &[
                call(0, Some("x"), ""),
                call(0, None, "{\"a\":"),
                call(1, Some("y"), "{}"),
                call(0, None, "1}"),
            ],
            r#"0-7 "x" {"a":1}; 4-5 "y" {}"#,
            None,
        );
        // Some servers number all calls alike.
        check(
            &[call(0, Some("x"), "{}"), call(0, Some("y"), "{}")],
            r#"0-1 "x" {}; 2-3 "y" {}"#,
            None,
        );
        check(&[call(0, Some("x"), "{")], "", Some("x"));
        check(
            &[
                chunk(&json!({"content": "a"})),
                chunk(&json!({"content": "b"})),
            ],
            r#"0-3 "ab" null"#,
            None,
        );
    }

    #[test]
    fn the_pieces_of_bedrock_are_joined() {
        let start = json!({"contentBlockStart": {"start": {"toolUse": {"toolUseId": "t", "name": "x"}}, "contentBlockIndex": 1}});
        let delta = |piece: &str| json!({"contentBlockDelta": {"delta": {"toolUse": {"input": piece}}, "contentBlockIndex": 1}});
        let stop = json!({"contentBlockStop": {"contentBlockIndex": 1}});
        let said = json!({"contentBlockDelta": {"delta": {"text": "a"}, "contentBlockIndex": 0}});
        check(
            &[said, start.clone(), delta("{\"a\""), delta(":1}"), stop],
            r#"2-7 "x" {"a":1}; 0-1 "a" null"#,
            None,
        );
        check(&[start, delta("{")], "", Some("x"));
    }

    #[test]
    fn an_item_of_a_response_is_read_once() {
        let item = |state: &str| json!({"type": format!("response.output_item.{state}"), "item": {"type": "function_call", "id": "f", "name": "x"}});
        let piece = json!({"type": "response.function_call_arguments.done", "item_id": "f", "arguments": "{}"});
        check(
            &[item("added"), piece.clone(), item("done")],
            r#"4-5 "response.output_item.done" null"#,
            None,
        );
        check(&[item("added"), piece], "", Some("x"));
    }
}
