//! The repository that the root is a subfolder of, and names that begin at its top.

use std::path::{Path, PathBuf};

use crate::proposal::{Blobs, FileChange, PathClaim};
use crate::store::{Root, Snapshot};

/// A repository, for a root that is one of its subfolders.
#[derive(Debug)]
pub(super) struct EnclosingRepository {
    top: Root,
    /// The folders between its top and the root.
    below: Vec<String>,
}

impl EnclosingRepository {
    /// Finds the repository; `None` if the root is its top, or in none.
    pub(super) fn of(root: &Root) -> Option<Self> {
        let top = top_above(root.path())?;
        let below = root.path().strip_prefix(&top).ok()?.components();
        let below = below.map(|folder| Some(folder.as_os_str().to_str()?.to_owned()));
        Some(Self {
            below: below.collect::<Option<_>>()?,
            top: Root::open(&top).ok()?,
        })
    }

    /// Returns a name that begins at the top as one that begins at the root. That of a file beside the root begins with `../`.
    pub(super) fn relative_to_root(&self, name: &PathClaim) -> PathClaim {
        let inside = name.readings().find_map(|name| self.inside(name));
        let outside = || format!("{}{}", "../".repeat(self.below.len()), name.first());
        PathClaim::plain(inside.map_or_else(outside, str::to_owned))
    }

    /// Returns the rest of a name that begins with the folders above the root.
    fn inside<'n>(&self, name: &'n str) -> Option<&'n str> {
        let mut folders = self.below.iter();
        folders.try_fold(name, |rest, folder| {
            rest.strip_prefix(folder.as_str())?.strip_prefix('/')
        })
    }

    /// Returns true for a name that begins with the folders above the root, if the root itself has no such folder.
    pub(super) fn is_name_from_top(&self, root: &Root, name: &PathClaim) -> bool {
        let has_folder = |folder: &String| root.path().join(folder).symlink_metadata().is_ok();
        name.readings().any(|name| self.inside(name).is_some())
            && !self.below.first().is_some_and(has_folder)
    }

    /// Returns true if a name that begins at the top is that of a file.
    pub(super) fn has_file(&self, name: &PathClaim) -> bool {
        let mut names = name.readings();
        names.any(|name| self.top.path().join(name).is_file())
    }

    /// Returns true if a diff names the version of a file at the top, and not that of the root's file of the same name.
    pub(super) fn has_version(&self, root: &Root, change: &FileChange) -> bool {
        let Some(blobs) = &change.blobs else {
            return false;
        };
        let mut names = change.path.readings();
        names.any(|name| {
            self.top.path().join(name).is_file()
                && !is_version(root, name, blobs)
                && is_version(&self.top, name, blobs)
        })
    }

    /// Returns the option that makes the top the root: `--root ../..`.
    pub(super) fn root_option(&self) -> String {
        format!("--root {}", vec![".."; self.below.len()].join("/"))
    }

    /// Returns true for a name that leads out of the root and not out of the repository.
    pub(super) fn is_beside_root(&self, name: &str) -> bool {
        let steps = name.split('/').take_while(|part| *part == "..").count();
        (1..=self.below.len()).contains(&steps)
    }
}

/// Returns true if a text file has the content of the version before a diff.
fn is_version(root: &Root, name: &str, blobs: &Blobs) -> bool {
    let path = root.resolve(&PathClaim::plain(name)).ok();
    let snapshot = path.and_then(|path| root.read(&path).ok());
    let document = snapshot.as_ref().and_then(Snapshot::document);
    let content = document.and_then(|document| document.encode(document.text()).ok());
    content.is_some_and(|content| blobs.is_before(&content))
}

/// Returns the top folder of the repository that a folder is in, if that is another one.
fn top_above(folder: &Path) -> Option<PathBuf> {
    let is_top = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
    let top = folder.ancestors().find(is_top)?;
    (top != folder).then(|| top.to_owned())
}
