//! What was written before: the journals of the commits that are done, each with its pack of contents.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use super::journal::{self, Record};
use super::pack;
use super::receipt::Written;
use super::root::Root;
use super::snapshot::ContentHash;
use super::state::{State, StateError};

/// How long a commit is kept.
const MOST_AGE: Duration = Duration::from_hours(30 * 24);
/// How many commits are kept.
const MOST_COMMITS: usize = 1000;
/// How many bytes of contents are kept.
const MOST_BYTES: u64 = 256 << 20;

/// A commit that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The commit's name, for `undo`.
    pub id: String,
    /// When it was written.
    pub time: SystemTime,
    /// What it did to each file.
    pub files: Vec<Written>,
}

/// Why the history cannot be used.
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
        /// What the system says.
        source: io::Error,
    },
    /// No commit has this name.
    #[error("no batch is known as `{id}`")]
    Unknown {
        /// The name.
        id: String,
    },
    /// Nothing was written yet, or it is too long ago.
    #[error("nothing is known to have been written in this folder")]
    Empty,
    /// A content is no longer there.
    #[error("the content {hash} is no longer kept")]
    Lost {
        /// Its hash.
        hash: ContentHash,
    },
}

impl HistoryError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::State(error) => error.hint(),
            Self::Unreadable { .. } => "check its permissions",
            Self::Unknown { .. } => "`countersign log` names the batches that are known",
            Self::Empty | Self::Lost { .. } => {
                "commits are kept for 30 days, and up to 256 MB; look into git's history"
            }
        }
    }
}

impl Root {
    /// The commits that were written in this root, the latest first.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] if the log cannot be read.
    pub fn log(&self) -> Result<Vec<Entry>, HistoryError> {
        let state = self.state()?;
        let records = latest_first(&state)?.map(|id| read_record(&state, &id));
        records.map(|record| record.map(Entry::from)).collect()
    }
}

/// The record of one commit, or of the latest.
pub(super) fn record(state: &State, id: Option<&str>) -> Result<Record, HistoryError> {
    let mut known = latest_first(state)?;
    match id {
        None => read_record(state, &known.next().ok_or(HistoryError::Empty)?),
        Some(id) if known.any(|known| known == id) => read_record(state, id),
        Some(id) => Err(HistoryError::Unknown { id: id.to_owned() }),
    }
}

/// The records of the commits that are kept, the latest first, up to one that cannot be read.
pub(super) fn latest_records(state: &State) -> impl Iterator<Item = Record> {
    let ids = latest_first(state).into_iter().flatten();
    ids.map_while(|id| read_record(state, &id).ok())
}

/// The journals of the commits that are kept, the latest first, up to one that cannot be read.
pub(super) fn latest_journals(state: &State) -> impl Iterator<Item = String> {
    let ids = latest_first(state).into_iter().flatten();
    ids.map_while(|id| fs::read_to_string(state.log_folder().join(id)).ok())
}

/// A content from the pack of one commit.
pub(super) fn content(state: &State, record: &Record, hash: ContentHash) -> Option<Vec<u8>> {
    pack::read(state, &record.id, &record.contents, hash)
        .ok()
        .flatten()
}

/// Forgets the commits that are too old or too many. The latest one stays.
///
/// To be called by one who has the lock and no journal.
pub(super) fn prune(state: &State) -> Result<(), HistoryError> {
    let oldest = journal::id_at(SystemTime::now() - MOST_AGE);
    let mut kept = BTreeSet::new();
    let mut bytes = 0;
    for id in latest_first(state)? {
        bytes += fs::metadata(state.pack(&id)).map_or(0, |meta| meta.len());
        let fits = kept.len() < MOST_COMMITS && bytes <= MOST_BYTES && id >= oldest;
        if fits || kept.is_empty() {
            kept.insert(id);
        } else {
            let path = state.log_folder().join(id);
            fs::remove_file(&path).map_err(|source| HistoryError::Unreadable { path, source })?;
        }
    }
    for id in names(state.packs_folder())? {
        if !kept.contains(&id) {
            pack::remove(state, &id).map_err(|source| HistoryError::Unreadable {
                path: state.pack(&id),
                source,
            })?;
        }
    }
    Ok(())
}

/// The names of all commits, the latest first.
fn latest_first(state: &State) -> Result<impl Iterator<Item = String>, HistoryError> {
    let mut ids = names(state.log_folder())?;
    ids.sort_unstable();
    Ok(ids.into_iter().rev())
}

fn read_record(state: &State, id: &str) -> Result<Record, HistoryError> {
    let path = state.log_folder().join(id);
    journal::read_record(&path).map_err(|source| HistoryError::Unreadable { path, source })
}

fn names(folder: PathBuf) -> Result<Vec<String>, HistoryError> {
    let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    match entries {
        Ok(entries) => Ok(entries
            .into_iter()
            .map(|entry| entry.file_name().display().to_string())
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(HistoryError::Unreadable {
            path: folder,
            source,
        }),
    }
}

impl From<Record> for Entry {
    fn from(record: Record) -> Self {
        Self {
            id: record.id,
            time: UNIX_EPOCH + Duration::from_secs(record.time),
            files: record
                .files
                .into_iter()
                .map(|file| Written {
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

    #[test]
    fn old_commits_are_forgotten_but_not_the_latest() {
        let temp = tempfile::tempdir().unwrap();
        let state = State::of(temp.path(), "/root".as_ref()).make().unwrap();
        let day = Duration::from_hours(24);
        let now = SystemTime::now();
        let commit = |days| {
            let id = journal::id_at(now - day * days);
            fs::write(state.log_folder().join(&id), "").unwrap();
            fs::write(state.pack(&id), "").unwrap();
            id
        };
        let ids = [commit(90), commit(40), commit(1), commit(0)];
        fs::write(state.pack("of-no-commit"), "").unwrap();
        let left = |folder| {
            let mut names = names(folder).unwrap();
            names.sort();
            names
        };

        prune(&state).unwrap();
        assert_eq!(left(state.log_folder()), ids[2..]);
        assert_eq!(left(state.packs_folder()), ids[2..]);

        let large = fs::File::create(state.pack(&ids[3])).unwrap();
        large.set_len(MOST_BYTES + 1).unwrap();
        prune(&state).unwrap();
        assert_eq!(left(state.log_folder()), ids[3..]);
        assert_eq!(left(state.packs_folder()), ids[3..]);
    }
}
