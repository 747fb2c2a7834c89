//! Errors of a commit.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::recover_error::RecoverError;
use crate::proposal::RepoPath;
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::lock::LockError;

/// Reason why a commit wrote nothing. Unless it is [`CommitError::Stuck`], the tree is as it was before.
#[derive(Debug, Error)]
pub enum CommitError {
    /// Files are not as they were when they were reviewed.
    #[error("changed on disk since the review: {}", list(paths))]
    Conflict {
        /// The files.
        paths: Vec<RepoPath>,
    },
    /// Two writes are for one file.
    #[error("`{path}` is written twice in one batch")]
    Twice {
        /// The file.
        path: RepoPath,
    },
    /// A rename goes onto a file that stays.
    #[error("a file cannot be renamed to `{path}`: it exists")]
    Occupied {
        /// The file that is in the way.
        path: RepoPath,
    },
    /// A file to be removed or renamed was never there.
    #[error("`{path}` does not exist, so it cannot be removed or renamed")]
    Nothing {
        /// The file.
        path: RepoPath,
    },
    /// A file to be removed or renamed is reached through a link.
    #[error(
        "`{path}` is reached through a link to `{target}`, so it is unclear which of them to change"
    )]
    Link {
        /// The name that was asked for.
        path: RepoPath,
        /// The link's target.
        target: RepoPath,
    },
    /// A folder to be removed or replaced holds what stays.
    #[error("the folder `{path}` cannot be removed: it holds `{holds}`, which stays")]
    NotEmpty {
        /// The folder.
        path: RepoPath,
        /// A name in it.
        holds: String,
    },
    /// A folder on the way to a file is not a folder.
    #[error("`{path}` cannot be written: a folder on the way to it is a file, which stays")]
    NotAFolder {
        /// The file.
        path: RepoPath,
    },
    /// A file may not be written by the user.
    #[error("`{path}` is read-only")]
    ReadOnly {
        /// The file.
        path: RepoPath,
    },
    /// Another commit is at work, or there is no place for the lock and the journal.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// An earlier commit was interrupted and can neither be finished nor taken back.
    #[error("an earlier write was interrupted: {0}")]
    Interrupted(#[from] RecoverError),
    /// The journal cannot be written.
    #[error("the journal `{}` cannot be written: {source}", path.display())]
    Journal {
        /// Its file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A step failed. What was done before it was undone.
    #[error("{step} failed for `{path}`: {source}")]
    Failed {
        /// The file.
        path: RepoPath,
        /// The step that failed.
        step: CommitStep,
        /// The system's error.
        source: io::Error,
    },
    /// A step failed, and so did undoing what was done before it.
    #[error("{cause}; and these could not be put back: {}", list(left))]
    Stuck {
        /// The first error.
        cause: Box<CommitError>,
        /// The files that are not as they were.
        left: Vec<RepoPath>,
    },
}

/// A step of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitStep {
    /// Comparing the file with what was reviewed.
    Check,
    /// Making a folder for it.
    MakeFolder,
    /// Writing the new file beside it.
    Stage,
    /// Putting the new file in its place.
    Place,
    /// Taking it away.
    Remove,
    /// Writing its folder through to the disk.
    Sync,
    /// Keeping it for the history.
    Keep,
}

impl CommitError {
    /// The journal of a state cannot be written.
    pub(in crate::store) fn journal(state: &StateFolder, source: io::Error) -> Self {
        let path = state.journal();
        Self::Journal { path, source }
    }

    /// The file of which the edit asks what cannot be; `None` if another edit of it could fare no better.
    pub fn refused(&self) -> Option<&RepoPath> {
        match self {
            Self::Twice { path }
            | Self::Occupied { path }
            | Self::Nothing { path }
            | Self::Link { path, .. }
            | Self::NotEmpty { path, .. }
            | Self::NotAFolder { path }
            | Self::ReadOnly { path } => Some(path),
            Self::Conflict { .. }
            | Self::Lock(_)
            | Self::Interrupted(_)
            | Self::Journal { .. }
            | Self::Failed { .. }
            | Self::Stuck { .. } => None,
        }
    }

    /// The files that are not as they were, for they could not be put back.
    pub fn stuck(&self) -> &[RepoPath] {
        match self {
            Self::Stuck { left, .. }
            | Self::Interrupted(RecoverError::Stuck { paths: left, .. }) => left,
            Self::Conflict { .. }
            | Self::Twice { .. }
            | Self::Occupied { .. }
            | Self::Nothing { .. }
            | Self::Link { .. }
            | Self::NotEmpty { .. }
            | Self::NotAFolder { .. }
            | Self::ReadOnly { .. }
            | Self::Lock(_)
            | Self::Interrupted(_)
            | Self::Journal { .. }
            | Self::Failed { .. } => &[],
        }
    }

    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "review the edits again: they are placed on the new content",
            Self::Twice { .. } => "put both changes into one",
            Self::NotEmpty { .. } => "accept the removal of what it holds too, or reject this",
            Self::NotAFolder { .. } => "accept the removal of that file too, or reject this",
            Self::Occupied { .. } => "remove that file first, or choose another name",
            Self::Nothing { .. } => "leave this part of the edit out",
            Self::Link { .. } => "remove or rename the link by hand",
            Self::ReadOnly { .. } => "make it writable (`chmod u+w`) if it is meant to change",
            Self::Lock(error) => error.hint(),
            Self::Interrupted(error) => error.hint(),
            Self::Journal { source, .. } => journal_hint(source.kind()),
            Self::Failed { source, .. } => failure_hint(source.kind()),
            Self::Stuck { .. } => {
                "run it again to retry; until then the old files are beside them, as `.countersign-…`"
            }
        }
    }
}

fn journal_hint(kind: io::ErrorKind) -> &'static str {
    if kind == io::ErrorKind::StorageFull {
        "make room on that disk, or set `XDG_STATE_HOME` to a folder on another"
    } else if kind == io::ErrorKind::QuotaExceeded {
        "make room within the quota, or set `XDG_STATE_HOME` to a folder on another disk"
    } else {
        "set `XDG_STATE_HOME` to a folder that you may write to"
    }
}

fn failure_hint(kind: io::ErrorKind) -> &'static str {
    const HINTS: [(io::ErrorKind, &str); 4] = [
        (
            io::ErrorKind::PermissionDenied,
            "check the permissions of its folder",
        ),
        (io::ErrorKind::StorageFull, "make room on the disk"),
        (io::ErrorKind::QuotaExceeded, "make room within the quota"),
        (
            io::ErrorKind::ReadOnlyFilesystem,
            "make the file system writable",
        ),
    ];
    HINTS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("fix the problem above and retry", |(_, hint)| hint)
}

impl fmt::Display for CommitStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Check => "checking",
            Self::MakeFolder => "making a folder",
            Self::Stage => "writing the new file",
            Self::Place => "putting the new file in place",
            Self::Remove => "removing",
            Self::Sync => "syncing the folder",
            Self::Keep => "keeping the old content",
        })
    }
}

fn list(paths: &[RepoPath]) -> String {
    let names: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_for_a_journal_fits_its_error() {
        let check = |kind: io::ErrorKind, expected: &str| {
            let error = CommitError::Journal {
                path: PathBuf::from("journal"),
                source: kind.into(),
            };
            assert!(
                error.hint().starts_with(expected),
                "{kind}: {}",
                error.hint()
            );
        };
        check(io::ErrorKind::StorageFull, "make room on that disk");
        check(io::ErrorKind::QuotaExceeded, "make room within the quota");
        check(io::ErrorKind::PermissionDenied, "set `XDG_STATE_HOME`");
    }
}
