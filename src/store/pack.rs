//! The contents that one commit found and wrote, one after the other in one file. Where each stands is in the record.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use rustc_hash::FxHashMap;
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
    length: u64,
    places: FxHashMap<ContentHash, Place>,
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
            length: 0,
            places: FxHashMap::default(),
        })
    }

    /// Adds a content unless it is there already.
    pub(super) fn add(&mut self, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
        if self.places.contains_key(&hash) {
            return Ok(());
        }
        self.file.write_all(bytes)?;
        let length = bytes.len() as u64;
        let offset = self.length;
        self.length += length;
        let place = Place {
            hash,
            offset,
            length,
        };
        self.places.insert(hash, place);
        Ok(())
    }

    /// Ends the pack and tells where everything stands.
    pub(super) fn finish(mut self) -> io::Result<Vec<Place>> {
        self.file.flush()?;
        let mut places: Vec<Place> = self.places.into_values().collect();
        places.sort_by_key(|place| place.offset);
        Ok(places)
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
