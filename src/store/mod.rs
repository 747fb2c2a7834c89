//! The only file I/O: which files an edit may touch, reading them, and writing a batch, all of it or nothing.
//!
//! A [`Root`] settles what a name means and reads it as a [`Snapshot`]; [`commit()`] writes what became of the snapshots if
//! the files are still as they were, [`undo()`] takes a batch back, and [`recover()`] deals with one that was interrupted. No
//! path is ever opened by following a link: a link inside the root is taken apart by hand, and what is left is walked by
//! folder handles.

mod agent_reads;
mod agent_turn;
mod batch_id;
mod bounded_read;
mod commit;
mod commit_error;
mod delta;
mod directories;
mod disk;
mod enclosing_folders;
#[cfg(test)]
mod faults;
mod finished_reviews;
mod folder;
mod folder_changes;
mod guard;
mod guard_file;
mod history;
mod ignore_files;
mod ignore_rules;
mod journal;
mod layer;
mod listing;
mod lock;
mod metadata;
mod name_folding;
mod own_files;
mod pack;
mod plan;
mod previous_versions;
mod protect;
mod protected_names;
mod protection;
mod read;
mod real_disk;
mod receipt;
mod recover;
mod recover_error;
mod recovery_scan;
mod rejections;
mod resolve;
mod root;
mod saved_reviews;
mod snapshot;
mod stage;
mod state;
mod swap;
mod swap_apply;
mod symlinks;
mod sync;
mod threads;
mod transaction;
mod tree_copy;
mod undo;
mod watch;

pub use agent_reads::{AgentRead, Reader};
pub use agent_turn::Turn;
pub use bounded_read::{read_regular, read_regular_text};
pub use commit::{commit, rehearse};
pub use commit_error::{CommitError, Step};
pub use guard::Forbidden;
pub use guard_file::{GuardError, GuardFile};
pub use history::{Entry, HistoryError, Log};
pub use ignore_rules::NAMES as IGNORE_FILES;
pub(crate) use layer::base::{BaseFiles, BaseVersion};
pub(crate) use layer::entries::{Entry as LayerEntry, EntryKind as LayerEntryKind};
pub(crate) use layer::guest_folder::{Calls, InsideFolder, ReportedCall};
pub(crate) use layer::pinned_versions::Pins;
pub(crate) use layer::{About, Layer, LayerError, LayerKind, LayerState};
pub use listing::Listed;
pub use lock::{Holder, Lock, LockError};
pub use plan::{FileWrite, WriteAction};
pub use previous_versions::PreviousVersions;
pub use protection::Protected;
pub use read::ReadError;
pub use receipt::{Receipt, Warning, Written};
pub use recover::{Recovery, recover};
pub use recover_error::RecoverError;
pub use root::{OpenError, Root};
pub use saved_reviews::SavedReview;
pub use snapshot::{ContentHash, FileState, NotAHash, Snapshot, Version, VersionKind};
pub use state::StateError;
pub(crate) use state::usual_folder as usual_state_folder;
pub use threads::{MOST_THREADS, StoredThread, ThreadsLock};
pub use tree_copy::{Laid, TreeCopy};
pub use undo::{Past, PastFile, PastVersion, UndoError, commit_undo, past, undo};
pub use watch::Watch;
