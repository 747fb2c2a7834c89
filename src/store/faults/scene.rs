//! A tree with one file for each thing that can become of a file, and a commit that does them all.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tempfile::TempDir;

use super::faulty_disk::{FaultyDisk, run_until_end};
use crate::proposal::RepoPath;
use crate::store::folder::snapshot::{ContentHash, FileVersion, Snapshot};
use crate::store::records::history::{content, latest_records};
use crate::store::tree::root::Root;
use crate::store::write::commit::commit_on;
use crate::store::write::plan::{FileWrite, WriteAction, plan};

/// Everything in a folder: mode and content by name.
pub(super) type Picture = BTreeMap<String, (u32, Vec<u8>)>;

/// Returns a picture without folders, of which empty ones may stay after a second error.
pub(super) fn files(mut picture: Picture) -> Picture {
    picture.retain(|_, (_, content)| content != b"folder");
    picture
}

/// A tree with one file for each thing that can become of a file.
pub(super) struct Scene {
    pub(super) temp: TempDir,
    pub(super) root: Root,
    /// The names of files that get another text and are there to be many.
    many: Vec<String>,
}

impl Scene {
    pub(super) fn new() -> Self {
        Self::with(0)
    }

    /// The same with so many files more.
    pub(super) fn with(many: usize) -> Self {
        // Thousands of commits are quicker where nothing has to reach a disk.
        let memory = Path::new("/dev/shm");
        let temp = if memory.is_dir() {
            tempfile::tempdir_in(memory).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        };
        let dir = temp.path().join("root");
        for folder in [
            "empties/below",
            "stays",
            "many",
            "kinds/folder/sub",
            "kinds/empty",
        ] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        let write = |name: &str, text: &str, mode| {
            fs::write(dir.join(name), text).unwrap();
            fs::set_permissions(dir.join(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        let many: Vec<String> = (0..many).map(|n| format!("many/{n}")).collect();
        for name in &many {
            write(name, &format!("{name} is old\n"), 0o644);
        }
        write("replaced", "old\n", 0o640);
        write("same-but-mode", "same\n", 0o644);
        write("stays/linked", "old\n", 0o644);
        write("stays/moved", "moved\n", 0o755);
        write("empties/below/removed", "gone\n", 0o600);
        write("a", "1\n", 0o644);
        write("b", "2\n", 0o600);
        write("two-names", "old, and longer than the new one\n", 0o644);
        fs::hard_link(dir.join("two-names"), dir.join("stays/other-name")).unwrap();
        write("kinds/file", "a file yet\n", 0o644);
        write("kinds/folder/one", "1\n", 0o600);
        write("kinds/folder/sub/two", "2\n", 0o644);
        symlink("folder", dir.join("kinds/link")).unwrap();
        symlink("stays/linked", dir.join("link")).unwrap();
        symlink("a", dir.join("aimed")).unwrap();
        symlink("a", dir.join("unlinked")).unwrap();
        symlink("nowhere", dir.join("link-to-file")).unwrap();
        write("file-to-link", "a file yet\n", 0o644);
        let root = Root::open(&dir)
            .unwrap()
            .keeping_state_in(temp.path().join("state"));
        Self { temp, root, many }
    }

    fn read(&self, name: &str) -> Snapshot {
        self.root.read(&RepoPath::parse(name).unwrap()).unwrap()
    }

    fn read_entry(&self, name: &str) -> Snapshot {
        let path = RepoPath::parse(name).unwrap();
        self.root.read_entry(&path).unwrap()
    }

    fn read_any(&self, name: &str) -> Snapshot {
        self.root.read_any(&RepoPath::parse(name).unwrap()).unwrap()
    }

    fn vacant(&self, name: &str) -> Snapshot {
        self.root.vacant(&RepoPath::parse(name).unwrap()).unwrap()
    }

    /// Commits on a disk; `None` if the program ended.
    pub(super) fn commit(&self, disk: &FaultyDisk) -> Option<Result<(), String>> {
        let [
            replaced,
            two_names,
            mode,
            link,
            moved,
            removed,
            a,
            b,
            new,
            to,
        ] = [
            "replaced",
            "two-names",
            "same-but-mode",
            "link",
            "stays/moved",
            "empties/below/removed",
            "a",
            "b",
            "new/folder/file",
            "new/place",
        ]
        .map(|name| self.read(name));
        let [aimed, unlinked, link_to_file, file_to_link, new_link] = [
            "aimed",
            "unlinked",
            "link-to-file",
            "file-to-link",
            "new/link",
        ]
        .map(|name| self.read_entry(name));
        let [file, folder, one, two, kind_of_link, empty, void] = [
            "kinds/file",
            "kinds/folder",
            "kinds/folder/one",
            "kinds/folder/sub/two",
            "kinds/link",
            "kinds/empty",
            "kinds/made/void",
        ]
        .map(|name| self.read_any(name));
        let [in_file, below_file, in_link] =
            ["kinds/file/in", "kinds/file/sub/in", "kinds/link/in"].map(|name| self.vacant(name));
        let aim = |to: &str| WriteAction::Link { to: to.to_owned() };
        let put = |text: &str, executable| WriteAction::Put {
            bytes: text.into(),
            executable,
        };
        let rename = |to| WriteAction::Rename {
            to,
            bytes: None,
            executable: None,
        };
        let many: Vec<Snapshot> = self.many.iter().map(|name| self.read(name)).collect();
        let many = many.iter().map(|file| {
            let text = format!("{} is new\n", file.path);
            (file, put(&text, None))
        });
        let writes = [
            (&replaced, put("new\n", None)),
            (&two_names, put("new, in place\n", Some(true))),
            (&mode, put("same\n", Some(true))),
            (&link, put("new\n", None)),
            (&moved, rename(&to)),
            (&removed, WriteAction::Remove),
            (&a, rename(&b)),
            (&b, rename(&a)),
            (&new, put("made\n", Some(true))),
            (&aimed, aim("b")),
            (&unlinked, WriteAction::Remove),
            (&link_to_file, put("a file now\n", None)),
            (&file_to_link, aim("replaced")),
            (&new_link, aim("../a")),
            (&file, WriteAction::Remove),
            (&in_file, put("in the place of a file\n", None)),
            (&below_file, put("below it\n", None)),
            (&one, WriteAction::Remove),
            (&two, WriteAction::Remove),
            (&folder, put("in the place of a folder\n", None)),
            (&kind_of_link, WriteAction::Remove),
            (&in_link, put("in the place of a link\n", None)),
            (&empty, WriteAction::Remove),
            (&void, WriteAction::Folder),
        ];
        let writes = writes.into_iter().chain(many);
        let writes: Vec<_> = writes
            .map(|(snapshot, action)| FileWrite { snapshot, action })
            .collect();
        run_until_end(|| {
            let changes = plan(&writes).unwrap();
            let done = commit_on(disk, &self.root, changes, None);
            done.map(|_| ()).map_err(|error| error.to_string())
        })
    }

    pub(super) fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        paint(&self.temp.path().join("root"), "", &mut picture);
        picture
    }

    /// No commit is under way, and the history has all that the commits found and wrote.
    #[track_caller]
    pub(super) fn is_clean(&self) {
        let state = self.root.state().unwrap();
        assert!(!state.journal().exists());
        for record in latest_records(&state) {
            let versions = record
                .files
                .iter()
                .flat_map(|file| [file.before, file.after]);
            for FileVersion { hash, .. } in versions.flatten() {
                let content = content(&state, &record, hash);
                assert_eq!(content.map(|bytes| ContentHash::of(&bytes)), Some(hash));
            }
        }
    }
}

fn paint(dir: &Path, prefix: &str, picture: &mut Picture) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().display());
        let meta = entry.metadata().unwrap();
        let content = if meta.is_dir() {
            paint(&entry.path(), &format!("{name}/"), picture);
            b"folder".to_vec()
        } else if meta.is_symlink() {
            let to = fs::read_link(entry.path()).unwrap();
            to.as_os_str().as_encoded_bytes().to_vec()
        } else {
            fs::read(entry.path()).unwrap()
        };
        picture.insert(name, (meta.permissions().mode() & 0o7777, content));
    }
}
