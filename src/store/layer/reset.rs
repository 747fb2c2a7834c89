//! Letting the root show through a layer again where a review is finished.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::Path;

use super::entries::{is_whiteout, make_transparent};
use super::{About, Layer, LayerKind};

impl Layer {
    /// Drops what the layer has under a name, so that the root's version shows through. Nothing may be running in the layer.
    ///
    /// # Errors
    ///
    /// The system's reason, if the layer cannot be changed.
    pub(crate) fn reset(&self, about: &About, path: &Path) -> io::Result<()> {
        match about.kind {
            LayerKind::Overlay => self.reset_upper(path),
            LayerKind::Copy => self.reset_copy(&about.root, path),
        }
    }

    /// Drops what the layer has of git's own folder. Nothing may be running in the layer.
    ///
    /// # Errors
    ///
    /// The system's reason, if the layer cannot be changed.
    pub(crate) fn reset_git(&self, about: &About) -> io::Result<()> {
        if about.kind == LayerKind::Copy {
            return Ok(());
        }
        let git = self.upper().join(".git");
        match fs::symlink_metadata(&git) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(git),
            Ok(_) => fs::remove_file(git),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn reset_upper(&self, path: &Path) -> io::Result<()> {
        let upper = self.upper();
        let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
        above.reverse();
        for folder in above {
            let folder = upper.join(folder);
            match fs::symlink_metadata(&folder) {
                // The whole folder was removed or replaced; the root's one shows through then.
                Ok(meta) if is_whiteout(&folder, &meta) || !meta.is_dir() => {
                    return fs::remove_file(&folder);
                }
                // The root shows through it again: what the person kept of it is there.
                Ok(_) => make_transparent(&folder)?,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        let at = upper.join(path);
        match fs::symlink_metadata(&at) {
            Ok(meta) if meta.is_dir() => make_transparent(&at)?,
            Ok(_) => fs::remove_file(&at)?,
            Err(error) if error.kind() == ErrorKind::NotFound => (),
            Err(error) => return Err(error),
        }
        remove_empty(&upper, path);
        Ok(())
    }

    fn reset_copy(&self, root: &Path, path: &Path) -> io::Result<()> {
        let (from, to) = (root.join(path), self.copy_of(root).join(path));
        let removed = match fs::symlink_metadata(&to) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(&to),
            Ok(_) => fs::remove_file(&to),
            Err(_) => Ok(()),
        };
        removed?;
        if let Ok(target) = fs::read_link(&from) {
            return symlink(target, to);
        }
        if fs::symlink_metadata(&from).is_ok_and(|meta| meta.is_file()) {
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::copy(from, to)?;
        }
        Ok(())
    }
}

/// Removes the folders above a name that hold nothing any more.
fn remove_empty(top: &Path, path: &Path) {
    for folder in path.ancestors().skip(1) {
        let folder = top.join(folder);
        // A folder that still holds something stays.
        if folder == top || fs::remove_dir(&folder).is_err() {
            return;
        }
    }
}
