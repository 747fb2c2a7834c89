//! The requested edits, before any file is read.
//!
//! A [`Proposal`] is made by a dialect from text alone. It names files by [`PathClaim`]s, which only the store can
//! settle, and holds [`Hunk`]s, which only the locator can place.

mod binary_patch;
mod blobs;
mod elision;
mod file_change;
mod hunk;
mod line_hash;
mod line_number;
mod path;
mod phrase;
mod placeholder;
mod problem;
mod reading;
mod stub_text;
mod version;

pub use binary_patch::{BinaryData, BinaryError, BinaryPatch, MOST_BYTES, Patched};
pub use blobs::Blobs;
pub use elision::is_elision;
pub use file_change::{FileChange, HunkOrder, Operation};
pub use hunk::{
    Anchor, AnchorStrength, Body, CellEdit, CellKind, Extent, FinalNewline, Guess, Hunk, LineEdit,
    MarkedChange, Miscount,
};
pub use line_hash::LineHash;
pub use line_number::numbered_line;
pub(crate) use path::{MOST_PATH_BYTES, path_parts};
pub use path::{PathClaim, PathError, RepoPath};
pub use phrase::Placeholder;
pub(crate) use phrase::{has_word, is_explicit, phrase_grade, speaks};
pub(crate) use placeholder::{
    between_signs, comment_text, is_comment, is_comment_edge, is_prose_file,
};
pub use placeholder::{is_bare_phrase, placeholder};
pub use problem::{InputSpan, Problem};
pub use reading::Reading;
pub(crate) use stub_text::{StubText, stub_text};
pub use version::{Version, VersionName};

/// All the edits that one input asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// The prose around the edits: what the agent says it wants.
    pub intent: String,
    /// The edits, in the order of the input; a file may be here more than once.
    pub files: Vec<FileChange>,
}
