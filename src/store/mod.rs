//! The only file I/O: which files an edit may touch, reading them, and writing a batch, all of it or nothing.
//!
//! A [`Root`] settles what a name means and reads it as a [`Snapshot`]; [`commit`] writes what became of the snapshots if
//! the files are still as they were, [`undo()`] takes a batch back, and [`recover()`] deals with one that was interrupted. No
//! path is ever opened by following a link: a link inside the root is taken apart by hand, and what is left is walked by
//! folder handles.

mod above;
mod batch_id;
mod bounded_read;
mod commit_error;
mod disk;
#[cfg(test)]
mod faults;
mod finished;
mod fold;
mod folder;
mod guard;
mod guard_file;
mod history;
mod ignore_files;
mod journal;
mod kept;
mod layer;
mod links;
mod listing;
mod lock;
mod metadata;
mod own_files;
mod pack;
mod parents;
mod place;
mod plan;
mod protect;
mod protected_names;
mod read;
mod real_disk;
mod receipt;
mod recover;
mod replaced;
mod root;
mod snapshot;
mod splice;
mod stage;
mod state;
mod survey;
mod swap;
mod sync;
mod transaction;
mod tree_copy;
mod turn;
mod undo;
mod watch;

pub use bounded_read::{read_regular, read_regular_text};
pub use commit_error::{CommitError, Step};
pub use guard::Forbidden;
pub use guard_file::{GuardError, GuardFile};
pub use history::{Entry, HistoryError, Log};
pub use ignore_files::NAMES as IGNORE_FILES;
pub use kept::Kept;
pub(crate) use layer::{
    About, BaseFiles, BaseVersion, Calls, InsideFolder, Layer, LayerEntry, LayerEntryKind,
    LayerError, LayerKind, LayerState, Pins, ReportedCall,
};
pub use listing::Listed;
pub use lock::{Holder, Lock, LockError};
pub use plan::{FileWrite, WriteAction};
pub use protect::Protected;
pub use read::ReadError;
pub use receipt::{Receipt, Warning, Written};
pub use recover::{RecoverError, Recovery, recover};
pub use replaced::Replaced;
pub use root::{OpenError, Root};
pub use snapshot::{ContentHash, FileState, NotAHash, Snapshot, Version};
pub use state::StateError;
pub use transaction::{commit, rehearse};
pub use tree_copy::{Laid, TreeCopy};
pub use turn::Turn;
pub use undo::{Past, PastFile, PastVersion, UndoError, commit_undo, past, undo};
pub use watch::Watch;
