//! Turns requested writes into one change per file: created, replaced or removed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::ptr;

use super::commit_error::CommitError;
use crate::parallel;
use crate::proposal::RepoPath;
use crate::store::folder::snapshot::{ContentHash, FileState, FileVersion, Snapshot, VersionKind};
use crate::text::{Document, PieceTable};

/// One approved change of a file that was read before.
#[derive(Debug)]
pub struct FileWrite<'a> {
    /// The file as it was reviewed.
    pub snapshot: &'a Snapshot,
    /// The action on the file.
    pub action: WriteAction<'a>,
}

/// Action on a file.
#[derive(Debug)]
pub enum WriteAction<'a> {
    /// It gets new bytes, or is made.
    Put {
        /// The new bytes.
        bytes: Vec<u8>,
        /// True if it shall be executable; `None` leaves it as it is.
        executable: Option<bool>,
    },
    /// It gets another text, made of what it holds and new text.
    Splice {
        /// The new text, made of the snapshot's.
        text: PieceTable<'a>,
        /// True if it shall be executable; `None` leaves it as it is.
        executable: Option<bool>,
    },
    /// Its bytes stay, and it is made executable or not.
    Permit {
        /// True if it shall be executable.
        executable: bool,
    },
    /// It becomes a symbolic link.
    Link {
        /// The target as the link holds it.
        to: String,
    },
    /// It becomes a folder.
    Folder,
    /// It is removed; a folder only with all that it holds.
    Remove,
    /// It gets another name.
    Rename {
        /// The new name, as it was reviewed: no file, or one that the same batch moves away.
        to: &'a Snapshot,
        /// The new bytes; `None` leaves them as they are.
        bytes: Option<Vec<u8>>,
        /// True if it shall be executable; `None` leaves it as it is.
        executable: Option<bool>,
    },
}

/// All that becomes of one file.
#[derive(Debug)]
pub(in crate::store) struct PlannedWrite<'a> {
    /// The file's name, as it was asked for.
    pub(in crate::store) path: RepoPath,
    /// The path without links.
    pub(in crate::store) target: RepoPath,
    /// The old version; `None` if there is no file.
    pub(in crate::store) before: Option<FileVersion>,
    /// The bytes of what is there, where they are in memory.
    pub(in crate::store) bytes: Option<&'a [u8]>,
    /// The new file; `None` if the file is removed.
    pub(in crate::store) after: Option<NewFile<'a>>,
}

/// New content and mode of a file.
#[derive(Debug)]
pub(in crate::store) struct NewFile<'a> {
    pub(in crate::store) version: FileVersion,
    /// Its bytes; `None` for those of the file that it takes over from.
    pub(in crate::store) bytes: Option<NewBytes<'a>>,
    pub(in crate::store) mode: NewMode,
    /// The file whose metadata, and bytes if none are given, it takes over.
    pub(in crate::store) like: Option<RepoPath>,
}

impl NewFile<'_> {
    /// A new folder.
    pub(in crate::store) fn folder() -> Self {
        Self {
            version: FileVersion::of_folder(),
            bytes: Some(whole(&[])),
            mode: NewMode::Keep,
            like: None,
        }
    }
}

/// The bytes of a new file.
#[derive(Debug)]
pub(in crate::store) enum NewBytes<'a> {
    Whole(Cow<'a, [u8]>),
    /// Made of the bytes of another file and new ones.
    PieceTable(&'a PieceTable<'a>),
}

impl NewBytes<'_> {
    /// The bytes in parts.
    pub(in crate::store) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let (whole, spliced) = match self {
            Self::Whole(bytes) => (Some(bytes.as_ref()), None),
            Self::PieceTable(text) => (None, Some(text.parts().map(str::as_bytes))),
        };
        whole.into_iter().chain(spliced.into_iter().flatten())
    }

    /// Returns true if they are made of these very bytes.
    pub(in crate::store) fn splices<'s>(&'s self, bytes: &[u8]) -> Option<&'s PieceTable<'s>> {
        match self {
            Self::Whole(_) => None,
            Self::PieceTable(text) => ptr::eq(text.base().as_bytes(), bytes).then_some(text),
        }
    }
}

/// The permissions of a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum NewMode {
    /// Those of the file that it takes over from, or the usual ones.
    Keep,
    /// The same, but executable or not.
    Executable(bool),
    /// These bits.
    Exactly(u32),
}

/// Brings all writes into one change a file, in the order of the paths.
pub(in crate::store) fn plan<'a>(
    writes: &'a [FileWrite<'a>],
) -> Result<Vec<PlannedWrite<'a>>, CommitError> {
    let mut changes: BTreeMap<&RepoPath, PlannedWrite<'a>> = BTreeMap::new();
    for FileWrite { snapshot, .. } in writes.iter().filter(|write| write.leaves()) {
        if snapshot.version().is_none() {
            return Err(CommitError::Nothing {
                path: snapshot.path.clone(),
            });
        }
        if snapshot.path != snapshot.target {
            return Err(CommitError::Link {
                path: snapshot.path.clone(),
                target: snapshot.target.clone(),
            });
        }
        let twice = changes.insert(&snapshot.target, change(snapshot, None));
        if twice.is_some() {
            return Err(CommitError::Twice {
                path: snapshot.path.clone(),
            });
        }
    }
    // What arrives is hashed, which is the work here.
    let arrivals = parallel::map(writes, FileWrite::arrival);
    for (write, arrival) in writes.iter().zip(arrivals) {
        let Some((to, new)) = arrival else {
            continue;
        };
        let stays = write.leaves() && to.version().is_some();
        match changes.get_mut(&to.target) {
            None if stays => {
                return Err(CommitError::Occupied {
                    path: to.path.clone(),
                });
            }
            None => {
                changes.insert(&to.target, change(to, Some(new)));
            }
            Some(PlannedWrite { after: Some(_), .. }) => {
                return Err(CommitError::Twice {
                    path: to.path.clone(),
                });
            }
            Some(gone) => gone.after = Some(new),
        }
    }
    match through_changed_link(writes, &changes) {
        Some(error) => Err(error),
        None => Ok(changes.into_values().collect()),
    }
}

/// Refuses a file that was found through a link which is changed as well: the file may be another one then.
fn through_changed_link(
    writes: &[FileWrite<'_>],
    changes: &BTreeMap<&RepoPath, PlannedWrite<'_>>,
) -> Option<CommitError> {
    let linked: Vec<_> = (changes.values())
        .filter(|change| change.path != change.target)
        .collect();
    if linked.is_empty() {
        return None;
    }
    let mut links = writes.iter().filter_map(|write| {
        let FileState::Link { target } = &write.snapshot.state else {
            return None;
        };
        Some((&write.snapshot.target, target))
    });
    let found = links.find_map(|(link, aim)| {
        let to = leads_to(link, aim);
        linked.iter().find(|change| {
            let is_through = change.path.as_path().starts_with(link.as_path())
                || change.target.as_path().starts_with(&to);
            change.target != *link && is_through
        })
    })?;
    Some(CommitError::Link {
        path: found.path.clone(),
        target: found.target.clone(),
    })
}

/// Returns the path that a link leads to by its text, relative to the root and maybe above it.
fn leads_to(link: &RepoPath, aim: &str) -> PathBuf {
    let folder = link.as_path().parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(aim).components() {
        if part == Component::ParentDir && path.file_name().is_some() {
            path.pop();
        } else if part != Component::CurDir {
            path.push(part);
        }
    }
    path
}

impl<'a> FileWrite<'a> {
    /// Returns true if the file's name is given up.
    fn leaves(&self) -> bool {
        match self.action {
            WriteAction::Put { .. }
            | WriteAction::Splice { .. }
            | WriteAction::Permit { .. }
            | WriteAction::Link { .. }
            | WriteAction::Folder => false,
            WriteAction::Remove | WriteAction::Rename { .. } => true,
        }
    }

    /// The name that gets a file, and which.
    fn arrival(&'a self) -> Option<(&'a Snapshot, NewFile<'a>)> {
        match &self.action {
            WriteAction::Put { bytes, executable } => Some((
                self.snapshot,
                new_file(self.snapshot, Some(whole(bytes)), *executable),
            )),
            WriteAction::Splice { text, executable } => Some((
                self.snapshot,
                new_file(self.snapshot, Some(NewBytes::PieceTable(text)), *executable),
            )),
            WriteAction::Permit { executable } => Some((
                self.snapshot,
                new_file(self.snapshot, None, Some(*executable)),
            )),
            WriteAction::Link { to } => {
                let new = NewFile {
                    version: FileVersion::of_link(to),
                    bytes: Some(whole(to.as_bytes())),
                    mode: NewMode::Keep,
                    like: None,
                };
                Some((self.snapshot, new))
            }
            WriteAction::Folder => Some((self.snapshot, NewFile::folder())),
            WriteAction::Remove => None,
            WriteAction::Rename {
                to,
                bytes,
                executable,
            } => {
                let bytes = bytes.as_deref().map(whole);
                Some((to, new_file(self.snapshot, bytes, *executable)))
            }
        }
    }
}

fn change<'a>(snapshot: &'a Snapshot, after: Option<NewFile<'a>>) -> PlannedWrite<'a> {
    PlannedWrite {
        path: snapshot.path.clone(),
        target: snapshot.target.clone(),
        before: snapshot.version(),
        bytes: snapshot.document().and_then(Document::utf8_bytes),
        after,
    }
}

fn whole(bytes: &[u8]) -> NewBytes<'_> {
    NewBytes::Whole(Cow::Borrowed(bytes))
}

fn new_file<'a>(
    like: &Snapshot,
    bytes: Option<NewBytes<'a>>,
    executable: Option<bool>,
) -> NewFile<'a> {
    // Nothing of a link is taken over by a file that takes its place.
    let old = like.version().filter(|old| old.kind.is_file());
    let new_hash = (bytes.as_ref()).map(|bytes| ContentHash::of_parts(bytes.parts()));
    NewFile {
        version: FileVersion {
            hash: new_hash
                .or(old.map(|old| old.hash))
                .unwrap_or_else(|| ContentHash::of(&[])),
            executable: executable.unwrap_or(old.is_some_and(|old| old.executable)),
            kind: VersionKind::File,
        },
        bytes,
        mode: executable.map_or(NewMode::Keep, NewMode::Executable),
        like: old.map(|_| like.target.clone()),
    }
}
