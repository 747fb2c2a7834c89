//! The only file I/O: which files an edit may touch, reading them, and writing a batch, all of it or nothing.
//!
//! A [`Root`] settles what a name means and reads it as a [`Snapshot`]; [`commit()`] writes what became of the snapshots if
//! the files are still as they were, [`undo()`] takes a batch back, and [`recover()`] deals with one that was interrupted. No
//! path is ever opened by following a link: a link inside the root is taken apart by hand, and what is left is walked by
//! folder handles.
//!
//! Each folder imports only from those above it in this table:
//!
//! | what | folder |
//! |---|---|
//! | folders as handles, and what is read from them | `folder` |
//! | the state folder: the journal of a batch, and the formats of what is kept | `state` |
//! | which names an edit may never touch, and which only one by one | `rules` |
//! | the working tree: resolving, guarding, reading, listing, locking | `tree` |
//! | what is kept beside the tree: batches written, reviews, comments | `records` |
//! | a batch: staged, written, recovered, undone | `write` |
//! | layers of files in which commands run | `layer` |

#[cfg(test)]
mod faults;
mod folder;
mod layer;
mod records;
mod rules;
mod state;
mod tree;
mod write;

pub use folder::bounded_read::{read_regular, read_regular_text};
pub use folder::snapshot::{ContentHash, FileState, FileVersion, NotAHash, Snapshot, VersionKind};
pub(crate) use layer::base::{BaseFiles, EarlyChanges};
pub(crate) use layer::base_version::BaseVersion;
pub(crate) use layer::entries::{EntryKind as LayerEntryKind, LayerEntry};
pub(crate) use layer::guest_folder::{Calls, GuestFolder, ReportedCall};
pub(crate) use layer::open_files::OpenFiles;
pub(crate) use layer::pinned_versions::PinnedVersions;
pub(crate) use layer::remaining::RemainingFile;
pub(crate) use layer::{Layer, LayerError, LayerKind, LayerRecord, LayerState};
pub use records::agent_reads::{AgentRead, ReadingAgent};
pub use records::agent_turn::Turn;
pub(crate) use records::change_facts::{ChangeFacts, readable_size};
pub use records::history::{HistoryEntry, HistoryError, HistoryLog};
pub use records::previous_versions::PreviousVersions;
pub use records::rejections::KeptRejections;
pub use records::saved_reviews::SavedReview;
pub use records::threads::{MOST_THREADS, StoredThread, ThreadsLock};
pub use rules::guard::Forbidden;
pub use rules::ignore_rules::NAMES as IGNORE_FILES;
pub use rules::protection::Protected;
pub use state::receipt::{Receipt, Warning, WrittenHashes};
pub use state::state_folder::StateError;
pub(crate) use state::state_folder::usual_folder as usual_state_folder;
pub use tree::guard_file::{GuardError, GuardFile};
pub use tree::listing::Listed;
pub use tree::lock::{Lock, LockError, LockHolder};
pub use tree::read_file::ReadError;
pub use tree::root::{OpenError, Root};
pub use tree::tree_copy::{Laid, TreeCopy};
pub use tree::watch::Watch;
pub use write::commit::{commit, rehearse};
pub use write::commit_error::{CommitError, CommitStep};
pub use write::plan::{FileWrite, WriteAction};
pub use write::recover::{Recovery, recover};
pub use write::recover_error::RecoverError;
pub use write::undo::{Past, PastFile, PastVersion, UndoError, commit_undo, past, undo};
