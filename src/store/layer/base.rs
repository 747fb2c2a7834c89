//! The tree as it was when a run started, where git does not keep it: which files there were, and the contents of those that
//! are small enough.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::stat::Stat;
use super::{Layer, LayerRecord};
use crate::store::folder::bounded_read::{
    MOST_BYTES, open_regular, read_regular, read_regular_text,
};

/// The largest file whose content is kept.
const MOST_FILE: u64 = 1 << 20;
/// The most bytes that are kept of one tree.
const MOST_TREE: u64 = 256 << 20;

/// A file as it was when the run started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BaseVersion {
    /// There was no such file.
    Absent,
    /// It was as it is now.
    Unchanged,
    /// It had this content.
    Content {
        /// Its bytes.
        bytes: Vec<u8>,
        /// True if its owner could execute it.
        executable: bool,
    },
    /// It has changed since, and what it was is not recorded.
    Unknown,
}

/// The recorded files of a tree.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct BaseFiles {
    files: BTreeMap<PathBuf, Recorded>,
    /// Files whose content was not kept, as they or all of them were too large.
    without_content: usize,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Recorded {
    changed: (i64, u64),
    executable: bool,
    /// The offset and the length of the content.
    content: Option<(u64, u64)>,
}

impl BaseFiles {
    /// The number of files whose content was not kept.
    pub(crate) fn without_content(&self) -> usize {
        self.without_content
    }
}

impl Layer {
    /// Records the files of the root. Folders of git are left out, and so is what cannot be read.
    pub(crate) fn record_files(&self, about: &LayerRecord) -> io::Result<BaseFiles> {
        let mut record = BaseFiles::default();
        let mut contents = File::create(self.base_folder().join("contents"))?;
        let mut length = 0;
        let mut folders = vec![PathBuf::new()];
        while let Some(at) = folders.pop() {
            let Ok(listed) = fs::read_dir(about.root.join(&at)) else {
                continue;
            };
            for entry in listed.flatten() {
                let path = at.join(entry.file_name());
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_dir() {
                    if entry.file_name() != ".git" {
                        folders.push(path);
                    }
                } else if kind.is_file()
                    && let Ok(recorded) = record_one(&entry.path(), &mut contents, &mut length)
                {
                    record.without_content += usize::from(recorded.content.is_none());
                    record.files.insert(path, recorded);
                }
            }
        }
        contents.flush()?;
        let index = serde_json::to_vec(&record)?;
        let path = self.base_folder().join("files.json");
        let next = path.with_extension("next");
        fs::write(&next, index)?;
        fs::rename(next, path)?;
        Ok(record)
    }

    /// Reads the record of the files; `None` if it was not finished.
    pub(crate) fn recorded_files(&self) -> Option<BaseFiles> {
        let bytes = read_regular(&self.base_folder().join("files.json"), MOST_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Looks a file up in the record.
    pub(crate) fn base_of(
        &self,
        about: &LayerRecord,
        record: &BaseFiles,
        path: &Path,
    ) -> io::Result<BaseVersion> {
        let now = stat(&about.root.join(path))?;
        let Some(recorded) = record.files.get(path) else {
            return Ok(BaseVersion::Absent);
        };
        if now.is_some_and(|now| now.changed == recorded.changed) {
            return Ok(BaseVersion::Unchanged);
        }
        // It changed between the start and its recording: what the command saw is not known.
        if recorded.changed >= about.clock {
            return Ok(BaseVersion::Unknown);
        }
        let Some((offset, length)) = recorded.content else {
            return Ok(BaseVersion::Unknown);
        };
        let mut contents = open_regular(&self.base_folder().join("contents"))?;
        contents.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        contents.take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Ok(BaseVersion::Unknown);
        }
        Ok(BaseVersion::Content {
            bytes,
            executable: recorded.executable,
        })
    }

    /// Records the name of the tree of git that holds the files as they were.
    pub(crate) fn record_tree(&self, tree: &str) -> io::Result<()> {
        let path = self.base_folder().join("tree");
        let next = path.with_extension("next");
        fs::write(&next, tree)?;
        fs::rename(next, path)
    }

    /// Reads the name of that tree, and the change time that a file got when it was complete; `None` if it never was.
    pub(crate) fn recorded_tree(&self) -> Option<(String, (i64, u64))> {
        let path = self.base_folder().join("tree");
        let tree = read_regular_text(&path, MOST_BYTES).ok()?;
        Some((tree, Stat::of(&path).ok()?.changed))
    }
}

impl LayerRecord {
    /// The change time of a file of the root; `None` if there is no file.
    pub(crate) fn changed_at(&self, path: &Path) -> io::Result<Option<(i64, u64)>> {
        Ok(stat(&self.root.join(path))?.map(|stat| stat.changed))
    }

    /// Returns true if a file of the root, and every folder above it, is as it was when the run started.
    pub(crate) fn is_untouched(&self, path: &Path) -> io::Result<bool> {
        for part in path.ancestors() {
            let Some(now) = stat(&self.root.join(part))? else {
                return Ok(false);
            };
            if now.changed >= self.clock && (!now.is_folder || !part.as_os_str().is_empty()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn stat(path: &Path) -> io::Result<Option<Stat>> {
    match Stat::of(path) {
        Ok(stat) => Ok(Some(stat)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn record_one(path: &Path, contents: &mut File, length: &mut u64) -> io::Result<Recorded> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    let mut recorded = Recorded {
        changed: Stat::from(&meta).changed,
        executable: meta.permissions().mode() & 0o100 != 0,
        content: None,
    };
    if meta.len() <= MOST_FILE && *length + meta.len() <= MOST_TREE {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        contents.write_all(&bytes)?;
        recorded.content = Some((*length, bytes.len() as u64));
        *length += bytes.len() as u64;
    }
    Ok(recorded)
}
