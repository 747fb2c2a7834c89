//! Result of a commit.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use crate::proposal::RepoPath;
use crate::store::folder::snapshot::ContentHash;

/// Result of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The commit's name in the log.
    pub id: String,
    /// The files that were written, in the order of their real paths.
    pub written: Vec<WrittenHashes>,
    /// Problems that did not keep the batch from being written.
    pub warnings: Vec<Warning>,
}

/// Old and new hash of a file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenHashes {
    /// The file's name, as it was asked for.
    pub path: RepoPath,
    /// The hash of what was there; `None` if nothing was.
    pub before: Option<ContentHash>,
    /// The hash of what is there now; `None` if nothing is.
    pub after: Option<ContentHash>,
}

/// Problem in a commit that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// The user may not give the file its former owner or group, so it has the user's now.
    OwnerChanged(RepoPath),
    /// The file let a program run with the rights of its owner, its group or the superuser (setuid, setgid, capabilities). The
    /// new one does not.
    PrivilegesRemoved(RepoPath),
    /// The old file or its empty folder could not be removed and still has this name; the next start tries again.
    Leftover(RepoPath, PathBuf),
    /// The file has other names, so it was written in place and not exchanged: they hold the new text too.
    OtherNames(RepoPath),
    /// Another program wrote to the old file after it was replaced. Its text is in a file of this name beside it.
    WrittenLate(RepoPath, PathBuf),
    /// The record of this batch is damaged, so it was passed over.
    DamagedRecord(String),
    /// The commit could not be entered in the log yet; the next start does it.
    Unlogged,
}

impl Receipt {
    pub(in crate::store) fn has_leftovers(&self) -> bool {
        self.warnings.iter().any(|warning| match warning {
            Warning::Leftover(..) => true,
            Warning::OwnerChanged(_)
            | Warning::PrivilegesRemoved(_)
            | Warning::OtherNames(_)
            | Warning::WrittenLate(..)
            | Warning::DamagedRecord(_)
            | Warning::Unlogged => false,
        })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OwnerChanged(path) => write!(
                f,
                "`{path}` could not be given its former owner, so it is yours now"
            ),
            Self::PrivilegesRemoved(path) => write!(
                f,
                "`{path}` ran with the rights of its owner or group (setuid, setgid or capabilities) and no longer does; set them again if it is still safe"
            ),
            Self::Leftover(path, left) => {
                write!(
                    f,
                    "the old `{path}` is still there as `{}`; the next run removes it",
                    left.display()
                )
            }
            Self::OtherNames(path) => write!(
                f,
                "`{path}` has other names (hard links): they hold the new text too"
            ),
            Self::WrittenLate(path, left) => write!(
                f,
                "another program wrote to the old `{path}` while it was replaced; its text is in `{}` beside it",
                left.display()
            ),
            Self::DamagedRecord(id) => {
                write!(f, "the record of batch {id} is damaged and was passed over")
            }
            Self::Unlogged => {
                f.write_str("the batch could not be entered in the log yet; the next start does it")
            }
        }
    }
}
