//! History: the journals of the commits that are done, each with its pack of contents.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::store::folder::snapshot::ContentHash;
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal;
use crate::store::state::journal::Record;
use crate::store::state::pack;
use crate::store::state::receipt::WrittenHashes;
use crate::store::state::state_folder::{StateError, StateFolder};
use crate::store::tree::root::Root;

/// Longest time for which a commit is kept that is not among the latest.
const MOST_AGE: Duration = Duration::from_hours(30 * 24);
/// Number of the latest commits that are kept whatever their age.
pub(in crate::store) const LEAST_COMMITS: usize = 100;
/// The most commits that are kept.
const MOST_COMMITS: usize = 1000;
/// The most bytes of contents that are kept.
const MOST_BYTES: u64 = 256 << 20;

/// A commit that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The commit's name, for `undo`.
    pub id: String,
    /// When it was written.
    pub time: SystemTime,
    /// The old and new hash of each file.
    pub files: Vec<WrittenHashes>,
}

/// The commits that were written in a root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryLog {
    /// The commits, the latest first.
    pub entries: Vec<HistoryEntry>,
    /// The names of those whose records are damaged, the latest first.
    pub damaged: Vec<String>,
}

/// Reason why the history cannot be used.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// There is no place for it.
    #[error(transparent)]
    State(#[from] StateError),
    /// A part of it cannot be read.
    #[error("`{}` cannot be read: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// No commit has this name.
    #[error("there is no batch `{id}`")]
    Unknown {
        /// The name.
        id: String,
    },
    /// Nothing was written yet, or it is too long ago.
    #[error("no batch was written in this folder")]
    Empty,
    /// Every batch that is kept was taken back.
    #[error("every batch that is kept was taken back already")]
    AllUndone,
    /// No batch can be taken back, and the records of some are damaged.
    #[error(
        "no batch can be taken back: {} damaged, and any other that is kept was taken back already",
        records(ids)
    )]
    Damaged {
        /// Their names, the latest first.
        ids: Vec<String>,
    },
    /// A content is no longer there.
    #[error("the content {hash} is no longer kept")]
    Lost {
        /// Its hash.
        hash: ContentHash,
    },
}

impl HistoryError {
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::State(error) => error.hint(),
            Self::Unreadable { .. } => "check its permissions",
            Self::Damaged { .. } => {
                "look into git's history for what the files were; the state folder was changed by another program or a failing disk"
            }
            Self::Unknown { .. } => "`countersign log` names the batches that are known",
            Self::AllUndone => {
                "`countersign undo ID` with the name of an undo does its batch again"
            }
            Self::Empty | Self::Lost { .. } => {
                "the latest 100 batches are kept, others for 30 days, up to 256 MB in all; look into git's history"
            }
        }
    }
}

impl Root {
    /// Lists the commits that were written in this root, the latest first.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] if the folder of the log cannot be read.
    pub fn log(&self) -> Result<HistoryLog, HistoryError> {
        let state = self.state()?;
        let mut log = HistoryLog::default();
        for id in latest_first(&state)? {
            match journal::read_record(&state, id) {
                Ok(record) => log.entries.push(HistoryEntry::from(record)),
                Err(_) => log.damaged.push(id.to_string()),
            }
        }
        Ok(log)
    }
}

/// Returns the record of one commit.
pub(in crate::store) fn record(state: &StateFolder, id: &str) -> Result<Record, HistoryError> {
    let unknown = || HistoryError::Unknown { id: id.to_owned() };
    let id: BatchId = id.parse().map_err(|_| unknown())?;
    if !latest_first(state)?.any(|known| known == id) {
        return Err(unknown());
    }
    journal::read_record(state, id).map_err(|source| HistoryError::Unreadable {
        path: state.record(id),
        source,
    })
}

/// Returns the latest commit that was not taken back and did not itself take one back, and the damaged records that were
/// passed over.
pub(in crate::store) fn latest_open(
    state: &StateFolder,
) -> Result<(Record, Vec<BatchId>), HistoryError> {
    let mut damaged = Vec::new();
    let mut undone = FxHashSet::default();
    let mut is_empty = true;
    for id in latest_first(state)? {
        is_empty = false;
        let Ok(record) = journal::read_record(state, id) else {
            damaged.push(id);
            continue;
        };
        // What an undo that was itself undone had taken back is in place again.
        if undone.contains(&id) {
            continue;
        }
        match record.undoes {
            None => return Ok((record, damaged)),
            Some(other) => undone.insert(other),
        };
    }
    Err(if is_empty {
        HistoryError::Empty
    } else if damaged.is_empty() {
        HistoryError::AllUndone
    } else {
        let ids = damaged.iter().map(ToString::to_string).collect();
        HistoryError::Damaged { ids }
    })
}

/// Names damaged records.
fn records(ids: &[String]) -> String {
    let names: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    match names.as_slice() {
        [name] => format!("the record of {name} is"),
        _ => format!("the records of {} are", names.join(", ")),
    }
}

/// Returns the records of the commits that are kept, the latest first, up to one that cannot be read.
pub(in crate::store) fn latest_records(state: &StateFolder) -> impl Iterator<Item = Record> {
    let ids = latest_first(state).into_iter().flatten();
    ids.map_while(|id| journal::read_record(state, id).ok())
}

/// Returns a content from the pack of one commit.
pub(in crate::store) fn content(
    state: &StateFolder,
    record: &Record,
    hash: ContentHash,
) -> Option<Vec<u8>> {
    pack::read(state, record.id, &record.contents, hash)
        .ok()
        .flatten()
}

/// Returns the name of the latest commit that is done.
pub(in crate::store) fn latest_id(state: &StateFolder) -> Option<BatchId> {
    latest_first(state).ok()?.next()
}

/// Returns a name for a batch that begins now: greater than all that are taken, whatever the clock shows.
pub(in crate::store) fn next_id(state: &StateFolder, now: SystemTime) -> BatchId {
    let folders = [
        state.log_folder(),
        state.finished_folder(),
        state.rejections_folder(),
    ];
    let last = folders.iter().filter_map(|folder| ids(folder).ok());
    BatchId::at(now, last.flatten().max())
}

/// Forgets the commits that are too many, and those that are old but for the latest. They alone are kept by their number:
/// a clock that is wrong once would make all of them old.
///
/// To be called by one who has the lock and no journal.
pub(in crate::store) fn prune(state: &StateFolder) -> Result<(), HistoryError> {
    let oldest = BatchId::before(SystemTime::now(), MOST_AGE);
    let mut kept = BTreeSet::new();
    let mut bytes = 0;
    for id in latest_first(state)? {
        bytes += fs::metadata(state.pack(id)).map_or(0, |meta| meta.len());
        let is_recent = kept.len() < LEAST_COMMITS || id >= oldest;
        let fits = kept.len() < MOST_COMMITS && bytes <= MOST_BYTES && is_recent;
        if fits || kept.is_empty() {
            kept.insert(id);
        } else {
            let path = state.record(id);
            fs::remove_file(&path).map_err(|source| HistoryError::Unreadable { path, source })?;
        }
    }
    for id in ids(&state.packs_folder())? {
        if !kept.contains(&id) {
            pack::remove(state, id).map_err(|source| HistoryError::Unreadable {
                path: state.pack(id),
                source,
            })?;
        }
    }
    Ok(())
}

/// Returns the names of all commits, the latest first.
fn latest_first(state: &StateFolder) -> Result<impl Iterator<Item = BatchId>, HistoryError> {
    let mut ids = ids(&state.log_folder())?;
    ids.sort_unstable();
    Ok(ids.into_iter().rev())
}

/// Returns the files of a folder that have the name of a batch.
fn ids(folder: &Path) -> Result<Vec<BatchId>, HistoryError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    match entries {
        Ok(entries) => Ok(entries
            .into_iter()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(HistoryError::Unreadable {
            path: folder.to_owned(),
            source,
        }),
    }
}

impl From<Record> for HistoryEntry {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.to_string(),
            time: journal::written_at(record.time).unwrap_or(UNIX_EPOCH),
            files: record
                .files
                .into_iter()
                .map(|file| WrittenHashes {
                    path: file.path,
                    before: file.before.map(|version| version.hash),
                    after: file.after.map(|version| version.hash),
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(folder: &Path) -> StateFolder {
        StateFolder::of(folder, "/root".as_ref()).make().unwrap()
    }

    fn sorted(folder: &Path) -> Vec<BatchId> {
        let mut ids = ids(folder).unwrap();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn old_commits_are_forgotten_but_not_the_latest() {
        let temp = tempfile::tempdir().unwrap();
        let state = state(temp.path());
        let day = Duration::from_hours(24);
        let now = SystemTime::now();
        let commit = |age| {
            let id = BatchId::before(now, age);
            fs::write(state.record(id), "").unwrap();
            fs::write(state.pack(id), "").unwrap();
            id
        };
        let hour = Duration::from_hours(1);
        let count = u32::try_from(LEAST_COMMITS).unwrap();
        let old: Vec<BatchId> = (0..count)
            .rev()
            .map(|n| commit(40 * day + n * hour))
            .collect();
        prune(&state).unwrap();
        assert_eq!(
            sorted(&state.log_folder()),
            old,
            "the latest stay, however old"
        );

        let ids = [commit(90 * day), commit(day), commit(Duration::ZERO)];
        fs::write(state.pack(BatchId::before(now, 2 * hour)), "").unwrap();
        prune(&state).unwrap();
        let expected: Vec<BatchId> = old[2..].iter().chain(&ids[1..]).copied().collect();
        assert_eq!(sorted(&state.log_folder()), expected);
        assert_eq!(sorted(&state.packs_folder()), expected);

        let large = fs::File::create(state.pack(ids[2])).unwrap();
        large.set_len(MOST_BYTES + 1).unwrap();
        prune(&state).unwrap();
        assert_eq!(sorted(&state.log_folder()), ids[2..]);
        assert_eq!(sorted(&state.packs_folder()), ids[2..]);
    }

    #[test]
    fn the_batch_to_take_back_is_the_latest_that_is_in_place() {
        let temp = tempfile::tempdir().unwrap();
        let state = state(temp.path());
        let id = |n: u32| format!("{n:016x}");
        let write = |n: u32, undoes: Option<u32>| {
            let undoes = undoes.map_or_else(String::new, |n| format!(r#""undoes":"{}","#, id(n)));
            let record = format!(
                r#"{{"id":"{}",{undoes}"time":1,"folders":[],"files":[],"contents":[]}}"#,
                id(n)
            );
            fs::write(state.log_folder().join(id(n)), record).unwrap();
        };
        let check = |expected: Result<u32, &str>| {
            let found = latest_open(&state)
                .map(|(record, _)| record.id.to_string())
                .map_err(|error| error.to_string());
            assert_eq!(found, expected.map(id).map_err(str::to_owned));
        };
        check(Err("no batch was written in this folder"));
        write(1, None);
        write(2, None);
        check(Ok(2));
        write(3, Some(2));
        check(Ok(1));
        write(4, Some(1));
        check(Err("every batch that is kept was taken back already"));
        // An undo that is undone puts its batch in place again.
        write(5, Some(3));
        check(Ok(2));
        write(6, Some(2));
        check(Err("every batch that is kept was taken back already"));
        write(7, None);
        check(Ok(7));
        fs::write(state.log_folder().join(id(8)), "{").unwrap();
        fs::write(state.log_folder().join("not-a-batch"), "{").unwrap();
        check(Ok(7));
        assert_eq!(latest_open(&state).unwrap().1, [id(8).parse().unwrap()]);
        write(9, Some(7));
        let found = latest_open(&state).unwrap_err().to_string();
        let named = format!("the record of `{}` is damaged", id(8));
        assert!(found.contains(&named), "{found}");
    }
}
