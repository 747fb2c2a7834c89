//! Calls in JSON that do not begin their line: after the mark of a list, the words of a log, the name of the tool.

use serde_json::{Map, Value};

use crate::dialect::message::json_call;
use crate::dialect::message::json_event::JsonEvent;
use crate::dialect::message::name_beside::{self, BesideName, NamesBeside};
use crate::dialect::message::nested_json;
use crate::dialect::tool::tool_match;

/// Leaves nothing but the call of each line that has one after other text; `None` if there is no such line. A call may go on
/// on the lines below.
pub(in crate::dialect) fn alone(text: &str) -> Option<String> {
    let mut found = String::with_capacity(text.len());
    let mut is_found = false;
    let (mut at, mut free) = (0, 0);
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        let (mut end, mut kept) = (at + line.len(), None);
        if let Some(call) = call(line, &text[at..], &text[free..at]) {
            let breaks = text[at + call.length..].find('\n');
            end = breaks.map_or(text.len(), |place| at + call.length + place + 1);
            // The lines below keep their numbers.
            let lines = text[at..end].matches('\n').count();
            kept = Some(call.json + &"\n".repeat(lines));
            free = end;
        }
        is_found |= kept.is_some();
        found.push_str(kept.as_deref().unwrap_or(line));
        at = end;
    }
    is_found.then_some(found)
}

/// A call in a text, and the position after it.
struct CallAfterText {
    json: String,
    length: usize,
}

/// The most lines on which the name of a call may be: its own and those above.
const MOST_LINES: usize = 6;

/// The call that begins on a line with other text before it. A word before it that names a tool is the name of the call, and so
/// is any word that a parenthesis parts from it.
fn call(line: &str, text: &str, above: &str) -> Option<CallAfterText> {
    let is_start = |at: &usize| text[at + 1..].trim_start().starts_with('"');
    let at = line.match_indices('{').map(|(at, _)| at).find(is_start)?;
    let before = line[..at].trim();
    let mut values =
        serde_json::Deserializer::from_str(&text[at..]).into_iter::<Map<String, Value>>();
    let fields = values.next()?.ok()?;
    let length = at + values.byte_offset();
    // A string in JSON has no line break in it.
    let json = text[at..length].replace(['\r', '\n'], " ");
    if before.is_empty() {
        return None;
    }
    let found = |json: String| Some(CallAfterText { json, length });
    let is_called = before.ends_with('(') && text[length..].trim_start().starts_with(')');
    let name = before.trim_end_matches(['(', ':', ' ', '`']);
    let name = name.rsplit([' ', '`', '>']).next().unwrap_or_default();
    let is_likely = tool_match::fits(name, &fields) || tool_match::is_likely(&json);
    let is_name = tool_match::has_rows(name) || (is_called && !name.is_empty());
    if is_name && !tool_match::is_named(&fields) && is_likely {
        return found(format!("{{\"name\":\"{name}\",\"arguments\":{json}}}"));
    }
    let above = above.lines().rev().filter(|line| !line.trim().is_empty());
    let beside = NamesBeside::of(std::iter::once(before).chain(above).take(MOST_LINES));
    if let Some(BesideName { name, is_message }) = name_beside::name_for(&fields, &beside) {
        return found(if is_message {
            format!("{{\"name\":\"{name}\",{}", &json[1..])
        } else {
            format!("{{\"name\":\"{name}\",\"arguments\":{json}}}")
        });
    }
    let is_call = |event: &JsonEvent| matches!(event, JsonEvent::Call(_));
    let has_call = || {
        let value = nested_json::unwrapped(Value::Object(fields));
        json_call::find(&value).events.iter().any(is_call)
    };
    if !tool_match::is_likely(&json) && !has_call() {
        return None;
    }
    found(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_after_other_text_is_left_alone() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(alone(text).as_deref(), expected, "{text}");
        };
        let json = r#"{"path":"a","old_str":"b","new_str":"c"}"#;
        check(json, None);
        check("x {\"a\": 1}", None);
        check(
            &format!("Now:\n- {json}\nDone\n"),
            Some(&format!("Now:\n{json}\nDone\n")),
        );
        check(
            &format!("`Edit({json})`"),
            Some(&format!(r#"{{"name":"Edit","arguments":{json}}}"#)),
        );
        // A tool that is not known keeps its name; the lines of a call become one.
        check(
            &format!("- other({json})\n"),
            Some(&format!("{{\"name\":\"other\",\"arguments\":{json}}}\n")),
        );
        check(
            "Edit({\n\"path\": \"a\",\n\"new_str\": \"b\", \"old_str\": \"c\"})\nDone\n",
            Some(
                "{\"name\":\"Edit\",\"arguments\":{ \"path\": \"a\", \"new_str\": \"b\", \"old_str\": \"c\"}}\n\n\nDone\n",
            ),
        );
    }
}
