//! Other programs at work at the same time.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use countersign::proposal::RepoPath;
use countersign::store::{ReadError, commit};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::tree::{Tree, open, put};

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
