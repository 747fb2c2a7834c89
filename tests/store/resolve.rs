//! Which file an edit means, and which files it may not touch.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use countersign::proposal::RepoPath;
use countersign::store::{FileState, Forbidden, Protected, Root, Snapshot};

use crate::tree::Tree;

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
    let tree = Tree::new(&[
        ("real/file", "a\n"),
        ("real/deep/down/file", "b\n"),
        (".git/config", "[core]\n"),
    ]);
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
    for name in ["absolute/deep/down/new", "real/again/deep/down/new"] {
        assert_eq!(tree.read(name).target.to_string(), "real/deep/down/new");
    }
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
fn what_is_no_file_is_not_read() {
    let tree = Tree::new(&[("dir/file", "x"), ("binary", "a\0b")]);
    let status = std::process::Command::new("mkfifo")
        .arg(tree.path("pipe"))
        .status();
    assert!(status.unwrap().success());
    assert_eq!(tree.refusal("dir"), "`dir` is a folder");
    assert_eq!(tree.refusal("pipe"), "`pipe` is not a regular file");
    let binary = tree.read("binary").state;
    assert!(matches!(binary, FileState::Opaque { size: 3, .. }));
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
    fs::hard_link(tree.outside().join("secret"), tree.path("hard")).unwrap();
    symlink(".claude", tree.path("innocent")).unwrap();
    let protection = |name: &str| tree.root.protection(&RepoPath::parse(name).unwrap());
    assert_eq!(protection("plain"), None);
    assert_eq!(protection("hard"), Some(Protected::OtherNames));
    assert_eq!(protection("innocent/settings.json"), Some(Protected::Agent));
}
