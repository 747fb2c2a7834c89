//! Root and file of a call: which reviewer is asked, and which file the client will open.
//!
//! A client opens `link/../a.txt` either lexically (Node's `path.resolve`, most clients) or through the link (the system
//! call). Both readings are computed here; a call is refused where they lead to different files, and where the name itself
//! can be read in two ways ([`check_name`]).

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use super::super::settings;
use super::super::shared_args::SettingArgs;
use crate::agent::hook::{HookCall, check_name, normalized};
use crate::agent::{ClientError, open_overlay, served_root};
use crate::proposal::RepoPath;

/// Root and file of a call.
pub(super) struct CallLocation {
    /// The root that the reviewer serves.
    pub(super) root: PathBuf,
    /// The folder that the agent works in, without links.
    folder: PathBuf,
    /// The file, for a call that names one.
    pub(super) file: Option<NamedFile>,
}

/// The file that a call names.
pub(super) struct NamedFile {
    /// Its path below the root.
    pub(super) path: RepoPath,
    /// The name under which the client opens this file and no other.
    pub(super) client_name: String,
}

impl CallLocation {
    /// Finds the root and the file of a call, and opens a reviewer where none serves the root and one can be opened.
    ///
    /// # Errors
    ///
    /// If no reviewer serves the file, or if clients could open another file by its name.
    pub(super) fn find(call: &HookCall) -> anyhow::Result<Self> {
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
        let (lexical, real) = resolve(&call.folder, name)?;
        let here = served_root(&folder)
            .ok()
            .filter(|root| real.starts_with(root));
        let mut above = real.ancestors().skip(1);
        let nearest = || served_root(above.find(|above| above.is_dir()).unwrap_or(&folder));
        let root = match here.map_or_else(nearest, Ok) {
            Err(ClientError::Nobody(_)) if real.starts_with(&folder) => served(&folder)?,
            root => root?,
        };
        let Ok(inside) = real.strip_prefix(&root) else {
            anyhow::bail!(
                "`{}` is outside of `{}`, which is what is reviewed",
                real.display(),
                root.display()
            );
        };
        let path = RepoPath::parse(&inside.to_string_lossy())?;
        anyhow::ensure!(
            path.as_path() == inside,
            "`{}` has a name that cannot be shown as it is",
            real.display()
        );
        // A link on the way may lead elsewhere by the time of the write, so the client gets the real name where it can.
        let named = if call.remembers_names() && real.exists() {
            &lexical
        } else {
            &real
        };
        Ok(Self {
            file: Some(NamedFile {
                path,
                client_name: named.to_string_lossy().into_owned(),
            }),
            root,
            folder,
        })
    }

    /// Returns the folder that names in a patch start from, relative to the root; `None` for the root itself.
    pub(super) fn folder_name(&self) -> Option<String> {
        let below = self.folder.strip_prefix(&self.root).ok()?;
        Some(below.to_string_lossy().into_owned()).filter(|below| !below.is_empty())
    }

    /// Returns the name of a file of the root for a patch: from the agent's own folder, or in full.
    ///
    /// # Errors
    ///
    /// If clients could open another file by this name.
    pub(super) fn name_in_patch(&self, path: &str) -> anyhow::Result<String> {
        let full = self.root.join(path);
        let name = full.strip_prefix(&self.folder).unwrap_or(&full);
        let name = name.to_string_lossy().into_owned();
        check_name(&name).with_context(|| format!("the name `{path}` is ambiguous"))?;
        Ok(name)
    }
}

/// Returns the root of the reviewer that serves a folder, and opens a reviewer where there is none and one can be opened.
pub(in crate::cli) fn served(folder: &Path) -> anyhow::Result<PathBuf> {
    let root = served_root(folder);
    let Err(ClientError::Nobody(_)) = root else {
        return Ok(root?);
    };
    let config = settings::load(&SettingArgs::default(), folder)?;
    // If it cannot be opened, the call below returns the error.
    let _ = open_overlay(folder, config.settings.overlay.command.as_deref());
    Ok(served_root(folder)?)
}

/// Resolves a name, once from the name alone as clients do, and once without links.
///
/// # Errors
///
/// If the two readings are different files, or if the name itself is ambiguous.
pub(in crate::cli) fn resolve(folder: &Path, name: &str) -> anyhow::Result<(PathBuf, PathBuf)> {
    check_name(name).with_context(|| {
        format!("the name `{name}` is ambiguous; send the plain, absolute path of the file")
    })?;
    let joined = folder.join(name);
    let lexical = normalized(&joined);
    let real = without_links(&lexical)?;
    let through_links = without_links(&joined);
    anyhow::ensure!(
        through_links.as_ref().is_ok_and(|other| *other == real),
        "`{name}` is `{}` by its name, and {} through the links in it; send the plain, absolute path of the file",
        real.display(),
        through_links.map_or_else(
            |_| "another file or none".to_owned(),
            |other| format!("`{}`", other.display())
        ),
    );
    Ok((lexical, real))
}

/// The most links in a row that are followed; the system follows no more.
const MOST_LINKS: usize = 40;

/// Returns the file that a path without links in its folders leads to if the file itself is a link, also where nothing is there yet;
/// `None` where that cannot be found out.
pub(super) fn without_link(path: PathBuf) -> Option<PathBuf> {
    let mut file = path;
    for _ in 0..MOST_LINKS {
        match file.read_link() {
            Ok(target) => file = without_links(&file.parent()?.join(target)).ok()?,
            // It is no link, or nothing is there.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) => {
                return Some(file);
            }
            Err(_) => return None,
        }
    }
    None
}

/// Returns a path without links in its folders. The last folders need not exist.
fn without_links(path: &Path) -> anyhow::Result<PathBuf> {
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
                anyhow::ensure!(
                    !folder.is_symlink(),
                    "`{}` is a link to a folder that cannot be read",
                    folder.display()
                );
                missing.push(name);
                folder = above;
            }
            (Err(error), _) => {
                let folder = folder.display();
                return Err(error).with_context(|| format!("cannot read the folder `{folder}`"));
            }
        }
    }
}
