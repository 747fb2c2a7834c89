//! What was written before: the contents by their hashes, and the journals of the commits that are done.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use super::journal::{self, Record};
use super::receipt::Written;
use super::root::Root;
use super::snapshot::ContentHash;
use super::state::{Durability, State, StateError, write_whole};

/// How long commits are kept.
const MOST_DAYS: u64 = 30;
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
    #[error("no commit is known as `{id}`")]
    Unknown {
        /// The name.
        id: String,
    },
    /// Nothing was written yet, or it is too long ago.
    #[error("no commit is known")]
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
            Self::Unknown { .. } => "`countersign log` names the commits that are known",
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
        let records = records(&self.state()?)?;
        Ok(records.into_iter().rev().map(Entry::from).collect())
    }

    /// A content that a commit found or wrote.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Lost`] if it is no longer kept.
    pub fn recall(&self, hash: ContentHash) -> Result<Vec<u8>, HistoryError> {
        match fs::read(self.state()?.object(hash)) {
            Ok(bytes) if ContentHash::of(&bytes) == hash => Ok(bytes),
            Ok(_) | Err(_) => Err(HistoryError::Lost { hash }),
        }
    }

    /// Forgets the commits that are too old or too many. The latest one stays.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] if the log cannot be read or shortened.
    pub fn prune(&self) -> Result<(), HistoryError> {
        let state = self.state()?;
        let mut records = records(&state)?;
        let oldest = SystemTime::now() - Duration::from_hours(24 * MOST_DAYS);
        let mut bytes = 0;
        let mut kept = BTreeSet::new();
        let mut is_latest = true;
        while let Some(record) = records.pop() {
            let new: Vec<_> = hashes(&record)
                .filter(|hash| !kept.contains(hash))
                .collect();
            bytes += new.iter().map(|&hash| size(&state, hash)).sum::<u64>();
            if is_latest || (began(&record) >= oldest && bytes <= MOST_BYTES) {
                kept.extend(new);
                is_latest = false;
            } else {
                records.push(record);
                break;
            }
        }
        for record in records {
            remove(state.log_folder().join(record.id))?;
        }
        for (path, name) in list(state.objects_folder())? {
            let hash = ContentHash::try_from(name);
            if !hash.is_ok_and(|hash| kept.contains(&hash)) {
                remove(path)?;
            }
        }
        Ok(())
    }
}

/// Keeps a content.
pub(super) fn keep(state: &State, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
    if size(state, hash) == bytes.len() as u64 && !bytes.is_empty() {
        return Ok(());
    }
    write_whole(&state.object(hash), bytes, Durability::Later)
}

/// The record of one commit, or of the latest.
pub(super) fn record(state: &State, id: Option<&str>) -> Result<Record, HistoryError> {
    let mut records = records(state)?;
    match id {
        None => records.pop().ok_or(HistoryError::Empty),
        Some(id) => records
            .into_iter()
            .find(|record| record.id == id)
            .ok_or_else(|| HistoryError::Unknown { id: id.to_owned() }),
    }
}

/// All records, the oldest first.
fn records(state: &State) -> Result<Vec<Record>, HistoryError> {
    let mut files = list(state.log_folder())?;
    files.sort();
    files
        .into_iter()
        .map(|(path, _)| {
            journal::read_record(&path).map_err(|source| HistoryError::Unreadable { path, source })
        })
        .collect()
}

fn list(folder: PathBuf) -> Result<Vec<(PathBuf, String)>, HistoryError> {
    let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    match entries {
        Ok(entries) => Ok(entries
            .into_iter()
            .map(|entry| (entry.path(), entry.file_name().display().to_string()))
            .collect()),
        Err(source) => Err(HistoryError::Unreadable {
            path: folder,
            source,
        }),
    }
}

fn remove(path: PathBuf) -> Result<(), HistoryError> {
    fs::remove_file(&path).map_err(|source| HistoryError::Unreadable { path, source })
}

fn size(state: &State, hash: ContentHash) -> u64 {
    fs::metadata(state.object(hash)).map_or(0, |meta| meta.len())
}

fn hashes(record: &Record) -> impl Iterator<Item = ContentHash> {
    let versions = record
        .files
        .iter()
        .flat_map(|file| [file.before, file.after]);
    versions.flatten().map(|version| version.hash)
}

fn began(record: &Record) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(record.time)
}

impl From<Record> for Entry {
    fn from(record: Record) -> Self {
        Self {
            time: began(&record),
            id: record.id,
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
