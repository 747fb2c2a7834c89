//! Running a command in a copy-on-write layer: it sees its own writes at the usual paths, and the real tree does not change.
//!
//! The program starts itself once more, without threads, as `countersign enter-layer`. That process moves to a user and a mount
//! namespace of its own (`user_namespaces(7)`, `mount_namespaces(7)`), mounts an overlay over the root, and becomes the command. No
//! setuid program and no daemon is involved.

mod command;
#[cfg(target_os = "linux")]
mod covering;
#[cfg(target_os = "linux")]
mod enter;
mod error;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod processes;

mod trial;

use std::path::PathBuf;

pub(crate) use command::Running;
#[cfg(target_os = "linux")]
pub(crate) use covering::covering;
#[cfg(target_os = "linux")]
pub(crate) use enter::{enter, map_ids};
pub(crate) use error::EnterError;
#[cfg(target_os = "linux")]
pub(crate) use inside::{reset_inside, reset_running};
#[cfg(target_os = "linux")]
pub(crate) use processes::{processes_in, stop};

pub(crate) use trial::fault;

/// No overlay covers a path where there are no namespaces.
#[cfg(not(target_os = "linux"))]
pub(crate) fn covering(_: &std::path::Path) -> Option<String> {
    None
}

/// No process can be inside a layer where there are no namespaces.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processes_in(_: &str) -> Vec<i32> {
    Vec::new()
}

/// No process can be inside a layer where there are no namespaces.
#[cfg(not(target_os = "linux"))]
pub(crate) fn reset_running(_: &str, _: &std::path::Path, _: &[PathBuf]) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// No process can be inside a layer where there are no namespaces.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stop(_: &str) -> Vec<i32> {
    Vec::new()
}

/// The variable that names the layer to programs inside it.
pub(crate) const LAYER_VARIABLE: &str = "COUNTERSIGN_LAYER";

/// Everything that is needed to enter a layer.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The layer's name.
    pub(crate) id: String,
    /// The folder that is covered by the overlay, without links.
    pub(crate) root: PathBuf,
    /// The layer's folder, with `upper`, `work` and `inside` in it.
    pub(crate) layer: PathBuf,
    /// The folder with the state of all roots, which is hidden from the command.
    pub(crate) state: PathBuf,
    /// The working folder.
    pub(crate) folder: PathBuf,
    /// Other folders that are covered as well: git's own, where it lies outside the root.
    pub(crate) also: Vec<PathBuf>,
    /// Folders below the root that are written directly.
    pub(crate) through: Vec<PathBuf>,
    /// The folders that stay writable; `None` if the rest of the file system is not made read-only.
    pub(crate) confine: Option<Confine>,
}

/// Exceptions from a read-only file system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Confine {
    /// Folders that stay writable.
    pub(crate) write: Vec<PathBuf>,
}
