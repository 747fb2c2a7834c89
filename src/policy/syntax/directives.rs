//! Comments of Go that are directives: the compiler, `go generate` and cgo read them.

use tree_sitter::Node;

use super::language::{Grammar, IgnoredComments};
use super::walk::go_on;

/// Returns true if a node has a comment that may be a directive, or a line that `go generate` takes for one: it parses no file, so
/// the line may be part of a text. The compilers of other languages read no comments.
pub(super) fn has_directive(grammar: &Grammar, node: Node<'_>, text: &str) -> bool {
    if grammar.prose != IgnoredComments::Spaced {
        return false;
    }
    let own = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    if own(node).lines().any(|line| line.starts_with("//go:")) {
        return true;
    }
    let mut cursor = node.walk();
    loop {
        let node = cursor.node();
        if grammar.comments.contains(&node.kind()) && may_be_directive(own(node)) {
            return true;
        }
        if !cursor.goto_first_child() && !go_on(&mut cursor) {
            return false;
        }
    }
}

/// Returns true for a comment of Go without a blank after its mark, and for one that begins with `+`.
pub(super) fn may_be_directive(comment: &str) -> bool {
    match comment.strip_prefix("//") {
        Some(words) => {
            let is_joined = words.starts_with(|c: char| !c.is_whitespace());
            is_joined || words.trim_start().starts_with('+')
        }
        None => comment.starts_with("/*line"),
    }
}

/// Returns true if the comments of a file of Go may be code of C, or the expected output of examples.
pub(super) fn has_read_comments(text: &str) -> bool {
    let mut imports = ["\"C\"", "`C`"].iter();
    imports.any(|import| text.contains(import))
        || (text.split("func").skip(1)).any(|name| name.trim_start().starts_with("Example"))
}
