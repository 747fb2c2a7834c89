//! A file as it was when it was read, which is what a commit compares the file with before it writes.

use std::fmt;

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::proposal::RepoPath;
use crate::text::Document;

/// A file as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The file's name inside the root, as it was asked for.
    pub path: RepoPath,
    /// Where the file really is: the same as `path` unless a link is on the way.
    pub target: RepoPath,
    /// What was there.
    pub state: FileState,
}

/// What stood under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// No file.
    Absent,
    /// A text file.
    File {
        /// Its text.
        document: Document,
        /// The hash of its bytes.
        hash: ContentHash,
        /// Whether its owner may execute it.
        executable: bool,
    },
}

impl Snapshot {
    /// The file's text; `None` if there was no file.
    pub fn document(&self) -> Option<&Document> {
        match &self.state {
            FileState::Absent => None,
            FileState::File { document, .. } => Some(document),
        }
    }

    /// The hash of the file's bytes; `None` if there was no file.
    pub fn hash(&self) -> Option<ContentHash> {
        match &self.state {
            FileState::Absent => None,
            FileState::File { hash, .. } => Some(*hash),
        }
    }
}

/// The SHA-256 of a file's bytes, shown as `sha256sum` shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
