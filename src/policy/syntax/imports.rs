//! Imports of Rust whose order has no meaning: declarations in a row, without attributes and comments.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::documentation::{Documentation, documentation};
use super::items::ATTRIBUTE;

/// The kind of an import.
const IMPORT: &str = "use_declaration";
/// Deepest list within lists that is read.
const DEEPEST: usize = 64;

/// Imports in a row.
pub(super) struct ImportRun {
    /// Their bytes.
    pub(super) bytes: Range<usize>,
    /// The first and the last line.
    pub(super) rows: (usize, usize),
    /// The number of declarations.
    pub(super) count: usize,
    /// Their names, sorted.
    pub(super) sorted: String,
}

/// Returns the imports that begin at a cursor; `None` if there are none, or their order may have a meaning.
pub(super) fn run(cursor: &TreeCursor<'_>, text: &str) -> Option<ImportRun> {
    let first = cursor.node();
    if first.kind() != IMPORT || has_attribute(first, text) {
        return None;
    }
    let mut imported = Vec::new();
    let mut ahead = cursor.clone();
    let (mut last, mut count) = (first, 0);
    loop {
        let node = ahead.node();
        if node.kind() != IMPORT {
            break;
        }
        let Some(names) = names(node, text) else {
            break;
        };
        imported.extend(names);
        last = node;
        count += 1;
        if !ahead.goto_next_sibling() {
            break;
        }
    }
    imported.sort_unstable();
    (count > 0).then(|| ImportRun {
        bytes: first.start_byte()..last.end_byte(),
        rows: (first.start_position().row, last.end_position().row),
        count,
        sorted: imported.join("\n"),
    })
}

/// Returns true if an attribute or documentation is above a declaration, also above other comments.
fn has_attribute(import: Node<'_>, text: &str) -> bool {
    std::iter::successors(import.prev_sibling(), Node::prev_sibling)
        .take_while(|above| above.is_extra() || above.kind() == ATTRIBUTE)
        .any(|above| {
            let own = text.get(above.byte_range()).unwrap_or_default();
            above.kind() == ATTRIBUTE || documentation(own) == Some(Documentation::Outer)
        })
}

/// Returns all that one declaration imports, each with its visibility; `None` for a form that is not known.
fn names(import: Node<'_>, text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut visibility = String::new();
    let mut cursor = import.walk();
    for child in import.children(&mut cursor) {
        match child.kind() {
            "use" | ";" => (),
            "visibility_modifier" => visibility = packed(child, text)? + " ",
            _ => flatten(child, text, &visibility, DEEPEST, &mut names)?,
        }
    }
    (!names.is_empty()).then_some(names)
}

fn flatten(
    node: Node<'_>,
    text: &str,
    prefix: &str,
    deepest: usize,
    names: &mut Vec<String>,
) -> Option<()> {
    let deeper = deepest.checked_sub(1)?;
    match node.kind() {
        "use_list" => {
            let mut cursor = node.walk();
            let before = names.len();
            for child in node.named_children(&mut cursor) {
                flatten(child, text, prefix, deeper, names)?;
            }
            (names.len() > before).then_some(())
        }
        "scoped_use_list" => {
            let path = match node.child_by_field_name("path") {
                Some(path) => packed(path, text)?,
                None => String::new(),
            };
            let list = node.child_by_field_name("list")?;
            flatten(list, text, &format!("{prefix}{path}::"), deeper, names)
        }
        "use_as_clause" => {
            let path = packed(node.child_by_field_name("path")?, text)?;
            let alias = packed(node.child_by_field_name("alias")?, text)?;
            names.push(format!("{prefix}{path} as {alias}"));
            Some(())
        }
        "use_wildcard" | "identifier" | "scoped_identifier" | "self" | "super" | "crate" => {
            names.push(format!("{prefix}{}", packed(node, text)?));
            Some(())
        }
        _ => None,
    }
}

/// Returns the text of a node without its blanks; `None` if there is a comment in it.
fn packed(node: Node<'_>, text: &str) -> Option<String> {
    let text = text.get(node.byte_range())?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (!text.contains("//") && !text.contains("/*")).then(|| match words.as_slice() {
        // `pub(in a)` keeps its one blank.
        [first, rest @ ..] => rest.iter().fold((*first).to_owned(), |all, word| {
            let is_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let between = if is_name(all.chars().last()) && is_name(word.chars().next()) {
                " "
            } else {
                ""
            };
            all + between + word
        }),
        [] => String::new(),
    })
}
