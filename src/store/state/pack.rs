//! The contents that one commit found and wrote, one after the other in one file. The record has their positions.
//!
//! The old files of a large batch are not copied: once the new ones are in place, they are moved into a folder beside the
//! packs. The pack is then as long as if they were at its end, so that its length is what the commit keeps.
//!
//! A new content that is made of the old one's bytes is kept as the [`delta`] that makes it, so a line changed in a large
//! file takes the room of that line.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::batch_id::BatchId;
use super::delta;
use super::state_folder::StateFolder;
use crate::parallel;
use crate::store::folder::bounded_read::{MOST_BYTES, open_regular};
use crate::store::folder::snapshot::ContentHash;
use crate::text::PieceTable;

/// A content on its way into a pack.
#[derive(Debug)]
pub(in crate::store) struct PackContent<'c> {
    hash: ContentHash,
    /// The content that it is made of, if it is not kept whole.
    of: Option<ContentHash>,
    stored: Stored<'c>,
}

/// Stored form of a content.
#[derive(Debug)]
enum Stored<'c> {
    /// These bytes, in the pack.
    Bytes(Cow<'c, [u8]>),
    /// The replaced file of this number, which has so many bytes.
    File(usize, u64),
}

/// Position of a content in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct PackPosition {
    pub(in crate::store) hash: ContentHash,
    /// The offset in the pack, if it is there.
    offset: u64,
    length: u64,
    /// The number of the replaced file that holds it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::store) file: Option<usize>,
    /// The content in the same pack that it is made of, if it is not kept whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<ContentHash>,
}

/// A pack that is being written.
#[derive(Debug)]
pub(in crate::store) struct Pack {
    file: BufWriter<File>,
    known: FxHashSet<ContentHash>,
    /// The number of bytes that it keeps, here and in files.
    length: u64,
}

impl<'c> PackContent<'c> {
    /// A content that is kept as it is.
    pub(in crate::store) fn whole(hash: ContentHash, bytes: Cow<'c, [u8]>) -> Self {
        Self {
            hash,
            of: None,
            stored: Stored::Bytes(bytes),
        }
    }

    /// The content of a replaced file of `length` bytes that will be moved into the history.
    pub(in crate::store) fn file(hash: ContentHash, number: usize, length: u64) -> Self {
        Self {
            hash,
            of: None,
            stored: Stored::File(number, length),
        }
    }

    /// A content that is made of the one before it.
    pub(in crate::store) fn spliced(
        hash: ContentHash,
        of: ContentHash,
        text: &PieceTable<'_>,
    ) -> Self {
        Self {
            hash,
            of: Some(of),
            stored: Stored::Bytes(Cow::Owned(delta::write(text))),
        }
    }

    fn length(&self) -> u64 {
        match &self.stored {
            Stored::Bytes(bytes) => bytes.len() as u64,
            Stored::File(_, length) => *length,
        }
    }
}

/// Returns the positions of contents that are added to a pack in this order.
pub(in crate::store) fn places<'c>(
    contents: impl Iterator<Item = PackContent<'c>>,
) -> Vec<PackPosition> {
    let mut known = FxHashSet::default();
    let mut offset = 0;
    let mut places = Vec::new();
    for content in contents.filter(|content| known.insert(content.hash)) {
        let length = content.length();
        let file = match content.stored {
            Stored::Bytes(_) => None,
            Stored::File(number, _) => Some(number),
        };
        places.push(PackPosition {
            hash: content.hash,
            offset,
            length,
            file,
            of: content.of,
        });
        if file.is_none() {
            offset += length;
        }
    }
    places
}

impl Pack {
    /// Begins the pack of a commit.
    pub(in crate::store) fn create(state: &StateFolder, commit: BatchId) -> io::Result<Self> {
        let file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(state.pack(commit))?;
        Ok(Self {
            file: BufWriter::new(file),
            known: FxHashSet::default(),
            length: 0,
        })
    }

    /// Adds a content unless it is there already.
    pub(in crate::store) fn add(&mut self, content: &PackContent<'_>) -> io::Result<()> {
        if !self.known.insert(content.hash) {
            return Ok(());
        }
        self.length += content.length();
        match &content.stored {
            Stored::Bytes(bytes) => self.file.write_all(bytes),
            Stored::File(..) => Ok(()),
        }
    }

    /// Ends the pack.
    pub(in crate::store) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().set_len(self.length)
    }
}

/// Reads a content from the pack of a commit, which holds these; `None` if it is not there, or not what it was.
pub(in crate::store) fn read(
    state: &StateFolder,
    commit: BatchId,
    places: &[PackPosition],
    hash: ContentHash,
) -> io::Result<Option<Vec<u8>>> {
    let file = open_regular(&state.pack(commit))?;
    let mut splices = Vec::new();
    let mut sought = hash;
    let mut bytes = loop {
        let place = places.iter().find(|place| place.hash == sought);
        // A content is made of one before it, unless the record was damaged.
        let Some(place) = place.filter(|_| splices.len() < places.len()) else {
            return Ok(None);
        };
        let bytes = match place.file {
            None => read_part(&file, place.offset, place.length)?,
            Some(number) => {
                let replaced = open_regular(&state.replaced(commit).join(number.to_string()))?;
                read_part(&replaced, 0, place.length)?
            }
        };
        let Some(bytes) = bytes else {
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
        match delta::read(&bytes, splice) {
            Some(made) => bytes = made,
            None => return Ok(None),
        }
    }
    Ok((ContentHash::of(&bytes) == hash).then_some(bytes))
}

/// Returns a part of a file; `None` if the file is too short. Bytes that another program has added meanwhile are left out.
fn read_part(file: &File, offset: u64, length: u64) -> io::Result<Option<Vec<u8>>> {
    let end = file.metadata()?.len();
    // A file that is mostly holes may claim any length.
    if offset.saturating_add(length) > end || length > MOST_BYTES {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(Some(bytes))
}

/// Removes what a commit keeps, if it keeps anything.
pub(in crate::store) fn remove(state: &StateFolder, commit: BatchId) -> io::Result<()> {
    // The pack goes last: it is what a later try goes by.
    unless_missing(remove_replaced(&state.replaced(commit)))?;
    unless_missing(fs::remove_file(state.pack(commit)))
}

/// Removes a folder of replaced files.
fn remove_replaced(folder: &Path) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let removed = parallel::map(&entries, |entry| fs::remove_file(entry.path()));
    removed.into_iter().collect::<io::Result<()>>()?;
    fs::remove_dir(folder)
}

fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
