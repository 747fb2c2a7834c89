//! Calls in JSON that do not begin their line: after the mark of a list, the words of a log, the name of the tool.

use serde_json::{Map, Value};

use crate::dialect::message::json_call::{self, JsonEvent};
use crate::dialect::message::nested_json;
use crate::dialect::tool::tool_match;

/// Leaves nothing but the call of each line that has one after other text; `None` if there is no such line.
pub(in crate::dialect) fn alone(text: &str) -> Option<String> {
    let mut found = String::with_capacity(text.len());
    let mut is_found = false;
    for line in text.split_inclusive('\n') {
        let call = call(line);
        is_found |= call.is_some();
        found.push_str(call.as_deref().unwrap_or(line));
        if call.is_some() && line.ends_with('\n') {
            found.push('\n');
        }
    }
    is_found.then_some(found)
}

/// The call in a line that has other text before it. A word before it that names a tool is the name of the call.
fn call(line: &str) -> Option<String> {
    let is_start = |at: &usize| line[at + 1..].trim_start().starts_with('"');
    let at = line.match_indices('{').map(|(at, _)| at).find(is_start)?;
    let before = line[..at].trim();
    let mut values =
        serde_json::Deserializer::from_str(&line[at..]).into_iter::<Map<String, Value>>();
    let fields = values.next()?.ok()?;
    let json = &line[at..at + values.byte_offset()];
    if before.is_empty() {
        return None;
    }
    let name = before.trim_end_matches(['(', ':', ' ', '`']);
    let name = name.rsplit([' ', '`', '>']).next().unwrap_or_default();
    let is_name = tool_match::has_rows(name) && !tool_match::is_named(&fields);
    if is_name && (tool_match::fits(name, &fields) || tool_match::is_likely(json)) {
        return Some(format!("{{\"name\":\"{name}\",\"arguments\":{json}}}"));
    }
    let is_call = |event: &JsonEvent| matches!(event, JsonEvent::Call(_));
    let has_call = || {
        let value = nested_json::unwrapped(Value::Object(fields));
        json_call::find(&value).events.iter().any(is_call)
    };
    (tool_match::is_likely(json) || has_call()).then(|| json.to_owned())
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
    }
}
