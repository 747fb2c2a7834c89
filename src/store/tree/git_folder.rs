//! Git's own folders, under whatever name: bare repositories, and the folders that a `.git` file or `$GIT_DIR` leads to.
//!
//! A folder is one by the rule of git itself (`is_git_directory` in its `setup.c`): it has `HEAD`, `objects` and `refs`, or `HEAD` and
//! `commondir`. What lies below is git's own, up to the next working tree, which has a `.git`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use cap_std::fs::Dir;

/// Owner of the files of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Git,
    WorkingTree,
}

/// The folders of a batch, as seen from the root, each with the owner of its files.
#[derive(Debug, Default)]
pub(super) struct GitFolders(Mutex<HashMap<PathBuf, Owner>>);

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
        let mut owner = found.unwrap_or_else(|| owner_of_root(root));
        for folder in unknown.into_iter().rev() {
            let is_there = |path: &Path| dir.symlink_metadata(path).is_ok();
            owner = topmost_of(folder, is_there).unwrap_or(owner);
            known.insert(folder.to_owned(), owner);
        }
        owner == Owner::Git
    }
}

/// Returns the owner of the folder that a root lies in.
fn owner_of_root(root: &Path) -> Owner {
    let above = root.ancestors().skip(1);
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    let mut owners = above.filter_map(|folder| topmost_of(folder, is_there));
    owners.next().unwrap_or(Owner::WorkingTree)
}

/// Returns the owner of which a folder is the topmost one; `None` for a folder within another one of the same owner.
fn topmost_of(folder: &Path, is_there: impl Fn(&Path) -> bool) -> Option<Owner> {
    let has = |name: &str| is_there(&folder.join(name));
    if has(".git") {
        return Some(Owner::WorkingTree);
    }
    let is_git = has("HEAD") && (has("objects") && has("refs") || has("commondir"));
    is_git.then_some(Owner::Git)
}
