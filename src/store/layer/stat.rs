//! The facts about a file that show whether it was changed.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The facts about a file that show whether it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stat {
    /// The time of the last change of the file or its attributes.
    pub(super) changed: (i64, u64),
    /// True if it is a folder, not a link to one.
    pub(super) is_folder: bool,
}

impl Stat {
    /// Reads them, without following a link.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(|meta| Self::from(&meta))
    }
}

impl From<&Metadata> for Stat {
    fn from(meta: &Metadata) -> Self {
        Self {
            changed: (meta.ctime(), u64::try_from(meta.ctime_nsec()).unwrap_or(0)),
            is_folder: meta.is_dir(),
        }
    }
}
