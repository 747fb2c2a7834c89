//! What a start does about a commit that was interrupted: it is finished if every new file is there, else taken back.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::disk::Disk;
use super::folder::{Folders, is_missing};
use super::journal::{self, Phase};
use super::lock::{LockError, lock_commits};
use super::pack::Place;
use super::real_disk::RealDisk;
use super::root::Root;
use super::state::State;
use super::survey::Prospect;
use super::swap::{Progress, Swap};
use super::sync::Order;
use super::transaction::Transaction;
use crate::proposal::RepoPath;

/// What became of an interrupted commit.
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
}

/// Why an interrupted commit can neither be finished nor taken back.
#[derive(Debug, Error)]
pub enum RecoverError {
    /// Another commit is at work, or there is no place for locks and the journal.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal cannot be read or written.
    #[error("the journal `{}` cannot be used: {source}", path.display())]
    Journal {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be looked at.
    #[error("`{path}` cannot be looked at: {source}")]
    Unreadable {
        /// The file.
        path: RepoPath,
        /// What the system says.
        source: io::Error,
    },
    /// What stands beside a file for the commit cannot be removed.
    #[error("what was staged beside `{path}` cannot be removed: {source}")]
    Uncleared {
        /// The file.
        path: RepoPath,
        /// What the system says.
        source: io::Error,
    },
    /// Files can be brought neither to their new state nor to their old one.
    #[error("these could not be put back: {}", list(paths))]
    Stuck {
        /// The files.
        paths: Vec<RepoPath>,
    },
}

impl RecoverError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Lock(error) => error.hint(),
            Self::Journal { .. } => {
                "mend its permissions, or remove it if the files are as they should be"
            }
            Self::Unreadable { .. } | Self::Uncleared { .. } | Self::Stuck { .. } => {
                "check the permissions and room on the disk, and start again"
            }
        }
    }
}

/// Finishes or takes back a commit of this root that was interrupted. To be called before anything else.
///
/// # Errors
///
/// [`RecoverError`] if neither can be done; the journal stays then.
pub fn recover(root: &Root) -> Result<Recovery, RecoverError> {
    let state = root.state().map_err(LockError::State)?;
    match state.journal().try_exists() {
        Ok(true) => (),
        Ok(false) => return Ok(Recovery::Nothing),
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
pub(super) fn recover_locked(
    disk: &impl Disk,
    root: &Root,
    state: &State,
) -> Result<Recovery, RecoverError> {
    let journal = |source| {
        let path = state.journal();
        RecoverError::Journal { path, source }
    };
    let Some((record, phase)) = journal::read(state).map_err(journal)? else {
        return Ok(Recovery::Nothing);
    };
    let paths = record.files.iter().map(|file| file.path.clone()).collect();
    let id = record.id;
    let swaps = record
        .files
        .into_iter()
        .enumerate()
        .map(|(n, file)| Swap::resumed(file, &id, n))
        .collect();
    let mut transaction = Transaction {
        disk,
        state,
        folders: Folders::new(root.dir()),
        swaps,
        made: record.folders,
    };
    let prospects = match phase {
        Phase::Staging => transaction.assume_staging(),
        Phase::Staged => {
            let prospects = transaction.survey()?;
            let can_finish = prospects.iter().all(|prospect| prospect.can_finish());
            if can_finish && transaction.place().is_ok() {
                transaction.resume_moves(&id, &record.contents);
                transaction.finish(&id);
                transaction.clear_away(|_| true)?;
                disk.archive(state, &id, Order::Unknown).map_err(journal)?;
                return Ok(Recovery::Finished { paths });
            }
            prospects
        }
        Phase::Placed => {
            transaction.resume_moves(&id, &record.contents);
            transaction.clear_away(|_| true)?;
            transaction.finish(&id);
            disk.archive(state, &id, Order::Unknown).map_err(journal)?;
            return Ok(Recovery::Finished { paths });
        }
    };
    let stuck = transaction.undo_steps();
    if !stuck.is_empty() {
        return Err(RecoverError::Stuck { paths: stuck });
    }
    // Beside a file that was changed since it was placed the old one stays, for it is kept nowhere else.
    transaction.clear_away(|n| prospects[n] != Prospect::ChangedSince)?;
    disk.discard(state, &id).map_err(journal)?;
    let changed = prospects
        .into_iter()
        .zip(transaction.swaps)
        .filter(|(prospect, _)| prospect.is_changed())
        .map(|(_, swap)| swap.path)
        .collect();
    Ok(Recovery::TakenBack { paths, changed })
}

impl<D: Disk> Transaction<'_, D> {
    /// Notes that whatever stands beside the targets is a new file or a part of one, for nothing was placed yet.
    fn assume_staging(&mut self) -> Vec<Prospect> {
        for swap in &mut self.swaps {
            swap.progress = Progress::Staging;
        }
        vec![Prospect::Back; self.swaps.len()]
    }

    /// Notes again which old files are to be moved into the history.
    fn resume_moves(&mut self, id: &str, contents: &[Place]) {
        let folder = self.state.replaced(id);
        for number in contents.iter().filter_map(|place| place.file) {
            if let Some(swap) = self.swaps.get_mut(number) {
                swap.move_into(&folder);
            }
        }
    }

    fn survey(&mut self) -> Result<Vec<Prospect>, RecoverError> {
        let mut prospects = Vec::new();
        for swap in &mut self.swaps {
            let prospect = swap
                .survey(self.disk, &mut self.folders)
                .map_err(|source| RecoverError::Unreadable {
                    path: swap.path.clone(),
                    source,
                })?;
            prospects.push(prospect);
        }
        Ok(prospects)
    }

    /// Removes what stands beside the files of these positions.
    fn clear_away(&mut self, which: impl Fn(usize) -> bool) -> Result<(), RecoverError> {
        for (_, swap) in self.swaps.iter().enumerate().filter(|&(n, _)| which(n)) {
            swap.clear_away(self.disk, &mut self.folders)
                .map_err(|source| RecoverError::Uncleared {
                    path: swap.path.clone(),
                    source,
                })?;
        }
        Ok(())
    }
}

fn list(paths: &[RepoPath]) -> String {
    let names: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    names.join(", ")
}
