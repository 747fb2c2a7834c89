//! Letting the root show through a layer again where a review is finished.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::entries::{is_whiteout, make_transparent};
use super::open_files::OpenFiles;
use super::{Layer, LayerKind, LayerRecord};

impl Layer {
    /// Drops what the layer has under a name, so that the root's version shows through. Nothing may be running in the layer.
    pub(crate) fn reset(
        &self,
        about: &LayerRecord,
        path: &Path,
        open: &OpenFiles,
    ) -> io::Result<()> {
        match about.kind {
            LayerKind::Overlay => self.reset_upper(path),
            LayerKind::Copy => self.reset_copy(&about.root, path, open),
        }
    }

    /// Drops what the layer has of git's own folder. Nothing may be running in the layer.
    pub(crate) fn reset_git(&self, about: &LayerRecord) -> io::Result<()> {
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
                    return in_writable(&folder, || fs::remove_file(&folder));
                }
                // The root shows through it again: what the person kept of it is there.
                Ok(_) => make_transparent(&folder)?,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        let at = upper.join(path);
        match fs::symlink_metadata(&at) {
            Ok(meta) if meta.is_dir() => {
                make_transparent(&at)?;
                // One that holds something else stays.
                let _ = in_writable(&at, || fs::remove_dir(&at));
            }
            Ok(_) => in_writable(&at, || fs::remove_file(&at))?,
            Err(error) if error.kind() == ErrorKind::NotFound => (),
            Err(error) => return Err(error),
        }
        remove_empty(&upper, path);
        Ok(())
    }

    fn reset_copy(&self, root: &Path, path: &Path, open: &OpenFiles) -> io::Result<()> {
        let copy = self.copy_of(root);
        let (from, to) = (root.join(path), copy.join(path));
        let kind = match fs::symlink_metadata(&from) {
            Ok(meta) => Some(meta.file_type()),
            Err(error) if is_absent(&error) => None,
            Err(error) => return Err(error),
        };
        let Some(kind) = kind else {
            remove(&to, open)?;
            remove_empty(&copy, path);
            return Ok(());
        };
        make_folders(&copy, path)?;
        if kind.is_dir() {
            return make_folder(&to);
        }
        if fs::symlink_metadata(&to).is_ok_and(|meta| meta.is_dir()) && fs::remove_dir(&to).is_err()
        {
            // It holds something that is not reviewed, such as ignored files.
            return Ok(());
        }
        // The command, which may be running, sees the one or the other.
        if kind.is_file() {
            return open.replace(&from, &to);
        }
        if !kind.is_symlink() {
            return Ok(());
        }
        let next = to.with_file_name(".countersign-reset");
        symlink(fs::read_link(&from)?, &next)?;
        fs::rename(next, to)
    }
}

/// Carries out a change of a name whose folder the command may have made read-only. The folder keeps its permissions.
fn in_writable(path: &Path, change: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let denied = match change() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => error,
        done => return done,
    };
    let Some(folder) = path.parent() else {
        return Err(denied);
    };
    let before = fs::metadata(folder)?.permissions();
    let writable = fs::Permissions::from_mode(before.mode() | 0o700);
    fs::set_permissions(folder, writable)?;
    let done = change();
    fs::set_permissions(folder, before)?;
    done
}

/// Removes a file, or a folder if it is empty.
fn remove(path: &Path, open: &OpenFiles) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => {
            // One that holds something else stays.
            let _ = fs::remove_dir(path);
            Ok(())
        }
        Ok(_) => open.remove(path),
        Err(error) if is_absent(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the folders above a name. Files in their place are removed.
fn make_folders(top: &Path, path: &Path) -> io::Result<()> {
    let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
    above.reverse();
    above
        .into_iter()
        .try_for_each(|folder| make_folder(&top.join(folder)))
}

fn make_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => return Ok(()),
        Ok(_) => fs::remove_file(path)?,
        Err(error) if is_absent(&error) => (),
        Err(error) => return Err(error),
    }
    fs::create_dir(path)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
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
