//! Writing a batch: all of it or nothing.
//!
//! Every new file is staged beside its target and written through to the disk before any file is changed. Then each takes
//! its place, and only when all are in place are the old files removed. A failure before that takes every step back.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::commit_error::{CommitError, Step};
use super::disk::{Disk, RealDisk};
use super::folder::Folders;
use super::plan::{FileWrite, plan};
use super::receipt::Receipt;
use super::root::Root;
use super::swap::Swap;

/// Writes a batch: all of it, or nothing.
///
/// # Errors
///
/// [`CommitError`] if a file is not as it was reviewed or a step failed; nothing is written then.
pub fn commit(root: &Root, writes: &[FileWrite<'_>]) -> Result<Receipt, CommitError> {
    commit_on(&RealDisk, root, writes)
}

/// Writes a batch by the steps of `disk`.
pub(super) fn commit_on(
    disk: &impl Disk,
    root: &Root,
    writes: &[FileWrite<'_>],
) -> Result<Receipt, CommitError> {
    let id = unique_id();
    let planned = plan(writes)?;
    let swaps = planned
        .into_values()
        .enumerate()
        .map(|(n, planned)| Swap::new(planned, &format!("{id}-{n}")))
        .collect();
    let mut transaction = Transaction {
        disk,
        root,
        folders: Folders::new(root.dir()),
        swaps,
        made: Vec::new(),
    };
    match transaction.write() {
        Ok(()) => Ok(transaction.finish()),
        Err(cause) => Err(transaction.take_back(cause)),
    }
}

/// A batch on its way to the disk.
struct Transaction<'a, D> {
    disk: &'a D,
    root: &'a Root,
    folders: Folders<'a>,
    swaps: Vec<Swap<'a>>,
    /// The folders that were made, outermost first.
    made: Vec<PathBuf>,
}

impl<D: Disk> Transaction<'_, D> {
    /// Every step up to the point where all is in place.
    fn write(&mut self) -> Result<(), CommitError> {
        self.check()?;
        self.make_folders()?;
        for swap in &mut self.swaps {
            swap.stage(self.disk, &mut self.folders)?;
        }
        for swap in &mut self.swaps {
            swap.place(self.disk, &mut self.folders)?;
        }
        self.sync()
    }

    /// Compares every file with what was reviewed, and names all that differ.
    fn check(&mut self) -> Result<(), CommitError> {
        let mut changed = Vec::new();
        for swap in &mut self.swaps {
            match swap.check(self.root, &mut self.folders) {
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

    /// Makes the folders that new files need.
    fn make_folders(&mut self) -> Result<(), CommitError> {
        for swap in self.swaps.iter().filter(|swap| swap.creates()) {
            let ways: Vec<&Path> = swap.folder().ancestors().collect();
            for path in ways.into_iter().rev() {
                let made = make_folder(self.disk, &mut self.folders, path)
                    .map_err(|error| swap.failed(Step::MakeFolder, error))?;
                if made {
                    self.made.push(path.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Writes the names in all folders through to the disk.
    fn sync(&mut self) -> Result<(), CommitError> {
        let mut done = BTreeSet::new();
        for swap in &self.swaps {
            // A folder that was made is a name in the one above it.
            let made = |path: &&Path| self.made.iter().any(|made| made == path);
            let mut folder = Some(swap.folder());
            while let Some(path) = folder.filter(|path| done.insert(*path)) {
                self.folders
                    .get(path)
                    .and_then(|open| self.disk.sync(&open))
                    .map_err(|error| swap.failed(Step::Sync, error))?;
                folder = Some(path).filter(made).and_then(Path::parent);
            }
        }
        Ok(())
    }

    /// Removes what is no longer needed once all is in place: the old files, and the folders that this empties.
    fn finish(mut self) -> Receipt {
        let mut receipt = Receipt::default();
        for swap in &self.swaps {
            let warnings = swap.finish(self.disk, &mut self.folders);
            receipt.warnings.extend(warnings);
            receipt.written.push(swap.written());
        }
        for swap in self.swaps.iter().filter(|swap| swap.removes()) {
            for path in swap.folder().ancestors() {
                if remove_folder(self.disk, &mut self.folders, path).is_err() {
                    break;
                }
            }
        }
        receipt
    }

    /// Takes every step back, the last one first.
    fn take_back(mut self, cause: CommitError) -> CommitError {
        let mut left = Vec::new();
        for swap in self.swaps.iter_mut().rev() {
            if swap.take_back(self.disk, &mut self.folders).is_err() {
                left.push(swap.snapshot().path.clone());
            }
        }
        for path in self.made.iter().rev() {
            // Another program may have put something into it, which then stays.
            let _: io::Result<()> = remove_folder(self.disk, &mut self.folders, path);
        }
        if left.is_empty() {
            cause
        } else {
            let cause = Box::new(cause);
            CommitError::Stuck { cause, left }
        }
    }
}

/// Makes a folder unless it is there. Tells whether it was made.
fn make_folder(disk: &impl Disk, folders: &mut Folders<'_>, path: &Path) -> io::Result<bool> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(false);
    };
    match folders.get(path) {
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (),
        Err(error) => return Err(error),
    }
    let parent = folders.get(parent)?;
    match disk.make_folder(&parent, Path::new(name)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
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

/// A name for one commit that no other has had.
fn unique_id() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::{SystemTime, UNIX_EPOCH};

    static COMMITS: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let count = COMMITS.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{count:x}", now.as_nanos(), std::process::id())
}
