//! Deletions of names that no file has: done already, or of a file that has another name here.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use crate::app::missing_files::files_by_name;
use crate::app::strip_level::is_diff;
use crate::proposal::{FileChange, Operation, PathClaim};
use crate::review::{Found, Intake, Refusal};
use crate::store::{FileState, Root};
use crate::text::{Document, raw_bytes};

/// Refuses each deletion of an absent name that is not done: a link of the name is there, or a file that has the same lines and a
/// longer or shorter name, or a file of the same name in other letters.
pub(crate) fn refuse(root: &Root, files: &mut [Intake]) {
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
    let mut by_name = None;
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
        let by_name = by_name.get_or_insert_with(|| files_by_name(root));
        let others = (by_name.values().flatten()).filter(|name| !named.contains_key(*name));
        let mut others = others.filter(|name| {
            is_alike(name, &file.path)
                || is_diff(&file.change)
                    && is_longer_or_shorter(name, &file.path, &file.change)
                    && has_removed_lines(root, name, &file.change)
        });
        if others.next().is_some() {
            file.found = Found::Refused(Refusal::Missing(None));
        }
    }
}

/// Returns true if two names differ in nothing but the case of letters and in how Unicode composes them.
fn is_alike(name: &str, stated: &str) -> bool {
    let folded = |name: &str| -> String { name.nfc().flat_map(char::to_lowercase).collect() };
    folded(name) == folded(stated)
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
    let Ok(path) = root.resolve(&PathClaim::plain(name)) else {
        return false;
    };
    let Ok(snapshot) = root.read(&path) else {
        return false;
    };
    let FileState::File { document, .. } = &snapshot.state else {
        return false;
    };
    let removed = change.hunks.iter().flat_map(|hunk| &hunk.body.preimage);
    let count = removed.clone().count();
    count == document.len()
        && document
            .lines()
            .zip(removed)
            .all(|(line, removed)| reads_as(document, removed, line))
}

/// Returns true if a line of an edit, read in the encoding of a file, is a line of it.
fn reads_as(document: &Document, stated: &str, line: &str) -> bool {
    if !raw_bytes::is_raw(stated) {
        return stated == line;
    }
    let decoded = document
        .encoding()
        .decode_part(&raw_bytes::to_bytes(stated));
    decoded.is_some_and(|decoded| decoded == line)
}
