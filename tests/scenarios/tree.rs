//! A folder's files as a value: their bytes, whether they may be executed, and where links lead.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use similar::TextDiff;

/// All files below a folder. Empty folders do not count, as in git.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    File { bytes: Vec<u8>, executable: bool },
    Link(PathBuf),
}

impl Tree {
    /// Reads a folder; one that is not there has no files.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut tree = Self::default();
        if folder.exists() {
            tree.read_below(folder, Path::new(""))?;
        }
        Ok(tree)
    }

    fn read_below(&mut self, folder: &Path, below: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder.join(below))? {
            let name = below.join(entry?.file_name());
            let path = folder.join(&name);
            let metadata = fs::symlink_metadata(&path)?;
            if metadata.is_symlink() {
                self.entries.insert(name, Entry::Link(fs::read_link(path)?));
            } else if metadata.is_dir() {
                self.read_below(folder, &name)?;
            } else {
                let executable = metadata.permissions().mode() & 0o100 != 0;
                let bytes = fs::read(path)?;
                self.entries.insert(name, Entry::File { bytes, executable });
            }
        }
        Ok(())
    }

    /// Lays the files out in a new folder.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for (name, entry) in &self.entries {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            match entry {
                Entry::Link(target) => symlink(target, path)?,
                Entry::File { bytes, executable } => {
                    fs::write(&path, bytes)?;
                    let mode = if *executable { 0o755 } else { 0o644 };
                    fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
                }
            }
        }
        Ok(())
    }

    /// Fails with `what` and the differences if the trees are not the same.
    pub(crate) fn expect(&self, expected: &Self, what: &str) -> Result<(), String> {
        if self == expected {
            return Ok(());
        }
        let names: BTreeSet<_> = self.entries.keys().chain(expected.entries.keys()).collect();
        let mut message = format!("{what}\n");
        for name in names {
            let (found, expected) = (self.entries.get(name), expected.entries.get(name));
            if found != expected {
                let [expected, found] = [expected, found].map(describe);
                _ = write!(
                    message,
                    "{}:\n{}",
                    name.display(),
                    difference(&expected, &found)
                );
            }
        }
        Err(message)
    }
}

/// An entry as text in which every byte can be seen.
fn describe(entry: Option<&Entry>) -> String {
    match entry {
        None => "no file\n".to_owned(),
        Some(Entry::Link(target)) => format!("link to {}\n", target.display()),
        Some(Entry::File { bytes, executable }) => {
            let kind = if *executable {
                "executable file\n"
            } else {
                "file\n"
            };
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            let lines = lines.map(|line| format!("{}\n", line.escape_ascii()));
            std::iter::once(kind.to_owned()).chain(lines).collect()
        }
    }
}

/// What was expected against what was found, as a unified diff.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    let diff = TextDiff::from_lines(expected, found);
    diff.unified_diff().header("expected", "found").to_string()
}
