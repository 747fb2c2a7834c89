//! A file as it was when it was read, which is what a commit compares the file with before it writes.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;
use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::proposal::RepoPath;
use crate::text::{DecodeError, Document};

/// A file as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The file's name inside the root, as it was asked for.
    pub path: RepoPath,
    /// The path without links: the same as `path` unless a link is on the way.
    pub target: RepoPath,
    /// The state of the file when it was read.
    pub state: FileState,
}

/// State of a name when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// No file.
    Absent,
    /// A text file.
    File {
        /// Its text.
        document: Arc<Document>,
        /// The hash of its bytes.
        hash: ContentHash,
        /// True if its owner may execute it.
        executable: bool,
    },
    /// A symbolic link, read by [`crate::store::Root::read_entry`].
    Link {
        /// The target as the link holds it.
        target: String,
    },
    /// A folder, read by [`crate::store::Root::read_any`].
    Folder,
    /// A file that is not text. It can be moved, copied or removed as a whole.
    Opaque {
        /// The number of its bytes.
        size: u64,
        /// The hash of its bytes.
        hash: ContentHash,
        /// True if its owner may execute it.
        executable: bool,
        /// The reason why it is not text.
        why: DecodeError,
    },
}

impl Snapshot {
    /// The file's text; `None` if there was no file, or no text in it.
    pub fn document(&self) -> Option<&Document> {
        match &self.state {
            FileState::Absent
            | FileState::Link { .. }
            | FileState::Folder
            | FileState::Opaque { .. } => None,
            FileState::File { document, .. } => Some(document),
        }
    }

    /// The hash of the file's bytes; `None` if there was no file.
    pub fn hash(&self) -> Option<ContentHash> {
        self.version().map(|version| version.hash)
    }

    /// Returns the version that a commit compares the file with; `None` if there was no file.
    pub fn version(&self) -> Option<FileVersion> {
        match &self.state {
            FileState::Absent => None,
            FileState::Link { target } => Some(FileVersion::of_link(target)),
            FileState::Folder => Some(FileVersion::of_folder()),
            FileState::File {
                hash, executable, ..
            }
            | FileState::Opaque {
                hash, executable, ..
            } => Some(FileVersion {
                hash: *hash,
                executable: *executable,
                kind: VersionKind::File,
            }),
        }
    }
}

/// Identity of a file's contents: its bytes, its kind, and whether it can be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// True if its owner may execute it.
    pub executable: bool,
    /// The kind of file.
    #[serde(default, skip_serializing_if = "VersionKind::is_file")]
    pub kind: VersionKind,
}

/// Kind of a file that a commit compares and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionKind {
    /// A regular file.
    #[default]
    File,
    /// A symbolic link, whose bytes are its target.
    Link,
    /// A folder. It has no bytes: what is in it are files of their own.
    Folder,
}

impl VersionKind {
    /// Returns true for a regular file.
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    pub(in crate::store) fn is_file(&self) -> bool {
        *self == Self::File
    }
}

impl FileVersion {
    /// Returns the version of a symbolic link.
    pub(in crate::store) fn of_link(target: &str) -> Self {
        Self {
            hash: ContentHash::of(target.as_bytes()),
            executable: false,
            kind: VersionKind::Link,
        }
    }

    /// Returns the version of a folder.
    pub(in crate::store) fn of_folder() -> Self {
        Self {
            hash: ContentHash::of(&[]),
            executable: false,
            kind: VersionKind::Folder,
        }
    }
}

/// The SHA-256 of a file's bytes, shown as `sha256sum` shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ContentHash([u8; 32]);

/// A text that is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a hash is 64 hexadecimal digits")]
pub struct NotAHash;

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_parts([bytes])
    }

    /// Returns the HMAC-SHA-256 (RFC 2104) of bytes with a key.
    pub(in crate::store) fn with_key(key: &[u8; 64], bytes: &[u8]) -> Self {
        let code = Hmac::<Sha256>::new(key.into()).chain_update(bytes);
        Self(code.finalize().into_bytes().into())
    }

    /// Returns the hash of all that is left to read, which is read a part at a time.
    pub(in crate::store) fn of_reader(reader: &mut impl Read) -> io::Result<Self> {
        let mut hash = Sha256::new();
        let mut part = vec![0; 1 << 16];
        loop {
            match reader.read(&mut part) {
                Ok(0) => return Ok(Self(hash.finalize().into())),
                Ok(n) => hash.update(&part[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) => return Err(error),
            }
        }
    }

    /// The hash of bytes that come in parts.
    pub fn of_parts<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";

        let mut text = [0; 64];
        for (pair, byte) in text.as_chunks_mut().0.iter_mut().zip(self.0) {
            *pair = [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
        }
        f.pad(str::from_utf8(&text).unwrap_or_default())
    }
}

impl TryFrom<String> for ContentHash {
    type Error = NotAHash;

    fn try_from(text: String) -> Result<Self, NotAHash> {
        text.parse()
    }
}

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
            return Err(NotAHash);
        };
        let mut hash = [0; 32];
        if pairs.len() != hash.len() {
            return Err(NotAHash);
        }
        let digit = |digit: u8| char::from(digit).to_digit(16).ok_or(NotAHash);
        for (byte, &[high, low]) in hash.iter_mut().zip(pairs) {
            // Two digits make no more than a byte.
            *byte = u8::try_from(digit(high)? << 4 | digit(low)?).map_err(|_| NotAHash)?;
        }
        Ok(Self(hash))
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
