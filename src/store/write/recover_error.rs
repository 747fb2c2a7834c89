//! Errors of a recovery.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::proposal::RepoPath;
use crate::store::tree::lock::LockError;

/// Reason why an interrupted commit can neither be finished nor taken back.
#[derive(Debug, Error)]
pub enum RecoverError {
    /// Another commit is at work, or there is no place for locks and the journal.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal cannot be read or written.
    #[error("the journal `{}` cannot be used: {source}; {}", path.display(), aside(path))]
    Journal {
        /// Its file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file cannot be looked at.
    #[error(
        "`{path}`, which an interrupted write changes, cannot be read: {source}; {}",
        aside(journal)
    )]
    Unreadable {
        /// The file.
        path: RepoPath,
        /// The system's error.
        source: io::Error,
        /// The journal.
        journal: PathBuf,
    },
    /// A staged file cannot be removed.
    #[error(
        "the temporary file of `{path}` cannot be removed: {source}; {}",
        aside(journal)
    )]
    Uncleared {
        /// The file.
        path: RepoPath,
        /// The system's error.
        source: io::Error,
        /// The journal.
        journal: PathBuf,
    },
    /// Files can be brought neither to their new state nor to their old one.
    #[error("these could not be put back: {}; {}", list(paths), aside(journal))]
    Stuck {
        /// The files.
        paths: Vec<RepoPath>,
        /// The journal.
        journal: PathBuf,
    },
}

impl RecoverError {
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Lock(error) => error.hint(),
            Self::Journal { .. } => {
                "fix its permissions, or put it aside if the files are as they should be"
            }
            Self::Unreadable { .. } | Self::Uncleared { .. } | Self::Stuck { .. } => {
                "check the permissions, links and room on the disk, and start again; without its journal the files stay as they are now"
            }
        }
    }
}

/// Returns the command that puts a journal aside.
fn aside(journal: &Path) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let name = journal.with_extension("aside");
    format!(
        "`mv {} {}` puts the journal aside",
        quoted(journal),
        quoted(&name)
    )
}

fn list(paths: &[RepoPath]) -> String {
    let names: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    names.join(", ")
}
