//! The files of a layer that no review shows: ignored ones, git's own, and those that cannot be written or read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::entries::is_whiteout;
use super::{Layer, LayerRecord};
use crate::store::folder::bounded_read::{MOST_BYTES, read_regular};

/// A file that stays in a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemainingFile {
    /// The name, relative to the root.
    pub(crate) path: PathBuf,
    /// The number of its bytes.
    pub(crate) size: u64,
    /// The target of a symbolic link.
    pub(crate) link: Option<PathBuf>,
    /// True if the root has nothing of that name.
    pub(crate) is_new: bool,
}

/// The files that stay in a layer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RemainingFiles {
    /// The files and symbolic links.
    pub(crate) files: Vec<RemainingFile>,
    /// The files and folders of which it is not known what they hold.
    pub(crate) unknown: Vec<PathBuf>,
}

impl Layer {
    /// Lists the files that a layer has under some names, and in folders of these names.
    pub(crate) fn remaining_files(&self, about: &LayerRecord, names: &[PathBuf]) -> RemainingFiles {
        let content = self.content(about);
        let mut found = RemainingFiles::default();
        let mut folders = Vec::new();
        for name in names {
            list(about, &content, name, &mut found, &mut folders);
        }
        while let Some(folder) = folders.pop() {
            let listed = fs::read_dir(content.join(&folder));
            let listed = listed.and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let Ok(listed) = listed else {
                found.unknown.push(folder);
                continue;
            };
            for entry in listed {
                let path = folder.join(entry.file_name());
                list(about, &content, &path, &mut found, &mut folders);
            }
        }
        found.files.sort_by(|one, other| one.path.cmp(&other.path));
        found.files.dedup();
        found.unknown.sort();
        found.unknown.dedup();
        found
    }

    /// Reads the layer's version of a file.
    pub(crate) fn read_remaining(&self, about: &LayerRecord, path: &Path) -> io::Result<Vec<u8>> {
        read_regular(&self.content(about).join(path), MOST_BYTES)
    }
}

impl LayerRecord {
    /// Reads the root's version of a file; `None` if it cannot be read, or there is none.
    pub(crate) fn read_in_root(&self, path: &Path) -> Option<Vec<u8>> {
        read_regular(&self.root.join(path), MOST_BYTES).ok()
    }
}

/// Notes one name of a layer.
fn list(
    about: &LayerRecord,
    content: &Path,
    path: &Path,
    found: &mut RemainingFiles,
    folders: &mut Vec<PathBuf>,
) {
    let full = content.join(path);
    let meta = match fs::symlink_metadata(&full) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return;
        }
        Err(_) => return found.unknown.push(path.to_owned()),
    };
    let kind = meta.file_type();
    if is_whiteout(&full, &meta) {
        return;
    }
    if kind.is_dir() {
        return folders.push(path.to_owned());
    }
    let link = kind.is_symlink().then(|| fs::read_link(&full));
    match link.transpose() {
        Ok(link) if kind.is_file() || kind.is_symlink() => found.files.push(RemainingFile {
            path: path.to_owned(),
            size: meta.len(),
            link,
            is_new: fs::symlink_metadata(about.root.join(path)).is_err(),
        }),
        // A device, a pipe or a socket holds nothing.
        Ok(_) => (),
        Err(_) => found.unknown.push(path.to_owned()),
    }
}
