//! The names that git ignores, by the rules as they are in the layer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::store::folder::enclosing_folders::repository_of;

/// The rules that hold in one folder.
#[derive(Debug, Clone)]
pub(super) struct Ignored {
    /// The rules of this folder and of those above it, the deepest last.
    rules: Vec<Arc<Gitignore>>,
    root: PathBuf,
}

impl Ignored {
    /// The rules that hold in the whole tree: the user's, and those of the repository. A folder outside of any repository has
    /// none.
    pub(super) fn of(root: &Path) -> Self {
        let mut rules = Vec::new();
        if let Some(repository) = repository_of(root) {
            let (global, _) = GitignoreBuilder::new(repository).build_global();
            rules.push(Arc::new(global));
            rules.extend(read(repository, &repository.join(".git/info/exclude")));
            let above: Vec<&Path> = root.ancestors().skip(1).collect();
            let above = above
                .into_iter()
                .filter(|folder| folder.starts_with(repository));
            let mut above: Vec<&Path> = above.collect();
            above.reverse();
            for folder in above {
                rules.extend(read(folder, &folder.join(".gitignore")));
            }
        }
        Self {
            rules,
            root: root.to_owned(),
        }
    }

    /// The rules within the folder `at`, whose ignore file is read from the layer's folder, or from the root's where the layer has
    /// none.
    pub(super) fn within(&self, at: &Path, layered: &Path, original: &Path) -> Self {
        let mut within = self.clone();
        if self.rules.is_empty() {
            return within;
        }
        let own = [layered, original]
            .into_iter()
            .map(|folder| folder.join(".gitignore"))
            .find(|file| file.symlink_metadata().is_ok());
        if let Some(file) = own.filter(|file| file.is_file()) {
            within.rules.extend(read(&self.root.join(at), &file));
        }
        within
    }

    /// Returns true if a path, relative to the root, is ignored.
    pub(super) fn matches(&self, path: &Path, is_folder: bool) -> bool {
        let full = self.root.join(path);
        for rules in self.rules.iter().rev() {
            // Rules of a folder do not concern names outside of it.
            if !rules.is_empty() && full.starts_with(rules.path()) {
                match rules.matched(&full, is_folder) {
                    Match::None => (),
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                }
            }
        }
        false
    }
}

/// Reads an ignore file for a folder. Lines that are no rules are passed over, as git does.
fn read(folder: &Path, file: &Path) -> Option<Arc<Gitignore>> {
    if !file.is_file() {
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    let _ = builder.add(file);
    builder.build().ok().map(Arc::new)
}
