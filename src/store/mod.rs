//! The only file I/O: which files an edit may touch, reading them, and writing a batch, all of it or nothing.
//!
//! A [`Root`] settles what a name means and reads it as a [`Snapshot`]; [`commit`] writes what became of the snapshots if
//! the files are still as they were. No path is ever opened by following a link: a link inside the root is taken apart by
//! hand, and what is left is walked by folder handles.

mod commit_error;
mod disk;
mod folder;
mod guard;
mod ignore_files;
mod links;
mod plan;
mod protect;
mod read;
mod receipt;
mod root;
mod snapshot;
mod swap;
mod transaction;

pub use commit_error::{CommitError, Step};
pub use guard::Forbidden;
pub use plan::{FileWrite, WriteAction};
pub use protect::Protected;
pub use read::ReadError;
pub use receipt::{Receipt, Warning, Written};
pub use root::{OpenError, Root};
pub use snapshot::{ContentHash, FileState, Snapshot};
pub use transaction::commit;
