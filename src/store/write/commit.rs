//! Writing a batch: all of it or nothing.
//!
//! What is about to be done goes into the journal first. Then every new file is staged beside its target and written
//! through to the disk, and old and new contents are kept for the history, before any file is changed; then each takes its
//! place; and only when all are in place are the old files removed, or moved into the history. A failure before that takes
//! every step back, and so does, or finishes it, the next start after a kill. What a loss of power can still take from a
//! batch that was reported as written is said in `sync`.

use std::time::SystemTime;

use super::commit_error::CommitError;
use super::disk::Disk;
use super::folder_changes::{in_order, with_folders};
use super::plan::{FileWrite, PlannedWrite, plan};
use super::real_disk::RealDisk;
use super::recover::recover_locked;
use super::swap::{Swap, stage_outside};
use super::transaction::Transaction;
use crate::store::folder::folder_handle::OpenFolders;
use crate::store::records::history::{HistoryError, next_id, prune};
use crate::store::state::batch_id::BatchId;
use crate::store::state::receipt::{Receipt, Warning};
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::lock::{LockError, lock_commits};
use crate::store::tree::root::Root;

/// Writes a batch: all of it, or nothing.
///
/// # Errors
///
/// [`CommitError`] if a file is not as it was reviewed or a step failed; nothing is written then but what
/// [`CommitError::Stuck`] names.
pub fn commit(root: &Root, writes: &[FileWrite<'_>]) -> Result<Receipt, CommitError> {
    commit_on(&RealDisk, root, plan(writes)?, None)
}

/// Says whether a batch could be written, as far as the batch alone tells; writes nothing.
///
/// # Errors
///
/// [`CommitError`] if [`commit`] would refuse it.
pub fn rehearse(writes: &[FileWrite<'_>]) -> Result<(), CommitError> {
    with_folders(plan(writes)?).map(drop)
}

/// Makes changes by the steps of `disk`. `undoes` is the batch that they take back, if they do nothing else.
pub(in crate::store) fn commit_on(
    disk: &impl Disk,
    root: &Root,
    changes: Vec<PlannedWrite<'_>>,
    undoes: Option<BatchId>,
) -> Result<Receipt, CommitError> {
    if changes.is_empty() {
        return Ok(Receipt::default());
    }
    let state = root
        .state()
        .and_then(StateFolder::make)
        .map_err(LockError::State)?;
    let _lock = lock_commits(&state)?;
    recover_locked(disk, root, &state)?;
    let now = SystemTime::now();
    let id = next_id(&state, now);
    let changes = in_order(with_folders(changes)?);
    let mut swaps: Vec<Swap<'_>> = (changes.into_iter().enumerate())
        .map(|(n, change)| Swap::new(change, id, n))
        .collect();
    stage_outside(&mut swaps);
    let mut transaction = Transaction {
        disk,
        state: &state,
        folders: OpenFolders::new(root.dir()),
        swaps,
        made: Vec::new(),
    };
    let checked = transaction.check(root)?;
    match transaction.write(id, undoes, now, checked) {
        Ok(()) => {
            let order = transaction.order();
            let mut receipt = transaction.finish(id);
            // What could not be removed yet is removed by the next start, for which the journal stays.
            if receipt.has_leftovers() || disk.archive(&state, id, order).is_err() {
                receipt.warnings.push(Warning::Unlogged);
            } else {
                // What is not forgotten now is forgotten after the next commit.
                let _: Result<(), HistoryError> = prune(&state);
            }
            Ok(receipt)
        }
        Err(cause) => Err(transaction.take_back(id, cause)),
    }
}
