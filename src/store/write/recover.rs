//! Recovery of an interrupted commit: it is finished if every new file is there, else taken back.

use std::collections::BTreeSet;
use std::io;
use std::iter::successors;
use std::path::PathBuf;

use super::disk::Disk;
use super::real_disk::RealDisk;
use super::recover_error::RecoverError;
use super::recovery_scan::RecoveryOption;
use super::swap::{Swap, SwapProgress, stage_outside};
use super::transaction::Transaction;
use crate::proposal::RepoPath;
use crate::store::folder::folder_handle::{OpenFolders, is_missing};
use crate::store::folder::snapshot::{FileVersion, VersionKind};
use crate::store::records::history::latest_id;
use crate::store::rules::guard::Forbidden;
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal;
use crate::store::state::journal::{Interrupted, JournalOrigin, Order, Phase, Record};
use crate::store::state::pack::PackPosition;
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::lock::{LockError, lock_commits};
use crate::store::tree::root::Root;

/// Outcome of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// No commit was interrupted.
    Nothing,
    /// It was finished: all is new.
    Finished {
        /// The files it wrote.
        paths: Vec<RepoPath>,
    },
    /// It was taken back: all is old.
    TakenBack {
        /// The files it would have written.
        paths: Vec<RepoPath>,
        /// Those of them that another program has changed since, which were left alone.
        changed: Vec<RepoPath>,
    },
    /// Its journal is damaged, or leads where no commit may write. Nothing was changed, and the journal was set aside.
    SetAside {
        /// The new path of the journal.
        journal: PathBuf,
        /// The problem.
        why: String,
    },
}

/// Finishes or takes back a commit of this root that was interrupted. To be called before anything else.
///
/// # Errors
///
/// [`RecoverError`] if neither can be done; the journal stays then.
pub fn recover(root: &Root) -> Result<Recovery, RecoverError> {
    let state = root.state().map_err(LockError::State)?;
    match state.journal().symlink_metadata() {
        Ok(_) => (),
        // Where no file can be there is no journal.
        Err(error) if is_missing(&error) => return Ok(Recovery::Nothing),
        Err(source) => {
            let path = state.journal();
            return Err(RecoverError::Journal { path, source });
        }
    }
    // The journal may be that of a commit that is at work just now; then there is none when the lock is free.
    let _lock = lock_commits(&state)?;
    recover_locked(&RealDisk, root, &state)
}

/// The same for one who has the lock.
pub(in crate::store) fn recover_locked(
    disk: &impl Disk,
    root: &Root,
    state: &StateFolder,
) -> Result<Recovery, RecoverError> {
    let journal = |source| {
        let path = state.journal();
        RecoverError::Journal { path, source }
    };
    let set_aside = |why| {
        let journal = journal::set_aside(state).map_err(journal)?;
        Ok(Recovery::SetAside { journal, why })
    };
    let (record, phase, origin) = match journal::read(state).map_err(journal)? {
        None => return Ok(Recovery::Nothing),
        Some(Interrupted::Damaged(why)) => return set_aside(why),
        Some(Interrupted::Commit(record, phase, origin)) => (record, phase, origin),
    };
    // A commit gets a name after all that are done, and the next one begins when it has ended.
    if latest_id(state).is_some_and(|latest| record.id <= latest) {
        return set_aside(format!(
            "it is of batch {}, and a later one is done",
            record.id
        ));
    }
    let checked = match origin {
        JournalOrigin::Own => check_own(root, &record),
        JournalOrigin::Unproven => check_unproven(root, &record),
    };
    if let Err(distrust) = checked {
        return match distrust {
            Distrust::Forbidden(why) => set_aside(why),
            Distrust::Unreadable(path, source) => Err(RecoverError::Unreadable {
                path,
                source,
                journal: state.journal(),
            }),
        };
    }
    let paths = record.files.iter().map(|file| file.path.clone()).collect();
    let id = record.id;
    let mut swaps: Vec<Swap<'_>> = (record.files.into_iter().enumerate())
        .map(|(n, file)| Swap::resumed(file, id, n))
        .collect();
    stage_outside(&mut swaps);
    let mut transaction = Transaction {
        disk,
        state,
        folders: OpenFolders::new(root.dir()),
        swaps,
        made: record.folders,
    };
    let prospects = match phase {
        Phase::Staging => transaction.assume_staging(),
        Phase::Staged => {
            let prospects = transaction.scan()?;
            let can_finish = prospects.iter().all(|prospect| prospect.can_finish());
            if can_finish && transaction.place().is_ok() {
                transaction.resume_moves(id, &record.contents);
                transaction.finish(id);
                transaction.clear_away(|_| true)?;
                disk.archive(state, id, Order::Unknown).map_err(journal)?;
                return Ok(Recovery::Finished { paths });
            }
            prospects
        }
        Phase::Placed => {
            transaction.resume_moves(id, &record.contents);
            transaction.clear_away(|_| true)?;
            transaction.finish(id);
            disk.archive(state, id, Order::Unknown).map_err(journal)?;
            return Ok(Recovery::Finished { paths });
        }
    };
    let stuck = transaction.undo_steps();
    if !stuck.is_empty() {
        return Err(RecoverError::Stuck {
            paths: stuck,
            journal: state.journal(),
        });
    }
    // Beside a file that was changed since it was placed the old one stays, for it is kept nowhere else.
    transaction.clear_away(|n| prospects[n] != RecoveryOption::ChangedSince)?;
    disk.discard(state, id).map_err(journal)?;
    let changed = prospects
        .into_iter()
        .zip(transaction.swaps)
        .filter(|(prospect, _)| prospect.is_changed())
        .map(|(_, swap)| swap.path)
        .collect();
    Ok(Recovery::TakenBack { paths, changed })
}

/// Reason why a journal is not followed.
enum Distrust {
    /// It leads where no commit may write.
    Forbidden(String),
    /// It cannot be found out where this file is.
    Unreadable(RepoPath, io::Error),
}

impl From<Forbidden> for Distrust {
    fn from(error: Forbidden) -> Self {
        if let Forbidden::Unreadable { path, source } = error {
            Self::Unreadable(path, source)
        } else {
            Self::Forbidden(error.to_string())
        }
    }
}

/// Returns the folders that a commit makes, if they have names of folders.
fn made_folders(record: &Record) -> Result<Vec<RepoPath>, Distrust> {
    let folders = record.folders.iter().map(|folder| {
        let parsed = RepoPath::parse(&folder.to_string_lossy())
            .map_err(|error| Distrust::Forbidden(error.to_string()))?;
        if parsed.as_path() == folder {
            return Ok(parsed);
        }
        let why = format!("`{}` is not the path of a folder", folder.display());
        Err(Distrust::Forbidden(why))
    });
    folders.collect()
}

/// Checks that a journal which anybody may have written changes nothing but what a batch may change without a person.
fn check_unproven(root: &Root, record: &Record) -> Result<(), Distrust> {
    let mut folders = OpenFolders::new(root.dir());
    let made = made_folders(record)?;
    let files = (record.files.iter()).flat_map(|file| [&file.path, &file.target]);
    for path in made.iter().chain(files) {
        (root.check_unattended(&mut folders, path))
            .map_err(|error| Distrust::Forbidden(error.to_string()))?;
    }
    Ok(())
}

/// Checks that the journal of a commit still leads where a commit may write. Ignore files and protection were asked before the commit
/// began, and a person may have allowed it; they may have changed since, by the commit itself.
fn check_own(root: &Root, record: &Record) -> Result<(), Distrust> {
    let mut folders = OpenFolders::new(root.dir());
    for folder in made_folders(record)? {
        root.check_name(&folder, &folder)?;
    }
    let unsteady: BTreeSet<&RepoPath> = (record.files.iter())
        .filter(|file| is_folder(file.before) != is_folder(file.after))
        .map(|file| &file.target)
        .collect();
    for file in &record.files {
        for name in [&file.path, &file.target] {
            root.check_name(name, name)?;
        }
        // The way to it is made, or was removed, by the commit itself, and is walked without following links.
        let mut above = successors(file.target.parent(), RepoPath::parent);
        if above.any(|above| unsteady.contains(&above)) {
            continue;
        }
        // A folder of an honest journal may be a link for now, so the journal stays until the file can be reached again.
        let elsewhere =
            |why: String| Distrust::Unreadable(file.path.clone(), io::Error::other(why));
        let target = root
            .admit_entry_for_a_person(&mut folders, &file.target)
            .map_err(|error| elsewhere(error.to_string()))?;
        if target != file.target {
            return Err(elsewhere(format!("`{}` goes through a link", file.target)));
        }
    }
    Ok(())
}

fn is_folder(version: Option<FileVersion>) -> bool {
    version.is_some_and(|version| version.kind == VersionKind::Folder)
}

impl<D: Disk> Transaction<'_, D> {
    /// Notes that any copy beside the targets is a new file or a part of one, for nothing was placed yet.
    fn assume_staging(&mut self) -> Vec<RecoveryOption> {
        for swap in &mut self.swaps {
            swap.progress = SwapProgress::Staging;
        }
        vec![RecoveryOption::Back; self.swaps.len()]
    }

    /// Notes again which old files are to be moved into the history.
    fn resume_moves(&mut self, id: BatchId, contents: &[PackPosition]) {
        let folder = self.state.replaced(id);
        for number in contents.iter().filter_map(|place| place.file) {
            if let Some(swap) = self.swaps.get_mut(number) {
                swap.move_into(&folder);
            }
        }
    }

    fn scan(&mut self) -> Result<Vec<RecoveryOption>, RecoverError> {
        let mut prospects = Vec::new();
        for swap in &mut self.swaps {
            let prospect = swap.scan(self.disk, &mut self.folders).map_err(|source| {
                RecoverError::Unreadable {
                    path: swap.path.clone(),
                    source,
                    journal: self.state.journal(),
                }
            })?;
            prospects.push(prospect);
        }
        Ok(prospects)
    }

    /// Removes the copies beside the files of these positions.
    fn clear_away(&mut self, which: impl Fn(usize) -> bool) -> Result<(), RecoverError> {
        for (_, swap) in self.swaps.iter().enumerate().filter(|&(n, _)| which(n)) {
            swap.clear_away(self.disk, &mut self.folders)
                .map_err(|source| RecoverError::Uncleared {
                    path: swap.path.clone(),
                    source,
                    journal: self.state.journal(),
                })?;
        }
        Ok(())
    }
}
