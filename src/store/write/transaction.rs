//! Steps of writing a batch: check, stage, place, finish, and take back. [`commit`](crate::store::commit()) runs them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::commit_error::{CommitError, CommitStep};
use super::directories::{make_folder, missing_folders, remove_emptied, remove_folder};
use super::disk::Disk;
use super::swap::{CheckedFile, Swap};
use crate::parallel;
use crate::proposal::RepoPath;
use crate::store::folder::folder_handle::OpenFolders;
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal;
use crate::store::state::journal::{Phase, Record};
use crate::store::state::pack;
use crate::store::state::pack::PackContent;
use crate::store::state::receipt::{Receipt, Warning};
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::root::Root;

/// A batch on its way to the disk.
pub(in crate::store) struct Transaction<'a, D> {
    pub(in crate::store) disk: &'a D,
    pub(in crate::store) state: &'a StateFolder,
    pub(in crate::store) folders: OpenFolders<'a>,
    pub(in crate::store) swaps: Vec<Swap<'a>>,
    /// The folders that are made for new files, in the order of their paths.
    pub(in crate::store) made: Vec<PathBuf>,
}

impl<D: Disk> Transaction<'_, D> {
    /// Compares every file with what was reviewed, but for bytes that are in memory. If any differs, all that do are named.
    pub(in crate::store) fn check(
        &mut self,
        root: &Root,
    ) -> Result<Vec<Option<CheckedFile>>, CommitError> {
        let own = || OpenFolders::new(root.dir());
        let left = self.swaps.iter().filter(|swap| swap.after.is_none());
        let left: BTreeSet<&Path> = left.map(|swap| swap.target.as_path()).collect();
        let checked = parallel::map_with(&self.swaps, own, |folders, swap| {
            swap.check(root, folders, &left)
        });
        drop(left);
        for (swap, checked) in self.swaps.iter_mut().zip(&checked) {
            if let Ok(Some(checked)) = checked {
                swap.take(checked);
            }
        }
        all_or_conflict(checked).map_err(|error| match (error, self.compare()) {
            (CommitError::Conflict { mut paths }, Err(CommitError::Conflict { paths: more })) => {
                paths.extend(more);
                CommitError::Conflict { paths }
            }
            (error, _) => error,
        })
    }

    /// Compares the bytes that are in memory with the files, and names all that differ.
    fn compare(&self) -> Result<(), CommitError> {
        let root = self.folders.root();
        let own = || OpenFolders::new(root);
        let compared = parallel::map_with(&self.swaps, own, |folders, swap| swap.compare(folders));
        all_or_conflict(compared).map(drop)
    }

    /// Begins the journal, and makes use of the time that the disk takes for that: nothing is begun in the tree before both
    /// are done.
    fn begin(&self, record: &Record) -> Result<(), CommitError> {
        let (disk, state) = (self.disk, self.state);
        let journal = || disk.begin(state, record);
        let (begun, compared) = if self.is_large() {
            parallel::both(journal, || self.compare())
        } else {
            (journal(), self.compare())
        };
        begun.map_err(|error| CommitError::journal(self.state, error))?;
        compared
    }

    /// Every step from the journal's first line to the mark that all is in place.
    pub(in crate::store) fn write(
        &mut self,
        id: BatchId,
        undoes: Option<BatchId>,
        time: SystemTime,
        checked: Vec<Option<CheckedFile>>,
    ) -> Result<(), CommitError> {
        let missing = missing_folders(&self.swaps, &mut self.folders)?;
        self.move_old_files(id);
        let record = Record {
            id,
            undoes,
            time: journal::seconds(time),
            folders: missing.keys().cloned().collect(),
            files: self.swaps.iter().map(Swap::record).collect(),
            contents: pack::places(contents(&self.swaps, &checked).map(|(_, content)| content)),
        };
        self.begin(&record)?;
        self.make_folders(missing)?;
        self.stage()?;
        self.save(id, &checked)?;
        drop(checked);
        self.mark(Phase::Staged)?;
        self.place()
    }

    /// Makes the folders that new files need.
    fn make_folders(&mut self, missing: BTreeMap<PathBuf, usize>) -> Result<(), CommitError> {
        for (path, n) in missing {
            let made = make_folder(self.disk, &mut self.folders, &path)
                .map_err(|error| self.swaps[n].failed(CommitStep::MakeFolder, error))?;
            if made {
                self.made.push(path);
            }
        }
        Ok(())
    }

    /// Writes all new files beside their targets.
    fn stage(&mut self) -> Result<(), CommitError> {
        let disk = self.disk;
        let folders = self.folders.root();
        let own = || OpenFolders::new(folders);
        let staged = parallel::map_mut_with(&mut self.swaps, own, |folders, swap| {
            swap.stage(disk, folders)
        });
        staged.into_iter().collect()
    }

    /// Writes the new files through to the disk, and keeps old and new contents for the history. The history comes last or, in
    /// a large batch, while the disk is waited for: nobody waits until the disk has that as well.
    fn save(&mut self, id: BatchId, checked: &[Option<CheckedFile>]) -> Result<(), CommitError> {
        let Some(root) = self.on_one_disk()? else {
            self.flush()?;
            return keep(self.disk, self.state, id, &self.swaps, checked);
        };
        let (disk, state, swaps) = (self.disk, self.state, self.swaps.as_slice());
        let keep = || keep(disk, state, id, swaps, checked);
        let (kept, flushed) = parallel::both(keep, || self.flush_all(&root));
        flushed.and(kept)
    }

    /// Puts all staged files in place.
    pub(in crate::store) fn place(&mut self) -> Result<(), CommitError> {
        for swap in &mut self.swaps {
            swap.place(self.disk, &mut self.folders)?;
        }
        self.sync()?;
        self.mark(Phase::Placed)
    }

    /// Does away with what is no longer needed once all is in place: the old files, and the folders that this empties.
    pub(in crate::store) fn finish(&mut self, id: BatchId) -> Receipt {
        let mut receipt = Receipt {
            id: id.to_string(),
            ..Receipt::default()
        };
        let (disk, root) = (self.disk, self.folders.root());
        let own = || OpenFolders::new(root);
        let warnings =
            parallel::map_with(&self.swaps, own, |folders, swap| swap.finish(disk, folders));
        receipt.warnings.extend(warnings.into_iter().flatten());
        receipt.written.extend(self.swaps.iter().map(Swap::written));
        for swap in self.swaps.iter().filter(|swap| swap.after.is_none()) {
            if remove_emptied(self.disk, &mut self.folders, swap.staging_folder()).is_err() {
                let folder = swap.staging_folder().to_owned();
                let warning = Warning::Leftover(swap.path.clone(), folder);
                receipt.warnings.push(warning);
            }
        }
        receipt
    }

    /// Takes every step back, the last one first. The journal stays if not all could be.
    pub(in crate::store) fn take_back(mut self, id: BatchId, cause: CommitError) -> CommitError {
        let left = self.undo_steps();
        if left.is_empty() {
            // If the journal stays, the next start finds nothing to do.
            let _: io::Result<()> = self.disk.discard(self.state, id);
            cause
        } else {
            let cause = Box::new(cause);
            CommitError::Stuck { cause, left }
        }
    }

    /// Takes every step back, the last one first, and names the files for which that failed.
    pub(in crate::store) fn undo_steps(&mut self) -> Vec<RepoPath> {
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

    fn mark(&self, phase: Phase) -> Result<(), CommitError> {
        self.disk
            .mark(self.state, phase)
            .map_err(|error| CommitError::journal(self.state, error))
    }
}

/// All that was found; or all conflicts as one, unless there is another error.
fn all_or_conflict<T>(found: Vec<Result<T, CommitError>>) -> Result<Vec<T>, CommitError> {
    let mut all = Vec::with_capacity(found.len());
    let mut changed = Vec::new();
    for found in found {
        match found {
            Err(CommitError::Conflict { paths }) => changed.extend(paths),
            found => all.push(found?),
        }
    }
    if changed.is_empty() {
        Ok(all)
    } else {
        Err(CommitError::Conflict { paths: changed })
    }
}

/// Keeps the old and the new contents for the history.
fn keep(
    disk: &impl Disk,
    state: &StateFolder,
    id: BatchId,
    swaps: &[Swap<'_>],
    checked: &[Option<CheckedFile>],
) -> Result<(), CommitError> {
    let journal = |error| CommitError::journal(state, error);
    let mut pack = disk.pack(state, id).map_err(journal)?;
    for (swap, content) in contents(swaps, checked) {
        disk.keep(&mut pack, &content)
            .map_err(|error| swap.failed(CommitStep::Keep, error))?;
    }
    pack.finish().map_err(journal)
}

/// All that the history keeps, file by file.
fn contents<'c>(
    swaps: &'c [Swap<'_>],
    checked: &'c [Option<CheckedFile>],
) -> impl Iterator<Item = (&'c Swap<'c>, PackContent<'c>)> {
    let files = swaps.iter().zip(checked);
    files.flat_map(|(swap, checked)| {
        let contents = swap.contents(checked.as_ref());
        contents.map(move |content| (swap, content))
    })
}
