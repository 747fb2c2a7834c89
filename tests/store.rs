//! The store against real folders: what it reads, what it refuses, and that it writes all or nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use countersign::proposal::{PathClaim, RepoPath};
use countersign::store::{
    CommitError, FileState, FileWrite, Forbidden, Protected, ReadError, Receipt, Root, Snapshot,
    WriteAction, commit,
};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempDir;

/// A root in a temporary folder, with another folder beside it that nothing may reach.
struct Tree {
    temp: TempDir,
    root: Root,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let temp = tempfile::tempdir().unwrap();
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

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join("root").join(name)
    }

    fn outside(&self) -> PathBuf {
        self.temp.path().join("outside")
    }

    fn read(&self, name: &str) -> Snapshot {
        self.root.read(&RepoPath::parse(name).unwrap()).unwrap()
    }

    fn refusal(&self, name: &str) -> String {
        match self.root.read(&RepoPath::parse(name).unwrap()) {
            Ok(snapshot) => panic!("{name} was read: {snapshot:?}"),
            Err(error) => error.to_string(),
        }
    }

    fn resolve(&self, readings: &[&str]) -> Result<RepoPath, Forbidden> {
        let others = readings[1..].iter().map(|&name| name.to_owned());
        self.root
            .resolve(&PathClaim::with_others(readings[0], others))
    }

    fn put(&self, name: &str, bytes: &str) -> Result<Receipt, CommitError> {
        let snapshot = self.read(name);
        commit(&self.root, &[put(&snapshot, bytes)])
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o7777
    }

    /// Every file and folder below the root, folders with a slash.
    fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.path(""), "", &mut found);
        found.sort();
        found
    }
}

/// Opens a root whose state stands in a folder beside it.
fn open(dir: &Path) -> Root {
    let state = dir.parent().unwrap().join("state");
    Root::open(dir).unwrap().keeping_state_in(state)
}

fn walk(dir: &Path, prefix: &str, found: &mut Vec<String>) {
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

fn put<'a>(snapshot: &'a Snapshot, text: &str) -> FileWrite<'a> {
    FileWrite {
        snapshot,
        action: WriteAction::Put {
            bytes: text.into(),
            executable: None,
        },
    }
}

fn remove(snapshot: &Snapshot) -> FileWrite<'_> {
    FileWrite {
        snapshot,
        action: WriteAction::Remove,
    }
}

fn rename<'a>(snapshot: &'a Snapshot, to: &'a Snapshot, text: Option<&str>) -> FileWrite<'a> {
    FileWrite {
        snapshot,
        action: WriteAction::Rename {
            to,
            bytes: text.map(Into::into),
            executable: None,
        },
    }
}

#[test]
fn a_claim_means_the_file_that_is_there() {
    let tree = Tree::new(&[("src/lib.rs", "x\n"), ("a/both.rs", ""), ("both.rs", "")]);
    let check = |readings: &[&str], expected: &str| {
        let found = tree
            .resolve(readings)
            .map_or_else(|e| e.to_string(), |p| p.to_string());
        assert_eq!(found, expected, "{readings:?}");
    };
    check(&["src/lib.rs", "a/src/lib.rs"], "src/lib.rs");
    check(&["a/src/lib.rs", "src/lib.rs"], "src/lib.rs");
    check(&["both.rs", "a/both.rs"], "both.rs");
    check(&["new.rs", "a/new.rs"], "new.rs");
    check(&["../up.rs", "up.rs"], "up.rs");
    check(&["../up.rs"], "`../up.rs` is outside the root");
    check(&["/etc/passwd"], "`/etc/passwd` is outside the root");
    check(&[".git/config"], "`.git/config` is inside git's own folder");
    check(
        &["sub/.GIT/config"],
        "`sub/.GIT/config` is inside git's own folder",
    );
    check(&["nul"], "`nul` is a device name");
    let absolute = tree.path("src/lib.rs");
    check(&[absolute.to_str().unwrap()], "src/lib.rs");
    let canonical = tree.root.path().join("src/new.rs");
    check(&[canonical.to_str().unwrap()], "src/new.rs");
}

#[test]
fn a_root_is_never_gits_own_folder() {
    let temp = tempfile::tempdir().unwrap();
    let git = temp.path().join(".git/hooks");
    fs::create_dir_all(&git).unwrap();
    assert!(Root::open(&git).is_err());
    assert!(Root::open(&temp.path().join("absent")).is_err());
}

#[test]
fn a_link_is_followed_inside_the_root_only() {
    let tree = Tree::new(&[("real/file", "a\n"), (".git/config", "[core]\n")]);
    let link = |to: &Path, name: &str| symlink(to, tree.path(name)).unwrap();
    link(Path::new("real/file"), "file");
    link(Path::new("../real"), "real/again");
    link(&tree.root.path().join("real"), "absolute");
    link(&tree.outside(), "out");
    link(Path::new("../outside"), "out2");
    link(Path::new("../root/real/file"), "out3");
    link(Path::new("loop2"), "loop1");
    link(Path::new("loop1"), "loop2");
    link(Path::new(".git"), "innocent");
    link(Path::new("real/new"), "dangling");

    for name in ["file", "real/again/again/file", "absolute/file"] {
        let snapshot = tree.read(name);
        assert_eq!(snapshot.target.to_string(), "real/file", "{name}");
        assert_eq!(snapshot.document().unwrap().text(), "a\n");
    }
    assert_eq!(tree.read("dangling").state, FileState::Absent);
    let check = |name: &str, expected: &str| assert_eq!(tree.refusal(name), expected);
    check(
        "out/secret",
        "`out/secret` goes through the link `out`, which leads out of the root",
    );
    check(
        "out2/secret",
        "`out2/secret` goes through the link `out2`, which leads out of the root",
    );
    check(
        "out3",
        "`out3` goes through the link `out3`, which leads out of the root",
    );
    check("loop1", "`loop1` goes through links that lead in a circle");
    check(
        "innocent/config",
        "`innocent/config` is inside git's own folder",
    );
}

#[test]
fn what_is_no_text_file_is_not_read() {
    let tree = Tree::new(&[("dir/file", "x"), ("binary", "a\0b")]);
    let status = std::process::Command::new("mkfifo")
        .arg(tree.path("pipe"))
        .status();
    assert!(status.unwrap().success());
    assert_eq!(tree.refusal("dir"), "`dir` is a folder");
    assert_eq!(tree.refusal("pipe"), "`pipe` is not a regular file");
    assert_eq!(tree.refusal("binary"), "`binary`: the file is binary");
    assert_eq!(
        tree.refusal("binary/below"),
        "`binary/below` lies below a name that is not a folder"
    );
    let outside = RepoPath::parse("absent/file").unwrap();
    assert!(matches!(
        tree.root.read(&outside),
        Ok(Snapshot {
            state: FileState::Absent,
            ..
        })
    ));
}

#[test]
fn a_batch_creates_changes_removes_and_renames() {
    let tree = Tree::new(&[
        ("keep", "keep\r\n\u{feff}no newline at the end"),
        ("old/deep/gone", "x\n"),
        ("from", "moved\n"),
        ("a", "1\n"),
        ("b", "2\n"),
    ]);
    let [keep, gone, from, a, b] =
        ["keep", "old/deep/gone", "from", "a", "b"].map(|name| tree.read(name));
    let [new, to] = ["new/dir/file", "to/here"].map(|name| tree.read(name));
    let receipt = commit(
        &tree.root,
        &[
            put(&keep, "kept\r\nx\n\ry"),
            remove(&gone),
            rename(&from, &to, None),
            // The names change places.
            rename(&a, &b, None),
            rename(&b, &a, Some("two\n")),
            put(&new, "new\n"),
        ],
    )
    .unwrap();
    assert_eq!(
        tree.list(),
        [
            "a",
            "b",
            "keep",
            "new/",
            "new/dir/",
            "new/dir/file",
            "to/",
            "to/here"
        ]
    );
    assert_eq!(tree.text("keep"), "kept\r\nx\n\ry");
    assert_eq!(tree.text("to/here"), "moved\n");
    assert_eq!(
        (tree.text("a"), tree.text("b")),
        ("two\n".into(), "1\n".into())
    );
    assert_eq!(tree.text("new/dir/file"), "new\n");
    assert!(receipt.warnings.is_empty());
    let keep_written = receipt
        .written
        .iter()
        .find(|written| written.path == keep.path)
        .unwrap();
    assert_eq!(keep_written.before, keep.hash());
    assert_eq!(keep_written.after, tree.read("keep").hash());
}

#[test]
fn a_file_keeps_its_mode_and_attributes() {
    let tree = Tree::new(&[("script", "a\n"), ("secret", "s\n")]);
    let chmod = |name, mode| {
        fs::set_permissions(tree.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    chmod("script", 0o750);
    chmod("secret", 0o600);
    let marked = xattr::set(tree.path("script"), "user.mark", b"1").is_ok();
    let owned = std::os::unix::fs::chown(tree.path("script"), Some(12345), Some(54321)).is_ok();
    tree.put("script", "b\n").unwrap();
    assert_eq!(tree.mode("script"), 0o750);
    if marked {
        let mark = xattr::get(tree.path("script"), "user.mark").unwrap();
        assert_eq!(mark.as_deref(), Some(&b"1"[..]));
    }
    if owned {
        let meta = fs::metadata(tree.path("script")).unwrap();
        assert_eq!((meta.uid(), meta.gid()), (12345, 54321));
    }

    let mut modes = Vec::new();
    for executable in [Some(true), Some(false)] {
        let [secret, script] = ["secret", "script"].map(|name| tree.read(name));
        let action = |text: &str| WriteAction::Put {
            bytes: text.into(),
            executable,
        };
        let writes = [
            FileWrite {
                snapshot: &secret,
                action: action("t\n"),
            },
            FileWrite {
                snapshot: &script,
                action: action("c\n"),
            },
        ];
        commit(&tree.root, &writes).unwrap();
        modes.push((tree.mode("secret"), tree.mode("script")));
    }
    assert_eq!(modes, [(0o700, 0o750), (0o600, 0o640)]);
}

#[test]
fn a_new_file_has_the_usual_mode() {
    let tree = Tree::new(&[]);
    fs::write(tree.path("usual"), "").unwrap();
    tree.put("plain", "a\n").unwrap();
    let snapshot = tree.read("script");
    let action = WriteAction::Put {
        bytes: b"b\n".into(),
        executable: Some(true),
    };
    let write = FileWrite {
        snapshot: &snapshot,
        action,
    };
    commit(&tree.root, &[write]).unwrap();
    assert_eq!(tree.mode("plain"), tree.mode("usual"));
    assert_eq!(
        tree.mode("script"),
        tree.mode("usual") | ((tree.mode("usual") & 0o444) >> 2)
    );
}

#[test]
fn a_link_stays_a_link() {
    let tree = Tree::new(&[("real/file", "a\n")]);
    symlink("real/file", tree.path("link")).unwrap();
    symlink(tree.root.path().join("real"), tree.path("folder")).unwrap();
    tree.put("link", "b\n").unwrap();
    assert!(tree.path("link").is_symlink());
    assert_eq!(tree.text("real/file"), "b\n");
    tree.put("folder/file", "c\n").unwrap();
    tree.put("folder/new", "n\n").unwrap();
    assert!(tree.path("folder").is_symlink());
    assert_eq!(
        (tree.text("real/file"), tree.text("real/new")),
        ("c\n".into(), "n\n".into())
    );

    let snapshot = tree.read("link");
    let error = commit(&tree.root, &[remove(&snapshot)]).unwrap_err();
    assert!(matches!(error, CommitError::Link { .. }), "{error}");
    let real = tree.read("real/file");
    let error = commit(&tree.root, &[put(&snapshot, "x"), put(&real, "y")]).unwrap_err();
    assert!(matches!(error, CommitError::Twice { .. }), "{error}");
}

#[test]
fn a_file_changed_since_the_review_is_a_conflict() {
    let tree = Tree::new(&[
        ("a", "a\n"),
        ("b", "b\n"),
        ("c", "c\n"),
        ("d", "d\n"),
        ("e", "e\n"),
    ]);
    symlink("c", tree.path("link")).unwrap();
    let before = ["a", "b", "link", "d", "e", "new"].map(|name| tree.read(name));
    fs::write(tree.path("b"), "changed\n").unwrap();
    fs::remove_file(tree.path("link")).unwrap();
    symlink("a", tree.path("link")).unwrap();
    fs::remove_file(tree.path("d")).unwrap();
    fs::set_permissions(tree.path("e"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(tree.path("new"), "appeared\n").unwrap();
    let writes: Vec<_> = before.iter().map(|snapshot| put(snapshot, "x\n")).collect();
    let CommitError::Conflict { paths } = commit(&tree.root, &writes).unwrap_err() else {
        panic!("not a conflict");
    };
    let mut names: Vec<_> = paths.iter().map(RepoPath::to_string).collect();
    names.sort();
    assert_eq!(names, ["b", "d", "e", "link", "new"]);
    assert_eq!(tree.text("a"), "a\n");
    assert_eq!(tree.list(), ["a", "b", "c", "e", "link", "new"]);
}

#[test]
fn a_failure_takes_everything_back() {
    let tree = Tree::new(&[("a", "a\n"), ("blocked", "in the way\n"), ("z/z", "z\n")]);
    let [a, z] = ["a", "z/z"].map(|name| tree.read(name));
    fs::remove_file(tree.path("blocked")).unwrap();
    let below = tree.read("blocked/below/file");
    // Now a file is where a folder is needed, which stops even a privileged user.
    fs::write(tree.path("blocked"), "in the way\n").unwrap();
    let inode = |name| fs::metadata(tree.path(name)).unwrap().ino();
    let inodes = (inode("a"), inode("z/z"));
    let writes = [put(&a, "x\n"), put(&below, "x\n"), remove(&z)];
    let error = commit(&tree.root, &writes).unwrap_err();
    assert!(error.to_string().contains("blocked/below/file"), "{error}");
    assert!(!error.hint().is_empty());
    assert_eq!(tree.list(), ["a", "blocked", "z/", "z/z"]);
    assert_eq!((inode("a"), inode("z/z")), inodes);
    assert_eq!(
        (tree.text("a"), tree.text("z/z")),
        ("a\n".into(), "z\n".into())
    );
}

#[test]
fn what_cannot_be_replaced_safely_is_refused() {
    let tree = Tree::new(&[("readonly", "r\n"), ("a", "a\n"), ("b", "b\n")]);
    fs::set_permissions(tree.path("readonly"), fs::Permissions::from_mode(0o444)).unwrap();
    let error = tree.put("readonly", "x\n").unwrap_err();
    assert!(matches!(error, CommitError::ReadOnly { .. }), "{error}");

    let [a, b, absent] = ["a", "b", "absent"].map(|name| tree.read(name));
    let error = commit(&tree.root, &[rename(&a, &b, None)]).unwrap_err();
    assert!(matches!(error, CommitError::Occupied { .. }), "{error}");
    let error = commit(&tree.root, &[remove(&absent)]).unwrap_err();
    assert!(matches!(error, CommitError::Nothing { .. }), "{error}");
    assert_eq!(tree.list(), ["a", "b", "readonly"]);
}

#[test]
fn a_swapped_link_never_leads_out() {
    let tree = Tree::new(&[("dir/file", "0\n")]);
    let (dir, link) = (tree.path("dir"), tree.path("link"));
    let outside = tree.outside();
    fs::write(outside.join("file"), "untouched\n").unwrap();
    symlink(&outside, &link).unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                renameat_with(CWD, &dir, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        });
        for n in 0..500 {
            match tree.root.read(&RepoPath::parse("dir/file").unwrap()) {
                // Whether it is written is a matter of luck; where it is written is not.
                Ok(file) => drop(commit(&tree.root, &[put(&file, &format!("{n}\n"))])),
                Err(
                    ReadError::Forbidden(_)
                    | ReadError::NotAFolder { .. }
                    | ReadError::Unreadable { .. },
                ) => (),
                Err(error) => panic!("{error}"),
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        fs::read_to_string(outside.join("file")).unwrap(),
        "untouched\n"
    );
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 2);
    if dir.is_symlink() {
        renameat_with(CWD, &dir, CWD, &link, RenameFlags::EXCHANGE).unwrap();
    }
    tree.put("dir/file", "done\n").unwrap();
    assert_eq!(tree.list(), ["dir/", "dir/file", "link"]);
}

#[test]
fn ignore_files_are_obeyed_and_named() {
    let tree = Tree::new(&[
        (".rooignore", "# comment\nsecret/\n*.key\n"),
        (".countersignignore", "/only-here\n"),
        ("sub/.rooignore", "!fine.key\ndeep\n"),
        ("sub/fine.key", "k"),
        ("sub/other.key", "k"),
        ("secret/file", "s"),
        ("secret/.rooignore", "!file\n"),
    ]);
    symlink("secret/file", tree.path("innocent")).unwrap();
    let check = |name: &str, expected: &str| assert_eq!(tree.refusal(name), expected);
    check(
        "secret/file",
        "`secret/file` is ignored: line 2 of `.rooignore` says `secret/`",
    );
    check(
        "innocent",
        "`secret/file` is ignored: line 2 of `.rooignore` says `secret/`",
    );
    check(
        "sub/other.key",
        "`sub/other.key` is ignored: line 3 of `.rooignore` says `*.key`",
    );
    check(
        "sub/deep/new",
        "`sub/deep/new` is ignored: line 2 of `sub/.rooignore` says `deep`",
    );
    check(
        "only-here",
        "`only-here` is ignored: line 1 of `.countersignignore` says `/only-here`",
    );
    tree.read("sub/fine.key");
    tree.read("sub/only-here");
    let refused = tree.resolve(&["secret/file", "other/file"]).unwrap_err();
    assert!(matches!(refused, Forbidden::Ignored { .. }));
}

#[test]
fn an_ignore_file_that_cannot_be_read_forbids_everything() {
    let tree = Tree::new(&[("file", "")]);
    symlink("../outside/secret", tree.path(".rooignore")).unwrap();
    assert_eq!(
        tree.refusal("file"),
        "`.rooignore` goes through the link `.rooignore`, which leads out of the root"
    );
}

#[test]
fn a_link_does_not_hide_what_is_protected() {
    let tree = Tree::new(&[(".claude/settings.json", "{}"), ("plain", "")]);
    symlink(".claude", tree.path("innocent")).unwrap();
    let protection = |name: &str| tree.root.protection(&RepoPath::parse(name).unwrap());
    assert_eq!(protection("plain"), None);
    assert_eq!(protection("innocent/settings.json"), Some(Protected::Agent));
}

#[test]
fn two_writers_never_lose_a_change() {
    let tree = Tree::new(&[("count", "0\n")]);
    let dir = tree.root.path().to_owned();
    let written: usize = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let root = open(&dir);
                    let path = RepoPath::parse("count").unwrap();
                    let mut written = 0;
                    for _ in 0..50 {
                        let Ok(snapshot) = root.read(&path) else {
                            continue;
                        };
                        let Some(document) = snapshot.document() else {
                            continue;
                        };
                        let count: usize = document.text().trim().parse().unwrap();
                        let next = format!("{}\n", count + 1);
                        written += usize::from(commit(&root, &[put(&snapshot, &next)]).is_ok());
                    }
                    written
                })
            })
            .collect();
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .sum()
    });
    assert_eq!(tree.text("count"), format!("{written}\n"));
    assert_eq!(tree.list(), ["count"]);
}
