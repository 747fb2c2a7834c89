//! A copy of the files below a root in a temporary folder, with some of them changed: for whoever wants to try a result out.
//!
//! Only the copy is written. What git ignores is not copied, nor is git's own folder. A link stays a link; one that leads into
//! the root by its whole name leads into the copy instead.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Permissions, PermissionsExt};
use ignore::WalkBuilder;
use tempfile::TempDir;

use crate::proposal::RepoPath;

/// Change of a file in a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// The file of the root that it comes from; there may be none yet.
    pub from: RepoPath,
    /// Its name in the copy; `None` if it goes.
    pub to: Option<RepoPath>,
    /// Its bytes; `None` for those that it has.
    pub bytes: Option<Vec<u8>>,
    /// True if it may be executed; `None` leaves it as it is.
    pub executable: Option<bool>,
    /// True if the file that it comes from stays.
    pub stays: bool,
}

/// A copy of a root's files. It goes when it is dropped.
#[derive(Debug)]
pub struct TreeCopy {
    folder: TempDir,
}

impl TreeCopy {
    /// Copies the files below `root` but git's own and those that git ignores, and lays changed ones over them. If
    /// `stop` is set, it stops after the next file.
    ///
    /// # Errors
    ///
    /// The system's error for a file that cannot be read or written; [`ErrorKind::Interrupted`] if it was stopped.
    pub fn new(root: &Path, laid: &[Laid], stop: &AtomicBool) -> io::Result<Self> {
        let copy = Self::empty()?;
        // The folder for temporary files may be in the root.
        let own = copy.path().canonicalize()?;
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .require_git(false)
            .filter_entry(move |entry| entry.file_name() != ".git" && entry.path() != own)
            .build();
        for entry in walk {
            may_go_on(stop)?;
            let entry = entry.map_err(io::Error::other)?;
            let Ok(inside) = entry.path().strip_prefix(root) else {
                continue;
            };
            match copy_one(entry.path(), root, inside, &copy.path().join(inside)) {
                // What has gone meanwhile is not there any more.
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(about(entry.path(), &error));
                }
                Ok(()) | Err(_) => (),
            }
        }
        copy.lay(root, laid, stop)?;
        Ok(copy)
    }

    /// A folder with nothing in it, for whoever knows better what belongs there.
    ///
    /// # Errors
    ///
    /// The system's error if none can be made.
    pub fn empty() -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("countersign-check-")
            .tempdir()?;
        Ok(Self { folder })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Reads a file of the copy; `None` if no file has that name, or only a link.
    ///
    /// # Errors
    ///
    /// The system's error for a file that cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let within = Dir::open_ambient_dir(self.path(), ambient_authority())?;
        match within.symlink_metadata(name) {
            Ok(about) if about.is_file() => within.read(name).map(Some),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// No link leads out of the copy while it is written.
    fn lay(&self, root: &Path, laid: &[Laid], stop: &AtomicBool) -> io::Result<()> {
        let within = Dir::open_ambient_dir(self.path(), ambient_authority())?;
        let of_root = Dir::open_ambient_dir(root, ambient_authority())?;
        for file in laid {
            if !file.stays && file.to.as_ref() != Some(&file.from) {
                match within.remove_file(file.from.as_path()) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(about(file.from.as_path(), &error));
                    }
                    Ok(()) | Err(_) => (),
                }
            }
        }
        for file in laid {
            may_go_on(stop)?;
            if let Some(to) = &file.to {
                lay_one(&of_root, &within, file, to.as_path())
                    .map_err(|error| about(to.as_path(), &error))?;
            }
        }
        Ok(())
    }
}

fn may_go_on(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) {
        return Err(ErrorKind::Interrupted.into());
    }
    Ok(())
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

fn copy_one(from: &Path, root: &Path, inside: &Path, to: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_dir() {
        fs::create_dir_all(to)
    } else if kind.is_symlink() {
        let target = fs::read_link(from)?;
        let target = match target.strip_prefix(root) {
            Ok(rest) => {
                let depth = inside.components().count().saturating_sub(1);
                let up: PathBuf = std::iter::repeat_n("..", depth).collect();
                Path::new(".").join(up).join(rest)
            }
            Err(_) => target,
        };
        std::os::unix::fs::symlink(target, to)
    } else if kind.is_file() {
        fs::copy(from, to).map(drop)
    } else {
        // Pipes and sockets are of no use in a copy.
        Ok(())
    }
}

fn lay_one(root: &Dir, copy: &Dir, file: &Laid, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        copy.create_dir_all(folder)?;
    }
    // An ignored file was not copied, and one with another name has yet to be.
    let is_there = copy.try_exists(to)?;
    if (file.to.as_ref() != Some(&file.from) || !is_there)
        && root.try_exists(file.from.as_path())?
    {
        root.copy(file.from.as_path(), copy, to)?;
    }
    if let Some(bytes) = &file.bytes {
        copy.write(to, bytes)?;
    }
    if let Some(executable) = file.executable {
        let mode = copy.metadata(to)?.permissions().mode();
        let mode = if executable {
            mode | (mode & 0o444) >> 2
        } else {
            mode & !0o111
        };
        copy.set_permissions(to, Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::os::unix::fs::symlink;

    use super::*;

    fn laid(from: &str, to: Option<&str>, bytes: Option<&str>, executable: Option<bool>) -> Laid {
        Laid {
            from: RepoPath::parse(from).unwrap(),
            to: to.map(|to| RepoPath::parse(to).unwrap()),
            bytes: bytes.map(|bytes| bytes.as_bytes().to_vec()),
            executable,
            stays: false,
        }
    }

    fn root() -> (TempDir, PathBuf) {
        let place = TempDir::new().unwrap();
        let root = place.path().canonicalize().unwrap().join("root");
        fs::create_dir_all(root.join("src/deep")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::create_dir_all(root.join("target")).unwrap();
        for (name, text) in [
            (".git/config", "git"),
            (".gitignore", "target/\n"),
            ("target/out", "big"),
            ("a", "a"),
            ("b", "b"),
            ("src/one", "one"),
            ("src/deep/own", "own"),
        ] {
            fs::write(root.join(name), text).unwrap();
        }
        (place, root)
    }

    #[test]
    fn what_is_not_ignored_is_copied_and_changed_there_only() {
        let (_place, root) = root();
        let changes = [
            laid("a", Some("b"), None, None),
            laid("b", Some("a"), Some("new a"), Some(true)),
            laid("src/one", None, None, None),
            laid("more/new", Some("more/new"), Some("new"), None),
            laid("target/out", Some("target/out"), None, Some(true)),
            Laid {
                stays: true,
                ..laid("src/deep/own", Some("other"), None, None)
            },
        ];
        let copy = TreeCopy::new(&root, &changes, &AtomicBool::new(false)).unwrap();
        let at = copy.path().to_owned();
        let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
        assert_eq!(read("a"), "new a");
        assert_eq!(read("b"), "a");
        assert_eq!(read("more/new"), "new");
        assert_eq!(read("target/out"), "big");
        assert_eq!(
            (read("src/deep/own"), read("other")),
            ("own".into(), "own".into())
        );
        let mode = fs::metadata(at.join("a")).unwrap().permissions();
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&mode) & 0o100,
            0o100
        );
        assert!(!at.join("src/one").exists() && at.join("src/deep").is_dir());
        assert!(!at.join(".git").exists() && at.join(".gitignore").exists());
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "a");
        assert!(root.join("src/one").exists());
        drop(copy);
        assert!(!at.exists());
    }

    #[test]
    fn nothing_is_written_through_a_link_that_leads_out_of_the_copy() {
        let (place, root) = root();
        let outside = place.path().join("outside");
        fs::write(&outside, "mine").unwrap();
        symlink(&outside, root.join("out")).unwrap();
        symlink(root.join("a"), root.join("src/deep/in")).unwrap();
        let write = |name| {
            let changes = [laid(name, Some(name), Some("theirs"), None)];
            TreeCopy::new(&root, &changes, &AtomicBool::new(false))
        };
        assert!(write("out").is_err());
        assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
        let copy = write("src/deep/in").unwrap();
        assert_eq!(fs::read_to_string(copy.path().join("a")).unwrap(), "theirs");
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "a");
    }

    #[test]
    fn it_stops_when_told() {
        let (_place, root) = root();
        let error = TreeCopy::new(&root, &[], &AtomicBool::new(true)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted);
    }
}
