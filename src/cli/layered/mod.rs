//! `countersign run`: a command works in a copy-on-write layer, and what it changed reaches the tree only after a review.

mod base;
mod candidates;
mod commits;
mod finish;
mod internal;
mod list;
mod renames;
mod review;
mod source;
mod start;

pub(super) use finish::LAYER_VERDICT;
pub(super) use internal::{enter, map_ids, reset_inside};
pub(super) use list::list;
pub(super) use review::{apply, review};
pub(super) use source::LayerChanges;
pub(super) use start::run;

use std::path::{Path, PathBuf};

use super::settings;
use crate::agent::git::Repository;
use crate::config::Config;
use crate::store::{About, Layer, LayerError, Root};

/// The folder that a layer covers: the one that is named, or the git working tree around the current folder, or that folder.
fn folder(named: Option<&Path>) -> PathBuf {
    match named {
        Some(named) => named.to_owned(),
        None => Repository::find(Path::new(".")).map_or_else(
            |_| PathBuf::from("."),
            |repository| repository.top().to_owned(),
        ),
    }
}

/// Finds a layer by its name, in the root of a folder or of one above it.
fn find(folder: &Path, id: &str) -> anyhow::Result<(Root, Layer, About)> {
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

/// The root with its guards, as the settings want them.
fn guarded(root: Root, config: &Config) -> Root {
    settings::guarded(root, &config.settings)
}
