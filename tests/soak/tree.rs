//! A folder as it stands on disk: names, kinds, permissions and bytes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// What stands under each name; folders are named with a slash behind.
pub(crate) type Tree = BTreeMap<Vec<u8>, Entry>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    File { bytes: Vec<u8>, mode: u32 },
    Link(PathBuf),
    Folder,
}

/// Everything in a folder.
pub(crate) fn read(folder: &Path) -> Tree {
    fn walk(folder: &Path, at: &[u8], tree: &mut Tree) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let mut name = [at, entry.file_name().as_bytes()].concat();
            let path = entry.path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let found = if metadata.is_dir() {
                name.push(b'/');
                walk(&path, &name, tree);
                Entry::Folder
            } else if metadata.is_symlink() {
                Entry::Link(fs::read_link(&path).unwrap())
            } else {
                let mode = metadata.permissions().mode() & 0o7777;
                let bytes = fs::read(&path).unwrap();
                Entry::File { bytes, mode }
            };
            tree.insert(name, found);
        }
    }
    let mut tree = Tree::new();
    walk(folder, b"", &mut tree);
    tree
}

/// Lays entries out in a folder.
pub(crate) fn write(folder: &Path, tree: &Tree) {
    for (name, entry) in tree {
        let path = folder.join(OsString::from_vec(name.clone()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match entry {
            Entry::Folder => fs::create_dir_all(&path).unwrap(),
            Entry::Link(to) => symlink(to, &path).unwrap(),
            Entry::File { bytes, mode } => {
                fs::write(&path, bytes).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).unwrap();
            }
        }
    }
}

/// The folders that the files of a tree are in, beside those that are in it by themselves.
pub(crate) fn with_parents(mut tree: Tree) -> Tree {
    let names: Vec<Vec<u8>> = tree.keys().cloned().collect();
    for name in names {
        let end = name.len() - usize::from(name.ends_with(b"/"));
        for (at, _) in name[..end]
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'/')
        {
            tree.insert(name[..=at].to_vec(), Entry::Folder);
        }
    }
    tree
}
