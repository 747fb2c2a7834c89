//! An index beside the repository's own: to see what a commit of it would have, or how a working tree was at a moment.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::index::{Staging, copy};
use super::repository::{GitError, Repository, name_printed};

/// An index beside the repository's own, in a folder of its own. Nothing of the repository is written: what it lacks is stored
/// beside the index (git(1), `GIT_OBJECT_DIRECTORY`; gitrepository-layout(5), `objects/info/alternates`).
#[derive(Debug, Clone)]
pub struct SideIndex {
    repository: Repository,
}

impl SideIndex {
    /// The index of a repository as it is, copied to a folder.
    ///
    /// # Errors
    ///
    /// [`GitError`] if it cannot be read, or the folder not be written.
    pub fn new(repository: &Repository, own: &Path) -> Result<Self, GitError> {
        let index = repository.own_file("index")?;
        let objects = repository.own_file("objects")?;
        let side = Self::open(repository, own);
        copy_index(&index, objects, own).map_err(|source| GitError::Index { source })?;
        Ok(side)
    }

    /// The one that was made in a folder before.
    pub fn open(repository: &Repository, own: &Path) -> Self {
        let mut repository = repository.at_top();
        repository.elsewhere = vec![
            ("GIT_INDEX_FILE", own.join("index")),
            ("GIT_OBJECT_DIRECTORY", own.join("objects")),
        ];
        Self { repository }
    }

    /// The repository as it is with this index.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Changes it, and lays all of its files out below a folder.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot do that.
    pub fn check_out(&self, changes: &[Staging], folder: &Path) -> Result<(), GitError> {
        self.repository.enter(changes, &[])?;
        let mut prefix = OsString::from("--prefix=");
        prefix.push(folder);
        prefix.push("/");
        let check_out = [OsStr::new("checkout-index"), OsStr::new("--all"), &prefix];
        self.repository.ask(&check_out).map(drop)
    }

    /// Takes the working tree in as it is, new files too, but for what is to be ignored. Of the files that differ from the index only those
    /// that `keeps` chooses are read and stored, and the others are left out. Gives the tree that this is.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot read all of it.
    pub fn take_in(&self, mut keeps: impl FnMut(&Path) -> bool) -> Result<String, GitError> {
        let (tree, mut kept) = self.leave_out_changed()?;
        kept.retain(|path| keeps(path));
        if kept.is_empty() {
            return Ok(tree);
        }
        let mut names = Vec::new();
        for path in kept {
            names.extend(path.into_os_string().into_encoded_bytes());
            names.push(0);
        }
        let add = [
            "-c",
            "core.safecrlf=false",
            "-c",
            "core.sparseCheckout=false",
            "update-index",
            "--add",
            "--remove",
            "-z",
            "--stdin",
        ];
        self.repository.tell(&add, &names, &[])?;
        let tree = self.repository.ask(&["write-tree"])?;
        Ok(name_printed(&tree))
    }

    /// Lists the names by which the working tree differs from the index, new files too, but for what is to be ignored. Nothing is
    /// stored, and only files whose times or sizes differ are read. Folders of other repositories have a slash at the end.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot read the index or list the working tree.
    pub fn differing(&self) -> Result<ListedNames, GitError> {
        let update = ["-c", "core.sparseCheckout=false", "update-index"];
        let refresh = ["-q", "--refresh", "--unmerged"];
        self.repository.ask(&[&update[..], &refresh].concat())?;
        let diff = ["diff-files", "--name-only", "--ignore-submodules=all", "-z"];
        let mut listed = self.repository.ask(&diff)?;
        let list = ["ls-files", "--others", "--exclude-standard", "-z"];
        listed.extend(self.repository.ask(&list)?);
        Ok(ListedNames::of(&listed))
    }

    /// Lists the files that are ignored, and with a slash at the end the folders of which everything is.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot list the working tree.
    pub fn ignored(&self) -> Result<ListedNames, GitError> {
        let list = [
            "ls-files",
            "--others",
            "--ignored",
            "--exclude-standard",
            "--directory",
            "-z",
        ];
        Ok(ListedNames::of(&self.repository.ask(&list)?))
    }

    /// Leaves the files out that differ from the working tree, and gives the tree of the others and the names of those that the
    /// tree lacks, new files too, but for what is to be ignored. No content is stored, so large files cost nothing. Folders of
    /// other repositories are no files.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot read the index or list the working tree.
    pub(crate) fn leave_out_changed(&self) -> Result<(String, Vec<PathBuf>), GitError> {
        self.clear_flags()?;
        let update = ["-c", "core.sparseCheckout=false", "update-index"];
        let refresh = ["-q", "--refresh", "--unmerged"];
        self.repository.ask(&[&update[..], &refresh].concat())?;
        let diff = ["diff-files", "--name-only", "--ignore-submodules=all", "-z"];
        let mut lacking = self.repository.ask(&diff)?;
        let remove = ["--force-remove", "-z", "--stdin"];
        let list = ["ls-files", "--others", "--exclude-standard", "-z"];
        let new = self.repository.ask(&list)?;
        self.repository
            .tell(&[&update[..], &remove].concat(), &lacking, &[])?;
        let tree = self.repository.ask(&["write-tree"])?;
        lacking.extend(new);
        let mut names = names_in(&lacking);
        names.retain(|name| !name.as_os_str().as_encoded_bytes().ends_with(b"/"));
        // A name of which there are several versions is listed for each.
        names.sort();
        names.dedup();
        Ok((name_printed(&tree), names))
    }

    /// Lists the files in it, by their names from the top. Names that are not text are left out.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, GitError> {
        let list = ["-c", "core.sparseCheckout=false", "ls-files", "-z"];
        Ok(names_in(&self.repository.ask(&list)?))
    }

    /// Clears the flags of files that git takes for unchanged without reading them (git-update-index(1),
    /// `--assume-unchanged` and `--skip-worktree`).
    fn clear_flags(&self) -> Result<(), GitError> {
        let list = ["-c", "core.sparseCheckout=false", "ls-files", "-v", "-z"];
        let listed = self.repository.ask(&list)?;
        // A letter, a space and the name; a small letter is a file that is assumed to be unchanged.
        let mut flagged = Vec::new();
        for entry in listed.split(|&byte| byte == 0) {
            if let [letter, b' ', name @ ..] = entry
                && (letter.is_ascii_lowercase() || *letter == b'S')
            {
                flagged.extend(name);
                flagged.push(0);
            }
        }
        if flagged.is_empty() {
            return Ok(());
        }
        // Git carries only one of them out at a time.
        for clear in ["--no-assume-unchanged", "--no-skip-worktree"] {
            let update = [
                "-c",
                "core.sparseCheckout=false",
                "update-index",
                "-z",
                clear,
                "--stdin",
            ];
            self.repository.tell(&update, &flagged, &[])?;
        }
        Ok(())
    }
}

/// Names that git has listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedNames {
    /// Those that are text, from the top, in order.
    pub texts: Vec<PathBuf>,
    /// The others, as they can be shown.
    pub others: Vec<String>,
}

impl ListedNames {
    fn of(listed: &[u8]) -> Self {
        let mut found = Self::default();
        for name in listed.split(|&byte| byte == 0) {
            match std::str::from_utf8(name) {
                Ok("") => (),
                Ok(name) => found.texts.push(name.into()),
                Err(_) => found
                    .others
                    .push(String::from_utf8_lossy(name).into_owned()),
            }
        }
        found.texts.sort();
        found.texts.dedup();
        found
    }
}

/// Parses names that each end with a zero byte. Those that are not text are left out.
fn names_in(listed: &[u8]) -> Vec<PathBuf> {
    let names = listed
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty());
    let texts = names.filter_map(|name| std::str::from_utf8(name).ok());
    texts.map(PathBuf::from).collect()
}

/// Copies an index to a folder, which finds objects in the folder `objects` too.
fn copy_index(index: &Path, objects: PathBuf, own: &Path) -> io::Result<()> {
    if index.exists() {
        copy(index, &mut File::create(own.join("index"))?)?;
    }
    let info = own.join("objects/info");
    fs::create_dir_all(&info)?;
    let mut known = objects.into_os_string();
    known.push("\n");
    fs::write(info.join("alternates"), known.as_encoded_bytes())
}
