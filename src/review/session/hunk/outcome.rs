//! The result of placing a hunk, and changes that are none of lines.

use std::ops::Range;
use std::sync::Arc;

use crate::locate::{Placement, Unplaced};
use crate::text::LineNo;

/// The result of placing a hunk.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It has a place and can be decided.
    Placed(Placement),
    /// Its lines are in the file already.
    AlreadyApplied {
        /// The line where they are; `None` for the file as a whole.
        at: Option<LineNo>,
    },
    /// It changes lines that an earlier hunk of the file adds, and is decided with it.
    Follows {
        /// The positions of the hunks that carry out the earlier one.
        hunks: Range<usize>,
    },
    /// It cannot be decided until it has a place.
    Unplaced(Unplaced),
    /// The file as a whole cannot be changed; [`crate::review::FileReview::refusal`] says why.
    Refused,
}

/// A change of a file that is not a change of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// An empty file is made.
    Create,
    /// An empty file goes.
    Delete,
    /// A file that is not text, in one version or in both, gets other bytes.
    Content,
    /// The file gets these bytes.
    Bytes(Arc<[u8]>),
    /// The name becomes a symbolic link to this target.
    Link {
        /// The target as the link holds it.
        to: String,
    },
    /// A symbolic link is removed.
    Unlink,
    /// The name becomes a folder without files.
    MakeFolder,
    /// A folder without files is removed.
    RemoveFolder,
    /// The text is written otherwise: with other line endings, or in another encoding.
    Form {
        /// The old format.
        from: String,
        /// The new format.
        to: String,
    },
    /// The file gets the name that [`crate::review::FileKind::Renamed`] holds.
    Rename,
    /// The file is made of the text of the one that [`crate::review::FileKind::Copied`] holds.
    Copy,
    /// The permission to execute is given or taken.
    Mode {
        /// True if it is given.
        executable: bool,
    },
}
