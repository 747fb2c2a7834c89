//! Changing the index: under git's own lock, and only if it still is as it was reviewed.
//!
//! The next index is made in the lock's file, as git itself does it, and takes the place of the old one in one step.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::{Blob, GitError, Repository, name_printed};

/// What becomes of one name in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staging {
    /// The name, as seen from the top folder.
    pub path: String,
    /// What is there; `None` if nothing is.
    pub before: Option<Blob>,
    /// What is to be there; `None` if nothing is.
    pub after: Option<Blob>,
}

/// The lock of the index. What was made in it is forgotten unless it is put in place.
struct IndexLock {
    index: PathBuf,
    lock: PathBuf,
    held: bool,
}

impl Repository {
    /// Stores a content, and gives its name.
    ///
    /// # Errors
    ///
    /// [`GitError`] if it cannot be stored.
    pub fn store(&self, bytes: &[u8]) -> Result<String, GitError> {
        let hash = ["hash-object", "-w", "--stdin", "--no-filters"];
        let id = self.tell(&hash, bytes, &[])?;
        Ok(name_printed(&id))
    }

    /// Changes the index, all of it or nothing. Gives the tree that it was before, if it was one.
    ///
    /// # Errors
    ///
    /// [`GitError`] if it is not as it was, or cannot be written; it is as before then.
    pub fn stage(&self, changes: &[Staging]) -> Result<Option<String>, GitError> {
        let lock = IndexLock::take(self.own_file("index")?)?;
        let environment = [("GIT_INDEX_FILE", lock.lock.as_os_str())];
        let repository = self.at_top();
        repository.expect(changes, &environment)?;
        let before = repository.tell(&["write-tree"], &[], &environment).ok();
        repository.enter(changes, &environment)?;
        lock.put_in_place()?;
        Ok(before.map(|tree| name_printed(&tree)))
    }

    /// Enters changes into the index that the environment names.
    pub(super) fn enter(
        &self,
        changes: &[Staging],
        environment: &[(&str, &OsStr)],
    ) -> Result<(), GitError> {
        let mut input = String::new();
        for Staging { path, after, .. } in changes {
            let line = match after {
                Some(Blob { mode, id }) => format!("{mode} {id}\t{path}\0"),
                None => format!("0 {}\t{path}\0", "0".repeat(id_length(changes))),
            };
            input.push_str(&line);
        }
        let update = ["update-index", "-z", "--index-info"];
        self.tell(&update, input.as_bytes(), environment).map(drop)
    }

    /// Fails if a name in the index does not hold what it did.
    fn expect(&self, changes: &[Staging], environment: &[(&str, &OsStr)]) -> Result<(), GitError> {
        let printed = self.tell(&["ls-files", "--stage", "-z"], &[], environment)?;
        let printed = String::from_utf8_lossy(&printed);
        let entries = printed
            .split('\0')
            .filter_map(|entry| entry.split_once('\t'));
        let there: FxHashMap<&str, &str> = entries.map(|(entry, name)| (name, entry)).collect();
        let is_as_before = |change: &&Staging| {
            let before = change.before.as_ref();
            let expected = before.map(|blob| format!("{} {} 0", blob.mode, blob.id));
            there.get(change.path.as_str()).copied() == expected.as_deref()
        };
        let others = changes.iter().filter(|change| !is_as_before(change));
        let paths: Vec<String> = others.map(|change| change.path.clone()).collect();
        if paths.is_empty() {
            Ok(())
        } else {
            Err(GitError::Changed { paths })
        }
    }
}

impl IndexLock {
    fn take(index: PathBuf) -> Result<Self, GitError> {
        let mut name = index.as_os_str().to_owned();
        name.push(".lock");
        let lock = PathBuf::from(name);
        let failed = |source| GitError::Index { source };
        let mut next = match OpenOptions::new().write(true).create_new(true).open(&lock) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(GitError::Locked { lock });
            }
            opened => opened.map_err(failed)?,
        };
        let taken = Self {
            index,
            lock,
            held: true,
        };
        copy(&taken.index, &mut next).map_err(failed)?;
        Ok(taken)
    }

    fn put_in_place(mut self) -> Result<(), GitError> {
        let failed = |source| GitError::Index { source };
        File::open(&self.lock)
            .and_then(|file| file.sync_all())
            .map_err(failed)?;
        fs::rename(&self.lock, &self.index).map_err(failed)?;
        self.held = false;
        Ok(())
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if self.held {
            // Git says so if it stays.
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// The number of digits of the names of contents here.
fn id_length(changes: &[Staging]) -> usize {
    let known = changes.iter().find_map(|change| change.before.as_ref());
    known.map_or(40, |blob| blob.id.len())
}

/// Copies an index with its time, by which git tells files that were changed in the moment in which it was written (git's
/// `Documentation/technical/racy-git`): a later one would hide such changes.
pub(super) fn copy(index: &Path, next: &mut File) -> io::Result<()> {
    let mut index = File::open(index)?;
    let metadata = index.metadata()?;
    next.set_permissions(metadata.permissions())?;
    io::copy(&mut index, next)?;
    next.set_modified(metadata.modified()?)
}
