//! Writing a batch: all of it or nothing.
//!
//! What is about to be done goes into the journal first. Then every new file is staged beside its target and written
//! through to the disk before any file is changed; then each takes its place; and only when all are in place are the old
//! files removed. A failure before that takes every step back, and so does, or finishes it, the next start after a kill.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::commit_error::{CommitError, Step};
use super::disk::{Disk, RealDisk};
use super::folder::Folders;
use super::journal::{self, Phase, Record};
use super::lock::{LockError, lock_commits};
use super::plan::{Change, FileWrite, plan};
use super::receipt::{Receipt, Warning};
use super::recover::recover_locked;
use super::root::Root;
use super::state::State;
use super::swap::Swap;
use crate::proposal::RepoPath;

/// Writes a batch: all of it, or nothing.
///
/// # Errors
///
/// [`CommitError`] if a file is not as it was reviewed or a step failed; nothing is written then.
pub fn commit(root: &Root, writes: &[FileWrite<'_>]) -> Result<Receipt, CommitError> {
    commit_on(&RealDisk, root, plan(writes)?)
}

/// Makes changes by the steps of `disk`.
pub(super) fn commit_on(
    disk: &impl Disk,
    root: &Root,
    changes: Vec<Change<'_>>,
) -> Result<Receipt, CommitError> {
    if changes.is_empty() {
        return Ok(Receipt::default());
    }
    let state = root.state().map_err(LockError::State)?;
    let _lock = lock_commits(&state)?;
    recover_locked(disk, root, &state)?;
    let (id, time) = journal::new_id();
    let swaps = changes
        .into_iter()
        .enumerate()
        .map(|(n, change)| Swap::new(change, &id, n))
        .collect();
    let mut transaction = Transaction {
        disk,
        state: &state,
        folders: Folders::new(root.dir()),
        swaps,
        made: Vec::new(),
    };
    transaction.check(root)?;
    match transaction.write(&id, time) {
        Ok(()) => {
            let mut receipt = transaction.finish(&id);
            // What could not be removed yet is removed by the next start, for which the journal stays.
            if receipt.has_leftovers() || disk.archive(&state, &id).is_err() {
                receipt.warnings.push(Warning::Unlogged);
            }
            Ok(receipt)
        }
        Err(cause) => Err(transaction.take_back(cause)),
    }
}

/// A batch on its way to the disk.
pub(super) struct Transaction<'a, D> {
    pub(super) disk: &'a D,
    pub(super) state: &'a State,
    pub(super) folders: Folders<'a>,
    pub(super) swaps: Vec<Swap<'a>>,
    /// The folders that are made for new files, outermost first.
    pub(super) made: Vec<PathBuf>,
}

impl<D: Disk> Transaction<'_, D> {
    /// Compares every file with what was reviewed, and names all that differ.
    fn check(&mut self, root: &Root) -> Result<(), CommitError> {
        let mut changed = Vec::new();
        for swap in &mut self.swaps {
            match swap.check(self.disk, root, self.state, &mut self.folders) {
                Err(CommitError::Conflict { paths }) => changed.extend(paths),
                result => result?,
            }
        }
        if changed.is_empty() {
            Ok(())
        } else {
            Err(CommitError::Conflict { paths: changed })
        }
    }

    /// Every step from the journal's first line to the mark that all is in place.
    fn write(&mut self, id: &str, time: u64) -> Result<(), CommitError> {
        let missing = self.missing_folders()?;
        let record = Record {
            id: id.to_owned(),
            time,
            folders: missing.iter().map(|(path, _)| path.clone()).collect(),
            files: self.swaps.iter().map(Swap::record).collect(),
        };
        self.disk
            .begin(self.state, &record)
            .map_err(|source| CommitError::Journal { source })?;
        for (path, n) in missing {
            let made = make_folder(self.disk, &mut self.folders, &path)
                .map_err(|error| self.swaps[n].failed(Step::MakeFolder, error))?;
            if made {
                self.made.push(path);
            }
        }
        for swap in &mut self.swaps {
            swap.stage(self.disk, self.state, &mut self.folders)?;
        }
        self.mark(Phase::Staged)?;
        self.place()
    }

    /// Puts all staged files in place.
    pub(super) fn place(&mut self) -> Result<(), CommitError> {
        for swap in &mut self.swaps {
            swap.place(self.disk, &mut self.folders)?;
        }
        self.sync()?;
        self.mark(Phase::Placed)
    }

    /// Removes what is no longer needed once all is in place: the old files, and the folders that this empties.
    pub(super) fn finish(&mut self, id: &str) -> Receipt {
        let mut receipt = Receipt {
            id: id.to_owned(),
            ..Receipt::default()
        };
        for swap in &self.swaps {
            let warnings = swap.finish(self.disk, &mut self.folders);
            receipt.warnings.extend(warnings);
            receipt.written.push(swap.written());
        }
        for swap in self.swaps.iter().filter(|swap| swap.after.is_none()) {
            if remove_emptied(self.disk, &mut self.folders, swap.folder()).is_err() {
                let folder = swap.folder().to_owned();
                let warning = Warning::Leftover(swap.path.clone(), folder);
                receipt.warnings.push(warning);
            }
        }
        receipt
    }

    /// Takes every step back, the last one first. The journal stays if not all could be.
    pub(super) fn take_back(mut self, cause: CommitError) -> CommitError {
        let left = self.undo_steps();
        if left.is_empty() {
            // If the journal stays, the next start finds nothing to do.
            let _: io::Result<()> = self.disk.discard(self.state);
            cause
        } else {
            let cause = Box::new(cause);
            CommitError::Stuck { cause, left }
        }
    }

    /// Takes every step back, the last one first, and names the files for which that failed.
    pub(super) fn undo_steps(&mut self) -> Vec<RepoPath> {
        let mut left = Vec::new();
        for swap in self.swaps.iter_mut().rev() {
            if swap.take_back(self.disk, &mut self.folders).is_err() {
                left.push(swap.path.clone());
            }
        }
        for path in self.made.iter().rev() {
            // Another program may have put something into it, which then stays.
            let _: io::Result<()> = remove_folder(self.disk, &mut self.folders, path);
        }
        left
    }

    /// The folders that new files need and that are not there, outermost first, each with the first file in it.
    fn missing_folders(&mut self) -> Result<Vec<(PathBuf, usize)>, CommitError> {
        let mut missing: Vec<(PathBuf, usize)> = Vec::new();
        for (n, swap) in self.swaps.iter().enumerate() {
            if swap.before.is_some() || swap.after.is_none() {
                continue;
            }
            let first = missing.len();
            for path in swap.folder().ancestors() {
                match self.folders.get(path) {
                    Ok(_) => break,
                    Err(_) if missing.iter().any(|(known, _)| known == path) => break,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        missing.insert(first, (path.to_owned(), n));
                    }
                    Err(error) => return Err(swap.failed(Step::MakeFolder, error)),
                }
            }
        }
        Ok(missing)
    }

    fn mark(&self, phase: Phase) -> Result<(), CommitError> {
        self.disk
            .mark(self.state, phase)
            .map_err(|source| CommitError::Journal { source })
    }

    /// Writes the names in all folders through to the disk.
    fn sync(&mut self) -> Result<(), CommitError> {
        let mut done = BTreeSet::new();
        for swap in &self.swaps {
            let mut folder = Some(swap.folder());
            while let Some(path) = folder.filter(|path| done.insert(*path)) {
                self.folders
                    .get(path)
                    .and_then(|open| self.disk.sync(&open))
                    .map_err(|error| swap.failed(Step::Sync, error))?;
                // A folder that was made is a new name in the one above it.
                let made = self.made.iter().any(|made| made == path);
                folder = path.parent().filter(|_| made);
            }
        }
        Ok(())
    }
}

/// Makes a folder. Tells whether it was not there before.
fn make_folder(disk: &impl Disk, folders: &mut Folders<'_>, path: &Path) -> io::Result<bool> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(false);
    };
    let parent = folders.get(parent)?;
    match disk.make_folder(&parent, Path::new(name)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a folder and those above it as long as they are empty.
fn remove_emptied(disk: &impl Disk, folders: &mut Folders<'_>, path: &Path) -> io::Result<()> {
    for path in path.ancestors().filter(|path| path.file_name().is_some()) {
        match remove_folder(disk, folders, path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            result => result?,
        }
    }
    Ok(())
}

/// Removes a folder if it is empty; never the root.
fn remove_folder(disk: &impl Disk, folders: &mut Folders<'_>, path: &Path) -> io::Result<()> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => {
            let parent = folders.get(parent)?;
            disk.remove_folder(&parent, Path::new(name))
        }
        (None, _) | (_, None) => Err(io::ErrorKind::InvalidInput.into()),
    }
}
