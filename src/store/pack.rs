//! The contents that one commit found and wrote, one after the other in one file. Where each stands is in the record.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::snapshot::ContentHash;
use super::state::State;

/// Where a content stands in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) hash: ContentHash,
    offset: u64,
    length: u64,
}

/// A pack that is being written.
#[derive(Debug)]
pub(super) struct Pack {
    file: BufWriter<File>,
    known: FxHashSet<ContentHash>,
}

/// Where the contents stand in the pack that they are added to in this order.
pub(super) fn places<'c>(contents: impl Iterator<Item = (ContentHash, &'c [u8])>) -> Vec<Place> {
    let mut known = FxHashSet::default();
    let mut offset = 0;
    let place = |(hash, bytes): (ContentHash, &[u8])| {
        let length = bytes.len() as u64;
        let place = Place {
            hash,
            offset,
            length,
        };
        offset += length;
        place
    };
    contents
        .filter(|(hash, _)| known.insert(*hash))
        .map(place)
        .collect()
}

impl Pack {
    /// Begins the pack of a commit.
    pub(super) fn create(state: &State, commit: &str) -> io::Result<Self> {
        let file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(state.pack(commit))?;
        Ok(Self {
            file: BufWriter::new(file),
            known: FxHashSet::default(),
        })
    }

    /// Adds a content unless it is there already.
    pub(super) fn add(&mut self, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
        if self.known.insert(hash) {
            self.file.write_all(bytes)?;
        }
        Ok(())
    }

    /// Ends the pack.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Reads a content from the pack of a commit; `None` if it is not what it was.
pub(super) fn read(state: &State, commit: &str, place: Place) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(state.pack(commit))?;
    let end = file.metadata()?.len();
    if place.offset + place.length > end {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(place.length).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, place.offset)?;
    Ok((ContentHash::of(&bytes) == place.hash).then_some(bytes))
}

/// Removes the pack of a commit, if there is one.
pub(super) fn remove(state: &State, commit: &str) -> io::Result<()> {
    match fs::remove_file(state.pack(commit)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
