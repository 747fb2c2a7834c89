//! Copies of symbolic links in diffs.
//!
//! A diff of git is about the entries of a folder: a copy of a link is a link to the same target, and its header has no mode that
//! states it.

use std::sync::Arc;

use crate::dialect;
use crate::proposal::{FileChange, HunkOrder, Operation, PathClaim};
use crate::store::Root;

/// Returns changes with those of diffs that copy a link as ones that make a link.
pub(crate) fn as_links(root: &Root, changes: &[Arc<FileChange>]) -> Vec<Arc<FileChange>> {
    let changes = changes.iter();
    changes.map(|change| as_link(root, change)).collect()
}

fn as_link(root: &Root, change: &Arc<FileChange>) -> Arc<FileChange> {
    let Operation::CopyOf(from) = &change.operation else {
        return Arc::clone(change);
    };
    let is_diff = dialect::named(change.dialect)
        .is_some_and(|dialect| dialect.hunk_order() == HunkOrder::Ascending);
    let is_pure = is_diff && change.hunks.is_empty() && change.binary.is_none();
    match target(root, from).filter(|_| is_pure) {
        Some(target) => Arc::new(FileChange {
            operation: Operation::Link {
                from: None,
                to: Some(target),
            },
            ..FileChange::clone(change)
        }),
        None => Arc::clone(change),
    }
}

/// Returns the target of the link of a name.
fn target(root: &Root, name: &PathClaim) -> Option<String> {
    let target = root.link_at(&root.resolve_entry(name).ok()?)?;
    Some(target.to_str()?.to_owned())
}
