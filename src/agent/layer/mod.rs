//! Running a command in a copy-on-write layer: it sees its own writes at the usual paths, and the real tree does not change.
//!
//! The program starts itself once more, without threads, as `countersign enter-layer`. That process moves to a user and a mount
//! namespace of its own (`user_namespaces(7)`, `mount_namespaces(7)`), mounts an overlay over the root, and becomes the command. No
//! setuid program and no daemon is involved.

mod command;
#[cfg(target_os = "linux")]
mod current_layer;
mod entry;
mod error;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod reset_running;
mod standard_streams;
mod trial;

pub(crate) use command::{RunningCommand, become_command};
#[cfg(target_os = "linux")]
pub(crate) use current_layer::covering;
pub(crate) use entry::{Confine, LAYER_VARIABLE, LayerSetup};
pub(crate) use error::EnterError;
#[cfg(target_os = "linux")]
pub(crate) use namespace::{enter, map_ids};
#[cfg(target_os = "linux")]
pub(crate) use processes::{processes_in, stop};
#[cfg(target_os = "linux")]
pub(crate) use reset_running::{ResetSteps, reset_inside, reset_running};

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
pub(crate) fn reset_running(
    _: &str,
    _: &std::path::Path,
    _: &[std::path::PathBuf],
) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// No process can be inside a layer where there are no namespaces.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stop(_: &str) -> Vec<i32> {
    Vec::new()
}
