//! The single steps that change the disk, behind a trait so that a test can make any of them fail.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use xattr::FileExt;

use super::folder::{Folder, Found, FoundFile, Identity, Stat};
use super::history;
use super::journal::{self, Phase, Record};
use super::plan::NewMode;
use super::snapshot::ContentHash;
use super::state::State;

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
    /// Writes the bytes and the mode of one file into another, which stays the same file, through to the disk.
    fn overwrite(&self, at: &Folder, target: &Path, from: &Path) -> io::Result<()>;
    /// Removes a file's name.
    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Writes a folder's names through to the disk.
    fn sync(&self, at: &Folder) -> io::Result<()>;

    /// Keeps a content in the history.
    fn keep(&self, state: &State, hash: ContentHash, bytes: &[u8]) -> io::Result<()>;
    /// Begins the journal.
    fn begin(&self, state: &State, record: &Record) -> io::Result<()>;
    /// Notes a phase in the journal.
    fn mark(&self, state: &State, phase: Phase) -> io::Result<()>;
    /// Ends the journal of a commit that was taken back.
    fn discard(&self, state: &State) -> io::Result<()>;
    /// Ends the journal of a commit that is done.
    fn archive(&self, state: &State, id: &str) -> io::Result<()>;
}

/// What a staged file gets.
#[derive(Debug)]
pub(super) struct Content<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) mode: NewMode,
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
    /// A staged file that was found again.
    pub(super) fn found(stat: Stat) -> Self {
        Self {
            identity: stat.identity,
            owner_kept: true,
        }
    }

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
        let mode = match (&content.like, content.mode) {
            (Some(_), _) | (None, NewMode::Exactly(_)) => 0o600,
            (None, NewMode::Executable(true)) => 0o777,
            (None, NewMode::Executable(false) | NewMode::Keep) => 0o666,
        };
        let mut file: File = rustix::fs::openat(at, name, flags, Mode::from_raw_mode(mode))?.into();
        file.write_all(content.bytes)?;
        let owner_kept = match &content.like {
            Some(model) => take_over(&file, model, content.mode)?,
            None => true,
        };
        if let NewMode::Exactly(mode) = content.mode {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
        }
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
                exchange_by_renames(self, at, staged, target, spare)
            }
            result => Ok(result?),
        }
    }

    fn overwrite(&self, at: &Folder, target: &Path, from: &Path) -> io::Result<()> {
        let Found::File(mut source) = at.look(from)? else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let bytes = source.read()?;
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file: File = rustix::fs::openat(at, target, flags, Mode::empty())?.into();
        // In this order a part of it can be told from any other change: new bytes, then old ones.
        file.write_all(&bytes)?;
        file.set_len(bytes.len() as u64)?;
        rustix::fs::fchmod(&file, Mode::from_raw_mode(source.stat.mode))?;
        file.sync_all()
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

    fn keep(&self, state: &State, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
        history::keep(state, hash, bytes)
    }

    fn begin(&self, state: &State, record: &Record) -> io::Result<()> {
        journal::begin(state, record)
    }

    fn mark(&self, state: &State, phase: Phase) -> io::Result<()> {
        journal::mark(state, phase)
    }

    fn discard(&self, state: &State) -> io::Result<()> {
        journal::discard(state)
    }

    fn archive(&self, state: &State, id: &str) -> io::Result<()> {
        journal::archive(state, id)
    }
}

/// Lets two files change names in three steps, or in none.
pub(super) fn exchange_by_renames(
    disk: &impl Disk,
    at: &Folder,
    staged: &Path,
    target: &Path,
    spare: &Path,
) -> io::Result<()> {
    disk.rename(at, target, spare)?;
    if let Err(error) = disk.rename(at, staged, target) {
        disk.rename(at, spare, target)?;
        return Err(error);
    }
    if let Err(error) = disk.rename(at, spare, staged) {
        disk.rename(at, target, staged)?;
        disk.rename(at, spare, target)?;
        return Err(error);
    }
    Ok(())
}

/// Gives a new file the metadata of another, as far as the user is permitted to. Tells whether the owner was kept.
fn take_over(file: &File, model: &FoundFile, mode: NewMode) -> io::Result<bool> {
    let FoundFile { file: model, stat } = model;
    let owner_kept = keep_owner(file, stat)?;
    let mode = match mode {
        NewMode::Keep => stat.mode,
        NewMode::Exactly(mode) => mode,
        NewMode::Executable(false) => stat.mode & !0o111,
        // Whoever may read it may execute it.
        NewMode::Executable(true) => stat.mode | ((stat.mode & 0o444) >> 2),
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
