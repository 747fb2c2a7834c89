//! Versions of a file: what was found under its name, why it cannot be changed, and which of two versions is on disk.

use std::sync::Arc;

use super::decision::Decision;
use crate::text::Document;

/// A directory entry as it was read.
#[derive(Debug, Clone)]
pub enum Found {
    /// Nothing.
    Absent,
    /// A text.
    Text {
        /// The text.
        document: Arc<Document>,
        /// True if its owner may execute it.
        executable: bool,
    },
    /// A symbolic link with this target. Only changes of links see it; for all others it is the file behind it that is found.
    Link(String),
    /// A folder. Only changes in a layer see it.
    Folder,
    /// A file without a text to show. It can be deleted, renamed, or made executable or not.
    Opaque(Opaque),
    /// Something that no edit may touch or read.
    Refused(Refusal),
}

impl Found {
    /// Returns true if the file's owner may execute it; `None` if there is no file.
    pub fn executable(&self) -> Option<bool> {
        match self {
            Self::Text { executable, .. } => Some(*executable),
            Self::Opaque(opaque) => Some(opaque.executable),
            Self::Absent | Self::Link(_) | Self::Folder | Self::Refused(_) => None,
        }
    }
}

/// A file that is not text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// The number of its bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// True if its owner may execute it.
    pub executable: bool,
    /// Why it is not text.
    pub why: String,
}

/// Why nothing can be done with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It may not be touched.
    Forbidden(String),
    /// It does not exist; with the most similar name, if there is one.
    Missing(Option<String>),
    /// No file has this name, which is a word that was written where a name is expected.
    Unnamed(String),
    /// It is there already, with another text than the one it should be made with.
    Exists,
    /// It cannot be read as text.
    Unreadable(String),
    /// The hunks are not text in the encoding of the file.
    Undecodable(String),
    /// It is to be made, and it could have any of these names.
    Unclear(Vec<String>),
    /// The edits ask for two things that cannot both be.
    Contradiction(String),
}

/// The two versions of a file.
#[derive(Debug, Clone)]
pub struct Sides {
    /// The old version.
    pub old: Found,
    /// The new version.
    pub new: Found,
    /// The version that is on disk.
    pub stance: Stance,
    /// True if the review is a selection, where undecided counts as selected: edits of undecided hunks are written as well.
    pub selects: bool,
}

/// The version of a file that is on disk, which determines the effect of an undecided change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// The old one: a change is made when it is accepted.
    Proposed,
    /// The new one: a change stays unless it is rejected.
    Standing,
}

impl Stance {
    /// Returns true if a change is in the file after the decision about it is applied.
    pub(in crate::review) fn takes(self, decision: Decision) -> bool {
        match self {
            Self::Proposed => decision == Decision::Accepted,
            Self::Standing => decision != Decision::Rejected,
        }
    }
}
