//! A git repository, asked through git's own plumbing: what differs, what its blobs hold, and what the index is to hold.
//!
//! No shell is on the way, names are taken literally, and nothing of the working tree is written here.

mod ancestors;
mod contents;
mod file_log;
mod grep;
mod index;
mod query;
mod raw_diff;
mod renamed;
mod repository;
mod side_index;
mod tree;

pub use ancestors::Ancestors;
pub use contents::BlobForm;
pub(crate) use grep::files_with;
pub use index::Staging;
pub use raw_diff::{Blob, ChangedEntry, DiffSides, GitEntryKind};
pub(crate) use renamed::renamed;
pub use repository::{GitError, Repository};
pub use side_index::{ListedNames, SideIndex};
