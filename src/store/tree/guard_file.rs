//! Reading the files that guard a tree: ignore files and the settings of a repository.
//!
//! A guard that is there but cannot be read in full is an error, never an empty guard.

use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use rustix::io::Errno;

use super::root::Root;
use super::symlinks::resolve_links;
use crate::proposal::RepoPath;
use crate::store::folder::bounded_read::read_regular;
use crate::store::folder::folder_handle::{Folder, FoundName, OpenFolders, is_missing};

/// The largest file that is read as a guard.
const MOST_BYTES: u64 = 1 << 20;

/// A file that guards a root, from the root itself or from a folder above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardFile {
    /// Its name for people, as seen from the root.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Reason why a guard cannot be used. No edit may be written then.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` cannot be read: {source}")]
pub struct GuardError {
    /// The file's name for people, as seen from the root.
    pub name: String,
    /// The system's error.
    pub source: io::Error,
}

impl Root {
    /// Reads the files of one name from the root, which comes first, up to the top of its repository.
    ///
    /// # Errors
    ///
    /// [`GuardError`] if one is no regular file, leads out of the repository, is too large, or cannot be read.
    pub fn guard_files(&self, name: &str) -> Result<Vec<GuardFile>, GuardError> {
        let mut files = Vec::new();
        for folder in self.enclosing.folders() {
            let shown = self.enclosing.shown(folder, name);
            let found = self.guard_folder(folder).and_then(|open| match open {
                Some(open) => read_guard(self, &open, folder, name),
                None => Ok(None),
            });
            match found {
                Ok(Some(bytes)) => files.push(GuardFile { name: shown, bytes }),
                Ok(None) => (),
                Err(source) => {
                    return Err(GuardError {
                        name: shown,
                        source,
                    });
                }
            }
        }
        Ok(files)
    }

    /// Opens a folder that is named from the top of the repository; `None` if it is missing or a link.
    pub(in crate::store) fn guard_folder(&self, folder: &Path) -> io::Result<Option<Folder>> {
        let opened = match self.enclosing.seen_from_root(folder) {
            Some(folder) => Folder::open(self.dir(), folder),
            None => Dir::open_ambient_dir(self.enclosing.top().join(folder), ambient_authority())
                .map(Folder::from),
        };
        match opened {
            Ok(open) => Ok(Some(open)),
            Err(error)
                if is_missing(&error) || Errno::from_io_error(&error) == Some(Errno::LOOP) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Reads a guard in a folder that is named from the top of the repository; `None` if there is none. A link is followed if it
/// stays inside.
pub(in crate::store) fn read_guard(
    root: &Root,
    open: &Folder,
    folder: &Path,
    name: &str,
) -> io::Result<Option<Vec<u8>>> {
    match open.look(Path::new(name))? {
        FoundName::Nothing => Ok(None),
        FoundName::Folder => Err(io::ErrorKind::IsADirectory.into()),
        FoundName::File(mut file) => file.read_at_most(MOST_BYTES).map(Some),
        FoundName::Link => read_link(root, folder, name).map(Some),
        FoundName::Special => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    }
}

fn read_link(root: &Root, folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    let leads_out = "it is a link that leads out of the root";
    let leads_out = || io::Error::new(io::ErrorKind::InvalidInput, leads_out);
    let Some(inside) = root.enclosing.seen_from_root(folder) else {
        let real = root
            .enclosing
            .top()
            .join(folder)
            .join(name)
            .canonicalize()?;
        return if real.starts_with(root.enclosing.top()) {
            read_regular(&real, MOST_BYTES)
        } else {
            Err(leads_out())
        };
    };
    let name = inside.join(name);
    let path = RepoPath::parse(&name.to_string_lossy()).map_err(io::Error::other)?;
    let mut folders = OpenFolders::new(root.dir());
    let target = resolve_links(root, &mut folders, &path)
        .map_err(|_| leads_out())?
        .target;
    match folders.look(&target)? {
        FoundName::File(mut file) => file.read_at_most(MOST_BYTES),
        FoundName::Nothing => Err(io::ErrorKind::NotFound.into()),
        FoundName::Folder | FoundName::Link | FoundName::Special => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it does not lead to a regular file",
        )),
    }
}
