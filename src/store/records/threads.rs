//! Records of threads, one file each, kept beside the finished reviews.
//!
//! Their contents belong to the review. Here they are bytes under a number. A record is replaced as a whole: a reader finds the old one
//! or the new one.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::saved_reviews::SavedReview;
use crate::store::folder::bounded_read::read_regular;
use crate::store::state::state_folder::StateError;
use crate::store::tree::lock::{Lock, LockError, lock_threads};
use crate::store::tree::root::Root;

/// Most threads of a root.
pub const MOST_THREADS: usize = 500;
/// Most bytes of one record.
const MOST_BYTES: u64 = 2 << 20;

/// A record as it was read.
#[derive(Debug)]
pub struct StoredThread {
    /// Its number.
    pub number: u64,
    /// Its file.
    pub path: PathBuf,
    /// Its bytes, or the reason why they cannot be read.
    pub bytes: io::Result<Vec<u8>>,
}

/// The right to change threads, which one program has at a time.
#[derive(Debug)]
pub struct ThreadsLock {
    folder: PathBuf,
    _lock: Lock,
}

impl Root {
    /// Returns the records of all threads, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`StateError`] if they cannot be listed.
    pub fn threads(&self) -> Result<Vec<StoredThread>, StateError> {
        let folder = self.state()?.threads_folder();
        let numbers = numbers(&folder).map_err(StateError::unusable(&folder))?;
        let records = numbers.into_iter().map(|number| {
            let path = record(&folder, number);
            let bytes = read_regular(&path, MOST_BYTES);
            StoredThread {
                number,
                path,
                bytes,
            }
        });
        Ok(records.collect())
    }

    /// Returns the time of the latest change of a thread: another one after every change.
    pub fn threads_changed(&self) -> Option<SystemTime> {
        let folder = self.state().ok()?.threads_folder();
        folder.metadata().ok()?.modified().ok()
    }

    /// Waits for the right to change threads.
    ///
    /// # Errors
    ///
    /// [`LockError`] if another program keeps it, or there is no place for threads.
    pub fn lock_threads(&self) -> Result<ThreadsLock, LockError> {
        let state = self.state()?.make()?;
        let folder = state.threads_folder();
        let mut builder = fs::DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(&folder);
        made.map_err(LockError::unusable(&folder))?;
        let lock = lock_threads(&state)?;
        Ok(ThreadsLock {
            folder,
            _lock: lock,
        })
    }
}

impl ThreadsLock {
    /// Returns a number that no thread has.
    ///
    /// # Errors
    ///
    /// The system's error.
    pub fn next_number(&self) -> io::Result<u64> {
        Ok(numbers(&self.folder)?.last().map_or(1, |last| last + 1))
    }

    /// Writes a record, and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// The system's error; the record is as it was.
    pub fn replace(&self, number: u64, bytes: &[u8]) -> io::Result<()> {
        SavedReview::in_file(record(&self.folder, number)).replace(bytes)?;
        fs::File::open(&self.folder)?.sync_data()
    }

    /// Removes a record. The latest one stays, so that no number is used twice.
    ///
    /// # Errors
    ///
    /// The system's error.
    pub fn remove(&self, number: u64) -> io::Result<()> {
        if self.next_number()? == number + 1 {
            return Ok(());
        }
        SavedReview::in_file(record(&self.folder, number)).remove()
    }
}

fn record(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("t{number}.json"))
}

/// Returns the numbers of the records of a folder, in order; none if there is no folder.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let name = name.to_str().and_then(|name| name.strip_prefix('t'));
        let number = name.and_then(|name| name.strip_suffix(".json")?.parse::<u64>().ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_never_used_twice_and_records_are_replaced() {
        let place = tempfile::tempdir().unwrap();
        let root = Root::open(place.path()).unwrap();
        let root = root.keeping_state_in(place.path().join("state"));
        assert!(root.threads().unwrap().is_empty());
        assert_eq!(root.threads_changed(), None);
        let lock = root.lock_threads().unwrap();
        for text in ["one", "two", "three"] {
            let number = lock.next_number().unwrap();
            lock.replace(number, text.as_bytes()).unwrap();
        }
        lock.replace(2, b"TWO").unwrap();
        lock.remove(1).unwrap();
        lock.remove(3).unwrap();
        fs::write(lock.folder.join("other.json"), "no record").unwrap();
        fs::create_dir(record(&lock.folder, 9)).unwrap();
        let found: Vec<String> = (root.threads().unwrap().into_iter())
            .map(|stored| match stored.bytes {
                Ok(bytes) => format!("{} {}", stored.number, String::from_utf8_lossy(&bytes)),
                Err(_) => format!("{} unreadable", stored.number),
            })
            .collect();
        assert_eq!(found, ["2 TWO", "3 three", "9 unreadable"]);
        assert!(root.threads_changed().is_some());
    }
}
