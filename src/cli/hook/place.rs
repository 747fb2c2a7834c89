//! Where a call is reviewed: by whom, and under which name of its file.

use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use super::super::args::SettingArgs;
use super::super::settings;
use crate::agent::hook::Call;
use crate::agent::{ClientError, open_overlay, served_root};
use crate::proposal::RepoPath;

/// Where a call is reviewed.
pub(super) struct Place {
    /// The root of the reviewer.
    pub(super) root: PathBuf,
    /// The folder that the agent works in.
    folder: PathBuf,
    /// The file of a call that is about one.
    pub(super) file: Option<RepoPath>,
}

impl Place {
    /// Finds it; where nobody serves it, a reviewer is opened if one can be.
    pub(super) fn of(call: &Call) -> anyhow::Result<Self> {
        let folder = (call.folder.canonicalize()).with_context(|| {
            format!(
                "the agent's folder `{}` cannot be found",
                call.folder.display()
            )
        })?;
        let Some(name) = call.path() else {
            let root = served(&folder)?;
            return Ok(Self {
                root,
                folder,
                file: None,
            });
        };
        let file = real(&folder.join(name))?;
        let here = served_root(&folder)
            .ok()
            .filter(|root| file.starts_with(root));
        let nearest = || {
            let exists = file.ancestors().skip(1).find(|above| above.is_dir());
            served_root(exists.unwrap_or(&folder))
        };
        let root = match here.map_or_else(nearest, Ok) {
            Err(ClientError::Nobody(_)) if file.starts_with(&folder) => served(&folder)?,
            root => root?,
        };
        let inside = file.strip_prefix(&root).map(|path| path.to_string_lossy());
        let Ok(inside) = inside else {
            anyhow::bail!(
                "`{}` is outside of `{}`, which is what is reviewed",
                file.display(),
                root.display()
            );
        };
        Ok(Self {
            file: Some(RepoPath::parse(&inside)?),
            root,
            folder,
        })
    }

    /// The folder that names in a patch start from, relative to the root.
    pub(super) fn folder_name(&self) -> Option<String> {
        let below = self.folder.strip_prefix(&self.root).ok()?;
        Some(below.to_string_lossy().into_owned()).filter(|below| !below.is_empty())
    }

    /// A file of the root as the agent may name it: from its own folder, or in full.
    pub(super) fn name_for_agent(&self, path: &str) -> String {
        let full = self.root.join(path);
        let name = full.strip_prefix(&self.folder).unwrap_or(&full);
        name.to_string_lossy().into_owned()
    }
}

/// The root of the reviewer that serves a folder. Where there is none, one is opened if it can be.
pub(super) fn served(folder: &Path) -> anyhow::Result<PathBuf> {
    let root = served_root(folder);
    let Err(ClientError::Nobody(_)) = root else {
        return Ok(root?);
    };
    let config = settings::load(&SettingArgs::default(), folder)?;
    // That none can be opened shows in that there still is none.
    let _ = open_overlay(folder, config.settings.overlay.command.as_deref());
    Ok(served_root(folder)?)
}

/// A file's name without links in its folders, of which the last ones need not exist.
fn real(path: &Path) -> anyhow::Result<PathBuf> {
    let Some((above, name)) = path.parent().zip(path.file_name()) else {
        anyhow::bail!("`{}` is not a file", path.display());
    };
    let mut missing = vec![name];
    let mut folder = above;
    loop {
        match (
            folder.canonicalize(),
            folder.parent().zip(folder.components().next_back()),
        ) {
            (Ok(real), _) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(real, |path, name| path.join(name)));
            }
            (Err(_), Some((above, Component::Normal(name)))) => {
                missing.push(name);
                folder = above;
            }
            (Err(error), _) => {
                let folder = folder.display();
                return Err(error).with_context(|| format!("`{folder}` cannot be looked at"));
            }
        }
    }
}
