//! Writing a batch through to the disk: first the new files, and once they are in place their names.
//!
//! No file takes its place before all new contents are on the disk. That the names follow is waited for, too, but for one
//! case: where the files of a large batch and the journal are on one file system that writes changes of names down in their
//! order, the batch is reported as written while the disk may still have the old names. A loss of power in the seconds
//! until it has the new ones leaves the tree with all old files or with some of the new ones; the journal, which is then
//! as it was before the first name changed or as it has become since, makes the next start finish the batch.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use super::commit_error::{CommitError, CommitStep};
use super::disk::Disk;
use super::transaction::Transaction;
use crate::store::folder::folder_handle::Folder;
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal::Order;

/// From so many files on it is quicker to sync the whole file system than one file after the other.
const LARGE: usize = 64;

impl<D: Disk> Transaction<'_, D> {
    /// Writes all staged files through to the disk, one after the other.
    pub(in crate::store) fn flush(&mut self) -> Result<(), CommitError> {
        for swap in &self.swaps {
            swap.flush(self.disk, &mut self.folders)?;
        }
        Ok(())
    }

    /// Writes the names in all folders through to the disk, if it matters when they get there.
    pub(in crate::store) fn sync(&mut self) -> Result<(), CommitError> {
        if self.order() == Order::Kept {
            return Ok(());
        }
        if let Some(root) = self.on_one_disk()? {
            return self.flush_all(&root);
        }
        let mut done = BTreeSet::new();
        for (swap, folder) in self
            .swaps
            .iter()
            .flat_map(|swap| swap.folders().map(move |folder| (swap, folder)))
        {
            let mut folder = Some(folder);
            while let Some(path) = folder.filter(|path| done.insert(*path)) {
                self.folders
                    .get(path)
                    .and_then(|open| self.disk.sync(&open))
                    .map_err(|error| swap.failed(CommitStep::Sync, error))?;
                // A folder that was made is a new name in the one above it.
                let made = self.made.binary_search_by(|made| made.as_path().cmp(path));
                folder = path.parent().filter(|_| made.is_ok());
            }
        }
        Ok(())
    }

    /// The root's handle, if it is a large batch on one file system: then that is written through to the disk in one go.
    pub(in crate::store) fn on_one_disk(&mut self) -> Result<Option<Rc<Folder>>, CommitError> {
        let Some(first) = self.swaps.first() else {
            return Ok(None);
        };
        let failed = |error| first.failed(CommitStep::Sync, error);
        let root = self.folders.get(Path::new("")).map_err(failed)?;
        let device = root.device().map_err(failed)?;
        Ok(self.is_large_and_on(device).then_some(root))
    }

    /// Writes everything on the root's file system through to the disk.
    pub(in crate::store) fn flush_all(&self, root: &Folder) -> Result<(), CommitError> {
        (self.disk.flush_all(root)).map_err(|error| match self.swaps.first() {
            Some(first) => first.failed(CommitStep::Sync, error),
            None => CommitError::journal(self.state, error),
        })
    }

    /// Notes which old files are to be moved into the history once all is in place. In a large batch that is less work than
    /// to copy and to remove them; it needs a disk that cannot forget such a move and remember what came after it.
    pub(in crate::store) fn move_old_files(&mut self, id: BatchId) {
        let device = self.disk.device_in_order(self.state);
        if device.is_none() || !self.is_large() {
            return;
        }
        let folder = self.state.replaced(id);
        for swap in (self.swaps.iter_mut()).filter(|swap| swap.device() == device) {
            swap.move_into(&folder);
        }
    }

    /// Returns the order in which names get to the disk, as far as it is known.
    pub(in crate::store) fn order(&self) -> Order {
        let device = self.disk.device_in_order(self.state);
        if device.is_some() && self.is_large_and_on(device) {
            Order::Kept
        } else {
            Order::Unknown
        }
    }

    /// Returns true if the batch has so many files that waiting for the disk is worth a thread.
    pub(in crate::store) fn is_large(&self) -> bool {
        self.swaps.len() >= LARGE
    }

    fn is_large_and_on(&self, device: Option<u64>) -> bool {
        self.is_large() && self.swaps.iter().all(|swap| swap.device() == device)
    }
}
