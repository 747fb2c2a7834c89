//! Journal: the plan of a commit, written before it begins, so that the next start can finish it or take it back.
//!
//! The first line is the [`Record`], the second its seal; a mark is appended when every new file is staged, and another when all are in place.
//! A commit that ends well keeps its journal as the record of the history.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::batch_id::BatchId;
use super::pack;
use super::pack::PackPosition;
use super::seal;
use super::state_folder::StateFolder;
use super::whole_file::{put_aside, write_whole};
use crate::proposal::RepoPath;
use crate::store::folder::bounded_read::read_regular_text;
use crate::store::folder::snapshot::FileVersion;

/// The largest journal that is read, in bytes: more than the files of the largest batch need.
const MOST_BYTES: u64 = 1 << 30;

/// The front of the line with the seal.
const SEAL: &str = "seal ";

/// The whole plan of one commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct Record {
    /// The commit's name. The later one is the greater one.
    pub(in crate::store) id: BatchId,
    /// The batch that this one takes back, if it does nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::store) undoes: Option<BatchId>,
    /// When it began, in seconds since 1970.
    pub(in crate::store) time: u64,
    /// The folders it makes, outermost first.
    pub(in crate::store) folders: Vec<PathBuf>,
    pub(in crate::store) files: Vec<FileRecord>,
    /// The contents of the commit's pack.
    pub(in crate::store) contents: Vec<PackPosition>,
}

/// The plan for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct FileRecord {
    pub(in crate::store) path: RepoPath,
    pub(in crate::store) target: RepoPath,
    pub(in crate::store) before: Option<FileVersion>,
    /// The permissions of the old file.
    pub(in crate::store) mode: Option<u32>,
    pub(in crate::store) after: Option<FileVersion>,
    pub(in crate::store) way: ReplaceMethod,
}

/// Way in which a new file replaces an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) enum ReplaceMethod {
    /// It becomes the file of that name.
    Exchange,
    /// Its bytes are written into the old file, which has other names that must not fall behind. The spare name holds a
    /// copy of the old file.
    Overwrite,
}

/// Order in which changes of names get to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Order {
    /// They do, and those of the journal's folder with them.
    Kept,
    /// They must be waited for.
    Unknown,
}

/// Phase of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum Phase {
    /// New files are written beside their targets.
    Staging,
    /// All of them are written, and begin to take their places.
    Staged,
    /// All are in place.
    Placed,
}

impl Phase {
    fn mark(self) -> &'static str {
        match self {
            Self::Staging => "",
            Self::Staged => "staged",
            Self::Placed => "placed",
        }
    }
}

/// Returns a moment in seconds since 1970.
pub(in crate::store) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

/// Begins the journal of a commit. It is there in full or not at all.
pub(in crate::store) fn begin(state: &StateFolder, record: &Record) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    let seal = seal::seal(state, &line)?;
    line.push(b'\n');
    line.extend_from_slice(SEAL.as_bytes());
    line.extend_from_slice(seal.as_bytes());
    line.push(b'\n');
    write_whole(&state.journal(), &line)?;
    state.sync()
}

/// Notes that a commit has come to a phase.
pub(in crate::store) fn mark(state: &StateFolder, phase: Phase) -> io::Result<()> {
    let mut file = File::options().append(true).open(state.journal())?;
    file.write_all(format!("{}\n", phase.mark()).as_bytes())?;
    match phase {
        Phase::Staging | Phase::Staged => file.sync_all(),
        // If it is lost, the next start sees that all is in place. It must not get to the disk before the names do.
        Phase::Placed => Ok(()),
    }
}

/// Ends the journal of a commit that was taken back.
pub(in crate::store) fn discard(state: &StateFolder, id: BatchId) -> io::Result<()> {
    fs::remove_file(state.journal())?;
    pack::remove(state, id)?;
    state.sync()
}

/// Ends the journal of a commit that is done, and keeps it in the log.
pub(in crate::store) fn archive(state: &StateFolder, id: BatchId, order: Order) -> io::Result<()> {
    fs::rename(state.journal(), state.record(id))?;
    match order {
        Order::Kept => Ok(()),
        Order::Unknown => state.sync(),
    }
}

/// Origin of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum JournalOrigin {
    /// Its seal shows that a commit of this root wrote it, after all that it changes was allowed.
    Own,
    /// Anybody may have written it.
    Unproven,
}

/// Journal of an interrupted commit.
#[derive(Debug)]
pub(in crate::store) enum Interrupted {
    /// It can be read.
    Commit(Record, Phase, JournalOrigin),
    /// It is no journal that a commit has written, for this reason.
    Damaged(String),
}

/// Reads the journal that an interrupted commit has left; `None` if there is none.
pub(in crate::store) fn read(state: &StateFolder) -> io::Result<Option<Interrupted>> {
    // No commit makes a link, and one may lead anywhere.
    if state.journal().is_symlink() {
        let why = "it is a symbolic link".to_owned();
        return Ok(Some(Interrupted::Damaged(why)));
    }
    let text = match read_regular_text(&state.journal(), MOST_BYTES) {
        Ok(text) => text,
        Err(error) => {
            let is_damaged = matches!(
                error.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::InvalidData
                    | io::ErrorKind::FileTooLarge
                    | io::ErrorKind::IsADirectory
            );
            return if error.kind() == io::ErrorKind::NotFound {
                Ok(None)
            } else if is_damaged {
                Ok(Some(Interrupted::Damaged(error.to_string())))
            } else {
                Err(error)
            };
        }
    };
    let staged = text.lines().any(|line| line == Phase::Staged.mark());
    let placed = text.lines().any(|line| line == Phase::Placed.mark());
    let phase = match (staged, placed) {
        (_, true) => Phase::Placed,
        (true, false) => Phase::Staged,
        (false, false) => Phase::Staging,
    };
    Ok(Some(match parse_journal(&text) {
        Ok(record) => Interrupted::Commit(record, phase, origin(state, &text)),
        Err(error) => Interrupted::Damaged(error.to_string()),
    }))
}

/// Parses the record of a journal that is to be followed, of which every part must be understood.
fn parse_journal(text: &str) -> io::Result<Record> {
    let record = parse(text)?;
    let first = text.lines().next().unwrap_or_default();
    let whole: serde_json::Value = serde_json::from_str(first)?;
    if serde_json::to_value(&record)? == whole {
        Ok(record)
    } else {
        let text = "a part of it is not known to this version of countersign";
        Err(io::Error::new(io::ErrorKind::InvalidData, text))
    }
}

fn origin(state: &StateFolder, text: &str) -> JournalOrigin {
    let mut lines = text.lines();
    let record = lines.next().unwrap_or_default();
    let seal = lines.next().and_then(|line| line.strip_prefix(SEAL));
    if seal.is_some_and(|seal| seal::is_sealed(state, record.as_bytes(), seal)) {
        JournalOrigin::Own
    } else {
        JournalOrigin::Unproven
    }
}

/// Moves a journal that cannot be used out of the way, and returns its new name.
pub(in crate::store) fn set_aside(state: &StateFolder) -> io::Result<PathBuf> {
    let path = put_aside(&state.journal())?;
    state.sync()?;
    Ok(path)
}

/// Reads the record of a commit that is done.
pub(in crate::store) fn read_record(state: &StateFolder, id: BatchId) -> io::Result<Record> {
    let record = parse(&read_text(state, id)?)?;
    let wrong = |text| Err(io::Error::new(io::ErrorKind::InvalidData, text));
    if record.id != id {
        return wrong(format!("it is the record of {}", record.id));
    }
    if written_at(record.time).is_none() {
        return wrong(format!("it has the time {}", record.time));
    }
    Ok(record)
}

/// Returns the time that a record states in seconds since 1970; `None` for one that no clock shows.
pub(in crate::store) fn written_at(seconds: u64) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// Reads the journal of a commit that is done.
pub(in crate::store) fn read_text(state: &StateFolder, id: BatchId) -> io::Result<String> {
    read_regular_text(&state.record(id), MOST_BYTES)
}

fn parse(text: &str) -> io::Result<Record> {
    Ok(serde_json::from_str(
        text.lines().next().unwrap_or_default(),
    )?)
}
