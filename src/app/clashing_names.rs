//! Names that one batch makes files of, and folders of other files as well.

use std::collections::{BTreeMap, BTreeSet};

use crate::proposal::Operation;
use crate::review::{Found, Intake, OtherFile, Refusal};

/// Refuses the files of which one would have to be the folder of the other.
pub(crate) fn refuse(files: &mut [Intake]) {
    let left: BTreeSet<&str> = (files.iter())
        .filter(|file| leaves(&file.change.operation))
        .map(|file| file.path.as_str())
        .collect();
    // Each name that a file is made of, with the file that the change is of.
    let makers: BTreeMap<&str, &str> = (files.iter())
        .filter_map(|file| Some((made(file)?, file.path.as_str())))
        .filter(|(name, _)| !left.contains(name))
        .collect();
    let mut refused: BTreeMap<String, Refusal> = BTreeMap::new();
    for (name, maker) in &makers {
        let folders = name.match_indices('/').map(|(at, _)| &name[..at]);
        let clash = folders.filter_map(|folder| Some((folder, makers.get(folder)?)));
        for (folder, other) in clash {
            let why = format!(
                "the edits make a file `{folder}` and a file `{name}`: `{folder}` cannot be a file and a folder"
            );
            for path in [maker, other] {
                let refusal = Refusal::Contradiction(why.clone());
                refused.entry((*path).to_owned()).or_insert(refusal);
            }
        }
    }
    for file in files {
        if let Some(refusal) = refused.get(&file.path) {
            file.found = Found::Refused(refusal.clone());
        }
    }
}

/// Returns the name of the file or link that a change makes, if it makes one.
fn made(file: &Intake) -> Option<&str> {
    match (&file.change.operation, &file.other) {
        (Operation::Rename(_), OtherFile::Target(renaming)) => Some(&renaming.to),
        (
            Operation::Create
            | Operation::CreateOrAppend
            | Operation::Overwrite
            | Operation::CopyOf(_)
            | Operation::Link { to: Some(_), .. },
            _,
        ) => Some(&file.path),
        (
            Operation::Rename(_)
            | Operation::Modify
            | Operation::Delete
            | Operation::Link { to: None, .. },
            _,
        ) => None,
    }
}

/// Returns true if a change takes a file from its name.
fn leaves(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Delete | Operation::Rename(_) | Operation::Link { to: None, .. }
    )
}
