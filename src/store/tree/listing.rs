//! All files below a root, as far as no link has to be followed.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use ignore::gitignore::GitignoreBuilder;

use super::root::Root;

/// Entry of a listing of a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name, relative to the root.
    pub path: PathBuf,
    /// The target, if it is a link.
    pub link: Option<PathBuf>,
}

impl Root {
    /// All files and links below the root, in the order of their names. Git's own folder is left out.
    ///
    /// # Errors
    ///
    /// The system's error for a folder that cannot be read.
    pub fn files(&self) -> io::Result<Vec<Listed>> {
        let mut found = Vec::new();
        walk(self.dir(), Path::new(""), &mut found)?;
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }
}

impl Root {
    /// Creates a folder and those above it.
    ///
    /// # Errors
    ///
    /// The system's reason; that a name leads out of the root is an error too.
    pub(crate) fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.dir().create_dir_all(path)
    }

    /// Finds folders by a pattern as in ignore files, relative to the root.
    ///
    /// # Errors
    ///
    /// The system's reason, if a folder cannot be read.
    pub(crate) fn folders_matching(&self, pattern: &str) -> io::Result<Vec<PathBuf>> {
        let mut builder = GitignoreBuilder::new("");
        let built = builder
            .add_line(None, pattern)
            .and_then(|builder| builder.build());
        let rules = built.map_err(io::Error::other)?;
        let mut found = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(at) = folders.pop() {
            let folder = if at.as_os_str().is_empty() {
                self.dir().try_clone()?
            } else {
                self.dir().open_dir(&at)?
            };
            for entry in folder.entries()? {
                let entry = entry?;
                if !entry.file_type()?.is_dir() || entry.file_name() == ".git" {
                    continue;
                }
                let path = at.join(entry.file_name());
                if rules.matched(&path, true).is_ignore() {
                    found.push(path);
                } else {
                    folders.push(path);
                }
            }
        }
        Ok(found)
    }
}

fn walk(folder: &Dir, at: &Path, found: &mut Vec<Listed>) -> io::Result<()> {
    for entry in folder.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        let path = at.join(&name);
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if name != ".git" {
                walk(&entry.open_dir()?, &path, found)?;
            }
        } else {
            let link = kind.is_symlink().then(|| folder.read_link_contents(&name));
            let link = link.transpose()?;
            found.push(Listed { path, link });
        }
    }
    Ok(())
}
