//! The contents that one commit found and wrote, one after the other in one file. Where each stands is in the record.
//!
//! A new content that is made of the old one's bytes is kept as the [`splice`] that makes it, so a line changed in a large
//! file takes the room of that line.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::snapshot::ContentHash;
use super::splice;
use super::state::State;
use crate::text::Spliced;

/// A content on its way into a pack.
#[derive(Debug)]
pub(super) struct Content<'c> {
    hash: ContentHash,
    /// The content that it is made of, if it is not kept whole.
    of: Option<ContentHash>,
    /// What the pack holds of it.
    bytes: Cow<'c, [u8]>,
}

/// Where a content stands in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) hash: ContentHash,
    offset: u64,
    length: u64,
    /// The content in the same pack that it is made of, if it is not kept whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<ContentHash>,
}

/// A pack that is being written.
#[derive(Debug)]
pub(super) struct Pack {
    file: BufWriter<File>,
    known: FxHashSet<ContentHash>,
}

impl<'c> Content<'c> {
    /// A content that is kept as it is.
    pub(super) fn whole(hash: ContentHash, bytes: Cow<'c, [u8]>) -> Self {
        Self {
            hash,
            of: None,
            bytes,
        }
    }

    /// A content that is made of the one before it.
    pub(super) fn spliced(hash: ContentHash, of: ContentHash, text: &Spliced<'_>) -> Self {
        Self {
            hash,
            of: Some(of),
            bytes: Cow::Owned(splice::write(text)),
        }
    }
}

/// Where the contents stand in the pack that they are added to in this order.
pub(super) fn places<'c>(contents: impl Iterator<Item = Content<'c>>) -> Vec<Place> {
    let mut known = FxHashSet::default();
    let mut offset = 0;
    let place = |content: Content<'c>| {
        let length = content.bytes.len() as u64;
        let place = Place {
            hash: content.hash,
            offset,
            length,
            of: content.of,
        };
        offset += length;
        place
    };
    contents
        .filter(|content| known.insert(content.hash))
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
    pub(super) fn add(&mut self, content: &Content<'_>) -> io::Result<()> {
        if self.known.insert(content.hash) {
            self.file.write_all(&content.bytes)?;
        }
        Ok(())
    }

    /// Ends the pack.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Reads a content from the pack of a commit, which holds these; `None` if it is not there, or not what it was.
pub(super) fn read(
    state: &State,
    commit: &str,
    places: &[Place],
    hash: ContentHash,
) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(state.pack(commit))?;
    let mut splices = Vec::new();
    let mut sought = hash;
    let mut bytes = loop {
        let place = places.iter().find(|place| place.hash == sought);
        // A content is made of one that stands before it, unless the record was damaged.
        let Some(place) = place.filter(|_| splices.len() < places.len()) else {
            return Ok(None);
        };
        let Some(bytes) = read_place(&file, *place)? else {
            return Ok(None);
        };
        match place.of {
            None => break bytes,
            Some(of) => {
                splices.push(bytes);
                sought = of;
            }
        }
    };
    for splice in splices.iter().rev() {
        match splice::read(&bytes, splice) {
            Some(made) => bytes = made,
            None => return Ok(None),
        }
    }
    Ok((ContentHash::of(&bytes) == hash).then_some(bytes))
}

/// What the pack holds there; `None` if it is too short.
fn read_place(file: &File, place: Place) -> io::Result<Option<Vec<u8>>> {
    let end = file.metadata()?.len();
    if place.offset.saturating_add(place.length) > end {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(place.length).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, place.offset)?;
    Ok(Some(bytes))
}

/// Removes the pack of a commit, if there is one.
pub(super) fn remove(state: &State, commit: &str) -> io::Result<()> {
    match fs::remove_file(state.pack(commit)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
