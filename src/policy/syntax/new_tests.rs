//! New tests: functions that only the test runner compiles and calls, and that change nothing else.
//!
//! In Rust it has the attribute `test`, in Go it begins with `Test` in a file of tests and no comment of it may be a directive. Its name
//! is new to the file, so that nothing in it means something else now. In Rust it holds nothing that reaches beyond it: no
//! implementation, no macro definition, no import, and no macro but those of the standard library.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::directives::has_directive;
use super::documentation::is_built_in;
use super::items::{ATTRIBUTE, begins_line, is_attached, is_cut_from_above, is_free_list};
use super::language::{Grammar, TestForm};
use super::walk::go_on;

/// Macros of the standard library that define no items.
const KNOWN_MACROS: [&str; 17] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "debug_assert",
    "eprintln",
    "env",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];
/// Kinds of nodes that have an effect beyond the function of Rust that they are in.
const FAR_REACHING: [&str; 6] = [
    "extern_crate_declaration",
    "foreign_mod_item",
    "impl_item",
    "macro_definition",
    "mod_item",
    "use_declaration",
];

/// A new test.
pub(super) struct NewTest {
    /// Its bytes, with the comments and attributes right above it.
    pub(super) bytes: Range<usize>,
    /// The number of nodes.
    pub(super) nodes: usize,
}

/// Returns the test that begins at a cursor and that is new beside an older version; `None` if there is none, or if it may change something
/// else.
pub(super) fn new_test(
    grammar: &Grammar,
    path: &str,
    cursor: &TreeCursor<'_>,
    [old, new]: [&str; 2],
) -> Option<NewTest> {
    let first = cursor.node();
    if !begins_line(first, new) || is_cut_from_above(grammar, first, new) {
        return None;
    }
    let mut attached = Vec::new();
    let mut ahead = cursor.clone();
    while is_attached(grammar, ahead.node()) {
        attached.push(ahead.node());
        if !ahead.goto_next_sibling() {
            return None;
        }
    }
    let item = ahead.node();
    let name = item.child_by_field_name("name")?;
    let name = new.get(name.byte_range())?;
    let is_test = match grammar.tests? {
        TestForm::Attribute => is_rust_test(item, &attached, new),
        TestForm::Prefix => is_go_test(item, name, path, new),
    };
    let has_directive =
        || (attached.iter().chain([&item])).any(|own| has_directive(grammar, *own, new));
    if !is_test || has_word(old, name) || has_directive() {
        return None;
    }
    Some(NewTest {
        bytes: first.start_byte()..item.end_byte(),
        nodes: attached.len() + 1,
    })
}

fn is_rust_test(item: Node<'_>, attached: &[Node<'_>], text: &str) -> bool {
    let is_item = item.kind() == "function_item"
        && (item.parent()).is_some_and(|list| is_module(list) && is_free_list(list, text));
    let mut attributes = attached.iter().filter(|own| own.kind() == ATTRIBUTE);
    is_item
        && attributes.clone().all(|own| is_built_in(*own, text))
        && attributes.any(|own| text.get(own.byte_range()) == Some("#[test]"))
        && reaches_nothing(item, text)
}

/// Returns true for the items of a file or of a module, but not those of a type.
fn is_module(list: Node<'_>) -> bool {
    list.kind() == "source_file" || list.parent().is_some_and(|item| item.kind() == "mod_item")
}

/// Returns true if nothing in a function of Rust has an effect beyond it.
fn reaches_nothing(item: Node<'_>, text: &str) -> bool {
    let mut cursor = item.walk();
    loop {
        let node = cursor.node();
        let is_harmless = match node.kind() {
            "macro_invocation" => {
                let name = node.child_by_field_name("macro");
                let name = name.and_then(|name| text.get(name.byte_range()));
                name.is_some_and(|name| KNOWN_MACROS.contains(&name))
            }
            // Macros in the input of a macro are not parsed.
            "token_tree" => !has_other_macro(text.get(node.byte_range()).unwrap_or_default()),
            "attribute_item" => is_built_in(node, text),
            kind => !FAR_REACHING.contains(&kind),
        };
        if !is_harmless {
            return false;
        }
        if !cursor.goto_first_child() && !go_on(&mut cursor) {
            return true;
        }
    }
}

/// Returns true if a word before a `!` may be a macro that is not known, or an item may be in the text.
fn has_other_macro(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has_macro = text.match_indices('!').any(|(at, _)| {
        let before = text[..at].trim_end();
        let start = before.rfind(|c| !is_word(c)).map_or(0, |at| {
            at + before[at..].chars().next().map_or(0, char::len_utf8)
        });
        let name = &before[start..];
        !name.is_empty() && !KNOWN_MACROS.contains(&name) && !text[at..].starts_with("!=")
    });
    has_macro
        || ["impl", "use", "mod", "extern", "macro_rules", "include"]
            .iter()
            .any(|word| has_word(text, word))
}

fn is_go_test(item: Node<'_>, name: &str, path: &str, text: &str) -> bool {
    let parameters = item.child_by_field_name("parameters");
    let parameters = parameters.and_then(|list| text.get(list.byte_range()));
    item.kind() == "function_declaration"
        && path.ends_with("_test.go")
        && name.starts_with("Test")
        && name != "TestMain"
        && parameters == Some("(t *testing.T)")
}

/// Returns true if a text has a name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word)
    })
}
