//! Tool calls in JSON, bare or in the messages of model APIs, agents' hooks and transcripts.
//!
//! A call is an object with the name of a tool and its fields (under `arguments`, `input`, `args` and the like, which may be
//! a string of JSON), or the fields alone. It is read by the row of [`TOOLS`](crate::dialect::tool::tool_table::TOOLS)
//! that it fits; a call that fits none but looks like an edit is refused by its name or by the field that is not known. Of results that tools gave
//! only success or failure is read ([`call_result`]), of what the user sent only that a turn begins.
//!
//! Agents that speak the Agent Client Protocol (<https://agentclientprotocol.com>) show an edit as `{"type": "diff", "path",
//! "oldText", "newText"}` in the `content` of a tool call; without an old text the file is new.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::alternatives;
use super::call_fields;
use super::call_outcome::{self, CallOutcome};
use super::call_result::{self, CallResult};
use super::call_search;
use super::cursor_call;
use super::json_event::{JsonCall, JsonEvent};
use super::message_fields::{CARRIERS, CONTAINERS, FIELDS, tool_name};
use super::message_role::{self, OTHERS, PEOPLE, is_observation, is_prompt, results};
use super::name_beside;
use super::tool_report::{self, ToolReport};
use super::unfinished;
use crate::dialect::tool::bare_fields::{by_fields, by_words};
use crate::dialect::tool::edit_request::{CallEdit, EditRequest};
use crate::dialect::tool::field_names::NAMES;
use crate::dialect::tool::tool_match::{flat, has_rows, misnamed, unknown};
use crate::dialect::tool::{protocols, trial};

/// Contents of a value.
#[derive(Debug, Clone, Default)]
pub(in crate::dialect) struct FoundContents<'v> {
    pub(in crate::dialect) events: Vec<JsonEvent<'v>>,
    /// True if the value is a message or an event of a transcript.
    pub(in crate::dialect) is_message: bool,
}

/// Properties that an object inherits from the one around it.
#[derive(Debug, Clone, Default)]
struct Outer<'v> {
    id: Option<String>,
    tool: Option<&'v str>,
    outcome: Option<CallOutcome>,
    /// True if texts without a type are parts of a message.
    is_content: bool,
    /// True for the fields of a call with a name, which no other tool may claim.
    is_named: bool,
}

/// Finds all events of a value, in order.
pub(in crate::dialect) fn find(value: &Value) -> FoundContents<'_> {
    let mut found = FoundContents::default();
    let own = |requests| {
        JsonEvent::Call(JsonCall {
            id: None,
            tool: None,
            requests,
            outcome: None,
        })
    };
    if let Some(requests) = protocols::requests(value) {
        found.events.push(own(requests));
    } else if let Some(request) = by_words(value) {
        found.events.push(own(vec![request]));
    } else {
        walk(value, &Outer::default(), &mut found);
    }
    if found.events.is_empty() && !found.is_message {
        let unknown = value.as_object().and_then(unknown);
        found
            .events
            .extend(unknown.map(|request| own(vec![request])));
    }
    found
}

fn walk<'v>(value: &'v Value, outer: &Outer<'v>, found: &mut FoundContents<'v>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| walk(value, outer, found)),
        Value::Object(fields) => {
            let before = found.events.len();
            object(value, fields, outer, found);
            if found.is_message || found.events.len() > before {
                let cut = unfinished::stated(fields).map(JsonEvent::Cut);
                found.events.extend(cut);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// Finds the results, reports and prompts in a message of the user.
fn persons<'v>(fields: &'v Map<String, Value>, found: &mut FoundContents<'v>) {
    let results = results(fields);
    let reports = tool_report::in_message(fields);
    let is_answer = reports.iter().all(ToolReport::is_answer);
    let is_prompt = results.is_empty() && is_answer && is_prompt(fields);
    let interruption = message_role::interruption(fields).map(JsonEvent::Interrupted);
    let results = results.into_iter().map(JsonEvent::Result);
    found.events.extend(results.chain(interruption));
    let reports = Some(reports).filter(|reports| !reports.is_empty());
    found.events.extend(reports.map(JsonEvent::Reports));
    found.events.extend(is_prompt.then_some(JsonEvent::Prompt));
}

fn object<'v>(
    value: &Value,
    fields: &'v Map<String, Value>,
    outer: &Outer<'v>,
    found: &mut FoundContents<'v>,
) {
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let kind = word("type");
    let role = (word("role").or_else(|| fields.get("info")?.get("role")?.as_str()))
        .or_else(|| word("from").filter(|_| fields.contains_key("value")));
    let is_event = word("source").is_some() && (word("action").is_some() || is_observation(fields));
    let is_record = ["sessionId", "$set", "$rewindTo", "candidates"]
        .iter()
        .any(|name| fields.contains_key(*name))
        || message_role::has_piece(value);
    found.is_message |=
        role.is_some() || (kind.is_some() && !fields.contains_key("path")) || is_event || is_record;
    if rewind(fields, found) {
        return;
    }
    if let Some(event) = cursor_call::event(fields) {
        found.events.push(event);
        return;
    }
    let kinds = || kind.into_iter().chain(role);
    if let Some(id) =
        word("id").filter(|_| kinds().any(|kind| kind == "gemini" || PEOPLE.contains(&kind)))
    {
        found.events.push(JsonEvent::Message(id));
    }
    if kinds().any(|kind| PEOPLE.contains(&kind)) {
        persons(fields, found);
        return;
    }
    if word("source") == Some("user") && word("action").is_some() {
        let is_prompt = word("action") == Some("message");
        found.events.extend(is_prompt.then_some(JsonEvent::Prompt));
        return;
    }
    let is_other = kinds().any(|kind| OTHERS.contains(&kind)) || role == Some("tool");
    if is_other || is_observation(fields) {
        found
            .events
            .extend(results(fields).into_iter().map(JsonEvent::Result));
        return;
    }
    thoughts(fields, found);
    // The same call is in `action` and in `tool_call`.
    if let (Some(call), Some(Value::Object(_))) = (fields.get("tool_call"), fields.get("action")) {
        let outer = Outer {
            id: call_result::call_id(fields),
            ..Outer::default()
        };
        walk(call, &outer, found);
        return;
    }
    if let Some(requests) = call(fields, outer) {
        found.events.push(JsonEvent::Call(JsonCall {
            id: call_result::call_id(fields).or_else(|| outer.id.clone()),
            tool: tool_name(fields).or(outer.tool),
            requests,
            outcome: call_outcome::stated(fields).or(outer.outcome),
        }));
        return;
    }
    found
        .events
        .extend(message_role::denials(fields).map(JsonEvent::Result));
    // The update of a call in the Agent Client Protocol may be a call and its result at once.
    if !fields.contains_key("toolCallId") {
        found
            .events
            .extend(CallResult::of(fields).map(JsonEvent::Result));
    }
    let is_agents =
        kinds().any(|kind| matches!(kind, "assistant" | "gemini" | "model" | "gpt" | "ai"));
    // A response may leave out the role of its message.
    let is_agents = is_agents || role.is_none() && fields.contains_key("tool_calls");
    words_said(fields, outer, is_agents, found);
    if shown_diffs(fields, found) {
        return;
    }
    let before = found.events.len();
    // A message's words come before its calls.
    for (name, value) in fields {
        if let Some(several) = alternatives::of(name, value) {
            answers(name, several, &carried(fields, outer, name), found);
            continue;
        }
        // A line of a batch has the answer of the model under the name that tools give theirs.
        let is_answer = name == "result" && fields.contains_key("custom_id");
        if is_answer || CONTAINERS.contains(&name.as_str()) || FIELDS.contains(&name.as_str()) {
            walk(value, &carried(fields, outer, name), found);
        }
    }
    let is_call = |event: &JsonEvent| matches!(event, JsonEvent::Call(_));
    if !found.events[before..].iter().any(is_call) {
        found
            .events
            .extend(protocols::submission(fields).map(|text| {
                let text = Cow::Borrowed(text);
                let edit = CallEdit::Edits { text };
                JsonEvent::Call(JsonCall {
                    id: None,
                    tool: None,
                    requests: vec![EditRequest { path: None, edit }],
                    outcome: None,
                })
            }));
    }
}

/// Collects the events of several answers to one request.
fn answers<'v>(name: &str, several: &'v [Value], outer: &Outer<'v>, found: &mut FoundContents<'v>) {
    let each = several.iter().map(|value| {
        let mut answer = FoundContents::default();
        walk(value, outer, &mut answer);
        found.is_message |= answer.is_message;
        answer.events
    });
    let each = each.collect();
    found.events.extend(alternatives::chosen(name, each));
}

/// Collects the agent's words that are texts of an object itself.
fn words_said<'v>(
    fields: &'v Map<String, Value>,
    outer: &Outer<'v>,
    is_agents: bool,
    found: &mut FoundContents<'v>,
) {
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let is_text = word("type").map_or(outer.is_content, |kind| {
        kind.ends_with("text") || kind == "agent_message"
    });
    let is_thought = fields.get("thought").and_then(Value::as_bool) == Some(true);
    let answer = answer(fields);
    found.is_message |= answer.is_some();
    let said = [
        word("text").filter(|_| is_text && !is_thought),
        word("content")
            .or_else(|| word("value"))
            .filter(|_| is_agents),
        answer,
    ];
    found
        .events
        .extend(said.into_iter().flatten().map(JsonEvent::Said));
}

/// The text with which a program that runs an agent once reports its answer: `claude -p --output-format json`, `gemini
/// --output-format json`, and the `generate` request of Ollama.
fn answer(fields: &Map<String, Value>) -> Option<&str> {
    let is_claude = fields.get("type").and_then(Value::as_str) == Some("result");
    let name = if is_claude { "result" } else { "response" };
    let is_run = is_claude || fields.contains_key("stats") || fields.contains_key("done");
    fields.get(name).filter(|_| is_run)?.as_str()
}

/// Properties of an object for the value of one of its fields.
fn carried<'v>(fields: &'v Map<String, Value>, outer: &Outer<'v>, field: &str) -> Outer<'v> {
    let is_content = matches!(field, "content" | "parts");
    let is_named = FIELDS.contains(&field) && tool_name(fields).is_some();
    if is_content || is_named || !CARRIERS.contains(&field) {
        return Outer {
            is_content,
            is_named,
            ..Outer::default()
        };
    }
    let inner = fields.get(field).and_then(Value::as_object);
    Outer {
        id: call_result::call_id(fields).or_else(|| outer.id.clone()),
        tool: tool_name(fields).filter(|_| field == "state"),
        outcome: inner
            .and_then(call_outcome::stated)
            .or_else(|| call_outcome::stated(fields)),
        ..Outer::default()
    }
}

/// Takes back earlier messages, as a record of Gemini CLI asks for it:
///
/// `google-gemini/gemini-cli packages/core/src/services/chatRecordingService.ts`; as an event of Codex does, which counts the
/// prompts (`ThreadRolledBackEvent` and `UserMessageEvent`, `openai/codex codex-rs/protocol/src/protocol.rs`).
fn rewind<'v>(fields: &'v Map<String, Value>, found: &mut FoundContents<'v>) -> bool {
    match fields.get("type").and_then(Value::as_str) {
        Some("user_message") => found.events.push(JsonEvent::UserMessage),
        Some("thread_rolled_back") => {
            let count = fields.get("num_turns").and_then(Value::as_u64);
            let count = count.and_then(|count| usize::try_from(count).ok());
            found
                .events
                .push(JsonEvent::RollBack(count.unwrap_or(usize::MAX)));
            return true;
        }
        Some(_) | None => (),
    }
    if let Some(id) = fields.get("$rewindTo").and_then(Value::as_str) {
        found.events.push(JsonEvent::Rewind(Some(id)));
        return true;
    }
    let Some(set) = fields.get("$set").and_then(Value::as_object) else {
        return false;
    };
    if let Some(messages) = set.get("messages") {
        found.events.push(JsonEvent::Rewind(None));
        walk(messages, &Outer::default(), found);
    }
    true
}

/// Collects what an agent of `OpenHands` thinks before it acts, or writes to the person.
fn thoughts<'v>(fields: &'v Map<String, Value>, found: &mut FoundContents<'v>) {
    if fields.get("source").and_then(Value::as_str) != Some("agent") {
        return;
    }
    let args = fields.get("args");
    let texts = [
        args.and_then(|args| args.get("thought")),
        args.and_then(|args| args.get("content"))
            .filter(|_| fields.get("action").and_then(Value::as_str) == Some("message")),
    ];
    let texts = texts.into_iter().flatten().filter_map(Value::as_str);
    let texts = texts.filter(|text| !text.trim().is_empty());
    found.events.extend(texts.map(JsonEvent::Said));
    if let Some(parts @ Value::Array(_)) = fields.get("thought") {
        walk(parts, &Outer::default(), found);
    }
}

/// Reads the diffs in the content of a tool call of the Agent Client Protocol as one call, which a later update replaces;
/// without diffs, its result.
fn shown_diffs<'v>(fields: &'v Map<String, Value>, found: &mut FoundContents<'v>) -> bool {
    if !fields.contains_key("toolCallId") {
        return false;
    }
    let mut inner = FoundContents::default();
    if let Some(content) = fields.get("content") {
        walk(content, &Outer::default(), &mut inner);
    }
    let mut requests = Vec::new();
    for event in inner.events {
        if let JsonEvent::Call(call) = event {
            requests.extend(call.requests);
        }
    }
    if requests.is_empty() {
        found
            .events
            .extend(CallResult::of(fields).map(JsonEvent::Result));
    } else {
        found.events.push(JsonEvent::Call(JsonCall {
            id: call_result::call_id(fields),
            tool: None,
            requests,
            outcome: call_outcome::stated(fields),
        }));
    }
    true
}

/// Reads an object as a call, or refuses it if it asks for no more than a trial.
fn call<'v>(fields: &'v Map<String, Value>, outer: &Outer<'v>) -> Option<Vec<EditRequest<'v>>> {
    let requests = edits_of_call(fields, outer)?;
    let inner = || {
        FIELDS
            .iter()
            .find_map(|name| fields.get(*name)?.as_object())
    };
    match trial::field(fields).or_else(|| trial::field(inner()?)) {
        Some(field) => Some(vec![trial::refused(field)]),
        None => Some(requests),
    }
}

/// Reads an object as a call, with its name or without.
fn edits_of_call<'v>(
    fields: &'v Map<String, Value>,
    outer: &Outer<'v>,
) -> Option<Vec<EditRequest<'v>>> {
    let protocols = [
        protocols::acp,
        protocols::file_change,
        protocols::file_updates,
    ];
    if let Some(requests) = protocols.iter().find_map(|read| read(fields)) {
        return Some(requests);
    }
    let own_type = fields.get("type").and_then(Value::as_str);
    let tool_type = own_type.filter(|kind| kind.ends_with("_call") && has_rows(kind));
    let named = own_type.filter(|kind| has_rows(kind));
    // A part of a message in the AI SDK of Vercel: `{"type": "tool-NAME", "toolCallId", "input"}`.
    let of_part = own_type.and_then(|kind| kind.strip_prefix("tool-"));
    let of_part = of_part.filter(|_| fields.contains_key("input"));
    let name = tool_name(fields).or(outer.tool).or(of_part).or(named);
    let name = name.or_else(|| name_beside::of_message(fields));
    if let Some(requests) = call_fields::read(fields, name, tool_type) {
        return Some(requests);
    }
    if let Some(name) = name.filter(|name| has_rows(name)) {
        // The name is among the fields.
        let is_name =
            |key: &String| NAMES.contains(&key.as_str()) || named == Some(name) && key == "type";
        if fields.keys().any(is_name)
            && let Some(requests) = flat(name, fields, &[])
        {
            return Some(requests);
        }
    }
    if name.is_none()
        && let Some((name, beside)) = call_search::prefixed_name(fields)
        && let Some(requests) = flat(name, fields, &beside)
    {
        return Some(requests);
    }
    if outer.is_named {
        return None;
    }
    let requests = by_fields(fields)?;
    // Of a call with a name only the fields of its tool count.
    Some(name.map_or(requests, |name| vec![misnamed(name, fields)]))
}
