//! The user's own folder for what must outlive the program: the locks, the journal, the history and the
//! unfinished reviews of one root.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use thiserror::Error;

use super::batch_id::BatchId;
use crate::store::folder::bounded_read::read_regular;
#[cfg(any(target_os = "linux", test))]
use crate::store::folder::folder_handle::NameStat;
use crate::store::folder::snapshot::ContentHash;

/// The largest file with the path of a root, in bytes.
const MOST_ROOT_BYTES: u64 = 64 << 10;

/// The folder that belongs to one root.
#[derive(Debug)]
pub(in crate::store) struct StateFolder {
    folder: PathBuf,
    /// The root that it belongs to, if that is known.
    root: Option<PathBuf>,
}

/// Reason why no state can be kept.
#[derive(Debug, Error)]
pub enum StateError {
    /// The system names no home folder.
    #[error("there is no folder for the journal")]
    NoHome,
    /// The folder cannot be made or written.
    #[error("the journal cannot be kept in `{}`: {source}", path.display())]
    Unusable {
        /// The folder or a file in it.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Advice about something in the place of a file or folder of countersign.
pub(in crate::store) const REMOVE_IT: &str =
    "remove it: countersign did not make it, and makes its own there";

/// Returns true for the errors about something of another kind than the file or folder that is expected.
fn is_in_the_way(error: &io::Error) -> bool {
    let kinds = [
        io::ErrorKind::InvalidInput,
        io::ErrorKind::AlreadyExists,
        io::ErrorKind::IsADirectory,
    ];
    kinds.contains(&error.kind())
}

impl StateError {
    /// Returns a function that names a folder or file, for the errors of the system about it.
    pub(in crate::store) fn unusable(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Unusable {
            path: path.to_owned(),
            source,
        }
    }
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoHome => "set `HOME` or `XDG_STATE_HOME`",
            Self::Unusable { source, .. } if is_in_the_way(source) => REMOVE_IT,
            Self::Unusable { .. } => "set `XDG_STATE_HOME` to a folder that you may write to",
        }
    }
}

/// Longest time for which the state of a root is kept after its last use: as long as anything in it.
const MOST_AGE: Duration = Duration::from_hours(30 * 24);

/// The name of the file with the path of the root.
const ROOT: &str = "root";

/// Pause between two searches for old state.
const BETWEEN_LOOKS: Duration = Duration::from_hours(24);

/// The usual place for the state of all roots: `countersign` in `$XDG_STATE_HOME`.
pub(crate) fn usual_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let base = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(base.join("countersign"))
}

impl StateFolder {
    /// The folder of a root, which need not be there.
    pub(in crate::store) fn of(base: &Path, root: &Path) -> Self {
        let hash = ContentHash::of(root.as_os_str().as_encoded_bytes()).to_string();
        let name = root.file_name().unwrap_or_default().display();
        let folder = base.join(format!("{}-{name}", &hash[..16]));
        Self {
            folder,
            root: Some(root.to_owned()),
        }
    }

    /// Returns true if anything was kept for the root.
    pub(in crate::store) fn is_there(&self) -> bool {
        self.folder.is_dir()
    }

    /// Makes the folder if need be, and forgets those of roots that nothing was written in for long. Only who writes does this:
    /// looking leaves no trace.
    pub(in crate::store) fn make(self) -> Result<Self, StateError> {
        if !self.folder.is_dir()
            && let Some(base) = self.folder.parent()
        {
            // What is not forgotten now is forgotten some other time.
            let _: io::Result<()> = forget_sometimes(base, SystemTime::now());
        }
        for path in [self.log_folder(), self.packs_folder()] {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .map_err(StateError::unusable(&path))?;
        }
        let path = self.folder.join(ROOT);
        let root = (self.root.as_ref()).map(|root| root.as_os_str().as_encoded_bytes());
        if let Some(root) = root {
            // What is written through a link is another file.
            if path.is_symlink() {
                let error = io::Error::new(io::ErrorKind::InvalidInput, "it is a link");
                return Err(StateError::unusable(&path)(error));
            }
            match read_regular(&path, MOST_ROOT_BYTES) {
                Ok(known) if known == root => (),
                // Somebody put something else there. To write to a named pipe would wait for ever.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                    return Err(StateError::unusable(&path)(error));
                }
                // One that was killed may have written a part of it.
                Ok(_) | Err(_) => fs::write(&path, root).map_err(StateError::unusable(&path))?,
            }
        }
        Ok(self)
    }

    /// The file that tells what a commit is about to do.
    pub(in crate::store) fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// The key that journals are sealed with.
    pub(in crate::store) fn seal_file(&self) -> PathBuf {
        self.folder.join("seal")
    }

    /// The file that a program locks to be the only one.
    pub(in crate::store) fn lock_file(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("lock")
    }

    /// The folder of the reviews that are not finished.
    pub(in crate::store) fn reviews_folder(&self) -> PathBuf {
        self.folder.join("reviews")
    }

    /// The folder of the reviews that are finished.
    pub(in crate::store) fn finished_folder(&self) -> PathBuf {
        self.folder.join("finished")
    }

    /// The folder of the records of what was rejected.
    pub(in crate::store) fn rejections_folder(&self) -> PathBuf {
        self.folder.join("rejections")
    }

    /// The folder of the threads.
    pub(in crate::store) fn threads_folder(&self) -> PathBuf {
        self.folder.join("threads")
    }

    /// The folder of the turns of agents.
    pub(in crate::store) fn turns_folder(&self) -> PathBuf {
        self.folder.join("turns")
    }

    /// The folder of the copy-on-write layers.
    pub(in crate::store) fn layers_folder(&self) -> PathBuf {
        self.folder.join("layers")
    }

    /// The file that counts the edits that failed.
    pub(in crate::store) fn failures_file(&self) -> PathBuf {
        self.folder.join("failures.json")
    }

    /// The folder of the finished journals.
    pub(in crate::store) fn log_folder(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// The folder of the contents that commits found and wrote.
    pub(in crate::store) fn packs_folder(&self) -> PathBuf {
        self.folder.join("packs")
    }

    /// The finished journal of one commit.
    pub(in crate::store) fn record(&self, commit: BatchId) -> PathBuf {
        self.log_folder().join(commit.to_string())
    }

    /// The file of the contents that one commit found and wrote.
    pub(in crate::store) fn pack(&self, commit: BatchId) -> PathBuf {
        self.packs_folder().join(commit.to_string())
    }

    /// The folder of the files that one commit replaced and moved here.
    pub(in crate::store) fn replaced(&self, commit: BatchId) -> PathBuf {
        self.folder.join("replaced").join(commit.to_string())
    }

    /// The device that the folder is on.
    #[cfg(any(target_os = "linux", test))]
    pub(in crate::store) fn device(&self) -> Option<u64> {
        let stat = rustix::fs::stat(&self.folder).ok()?;
        Some(NameStat::from(stat).identity.device)
    }

    /// The same, if the file system there is known to write changes of names down in the order in which they are made, all
    /// folders together: those with one journal for all do.
    pub(in crate::store) fn device_in_order(&self) -> Option<u64> {
        #[cfg(target_os = "linux")]
        {
            // ext3 and ext4; XFS; tmpfs, of which nothing outlives a loss of power. See statfs(2).
            const IN_ORDER: [u64; 3] = [0xEF53, 0x5846_5342, 0x0102_1994];
            let kind = rustix::fs::statfs(&self.folder).ok()?.f_type;
            #[allow(
                clippy::cast_sign_loss,
                clippy::unnecessary_cast,
                reason = "its type differs between systems"
            )]
            let is_known = IN_ORDER.contains(&(kind as u64));
            if is_known { self.device() } else { None }
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Writes the names in the folder through to the disk.
    pub(in crate::store) fn sync(&self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }
}

/// Lists the roots for which something is kept.
pub(in crate::store) fn recorded_roots(base: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(base).into_iter().flatten().flatten();
    let roots =
        folders.filter_map(|folder| read_regular(&folder.path().join(ROOT), MOST_ROOT_BYTES).ok());
    roots
        .map(|bytes| OsString::from_vec(bytes).into())
        .collect()
}

/// Looks for old state if nobody has for a while: with many roots it takes longer than a write.
///
/// Nothing is removed when nobody has looked for a very long time. Then the clock may be wrong, and a second look, a day
/// later by the same clock, decides.
fn forget_sometimes(base: &Path, now: SystemTime) -> io::Result<()> {
    let looked = base.join("looked-through");
    let last = fs::metadata(&looked).and_then(|meta| meta.modified());
    let (Some(recent), Some(oldest)) = (now.checked_sub(BETWEEN_LOOKS), now.checked_sub(MOST_AGE))
    else {
        return Ok(());
    };
    if last.as_ref().is_ok_and(|last| *last > recent) {
        return Ok(());
    }
    File::create(&looked)?.set_modified(now)?;
    match last {
        Ok(last) if last > oldest => forget_old(base, oldest),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Removes the state of roots that was not used since a time, unless a commit was interrupted there.
fn forget_old(base: &Path, since: SystemTime) -> io::Result<()> {
    for entry in fs::read_dir(base)? {
        let state = StateFolder {
            folder: entry?.path(),
            root: None,
        };
        let used = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
        // Every commit and every review takes its lock.
        let places = [
            state.lock_file("commit"),
            state.lock_file("review"),
            state.folder.clone(),
        ];
        let is_old = places
            .iter()
            .filter_map(|path| used(path))
            .all(|used| used < since);
        // A layer holds what nobody may have reviewed yet.
        let has_layer =
            fs::read_dir(state.layers_folder()).is_ok_and(|mut layers| layers.next().is_some());
        if is_old
            && state.folder.is_dir()
            && state.journal().symlink_metadata().is_err()
            && !has_layer
        {
            fs::remove_dir_all(&state.folder)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_long_is_forgotten_unless_a_commit_was_interrupted() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            StateFolder::of(place.path(), Path::new(name))
                .make()
                .unwrap()
        };
        let [old, interrupted, used, layered] =
            ["/old", "/interrupted", "/used", "/layered"].map(make);
        fs::write(interrupted.journal(), "{}").unwrap();
        fs::create_dir_all(layered.layers_folder().join("1")).unwrap();
        let now = SystemTime::now();
        let long_ago = now - Duration::from_hours(24 * 90);
        for state in [&old, &interrupted, &used, &layered] {
            File::open(&state.folder)
                .unwrap()
                .set_modified(long_ago)
                .unwrap();
        }
        fs::write(used.lock_file("commit"), "").unwrap();
        File::open(&used.folder)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        let looked = File::open(place.path().join("looked-through")).unwrap();
        make("/soon");
        assert!(old.folder.is_dir(), "somebody has looked just now");
        looked.set_modified(long_ago).unwrap();
        make("/clock-jumped");
        assert!(old.folder.is_dir(), "the clock may have jumped");
        looked.set_modified(now - BETWEEN_LOOKS * 2).unwrap();
        let new = make("/new");
        let there = |state: &StateFolder| state.folder.is_dir();
        assert_eq!(
            [&old, &interrupted, &used, &layered, &new].map(there),
            [false, true, true, true, true]
        );
    }
}
