//! An index as it would be, beside the repository's own: to see what a commit of it would have.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::{GitError, Repository, Staging};

/// An index as it would be. Nothing of the repository is written: what it lacks is stored beside the index (git(1),
/// `GIT_OBJECT_DIRECTORY`; gitrepository-layout(5), `objects/info/alternates`).
#[derive(Debug)]
pub struct NextIndex {
    repository: Repository,
    index: PathBuf,
    objects: PathBuf,
}

impl NextIndex {
    /// The index of a repository as it is, copied to a folder of its own.
    ///
    /// # Errors
    ///
    /// [`GitError`] if it cannot be read, or the folder not be written.
    pub fn new(repository: &Repository, own: &Path) -> Result<Self, GitError> {
        let next = Self {
            repository: repository.at_top(),
            index: own.join("index"),
            objects: own.join("objects"),
        };
        let index = repository.own_file("index")?;
        let mut known = repository.own_file("objects")?.into_os_string();
        known.push("\n");
        let made = || {
            fs::copy(index, &next.index)?;
            let info = next.objects.join("info");
            fs::create_dir_all(&info)?;
            fs::write(info.join("alternates"), known.as_encoded_bytes())
        };
        made().map_err(|source| GitError::Index { source })?;
        Ok(next)
    }

    /// Stores a content, and gives its name.
    ///
    /// # Errors
    ///
    /// [`GitError`] if it cannot be stored.
    pub fn store(&self, bytes: &[u8]) -> Result<String, GitError> {
        self.repository.store_in(bytes, &self.environment())
    }

    /// Changes it, and lays all of its files out below a folder.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot do that.
    pub fn check_out(&self, changes: &[Staging], folder: &Path) -> Result<(), GitError> {
        let environment = self.environment();
        self.repository.enter(changes, &environment)?;
        let mut prefix = OsString::from("--prefix=");
        prefix.push(folder);
        prefix.push("/");
        let check_out = [OsStr::new("checkout-index"), OsStr::new("--all"), &prefix];
        self.repository
            .tell(&check_out, &[], &environment)
            .map(drop)
    }

    fn environment(&self) -> [(&'static str, &OsStr); 2] {
        [
            ("GIT_INDEX_FILE", self.index.as_os_str()),
            ("GIT_OBJECT_DIRECTORY", self.objects.as_os_str()),
        ]
    }
}
