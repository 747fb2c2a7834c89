//! Changing the index: under git's own lock, and only if it still is as it was reviewed.
//!
//! The next index is made beside the old one, and takes its place in one step.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use rustix::io::Errno;
use rustix::process::Pid;

use super::raw_diff::Blob;
use super::repository::{GitError, Repository, name_printed};

/// Change of one entry of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staging {
    /// The name, as seen from the top folder.
    pub path: String,
    /// The current entry; `None` if there is none.
    pub before: Option<Blob>,
    /// The new entry; `None` if it is removed.
    pub after: Option<Blob>,
}

/// Lock of the index, and the next index. Both are removed unless the index is put in place.
struct IndexLock {
    index: PathBuf,
    /// The file that keeps git away. It names this process, so that it can be removed if the process is killed.
    lock: PathBuf,
    next: PathBuf,
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
        let environment = [("GIT_INDEX_FILE", lock.next.as_os_str())];
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
        let others = changes.iter().filter(|change| {
            let before = change.before.as_ref();
            let expected = before.map(|blob| format!("{} {} 0", blob.mode, blob.id));
            there.get(change.path.as_str()).copied() != expected.as_deref()
        });
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
        let process = std::process::id();
        let lock = with_suffix(&index, ".lock");
        let is_taken = create_lock(&lock, process)?
            || remove_abandoned(&index, &lock) && create_lock(&lock, process)?;
        if !is_taken {
            return Err(GitError::Locked { lock });
        }
        let taken = Self {
            next: with_suffix(&index, &format!(".countersign-{process}")),
            index,
            lock,
        };
        let failed = |source| GitError::Index { source };
        let mut next = File::create(&taken.next).map_err(failed)?;
        copy(&taken.index, &mut next).map_err(failed)?;
        Ok(taken)
    }

    fn put_in_place(self) -> Result<(), GitError> {
        let failed = |source| GitError::Index { source };
        File::open(&self.next)
            .and_then(|file| file.sync_all())
            .map_err(failed)?;
        fs::rename(&self.next, &self.index).map_err(failed)
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        // Git reports a lock that stays, and the next start removes it.
        let _ = fs::remove_file(&self.next);
        let _ = fs::remove_file(&self.lock);
    }
}

/// Creates the lock, which names this process; `false` if there is one already.
fn create_lock(lock: &Path, process: u32) -> Result<bool, GitError> {
    let mut options = OpenOptions::new();
    match options.write(true).create_new(true).open(lock) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        opened => opened
            .and_then(|mut lock| writeln!(lock, "{OWNER}{process}"))
            .map(|()| true)
            .map_err(|source| GitError::Index { source }),
    }
}

/// Removes a lock that a countersign has left which was killed; `false` if the lock is another program's.
fn remove_abandoned(index: &Path, lock: &Path) -> bool {
    let Some(process) = owner(lock).filter(|process| has_ended(*process)) else {
        return false;
    };
    let next = with_suffix(index, &format!(".countersign-{}", process.as_raw_pid()));
    for left in [with_suffix(&next, ".lock"), next] {
        // It need not have been made yet.
        let _ = fs::remove_file(left);
    }
    fs::remove_file(lock).is_ok()
}

/// The start of a lock of ours, before the number of the process.
const OWNER: &str = "countersign ";

/// Returns the process of a countersign that made a lock; `None` if the lock is another program's.
fn owner(lock: &Path) -> Option<Pid> {
    /// More than any lock of ours has.
    const MOST: u64 = 64;
    let about = fs::symlink_metadata(lock).ok()?;
    if !about.is_file() || about.len() > MOST {
        return None;
    }
    let text = fs::read_to_string(lock).ok()?;
    let process = text.strip_prefix(OWNER)?.trim_end().parse().ok()?;
    Pid::from_raw(process)
}

fn has_ended(process: Pid) -> bool {
    rustix::process::test_kill_process(process) == Err(Errno::SRCH)
}

/// Returns a name that ends with something more.
fn with_suffix(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The number of digits of the names of contents here.
fn id_length(changes: &[Staging]) -> usize {
    let known = changes.iter().find_map(|change| change.before.as_ref());
    known.map_or(40, |blob| blob.id.len())
}

/// Copies an index with its modification time, by which git recognizes files that changed while it was written (git's
/// `Documentation/technical/racy-git`): a later time would hide such changes.
pub(super) fn copy(index: &Path, next: &mut File) -> io::Result<()> {
    let mut index = File::open(index)?;
    let metadata = index.metadata()?;
    next.set_permissions(metadata.permissions())?;
    io::copy(&mut index, next)?;
    next.set_modified(metadata.modified()?)
}
