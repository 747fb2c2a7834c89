//! Links and folders as such: batches that make, change and remove them, and trees that are not as they were reviewed.
//!
//! A tree is written as `d/ d/f=text l>target`: a folder, a file, a link. A batch is written in the same way, with `-name` for
//! what it removes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use countersign::proposal::RepoPath;
use countersign::store::{FileWrite, Snapshot, WriteAction, commit, undo};

use super::tree::{Tree, put, remove};

fn make(tree: &Tree, entries: &str) {
    for entry in entries.split_whitespace() {
        if let Some((name, text)) = entry.split_once('=') {
            fs::write(tree.path(name), text).unwrap();
        } else if let Some((name, target)) = entry.split_once('>') {
            symlink(target, tree.path(name)).unwrap();
        } else {
            fs::create_dir(tree.path(entry)).unwrap();
        }
    }
}

fn shown(tree: &Tree) -> String {
    let names = tree.list().into_iter().map(|name| {
        let path = tree.path(&name);
        match fs::read_link(&path) {
            Ok(target) => format!("{name}>{}", target.display()),
            Err(_) if path.is_dir() => name,
            Err(_) => format!("{name}={}", fs::read_to_string(path).unwrap()),
        }
    });
    names.collect::<Vec<_>>().join(" ")
}

fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
}

fn write_of<'a>(snapshot: &'a Snapshot, part: &str) -> FileWrite<'a> {
    let action = match (part.split_once('='), part.split_once('>')) {
        (Some((_, text)), _) => return put(snapshot, text),
        (None, Some((_, to))) => WriteAction::Link { to: to.to_owned() },
        (None, None) if part.starts_with('-') => return remove(snapshot),
        (None, None) => WriteAction::Folder,
    };
    FileWrite { snapshot, action }
}

/// Reviews a tree, changes it to `meanwhile` (unless that is empty), and commits a batch. `expected` is the tree after it, which an
/// undo takes back, or `!` and a part of the error, which leaves the tree alone.
#[track_caller]
fn check(before: &str, batch: &str, meanwhile: &str, expected: &str) {
    let tree = Tree::new(&[]);
    make(&tree, before);
    let parts: Vec<&str> = batch.split_whitespace().collect();
    let name = |part: &str| {
        let name = part.trim_start_matches('-').split(['=', '>']).next();
        RepoPath::parse(name.unwrap().trim_end_matches('/')).unwrap()
    };
    let read = |part: &&str| tree.root.read_any(&name(part));
    let snapshots: Result<Vec<_>, _> = parts.iter().map(read).collect();
    let snapshots = snapshots.unwrap_or_else(|error| panic!("{before}: {error}"));
    if !meanwhile.is_empty() {
        clear(&tree.path(""));
        make(&tree, meanwhile);
    }
    let found = shown(&tree);
    let writes: Vec<FileWrite<'_>> = (snapshots.iter().zip(&parts))
        .map(|(snapshot, part)| write_of(snapshot, part))
        .collect();
    let what = format!("{before}: {batch} ({meanwhile})");
    match commit(&tree.root, &writes) {
        Ok(receipt) => {
            assert_eq!(shown(&tree), expected, "{what}");
            let back = undo(&tree.root, Some(&receipt.id)).unwrap();
            assert_eq!(shown(&tree), found, "{what}: undo");
            undo(&tree.root, Some(&back.id)).unwrap();
            assert_eq!(shown(&tree), expected, "{what}: undo of the undo");
        }
        Err(error) => {
            let error = error.to_string();
            let wanted = expected.strip_prefix('!');
            assert!(
                wanted.is_some_and(|wanted| error.contains(wanted)),
                "{what}: {error}"
            );
            assert_eq!(shown(&tree), found, "{what}: {error}");
        }
    }
}

#[test]
fn entries_are_made_changed_and_removed() {
    check("", "d/", "", "d/");
    check("", "d/ d/e/ d/e/f=1", "", "d/ d/e/ d/e/f=1");
    check("d/", "-d", "", "");
    check("d/ d/f=1", "-d -d/f", "", "");
    check("d/ d/e/ d/e/f=1 d/e/l>f", "-d -d/e -d/e/f -d/e/l", "", "");
    check("d/ d/f=1", "-d/f d=2", "", "d=2");
    check("d/ d/f=1", "-d/f d>x", "", "d>x");
    check("f=1", "f/", "", "f/");
    check("l>x", "l/", "", "l/");
    check("f=1 l>f", "l>g", "", "f=1 l>g");
    check("f=1 l>f", "l=2", "", "f=1 l=2");
    check("f=1 l>f", "f>g -l", "", "f>g");
    check("f=1 l>f", "-l", "", "f=1");
}

#[test]
fn a_file_behind_a_link_that_changes_is_refused() {
    let refused = "!is reached through a link";
    check("x/ l>x", "-l l/g=2", "", refused);
    check("l>x", "l/ l/g=2", "", refused);
    check("x/ y/ l>x", "l>y l/g=2", "", refused);
    check("x/ m>x l>m", "-m l/g=2", "", refused);
    check("x/ x/k=1 l>x", "l/g=2", "", "l>x x/ x/g=2 x/k=1");
    check("x/ x/k=1 l>x m>x", "-m x/g=2", "", "l>x x/ x/g=2 x/k=1");
    check("x/", "n>x n/g=1", "", "!");
}

#[test]
fn entries_that_are_not_as_reviewed_are_conflicts() {
    // A folder: it holds more, is a file, a link, or gone.
    check("d/ d/f=1", "-d", "", "!it holds `f`, which stays");
    check(
        "d/ d/f=1",
        "-d -d/f",
        "d/ d/f=1 d/g=2",
        "!it holds `g`, which stays",
    );
    check("d/", "-d", "d=1", "!changed on disk");
    check("d/", "-d", "e/ d>e", "!changed on disk");
    check("d/", "-d", "x=1", "!changed on disk");
    check("", "d/", "d/", "!changed on disk");
    check("", "d/ d/f=1", "d/ d/f=1", "!changed on disk");
    check("", "d/ d/f=1", "d=1", "!changed on disk");
    // A link: its target, a file, a folder, gone.
    check("l>x", "l>y", "l>z", "!changed on disk");
    check("l>x", "-l", "l=x", "!changed on disk");
    check("l>x", "-l", "l/", "!changed on disk");
    check("l>x", "-l", "x=1", "!changed on disk");
    check("f=1", "f>y", "x=1 f>x", "!changed on disk");
    check("f=1", "-f", "f/", "!changed on disk");
    check("", "f=1", "f/", "!changed on disk");
    check("", "f=1", "f>x", "!changed on disk");
    // The link on the way to an entry leads elsewhere now; the entry that was reviewed is where it was.
    check("d/ e/ p>d", "p/n/", "d/ e/ p>e", "!changed on disk");
    check(
        "d/ d/f/ e/ p>d",
        "p/f>y",
        "d/ d/f/ e/ p>e",
        "!changed on disk",
    );
    check(
        "d/ d/l>x e/ p>d",
        "p/l>y",
        "d/ d/l>x e/ p>e",
        "!changed on disk",
    );
    // The folder of an entry is a link to another one, or a file.
    check(
        "d/ d/l>x",
        "-d/l",
        "e/ e/l>x d>e",
        "!a folder on the way to it",
    );
    check(
        "d/ d/e/",
        "-d/e",
        "g/ g/e/ d>g",
        "!a folder on the way to it",
    );
    check(
        "d/ d/f=1",
        "d/f=2",
        "e/ e/f=1 d>e",
        "!a folder on the way to it",
    );
    check(
        "d/ d/f=1",
        "d/f=2",
        "d=1",
        "!a folder on the way to it is a file",
    );
    check(
        "d/ d/l>x",
        "d/l>y",
        "d=1",
        "!a folder on the way to it is a file",
    );
    check("d/", "d/f=2", "d=1", "!a folder on the way to it is a file");
}
