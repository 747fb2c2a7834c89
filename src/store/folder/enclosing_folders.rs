//! The folders above a root up to the top of its repository: their guards hold in the root as well.

use std::path::{Path, PathBuf};

use crate::proposal::RepoPath;

/// The way from the top of the repository down to a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::store) struct EnclosingFolders {
    /// The nearest folder with a `.git` at or above the root; the root itself where there is none.
    top: PathBuf,
    /// The root as seen from there; empty if it is the top.
    inside: PathBuf,
}

/// Finds the nearest folder with a `.git`, at or above a folder.
pub(in crate::store) fn repository_of(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| is_repository(folder))
}

/// Returns true for the top folder of a repository.
pub(in crate::store) fn is_repository(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok()
}

impl EnclosingFolders {
    /// Finds the top of the repository that a folder, given without links, lies in.
    pub(in crate::store) fn of(root: &Path) -> Self {
        let top = repository_of(root).unwrap_or(root);
        Self {
            top: top.to_owned(),
            inside: root.strip_prefix(top).unwrap_or(Path::new("")).to_owned(),
        }
    }

    /// True if nothing above the root belongs to its repository.
    pub(in crate::store) fn is_top(&self) -> bool {
        self.inside.as_os_str().is_empty()
    }

    /// The top folder, absolute.
    pub(in crate::store) fn top(&self) -> &Path {
        &self.top
    }

    /// Returns a path of the root as seen from the top.
    pub(in crate::store) fn seen_from_top(&self, path: &RepoPath) -> PathBuf {
        self.inside.join(path.as_path())
    }

    /// Returns a folder that is named from the top as seen from the root; `None` if it lies above the root.
    pub(in crate::store) fn seen_from_root<'a>(&self, folder: &'a Path) -> Option<&'a Path> {
        folder.strip_prefix(&self.inside).ok()
    }

    /// Returns the folders from the root, which comes first, up to the top, as seen from the top.
    pub(in crate::store) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.inside.ancestors()
    }

    /// Returns a name for people of a file in a folder that is named from the top: as seen from the root.
    pub(in crate::store) fn shown(&self, folder: &Path, name: &str) -> String {
        if let Some(folder) = self.seen_from_root(folder) {
            return folder.join(name).display().to_string();
        }
        let levels = self.inside.components().count() - folder.components().count();
        "../".repeat(levels) + name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_are_looked_for_up_to_the_top_of_the_repository() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let root = place.join("repo/sub/deep");
        std::fs::create_dir_all(&root).unwrap();
        let check = |expected: &[&str]| {
            let above = EnclosingFolders::of(&root);
            let shown: Vec<String> = above
                .folders()
                .map(|folder| above.shown(folder, "f"))
                .collect();
            assert_eq!(shown, expected);
        };
        check(&["f"]);
        std::fs::create_dir(place.join("repo/.git")).unwrap();
        check(&["f", "../f", "../../f"]);
        std::fs::write(place.join("repo/sub/.git"), "gitdir: elsewhere").unwrap();
        check(&["f", "../f"]);
        let above = EnclosingFolders::of(&root);
        assert_eq!(
            above.seen_from_root(Path::new("deep/x")),
            Some(Path::new("x"))
        );
        assert_eq!(above.seen_from_root(Path::new("")), None);
    }
}
