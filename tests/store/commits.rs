//! Batches that are written, or not at all.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use countersign::proposal::RepoPath;
use countersign::store::{CommitError, FileWrite, Warning, WriteAction, commit, undo};

use crate::tree::{Tree, put, remove, rename};

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
fn a_new_text_has_no_privileges() {
    let tree = Tree::new(&[("a", "old\n"), ("b", "old\n")]);
    for (name, mode) in [("a", 0o6755), ("b", 0o1755)] {
        fs::set_permissions(tree.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let [a, b] = ["a", "b"].map(|name| tree.read(name));
    let receipt = commit(&tree.root, &[put(&a, "new\n"), put(&b, "new\n")]).unwrap();
    assert_eq!(receipt.warnings, [Warning::PrivilegesRemoved(a.path)]);
    let mode = |name| fs::metadata(tree.path(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("a"), mode("b")), (0o755, 0o1755));
    // A file with other names is written in place.
    fs::set_permissions(tree.path("a"), fs::Permissions::from_mode(0o6755)).unwrap();
    fs::hard_link(tree.path("a"), tree.path("c")).unwrap();
    let a = tree.read("a");
    let receipt = commit(&tree.root, &[put(&a, "newer\n")]).unwrap();
    let warnings = [Warning::OtherNames, Warning::PrivilegesRemoved].map(|is| is(a.path.clone()));
    assert_eq!(receipt.warnings, warnings);
    assert_eq!((mode("a"), mode("c")), (0o755, 0o755));
}

#[test]
fn a_file_with_other_names_is_written_in_place() {
    let tree = Tree::new(&[("one", "old\n"), ("gone", "gone\n")]);
    fs::hard_link(tree.path("one"), tree.path("two")).unwrap();
    fs::hard_link(tree.path("gone"), tree.path("kept")).unwrap();
    let [one, gone] = ["one", "gone"].map(|name| tree.read(name));
    let receipt = commit(&tree.root, &[put(&one, "new\n"), remove(&gone)]).unwrap();
    assert_eq!(tree.text("two"), "new\n");
    assert_eq!(tree.text("kept"), "gone\n");
    assert_eq!(receipt.warnings, [Warning::OtherNames(one.path)]);
    assert_eq!(tree.list(), ["kept", "one", "two"]);
    undo(&tree.root, None).unwrap();
    assert_eq!(
        (tree.text("one"), tree.text("two")),
        ("old\n".into(), "old\n".into())
    );

    let [one, two] = ["one", "two"].map(|name| tree.read(name));
    let error = commit(&tree.root, &[put(&one, "1\n"), put(&two, "2\n")]).unwrap_err();
    assert!(matches!(error, CommitError::Conflict { .. }), "{error}");
    assert_eq!(tree.text("one"), "old\n");
}

#[test]
fn a_large_batch_is_like_a_small_one() {
    let tree = Tree::new(&[]);
    let names: Vec<_> = (0..100).map(|n| format!("new/{}/{n}", n % 10)).collect();
    for text in ["1\n", "2\n"] {
        let files: Vec<_> = names.iter().map(|name| tree.read(name)).collect();
        let writes: Vec<_> = files.iter().map(|file| put(file, text)).collect();
        let receipt = commit(&tree.root, &writes).unwrap();
        assert_eq!(receipt.warnings, []);
        assert!(names.iter().all(|name| tree.text(name) == text));
    }
    undo(&tree.root, None).unwrap();
    assert!(names.iter().all(|name| tree.text(name) == "1\n"));
    let files: Vec<_> = names.iter().map(|name| tree.read(name)).collect();
    let writes: Vec<_> = files.iter().map(remove).collect();
    commit(&tree.root, &writes).unwrap();
    assert_eq!(tree.list(), <[String; 0]>::default());
}

#[test]
fn a_new_content_does_not_inherit_privileges() {
    let tree = Tree::new(&[("tool", "old\n")]);
    fs::set_permissions(tree.path("tool"), fs::Permissions::from_mode(0o6755)).unwrap();
    tree.put("tool", "new\n").unwrap();
    assert_eq!(tree.mode("tool"), 0o755);
}
