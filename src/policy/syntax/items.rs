//! Items whose order has no meaning: declarations in a row, each with the comments and attributes right above it.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::directives::has_directive;
use super::language::{Grammar, Items};

/// The kind of an attribute, which belongs to the item after it.
pub(super) const ATTRIBUTE: &str = "attribute_item";
/// Attributes that the compiler knows itself. Any other may be a macro that sees the items around.
pub(super) const KNOWN_ATTRIBUTES: [&str; 15] = [
    "allow",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "should_panic",
    "test",
    "warn",
];

/// Items in a row.
pub(super) struct ItemRun {
    /// Their bytes.
    pub(super) bytes: Range<usize>,
    /// The first and the last line.
    pub(super) rows: (usize, usize),
    /// The number of nodes.
    pub(super) nodes: usize,
    /// Their texts, sorted.
    pub(super) sorted: String,
}

/// Returns the items that begin at a cursor; `None` if there are none, or their order may have a meaning.
pub(super) fn run(grammar: &Grammar, cursor: &TreeCursor<'_>, text: &str) -> Option<ItemRun> {
    let items = grammar.items.as_ref()?;
    let first = cursor.node();
    let is_start = items.kinds.contains(&first.kind()) || is_attached(grammar, first);
    if !is_start || is_cut_from_above(grammar, first, text) || !is_free_list(first.parent()?, text)
    {
        return None;
    }
    let mut ahead = cursor.clone();
    let mut run: Option<ItemRun> = None;
    let mut texts = Vec::new();
    let mut passed = 0;
    while let Some((item, count)) = next_item(grammar, items, &mut ahead, text) {
        passed += count;
        texts.push(in_one_order(grammar, item.start, ahead.node(), text));
        let rows = (first.start_position().row, ahead.node().end_position().row);
        run = Some(ItemRun {
            bytes: first.start_byte()..item.end,
            rows,
            nodes: passed,
            sorted: String::new(),
        });
        if !ahead.goto_next_sibling() {
            break;
        }
    }
    texts.sort_unstable();
    run.map(|run| ItemRun {
        sorted: texts.join("\n"),
        ..run
    })
}

/// Moves a cursor from the first comment or attribute of an item to the item, and returns its bytes and the number of nodes.
fn next_item(
    grammar: &Grammar,
    items: &Items,
    cursor: &mut TreeCursor<'_>,
    text: &str,
) -> Option<(Range<usize>, usize)> {
    let start = cursor.node();
    if !begins_line(start, text) {
        return None;
    }
    let mut count = 1;
    while is_attached(grammar, cursor.node()) {
        let above = cursor.node();
        let may_be_macro = above.kind() == ATTRIBUTE && !is_known(above, text);
        if may_be_macro || has_directive(grammar, above, text) {
            return None;
        }
        if !cursor.goto_next_sibling() {
            return None;
        }
        let between = &text[above.start_byte()..cursor.node().start_byte()];
        let own = text.get(above.byte_range())?.trim_end_matches(['\n', '\r']);
        if between[own.len()..].matches('\n').count() > 1 {
            return None;
        }
        count += 1;
    }
    let item = cursor.node();
    let name = item.child_by_field_name("name");
    let name = name.and_then(|name| text.get(name.byte_range()));
    let is_ordered = name.is_some_and(|name| {
        let mut prefixes = items.ordered_prefixes.iter();
        items.ordered_names.contains(&name) || prefixes.any(|prefix| name.starts_with(prefix))
    });
    if !items.kinds.contains(&item.kind()) || is_ordered || has_directive(grammar, item, text) {
        return None;
    }
    Some((start.start_byte()..item.end_byte(), count))
}

/// Returns the text of an item from its first comment on, with the items within it in one order.
fn in_one_order(grammar: &Grammar, start: usize, item: Node<'_>, text: &str) -> String {
    let mut walk = item.walk();
    let list = (item.children(&mut walk)).find(|child| child.kind() == "declaration_list");
    let mut cursor = match list {
        Some(list) => list.walk(),
        None => return text[start..item.end_byte()].to_owned(),
    };
    let mut parts = vec![text[start..cursor.node().start_byte()].to_owned()];
    let mut has_more = cursor.goto_first_child();
    while has_more {
        match run(grammar, &cursor, text) {
            Some(run) => {
                parts.push(run.sorted);
                for _ in 1..run.nodes {
                    cursor.goto_next_sibling();
                }
            }
            None => parts.push(text[cursor.node().byte_range()].to_owned()),
        }
        has_more = cursor.goto_next_sibling();
    }
    parts.join("\n")
}

/// Returns true for a comment or an attribute.
pub(super) fn is_attached(grammar: &Grammar, node: Node<'_>) -> bool {
    node.kind() == ATTRIBUTE || grammar.comments.contains(&node.kind())
}

/// Returns true if a comment or an attribute is above a node, and so belongs to whatever begins there.
pub(super) fn is_cut_from_above(grammar: &Grammar, node: Node<'_>, text: &str) -> bool {
    let above = node.prev_sibling();
    above.is_some_and(|above| {
        above.kind() == ATTRIBUTE
            || is_attached(grammar, above)
                && (begins_line(above, text) || has_directive(grammar, above, text))
    })
}

/// Returns true if nothing is before a node on its line. A comment behind something else belongs to that.
pub(super) fn begins_line(node: Node<'_>, text: &str) -> bool {
    let before = text.get(..node.start_byte()).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty()
}

/// Returns true if no macro sees a list of items: it is the file, or is in items whose attributes are all known.
pub(super) fn is_free_list(list: Node<'_>, text: &str) -> bool {
    let mut around = Some(list);
    while let Some(node) = around {
        let mut before = node.prev_sibling();
        while let Some(attribute) = before.filter(|before| before.kind() == ATTRIBUTE) {
            if !is_known(attribute, text) {
                return false;
            }
            before = attribute.prev_sibling();
        }
        around = node.parent();
    }
    matches!(list.kind(), "source_file" | "declaration_list")
}

/// Returns true for an attribute that the compiler knows itself.
fn is_known(attribute: Node<'_>, text: &str) -> bool {
    let own = text.get(attribute.byte_range()).unwrap_or_default();
    let own = own.trim_start_matches(['#', '[', ' ']);
    let end = own.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let name = &own[..end.unwrap_or(own.len())];
    KNOWN_ATTRIBUTES.contains(&name)
}
