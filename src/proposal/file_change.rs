//! The part of a proposal for one file.

use std::sync::Arc;

use thiserror::Error;

use super::binary_patch::BinaryPatch;
use super::blobs::Blobs;
use super::hunk::Hunk;
use super::path::PathClaim;
use super::problem::InputSpan;
use crate::text::plural;

/// The requested change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file, as the edit names it.
    pub path: PathClaim,
    /// The operation on the file as a whole.
    pub operation: Operation,
    /// The new permission to execute, if the edit states one.
    pub executable: Option<bool>,
    /// True if the edit states that the name is that of a regular file, and no link.
    pub is_regular: bool,
    /// The versions that the edit leads from and to, if it is a diff that names them.
    pub blobs: Option<Blobs>,
    /// The bytes of a file that is not text, in place of hunks.
    pub binary: Option<Arc<BinaryPatch>>,
    /// The hunks in the order of the input. A creation or an overwrite has one hunk with an empty preimage (none at all
    /// for an empty file); a deletion may state the text that it expects.
    pub hunks: Vec<Hunk>,
    /// The name of the dialect it was written in.
    pub dialect: &'static str,
    /// Its lines in the input.
    pub span: InputSpan,
    /// The number of its patch in a series. It is for the result of the earlier patches, and for the same files as the other
    /// changes of its own patch.
    pub patch: usize,
}

impl FileChange {
    /// Returns a change without hunks that states nothing but these.
    pub fn new(
        path: PathClaim,
        operation: Operation,
        dialect: &'static str,
        span: InputSpan,
    ) -> Self {
        Self {
            path,
            operation,
            executable: None,
            is_regular: false,
            blobs: None,
            binary: None,
            hunks: Vec::new(),
            dialect,
            span,
            patch: 0,
        }
    }
}

/// Operation on a file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// The file is there and stays; its hunks change it.
    Modify,
    /// The file is not there yet.
    Create,
    /// The file is made of the lines of its one hunk, or, if it is there, they go to its end (an edit that searches for
    /// nothing: its author may not know whether the file exists).
    CreateOrAppend,
    /// The file gets new contents, whatever it held, or is made.
    Overwrite,
    /// The file goes.
    Delete,
    /// The file gets another name; its hunks change it on the way.
    Rename(PathClaim),
    /// The file is made of the text of this one, which stays as it is; its hunks change it on the way.
    CopyOf(PathClaim),
    /// A symbolic link is made, removed or aimed elsewhere, by its target. The name is that of the link, which is not followed;
    /// there are no hunks.
    Link {
        /// The target before; `None` if there is no link.
        from: Option<String>,
        /// The target after; `None` if the link is removed.
        to: Option<String>,
    },
}

impl Operation {
    /// Returns the other name of a rename or a copy.
    pub(crate) fn other_name(&self) -> Option<&PathClaim> {
        match self {
            Self::Rename(other) | Self::CopyOf(other) => Some(other),
            Self::Modify
            | Self::Create
            | Self::CreateOrAppend
            | Self::Overwrite
            | Self::Delete
            | Self::Link { .. } => None,
        }
    }
}

/// A name of a diff that has no more parts than are to be removed from it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot strip {} from `{name}`", plural(*count, "component"))]
pub(crate) struct TooFewParts {
    count: usize,
    name: String,
}

impl TooFewParts {
    fn new(name: &PathClaim, count: usize) -> Self {
        let name = name.longest().swap_remove(0);
        Self { count, name }
    }
}

impl FileChange {
    /// Returns the names of the files that it concerns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &PathClaim> {
        [&self.path].into_iter().chain(self.operation.other_name())
    }

    /// Removes leading parts from its names, as `patch -p` does. The lines `rename from` and `copy to` have no prefix of git.
    ///
    /// # Errors
    ///
    /// [`TooFewParts`] if a name has no more parts than that; the names stay then.
    pub(crate) fn strip(&mut self, count: usize) -> Result<(), TooFewParts> {
        let other = self.operation.other_name();
        let own = count.saturating_sub(usize::from(other.is_some()));
        let too_few = |name: &PathClaim| TooFewParts::new(name, count);
        let stripped = |name: &PathClaim| name.without_parts(own).ok_or_else(|| too_few(name));
        let other = other.map(stripped).transpose()?;
        self.path = stripped(&self.path)?;
        if let (Operation::Rename(name) | Operation::CopyOf(name), Some(other)) =
            (&mut self.operation, other)
        {
            *name = other;
        }
        Ok(())
    }

    /// Changes the names of the files that it concerns.
    pub(crate) fn map_names(&mut self, changed: impl Fn(&PathClaim) -> PathClaim) {
        self.path = changed(&self.path);
        if let Operation::Rename(other) | Operation::CopyOf(other) = &mut self.operation {
            *other = changed(other);
        }
    }

    /// Takes note of the folder in which the agent worked, as its log states it.
    pub(crate) fn record_folder(&mut self, folder: &str) {
        self.map_names(|name| name.recorded_in(folder));
    }

    /// Lets its names begin in a real folder, no part of which is a link.
    pub(crate) fn move_into_real(&mut self, folder: &str) {
        self.map_names(|name| name.in_real_folder(folder));
    }

    /// Lets its names begin in a folder.
    pub(crate) fn move_into(&mut self, folder: &str) {
        self.map_names(|name| name.from_folder(folder));
    }
}

/// Order of the hunks of a file in an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HunkOrder {
    /// The order of the file's lines, as in a diff.
    Ascending,
    /// Any order; all of them are meant for the file as it is.
    Any,
    /// Any order; each is meant for the result of the one before, as in `MultiEdit`.
    Sequence,
}
