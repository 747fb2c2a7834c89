//! The single steps that change the disk, behind a trait so that a test can make any of them fail.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use xattr::FileExt;

use super::folder::{Folder, FoundFile, Identity, Stat};

/// The steps that a commit is made of. Every name is a single name in an open folder, and no step follows a link.
pub(super) trait Disk {
    /// Makes a folder.
    fn make_folder(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Removes a folder if it is empty.
    fn remove_folder(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Writes a new file and its metadata through to the disk.
    fn stage(&self, at: &Folder, name: &Path, content: &Content<'_>) -> io::Result<Staged>;
    /// Gives a file another name in the same folder, which nothing may have yet.
    fn rename(&self, at: &Folder, from: &Path, to: &Path) -> io::Result<()>;
    /// Lets two files change names at once. `spare` is used on the way where the system cannot do it at once.
    fn exchange(&self, at: &Folder, staged: &Path, target: &Path, spare: &Path) -> io::Result<()>;
    /// Removes a file's name.
    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Writes a folder's names through to the disk.
    fn sync(&self, at: &Folder) -> io::Result<()>;
}

/// What a staged file gets.
#[derive(Debug)]
pub(super) struct Content<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether it shall be executable; `None` leaves it as it was.
    pub(super) executable: Option<bool>,
    /// The file whose mode, owner and extended attributes it takes over.
    pub(super) like: Option<&'a FoundFile>,
}

/// A file that was written beside its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Staged {
    pub(super) identity: Identity,
    /// Whether owner and group could be kept.
    pub(super) owner_kept: bool,
}

impl Staged {
    /// Whether a name still stands for the staged file.
    pub(super) fn is(&self, stat: Option<Stat>) -> bool {
        stat.is_some_and(|stat| stat.identity == self.identity)
    }
}

/// The disk itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn make_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(at, name, Mode::from_raw_mode(0o777))?)
    }

    fn remove_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(at, name, AtFlags::REMOVEDIR)?)
    }

    fn stage(&self, at: &Folder, name: &Path, content: &Content<'_>) -> io::Result<Staged> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = match (&content.like, content.executable) {
            (Some(_), _) => 0o600,
            (None, Some(true)) => 0o777,
            (None, Some(false) | None) => 0o666,
        };
        let mut file: File = rustix::fs::openat(at, name, flags, Mode::from_raw_mode(mode))?.into();
        file.write_all(content.bytes)?;
        let owner_kept = match &content.like {
            Some(model) => take_over(&file, model, content.executable)?,
            None => true,
        };
        file.sync_all()?;
        let identity = Stat::from(rustix::fs::fstat(&file)?).identity;
        Ok(Staged {
            identity,
            owner_kept,
        })
    }

    fn rename(&self, at: &Folder, from: &Path, to: &Path) -> io::Result<()> {
        match rustix::fs::renameat_with(at, from, at, to, RenameFlags::NOREPLACE) {
            Err(errno) if is_unsupported(errno) => {
                rustix::fs::linkat(at, from, at, to, AtFlags::empty())?;
                Ok(rustix::fs::unlinkat(at, from, AtFlags::empty())?)
            }
            result => Ok(result?),
        }
    }

    fn exchange(&self, at: &Folder, staged: &Path, target: &Path, spare: &Path) -> io::Result<()> {
        match rustix::fs::renameat_with(at, staged, at, target, RenameFlags::EXCHANGE) {
            Err(errno) if is_unsupported(errno) => {
                self.rename(at, target, spare)?;
                if let Err(error) = self.rename(at, staged, target) {
                    self.rename(at, spare, target)?;
                    return Err(error);
                }
                self.rename(at, spare, staged)
            }
            result => Ok(result?),
        }
    }

    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(at, name, AtFlags::empty())?)
    }

    fn sync(&self, at: &Folder) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let readable = rustix::fs::openat(at, ".", flags, Mode::empty())?;
        match rustix::fs::fsync(readable) {
            // Some file systems have nothing to write through for a folder.
            Err(Errno::INVAL) => Ok(()),
            result => Ok(result?),
        }
    }
}

/// Gives a new file the metadata of another, as far as the user is permitted to. Tells whether the owner was kept.
fn take_over(file: &File, model: &FoundFile, executable: Option<bool>) -> io::Result<bool> {
    let FoundFile { file: model, stat } = model;
    let owner_kept = keep_owner(file, stat)?;
    let mode = match executable {
        None => stat.mode,
        Some(false) => stat.mode & !0o111,
        // Whoever may read it may execute it.
        Some(true) => stat.mode | ((stat.mode & 0o444) >> 2),
    };
    rustix::fs::fchmod(file, Mode::from_raw_mode(mode))?;
    let names = match model.list_xattr() {
        Ok(names) => names,
        Err(error) if is_refusal(&error) => return Ok(owner_kept),
        Err(error) => return Err(error),
    };
    for name in names {
        let Some(value) = model.get_xattr(&name)? else {
            continue;
        };
        match file.set_xattr(&name, &value) {
            Err(error) if !is_refusal(&error) => return Err(error),
            Ok(()) | Err(_) => (),
        }
    }
    Ok(owner_kept)
}

fn keep_owner(file: &File, stat: &Stat) -> io::Result<bool> {
    let (user, group) = stat.owner;
    let new = Stat::from(rustix::fs::fstat(file)?);
    if new.owner == stat.owner {
        return Ok(true);
    }
    let group = Some(rustix::fs::Gid::from_raw(group));
    let user = Some(rustix::fs::Uid::from_raw(user));
    match rustix::fs::fchown(file, user, group) {
        Ok(()) => Ok(true),
        // The group alone may still be within the user's rights.
        Err(Errno::PERM) => match rustix::fs::fchown(file, None, group) {
            Ok(()) | Err(Errno::PERM) => Ok(false),
            Err(errno) => Err(errno.into()),
        },
        Err(errno) => Err(errno.into()),
    }
}

fn is_unsupported(errno: Errno) -> bool {
    matches!(errno, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported
    )
}
