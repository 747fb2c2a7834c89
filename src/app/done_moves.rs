//! Moves that are made already, as where a batch is sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::proposal::{FileChange, Operation, PathClaim};
use crate::review::Found;

/// The names of files that were moved already, each with the new name.
#[derive(Default)]
pub(crate) struct DoneMoves {
    /// The renames, and the copies whose sources are gone since, by both names.
    made: BTreeSet<(String, String)>,
    /// The new names of files of which the batch leaves nothing else under the old one.
    names: BTreeMap<String, PathClaim>,
}

impl DoneMoves {
    /// Finds them by the files that are there.
    pub(crate) fn of(
        changes: &[Arc<FileChange>],
        mut look: impl FnMut(&PathClaim) -> Option<Found>,
    ) -> Self {
        let mut moves = Self::default();
        let is_rename =
            |change: &&Arc<FileChange>| matches!(change.operation, Operation::Rename(_));
        let renamed = changes.iter().filter(is_rename);
        let leaving: BTreeSet<&str> = renamed.map(|change| change.path.first()).collect();
        for change in changes {
            // A file that the batch moves away has not come from elsewhere yet.
            if let Some((from, to)) = ends(change)
                && !leaving.contains(to.first())
                && matches!(look(from), Some(Found::Absent))
                && matches!(look(to), Some(Found::Text { .. } | Found::Opaque(_)))
            {
                moves.made.insert(pair(from, to));
                if let Operation::Rename(_) = change.operation {
                    moves.names.insert(from.first().to_owned(), to.clone());
                }
            }
        }
        for change in changes {
            match &change.operation {
                Operation::Modify
                | Operation::Overwrite
                | Operation::CreateOrAppend
                | Operation::Delete => (),
                Operation::Rename(to) => {
                    moves.names.remove(to.first());
                }
                Operation::Create | Operation::CopyOf(_) | Operation::Link { .. } => {
                    moves.names.remove(change.path.first());
                }
            }
        }
        moves
    }

    /// Returns the rest of a change: that of the file under its new name.
    pub(crate) fn rest(&self, change: &Arc<FileChange>) -> Arc<FileChange> {
        let (to, operation) = match (ends(change), &change.operation) {
            (Some((from, to)), _) => {
                let to = Some(to).filter(|to| self.made.contains(&pair(from, to)));
                (to, &Operation::Modify)
            }
            // A new file of the old name is one that is created.
            (None, Operation::Modify | Operation::Overwrite | Operation::CreateOrAppend) => {
                (self.names.get(change.path.first()), &change.operation)
            }
            (None, operation) => (None, operation),
        };
        to.map_or_else(
            || Arc::clone(change),
            |to| {
                Arc::new(FileChange {
                    path: to.clone(),
                    operation: operation.clone(),
                    ..FileChange::clone(change)
                })
            },
        )
    }
}

fn pair(from: &PathClaim, to: &PathClaim) -> (String, String) {
    (from.first().to_owned(), to.first().to_owned())
}

/// Returns the old and the new name of a file that a change moves or copies.
fn ends(change: &FileChange) -> Option<(&PathClaim, &PathClaim)> {
    match &change.operation {
        Operation::Rename(to) => Some((&change.path, to)),
        Operation::CopyOf(from) => Some((from, &change.path)),
        Operation::Modify
        | Operation::Create
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Delete
        | Operation::Link { .. } => None,
    }
}
