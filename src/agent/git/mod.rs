//! A git repository, asked through git's own plumbing: what differs, what its blobs hold, and what the index is to hold.
//!
//! No shell is on the way, names are taken literally, and nothing of the working tree is written here.

mod ancestors;
mod ask;
mod changed;
mod contents;
mod file_log;
mod files_with;
mod index;
mod recorded;
mod repository;
mod side_index;

pub use ancestors::Ancestors;
pub use changed::{Blob, Changed, Kind, Span};
pub use contents::Form;
pub(crate) use files_with::files_with;
pub use index::Staging;
pub use repository::{GitError, Repository};
pub use side_index::SideIndex;
