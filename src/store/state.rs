//! The user's own folder for what must outlive the program: the locks, the journal and the history of one root.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use thiserror::Error;

use super::snapshot::ContentHash;

/// The folder that belongs to one root.
#[derive(Debug)]
pub(super) struct State {
    folder: PathBuf,
}

/// Why nothing can be kept.
#[derive(Debug, Error)]
pub enum StateError {
    /// The system names no home folder.
    #[error("no folder is known in which to keep the journal")]
    NoHome,
    /// The folder cannot be made or written.
    #[error("the journal cannot be kept in `{}`: {source}", path.display())]
    Unusable {
        /// The folder or a file in it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl StateError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoHome => "set `HOME` or `XDG_STATE_HOME`",
            Self::Unusable { .. } => "set `XDG_STATE_HOME` to a folder that you may write to",
        }
    }
}

/// The usual place for the state of all roots: `countersign` in `$XDG_STATE_HOME`.
pub(super) fn usual_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let base = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(base.join("countersign"))
}

impl State {
    /// Opens the folder of a root, and makes it if need be.
    pub(super) fn open(base: &Path, root: &Path) -> Result<Self, StateError> {
        let hash = ContentHash::of(root.as_os_str().as_encoded_bytes()).to_string();
        let name = root.file_name().unwrap_or_default().display();
        let folder = base.join(format!("{}-{name}", &hash[..16]));
        let state = Self { folder };
        for path in [state.log_folder(), state.objects_folder()] {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .map_err(|source| StateError::Unusable { path, source })?;
        }
        Ok(state)
    }

    /// The file that tells what a commit is about to do.
    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// The file that a program locks to be the only one.
    pub(super) fn lock_file(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("lock")
    }

    /// The folder of the finished journals.
    pub(super) fn log_folder(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// The folder of the contents.
    pub(super) fn objects_folder(&self) -> PathBuf {
        self.folder.join("objects")
    }

    /// The file that holds the content of this hash.
    pub(super) fn object(&self, hash: ContentHash) -> PathBuf {
        self.objects_folder().join(hash.to_string())
    }

    /// Writes the names in the folder through to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }
}

/// When a file must have reached the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// Before anything else is done.
    Now,
    /// Whenever the system likes.
    Later,
}

/// Writes a file of the state folder so that it is there in full or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&part)?;
    file.write_all(bytes)?;
    if durability == Durability::Now {
        file.sync_all()?;
    }
    fs::rename(part, path)
}
