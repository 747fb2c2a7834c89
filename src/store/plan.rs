//! What is to be written, and the one thing that this makes of every file: made, replaced or removed.

use std::collections::BTreeMap;

use super::commit_error::CommitError;
use super::snapshot::{FileState, Snapshot};
use crate::proposal::RepoPath;

/// One approved change of a file that was read before.
#[derive(Debug)]
pub struct FileWrite<'a> {
    /// The file as it was reviewed.
    pub snapshot: &'a Snapshot,
    /// What becomes of it.
    pub action: WriteAction<'a>,
}

/// What becomes of a file.
#[derive(Debug)]
pub enum WriteAction<'a> {
    /// It gets new bytes, or is made.
    Put {
        /// The new bytes.
        bytes: Vec<u8>,
        /// Whether it shall be executable; `None` leaves it as it is.
        executable: Option<bool>,
    },
    /// It is removed.
    Remove,
    /// It gets another name.
    Rename {
        /// The new name, as it was reviewed: no file, or one that the same batch moves away.
        to: &'a Snapshot,
        /// The new bytes; `None` leaves them as they are.
        bytes: Option<Vec<u8>>,
        /// Whether it shall be executable; `None` leaves it as it is.
        executable: Option<bool>,
    },
}

/// All that becomes of one file.
#[derive(Debug)]
pub(super) struct Planned<'a> {
    pub(super) snapshot: &'a Snapshot,
    /// What it becomes; `None` if it goes.
    pub(super) after: Option<After<'a>>,
}

/// What a file becomes.
#[derive(Debug)]
pub(super) struct After<'a> {
    /// Its bytes; `None` for those of the file that it takes over from.
    pub(super) bytes: Option<&'a [u8]>,
    pub(super) executable: Option<bool>,
    /// The file whose metadata, and bytes if none are given, it takes over.
    pub(super) like: Option<&'a Snapshot>,
}

/// Brings all writes into one plan with one entry a file, in the order of the paths.
pub(super) fn plan<'a>(
    writes: &'a [FileWrite<'a>],
) -> Result<BTreeMap<&'a RepoPath, Planned<'a>>, CommitError> {
    let mut planned: BTreeMap<&RepoPath, Planned<'_>> = BTreeMap::new();
    let leaving = writes.iter().filter(|write| write.leaves());
    for FileWrite { snapshot, .. } in leaving {
        if snapshot.hash().is_none() {
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
        let gone = Planned {
            snapshot,
            after: None,
        };
        if planned.insert(&snapshot.target, gone).is_some() {
            return Err(twice(snapshot));
        }
    }
    for write in writes {
        let Some((to, after)) = write.arrival() else {
            continue;
        };
        let put = matches!(write.action, WriteAction::Put { .. });
        match planned.get_mut(&to.target) {
            None if put || to.state == FileState::Absent => {
                planned.insert(
                    &to.target,
                    Planned {
                        snapshot: to,
                        after: Some(after),
                    },
                );
            }
            None => {
                return Err(CommitError::Occupied {
                    path: to.path.clone(),
                });
            }
            Some(Planned { after: Some(_), .. }) => return Err(twice(to)),
            Some(gone) => gone.after = Some(after),
        }
    }
    Ok(planned)
}

impl FileWrite<'_> {
    /// Whether the file's name is given up.
    fn leaves(&self) -> bool {
        match self.action {
            WriteAction::Put { .. } => false,
            WriteAction::Remove | WriteAction::Rename { .. } => true,
        }
    }

    /// The name that gets a file, and which.
    fn arrival(&self) -> Option<(&Snapshot, After<'_>)> {
        match &self.action {
            WriteAction::Put { bytes, executable } => Some((
                self.snapshot,
                After {
                    bytes: Some(bytes),
                    executable: *executable,
                    like: self.snapshot.hash().map(|_| self.snapshot),
                },
            )),
            WriteAction::Remove => None,
            WriteAction::Rename {
                to,
                bytes,
                executable,
            } => Some((
                to,
                After {
                    bytes: bytes.as_deref(),
                    executable: *executable,
                    like: Some(self.snapshot),
                },
            )),
        }
    }
}

fn twice(snapshot: &Snapshot) -> CommitError {
    CommitError::Twice {
        path: snapshot.path.clone(),
    }
}
