//! The folder that edits may touch, and which file in it an edit means.

use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use ignore::gitignore::Gitignore;
use thiserror::Error;

use super::above::Above;
use super::bounded_read;
use super::folder::{Folders, Kind, is_missing, split};
use super::guard::{Forbidden, excess_length, is_device_name, is_git_internal};
use super::ignore_files::IgnoreFiles;
use super::links::settle;
use super::own_files::{OwnFile, settings_paths, without_links};
use super::state::{State, StateError, usual_folder};
use crate::proposal::{PathClaim, PathError, RepoPath};

/// The folder that edits may touch.
///
/// It is held by a handle, so it stays the same folder whatever its name comes to mean. The ignore files in it are read
/// once; open it anew for every batch.
#[derive(Debug)]
pub struct Root {
    dir: Dir,
    /// The folder's name without links.
    path: PathBuf,
    /// The folder's absolute name as it was given, which absolute names in edits may begin with.
    given: PathBuf,
    /// The ignore files of the agents; `None` if they are not asked.
    pub(super) ignore_files: Option<IgnoreFiles>,
    /// Patterns of the settings for protected files.
    pub(super) protected: Gitignore,
    /// The folder of the state of all roots, without links.
    state_base: Option<PathBuf>,
    /// The folders and files of the user's settings, without links.
    pub(super) settings_paths: Vec<PathBuf>,
    /// The folders above, up to the top of the repository.
    pub(super) above: Above,
    /// The largest file that is read, in bytes.
    most_bytes: u64,
}

/// The largest file that is read unless the settings choose another limit, in bytes.
const USUAL_MOST_BYTES: u64 = 256 << 20;

/// Reason why a folder cannot be a root.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The folder cannot be opened.
    #[error("the root `{}` cannot be opened: {source}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The folder is git's own.
    #[error("the root `{}` is inside git's own folder", path.display())]
    Git {
        /// The folder.
        path: PathBuf,
    },
}

impl OpenError {
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "name an existing folder",
            Self::Git { .. } => "name the folder that holds the working tree",
        }
    }
}

impl Root {
    /// Opens a folder as the root.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it is no folder, cannot be read, or lies in a `.git` folder.
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        let unreadable = |source| OpenError::Unreadable {
            path: dir.to_owned(),
            source,
        };
        let given = std::path::absolute(dir).map_err(unreadable)?;
        let path = given.canonicalize().map_err(unreadable)?;
        if path.components().any(|part| part.as_os_str() == ".git") {
            return Err(OpenError::Git { path });
        }
        let dir = Dir::open_ambient_dir(&path, ambient_authority()).map_err(unreadable)?;
        Ok(Self {
            dir,
            above: Above::of(&path),
            path,
            given,
            ignore_files: Some(IgnoreFiles::default()),
            protected: Gitignore::empty(),
            state_base: usual_folder().map(|folder| without_links(&folder)),
            settings_paths: settings_paths(),
            most_bytes: USUAL_MOST_BYTES,
        })
    }

    /// The same folder with the same guards, for another batch: its ignore files are read anew.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if its name does not lead to a folder any more.
    pub fn anew(&self) -> Result<Self, OpenError> {
        let again = Self::open(&self.path)?;
        Ok(Self {
            given: self.given.clone(),
            ignore_files: self.ignore_files.as_ref().map(IgnoreFiles::unread),
            protected: self.protected.clone(),
            state_base: self.state_base.clone(),
            settings_paths: self.settings_paths.clone(),
            most_bytes: self.most_bytes,
            ..again
        })
    }

    /// Keeps locks, journal and history below another folder than the usual `$XDG_STATE_HOME/countersign`.
    #[must_use]
    pub fn keeping_state_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.state_base = Some(without_links(&folder.into()));
        self
    }

    /// Treats another file or folder as part of the user's settings.
    #[must_use]
    pub fn with_settings_at(mut self, path: &Path) -> Self {
        self.settings_paths.push(without_links(path));
        self
    }

    /// Reads no file of more bytes than this, of which 4 GiB are the most.
    #[must_use]
    pub fn reading_at_most(mut self, bytes: u64) -> Self {
        self.most_bytes = bytes.min(bounded_read::MOST_BYTES);
        self
    }

    /// The largest file that is read, in bytes.
    pub(super) fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// The folder of the state of all roots, without links.
    pub(super) fn state_folder(&self) -> Option<&Path> {
        self.state_base.as_deref()
    }

    /// Lets files be touched that the ignore files keep from agents: it is a person who changes them.
    #[must_use]
    pub fn for_a_person(mut self) -> Self {
        self.ignore_files = None;
        self
    }

    /// The root's absolute path, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Settles which file a claim means: the first reading that is a file, else the first that is allowed.
    ///
    /// # Errors
    ///
    /// [`Forbidden`] if the reading that is there may not be touched, or no reading may, or if it cannot be seen whether
    /// a reading is there: the next one would be a guess.
    pub fn resolve(&self, claim: &PathClaim) -> Result<RepoPath, Forbidden> {
        self.resolve_in(&mut Folders::new(&self.dir), claim)
    }

    /// The same with folders that are open already.
    pub(super) fn resolve_in(
        &self,
        folders: &mut Folders<'_>,
        claim: &PathClaim,
    ) -> Result<RepoPath, Forbidden> {
        let mut allowed = None;
        let mut forbidden = None;
        for reading in claim.readings() {
            let path = match self.parse(reading) {
                Ok(path) => path,
                Err(error) => {
                    forbidden.get_or_insert(Forbidden::Name(error));
                    continue;
                }
            };
            match self.admit(folders, &path) {
                Ok(target) if is_file(folders, &target)? => return Ok(path),
                Ok(_) => {
                    allowed.get_or_insert(path);
                }
                Err(error @ (Forbidden::Unreadable { .. } | Forbidden::IgnoreFile { .. })) => {
                    return Err(error);
                }
                Err(error) => match self.dir.symlink_metadata(path.as_path()) {
                    Err(missing) if is_missing(&missing) => {
                        forbidden.get_or_insert(error);
                    }
                    Ok(_) | Err(_) => return Err(error),
                },
            }
        }
        match (allowed, forbidden) {
            (Some(path), _) => Ok(path),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Forbidden::Name(PathError::Empty)),
        }
    }

    /// Returns where a path leads without links, if that may be touched.
    pub(super) fn admit(
        &self,
        folders: &mut Folders<'_>,
        path: &RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        let target = self.admit_for_a_person(folders, path)?;
        self.check_ignored(path, &target)?;
        Ok(target)
    }

    /// The same, whatever the ignore files list.
    pub(super) fn admit_for_a_person(
        &self,
        folders: &mut Folders<'_>,
        path: &RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        self.check_name(path, path)?;
        let target = settle(self, folders, path)?;
        self.check_target(folders, path, target)
    }

    /// Returns where a name is without links, if it may be touched. A link of that name itself is not followed.
    pub(super) fn admit_entry(
        &self,
        folders: &mut Folders<'_>,
        path: &RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        let target = self.admit_entry_for_a_person(folders, path)?;
        self.check_ignored(path, &target)?;
        Ok(target)
    }

    /// The same, whatever the ignore files list.
    pub(super) fn admit_entry_for_a_person(
        &self,
        folders: &mut Folders<'_>,
        path: &RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        self.check_name(path, path)?;
        let (folder, name) = split(path);
        let target = match folder.to_str().map(RepoPath::parse) {
            Some(Ok(folder)) => {
                let folder = settle(self, folders, &folder)?;
                let target = folder.as_path().join(name);
                RepoPath::parse(&target.to_string_lossy())?
            }
            Some(Err(_)) | None => path.clone(),
        };
        self.check_target(folders, path, target)
    }

    /// Refuses a target that nothing may be written to. `asked` is the path that led to it.
    fn check_target(
        &self,
        folders: &mut Folders<'_>,
        asked: &RepoPath,
        target: RepoPath,
    ) -> Result<RepoPath, Forbidden> {
        if target != *asked {
            self.check_name(&target, asked)?;
        }
        if is_device_name(&target) && !is_file(folders, &target)? {
            return Err(Forbidden::Device {
                path: asked.clone(),
            });
        }
        Ok(target)
    }

    /// Refuses a path if an ignore file lists it or its target.
    fn check_ignored(&self, path: &RepoPath, target: &RepoPath) -> Result<(), Forbidden> {
        let Some(ignore_files) = &self.ignore_files else {
            return Ok(());
        };
        ignore_files.check(self, path)?;
        if target == path {
            Ok(())
        } else {
            ignore_files.check(self, target)
        }
    }

    /// Refuses a name that nothing may be written to. `asked` is the path that led to it.
    pub(super) fn check_name(&self, name: &RepoPath, asked: &RepoPath) -> Result<(), Forbidden> {
        let path = asked.clone();
        if is_git_internal(name) {
            Err(Forbidden::Git { path })
        } else if let Some(length) = excess_length(&self.path, name) {
            Err(Forbidden::TooLong { path, length })
        } else if self.own_file(name) == Some(OwnFile::State) {
            Err(Forbidden::OwnState { path })
        } else {
            Ok(())
        }
    }

    /// Settles which name a claim means where links are not followed: the first reading that is there, else the first that is
    /// allowed.
    ///
    /// # Errors
    ///
    /// [`Forbidden`] if no reading may be touched.
    pub fn resolve_entry(&self, claim: &PathClaim) -> Result<RepoPath, Forbidden> {
        let folders = &mut Folders::new(&self.dir);
        let mut allowed = None;
        let mut forbidden = None;
        for reading in claim.readings() {
            let admitted = self.parse(reading).map_err(Forbidden::Name);
            let admitted = admitted.and_then(|path| Ok((self.admit_entry(folders, &path)?, path)));
            match admitted {
                Ok((target, path)) if self.dir.symlink_metadata(target.as_path()).is_ok() => {
                    return Ok(path);
                }
                Ok((_, path)) => {
                    allowed.get_or_insert(path);
                }
                Err(error) => {
                    forbidden.get_or_insert(error);
                }
            }
        }
        match (allowed, forbidden) {
            (Some(path), _) => Ok(path),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Forbidden::Name(PathError::Empty)),
        }
    }

    /// The path inside the root that a link of this name and target leads to, by its words alone; `None` if it leads out.
    pub fn link_leads_to(&self, link: &RepoPath, target: &str) -> Option<RepoPath> {
        let target = Path::new(target);
        let mut path = PathBuf::new();
        let rest = if target.is_absolute() {
            self.relative(target)?
        } else {
            path.push(split(link).0);
            target
        };
        for part in rest.components() {
            match part {
                Component::Normal(name) => path.push(name),
                Component::ParentDir if path.pop() => (),
                Component::CurDir => (),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        RepoPath::parse(path.to_str()?).ok()
    }

    /// The folder for what must outlive the program, which need not be there yet.
    pub(super) fn state(&self) -> Result<State, StateError> {
        let base = self.state_base.as_deref().ok_or(StateError::NoHome)?;
        Ok(State::of(base, &self.path))
    }

    pub(super) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// An absolute path as seen from the root; `None` if it is not inside.
    pub(super) fn relative<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        path.strip_prefix(&self.path)
            .or_else(|_| path.strip_prefix(&self.given))
            .ok()
    }

    fn parse(&self, name: &str) -> Result<RepoPath, PathError> {
        let inside = self.relative(Path::new(name.trim())).and_then(Path::to_str);
        RepoPath::parse(inside.unwrap_or(name))
    }
}

/// Returns true if a regular file is at a path without links.
fn is_file(folders: &mut Folders<'_>, target: &RepoPath) -> Result<bool, Forbidden> {
    let (folder, name) = split(target);
    match folders.get(folder).and_then(|folder| folder.stat(name)) {
        Ok(stat) => Ok(stat.is_some_and(|stat| stat.kind == Kind::File)),
        Err(error) if is_missing(&error) => Ok(false),
        Err(source) => Err(Forbidden::Unreadable {
            path: target.clone(),
            source,
        }),
    }
}
