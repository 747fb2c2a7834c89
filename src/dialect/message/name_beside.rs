//! Names of tools beside the fields of a call, not among them: in a label, a heading, a tag, a sentence or the words of a log, or in
//! a field of the message around them.
//!
//! A name that is stated binds: the fields are those of this tool, and of no other that would take them too.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::message_fields::FIELDS;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::tool::bare_fields::by_fields;
use crate::dialect::tool::field_names::NAMES;
use crate::dialect::tool::protocols;
use crate::dialect::tool::tool_match::{
    fits, has_changing_verb, has_rows, is_named, looks_like_edit, words,
};

/// A name in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NameMention<'t> {
    name: &'t str,
    strength: Strength,
}

/// Degree to which a text states that a name is that of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// A word of the text. It counts if the tool takes the fields.
    Word,
    /// The whole line, a tag, a label or an object of a verb.
    Stated,
    /// The value of a label that says that it is a tool.
    Labelled,
}

/// A word that may be a name.
struct Token<'t> {
    text: &'t str,
    is_quoted: bool,
    /// The text up to the next one.
    after: &'t str,
}

/// Words before the name of a tool that is called.
const VERBS: [&str; 14] = [
    "call",
    "calls",
    "called",
    "calling",
    "use",
    "uses",
    "using",
    "invoke",
    "invokes",
    "invoking",
    "run",
    "running",
    "execute",
    "executing",
];
/// Words at the end of a label before a name.
const LABELS: [&str; 6] = ["tool", "function", "name", "call", "action", "method"];
/// Words in the names of wrappers around the fields of a tool, which are no tools.
const WRAPPERS: [&str; 14] = [
    "tool",
    "tools",
    "function",
    "call",
    "input",
    "output",
    "json",
    "args",
    "arguments",
    "params",
    "parameters",
    "result",
    "response",
    "code",
];

fn tokens(line: &str) -> Vec<Token<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut joined = false;
    for (at, c) in line.char_indices() {
        let end = at + c.len_utf8();
        if is_part(c) {
            match spans.last_mut() {
                Some((_, last)) if *last == at || joined => *last = end,
                Some(_) | None => spans.push((at, end)),
            }
            joined = false;
        } else {
            // A part of a name that goes on.
            joined = matches!(c, '-' | '.' | '/' | ':')
                && spans.last().is_some_and(|(_, last)| *last == at)
                && line[end..].starts_with(is_part);
        }
    }
    let marks = |c: char| matches!(c, '`' | '"' | '\'');
    let next = spans.iter().skip(1).map(|(start, _)| *start);
    let next = next.chain([line.len()]);
    spans
        .iter()
        .zip(next)
        .map(|(&(start, end), next)| Token {
            text: &line[start..end],
            is_quoted: line[..start].ends_with(marks) && line[end..].starts_with(marks),
            after: &line[end..next],
        })
        .filter(|token| token.text.starts_with(char::is_alphabetic))
        .collect()
}

/// Returns `true` for a name that is no word of prose.
fn is_compound(name: &str) -> bool {
    words(name).iter().filter(|word| !word.is_empty()).count() > 1
}

/// Returns `true` for a name that is not known and can be no more than that of a tool.
pub(in crate::dialect) fn is_tool_like(name: &str) -> bool {
    let words = words(name);
    let is_wrapper = words.iter().any(|word| WRAPPERS.contains(&word.as_str()));
    let is_name = name.contains('_') || has_changing_verb(&words);
    is_compound(name) && !is_wrapper && is_name && !name.contains(['.', '/'])
}

/// The names in a line of text, or in the text before a call on its line.
fn mentions(line: &str) -> Vec<NameMention<'_>> {
    let tokens = tokens(line);
    let tag = line.trim_end().strip_suffix('>').and_then(|line| {
        let (_, tag) = line.rsplit_once('<')?;
        tag.split_whitespace().next()
    });
    let mentions = (0..tokens.len()).filter_map(|i| mention(&tokens, i, tag));
    mentions.collect()
}

/// Returns the name that a word of a line is; `tag` is the name of a tag at the end of the line.
fn mention<'t>(tokens: &[Token<'t>], i: usize, tag: Option<&str>) -> Option<NameMention<'t>> {
    let token = tokens.get(i)?;
    let Token {
        text, is_quoted, ..
    } = *token;
    let before = i.checked_sub(1).and_then(|i| tokens.get(i));
    let is_known = has_rows(text);
    // Only what may be a tool is one: neither a path nor the label of another value.
    let is_key = !is_quoted && token.after.trim_start().starts_with([':', '=']);
    let may_be_new = is_tool_like(text) && !is_key;
    let last = |words: &[String]| words.last().is_some_and(|it| LABELS.contains(&it.as_str()));
    let has_sign = before.is_some_and(|it| it.after.contains([':', '=']));
    let label = before.map(|before| words(before.text)).filter(|words| {
        let is_tool = words.iter().any(|it| it == "tool" || it == "function");
        last(words) && (has_sign || (is_tool && is_quoted))
    });
    let is_tool_label = label
        .as_ref()
        .is_some_and(|words| words.iter().any(|it| it == "tool" || it == "function"));
    let is_end = i + 1 == tokens.len();
    let is_called = before.is_some_and(|before| {
        let is_verb = VERBS.contains(&before.text.to_lowercase().as_str());
        is_verb
            && before
                .after
                .trim_matches([' ', '`', '*', '"', '\''])
                .is_empty()
    });
    let is_whole = tokens.len() == 1 || tag == Some(text);
    let is_name = is_known || may_be_new;
    let is_plain_name = !is_key && has_sign && (is_quoted || is_end) && !text.contains(['.', '/']);
    let strength = if is_tool_label && (is_name || is_plain_name) {
        Strength::Labelled
    } else if label.is_some() && is_name && (is_quoted || is_end || is_compound(text))
        || is_called && is_name && (is_quoted || is_compound(text))
        || is_whole && is_name && (is_quoted || tag.is_some() || is_compound(text))
    {
        Strength::Stated
    } else if is_known && (is_quoted || is_compound(text)) && !text.contains('/') {
        Strength::Word
    } else {
        return None;
    };
    Some(NameMention {
        name: text,
        strength,
    })
}

/// Returns the name that the mentions of a line state for the fields of a call; several are joined.
fn name_of<'t>(
    mentions: &[NameMention<'t>],
    fields: &Map<String, Value>,
) -> Option<(Cow<'t, str>, Strength)> {
    let counts = |it: &&NameMention| it.strength > Strength::Word || fits(it.name, fields);
    let mut found: Vec<NameMention> = mentions.iter().filter(counts).copied().collect();
    let strength = found.iter().map(|it| it.strength).max()?;
    found.retain(|it| it.strength == strength);
    if found.iter().any(|it| has_rows(it.name)) {
        found.retain(|it| has_rows(it.name));
    }
    let mut names: Vec<&str> = found.iter().map(|it| it.name).collect();
    names.dedup();
    let name = match names.as_slice() {
        [name] => Cow::Borrowed(*name),
        names => Cow::Owned(names.join(" or ")),
    };
    Some((name, strength))
}

/// The names in the lines beside a call, the nearest line first.
pub(in crate::dialect) struct NamesBeside<'t> {
    lines: Vec<Vec<NameMention<'t>>>,
}

impl<'t> NamesBeside<'t> {
    /// Collects the names in lines. Neither a heading nor another code fence is passed.
    pub(in crate::dialect) fn of(lines: impl Iterator<Item = &'t str>) -> Self {
        let mut found = Vec::new();
        let mut fences = 0;
        for line in lines {
            fences += usize::from(Fence::of(line).is_some());
            if fences > 1 {
                break;
            }
            let mentions = mentions(line);
            if !mentions.is_empty() {
                found.push(mentions);
            }
            if line.starts_with('#') {
                break;
            }
        }
        Self { lines: found }
    }

    fn name_of(&self, fields: &Map<String, Value>) -> Option<(Cow<'t, str>, Strength)> {
        let mut lines = self.lines.iter();
        lines.find_map(|mentions| name_of(mentions, fields))
    }
}

/// The name of a tool for fields beside which it is.
pub(in crate::dialect) struct BesideName<'t> {
    pub(in crate::dialect) name: Cow<'t, str>,
    /// True if the fields of the tool are in one of the object, which lacks the name.
    pub(in crate::dialect) is_message: bool,
}

/// Returns the name that lines beside an object state for it, if it may be a call and has no name.
pub(in crate::dialect) fn name_for<'t>(
    fields: &Map<String, Value>,
    beside: &NamesBeside<'t>,
) -> Option<BesideName<'t>> {
    if is_named(fields) {
        return None;
    }
    let inner = FIELDS
        .iter()
        .find_map(|name| fields.get(*name)?.as_object());
    let own = inner.unwrap_or(fields);
    if is_named(own) || (inner.is_none() && fields.contains_key("type")) {
        return None;
    }
    let (name, strength) = beside.name_of(own)?;
    let is_taken = strength > Strength::Word && fits(&name, own);
    let is_edit = || looks_like_edit(own) || by_fields(own).is_some();
    (is_taken || is_edit()).then_some(BesideName {
        name,
        is_message: inner.is_some(),
    })
}

/// Gives calls without a name the one that lines beside them state.
pub(in crate::dialect) fn bind(value: &mut Value, beside: &NamesBeside<'_>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| bind(value, beside)),
        Value::Object(fields) => {
            let Some(BesideName { name, is_message }) = name_for(fields, beside) else {
                return;
            };
            if is_message {
                fields.insert("name".to_owned(), name.as_ref().into());
            } else if protocols::requests(value).is_none() {
                *value = json!({ "name": name, "arguments": value.take() });
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// Fields of a message beside those of its call that may hold a name, or a text with one.
const TITLES: [&str; 6] = [
    "title",
    "label",
    "method",
    "displayName",
    "display_name",
    "toolTitle",
];

/// Returns the name of a tool in a field beside the fields of its call, which may be in an object of its own.
pub(super) fn of_message(fields: &Map<String, Value>) -> Option<&str> {
    let inner = FIELDS
        .iter()
        .find_map(|name| fields.get(*name)?.as_object())?;
    let is_edit = looks_like_edit(inner) || by_fields(inner).is_some();
    let of_object = fields.iter().find_map(|(key, value)| {
        let is_label = |word: &String| LABELS.contains(&word.as_str());
        let is_call = !FIELDS.contains(&key.as_str()) && words(key).iter().any(is_label);
        let object = value.as_object().filter(|_| is_call)?;
        let names = NAMES.iter().chain(&TITLES);
        let mut names = names.filter_map(|name| object.get(*name)?.as_str());
        names.find(|name| has_rows(name) || (is_edit && is_tool_like(name)))
    });
    let mut others = fields.values().filter_map(Value::as_str);
    // A message of a kind that is no wrapper of calls: its kind is the name of the tool.
    let kinds = ["type", "kind"]
        .iter()
        .filter_map(|name| fields.get(*name)?.as_str());
    let mut kinds = kinds.map(|kind| kind.strip_suffix("_call").unwrap_or(kind));
    of_object
        .or_else(|| in_title(fields, inner, is_edit))
        .or_else(|| others.find(|name| is_compound(name) && has_rows(name)))
        .or_else(|| kinds.find(|kind| is_edit && is_tool_like(kind)))
}

/// Returns the name of a tool in the title of a call with these inner fields.
fn in_title<'v>(
    fields: &'v Map<String, Value>,
    inner: &Map<String, Value>,
    is_edit: bool,
) -> Option<&'v str> {
    let mut titles = TITLES.iter().filter_map(|name| fields.get(*name)?.as_str());
    titles.find_map(|title| {
        if has_rows(title) && fits(title, inner) {
            return Some(title);
        }
        let name = match name_of(&mentions(title), inner)? {
            (Cow::Borrowed(name), _) => name,
            (Cow::Owned(_), _) => title,
        };
        (is_edit || has_rows(name)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_beside_the_fields_binds() {
        let append = || json!({"path": "f", "text": "a"});
        let write = || json!({"path": "f", "content": "a"});
        let check = |above: &str, fields: Value, expected: Option<&str>| {
            let mut value = fields;
            let lines = above.lines().rev().filter(|line| !line.is_empty());
            bind(&mut value, &NamesBeside::of(lines));
            let name = value.get("name").and_then(Value::as_str);
            assert_eq!(name, expected, "{above}");
        };
        for above in [
            "Tool: fsAppend\nInput:",
            "### Tool call: `fsAppend`\n\n```json",
            "**Tool:** fsAppend\n**Input:**\n```json",
            "[12:00] tool=fsAppend call=call_1 args=",
            "tool_name: fsAppend tool_call_id: call_9",
            "Action: fsAppend\nAction Input:",
            "**fsAppend**",
            "fsAppend",
            "<fsAppend>",
            "<call name=\"fsAppend\">",
            "I call `fsAppend` with:",
            "Calling fsAppend to add a line:",
            "With fsAppend, a line is added to log.txt:",
            "```fsAppend",
        ] {
            check(above, append(), Some("fsAppend"));
        }
        check(
            "Tool call: `fsAppend`",
            json!({"input": append()}),
            Some("fsAppend"),
        );
        // A tool that is not known binds as well.
        for above in [
            "**Tool:** `append_to_file`",
            "append_to_file",
            "### append_to_file\n```json",
            "<append_to_file>",
            "tool=append_to_file action=write args=",
            "I call `append_to_file`:",
        ] {
            check(above, write(), Some("append_to_file"));
        }
        check("Tool: Add", write(), Some("Add"));
        check(
            "Either use `fsWrite` or use `fsAppend`",
            append(),
            Some("fsWrite or fsAppend"),
        );
        // Words of prose, wrappers, languages, paths and other values are no tools.
        for above in [
            "The `edit` function is new:",
            "The new update_total is in `src/edit.py`:",
            "### TypeScript",
            "## Edit",
            "```json",
            "```tool_code",
            "<tool_call>",
            "Action: update the file",
            "Function `total`, new:",
            "INFO agent::tools: call",
            "# fsAppend\n## Then",
            "fsAppend\n```\nx\n```\n",
        ] {
            check(above, write(), None);
        }
        check(
            "fsAppend",
            json!({"type": "diff", "path": "f", "newText": "a"}),
            None,
        );
        check(
            "fsAppend",
            json!({"name": "x", "input": append()}),
            Some("x"),
        );
        check("`fsAppend` is not used", json!({"a": 1}), None);
    }

    #[test]
    fn a_field_of_the_message_names_the_tool() {
        let check = |beside: Value, expected: Option<&str>| {
            let mut fields = beside.as_object().unwrap().clone();
            fields.insert("input".to_owned(), json!({"path": "f", "text": "a"}));
            assert_eq!(of_message(&fields), expected, "{beside}");
        };
        check(json!({"tool": {"name": "fsAppend"}}), Some("fsAppend"));
        check(
            json!({"call": {"title": "append_to_file"}}),
            Some("append_to_file"),
        );
        check(
            json!({"title": "fsAppend", "kind": "edit"}),
            Some("fsAppend"),
        );
        check(json!({"title": "`fsAppend` log.txt"}), Some("fsAppend"));
        check(json!({"event": "fsAppend"}), Some("fsAppend"));
        check(json!({"title": "append_to_file"}), Some("append_to_file"));
        check(
            json!({"title": "Edit log.txt", "kind": "edit", "id": "call_1"}),
            None,
        );
        check(json!({"agent": {"name": "editor"}}), None);
        check(json!({"method": "session/update"}), None);
        let request = json!({"method": "applyPatchApproval", "params": {"fileChanges": {}}});
        assert_eq!(of_message(request.as_object().unwrap()), None);
    }
}
