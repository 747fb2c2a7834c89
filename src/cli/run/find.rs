//! Finds the folder that a layer covers, and a layer by its name.

use std::path::{Path, PathBuf};

use crate::agent::git::Repository;
use crate::store::{Layer, LayerError, LayerRecord, Root};

/// The folder that a layer covers: the one that is named, or the git working tree around the current folder, or that folder.
pub(in crate::cli) fn folder(named: Option<&Path>) -> PathBuf {
    match named {
        Some(named) => named.to_owned(),
        None => Repository::find(Path::new(".")).map_or_else(
            |_| PathBuf::from("."),
            |repository| repository.top().to_owned(),
        ),
    }
}

/// Finds a layer by its name, in the root of a folder or of one above it.
pub(super) fn find(folder: &Path, id: &str) -> anyhow::Result<(Root, Layer, LayerRecord)> {
    let first = Root::open(folder)?;
    let unknown = match first.layer(id) {
        Ok((layer, about)) => return Ok((first, layer, about)),
        Err(unknown) => unknown,
    };
    let above: Vec<PathBuf> = first
        .path()
        .ancestors()
        .skip(1)
        .map(Path::to_owned)
        .collect();
    for folder in above {
        let Ok(root) = Root::open(&folder) else {
            continue;
        };
        match root.layer(id) {
            Ok((layer, about)) => return Ok((root, layer, about)),
            Err(LayerError::Unknown { .. }) => (),
            Err(error) => return Err(error.into()),
        }
    }
    Err(unknown.into())
}
