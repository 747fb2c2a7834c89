//! All files below a root, as far as no link has to be followed.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use super::root::Root;

/// What stands in a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name, relative to the root.
    pub path: PathBuf,
    /// Where it leads, if it is a link.
    pub link: Option<PathBuf>,
}

impl Root {
    /// All files and links below the root, in the order of their names. Git's own folder is left out.
    ///
    /// # Errors
    ///
    /// What the system says of a folder that cannot be read.
    pub fn files(&self) -> io::Result<Vec<Listed>> {
        let mut found = Vec::new();
        walk(self.dir(), Path::new(""), &mut found)?;
        found.sort_by(|a, b| a.path.cmp(&b.path));
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
