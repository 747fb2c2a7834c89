//! Other programs at work at the same time.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use countersign::proposal::RepoPath;
use countersign::store::{ReadError, Recovery, commit, recover};
use countersign::text::Document;
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::tree::{Tree, open, put, remove};

#[test]
fn a_swapped_link_never_leads_out() {
    let tree = Tree::in_memory(&[]);
    let outside = tree.outside();
    swap_with_link(&tree, Path::new("../outside"), &outside);
}

#[test]
fn a_swapped_link_never_leads_into_gits_folder() {
    let tree = Tree::in_memory(&[(".git/config", "[core]\n")]);
    swap_with_link(&tree, Path::new(".git"), &tree.path(".git"));
}

/// Ends a thread's loop even if the test fails before.
struct StopWhenDropped<'a>(&'a AtomicBool);

impl Drop for StopWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Writes a file again and again while a folder above it is swapped for a link to a forbidden one.
fn swap_with_link(tree: &Tree, to: &Path, forbidden: &Path) {
    let (dir, link) = (tree.path("dir"), tree.path("link"));
    for (folder, text) in [(dir.as_path(), "0\n"), (forbidden, "untouched\n")] {
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join("sub/file"), text).unwrap();
    }
    symlink(to, &link).unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                renameat_with(CWD, &dir, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let _stop = StopWhenDropped(&stop);
        for n in 0..500 {
            match tree.root.read(&RepoPath::parse("dir/sub/file").unwrap()) {
                // Whether it is written is a matter of luck; where it is written is not.
                Ok(file) => {
                    assert_ne!(file.document().map(Document::text), Some("untouched\n"));
                    drop(commit(&tree.root, &[put(&file, &format!("{n}\n"))]));
                }
                Err(
                    ReadError::Forbidden(_)
                    | ReadError::NotAFolder { .. }
                    | ReadError::Unreadable { .. },
                ) => (),
                Err(error) => panic!("{error}"),
            }
        }
    });
    let untouched = fs::read_to_string(forbidden.join("sub/file")).unwrap();
    assert_eq!(untouched, "untouched\n");
    assert_eq!(fs::read_dir(forbidden.join("sub")).unwrap().count(), 1);
    if dir.is_symlink() {
        renameat_with(CWD, &dir, CWD, &link, RenameFlags::EXCHANGE).unwrap();
    }
    tree.put("dir/sub/file", "done\n").unwrap();
    let litter = tree
        .list()
        .into_iter()
        .filter(|name| name.contains(".countersign-"));
    assert_eq!(litter.collect::<Vec<_>>(), <[String; 0]>::default());
}

#[test]
fn two_writers_never_lose_a_change() {
    let tree = Tree::in_memory(&[("count", "0\n")]);
    let dir = tree.root.path().to_owned();
    let written: usize = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let root = open(&dir);
                    let path = RepoPath::parse("count").unwrap();
                    let mut written = 0;
                    for _ in 0..200 {
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

#[test]
fn a_save_by_an_editor_is_never_lost() {
    let tree = Tree::in_memory(&[("file", "0\n")]);
    let (file, part) = (tree.path("file"), tree.temp.path().join("part"));
    for save in 1..=150_u64 {
        thread::scope(|scope| {
            scope.spawn(|| {
                fs::write(&part, format!("{save}\n")).unwrap();
                // The moment of the save wanders through the commits.
                for _ in 0..save * 10 {
                    thread::yield_now();
                }
                fs::rename(&part, &file).unwrap();
            });
            for _ in 0..3 {
                let snapshot = tree.read("file");
                let text = snapshot.document().unwrap().text().trim_end_matches("!\n");
                let text = format!("{}!\n", text.trim_end());
                drop(commit(&tree.root, &[put(&snapshot, &text)]));
            }
        });
        let found = tree.text("file");
        assert_eq!(found.trim_end_matches(['!', '\n']), save.to_string());
    }
}

/// Commits without end, until it is killed. Only a test that starts this one as a program of its own asks for it.
#[test]
fn a_program_to_be_killed() {
    let Some(dir) = std::env::var_os("COUNTERSIGN_TEST_ROOT") else {
        return;
    };
    let root = open(dir.as_ref());
    for n in 0_u64.. {
        let files = FILES.map(|name| root.read(&RepoPath::parse(name).unwrap()).unwrap());
        let writes: Vec<_> = files
            .iter()
            .enumerate()
            .map(|(i, file)| {
                // Every other time the files of odd places are not there.
                if i % 2 == 1 && file.document().is_some() {
                    remove(file)
                } else {
                    put(file, &format!("{n} of {}\n", std::process::id()))
                }
            })
            .collect();
        commit(&root, &writes).unwrap();
    }
}

const FILES: [&str; 6] = ["a", "b", "folder/c", "other/d", "folder/deep/e", "f"];

#[test]
fn a_kill_leaves_all_old_or_all_new() {
    let tree = Tree::in_memory(&[]);
    let text = |name: &str| fs::read_to_string(tree.path(name)).ok();
    let mut interrupted = 0;
    // Most kills come too late where the system is busy; it takes as many as it takes, within reason.
    for _ in 0..2000 {
        let mut program = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "races::a_program_to_be_killed"])
            .env("COUNTERSIGN_TEST_ROOT", tree.root.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // It is at work once a file has changed.
        let first = text("a");
        while text("a") == first {
            let ended = program.try_wait().unwrap();
            assert!(ended.is_none(), "it ended by itself: {ended:?}");
            thread::yield_now();
        }
        program.kill().unwrap();
        program.wait().unwrap();
        match recover(&tree.root).unwrap() {
            Recovery::Nothing => (),
            Recovery::Finished { .. } => interrupted += 1,
            Recovery::TakenBack { changed, .. } => {
                assert_eq!(changed, []);
                interrupted += 1;
            }
            Recovery::SetAside { why, .. } => panic!("{why}"),
        }
        let texts = FILES.map(text);
        assert!(
            texts.iter().step_by(2).all(|text| *text == texts[0]),
            "{texts:?}"
        );
        let odd = texts.iter().skip(1).step_by(2);
        assert!(
            odd.clone().all(|text| *text == texts[0]) || odd.clone().all(Option::is_none),
            "{texts:?}"
        );
        let litter = tree
            .list()
            .into_iter()
            .filter(|name| name.contains(".countersign"));
        assert_eq!(litter.collect::<Vec<_>>(), <[String; 0]>::default());
        if interrupted == 5 {
            return;
        }
    }
    assert!(interrupted > 0, "no kill came in the middle of a commit");
}
