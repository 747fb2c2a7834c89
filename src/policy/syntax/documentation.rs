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
/// The kind of an attribute of the item that it is in.
const INNER_ATTRIBUTE: &str = "inner_attribute_item";
/// Signs of an example, or of one that other lines may end: a fence, and blanks that indent it.
const EXAMPLES: [&str; 4] = ["```", "~~~", "    ", "\t"];

/// Kinds of nodes that may always be documented.
const DOCUMENTABLE: [&str; 14] = [
    "associated_type",
    "const_item",
    "enum_item",
    "enum_variant",
    "field_declaration",
    "function_item",
    "function_signature_item",
    "impl_item",
    "mod_item",
    "static_item",
    "struct_item",
    "trait_item",
    "type_item",
    "union_item",
];

/// The part that a comment documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Documentation {
    /// The item after it.
    Outer,
    /// The item that it is in.
    Inner,
}

/// The documentation between two tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Documented {
    is_outer: bool,
    is_inner: bool,
    /// True if some of it is not right above an item.
    is_misplaced: bool,
}

impl Documented {
    /// Adds a comment, if it is documentation.
    pub(super) fn add(&mut self, comment: Node<'_>, text: &str) {
        match documentation(text) {
            Some(Documentation::Outer) => {
                self.is_outer = true;
                self.is_misplaced |= !is_above_item(comment);
            }
            Some(Documentation::Inner) => self.is_inner = true,
            None => (),
        }
    }

    /// Returns it with the documentation in a token before or after it.
    pub(super) fn beside(self, token: &str) -> Self {
        let kind = documentation(token);
        Self {
            is_outer: self.is_outer || kind == Some(Documentation::Outer),
            is_inner: self.is_inner || kind == Some(Documentation::Inner),
            ..self
        }
    }

    /// Returns true if it documents the same as a newer version, or that documents an item too. Documentation where there was none may be
    /// an error of the compiler, and the loss of all of an item may be one by `missing_docs`.
    pub(super) fn may_become(self, newer: Self) -> bool {
        let adds_outer = newer.is_outer && !newer.is_misplaced;
        self.is_inner == newer.is_inner && (self.is_outer == newer.is_outer || adds_outer)
    }
}

/// Returns the part that a comment of Rust documents; `None` if it is no documentation.
pub(super) fn documentation(comment: &str) -> Option<Documentation> {
    if comment.starts_with("//!") || comment.starts_with("/*!") {
        return Some(Documentation::Inner);
    }
    let line = comment
        .strip_prefix("///")
        .map(|rest| !rest.starts_with('/'));
    let block = comment
        .strip_prefix("/**")
        .map(|rest| !rest.starts_with(['*', '/']));
    line.or(block)?.then_some(Documentation::Outer)
}

/// Returns true if the node after a comment, and after the comments and attributes below it, may be documented.
fn is_above_item(comment: Node<'_>) -> bool {
    let mut after =
        std::iter::successors(comment.next_sibling(), Node::next_sibling).skip_while(is_attached);
    (after.next()).is_some_and(|item| DOCUMENTABLE.contains(&item.kind()))
}

/// Returns true if only people read a line of documentation: its item has no example, and neither the item nor one around it is given to
/// a macro.
pub(super) fn is_for_people(line: Node<'_>, text: &str) -> bool {
    let mut around = Some(line);
    while let Some(node) = around {
        if attached(node)
            .into_iter()
            .any(|own| reads_documentation(own, text))
        {
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
    let is_own = |node: &Node<'_>| is_attached(node) || node.kind() == INNER_ATTRIBUTE;
    let mut own: Vec<Node<'_>> = Some(node).filter(is_own).into_iter().collect();
    own.extend(std::iter::successors(node.prev_sibling(), Node::prev_sibling).take_while(is_own));
    if is_own(&node) {
        own.extend(
            std::iter::successors(node.next_sibling(), Node::next_sibling).take_while(is_own),
        );
    }
    own
}

fn is_attached(node: &Node<'_>) -> bool {
    matches!(node.kind(), ATTRIBUTE | "line_comment" | "block_comment")
}

/// Returns true for an attribute that may read the documentation of its item, or is some.
fn reads_documentation(own: Node<'_>, text: &str) -> bool {
    match own.kind() {
        ATTRIBUTE => !is_built_in(own, text) || name(own, text).0 == "doc",
        INNER_ATTRIBUTE => name(own, text).0 == "doc",
        _ => false,
    }
}

/// Returns true for an attribute that the compiler or the standard library knows, derived traits included.
pub(super) fn is_built_in(attribute: Node<'_>, text: &str) -> bool {
    let (name, rest) = name(attribute, text);
    if name == "derive" {
        let derived = rest.trim_matches(['(', ')', ']', ' ', '\n', ',']);
        return derived
            .split(',')
            .all(|derived| KNOWN_DERIVES.contains(&derived.trim()));
    }
    KNOWN_ATTRIBUTES.contains(&name)
}

/// Returns the name of an attribute, and its text after that.
fn name<'t>(attribute: Node<'_>, text: &'t str) -> (&'t str, &'t str) {
    let own = text.get(attribute.byte_range()).unwrap_or_default();
    let own = own.trim_start_matches(['#', '!', '[', ' ']);
    let end = own.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    own.split_at(end.unwrap_or(own.len()))
}
