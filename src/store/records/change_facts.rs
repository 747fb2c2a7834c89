//! Facts that show whether a file was changed, without its content.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Facts about a file that differ after it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangeFacts {
    size: u64,
    number: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl ChangeFacts {
    /// Reads the facts about a file or link; `None` of one that is not there, and of a folder.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let meta = fs::symlink_metadata(path).ok()?;
        (!meta.is_dir()).then(|| Self {
            size: meta.len(),
            number: meta.ino(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        })
    }
}

/// Returns the size of a regular file that can be read, or 0 for a link; `None` for anything else.
pub(crate) fn readable_size(path: &Path) -> Option<u64> {
    let meta = fs::symlink_metadata(path).ok()?;
    if meta.is_symlink() {
        return Some(0);
    }
    (meta.is_file() && File::open(path).is_ok()).then_some(meta.len())
}
