//! A folder held open, in which a file is named by one name and no link is ever followed.
//!
//! Every access to the tree ends here: the way to a folder is walked from the root's handle, one name at a time and
//! without following links, so whatever is swapped for a link meanwhile makes the access fail and leads nowhere.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::bounded_read;
use super::snapshot::{ContentHash, FileVersion, VersionKind};
use crate::proposal::RepoPath;

/// A folder, held by its handle.
#[derive(Debug)]
pub(in crate::store) struct Folder(Dir);

/// Kind of a name, with the file if it is one.
#[derive(Debug)]
pub(in crate::store) enum FoundName {
    Nothing,
    File(FoundFile),
    Folder,
    Link,
    /// A device, a pipe, a socket.
    Special,
}

/// A regular file, open to be read.
#[derive(Debug)]
pub(in crate::store) struct FoundFile {
    pub(in crate::store) file: File,
    pub(in crate::store) stat: NameStat,
}

/// Metadata of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct NameStat {
    pub(in crate::store) kind: NameKind,
    pub(in crate::store) identity: Identity,
    pub(in crate::store) size: u64,
    pub(in crate::store) modified: (i64, u64),
    pub(in crate::store) mode: u32,
    pub(in crate::store) links: u64,
    pub(in crate::store) owner: (u32, u32),
}

/// Identity of a file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::store) struct Identity {
    pub(in crate::store) device: u64,
    inode: u64,
}

/// Kind of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum NameKind {
    File,
    Folder,
    Link,
    Special,
}

impl Folder {
    /// Opens a folder inside the root, following no link on the way.
    pub(in crate::store) fn open(root: &Dir, path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(opened) = Self::open_at_once(root, path) {
            return opened;
        }
        let mut dir = root.try_clone()?;
        for name in path.components() {
            dir = dir.open_dir_nofollow(name)?;
        }
        Ok(Self(dir))
    }

    /// The same in one step, where the kernel can do it.
    #[cfg(target_os = "linux")]
    fn open_at_once(root: &Dir, path: &Path) -> Option<io::Result<Self>> {
        use rustix::fs::ResolveFlags;

        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(root, path, flags, Mode::empty(), resolve) {
            Ok(folder) => Some(Ok(Self(Dir::from_std_file(folder.into())))),
            // An old kernel, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => None,
            Err(errno) => Some(Err(errno.into())),
        }
    }

    /// The device that the folder is on.
    pub(in crate::store) fn device(&self) -> io::Result<Option<u64>> {
        Ok(Some(
            NameStat::from(rustix::fs::fstat(self)?).identity.device,
        ))
    }

    /// Returns the metadata of a name; `None` if it is missing.
    pub(in crate::store) fn stat(&self, name: &Path) -> io::Result<Option<NameStat>> {
        match rustix::fs::statat(self, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(NameStat::from(stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Returns the kind of a name, and opens it if it is a file. A pipe that takes its place meanwhile does not block.
    pub(in crate::store) fn look(&self, name: &Path) -> io::Result<FoundName> {
        match self.stat(name)? {
            Some(stat) => self.open_found(name, &stat),
            None => Ok(FoundName::Nothing),
        }
    }

    /// The same for a name whose metadata was read just now.
    pub(in crate::store) fn open_found(
        &self,
        name: &Path,
        stat: &NameStat,
    ) -> io::Result<FoundName> {
        match stat.kind {
            NameKind::Folder => return Ok(FoundName::Folder),
            NameKind::Link => return Ok(FoundName::Link),
            NameKind::Special => return Ok(FoundName::Special),
            NameKind::File => (),
        }
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file: File = match rustix::fs::openat(self, name, flags, Mode::empty()) {
            Ok(file) => file.into(),
            Err(Errno::NOENT) => return Ok(FoundName::Nothing),
            Err(errno) => return Err(errno.into()),
        };
        let stat = NameStat::from(rustix::fs::fstat(&file)?);
        match stat.kind {
            NameKind::File => Ok(FoundName::File(FoundFile { file, stat })),
            NameKind::Folder => Ok(FoundName::Folder),
            NameKind::Link | NameKind::Special => Ok(FoundName::Special),
        }
    }

    /// Returns the target of a symbolic link; `None` if there is no link of this name, or its target is not UTF-8.
    pub(in crate::store) fn link_target(&self, name: &Path) -> io::Result<Option<String>> {
        match rustix::fs::readlinkat(self, name, Vec::new()) {
            Ok(target) => Ok(target.into_string().ok()),
            Err(Errno::NOENT | Errno::INVAL) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Returns true if a name is that of a folder.
    pub(in crate::store) fn is_folder(&self, name: &Path) -> bool {
        matches!(self.stat(name), Ok(Some(stat)) if stat.kind == NameKind::Folder)
    }

    /// Returns the names in the folder.
    pub(in crate::store) fn names(&self) -> io::Result<Vec<OsString>> {
        let listed = rustix::fs::Dir::new(self.readable()?)?;
        let names =
            listed.map(|entry| Ok(OsString::from_vec(entry?.file_name().to_bytes().into())));
        let names: io::Result<Vec<OsString>> = names.collect();
        let is_own = |name: &OsString| name != "." && name != "..";
        Ok(names?.into_iter().filter(is_own).collect())
    }

    /// Returns the names in a folder of this one.
    pub(in crate::store) fn inside(&self, name: &Path) -> io::Result<Vec<OsString>> {
        Self(self.0.open_dir_nofollow(name)?).names()
    }

    /// Returns a handle with which the folder can be listed and synced.
    pub(in crate::store) fn readable(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(self, ".", flags, Mode::empty())?)
    }

    /// Returns true if the user may write to a file.
    pub(in crate::store) fn may_write(&self, name: &Path, stat: &NameStat) -> bool {
        const ANYONE_MAY_WRITE: u32 = 0o222;
        stat.mode & ANYONE_MAY_WRITE != 0
            && rustix::fs::accessat(self, name, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
    }
}

impl From<Dir> for Folder {
    fn from(dir: Dir) -> Self {
        Self(dir)
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl FoundFile {
    /// Returns the bytes of the file.
    pub(in crate::store) fn read(&mut self) -> io::Result<Vec<u8>> {
        self.read_at_most(bounded_read::MOST_BYTES)
    }

    /// Returns the bytes of the file if there are no more than `most`.
    pub(in crate::store) fn read_at_most(&mut self, most: u64) -> io::Result<Vec<u8>> {
        bounded_read::read_at_most(&self.file, self.stat.size, most)
    }

    /// Returns true if the file has these bytes.
    pub(in crate::store) fn holds(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let mut left = bytes;
        // One byte more shows that nothing follows.
        let mut read = vec![0; (bytes.len() + 1).min(1 << 15)];
        loop {
            let n = match self.file.read(&mut read) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                n => n?,
            };
            match left.split_at_checked(n) {
                Some((same, rest)) if *same == read[..n] => left = rest,
                Some(_) | None => return Ok(false),
            }
            // Most files give less than they are asked for only at their end, which saves a call.
            if n == 0 || n < read.len() && left.is_empty() {
                return Ok(left.is_empty());
            }
        }
    }

    /// Returns the file's version, for which all of it is read, a part at a time.
    pub(in crate::store) fn version(&mut self) -> io::Result<FileVersion> {
        if self.stat.size > bounded_read::MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(FileVersion {
            hash: ContentHash::of_reader(&mut self.file)?,
            executable: self.stat.executable(),
            kind: VersionKind::File,
        })
    }
}

impl NameStat {
    /// Returns true if its owner may execute it, which is all that git keeps of a mode.
    pub(in crate::store) fn executable(&self) -> bool {
        self.mode & 0o100 != 0
    }
}

impl From<rustix::fs::Stat> for NameStat {
    #[allow(clippy::unnecessary_cast, reason = "the widths differ between systems")]
    fn from(stat: rustix::fs::Stat) -> Self {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => NameKind::File,
            FileType::Directory => NameKind::Folder,
            FileType::Symlink => NameKind::Link,
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => NameKind::Special,
        };
        Self {
            kind,
            identity: Identity {
                device: stat.st_dev as u64,
                inode: stat.st_ino as u64,
            },
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
            mode: stat.st_mode as u32 & 0o7777,
            links: stat.st_nlink as u64,
            owner: (stat.st_uid, stat.st_gid),
        }
    }
}

/// The folders that one commit works in, each opened once; bounded, for handles are few.
#[derive(Debug)]
pub(in crate::store) struct OpenFolders<'a> {
    root: &'a Dir,
    open: HashMap<PathBuf, Rc<Folder>>,
}

impl<'a> OpenFolders<'a> {
    const MOST: usize = 128;

    pub(in crate::store) fn new(root: &'a Dir) -> Self {
        Self {
            root,
            open: HashMap::new(),
        }
    }

    /// The root that all of them are in.
    pub(in crate::store) fn root(&self) -> &'a Dir {
        self.root
    }

    pub(in crate::store) fn get(&mut self, path: &Path) -> io::Result<Rc<Folder>> {
        if let Some(folder) = self.open.get(path) {
            return Ok(Rc::clone(folder));
        }
        if self.open.len() >= Self::MOST {
            self.open.clear();
        }
        let folder = Rc::new(Folder::open(self.root, path)?);
        self.open.insert(path.to_owned(), Rc::clone(&folder));
        Ok(folder)
    }

    /// Returns the kind of a path without links whose metadata was read just now.
    pub(in crate::store) fn open(
        &mut self,
        path: &RepoPath,
        stat: &NameStat,
    ) -> io::Result<FoundName> {
        let (folder, name) = split(path);
        self.get(folder)?.open_found(name, stat)
    }

    /// Returns the kind of a path without links. A missing folder on the way counts as nothing.
    pub(in crate::store) fn look(&mut self, path: &RepoPath) -> io::Result<FoundName> {
        let (folder, name) = split(path);
        match self.get(folder) {
            Ok(folder) => folder.look(name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(FoundName::Nothing),
            Err(error) => Err(error),
        }
    }
}

/// Returns true if an error means that a name is missing, and not only that it cannot be read.
pub(in crate::store) fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Returns true if an error means that there is no folder on the way to a name: nothing, a file, or a link.
pub(in crate::store) fn is_no_folder(error: &io::Error) -> bool {
    is_missing(error) || error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

/// A path as the folder and the name in it.
pub(in crate::store) fn split(path: &RepoPath) -> (&Path, &Path) {
    let path = path.as_path();
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => (folder, Path::new(name)),
        (None, _) | (_, None) => (Path::new(""), path),
    }
}
