//! A file that another program writes between the end of a commit and the next start.

use std::fs;

use super::faulty_disk::{Exchange, Fault, FaultyDisk};
use super::pictures;
use super::scene::{Picture, Scene};
use crate::store::write::recover::{Recovery, recover};

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

/// Another program writes a file after the end of the program at every step. `beside` are names that go with it.
#[track_caller]
fn check_changed(name: &str, beside: &[&str], text: &str) {
    let (old, new, steps) = pictures(Exchange::AtOnce);
    let others = |mut picture: Picture| {
        picture.retain(|other, _| other != name && !beside.contains(&other.as_str()));
        picture
    };
    let (old, new) = (others(old), others(new));
    let mut changed_files = 0;
    for step in 0..steps {
        let scene = Scene::new();
        let disk = FaultyDisk::new(Fault::End, Exchange::AtOnce, step);
        assert_eq!(scene.commit(&disk), None);
        let path = scene.temp.path().join("root").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let recovery = recover(&scene.root).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "step {step}");
        let found = others(scene.picture());
        assert!(found == old || found == new, "step {step}, {recovery:?}");
        if let Recovery::TakenBack { changed, .. } = recovery {
            changed_files += changed.len();
        }
        scene.is_clean();
    }
    assert!(changed_files > 5, "{changed_files}");
}

#[test]
fn a_file_with_two_names_that_was_changed_after_the_end_is_left_alone() {
    // As long as a file that was written in part, and shorter.
    for text in ["by hand, twenty bytes\n", "by hand\n"] {
        check_changed("two-names", &["stays/other-name"], text);
    }
}

#[test]
fn a_removed_file_that_was_written_after_the_end_is_left_alone() {
    let beside = ["empties", "empties/below"];
    check_changed("empties/below/removed", &beside, "by hand\n");
}
