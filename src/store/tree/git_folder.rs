//! Git's own folders, under whatever name: bare repositories, and the folders that a `.git` file or `$GIT_DIR` leads to.
//!
//! A folder is one by the rule of git itself (`is_git_directory` in its `setup.c`): it has `HEAD`, `objects` and `refs`, or `HEAD` and
//! `commondir`. What lies below is git's own, up to the next working tree, which has a `.git`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use cap_std::fs::Dir;

/// The folders of a batch, as seen from the root, each with `true` if it is git's own.
#[derive(Debug, Default)]
pub(super) struct GitFolders(Mutex<HashMap<PathBuf, bool>>);

impl GitFolders {
    /// Returns true if a path of a root lies in a folder of git's own, at whatever level.
    pub(super) fn contain(&self, root: &Path, dir: &Dir, path: &Path) -> bool {
        let folder = path.parent().unwrap_or(Path::new(""));
        let Self(known) = self;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown = Vec::new();
        let mut found = None;
        for folder in folder.ancestors() {
            found = known.get(folder).copied();
            if found.is_some() {
                break;
            }
            unknown.push(folder);
        }
        let mut is_inside = found.unwrap_or_else(|| is_below_git(root));
        for folder in unknown.into_iter().rev() {
            let kind = kind(folder, |path| dir.symlink_metadata(path).is_ok());
            is_inside = kind.unwrap_or(is_inside);
            known.insert(folder.to_owned(), is_inside);
        }
        is_inside
    }
}

/// Returns true if a root lies in a folder of git's own.
fn is_below_git(root: &Path) -> bool {
    let above = root.ancestors().skip(1);
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    let mut kinds = above.filter_map(|folder| kind(folder, is_there));
    kinds.next().unwrap_or(false)
}

/// Returns true for a folder of git's own, and false for the top of a working tree.
fn kind(folder: &Path, is_there: impl Fn(&Path) -> bool) -> Option<bool> {
    let has = |name: &str| is_there(&folder.join(name));
    if has(".git") {
        return Some(false);
    }
    let is_git = has("HEAD") && (has("objects") && has("refs") || has("commondir"));
    is_git.then_some(true)
}
