//! Versions of files at the start of a run in a layer.

use std::io;

use serde::{Deserialize, Serialize};

/// A file as it was when the run started, with its bytes or the hash by which they are found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BaseVersion<B = Vec<u8>> {
    /// There was no such file.
    Absent,
    /// It was as it is now.
    Unchanged,
    /// It had this content.
    Content {
        /// Its bytes.
        #[serde(rename = "hash")]
        bytes: B,
        /// True if its owner could execute it.
        executable: bool,
    },
    /// It had this content, of which only the hash is kept.
    Hash {
        /// Its size in bytes.
        size: u64,
        /// The hash of its bytes.
        hash: String,
        /// True if its owner could execute it.
        executable: bool,
    },
    /// It was a symbolic link to this target.
    Link(String),
    /// It was a folder.
    Folder,
    /// It has changed since, and what it was is not recorded.
    Unknown,
}

impl<B> BaseVersion<B> {
    /// Returns the same version with its bytes replaced.
    pub(super) fn with_bytes<C>(
        self,
        replace: impl FnOnce(B) -> io::Result<C>,
    ) -> io::Result<BaseVersion<C>> {
        Ok(match self {
            Self::Absent => BaseVersion::Absent,
            Self::Unchanged => BaseVersion::Unchanged,
            Self::Content { bytes, executable } => BaseVersion::Content {
                bytes: replace(bytes)?,
                executable,
            },
            Self::Hash {
                size,
                hash,
                executable,
            } => BaseVersion::Hash {
                size,
                hash,
                executable,
            },
            Self::Link(target) => BaseVersion::Link(target),
            Self::Folder => BaseVersion::Folder,
            Self::Unknown => BaseVersion::Unknown,
        })
    }
}
