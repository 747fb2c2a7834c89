//! The folder that edits may touch.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use ignore::gitignore::Gitignore;
use thiserror::Error;

use super::git_folder::GitFolders;
use super::linked_names::LinkedNames;
use crate::proposal::RepoPath;
use crate::store::folder::bounded_read;
use crate::store::folder::enclosing_folders::EnclosingFolders;
use crate::store::rules::ignore_rules::IgnoreFiles;
use crate::store::rules::own_files::{OwnFile, OwnFiles, settings_paths, without_links};
use crate::store::state::state_folder::{StateError, StateFolder, usual_folder};

/// The folder that edits may touch.
///
/// It is held by a handle, so it stays the same folder whatever its name comes to mean. The ignore files in it are read
/// once; open it again for every batch.
#[derive(Debug)]
pub struct Root {
    dir: Dir,
    /// The folder's name without links.
    path: PathBuf,
    /// The folder's absolute name as it was given, which absolute names in edits may begin with.
    given: PathBuf,
    /// The ignore files of the agents.
    pub(in crate::store) ignore_files: IgnoreFiles,
    /// Whose changes are written.
    pub(in crate::store) actor: Actor,
    /// Patterns of the settings for protected files.
    pub(in crate::store) protected: Gitignore,
    /// The folder of the state of all roots, without links.
    state_base: Option<PathBuf>,
    /// The folders and files of the user's settings, without links.
    pub(in crate::store) settings_paths: Vec<PathBuf>,
    /// The files of countersign that are inside the root, if any are.
    own_files: OnceLock<OwnFiles>,
    /// The folders of which is known whether they are git's own.
    pub(super) git_folders: GitFolders,
    /// The links with protected names that were found so far.
    pub(in crate::store) linked_names: LinkedNames,
    /// The folders above, up to the top of the repository.
    pub(in crate::store) enclosing: EnclosingFolders,
    /// The largest file that is read, in bytes.
    most_bytes: u64,
}

/// Originator of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Actor {
    /// An agent, which the ignore files keep from files.
    Agent,
    /// A person, who may change any file.
    Person,
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
    /// Returns a function that names the folder, for the errors of the system about it.
    fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Unreadable {
            path: path.to_owned(),
            source,
        }
    }
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
        let unreadable = OpenError::unreadable(dir);
        let given = std::path::absolute(dir).map_err(&unreadable)?;
        let path = given.canonicalize().map_err(&unreadable)?;
        if path.components().any(|part| part.as_os_str() == ".git") {
            return Err(OpenError::Git { path });
        }
        let dir = Dir::open_ambient_dir(&path, ambient_authority()).map_err(unreadable)?;
        Ok(Self {
            dir,
            enclosing: EnclosingFolders::of(&path),
            path,
            given,
            ignore_files: IgnoreFiles::default(),
            actor: Actor::Agent,
            protected: Gitignore::empty(),
            state_base: usual_folder().map(|folder| without_links(&folder)),
            settings_paths: settings_paths(),
            own_files: OnceLock::new(),
            git_folders: GitFolders::default(),
            linked_names: LinkedNames::default(),
            most_bytes: USUAL_MOST_BYTES,
        })
    }

    /// The same folder with the same guards, for another batch: its ignore files are read again.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if its name does not lead to a folder any more.
    pub fn anew(&self) -> Result<Self, OpenError> {
        let again = Self::open(&self.path)?;
        Ok(Self {
            given: self.given.clone(),
            ignore_files: self.ignore_files.unread(),
            actor: self.actor,
            protected: self.protected.clone(),
            state_base: self.state_base.clone(),
            settings_paths: self.settings_paths.clone(),
            own_files: OnceLock::new(),
            most_bytes: self.most_bytes,
            ..again
        })
    }

    /// Keeps locks, journal and history below another folder than the usual `$XDG_STATE_HOME/countersign`.
    #[must_use]
    pub fn keeping_state_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.state_base = Some(without_links(&folder.into()));
        self.own_files = OnceLock::new();
        self
    }

    /// Treats another file or folder as part of the user's settings.
    #[must_use]
    pub fn with_settings_at(mut self, path: &Path) -> Self {
        self.settings_paths.push(without_links(path));
        self.own_files = OnceLock::new();
        self
    }

    /// Reads no file of more bytes than this, of which 4 GiB are the most.
    #[must_use]
    pub fn reading_at_most(mut self, bytes: u64) -> Self {
        self.most_bytes = bytes.min(bounded_read::MOST_BYTES);
        self
    }

    /// The largest file that is read, in bytes.
    pub(in crate::store) fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// The folder of the state of all roots, without links.
    pub(in crate::store) fn state_folder(&self) -> Option<&Path> {
        self.state_base.as_deref()
    }

    /// Lets files be touched that the ignore files keep from agents: it is a person who changes them.
    #[must_use]
    pub fn for_a_person(mut self) -> Self {
        self.actor = Actor::Person;
        self
    }

    /// The root's absolute path, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder for what must outlive the program, which need not be there yet.
    pub(in crate::store) fn state(&self) -> Result<StateFolder, StateError> {
        let base = self.state_base.as_deref().ok_or(StateError::NoHome)?;
        Ok(StateFolder::of(base, &self.path))
    }

    pub(in crate::store) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// An absolute path as seen from the root; `None` if it is not inside.
    pub(in crate::store) fn relative<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        path.strip_prefix(&self.path)
            .or_else(|_| path.strip_prefix(&self.given))
            .ok()
    }

    /// Returns `true` for an absolute name that begins with the path of the root.
    pub(crate) fn is_name_inside(&self, name: &str) -> bool {
        self.relative(Path::new(name)).is_some()
    }

    /// Returns the kind of a file that belongs to countersign; `None` for all others.
    pub(in crate::store) fn own_file(&self, path: &RepoPath) -> Option<OwnFile> {
        let own_files = self.own_files.get_or_init(|| {
            let state = self
                .state_base
                .iter()
                .map(|folder| (OwnFile::State, folder));
            let settings = self.settings_paths.iter();
            let settings = settings.map(|path| (OwnFile::Settings, path));
            OwnFiles::inside(&self.path, state.chain(settings))
        });
        own_files.of(path)
    }
}
