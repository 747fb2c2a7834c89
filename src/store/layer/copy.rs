//! Layers made by copying the tree, where the system has no overlay for them. On file systems that share blocks, and on macOS,
//! the copy takes no space until it is written.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::stat::Stat;
use super::{Layer, LayerRecord};

impl Layer {
    /// Copies the tree into the layer.
    pub(crate) fn fill_copy(&self, about: &LayerRecord) -> io::Result<()> {
        let copy = self.copy_of(&about.root);
        fs::create_dir_all(&copy)?;
        copy_folder(&about.root, &copy)?;
        fs::write(self.folder().join("copied"), b"")
    }

    /// The change time that a file got when the copy was complete.
    pub(super) fn copied(&self) -> io::Result<(i64, u64)> {
        Ok(Stat::of(&self.folder().join("copied"))?.changed)
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        let copied = if kind.is_dir() {
            fs::create_dir(&target).and_then(|()| copy_folder(&entry.path(), &target))
        } else if kind.is_symlink() {
            fs::read_link(entry.path()).and_then(|link| symlink(link, &target))
        } else if kind.is_file() {
            // It clones the blocks where the file system can.
            fs::copy(entry.path(), &target).map(drop)
        } else {
            // A pipe or a socket leads to a program and not to the copy.
            Ok(())
        };
        copied.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("`{}`: {error}", entry.path().display()),
            )
        })?;
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}
