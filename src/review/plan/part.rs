//! Parts of a proposal, with the files that they are for.

use std::sync::Arc;

use crate::proposal::{Blobs, FileChange, HunkOrder, Operation, Version};
use crate::review::session::file::FileReview;
use crate::review::session::versions::Found;
use crate::text::{Document, Encoding};

/// A file change and the file that it is for.
#[derive(Debug, Clone)]
pub struct Intake {
    /// The requested change.
    pub change: Arc<FileChange>,
    /// The order of its hunks.
    pub order: HunkOrder,
    /// Its settled name, relative to the root.
    pub path: String,
    /// The other file of a rename or a copy.
    pub other: OtherFile,
    /// The entry of that name.
    pub found: Found,
    /// Why it may not be accepted in batch, if it may not.
    pub protected: Option<String>,
    /// The bytes of the file, or of the one that is copied; needed only for a binary patch.
    pub bytes: Option<Arc<[u8]>>,
    /// Encoding of its new text; set by [`crate::review::intake`].
    pub reading: NewTextEncoding,
}

/// Encoding of the new text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewTextEncoding {
    /// The encoding of a file that is made.
    pub(in crate::review) encoding: Encoding,
    /// True if characters beyond ASCII would be written in an encoding that was only guessed.
    pub(in crate::review) is_guess: bool,
}

impl Default for NewTextEncoding {
    fn default() -> Self {
        Self {
            encoding: Encoding::UTF_8,
            is_guess: false,
        }
    }
}

/// The other file of a change that concerns two.
#[derive(Debug, Clone, Default)]
pub enum OtherFile {
    /// The change concerns one file, or its other name cannot be a file in the root.
    #[default]
    None,
    /// The new name of a file that is renamed.
    Target(Renaming),
    /// The file that a copy is made of.
    Source(CopySource),
}

impl OtherFile {
    /// Returns the new name of a file that is renamed.
    pub(in crate::review) fn target(&self) -> Option<&Renaming> {
        match self {
            Self::Target(renaming) => Some(renaming),
            Self::None | Self::Source(_) => None,
        }
    }

    /// Returns the file that a copy is made of.
    pub(crate) fn source(&self) -> Option<&CopySource> {
        match self {
            Self::Source(source) => Some(source),
            Self::None | Self::Target(_) => None,
        }
    }
}

/// The new name of a file.
#[derive(Debug, Clone)]
pub struct Renaming {
    /// The name, relative to the root.
    pub to: String,
    /// True if there is a file of that name, and no other change of the batch gives it another one.
    pub exists: bool,
}

/// The file that another is copied from.
#[derive(Debug, Clone)]
pub struct CopySource {
    /// Its name, relative to the root.
    pub from: String,
    /// The entry of that name.
    pub found: Found,
}

/// A text that a batch found in a file, and the one that it left there.
#[derive(Debug, Clone)]
pub struct Rewrite {
    /// The text before.
    pub before: Document,
    /// The text after.
    pub after: Document,
}

/// Older versions of the files, as far as somebody has them. They are asked for only where the files as they are do not tell
/// enough.
pub trait VersionSource: Sync {
    /// The version that a diff says it was made from.
    fn ancestor(&self, blobs: &Blobs) -> Option<Version>;

    /// The version of the file of a name that the agent is known to have seen last; its edits are written against it.
    fn seen(&self, path: &str) -> Option<Version>;

    /// The version of the file of a name that a whole text was written against, as far as is known.
    fn before_whole_text(&self, path: &str) -> Option<Version> {
        self.seen(path)
    }

    /// The versions that the file of a name had and that an edit may be written against, the newest first.
    fn earlier<'v>(&'v self, path: &'v str) -> Box<dyn Iterator<Item = Version> + 'v>;

    /// The texts that the latest batches found and left in the file of a name, the last first; only those that left `now` if that is
    /// given.
    fn rewrites<'v>(
        &'v self,
        path: &'v str,
        now: Option<&Document>,
    ) -> Box<dyn Iterator<Item = Rewrite> + 'v>;
}

/// No older version is known.
pub(in crate::review) struct OnlyNow;

impl VersionSource for OnlyNow {
    fn ancestor(&self, _: &Blobs) -> Option<Version> {
        None
    }

    fn seen(&self, _: &str) -> Option<Version> {
        None
    }

    fn earlier<'v>(&'v self, _: &'v str) -> Box<dyn Iterator<Item = Version> + 'v> {
        Box::new(std::iter::empty())
    }

    fn rewrites<'v>(
        &'v self,
        _: &'v str,
        _: Option<&Document>,
    ) -> Box<dyn Iterator<Item = Rewrite> + 'v> {
        Box::new(std::iter::empty())
    }
}

/// Returns true for two parts of which the first renames the file and the second writes all of its text under the new name, which is no
/// contradiction. A second part with the old name was refused before.
pub(super) fn is_moved_and_written(group: &[Intake]) -> bool {
    let [first, second] = group else {
        return false;
    };
    matches!(first.change.operation, Operation::Rename(_))
        && second.change.operation == Operation::Overwrite
}

/// Gives a review the name and the protection of the file that its parts are for, and lays it out.
pub(in crate::review) fn named(mut review: FileReview, group: &[Intake]) -> FileReview {
    let path = group.first().map(|part| part.path.clone());
    review.path = path.unwrap_or_default();
    review.protected = group.iter().find_map(|part| part.protected.clone());
    review.rebuild();
    review
}
