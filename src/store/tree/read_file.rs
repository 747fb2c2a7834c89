//! Reading a file for review.

use std::io;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::root::Root;
use super::symlinks::Admitted;
use crate::parallel;
use crate::proposal::RepoPath;
use crate::store::folder::folder_handle::{Folder, FoundName, NameKind, OpenFolders, split};
use crate::store::folder::snapshot::{ContentHash, FileState, Snapshot};
use crate::store::rules::guard::Forbidden;
use crate::text::Document;

/// Reason why a file cannot be reviewed.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file may not be touched.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// The name is a folder's.
    #[error("`{path}` is a folder")]
    Folder {
        /// The folder.
        path: RepoPath,
    },
    /// The name is a device's, a pipe's or a socket's.
    #[error("`{path}` is not a regular file")]
    Special {
        /// The name.
        path: RepoPath,
    },
    /// A folder on the way is not a folder.
    #[error("`{path}` lies below a name that is not a folder")]
    NotAFolder {
        /// The file.
        path: RepoPath,
    },
    /// The file is larger than the setting `guard.max_file_mib` allows.
    #[error("`{path}` is not read: {source}")]
    TooLarge {
        /// The file.
        path: RepoPath,
        /// Its size and the limit.
        source: io::Error,
    },
    /// The system does not let the file be read.
    #[error("`{path}` cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: RepoPath,
        /// The system's error.
        source: io::Error,
    },
}

impl ReadError {
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Forbidden(error) => error.hint(),
            Self::Folder { .. } => "name a file in it",
            Self::Special { .. } => "only regular files can be edited",
            Self::NotAFolder { .. } => "choose another name, or move what is in the way",
            Self::TooLarge { .. } => {
                "raise the setting `guard.max_file_mib`, or edit the file by hand"
            }
            Self::Unreadable { .. } => "check the file's permissions",
        }
    }
}

impl Root {
    /// Reads a file as it is now.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file may not be touched or cannot be read. That there is no file, or no text in it, is no error.
    pub fn read(&self, path: &RepoPath) -> Result<Snapshot, ReadError> {
        self.read_in(&mut OpenFolders::new(self.dir()), path)
    }

    /// Reads many files as they are now, on all cores.
    pub fn read_all(&self, paths: &[RepoPath]) -> Vec<Result<Snapshot, ReadError>> {
        let own = || OpenFolders::new(self.dir());
        parallel::map_with(paths, own, |folders, path| self.read_in(folders, path))
    }

    /// Reads what has a name without following a link of that name: a link is read by its target.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the name may not be touched or cannot be read.
    pub fn read_entry(&self, path: &RepoPath) -> Result<Snapshot, ReadError> {
        let folders = &mut OpenFolders::new(self.dir());
        let target = self.admit_entry(folders, path)?;
        let (folder, name) = split(&target);
        let Ok(folder) = folders.get(folder) else {
            return self.read_in(folders, path);
        };
        match link_target(&folder, name) {
            Ok(None) => self.read_in(folders, path),
            Ok(Some(link)) => Ok(Snapshot {
                path: path.clone(),
                target,
                state: FileState::Link { target: link },
            }),
            Err(source) => Err(ReadError::Unreadable {
                path: path.clone(),
                source,
            }),
        }
    }

    /// Reads what has a name, which may be a folder, without following a link of that name.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the name may not be touched or cannot be read.
    pub fn read_any(&self, path: &RepoPath) -> Result<Snapshot, ReadError> {
        match self.read_entry(path) {
            Err(ReadError::Folder { path }) => {
                let target = self.admit_entry(&mut OpenFolders::new(self.dir()), &path)?;
                let state = FileState::Folder;
                Ok(Snapshot {
                    path,
                    target,
                    state,
                })
            }
            read => read,
        }
    }

    /// Returns a name as one that nothing has, for a batch that replaces what is in the place of its folder.
    ///
    /// # Errors
    ///
    /// [`Forbidden`] if the name may not be touched.
    pub fn vacant(&self, path: &RepoPath) -> Result<Snapshot, Forbidden> {
        self.admit_name(path)?;
        Ok(Snapshot {
            path: path.clone(),
            target: path.clone(),
            state: FileState::Absent,
        })
    }

    fn read_in(
        &self,
        folders: &mut OpenFolders<'_>,
        path: &RepoPath,
    ) -> Result<Snapshot, ReadError> {
        let Admitted { target, stat } = self.admitted(folders, path)?;
        let path = path.clone();
        let found = match stat {
            Some(stat) => folders.open(&target, &stat),
            None => folders.look(&target),
        };
        let state = match found {
            Ok(FoundName::Nothing) => FileState::Absent,
            Ok(FoundName::File(mut file)) => match file.read_at_most(self.most_bytes()) {
                Ok(bytes) => state_of(bytes, file.stat.executable()),
                Err(source) if source.kind() == io::ErrorKind::FileTooLarge => {
                    return Err(ReadError::TooLarge { path, source });
                }
                Err(source) => return Err(ReadError::Unreadable { path, source }),
            },
            Ok(FoundName::Folder) => return Err(ReadError::Folder { path }),
            Ok(FoundName::Link | FoundName::Special) => return Err(ReadError::Special { path }),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(ReadError::NotAFolder { path });
            }
            Err(source) => return Err(ReadError::Unreadable { path, source }),
        };
        Ok(Snapshot {
            path,
            target,
            state,
        })
    }
}

impl Root {
    /// Returns the bytes of a file that was read, if it is unchanged.
    ///
    /// # Errors
    ///
    /// The system's error; a file that has changed is an error too.
    pub fn load(&self, snapshot: &Snapshot) -> io::Result<Vec<u8>> {
        let bytes = match OpenFolders::new(self.dir()).look(&snapshot.target)? {
            FoundName::File(mut file) => file.read()?,
            FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special => {
                return Err(io::ErrorKind::NotFound.into());
            }
        };
        if Some(ContentHash::of(&bytes)) == snapshot.hash() {
            Ok(bytes)
        } else {
            Err(io::Error::other(format!("`{}` has changed", snapshot.path)))
        }
    }
}

/// Returns the target of a link; `None` if the name is no link.
fn link_target(folder: &Folder, name: &Path) -> io::Result<Option<String>> {
    match folder.stat(name)? {
        Some(stat) if stat.kind == NameKind::Link => {
            let target = folder.link_target(name)?;
            target.map(Some).ok_or(io::ErrorKind::InvalidData.into())
        }
        Some(_) | None => Ok(None),
    }
}

/// Returns the state of a file with these bytes.
fn state_of(bytes: Vec<u8>, executable: bool) -> FileState {
    let hash = ContentHash::of(&bytes);
    let size = bytes.len() as u64;
    match Document::decode(bytes) {
        Ok(document) => FileState::File {
            document: Arc::new(document),
            hash,
            executable,
        },
        Err(why) => FileState::Opaque {
            size,
            hash,
            executable,
            why,
        },
    }
}
