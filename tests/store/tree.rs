//! A tree to work on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use countersign::proposal::{PathClaim, RepoPath};
use countersign::store::{
    CommitError, FileWrite, Forbidden, Receipt, Root, Snapshot, WriteAction, commit,
};
use tempfile::TempDir;

/// A root in a temporary folder, with another folder beside it that nothing may reach.
pub struct Tree {
    pub temp: TempDir,
    pub root: Root,
}

impl Tree {
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::within(tempfile::tempdir().unwrap(), files)
    }

    /// A tree that hundreds of commits are quick in, for nothing has to reach a disk.
    pub fn in_memory(files: &[(&str, &str)]) -> Self {
        let memory = Path::new("/dev/shm");
        let temp = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        Self::within(temp.unwrap(), files)
    }

    fn within(temp: TempDir, files: &[(&str, &str)]) -> Self {
        let dir = temp.path().join("root");
        fs::create_dir(&dir).unwrap();
        fs::create_dir(temp.path().join("outside")).unwrap();
        fs::write(temp.path().join("outside/secret"), "secret\n").unwrap();
        for (name, text) in files {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = open(&dir);
        Self { temp, root }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join("root").join(name)
    }

    pub fn outside(&self) -> PathBuf {
        self.temp.path().join("outside")
    }

    pub fn read(&self, name: &str) -> Snapshot {
        self.root.read(&RepoPath::parse(name).unwrap()).unwrap()
    }

    pub fn refusal(&self, name: &str) -> String {
        match self.root.read(&RepoPath::parse(name).unwrap()) {
            Ok(snapshot) => panic!("{name} was read: {snapshot:?}"),
            Err(error) => error.to_string(),
        }
    }

    pub fn resolve(&self, readings: &[&str]) -> Result<RepoPath, Forbidden> {
        let others = readings[1..].iter().map(|&name| name.to_owned());
        self.root
            .resolve(&PathClaim::with_others(readings[0], others))
    }

    pub fn put(&self, name: &str, bytes: &str) -> Result<Receipt, CommitError> {
        let snapshot = self.read(name);
        commit(&self.root, &[put(&snapshot, bytes)])
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o7777
    }

    /// Every file and folder below the root, folders with a slash.
    pub fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.path(""), "", &mut found);
        found.sort();
        found
    }
}

/// Opens a root whose state stands in a folder beside it.
pub fn open(dir: &Path) -> Root {
    let state = dir.parent().unwrap().join("state");
    Root::open(dir).unwrap().keeping_state_in(state)
}

pub fn walk(dir: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().display());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found);
            found.push(format!("{name}/"));
        } else {
            found.push(name);
        }
    }
}

pub fn put<'a>(snapshot: &'a Snapshot, text: &str) -> FileWrite<'a> {
    FileWrite {
        snapshot,
        action: WriteAction::Put {
            bytes: text.into(),
            executable: None,
        },
    }
}

pub fn remove(snapshot: &Snapshot) -> FileWrite<'_> {
    FileWrite {
        snapshot,
        action: WriteAction::Remove,
    }
}

pub fn rename<'a>(snapshot: &'a Snapshot, to: &'a Snapshot, text: Option<&str>) -> FileWrite<'a> {
    FileWrite {
        snapshot,
        action: WriteAction::Rename {
            to,
            bytes: text.map(Into::into),
            executable: None,
        },
    }
}
