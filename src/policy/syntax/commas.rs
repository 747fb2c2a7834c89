//! Commas before a closing bracket, which have no meaning in most lists.

use tree_sitter::Node;

use super::language::Grammar;

/// Kinds of elements after which Rust allows no comma: the base of a value, and the rest of a pattern.
const LAST: [&str; 2] = ["base_field_initializer", "remaining_field_pattern"];

/// Returns true for a comma that the closing bracket after it makes needless. The comma of a tuple is, if there is another one. The
/// grammars also accept a comma without an element before it, which the compilers do not.
pub(super) fn is_trailing_comma(grammar: &Grammar, node: Node<'_>) -> bool {
    let next = node.next_sibling().map_or("", |next| next.kind());
    if node.kind() != "," || !matches!(next, ")" | "]" | "}" | ">") {
        return false;
    }
    let Some(list) = node.parent() else {
        return false;
    };
    let mut before =
        std::iter::successors(node.prev_sibling(), Node::prev_sibling).skip_while(Node::is_extra);
    let follows_element =
        (before.next()).is_some_and(|before| before.is_named() && !LAST.contains(&before.kind()));
    follows_element
        && (grammar.trailing_commas.contains(&list.kind())
            || grammar.tuples.contains(&list.kind()) && has_commas(list))
}

/// Returns true if a list has more than one comma.
fn has_commas(list: Node<'_>) -> bool {
    let mut cursor = list.walk();
    let commas = (list.children(&mut cursor)).filter(|child| child.kind() == ",");
    commas.count() > 1
}
