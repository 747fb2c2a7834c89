//! Tool calls as markup: the tags in which models write calls as text, with raw text between them.
//!
//! Four forms: parameters with names (`<invoke name="Edit"><parameter name="file_path">`, `<function=edit>
//! <parameter=file_path>`, `<arg_key>file_path</arg_key>`), elements with attributes (`<str_replace path="…"><old_str>`, `<boltAction type="file"
//! filePath="…">`), elements with a child for each field (`<change><file>`), and elements around JSON (`<tool_call>{…}`) or around a name and
//! fields (`<invoke><tool_name>`). Each becomes the JSON value of the same call. An attribute that a form does not define may change what is
//! asked for, so it becomes a field, which no tool has: the call is refused by its name.

use serde_json::{Map, Value, json};

use super::opening_tag::OpeningTag;
use super::tag_text::{
    self, after_break, before_indent, closing_tag, from_tag, trimmed, unindented, without_cdata,
};
use crate::dialect::input::Input;
use crate::dialect::message::name_beside;
use crate::dialect::tool::{schema, tool_match};
use crate::text::{LineIdx, UniqueJson, split_indent};

/// Reads the call that the first tags of a text open, on a line of some indentation, and returns its length.
pub(super) fn in_tags(input: &Input, tail: &str, indent: &str) -> Option<(Value, usize)> {
    let mut start = 0;
    for _ in 0..MOST_AROUND {
        let text = tail.get(start..)?;
        let tag = OpeningTag::open(text)?;
        let is_closed = tag.is_empty || input.has_closing_tag(tag.element(), text);
        if let Some((value, length)) = of_tag(text, &tag, indent, is_closed) {
            return Some((value, start + length));
        }
        start += tag.length;
    }
    None
}

/// Describes the call whose tag opens at a line, if no closing tag of its name is below it, or only that of another call.
pub(in crate::dialect) fn unclosed(input: &Input, at: LineIdx) -> Option<String> {
    let text = input.tail(at).trim_start_matches([' ', '\t']);
    let tag = OpeningTag::open(text).filter(|tag| !tag.is_empty)?;
    let is_closed = input.has_closing_tag(tag.element(), text);
    let named = (tag.attribute("name"))
        .or_else(|| tag.name.strip_prefix("function="))
        .filter(|name| tool_match::has_rows(name));
    let names_file = |tool: &&str| {
        let mut attributes = tag.attributes.iter();
        attributes.any(|(field, _)| schema::names_file(tool, field))
    };
    let tool = named.or_else(|| schema::element(tag.name).filter(names_file))?;
    let tool = tool.trim_matches(['<', '>']);
    if is_closed {
        let (indent, _) = split_indent(input.line(at)?);
        return (in_tags(input, text, indent).is_none())
            .then(|| format!("a call of `{tool}` that is cut off, or has a field twice"));
    }
    Some(format!("a call of `{tool}` without `</{}>`", tag.element()))
}

/// Describes the element of a call that opens at a line and has no end.
pub(super) fn open_element(input: &Input, at: LineIdx) -> Option<String> {
    let mut text = input.tail(at).trim_start_matches([' ', '\t']);
    for _ in 0..MOST_AROUND {
        let tag = OpeningTag::open(text)?;
        let bare = tag.name.rsplit(':').next().unwrap_or(tag.name);
        let holds_call = bare.contains("tool")
            || bare.contains("function")
            || schema::element(tag.name).is_some();
        let is_open = !tag.is_empty && !input.has_closing_tag(tag.element(), text);
        if (holds_call || HOLDERS.contains(&bare)) && is_open {
            let (name, element) = (tag.name, tag.element());
            return Some(format!("a call in `<{name}>` without `</{element}>`"));
        }
        text = text[tag.length..].trim_start_matches([' ', '\t']);
    }
    None
}

/// The most tags around a call that open on its line.
const MOST_AROUND: usize = 3;

/// The elements that hold a call.
pub(in crate::dialect) const HOLDERS: [&str; 5] = [
    "tool_call",
    "tool_use",
    "function_call",
    "functioncall",
    "invoke",
];

/// Reads the call that a tag opens on a line of some indentation, and returns its length.
fn of_tag(text: &str, tag: &OpeningTag, indent: &str, is_closed: bool) -> Option<(Value, usize)> {
    let body = text[tag.length..].trim_start();
    let bare = tag.name.rsplit(':').next().unwrap_or(tag.name);
    let closing = format!("</{}>", tag.name);
    let is_named = tag.attribute("name").is_some_and(tool_match::has_rows);
    if (HOLDERS.contains(&bare) || is_named) && body.starts_with(['{', '[']) {
        let (value, end) = json_up_to(text, tag.length, &closing)?;
        let call = match tag.attribute("name").filter(|_| value.is_object()) {
            Some(name) => json!({ "name": name, "arguments": value }),
            None => value,
        };
        return Some((with_attributes(tag, call)?, end));
    }
    if let Some(tool) = schema::element(tag.name)
        .or(Some(tag.name).filter(|name| name_beside::is_tool_like(name)))
        .filter(|_| tag.attributes.is_empty() && body.starts_with('{'))
        && let Some((Value::Object(fields), end)) = json_up_to(text, tag.length, &closing)
        && !tool_match::is_named(&fields)
    {
        return Some((json!({ "name": tool, "arguments": fields }), end));
    }
    if let Some(call) = name_and_fields(text, tag, &closing) {
        return Some(call);
    }
    if !is_closed {
        return None;
    }
    if tag.name.ends_with("invoke") || (HOLDERS.contains(&bare) && tag.attribute("name").is_some())
    {
        invoked(text, tag, &closing)
    } else if tag.name == "tool_call" {
        pairs(text, tag)
    } else if let Some(name) = tag.name.strip_prefix("function=") {
        if body.starts_with('{') {
            let (fields, end) = json_up_to(text, tag.length, "</function>")?;
            let call = json!({ "name": name, "arguments": fields });
            Some((with_attributes(tag, call)?, end))
        } else {
            parameters(text, tag, name)
        }
    } else if tag.name == "file" && tag.attributes.is_empty() {
        modification(text)
    } else {
        let unknown = (tag.name == "file").then_some("<file>");
        let tool = schema::element(tag.name).or(unknown)?;
        element(text, tag, tool, indent)
    }
}

/// Reads the JSON with which a text begins.
pub(super) fn json(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<UniqueJson>();
    let UniqueJson(value) = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// A value in JSON from a position on, and the position after it and its closing tag.
fn json_up_to(text: &str, from: usize, closing: &str) -> Option<(Value, usize)> {
    let (value, length) = json(&text[from..])?;
    let end = from + length;
    let after = text[end..].trim_start().strip_prefix(closing);
    Some((value, after.map_or(end, |rest| text.len() - rest.len())))
}

/// An element for the name of a tool and one for its fields, which are JSON or elements. The name of a server may be above.
fn name_and_fields(text: &str, tag: &OpeningTag, closing: &str) -> Option<(Value, usize)> {
    let is_name =
        |name: &str| name == "tool_name" || (name == "name" && HOLDERS.contains(&tag.name));
    let rest = text[tag.length..].trim_start();
    let server = rest.strip_prefix("<server_name>");
    let server = server.and_then(|inner| inner.split_once("</server_name>"));
    let rest = server.map_or(rest, |(_, rest)| rest.trim_start());
    let named = OpeningTag::open(rest).filter(|tag| is_name(tag.name))?;
    let (name, rest) = rest[named.length..].split_once(&format!("</{}>", named.name))?;
    let (name, rest) = (name.trim(), rest.trim_start());
    let holder = OpeningTag::open(rest)
        .filter(|tag| matches!(tag.name, "parameters" | "arguments" | "input"))?;
    let end = format!("</{}>", holder.name);
    let mut at = text.len() - rest.len() + holder.length;
    let around = [tag, &named, &holder];
    let call;
    if text[at..].trim_start().starts_with('{') {
        let (Value::Object(mut fields), after) = json_up_to(text, at, &end)? else {
            return None;
        };
        (around.iter()).try_for_each(|tag| add_of_call(&mut fields, tag))?;
        (call, at) = (json!({ "name": name, "arguments": fields }), after);
    } else {
        let mut fields = Map::new();
        (around.iter()).try_for_each(|tag| add_of_call(&mut fields, tag))?;
        loop {
            let rest = text[at..].trim_start();
            if let Some(after) = rest.strip_prefix(&end) {
                (call, at) = (with_names(name, fields)?, text.len() - after.len());
                break;
            }
            let field = OpeningTag::open(rest)?;
            let body = &rest[field.length..];
            let is_last = |after: &str| {
                let after = after.trim_start();
                let next =
                    OpeningTag::open(after).is_some_and(|tag| schema::has_field(name, tag.name));
                after.starts_with(&end) || next
            };
            let tag = format!("</{}>", field.name);
            let length = closing_tag(body, &tag, is_last)?;
            let value = tag_text::of_field(name, field.name, &body[..length], trimmed);
            add_field(&mut fields, field.name, value.into())?;
            add_of_field(&mut fields, field.name, &field)?;
            at = text.len() - body.len() + length + tag.len();
        }
    }
    let after = text[at..].trim_start().strip_prefix(closing);
    let at = after.map_or(at, |rest| text.len() - rest.len());
    Some((call, at))
}

/// `<invoke name="TOOL">` with its parameters, elements of one name that have the names of the fields.
fn invoked(text: &str, tag: &OpeningTag, closing: &str) -> Option<(Value, usize)> {
    let name = tag.attribute("name")?;
    let mut fields = Map::new();
    add_of_call(&mut fields, tag)?;
    let mut at = tag.length;
    let mut element: Option<&str> = None;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        if let Some(after) = rest.strip_prefix(closing) {
            return Some((with_names(name, fields)?, text.len() - after.len()));
        }
        let parameter = OpeningTag::open(rest)
            .filter(|next| element.is_none_or(|element| element == next.name))
            .filter(|next| next.name != tag.name)?;
        element = Some(parameter.name);
        let key = parameter.attribute("name")?;
        let end = format!("</{}>", parameter.name);
        let body = &rest[parameter.length..];
        let is_last = |after: &str| {
            let after = after.trim_start();
            after.starts_with(closing) || after.starts_with(&format!("<{}", parameter.name))
        };
        let length = closing_tag(body, &end, is_last)?;
        let value = tag_text::of_field(name, key, &body[..length], trimmed);
        add_field(&mut fields, key, Value::from(value))?;
        add_of_field(&mut fields, key, &parameter)?;
        at += parameter.length + length + end.len();
    }
}

/// `<tool_call>TOOL` with an `<arg_key>` and an `<arg_value>` for each field.
fn pairs(text: &str, tag: &OpeningTag) -> Option<(Value, usize)> {
    const CLOSING: &str = "</tool_call>";
    let (name, _) = text[tag.length..].split_once('<')?;
    let mut at = tag.length + name.len();
    let name = name.trim();
    let is_name = |c: char| c.is_alphanumeric() || "_-.:/".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let mut fields = Map::new();
    add_of_call(&mut fields, tag)?;
    loop {
        let rest = text[at..].trim_start();
        if let Some(after) = rest.strip_prefix(CLOSING) {
            return Some((with_names(name, fields)?, text.len() - after.len()));
        }
        let (key, rest) = rest.strip_prefix("<arg_key>")?.split_once("</arg_key>")?;
        let body = rest.trim_start().strip_prefix("<arg_value>")?;
        let is_last = |after: &str| {
            let after = after.trim_start();
            after.starts_with(CLOSING) || after.starts_with("<arg_key>")
        };
        let length = closing_tag(body, "</arg_value>", is_last)?;
        add_field(&mut fields, key.trim(), Value::from(&body[..length]))?;
        at = text.len() - body.len() + length + "</arg_value>".len();
    }
}

/// `<function=TOOL>` with its parameters, whose values are on lines of their own.
fn parameters(text: &str, tag: &OpeningTag, name: &str) -> Option<(Value, usize)> {
    const END: &str = "</parameter>";
    const CLOSING: &str = "</function>";
    let mut fields = Map::new();
    add_of_call(&mut fields, tag)?;
    let mut at = tag.length;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        if let Some(after) = rest.strip_prefix(CLOSING) {
            return Some((with_names(name, fields)?, text.len() - after.len()));
        }
        let parameter = OpeningTag::open(rest)?;
        let key = parameter.name.strip_prefix("parameter=")?;
        let body = &rest[parameter.length..];
        let is_last = |after: &str| {
            let after = after.trim_start();
            after.starts_with(CLOSING) || after.starts_with("<parameter=")
        };
        let length = closing_tag(body, END, is_last)?;
        let inner = tag_text::of_field(name, key, &body[..length], tag_text::without_breaks);
        add_field(&mut fields, key, Value::from(inner))?;
        add_of_field(&mut fields, key, &parameter)?;
        at += parameter.length + length + END.len();
    }
}

/// A call of a tool. Blanks around a name of a file are those of the markup.
/// `None` if a name has several lines: the text between its tags is that of more than one field.
fn with_names(tool: &str, mut fields: Map<String, Value>) -> Option<Value> {
    for (field, value) in &mut fields {
        if let Value::String(name) = value
            && schema::names_file(tool, field)
        {
            *name = name.trim().to_owned();
            if name.contains('\n') {
                return None;
            }
        }
    }
    Some(json!({ "name": tool, "arguments": fields }))
}

/// Adds the attributes of the tag around a call in JSON to its fields.
fn with_attributes(tag: &OpeningTag, mut call: Value) -> Option<Value> {
    let calls = if let Value::Array(calls) = &mut call {
        calls.as_mut_slice()
    } else {
        std::slice::from_mut(&mut call)
    };
    for call in calls.iter_mut().filter_map(Value::as_object_mut) {
        let holders = ["arguments", "parameters", "input"];
        let holder = holders
            .iter()
            .find(|name| call.get(**name).is_some_and(Value::is_object));
        let fields = match holder {
            Some(name) => call.get_mut(*name).and_then(Value::as_object_mut)?,
            None => call,
        };
        for (name, value) in tag.of_call() {
            add_field(fields, name, Value::from(value))?;
        }
    }
    Some(call)
}

/// Adds the attributes of the tag of a call to its fields.
fn add_of_call(fields: &mut Map<String, Value>, tag: &OpeningTag) -> Option<()> {
    let mut attributes = tag.of_call();
    attributes.try_for_each(|(name, value)| add_field(fields, name, Value::from(value)))
}

/// Adds the attributes of the tag of a field to the fields of its call, as those of that field.
fn add_of_field(fields: &mut Map<String, Value>, key: &str, tag: &OpeningTag) -> Option<()> {
    let mut attributes = tag.of_field();
    attributes.try_for_each(|(name, value)| {
        add_field(fields, &format!("{key} {name}"), Value::from(value))
    })
}

/// Adds a field of a call; `None` if the call has it already, as one that is cut off and goes on with the fields of the next has.
fn add_field(fields: &mut Map<String, Value>, name: &str, value: Value) -> Option<()> {
    let is_new = !fields.contains_key(name);
    fields.insert(name.to_owned(), value);
    is_new.then_some(())
}

/// An element whose fields are its attributes and its children, or its text.
fn element(text: &str, tag: &OpeningTag, tool: &str, indent: &str) -> Option<(Value, usize)> {
    let mut fields = Map::new();
    for (name, attribute) in &tag.attributes {
        add_field(&mut fields, name, Value::from(*attribute))?;
    }
    if tag.is_empty {
        return Some((with_names(tool, fields)?, tag.length));
    }
    let closing = format!("</{}>", tag.name);
    let mut at = tag.length;
    let mut children = 0;
    loop {
        let rest = text[at..].trim_start();
        let start = text.len() - rest.len();
        if children > 0
            && let Some(after) = rest.strip_prefix(&closing)
        {
            return Some((with_names(tool, fields)?, text.len() - after.len()));
        }
        let child = OpeningTag::open(rest).filter(|child| schema::has_field(tool, child.name));
        let Some(child) = child else {
            // Text, not children: only an element that names its file is a call.
            if children > 0 || tag.attributes.is_empty() {
                return None;
            }
            let body = &text[tag.length..];
            let length = body.find(&closing)?;
            let inner = without_cdata(&body[..length]);
            if !inner.is_empty() {
                let inner = after_break(inner).map_or_else(
                    || from_tag(inner, indent),
                    |inner| unindented(inner, indent),
                );
                let inner = tag_text::unescaped(tool, inner);
                let inner = if schema::trims_text(tool) {
                    tag_text::of_file(&inner)
                } else {
                    before_indent(&inner).unwrap_or(&inner).to_owned()
                };
                add_field(&mut fields, "content", Value::from(inner))?;
            }
            let length = tag.length + length + closing.len();
            return Some((with_names(tool, fields)?, length));
        };
        let end = format!("</{}>", child.name);
        let body = &rest[child.length..];
        let is_last = |after: &str| {
            let after = after.trim_start();
            let next = OpeningTag::open(after).is_some_and(|tag| schema::has_field(tool, tag.name));
            after.starts_with(&closing) || next
        };
        let length = closing_tag(body, &end, is_last)?;
        let own = without_cdata(&body[..length]);
        let mut inner = tag_text::of_field(tool, child.name, own, trimmed).to_owned();
        // Text between tags on lines of their own does not show if the last line of a file has an end.
        if inner.len() < own.len()
            && schema::is_whole_text(tool, child.name)
            && !inner.ends_with('\n')
        {
            inner.push('\n');
        }
        add_field(&mut fields, child.name, Value::from(inner))?;
        add_of_field(&mut fields, child.name, &child)?;
        at = start + child.length + length + end.len();
        children += 1;
    }
}

/// `<file>`, `<original>` and `<patched>` in a row.
fn modification(text: &str) -> Option<(Value, usize)> {
    let mut fields = Map::new();
    let mut at = 0;
    for name in ["file", "original", "patched"] {
        let rest = text[at..].trim_start();
        let body = rest.strip_prefix(&format!("<{name}>"))?;
        let end = format!("</{name}>");
        let length = body.find(&end)?;
        let inner = &body[..length];
        let inner = if name == "file" {
            inner.trim()
        } else {
            trimmed(inner)
        };
        fields.insert(name.to_owned(), Value::from(inner));
        at = text.len() - body.len() + length + end.len();
    }
    Some((json!({ "name": "<modification>", "arguments": fields }), at))
}
