//! Files in the place of folders, and folders in the place of files.
//!
//! Such a batch names the files alone: which are removed, and which are made. The folders between them are added here as
//! changes of their own, so that each is checked, recorded and taken back as a file is.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::successors;
use std::ops::Bound;
use std::path::Path;

use super::commit_error::CommitError;
use super::plan::{NewFile, PlannedWrite};
use crate::proposal::RepoPath;
use crate::store::folder::snapshot::{FileVersion, VersionKind};

type ByPath<'a> = BTreeMap<RepoPath, PlannedWrite<'a>>;

/// Adds the folders that take the place of files, and the folders that are removed with one that a file takes the place of.
///
/// # Errors
///
/// [`CommitError`] if a name would be a file and a folder.
pub(in crate::store) fn with_folders(
    changes: Vec<PlannedWrite<'_>>,
) -> Result<Vec<PlannedWrite<'_>>, CommitError> {
    let mut changes: ByPath<'_> = (changes.into_iter())
        .map(|change| (change.target.clone(), change))
        .collect();
    let mut folders: BTreeMap<RepoPath, Becomes> = BTreeMap::new();
    for (top, change) in &changes {
        let is_made = |inner: &PlannedWrite<'_>| inner.before.is_none() && inner.after.is_some();
        let becomes = match (kind(change.before), kind_after(change)) {
            (Some(VersionKind::Folder), Some(VersionKind::Folder)) => continue,
            (Some(VersionKind::Folder), _) => Becomes::Nothing,
            (None, Some(VersionKind::Folder)) => Becomes::Folder,
            (None, _) => continue,
            (Some(_), after) => {
                let Some((made, _)) = below(&changes, top).find(|(_, inner)| is_made(inner)) else {
                    continue;
                };
                if let Some(VersionKind::File | VersionKind::Link) = after {
                    return Err(CommitError::NotAFolder { path: made.clone() });
                }
                folders.insert(top.clone(), Becomes::Folder);
                Becomes::Folder
            }
        };
        for (path, inner) in below(&changes, top) {
            if becomes == Becomes::Nothing && inner.after.is_some() {
                return Err(CommitError::NotEmpty {
                    path: change.path.clone(),
                    holds: path.to_string(),
                });
            }
            let between =
                successors(path.parent(), RepoPath::parent).take_while(|above| above != top);
            folders.extend(between.map(|folder| (folder, becomes)));
        }
    }
    for (path, becomes) in folders {
        add(&mut changes, path, becomes);
    }
    Ok(changes.into_values().collect())
}

/// Brings changes into the order in which they are placed: what is below a folder that is removed goes before it, the deepest
/// first, and what is below a folder that is made comes after it.
pub(in crate::store) fn in_order(mut changes: Vec<PlannedWrite<'_>>) -> Vec<PlannedWrite<'_>> {
    let is_folder = |kind| kind == Some(VersionKind::Folder);
    let removed = (changes.iter())
        .filter(|change| is_folder(kind(change.before)) && !is_folder(kind_after(change)));
    let removed: BTreeSet<RepoPath> = removed.map(|change| change.target.clone()).collect();
    let is_below = |change: &PlannedWrite<'_>| {
        successors(change.target.parent(), RepoPath::parent).any(|above| removed.contains(&above))
    };
    changes.sort_by(|one, other| one.target.cmp(&other.target));
    if removed.is_empty() {
        return changes;
    }
    let (mut first, then): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_below);
    first.reverse();
    first.extend(then);
    first
}

/// Becoming of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Becomes {
    Folder,
    Nothing,
}

fn add(changes: &mut ByPath<'_>, path: RepoPath, becomes: Becomes) {
    if let Some(change) = changes.get_mut(&path) {
        if becomes == Becomes::Folder && change.after.is_none() {
            change.after = Some(NewFile::folder());
        }
        return;
    }
    let change = PlannedWrite {
        path: path.clone(),
        target: path.clone(),
        before: (becomes == Becomes::Nothing).then(FileVersion::of_folder),
        bytes: None,
        after: (becomes == Becomes::Folder).then(NewFile::folder),
    };
    changes.insert(path, change);
}

fn below<'c, 'a>(
    changes: &'c ByPath<'a>,
    top: &'c RepoPath,
) -> impl Iterator<Item = (&'c RepoPath, &'c PlannedWrite<'a>)> {
    let after = (Bound::Excluded(top), Bound::Unbounded);
    let top: &Path = top.as_path();
    changes
        .range(after)
        .take_while(move |(path, _)| path.as_path().starts_with(top))
}

fn kind(version: Option<FileVersion>) -> Option<VersionKind> {
    version.map(|version| version.kind)
}

fn kind_after(change: &PlannedWrite<'_>) -> Option<VersionKind> {
    change.after.as_ref().map(|new| new.version.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::folder::snapshot::ContentHash;
    use crate::store::write::plan::NewMode;

    /// Reads `path before after`, each kind as `-`, `file`, `link` or `folder`.
    fn change(line: &str) -> PlannedWrite<'static> {
        let words: Vec<&str> = line.split(' ').collect();
        let version = |word: &str| {
            let kind = match word {
                "file" => VersionKind::File,
                "link" => VersionKind::Link,
                "folder" => return Some(FileVersion::of_folder()),
                _ => return None,
            };
            Some(FileVersion {
                hash: ContentHash::of(b"x"),
                executable: false,
                kind,
            })
        };
        let path = RepoPath::parse(words[0]).unwrap();
        PlannedWrite {
            target: path.clone(),
            path,
            before: version(words[1]),
            bytes: None,
            after: version(words[2]).map(|version| NewFile {
                version,
                bytes: None,
                mode: NewMode::Keep,
                like: None,
            }),
        }
    }

    #[track_caller]
    fn check(lines: &str, expected: &str) {
        let changes = lines.split(", ").map(change).collect();
        let shown = match with_folders(changes).map(in_order) {
            Err(error) => error.to_string(),
            Ok(changes) => {
                let word = |kind: Option<VersionKind>| match kind {
                    None => "-",
                    Some(VersionKind::File) => "file",
                    Some(VersionKind::Link) => "link",
                    Some(VersionKind::Folder) => "folder",
                };
                let lines = changes.iter().map(|change| {
                    let (before, after) = (word(kind(change.before)), word(kind_after(change)));
                    format!("{} {before} {after}", change.path)
                });
                lines.collect::<Vec<_>>().join(", ")
            }
        };
        assert_eq!(shown, expected, "{lines}");
    }

    #[test]
    fn folders_between_the_files_are_changes_of_their_own() {
        check("a file file, b - file", "a file file, b - file");
        check("a file -, a/b - file", "a file folder, a/b - file");
        check(
            "a link -, a/b/c - file",
            "a link folder, a/b - folder, a/b/c - file",
        );
        check(
            "a - folder, a/b/c - file",
            "a - folder, a/b - folder, a/b/c - file",
        );
        check(
            "d folder file, d/x file -, d/y/z file -, e file -",
            "d/y/z file -, d/y folder -, d/x file -, d folder file, e file -",
        );
        check("d folder -, d/e folder -", "d/e folder -, d folder -");
        // Names that only begin alike are not below one another.
        check("a file -, a.b - file", "a file -, a.b - file");
    }

    #[test]
    fn no_name_is_a_file_and_a_folder() {
        check(
            "a file file, a/b - file",
            "`a/b` cannot be written: a folder on the way to it is a file, which stays",
        );
        check(
            "d folder file, d/x - file",
            "the folder `d` cannot be removed: it holds `d/x`, which stays",
        );
    }
}
