//! Deletions of names that no file has: done already, or of a file that has another name here.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::missing_files::{FilesByName, files_by_name, folded};
use crate::app::snapshots::Snapshots;
use crate::app::strip_level::{is_diff, reads_as, snapshot_of};
use crate::proposal::{FileChange, Operation};
use crate::review::{Found, Intake, Refusal};
use crate::store::{FileState, Root};

/// Refuses each deletion of an absent name that is not done: a link of the name is there, or a file that has the same lines and a
/// longer or shorter name, or a file of the same name in other letters; or the file was there in an earlier one of these placings,
/// and has been renamed since.
pub(crate) fn refuse(root: &Root, placings: &Snapshots, files: &mut [Intake]) {
    let is_absent_deletion = |file: &Intake| {
        file.change.operation == Operation::Delete && matches!(file.found, Found::Absent)
    };
    if !files.iter().any(is_absent_deletion) {
        return;
    }
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for file in files.iter() {
        let other = file.change.operation.other_name();
        let other = other.and_then(|other| root.resolve(other).ok());
        let other = other.map(|name| name.to_string());
        for name in other.into_iter().chain([file.path.clone()]) {
            *named.entry(name).or_default() += 1;
        }
    }
    // An earlier step of the batch may make the file.
    let is_alone = |file: &Intake| named.get(&file.path) == Some(&1);
    let mut others = None;
    let batches = root.previous_versions();
    for file in files.iter_mut() {
        if !is_absent_deletion(file) || !is_alone(file) {
            continue;
        }
        let entry = root.resolve_entry(&file.change.path).ok();
        if let Some(to) = entry.and_then(|entry| root.link_at(&entry)) {
            let to = to.display();
            file.found = Found::Refused(Refusal::Contradiction(format!(
                "it is a symbolic link to `{to}` here, which leads to no file; a diff of git with the mode 120000 deletes the link"
            )));
            continue;
        }
        let first = placings.first(&file.path);
        let was_there = first.is_some_and(|first| first.version().is_some());
        if was_there && batches.moved_to(&file.path).is_some() {
            file.found = Found::Refused(Refusal::Missing(None));
            continue;
        }
        let others = others.get_or_insert_with(|| OtherFiles::of(root, &named));
        if others.has_in_other_letters(&file.path)
            || is_diff(&file.change) && others.has_longer_or_shorter(root, &file.path, &file.change)
        {
            file.found = Found::Refused(Refusal::Missing(None));
        }
    }
}

/// The files of the root that a batch does not name.
struct OtherFiles {
    by_name: FilesByName,
    /// The whole names, as [`folded`] returns them.
    folded: BTreeSet<String>,
}

impl OtherFiles {
    fn of(root: &Root, named: &BTreeMap<String, usize>) -> Self {
        let mut by_name = files_by_name(root);
        for files in by_name.values_mut() {
            files.retain(|name| !named.contains_key(name));
        }
        let folded = by_name.values().flatten().map(|name| folded(name));
        Self {
            folded: folded.collect(),
            by_name,
        }
    }

    /// Returns true if a file has a name in other letters.
    fn has_in_other_letters(&self, name: &str) -> bool {
        self.folded.contains(&folded(name))
    }

    /// Returns true if a file has the lines that a deletion removes, and a longer or shorter name.
    fn has_longer_or_shorter(&self, root: &Root, name: &str, change: &FileChange) -> bool {
        let base = name.rsplit('/').next().unwrap_or(name);
        let mut alike = self.by_name.get(&folded(base)).into_iter().flatten();
        alike.any(|other| {
            is_longer_or_shorter(other, name, change) && has_removed_lines(root, other, change)
        })
    }
}

/// Returns true if one of two names is the other without its first folders. Many files are empty, so the name of one must be the
/// shorter one.
fn is_longer_or_shorter(name: &str, stated: &str, change: &FileChange) -> bool {
    is_below_folders(name, stated) || !change.hunks.is_empty() && is_below_folders(stated, name)
}

/// Returns true if a name is another one without its first folders.
fn is_below_folders(name: &str, long: &str) -> bool {
    let folders = long.strip_suffix(name);
    folders.is_some_and(|folders| folders.ends_with('/'))
}

/// Returns true if a file has the lines that a deletion removes, and no others.
fn has_removed_lines(root: &Root, name: &str, change: &FileChange) -> bool {
    let Some(snapshot) = snapshot_of(root, name) else {
        return false;
    };
    let FileState::File { document, .. } = &snapshot.state else {
        return false;
    };
    let removed = change.hunks.iter().flat_map(|hunk| &hunk.body.preimage);
    removed.clone().count() == document.len()
        && document
            .lines()
            .zip(removed)
            .all(|(line, removed)| reads_as(document, removed, line))
}
