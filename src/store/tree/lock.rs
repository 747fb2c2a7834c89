//! Locks, so that two programs do not work on one tree at once. The system releases them when their holder ends.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use thiserror::Error;

use super::root::Root;
use crate::store::state::state_folder::{REMOVE_IT, StateError, StateFolder};

/// Longest wait of a commit for another one, which takes moments.
const PATIENCE: Duration = Duration::from_secs(10);

/// A lock that holds until it is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough if a program that was just started still has it open.
        let _: io::Result<()> = self.file.unlock();
    }
}

/// Holder of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockHolder {
    /// Its process number.
    pub process: u32,
    /// When it took the lock.
    pub since: SystemTime,
}

/// Reason why a lock could not be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another program has it.
    #[error("another countersign is at work in this folder{}", described(*holder))]
    Held {
        /// The other program, if it is known.
        holder: Option<LockHolder>,
    },
    /// There is no place for locks.
    #[error(transparent)]
    State(#[from] StateError),
    /// The lock's file cannot be used.
    #[error("the lock `{}` cannot be taken: {source}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl LockError {
    /// Returns a function that names the file of a lock, for the errors of the system about it.
    pub(in crate::store) fn unusable(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Unusable {
            path: path.to_owned(),
            source,
        }
    }
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Held { .. } => "finish there first, or hand the edit to it",
            Self::State(error) => error.hint(),
            Self::Unusable { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
                REMOVE_IT
            }
            Self::Unusable { .. } => {
                "free some space there, or set `XDG_STATE_HOME` to a folder on a local disk"
            }
        }
    }
}

impl Root {
    /// Takes the lock of the one reviewer of this root. Commits of other programs go on, and are seen as conflicts.
    ///
    /// # Errors
    ///
    /// [`LockError`] if another reviewer has it or it cannot be used.
    pub fn lock(&self) -> Result<Lock, LockError> {
        let path = self.state()?.make()?.lock_file("review");
        match try_lock(&path)? {
            Some(lock) => Ok(lock),
            None => Err(held_error(&path)),
        }
    }
}

/// Takes the lock of the one commit at a time; waits for another one to end.
pub(in crate::store) fn lock_commits(state: &StateFolder) -> Result<Lock, LockError> {
    wait_for(state, "commit")
}

/// Takes the lock of the one change of threads at a time; waits for another one to end.
pub(in crate::store) fn lock_threads(state: &StateFolder) -> Result<Lock, LockError> {
    wait_for(state, "threads")
}

fn wait_for(state: &StateFolder, name: &str) -> Result<Lock, LockError> {
    const PAUSE: Duration = Duration::from_millis(2);
    let path = state.lock_file(name);
    let begin = Instant::now();
    loop {
        if let Some(lock) = try_lock(&path)? {
            return Ok(lock);
        }
        if begin.elapsed() > PATIENCE {
            return Err(held_error(&path));
        }
        thread::sleep(PAUSE);
    }
}

/// Takes a lock; `None` if another program has it.
fn try_lock(path: &Path) -> Result<Option<Lock>, LockError> {
    let unusable = LockError::unusable(path);
    let mut file = open(path).map_err(&unusable)?;
    match file.try_lock() {
        Ok(()) => (),
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(source)) => return Err(unusable(source)),
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let text = format!("{} {}\n", std::process::id(), now.as_secs());
    file.set_len(0).map_err(&unusable)?;
    file.write_all(text.as_bytes()).map_err(unusable)?;
    Ok(Some(Lock { file }))
}

/// Opens the file of a lock, or makes it. Opening a pipe would wait for its other end.
fn open(path: &Path) -> io::Result<File> {
    let flags =
        OFlags::WRONLY | OFlags::CREATE | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH;
    let file = match rustix::fs::open(path, flags, mode) {
        Ok(file) => Some(File::from(file)),
        // It is a pipe without a reader, or a socket.
        Err(Errno::NXIO | Errno::ISDIR | Errno::LOOP) => None,
        Err(error) => return Err(error.into()),
    };
    match file {
        Some(file) if file.metadata()?.is_file() => Ok(file),
        Some(_) | None => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    }
}

fn held_error(path: &Path) -> LockError {
    let holder = fs::read_to_string(path).ok().and_then(|text| {
        let (process, since) = text.trim().split_once(' ')?;
        Some(LockHolder {
            process: process.parse().ok()?,
            since: UNIX_EPOCH.checked_add(Duration::from_secs(since.parse().ok()?))?,
        })
    });
    LockError::Held { holder }
}

fn described(holder: Option<LockHolder>) -> String {
    match holder {
        None => String::new(),
        Some(LockHolder { process, since }) => {
            let seconds = since.elapsed().unwrap_or_default().as_secs();
            match (seconds / 3600, seconds / 60) {
                (0, 0) => format!(" (process {process}, for {seconds} s)"),
                (0, minutes) => format!(" (process {process}, for {minutes} min)"),
                (hours, _) => format!(" (process {process}, for {hours} h)"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    #[test]
    fn a_lock_is_a_regular_file() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        drop(try_lock(&path).unwrap().unwrap());
        assert!(try_lock(&path).unwrap().is_some());
        fs::remove_file(&path).unwrap();
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let error = try_lock(&path).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
        let reader = OFlags::RDONLY | OFlags::NONBLOCK;
        let _reader = rustix::fs::open(&path, reader, Mode::empty()).unwrap();
        let error = try_lock(&path).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
    }
}
