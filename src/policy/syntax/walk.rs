//! Steps through a tree in the order of its text.

use tree_sitter::TreeCursor;

/// Moves to the next node that is not below this one; returns false at the end.
pub(super) fn go_on(cursor: &mut TreeCursor<'_>) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}
