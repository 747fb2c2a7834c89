//! New names of files that other files of the batch give up, as where two files swap their names.

use std::collections::BTreeSet;

use crate::proposal::Operation;
use crate::review::{Found, Intake, OtherFile};

/// Frees the new names of files whose present files get other names in the same batch.
pub(crate) fn free(files: &mut [Intake]) {
    let moved = files.iter().filter(|file| {
        let is_there = matches!(file.found, Found::Text { .. } | Found::Opaque(_));
        is_there && matches!(file.change.operation, Operation::Rename(_))
    });
    let left: BTreeSet<String> = moved.map(|file| file.path.clone()).collect();
    for file in files {
        if let OtherFile::Target(renaming) = &mut file.other
            && left.contains(&renaming.to)
        {
            renaming.exists = false;
        }
    }
}
