//! Finds the reviewer of a folder: its own, or that of the nearest folder above it.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use super::error::ClientError;
use crate::agent::socket::connect;

/// Returns the root of the reviewer that serves this folder: the folder itself, or the nearest one above it.
///
/// # Errors
///
/// [`ClientError`] if there is none, or it cannot be asked.
pub fn served_root(folder: &Path) -> Result<PathBuf, ClientError> {
    let (_, below) = find(folder)?;
    let real = folder.canonicalize().map_err(ClientError::Connection)?;
    let levels = below.map_or(0, |below| Path::new(&below).components().count());
    let root = real.ancestors().nth(levels).map(Path::to_owned);
    root.ok_or_else(|| ClientError::Nobody(folder.to_owned()))
}

/// Returns whether a reviewer serves this folder or one above it.
pub fn is_served(folder: &Path) -> bool {
    find(folder).is_ok()
}

/// Connects to the nearest reviewer, and returns the name of `folder` relative to its root unless it is the root.
pub(super) fn find(folder: &Path) -> Result<(UnixStream, Option<String>), ClientError> {
    let nobody = || ClientError::Nobody(std::path::absolute(folder).unwrap_or(folder.to_owned()));
    let real = folder.canonicalize().map_err(|_| nobody())?;
    for root in real.ancestors() {
        if let Some(stream) = connect(root)? {
            let below = real.strip_prefix(root).unwrap_or(Path::new(""));
            let below = Some(below.to_string_lossy().into_owned());
            return Ok((stream, below.filter(|below| !below.is_empty())));
        }
    }
    Err(nobody())
}
