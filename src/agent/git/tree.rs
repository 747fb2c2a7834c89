//! Files of a tree that was recorded earlier, and files that git tracks.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Blob;
use super::repository::{GitError, Repository};

/// The most names that are asked about in one command.
const AT_ONCE: usize = 500;

impl Repository {
    /// Looks files and links up in a tree, by their names from the top. Submodules are left out.
    pub(crate) fn files_of(
        &self,
        tree: &str,
        paths: &[&str],
    ) -> Result<BTreeMap<String, Blob>, GitError> {
        let mut found = BTreeMap::new();
        for some in paths.chunks(AT_ONCE) {
            let mut arguments = vec!["ls-tree", "-z", "--full-tree", tree, "--"];
            arguments.extend(some);
            let listed = self.ask(&arguments)?;
            for entry in listed.split(|&byte| byte == 0) {
                let Ok(entry) = std::str::from_utf8(entry) else {
                    continue;
                };
                let Some((head, path)) = entry.split_once('\t') else {
                    continue;
                };
                if let [mode @ ("100644" | "100755" | "120000"), "blob", id] =
                    head.split(' ').collect::<Vec<_>>()[..]
                {
                    let blob = Blob {
                        mode: mode.to_owned(),
                        id: id.to_owned(),
                    };
                    found.insert(path.to_owned(), blob);
                }
            }
        }
        Ok(found)
    }

    /// Lists the files that git tracks among some names and in some folders, by their names from the top.
    pub(crate) fn tracked(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, GitError> {
        let mut found = Vec::new();
        for some in paths.chunks(AT_ONCE) {
            let mut arguments: Vec<OsString> = ["ls-files", "-z", "--full-name", "--"]
                .map(OsString::from)
                .into();
            arguments.extend(some.iter().map(|path| self.top.join(path).into()));
            let listed = self.ask(&arguments)?;
            let names = listed
                .split(|&byte| byte == 0)
                .filter(|name| !name.is_empty());
            let texts = names.filter_map(|name| std::str::from_utf8(name).ok());
            found.extend(texts.map(PathBuf::from));
        }
        Ok(found)
    }

    /// The folder with the objects and the branches, which all working trees of a repository share.
    pub(crate) fn common_folder(&self) -> Option<PathBuf> {
        let ask = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
        let folder = PathBuf::from(self.ask_name(&ask).ok()??);
        folder.canonicalize().ok()
    }

    /// The size of the index in bytes, by which large trees are known; `None` if there is no index.
    pub(crate) fn index_size(&self) -> Option<u64> {
        let index = self.own_file("index").ok()?;
        index.metadata().ok().map(|meta| meta.len())
    }

    /// Lists the commits that another folder of objects holds, from `new` back to what this repository has: the name and the
    /// subject of each, the latest first.
    pub(crate) fn foreign_commits(
        &self,
        objects: &Path,
        new: &str,
    ) -> Result<Vec<String>, GitError> {
        let arguments = ["log", "--format=%h %s", new, "--not", "--all"];
        let both = [("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects.as_os_str())];
        let listed = self.tell(&arguments, &[], &both)?;
        let text = String::from_utf8_lossy(&listed);
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Copies commits from another folder of objects and names the last of them as a branch.
    pub(crate) fn bring_commits(
        &self,
        objects: &Path,
        new: &str,
        branch: &str,
    ) -> Result<(), GitError> {
        let both = [("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects.as_os_str())];
        let known = self.ask(&["for-each-ref", "--format=^%(objectname)"])?;
        let wanted = format!("{new}\n{}", String::from_utf8_lossy(&known));
        let pack = ["pack-objects", "--revs", "--stdout", "--quiet"];
        let packed = self.tell(&pack, wanted.as_bytes(), &both)?;
        self.tell(&["unpack-objects", "-q"], &packed, &[])?;
        let name = format!("refs/heads/{branch}");
        self.tell(&["update-ref", &name, new], &[], &[]).map(drop)
    }
}
