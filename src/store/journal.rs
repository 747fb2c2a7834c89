//! What a commit is about to do, written down before it begins, so that the next start can finish it or take it back.
//!
//! The first line is the [`Record`]; a mark is appended when every new file is staged, and another when all are in place.
//! A commit that ends well keeps its journal as the record of the history.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::pack::{self, Place};
use super::snapshot::{ContentHash, Version};
use super::state::State;
use super::swap::Way;
use super::sync::Order;
use crate::proposal::RepoPath;

/// The whole plan of one commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The commit's name. The later one is the greater one.
    pub(super) id: String,
    /// When it began, in seconds since 1970.
    pub(super) time: u64,
    /// The folders it makes, outermost first.
    pub(super) folders: Vec<PathBuf>,
    pub(super) files: Vec<FileRecord>,
    /// What the commit's pack holds.
    pub(super) contents: Vec<Place>,
}

/// The plan for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    pub(super) path: RepoPath,
    pub(super) target: RepoPath,
    pub(super) before: Option<Version>,
    /// The permissions of the old file.
    pub(super) mode: Option<u32>,
    pub(super) after: Option<Version>,
    pub(super) way: Way,
}

/// How far a commit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
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

/// The name of a commit that begins at a moment. The later one is the greater one.
pub(super) fn id_at(time: SystemTime) -> String {
    format!("{:016x}", since_epoch(time).as_nanos())
}

/// A moment in seconds since 1970.
pub(super) fn seconds(time: SystemTime) -> u64 {
    since_epoch(time).as_secs()
}

fn since_epoch(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Begins the journal of a commit. It is there in full or not at all.
pub(super) fn begin(state: &State, record: &Record) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    let part = state.journal().with_extension("part");
    let mut file = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&part)?;
    file.write_all(&line)?;
    file.sync_all()?;
    fs::rename(part, state.journal())?;
    state.sync()
}

/// Notes that a commit has come to a phase.
pub(super) fn mark(state: &State, phase: Phase) -> io::Result<()> {
    let mut file = File::options().append(true).open(state.journal())?;
    file.write_all(format!("{}\n", phase.mark()).as_bytes())?;
    match phase {
        Phase::Staging | Phase::Staged => file.sync_all(),
        // If it is lost, the next start sees that all is in place. It must not get to the disk before the names do.
        Phase::Placed => Ok(()),
    }
}

/// Ends the journal of a commit that was taken back.
pub(super) fn discard(state: &State, id: &str) -> io::Result<()> {
    fs::remove_file(state.journal())?;
    pack::remove(state, id)?;
    state.sync()
}

/// Ends the journal of a commit that is done, and keeps it in the log.
pub(super) fn archive(state: &State, id: &str, order: Order) -> io::Result<()> {
    fs::rename(state.journal(), state.log_folder().join(id))?;
    match order {
        Order::Kept => Ok(()),
        Order::Unknown => state.sync(),
    }
}

/// Reads what an interrupted commit has left; `None` if there was none.
pub(super) fn read(state: &State) -> io::Result<Option<(Record, Phase)>> {
    match fs::read_to_string(state.journal()) {
        Ok(text) => {
            let staged = text.lines().any(|line| line == Phase::Staged.mark());
            let placed = text.lines().any(|line| line == Phase::Placed.mark());
            let phase = match (staged, placed) {
                (_, true) => Phase::Placed,
                (true, false) => Phase::Staged,
                (false, false) => Phase::Staging,
            };
            Ok(Some((parse(&text)?, phase)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the record of a commit that is done.
pub(super) fn read_record(path: &Path) -> io::Result<Record> {
    parse(&fs::read_to_string(path)?)
}

/// The contents that a journal says files got, whether or not it can be read.
pub(super) fn contents_left(text: &str) -> impl Iterator<Item = ContentHash> {
    const BEFORE: &str = r#""after":{"hash":""#;
    const DIGITS: usize = 64;
    let found = memchr::memmem::find_iter(text.as_bytes(), BEFORE);
    let starts = found.map(|at| at + BEFORE.len());
    starts.filter_map(|start| text.get(start..start + DIGITS)?.parse().ok())
}

fn parse(text: &str) -> io::Result<Record> {
    Ok(serde_json::from_str(
        text.lines().next().unwrap_or_default(),
    )?)
}
