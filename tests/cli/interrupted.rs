//! Journals of interrupted writes: what each command does if one cannot be followed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::run_in;

/// A root in which one edit was written, with its state beside it.
struct Place {
    temp: TempDir,
    state: PathBuf,
}

impl Place {
    fn new() -> Self {
        let temp = TempDir::new().unwrap();
        let root = temp.path().join("root");
        fs::create_dir_all(root.join("victim")).unwrap();
        fs::create_dir(temp.path().join("outside")).unwrap();
        fs::write(temp.path().join("outside/f"), "mine\n").unwrap();
        fs::write(root.join("victim/f"), "mine\n").unwrap();
        fs::write(root.join("a.txt"), "one\n").unwrap();
        symlink("../outside", root.join("out")).unwrap();
        let mut place = Self {
            state: PathBuf::new(),
            temp,
        };
        let (code, out) = place.run(&["apply", "../edit"], "one", "two");
        assert_eq!(code, Some(0), "{out}");
        let states = fs::read_dir(place.temp.path().join("state/countersign")).unwrap();
        let mut states = states.map(|state| state.unwrap().path());
        place.state = states.find(|state| state.join("log").is_dir()).unwrap();
        place
    }

    fn run(&self, args: &[&str], old: &str, new: &str) -> (Option<i32>, String) {
        let edit = format!("a.txt\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n");
        fs::write(self.temp.path().join("edit"), edit).unwrap();
        let state = self.temp.path().join("state");
        let variables = [("XDG_STATE_HOME", state.to_str().unwrap())];
        let (code, out, err) = run_in(&self.temp.path().join("root"), &variables, args);
        (code, out + &err)
    }

    /// Writes a journal of the removal of a file, which begins with `front`.
    fn write_journal(&self, path: &str, front: &str, is_sealed: bool) {
        let hash = hex(&Sha256::digest(b"mine\n"));
        let record = format!(
            r#"{{{front}"id":"effffffffffffff0","time":1,"folders":[],"files":[{{"path":"{path}","target":"{path}","before":{{"hash":"{hash}","executable":false}},"mode":420,"after":null,"way":"Exchange"}}],"contents":[]}}"#
        );
        let seal = if is_sealed {
            let key = fs::read(self.state.join("seal")).unwrap();
            format!("seal {}\n", code(&key, record.as_bytes()))
        } else {
            String::new()
        };
        fs::write(self.journal(), format!("{record}\n{seal}staged\n")).unwrap();
    }

    fn journal(&self) -> PathBuf {
        self.state.join("journal")
    }
}

/// The HMAC of RFC 2104.
fn code(key: &[u8], text: &[u8]) -> String {
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        block
    };
    let hash = |front: &[u8], text: &[u8]| Sha256::new().chain_update(front).chain_update(text);
    let inner = hash(&padded(0x36), text).finalize();
    hex(&hash(&padded(0x5c), &inner).finalize())
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

const COMMANDS: [&[&str]; 5] = [
    &["log"],
    &["check", "../edit"],
    &["apply", "../edit"],
    &["undo"],
    &["undo", "--dry-run"],
];

#[test]
fn a_journal_that_cannot_be_used_is_put_aside_by_every_command() {
    let write =
        |bytes: &'static [u8]| move |place: &Place| fs::write(place.journal(), bytes).unwrap();
    let fifo = |place: &Place| {
        rustix::fs::mkfifoat(rustix::fs::CWD, place.journal(), 0o600.into()).unwrap();
    };
    let link = |to: &'static str| move |place: &Place| symlink(to, place.journal()).unwrap();
    let damages: [&dyn Fn(&Place); 9] = [
        &write(b""),
        &write(b"\x00\xffgarbage"),
        &fifo,
        &|place| fs::create_dir_all(place.journal().join("x")).unwrap(),
        &link("/etc/hostname"),
        &link("nowhere"),
        &link("journal"),
        &|place| place.write_journal("victim/f", r#""format":2,"#, false),
        &|place| place.write_journal("out/f", "", false),
    ];
    for (number, damage) in damages.iter().enumerate() {
        for command in COMMANDS {
            let place = Place::new();
            damage(&place);
            let (code, said) = place.run(command, "two", "three");
            assert_eq!(code, Some(0), "{number} {command:?}: {said}");
            assert!(said.contains("cannot be used"), "{number}: {said}");
            assert!(place.journal().symlink_metadata().is_err(), "{number}");
            assert!(
                place
                    .state
                    .join("journal.damaged-1")
                    .symlink_metadata()
                    .is_ok()
            );
            assert!(place.temp.path().join("outside/f").exists());
        }
    }
}

#[test]
fn a_journal_behind_a_link_blocks_writes_only_and_the_way_on_is_named() {
    for command in COMMANDS {
        let place = Place::new();
        place.write_journal("out/f", "", true);
        let (code, said) = place.run(command, "two", "three");
        let expected = if command == ["log"] { 0 } else { 4 };
        assert_eq!(code, Some(expected), "{command:?}: {said}");
        let journal = place.journal();
        let aside = journal.with_extension("aside");
        let words = format!("`mv '{}' '{}'`", journal.display(), aside.display());
        assert!(said.contains(&words), "{command:?}: {said}");
        assert_eq!(text(&place, "a.txt"), "two\n");
        // The command that is named helps.
        fs::rename(&journal, &aside).unwrap();
        let (code, said) = place.run(command, "two", "three");
        assert_eq!(code, Some(0), "{command:?}: {said}");
    }
    // The other side: without a link it is followed.
    let place = Place::new();
    place.write_journal("victim/f", "", true);
    let (code, said) = place.run(&["log"], "two", "three");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("an interrupted write was finished: victim/f"),
        "{said}"
    );
    assert!(!place.temp.path().join("root/victim/f").exists());
}

#[test]
fn what_the_settings_guard_is_guarded_in_every_command() {
    for command in COMMANDS {
        let place = Place::new();
        let settings = "[guard]\nprotected = [\"victim/\"]\n";
        fs::write(place.temp.path().join("root/.countersign.toml"), settings).unwrap();
        place.write_journal("victim/f", "", false);
        let (code, said) = place.run(command, "two", "three");
        assert_eq!(code, Some(0), "{command:?}: {said}");
        assert!(
            said.contains("`victim/f` is protected"),
            "{command:?}: {said}"
        );
        assert_eq!(text(&place, "victim/f"), "mine\n");
    }
}

#[test]
fn nothing_is_written_through_a_link_in_the_place_of_a_temporary_file() {
    let place = Place::new();
    let other = place.temp.path().join("outside/f");
    symlink(&other, place.state.join("journal.part")).unwrap();
    fs::remove_file(place.state.join("seal")).unwrap();
    symlink(&other, place.state.join("seal")).unwrap();
    let (code, said) = place.run(&["apply", "../edit"], "two", "three");
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine\n");
    assert_eq!(text(&place, "a.txt"), "three\n");
    for name in ["journal.part", "seal"] {
        let _: Result<(), _> = fs::remove_file(place.state.join(name));
        fs::create_dir_all(place.state.join(name).join("x")).unwrap();
    }
    let (code, said) = place.run(&["apply", "../edit"], "three", "four");
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(text(&place, "a.txt"), "four\n");
}

fn text(place: &Place, name: &str) -> String {
    let path: &Path = &place.temp.path().join("root").join(name);
    fs::read_to_string(path).unwrap()
}
