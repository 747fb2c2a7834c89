//! Documentation of Rust that only people read: words of an item that no macro gets, in which nothing is an example.
//!
//! A line of documentation is an attribute. Macros that derive or change an item may read it, as parsers of arguments do for their
//! help, and rustdoc compiles the examples in it.

use tree_sitter::Node;

use super::items::{ATTRIBUTE, KNOWN_ATTRIBUTES};

/// Traits whose macros in the standard library read no documentation.
const KNOWN_DERIVES: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];
/// Signs of an example, or of one that other lines may end: a fence, and blanks that indent it.
const EXAMPLES: [&str; 4] = ["```", "~~~", "    ", "\t"];

/// Returns true for a comment that is documentation, and so an attribute.
pub(super) fn is_documentation(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.kind() == "line_comment" && node.children(&mut cursor).any(|child| child.is_named())
}

/// Returns true if only people read a line of documentation: its item has no example, and neither the item nor one around it is given to
/// a macro.
pub(super) fn is_for_people(line: Node<'_>, text: &str) -> bool {
    let mut around = Some(line);
    while let Some(node) = around {
        let mut attributes = attached(node)
            .into_iter()
            .filter(|own| own.kind() == ATTRIBUTE);
        if !attributes.all(|attribute| is_known(attribute, text)) {
            return false;
        }
        around = node.parent();
    }
    let own = attached(line).into_iter();
    let own = own.filter_map(|comment| text.get(comment.byte_range()));
    own.into_iter()
        .all(|line| !EXAMPLES.iter().any(|sign| line.contains(sign)))
}

/// Returns the comments and attributes of an item, or of the item of one of them.
fn attached(node: Node<'_>) -> Vec<Node<'_>> {
    let is_attached =
        |node: &Node<'_>| matches!(node.kind(), ATTRIBUTE | "line_comment" | "block_comment");
    let mut own: Vec<Node<'_>> = Some(node).filter(is_attached).into_iter().collect();
    own.extend(
        std::iter::successors(node.prev_sibling(), Node::prev_sibling).take_while(is_attached),
    );
    if is_attached(&node) {
        own.extend(
            std::iter::successors(node.next_sibling(), Node::next_sibling).take_while(is_attached),
        );
    }
    own
}

/// Returns true for an attribute that the compiler knows itself and that reads no documentation.
pub(super) fn is_known(attribute: Node<'_>, text: &str) -> bool {
    let own = text.get(attribute.byte_range()).unwrap_or_default();
    let own = own.trim_start_matches(['#', '[', ' ']);
    let end = own.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let (name, rest) = own.split_at(end.unwrap_or(own.len()));
    if name == "derive" {
        let derived = rest.trim_matches(['(', ')', ']', ' ', '\n', ',']);
        return derived
            .split(',')
            .all(|derived| KNOWN_DERIVES.contains(&derived.trim()));
    }
    name != "doc" && KNOWN_ATTRIBUTES.contains(&name)
}
