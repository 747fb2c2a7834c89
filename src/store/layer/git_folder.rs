//! Git's own folder in a layer, as far as the commits made there have to be found.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Layer, LayerRecord};
use crate::store::folder::bounded_read::{MOST_BYTES, read_regular_text};

impl Layer {
    /// The folder of the objects that git has stored in the layer.
    pub(crate) fn git_objects(&self, about: &LayerRecord) -> PathBuf {
        self.content(about).join(".git/objects")
    }

    /// Returns the commit that is checked out in the layer; `None` if the layer has changed nothing about that.
    pub(crate) fn git_head(&self, about: &LayerRecord) -> io::Result<Option<String>> {
        let folders = [self.content(about), about.root.clone()].map(|folder| folder.join(".git"));
        let Some(head) = read_first(&folders, "HEAD")? else {
            return Ok(None);
        };
        let Some(name) = head.strip_prefix("ref: ") else {
            return Ok(Some(head));
        };
        if !is_plain(name) {
            return Ok(None);
        }
        if let Some(commit) = read_first(&folders, name)? {
            return Ok(Some(commit));
        }
        let packed = read_first(&folders, "packed-refs")?.unwrap_or_default();
        let commit = packed.lines().find_map(|line| {
            let (commit, known) = line.split_once(' ')?;
            (known == name).then(|| commit.to_owned())
        });
        Ok(commit)
    }
}

/// Returns true if a name stays inside git's folder.
fn is_plain(name: &str) -> bool {
    name.starts_with("refs/") && !name.split('/').any(|part| part == "..")
}

/// Reads a file from the first of two folders that has it.
fn read_first(folders: &[PathBuf; 2], name: &str) -> io::Result<Option<String>> {
    match read(&folders[0].join(name))? {
        Some(text) => Ok(Some(text)),
        None => read(&folders[1].join(name)),
    }
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match read_regular_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound
                    | ErrorKind::NotADirectory
                    | ErrorKind::InvalidInput
                    | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(None)
        }
        // A name that was removed in the layer is a device that nothing can be read from.
        Err(error) if error.raw_os_error() == Some(6) => Ok(None),
        Err(error) => Err(error),
    }
}
