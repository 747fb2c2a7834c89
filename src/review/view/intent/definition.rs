//! The name that a line of a program defines, judged by this line alone. What is not sure is no definition.

use super::changed_text::{first_word, is_name, is_of_name};
use crate::review::view::enclosing_definitions::CONTROL;

/// Names with at most this many letters are not followed: they mean something else at every other place.
const SHORT: usize = 2;

/// Words before the name of a function, a type or a module, in the usual programming languages.
const DEFINES: [&str; 18] = [
    "fn",
    "def",
    "func",
    "function",
    "fun",
    "sub",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "type",
    "union",
    "record",
    "protocol",
    "object",
    "module",
    "mod",
];
/// Words before the name of a value, which others can use if it is defined at the margin.
const DEFINES_VALUE: [&str; 5] = ["const", "static", "let", "var", "val"];
/// Words that can come before these.
const MODIFIERS: [&str; 22] = [
    "pub",
    "export",
    "default",
    "async",
    "static",
    "public",
    "private",
    "protected",
    "internal",
    "abstract",
    "final",
    "const",
    "unsafe",
    "extern",
    "override",
    "inline",
    "open",
    "sealed",
    "data",
    "partial",
    "virtual",
    "declare",
];
/// Words that can come after the name.
const FOLLOWS: [&str; 5] = ["extends", "implements", "where", "struct", "interface"];

/// A name, and the definition of it on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition<'a> {
    pub(super) name: &'a str,
    /// True if the line is not indented.
    pub(super) is_at_margin: bool,
}

/// Returns the definition on a line.
pub(super) fn definition(line: &str) -> Option<Definition<'_>> {
    let text = line.trim();
    let is_at_margin = line.starts_with(text);
    let name = defined_name(text, is_at_margin)?;
    let is_long = name.chars().nth(SHORT).is_some();
    (is_long && is_name(name)).then_some(Definition { name, is_at_margin })
}

fn defined_name(text: &str, is_at_margin: bool) -> Option<&str> {
    let mut rest = text;
    loop {
        let (word, after) = first_word(rest);
        let is_value = is_at_margin && DEFINES_VALUE.contains(&word);
        if (is_value || DEFINES.contains(&word))
            && let Some(name) = name_after(word, after)
        {
            return Some(name);
        }
        // In `enum class Color` the second word is the one before the name.
        if !MODIFIERS.contains(&word) && !DEFINES.contains(&word) {
            return typed_function(rest);
        }
        rest = without_brackets(after.trim_start()).trim_start();
    }
}

/// Returns the name after the word that begins a definition.
fn name_after<'a>(word: &str, after: &'a str) -> Option<&'a str> {
    let text = after.strip_prefix(char::is_whitespace)?.trim_start();
    // In Go the type that has the method comes first.
    let text = if word == "func" {
        without_brackets(text).trim_start()
    } else {
        text
    };
    let (name, after) = first_word(text);
    let is_value = !DEFINES.contains(&word);
    let after = after.trim_start();
    let is_followed = match after.chars().next() {
        Some('=' | ':') => true,
        None | Some('(' | '<' | '{' | '[' | ';') => !is_value,
        Some(_) => !is_value && FOLLOWS.contains(&first_word(after).0),
    };
    is_followed.then_some(name)
}

/// Returns the text after brackets that it begins with, as in `pub(crate) fn`.
fn without_brackets(text: &str) -> &str {
    let inside = text.strip_prefix('(');
    let after = inside.and_then(|inside| inside.split_once(')'));
    after.map_or(text, |(_, after)| after)
}

/// Returns the name of a function that begins with its type: `int send(Request request) {`.
fn typed_function(text: &str) -> Option<&str> {
    let head = text.strip_suffix('{')?.split_once('(')?.0;
    let is_of_head = |c: char| is_of_name(c) || c.is_whitespace() || "*&<>[],.:~".contains(c);
    let start = head.rfind(|c| !is_of_name(c)).map_or(0, |at| {
        at + head[at..].chars().next().map_or(1, char::len_utf8)
    });
    let (kind, name) = head.split_at(start);
    let begins = first_word(kind).0;
    let is_kind =
        is_name(begins) && !CONTROL.contains(&begins) && kind.contains(char::is_whitespace);
    (is_kind && head.chars().all(is_of_head)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        let found = definition(line).map(|found| found.name);
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn a_line_defines_the_name_after_its_word() {
        for (line, name) in [
            ("fn send(x: u8) -> u8 {", "send"),
            ("    pub(crate) async fn send<T>(", "send"),
            ("pub const fn limit() -> u8;", "limit"),
            ("pub const LIMIT: u8 = 3;", "LIMIT"),
            ("pub struct Client;", "Client"),
            ("mod retry;", "retry"),
            ("def send(x):", "send"),
            ("class Client(Base):", "Client"),
            ("class Client", "Client"),
            ("export default class Client extends Base {", "Client"),
            ("export const send = async (x) => {", "send"),
            ("async function send(x) {", "send"),
            ("func (c *Client) Send(x int) error {", "Send"),
            ("func Send(x int) error {", "Send"),
            ("type Client struct {", "Client"),
            ("type Name = string;", "Name"),
            ("enum class Color { Red };", "Color"),
            ("public static void send(Request request) {", "send"),
            ("int main(int argc, char **argv) {", "main"),
            ("std::vector<int> Client::list(int x) {", "list"),
        ] {
            check(line, Some(name));
        }
    }

    #[test]
    fn what_is_not_sure_is_no_definition() {
        for line in [
            "",
            "send(x);",
            "if send(x) {",
            "} else if send(x) {",
            "return send(x) {",
            "    let reply = send(x) {",
            "    const reply = send(x);",
            "fn of(x: u8) {",
            "// fn send(x)",
            "type names are here",
            "class of things",
            "type: string",
            "describe(\"send\", () => {",
            "function (x) {",
            "static int count;",
        ] {
            check(line, None);
        }
    }
}
