//! A commit is cut off at every one of its steps, by an error and by a sudden end, and must leave all old or all new.

mod changed_after_end;
mod faulty_disk;
mod journal_origin;
mod scene;

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use self::faulty_disk::{EXCHANGES, Exchange, Fault, FaultyDisk, run_until_end};
use self::scene::{Picture, Scene, files};
use crate::store::folder::snapshot::ContentHash;
use crate::store::records::history::{content, latest_records};
use crate::store::state::{journal::FileRecord, pack, seal};
use crate::store::write::recover::{Recovery, recover, recover_locked};
use crate::store::write::recover_error::RecoverError;

/// The tree before and after the commit, and the number of its steps.
fn pictures(exchange: Exchange) -> (Picture, Picture, usize) {
    const MANY: usize = 10_000;
    let scene = Scene::new();
    let old = scene.picture();
    let disk = FaultyDisk::new(Fault::Once, exchange, MANY);
    assert_eq!(scene.commit(&disk), Some(Ok(())));
    scene.is_clean();
    (old, scene.picture(), MANY - disk.left.into_inner())
}

#[test]
fn an_error_at_any_step_leaves_all_old() {
    for exchange in EXCHANGES {
        let (old, new, steps) = pictures(exchange);
        assert_ne!(old, new);
        for step in 0..steps {
            let scene = Scene::new();
            let disk = FaultyDisk::new(Fault::Once, exchange, step);
            let expected = match scene.commit(&disk).unwrap() {
                Ok(()) => &new,
                Err(_) => &old,
            };
            // What a commit could not clean up after all was in place, the next start does.
            if expected == &new {
                recover(&scene.root).unwrap();
            }
            assert_eq!(&scene.picture(), expected, "{exchange:?}, step {step}");
            scene.is_clean();
        }
    }
}

/// The journal is all that the next start has to go by when a file could not be put back.
#[test]
fn a_second_error_while_steps_are_taken_back_keeps_the_journal() {
    let mut stuck = 0;
    // With links, an error while a second name is taken back leaves that name: nothing is lost, and nobody cleans it up.
    for exchange in [Exchange::AtOnce, Exchange::ByRenames] {
        let (old, new, steps) = pictures(exchange);
        let (old, new) = (files(old), files(new));
        for step in 0..steps {
            for between in 0..8 {
                let scene = Scene::new();
                let disk = FaultyDisk::failing_twice(exchange, step, between);
                let done = scene.commit(&disk).unwrap();
                let has_journal = scene.root.state().unwrap().journal().exists();
                if matches!(&done, Err(error) if error.contains("could not be put back")) {
                    assert!(has_journal, "{exchange:?}, step {step}, {between}");
                    stuck += 1;
                }
                recover(&scene.root).unwrap();
                let found = files(scene.picture());
                assert!(
                    found == old || found == new,
                    "step {step}, {between}: {found:#?}"
                );
                assert!(done.is_err() || found == new, "step {step}, {between}");
                scene.is_clean();
            }
        }
    }
    assert!(stuck > 10, "{stuck}");
}

#[test]
fn taking_a_commit_back_never_removes_the_file_of_another_program() {
    let mut replaced = [0, 0];
    for exchange in EXCHANGES {
        let (_, _, steps) = pictures(exchange);
        for step in 0..steps {
            let scene = Scene::new();
            let dir = scene.temp.path().join("root");
            let names = [("replaced", "new\n"), ("new/folder/file", "made\n")];
            let theirs = |name: &str| dir.join(name.replace('/', "-") + ".theirs");
            for (name, _) in names {
                fs::write(theirs(name), "of another program\n").unwrap();
            }
            let places = names.map(|(name, text)| (theirs(name), dir.join(name), text));
            let mut disk = FaultyDisk::new(Fault::Once, exchange, step);
            disk.when_failing = Box::new(move || {
                for (theirs, place, text) in &places {
                    if fs::read_to_string(place).is_ok_and(|found| found == *text) {
                        // Another step that fails at once may have done it.
                        let _ = fs::rename(theirs, place);
                    }
                }
            });
            let done = scene.commit(&disk).unwrap();
            let check = || {
                let texts = scene.picture().into_values();
                let count = texts
                    .filter(|(_, text)| text == b"of another program\n")
                    .count();
                assert_eq!(count, names.len(), "{exchange:?}, step {step}");
            };
            check();
            for (n, (name, _)) in names.into_iter().enumerate() {
                replaced[n] += usize::from(done.is_err() && !theirs(name).exists());
            }
            recover(&scene.root).unwrap();
            check();
        }
    }
    assert!(replaced[0] > 5 && replaced[1] > 5, "{replaced:?}");
}

#[test]
fn a_lasting_error_is_mended_by_the_next_start() {
    for exchange in EXCHANGES {
        let (old, new, steps) = pictures(exchange);
        for step in 0..steps {
            let scene = Scene::new();
            let disk = FaultyDisk::new(Fault::Lasting, exchange, step);
            let done = scene.commit(&disk).unwrap();
            recover(&scene.root).unwrap();
            let found = scene.picture();
            assert!(found == old || found == new, "step {step}: {found:#?}");
            assert!(done.is_err() || found == new, "step {step}");
            scene.is_clean();
        }
    }
}

#[test]
fn an_end_at_any_step_leaves_all_old_or_all_new() {
    for exchange in EXCHANGES {
        let (old, new, steps) = pictures(exchange);
        let mut outcomes = [0, 0];
        for step in 0..steps {
            let scene = Scene::new();
            let disk = FaultyDisk::new(Fault::End, exchange, step);
            assert_eq!(scene.commit(&disk), None);
            let recovery = recover(&scene.root).unwrap();
            let found = scene.picture();
            assert!(found == old || found == new, "step {step}: {found:#?}");
            match recovery {
                Recovery::Nothing | Recovery::TakenBack { .. } => assert_eq!(found, old),
                Recovery::Finished { .. } => assert_eq!(found, new),
                Recovery::SetAside { why, .. } => panic!("step {step}: {why}"),
            }
            outcomes[usize::from(found == new)] += 1;
            scene.is_clean();
        }
        assert!(outcomes[0] > 10 && outcomes[1] > 10, "{outcomes:?}");
    }
}

/// A step that runs on several cores fails on one of them, while the others go on.
#[test]
fn a_large_batch_is_all_old_or_all_new_too() {
    const MANY: usize = 70;
    const STEPS: usize = 10_000;
    let scene = Scene::with(MANY);
    let old = scene.picture();
    let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, STEPS);
    assert_eq!(scene.commit(&disk), Some(Ok(())));
    let (new, steps) = (scene.picture(), STEPS - disk.left.into_inner());
    for (n, step) in (0..steps).step_by(3).enumerate() {
        let fault = [Fault::Once, Fault::Lasting, Fault::End][n % 3];
        let scene = Scene::with(MANY);
        let disk = FaultyDisk::new(fault, Exchange::AtOnce, step);
        let done = scene.commit(&disk);
        let before = scene.picture();
        recover(&scene.root).unwrap();
        let found = scene.picture();
        assert!(found == old || found == new, "{fault:?}, step {step}");
        match (fault, done) {
            (Fault::Once, Some(Err(_))) => assert_eq!(before, old, "step {step}"),
            (_, Some(Ok(()))) => assert_eq!(found, new, "{fault:?}, step {step}"),
            (Fault::Once | Fault::Lasting | Fault::End, _) => (),
        }
        scene.is_clean();
    }
}

#[test]
fn the_old_files_of_a_large_batch_are_moved_into_the_history() {
    const MANY: usize = 70;
    let scene = Scene::with(MANY);
    let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, usize::MAX);
    assert_eq!(scene.commit(&disk), Some(Ok(())));
    scene.is_clean();

    let state = scene.root.state().unwrap();
    let record = latest_records(&state).next().unwrap();
    let folder = state.replaced(record.id);
    let moved = |name: &str| {
        let position = |file: &FileRecord| file.path.to_string() == name;
        let number = record.files.iter().position(position).unwrap();
        folder.join(number.to_string())
    };
    assert_eq!(fs::read(moved("many/7")).unwrap(), b"many/7 is old\n");
    assert_eq!(fs::read(moved("empties/below/removed")).unwrap(), b"gone\n");
    assert!(!moved("two-names").exists(), "the file is still in use");
    let kept: u64 = (fs::read_dir(&folder).unwrap())
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    let pack = fs::metadata(state.pack(record.id)).unwrap().len();
    assert!(
        pack > kept,
        "the pack counts what was moved: {pack}, {kept}"
    );

    // A program that still has an old file open may write to it.
    let old = |name: &str| {
        let file = record
            .files
            .iter()
            .find(|file| file.path.to_string() == name);
        content(&state, &record, file.unwrap().before.unwrap().hash)
    };
    let add = |name: &str, text: &str| {
        let mut file = File::options().append(true).open(moved(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    add("many/7", "more\n");
    assert_eq!(old("many/7").unwrap(), b"many/7 is old\n");
    fs::write(moved("many/8"), "another text\n").unwrap();
    assert_eq!(old("many/8"), None);

    pack::remove(&state, record.id).unwrap();
    assert!(!folder.exists() && !state.pack(record.id).exists());
}

#[test]
fn a_recovery_may_end_at_any_step_too() {
    for exchange in EXCHANGES {
        let (old, new, steps) = pictures(exchange);
        // Every step of the commit, with the recovery cut off at steps that wander through it.
        for step in 0..steps {
            let scene = Scene::new();
            let disk = FaultyDisk::new(Fault::End, exchange, step);
            assert_eq!(scene.commit(&disk), None);
            for again in [step % 3, step % 7, step % 17] {
                let disk = FaultyDisk::new(Fault::End, exchange, again);
                let state = scene.root.state().unwrap();
                run_until_end(|| recover_locked(&disk, &scene.root, &state).unwrap());
            }
            recover(&scene.root).unwrap();
            let found = scene.picture();
            assert!(
                found == old || found == new,
                "{exchange:?}, step {step}: {found:#?}"
            );
            scene.is_clean();
        }
    }
}

#[test]
fn a_recovery_may_fail_at_any_step_and_says_in_what() {
    let (old, new, steps) = pictures(Exchange::AtOnce);
    let (old, new) = (files(old), files(new));
    let mut said = Vec::new();
    for step in (0..steps).step_by(3) {
        for again in 0..12 {
            let scene = Scene::new();
            let disk = FaultyDisk::new(Fault::End, Exchange::AtOnce, step);
            assert_eq!(scene.commit(&disk), None);
            let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, again);
            let state = scene.root.state().unwrap();
            if let Err(error) = recover_locked(&disk, &scene.root, &state) {
                said.push(error.to_string());
                recover(&scene.root).unwrap();
            }
            let found = files(scene.picture());
            assert!(found == old || found == new, "step {step}, {again}");
            scene.is_clean();
        }
    }
    for words in [
        "the journal `",
        "could not be put back",
        "the temporary file of `",
    ] {
        assert!(said.iter().any(|said| said.contains(words)), "{words}");
    }
}

/// Puts something in the place of the journal, and returns what a start says is wrong with it.
#[track_caller]
fn set_aside(scene: &Scene, make: impl Fn(&Path)) -> String {
    let old = scene.picture();
    let state = scene.root.state().unwrap().make().unwrap();
    make(&state.journal());
    let Recovery::SetAside { journal, why } = recover(&scene.root).unwrap() else {
        panic!("it was followed");
    };
    assert!(journal.symlink_metadata().is_ok());
    assert_eq!(recover(&scene.root).unwrap(), Recovery::Nothing);
    assert_eq!(scene.picture(), old);
    why
}

#[test]
fn a_journal_that_cannot_be_understood_is_set_aside() {
    let scene = Scene::new();
    let write = |text: &'static [u8]| move |path: &Path| fs::write(path, text).unwrap();
    set_aside(&scene, write(b""));
    set_aside(&scene, write(b"{\n"));
    set_aside(&scene, write(b"\xff\n"));
    let why = set_aside(&scene, |path| fs::create_dir(path).unwrap());
    assert_eq!(why, "it is not a regular file");
    let why = set_aside(&scene, |path| {
        rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RUSR).unwrap();
    });
    assert_eq!(why, "it is not a regular file");
    let why = set_aside(&scene, |path| {
        File::create(path).unwrap().set_len(1 << 40).unwrap();
    });
    assert_eq!(why, "it has 1 TiB and the limit is 1 GiB");
    for to in ["../../outside", "/nowhere", "journal"] {
        let why = set_aside(&scene, |path| std::os::unix::fs::symlink(to, path).unwrap());
        assert_eq!(why, "it is a symbolic link");
    }
    assert_eq!(why, "it has 1 TiB and the limit is 1 GiB");
    let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, usize::MAX);
    assert_eq!(scene.commit(&disk), Some(Ok(())));
}

#[test]
fn a_journal_that_leads_where_no_commit_may_write_is_set_aside() {
    let scene = Scene::new();
    let dir = scene.temp.path().join("root");
    for (name, text) in [(".git/config", "mine\n"), ("sub/.GIT/config", "mine\n")] {
        fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
        fs::write(dir.join(name), text).unwrap();
    }
    fs::create_dir(dir.join(".git/empty")).unwrap();
    let id = "0000000000000001";
    let hash = ContentHash::of(b"mine\n");
    let check = |id: &str, folder: &str, path: &str, target: &str| {
        for phase in ["", "staged\n", "placed\n"] {
            let folders = if folder.is_empty() {
                String::new()
            } else {
                format!("{folder:?}")
            };
            let journal = format!(
                r#"{{"id":"{id}","time":1,"folders":[{folders}],"files":[{{"path":"{path}","target":"{target}",
"before":{{"hash":"{hash}","executable":false}},"mode":420,"after":null,"way":"Exchange"}}],"contents":[]}}"#
            );
            let journal = journal.replace('\n', "") + "\n" + phase;
            set_aside(&scene, |path| fs::write(path, &journal).unwrap());
        }
    };
    check("../../../../../outside/f", "", "a", "a");
    check("1", "", "a", "a");
    check(id, "", ".git/config", ".git/config");
    check(id, "", "a", ".git/config");
    check(id, "", ".git/config", "a");
    check(id, "", "a", "sub/.GIT/config");
    check(id, "", "a", "../outside/f");
    check(id, "", "a", "/etc/passwd");
    check(id, ".git/empty", "a", "a");
    check(id, "../outside", "a", "a");
    check(id, "/tmp", "a", "a");
    assert!(dir.join(".git/empty").is_dir());
}

#[test]
fn a_journal_stays_while_a_link_is_in_the_way() {
    let scene = Scene::new();
    let dir = scene.temp.path().join("root");
    fs::create_dir(scene.temp.path().join("outside")).unwrap();
    std::os::unix::fs::symlink("../outside", dir.join("out")).unwrap();
    let old = scene.picture();
    let state = scene.root.state().unwrap().make().unwrap();
    let journal = concat!(
        r#"{"id":"0000000000000001","time":1,"folders":[],"files":[{"path":"out/f","target":"out/f","#,
        r#""before":null,"mode":420,"after":null,"way":"Exchange"}],"contents":[]}"#,
    );
    let seal = seal::seal(&state, journal.as_bytes()).unwrap();
    fs::write(state.journal(), format!("{journal}\nseal {seal}\nstaged\n")).unwrap();
    let error = recover(&scene.root).unwrap_err();
    assert!(matches!(error, RecoverError::Unreadable { .. }), "{error}");
    let command = format!("`mv '{}' ", state.journal().display());
    assert!(error.to_string().contains(&command), "{error}");
    assert!(state.journal().exists());
    assert_eq!(scene.picture(), old);
    // Once the folder is back, the journal is followed.
    fs::remove_file(dir.join("out")).unwrap();
    fs::create_dir(dir.join("out")).unwrap();
    assert_ne!(recover(&scene.root).unwrap(), Recovery::Nothing);
    assert!(!state.journal().exists());
}

#[test]
fn what_another_program_writes_to_a_file_after_it_was_replaced_is_kept() {
    for exchange in EXCHANGES {
        let scene = Scene::new();
        let dir = scene.temp.path().join("root");
        let open = |name: &str| File::options().append(true).open(dir.join(name)).unwrap();
        let (replaced, removed) = (open("replaced"), open("empties/below/removed"));
        let mut disk = FaultyDisk::new(Fault::Once, exchange, usize::MAX);
        disk.when_placed = Box::new(move || {
            (&replaced).write_all(b"typed late\n").unwrap();
            (&removed).write_all(b"and here\n").unwrap();
        });
        assert_eq!(scene.commit(&disk), Some(Ok(())));
        assert_eq!(recover(&scene.root).unwrap(), Recovery::Nothing);
        let texts: Vec<Vec<u8>> = scene
            .picture()
            .into_values()
            .map(|(_, text)| text)
            .collect();
        for text in ["old\ntyped late\n", "gone\nand here\n", "new\n"] {
            assert!(texts.iter().any(|found| found == text.as_bytes()), "{text}");
        }
    }
}
