//! Reading what has a name: a file, a link or a folder, once for each placing; and why it is protected.

use std::sync::Arc;

use crate::app::link_targets::link_protection;
use crate::app::snapshots::Snapshots;
use crate::proposal::RepoPath;
use crate::review::{Found, Opaque, Refusal};
use crate::store::{FileState, ReadError, Root, Snapshot};

/// Converts a file that was read.
pub(crate) fn found(snapshot: &Snapshot) -> Found {
    match &snapshot.state {
        FileState::File {
            document,
            executable,
            ..
        } => Found::Text {
            document: Arc::clone(document),
            executable: *executable,
        },
        FileState::Opaque {
            size,
            hash,
            executable,
            why,
        } => Found::Opaque(Opaque {
            size: *size,
            hash: hash.to_string(),
            executable: *executable,
            why: format!("`{}`: {why}", snapshot.path),
        }),
        FileState::Link { target } => Found::Link(target.clone()),
        FileState::Folder => Found::Folder,
        FileState::Absent => Found::Absent,
    }
}

/// Reads the file of a name, once for each placing.
pub(crate) fn look(root: &Root, placings: &mut Snapshots, path: &RepoPath) -> Found {
    match placings.read(root, path) {
        Ok(snapshot) => found(&snapshot),
        Err(error) => Found::Refused(refusal(&error)),
    }
}

/// The same for a name that is taken as it is written, or not at all: with blanks at its ends it is another file's.
pub(crate) fn look_by_name(root: &Root, placings: &mut Snapshots, name: &str) -> Found {
    match RepoPath::parse(name) {
        Ok(path) if path.to_string() == name => look(root, placings, &path),
        Ok(_) | Err(_) => {
            let why = format!("`{name}` is no name that can be written");
            Found::Refused(Refusal::Forbidden(why))
        }
    }
}

/// The same for a name that may be a symbolic link's, which is not followed.
pub(crate) fn look_at_entry(root: &Root, placings: &mut Snapshots, name: &str) -> Found {
    match RepoPath::parse(name) {
        Ok(path) if path.to_string() == name && root.link_at(&path).is_some() => {
            look_at_any(root, placings, &path)
        }
        Ok(_) | Err(_) => look_by_name(root, placings, name),
    }
}

/// The same for a name that may be a folder's or a symbolic link's, which is not followed.
pub(crate) fn look_at_any(root: &Root, placings: &mut Snapshots, path: &RepoPath) -> Found {
    match placings.read_any(root, path) {
        Ok(snapshot) => found(&snapshot),
        Err(error) => Found::Refused(refusal(&error)),
    }
}

/// The same for a name below one that a batch replaces by a folder: nothing has it, whatever is there now.
pub(crate) fn look_at_vacant(root: &Root, placings: &mut Snapshots, path: &RepoPath) -> Found {
    match root.vacant(path) {
        Ok(snapshot) => found(&placings.keep_read(snapshot)),
        Err(forbidden) => Found::Refused(Refusal::Forbidden(forbidden.to_string())),
    }
}

/// Returns why the file of a name is protected, if it is.
pub(crate) fn protection(root: &Root, name: &str) -> Option<String> {
    let path = RepoPath::parse(name).ok()?;
    Some(root.protection(&path)?.to_string())
}

/// Returns why a file that is there, or a link, is not accepted in batch, if it is not.
pub(crate) fn protection_with_link(root: &Root, name: &str, found: &Found) -> Option<String> {
    protection(root, name).or_else(|| match (found, RepoPath::parse(name)) {
        (Found::Link(to), Ok(path)) => link_protection(root, &path, to)
            .unwrap_or_else(|_| Some(format!("it is a link to `{to}`, which no edit may touch"))),
        (_, _) => None,
    })
}

/// Converts the reason that a file cannot be read.
pub(crate) fn refusal(error: &ReadError) -> Refusal {
    match error {
        ReadError::Forbidden(error) => Refusal::Forbidden(error.to_string()),
        ReadError::Folder { .. }
        | ReadError::Special { .. }
        | ReadError::NotAFolder { .. }
        | ReadError::TooLarge { .. }
        | ReadError::Unreadable { .. } => Refusal::Unreadable(error.to_string()),
    }
}
