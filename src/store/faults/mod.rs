//! A commit is cut off at every one of its steps, by an error and by a sudden end, and must leave all old or all new.

mod faulty_disk;
mod scene;

use std::fs::{self, File};
use std::io::Write;

use self::faulty_disk::{EXCHANGES, Exchange, Fault, FaultyDisk, ended};
use self::scene::{Picture, Scene};
use super::history::{content, latest_records};
use super::journal::FileRecord;
use super::pack;
use super::recover::{RecoverError, Recovery, recover, recover_locked};

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
            }
            outcomes[usize::from(found == new)] += 1;
            scene.is_clean();
        }
        assert!(outcomes[0] > 10 && outcomes[1] > 10, "{outcomes:?}");
    }
}

/// What is done on several cores at once fails on one of them, while the others go on.
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
    let folder = state.replaced(&record.id);
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
    let pack = fs::metadata(state.pack(&record.id)).unwrap().len();
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

    pack::remove(&state, &record.id).unwrap();
    assert!(!folder.exists() && !state.pack(&record.id).exists());
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
                ended(|| recover_locked(&disk, &scene.root, &state).unwrap());
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
    // A folder that is empty now may stay.
    let files = |mut picture: Picture| {
        picture.retain(|_, (_, content)| content != b"folder");
        picture
    };
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
        "was staged beside `",
    ] {
        assert!(said.iter().any(|said| said.contains(words)), "{words}");
    }
}

#[test]
fn a_file_that_was_changed_after_the_end_is_left_alone() {
    let (old, new, steps) = pictures(Exchange::AtOnce);
    let mut outcomes = [0, 0];
    for step in 0..steps {
        let scene = Scene::new();
        let disk = FaultyDisk::new(Fault::End, Exchange::AtOnce, step);
        assert_eq!(scene.commit(&disk), None);
        let path = scene.temp.path().join("root/replaced");
        let was_old = fs::read_to_string(&path).unwrap() == "old\n";
        fs::write(&path, "by hand\n").unwrap();
        let recovery = recover(&scene.root).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "by hand\n");
        let expected = if was_old { &old } else { &new };
        let mut found = scene.picture();
        found.insert("replaced".to_owned(), expected["replaced"].clone());
        assert_eq!(&found, expected, "step {step}, {recovery:?}");
        outcomes[usize::from(was_old)] += 1;
        scene.is_clean();
    }
    assert!(outcomes[0] > 5 && outcomes[1] > 5, "{outcomes:?}");
}

#[test]
fn a_journal_that_cannot_be_understood_stops_everything() {
    let scene = Scene::new();
    let journal = scene.root.state().unwrap().make().unwrap().journal();
    fs::write(&journal, "{\n").unwrap();
    let error = recover(&scene.root).unwrap_err();
    assert!(matches!(error, RecoverError::Journal { .. }), "{error}");
    let named = format!("the journal `{}` ", journal.display());
    assert!(error.to_string().starts_with(&named), "{error}");
    let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, usize::MAX);
    assert!(scene.commit(&disk).unwrap().is_err());
}
