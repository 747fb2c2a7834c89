//! Copy-on-write layers: everything that a command wrote in a root, kept beside the root until a person has reviewed it.
//!
//! A layer is a folder in the state of its root. `upper` and `work` belong to overlayfs (or `copy` holds a copy of the whole
//! tree), `base` records the tree as it was when the run started, and `about.json` describes the run.

pub(super) mod base;
pub(super) mod base_version;
mod copy;
mod emptied_files;
pub(super) mod entries;
mod error;
mod git_folder;
pub(super) mod guest_folder;
mod ignored;
pub(super) mod open_files;
pub(super) mod pinned_versions;
pub(super) mod remaining;
mod reset;
mod stamp;
mod stat;

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::store::folder::bounded_read::{MOST_BYTES, read_regular};
use crate::store::folder::replace_file::replace_file;
use crate::store::folder::snapshot::ContentHash;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

pub(crate) use error::LayerError;

/// Time that a reviewed layer is kept, so that the ignored files in it can be used again.
const KEEP_REVIEWED: Duration = Duration::from_hours(7 * 24);

/// The longest step of a file system's clock that is waited for.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// The beginning of the names of layers that are being removed.
const REMOVED: &str = ".removed-";

/// The folder of one copy-on-write layer.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// The layer's name.
    pub(crate) id: String,
    folder: PathBuf,
}

/// The description of a run, kept in its layer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LayerRecord {
    /// The command and its arguments, as text.
    pub(crate) command: Vec<String>,
    /// The root's path.
    pub(crate) root: PathBuf,
    /// When the run started, in seconds since 1970.
    pub(crate) started: u64,
    /// The change time that a file got when the run started, in seconds and nanoseconds: a file that is older has not been
    /// changed since.
    pub(crate) clock: (i64, u64),
    /// The mechanism of the layer.
    pub(crate) kind: LayerKind,
    /// The progress of the run and its review.
    pub(crate) state: LayerState,
    /// The commit that was checked out when the run started, in a git repository.
    #[serde(default)]
    pub(crate) head: Option<String>,
    /// The folders that were written directly, relative to the root.
    #[serde(default)]
    pub(crate) through: Vec<PathBuf>,
}

/// The mechanisms of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LayerKind {
    /// An overlay file system over the root.
    Overlay,
    /// A copy of the tree in another folder.
    Copy,
}

/// The progress of a run and its review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LayerState {
    /// The command is running, or was when the program was killed.
    Running,
    /// The command has exited; nothing was reviewed since.
    Ended,
    /// A review was finished since the command exited.
    Reviewed,
}

/// The exclusive use of a layer, while a command runs in it or its review is open.
#[derive(Debug)]
pub(crate) struct LayerLock {
    _file: File,
}

impl Root {
    /// Creates an empty layer.
    pub(crate) fn create_layer(
        &self,
        command: &[String],
        kind: LayerKind,
    ) -> Result<Layer, LayerError> {
        let base = self.layers_folder()?;
        let state = self.state_base()?;
        if state.starts_with(self.path()) {
            return Err(LayerError::StateInRoot { state });
        }
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let seed = format!("{} {now:?} {}", self.path().display(), std::process::id());
        let id = ContentHash::of(seed.as_bytes()).to_string()[..8].to_owned();
        let layer = Layer {
            folder: base.join(&id),
            id,
        };
        for name in ["", "upper", "work", "base", "inside"] {
            layer.attempt(&layer.folder.join(name), |path| {
                let mut builder = DirBuilder::new();
                builder.recursive(true).mode(0o700).create(path)
            })?;
        }
        // The merged folder has the permissions of the upper one.
        layer.attempt(&layer.upper(), |upper| {
            fs::set_permissions(upper, fs::metadata(self.path())?.permissions())
        })?;
        let clock = layer.clock()?;
        layer.write_about(&LayerRecord {
            command: command.to_vec(),
            root: self.path().to_owned(),
            started: now.as_secs(),
            clock,
            kind,
            state: LayerState::Running,
            head: None,
            through: Vec::new(),
        })?;
        Ok(layer)
    }

    /// Returns all layers of this root, the latest first.
    pub(crate) fn layers(&self) -> Result<Vec<(Layer, LayerRecord)>, LayerError> {
        let folder = self.state()?.layers_folder();
        let listed = match fs::read_dir(&folder) {
            Ok(listed) => listed,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => {
                return Err(StateError::unusable(&folder)(source).into());
            }
        };
        let mut layers: Vec<(Layer, LayerRecord)> = listed
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let layer = Layer {
                    id: entry.file_name().into_string().ok()?,
                    folder: entry.path(),
                };
                if layer.id.starts_with(REMOVED) {
                    return None;
                }
                let about = layer.about().ok()?;
                Some((layer, about))
            })
            .collect();
        layers.sort_by_key(|(_, about)| std::cmp::Reverse(about.clock));
        Ok(layers)
    }

    /// Finds a layer by its name, or by the beginning of it if that is unambiguous.
    pub(crate) fn layer(&self, id: &str) -> Result<(Layer, LayerRecord), LayerError> {
        let mut found = self.layers()?;
        found.retain(|(layer, _)| !id.is_empty() && layer.id.starts_with(id));
        match <[_; 1]>::try_from(found) {
            Ok([found]) => Ok(found),
            Err(_) => Err(LayerError::Unknown {
                id: id.to_owned(),
                root: self.path().to_owned(),
            }),
        }
    }

    /// Removes layers that were reviewed long ago, and what is left of removed ones. Layers that nobody has reviewed stay.
    pub(crate) fn prune_layers(&self) {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let oldest = now.saturating_sub(KEEP_REVIEWED).as_secs();
        let listed = self
            .layers_folder()
            .ok()
            .and_then(|all| fs::read_dir(all).ok());
        for entry in listed.into_iter().flatten().flatten() {
            if entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(REMOVED.as_bytes())
            {
                let _ = clear(&entry.path());
            }
        }
        for (layer, about) in self.layers().unwrap_or_default() {
            if about.state == LayerState::Reviewed
                && about.started < oldest
                && let Ok(lock) = layer.lock()
            {
                // It is removed some other time if it cannot be removed now.
                let _ = layer.remove(lock);
            }
        }
    }

    /// The folder that holds the state of all roots.
    pub(crate) fn state_base(&self) -> Result<PathBuf, StateError> {
        let folder = self.layers_folder()?;
        let base = folder.parent().and_then(Path::parent);
        base.map(Path::to_owned).ok_or(StateError::NoHome)
    }

    fn layers_folder(&self) -> Result<PathBuf, StateError> {
        Ok(self.state()?.make()?.layers_folder())
    }
}

impl Layer {
    /// The folder of the layer.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder in which overlayfs keeps what was written.
    pub(crate) fn upper(&self) -> PathBuf {
        self.folder.join("upper")
    }

    /// The copy of the tree, in a layer made by copying.
    pub(crate) fn copy_of(&self, root: &Path) -> PathBuf {
        let name = root.file_name().unwrap_or("root".as_ref());
        self.folder.join("copy").join(name)
    }

    /// The folder of the recorded base.
    pub(crate) fn base_folder(&self) -> PathBuf {
        self.folder.join("base")
    }

    /// Reads the description of the run.
    pub(crate) fn about(&self) -> Result<LayerRecord, LayerError> {
        self.attempt(&self.folder.join("about.json"), |path| {
            Ok(serde_json::from_slice(&read_regular(path, MOST_BYTES)?)?)
        })
    }

    /// Replaces the description of the run.
    pub(crate) fn write_about(&self, about: &LayerRecord) -> Result<(), LayerError> {
        self.attempt(&self.folder.join("about.json"), |path| {
            replace_file(path, &serde_json::to_vec(about)?)
        })
    }

    /// Changes the progress of the run.
    pub(crate) fn set_state(&self, state: LayerState) -> Result<(), LayerError> {
        let about = self.about()?;
        self.write_about(&LayerRecord { state, ..about })
    }

    /// Takes the layer for exclusive use.
    ///
    /// # Errors
    ///
    /// [`LayerError::InUse`] if another process has it.
    pub(crate) fn lock(&self) -> Result<LayerLock, LayerError> {
        let path = self.folder.join("lock");
        let file = self.attempt(&path, |path| {
            File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)
        })?;
        match file.try_lock() {
            Ok(()) => Ok(LayerLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LayerError::InUse {
                id: self.id.clone(),
            }),
            Err(TryLockError::Error(source)) => Err(self.unusable(&path, source)),
        }
    }

    /// Removes the layer and everything in it.
    pub(crate) fn remove(&self, lock: LayerLock) -> Result<(), LayerError> {
        // From here on no command takes it for a layer: a part of one must never be written.
        let removed = self.folder.with_file_name(format!("{REMOVED}{}", self.id));
        self.attempt(&self.folder, |folder| fs::rename(folder, &removed))?;
        drop(lock);
        self.attempt(&removed, clear)
    }

    /// Writes the layer to the disk, which the overlay does not do by itself.
    pub(crate) fn sync(&self) -> Result<(), LayerError> {
        self.attempt(&self.folder, |folder| {
            #[cfg(target_os = "linux")]
            rustix::fs::syncfs(File::open(folder)?)?;
            #[cfg(not(target_os = "linux"))]
            let _ = folder;
            Ok(())
        })
    }

    /// Makes the folders of another overlay of this layer.
    pub(crate) fn make_also(&self, number: usize, covered: &Path) -> Result<(), LayerError> {
        let own = self.folder.join("also").join(number.to_string());
        for name in ["upper", "work"] {
            self.attempt(&own.join(name), |path| {
                let mut builder = DirBuilder::new();
                builder.recursive(true).mode(0o700).create(path)
            })?;
        }
        self.attempt(&own.join("upper"), |upper| {
            fs::set_permissions(upper, fs::metadata(covered)?.permissions())
        })
    }

    /// Forgets that the command of an earlier run was started.
    pub(crate) fn forget_entered(&self) -> Result<(), LayerError> {
        self.attempt(&self.folder.join("entered"), |path| {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                Ok(()) | Err(_) => Ok(()),
            }
        })
    }

    /// Returns true if the command was about to be started.
    pub(crate) fn was_entered(&self) -> bool {
        self.folder.join("entered").exists()
    }

    /// The change time of a file that is written now. No file that was written before has it: the system's clock for files
    /// goes on in steps of some milliseconds.
    fn clock(&self) -> Result<(i64, u64), LayerError> {
        self.attempt(&self.folder.join("clock"), |path| {
            let first = written_at(path)?;
            let deadline = Instant::now() + CLOCK_STEP;
            loop {
                let next = written_at(path)?;
                if next != first || Instant::now() > deadline {
                    return Ok(next);
                }
                thread::sleep(Duration::from_millis(1));
            }
        })
    }

    fn attempt<T>(
        &self,
        path: &Path,
        attempt: impl FnOnce(&Path) -> io::Result<T>,
    ) -> Result<T, LayerError> {
        attempt(path).map_err(|source| self.unusable(path, source))
    }

    fn unusable(&self, path: &Path, source: io::Error) -> LayerError {
        LayerError::Unusable {
            id: self.id.clone(),
            path: path.to_owned(),
            source,
        }
    }
}

/// Removes a folder and everything in it.
fn clear(folder: &Path) -> io::Result<()> {
    make_removable(folder)?;
    fs::remove_dir_all(folder)
}

/// Gives the owner all permissions on folders, some of which overlayfs and build tools make without.
fn make_removable(folder: &Path) -> io::Result<()> {
    let mode = fs::symlink_metadata(folder)?.permissions().mode();
    if mode & 0o700 != 0o700 {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700))?;
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_removable(&entry.path())?;
        }
    }
    Ok(())
}

/// Writes an empty file and returns the time of its change, by the clock of the file system.
fn written_at(path: &Path) -> io::Result<(i64, u64)> {
    fs::write(path, b"")?;
    Ok(stat::Stat::of(path)?.changed)
}
