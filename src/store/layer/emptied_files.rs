//! New files that were rejected while a program had them open for writing: they are emptied and not removed, so that what the
//! program goes on writing is seen. As long as nothing is written they are no change of the layer.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::stat::Stat;
use super::{Layer, LayerRecord};
use crate::store::folder::bounded_read::{MOST_BYTES, read_regular};
use crate::store::folder::replace_file::replace_file;

/// The emptied files of a layer: the inode of each and the time of its last change.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EmptiedFiles(BTreeMap<PathBuf, (u64, (i64, u64))>);

/// The inodes that files had before a reset.
#[derive(Debug)]
pub(crate) struct InodesBefore(BTreeMap<PathBuf, u64>);

impl Layer {
    /// Notes which files of the layer some names are, before they are reset.
    pub(crate) fn inodes(&self, about: &LayerRecord, paths: &[PathBuf]) -> InodesBefore {
        let content = self.content(about);
        let files = paths.iter().filter_map(|path| {
            let meta = fs::symlink_metadata(content.join(path)).ok()?;
            meta.is_file().then(|| (path.clone(), meta.ino()))
        });
        InodesBefore(files.collect())
    }

    /// Notes the files that a reset has emptied and not removed.
    pub(crate) fn note_emptied(
        &self,
        about: &LayerRecord,
        before: &InodesBefore,
    ) -> io::Result<()> {
        let content = self.content(about);
        let mut emptied = self.emptied()?;
        for (path, inode) in &before.0 {
            let now = empty_file(&content.join(path));
            let is_new = fs::symlink_metadata(about.root.join(path)).is_err();
            match now.filter(|(now, _)| is_new && now == inode) {
                Some(now) => emptied.0.insert(path.clone(), now),
                None => emptied.0.remove(path),
            };
        }
        let path = self.base_folder().join("emptied.json");
        replace_file(&path, &serde_json::to_vec(&emptied)?)
    }

    /// Reads the noted files.
    pub(super) fn emptied(&self) -> io::Result<EmptiedFiles> {
        match read_regular(&self.base_folder().join("emptied.json"), MOST_BYTES) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(EmptiedFiles::default()),
            Err(error) => Err(error),
        }
    }
}

impl EmptiedFiles {
    /// Returns true for a file that is as the reset has left it. `content` is the layer's folder.
    pub(super) fn holds(&self, content: &Path, path: &Path) -> bool {
        let noted = self.0.get(path);
        noted.is_some_and(|noted| empty_file(&content.join(path)).as_ref() == Some(noted))
    }
}

fn empty_file(path: &Path) -> Option<(u64, (i64, u64))> {
    let meta = fs::symlink_metadata(path).ok()?;
    (meta.is_file() && meta.len() == 0).then(|| (meta.ino(), Stat::from(&meta).changed))
}
