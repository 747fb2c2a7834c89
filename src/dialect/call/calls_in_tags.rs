//! Calls in tags that follow each other on one line, and those behind other text.
//!
//! The section of a call has the whole of its lines: what is behind the call on the last one is in no other section.

use serde_json::Value;

use super::markup::{in_tags, json};
use super::opening_tag::OpeningTag;
use crate::dialect::input::Input;
use crate::dialect::message::json_event::JsonEvent;
use crate::dialect::message::{json_call, nested_json};
use crate::text::{LineIdx, split_indent};

/// Marks between two calls on a line.
const MARKS: [char; 4] = [' ', '\t', ',', ';'];

/// The most places of a line at which a call is searched for.
const MOST_PLACES: usize = 16;

/// Reads the calls of a line whose first tag opens one, and returns the first line after them.
pub(super) fn read(input: &Input, at: LineIdx) -> Option<(Value, LineIdx)> {
    let tail = input.tail(at);
    let (indent, _) = split_indent(input.line(at)?);
    let (mut value, length) = in_tags(input, tail.get(indent.len()..)?, indent)?;
    let mut end = indent.len() + length;
    let mut others = Vec::new();
    while let Some((other, length)) = behind(input, &tail[end..]) {
        others.push(other);
        end += length;
    }
    if !others.is_empty() {
        others.insert(0, value);
        value = others.into();
    }
    // A closing tag of a wrapper on the lines below is no prose, but costs nothing there.
    Some((value, input.line_at(at, end.saturating_sub(1)) + 1))
}

/// Describes the call in a line that other text begins, unless it is JSON on lines of its own, which is read without its tags.
pub(super) fn behind_text(input: &Input, at: LineIdx) -> Option<String> {
    let line = input.line(at)?;
    let tail = input.tail(at);
    let places = line.match_indices('<').map(|(place, _)| place);
    let mut places = (places.take(MOST_PLACES)).filter(|place| has_text(&line[..*place]));
    let value = places.find_map(|place| {
        let (value, length) = in_tags(input, &tail[place..], "")?;
        let end = input.line_at(at, place + length);
        let is_read = |at| has_json(input, at, &value);
        (is_call(&value) && !(at + 1..=end).any(is_read)).then_some(value)
    })?;
    let tool = value.get("name").and_then(Value::as_str);
    let tool = tool.map_or_else(|| "an editing tool".to_owned(), |tool| format!("`{tool}`"));
    Some(format!("a call of {tool} behind other text"))
}

/// Returns `true` if a line begins with the JSON of a call or of its fields.
fn has_json(input: &Input, at: LineIdx, call: &Value) -> bool {
    let text = input.tail(at).trim_start_matches([' ', '\t']);
    let value = Some(text)
        .filter(|text| text.starts_with('{'))
        .and_then(json);
    value.is_some_and(|(value, _)| value == *call || Some(&value) == call.get("arguments"))
}

/// Returns `true` if there is more than opening tags.
fn has_text(mut text: &str) -> bool {
    while let Some(tag) = OpeningTag::open(text.trim_start()) {
        text = &text.trim_start()[tag.length..];
    }
    !text.trim().is_empty()
}

/// Reads the next call on the line on which another one ends. There may be words before a tag, but only marks before JSON: other JSON is
/// that of a result.
fn behind(input: &Input, text: &str) -> Option<(Value, usize)> {
    let line = text.split('\n').next()?;
    let mut at = 0;
    for _ in 0..MOST_PLACES {
        let words = line[at..].split(['<', '{', '[']).next()?;
        at += words.len();
        let rest = &text[at..];
        if rest.starts_with("</") || rest.starts_with("<|") {
            at += line[at..].find('>')? + 1;
            continue;
        }
        let is_marks = words.trim_matches(MARKS).is_empty();
        let found = match rest.strip_prefix('<') {
            Some(_) => in_tags(input, rest, ""),
            None => Some(rest).filter(|_| is_marks).and_then(json),
        };
        let (value, length) = found.filter(|(value, _)| is_call(value))?;
        return Some((value, at + length));
    }
    None
}

fn is_call(value: &Value) -> bool {
    let value = nested_json::unwrapped(value.clone());
    let events = json_call::find(&value).events;
    events
        .iter()
        .any(|event| matches!(event, JsonEvent::Call(_)))
}
