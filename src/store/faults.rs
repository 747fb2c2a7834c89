//! A commit is cut off at every one of its steps, by an error and by a sudden end, and must leave all old or all new.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use tempfile::TempDir;

use super::disk::{Content, Disk, Staged, exchange_by_renames, rename_by_link};
use super::folder::{Folder, Found};
use super::journal::{Phase, Record};
use super::pack::Pack;
use super::plan::{FileWrite, WriteAction, plan};
use super::real_disk::RealDisk;
use super::recover::{RecoverError, Recovery, recover, recover_locked};
use super::root::Root;
use super::snapshot::{ContentHash, Snapshot};
use super::state::State;
use super::transaction::commit_on;
use crate::proposal::RepoPath;

/// What happens at the chosen step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It fails, and the next ones work again.
    Once,
    /// It fails, and so does all that follows.
    Lasting,
    /// The program ends.
    End,
}

/// How files change names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exchange {
    /// Two files in one step.
    AtOnce,
    /// Each file in one step.
    ByRenames,
    /// Each file in two steps.
    ByLinks,
}

const EXCHANGES: [Exchange; 3] = [Exchange::AtOnce, Exchange::ByRenames, Exchange::ByLinks];

/// A disk on which something happens at one step.
struct FaultyDisk {
    fault: Fault,
    exchange: Exchange,
    /// The steps that still work.
    left: Cell<usize>,
}

/// What a program that has ended leaves instead of a result.
struct Ended;

impl FaultyDisk {
    fn new(fault: Fault, exchange: Exchange, step: usize) -> Self {
        Self {
            fault,
            exchange,
            left: Cell::new(step),
        }
    }

    fn step(&self) -> io::Result<()> {
        match self.left.get() {
            0 => match self.fault {
                Fault::Once => {
                    self.left.set(usize::MAX);
                    Err(io::Error::other("a fault"))
                }
                Fault::Lasting => Err(io::Error::other("a lasting fault")),
                // Without the message that a panic prints.
                Fault::End => resume_unwind(Box::new(Ended)),
            },
            left => {
                self.left.set(left - 1);
                Ok(())
            }
        }
    }
}

impl Disk for FaultyDisk {
    fn make_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.make_folder(at, name)
    }

    fn remove_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.remove_folder(at, name)
    }

    fn stage(&self, at: &Folder, name: &Path, content: &Content<'_>) -> io::Result<Staged> {
        if self.left.get() == 0 && self.fault != Fault::Lasting {
            let half = Content {
                bytes: &content.bytes[..content.bytes.len() / 2],
                ..*content
            };
            RealDisk.stage(at, name, &half)?;
        }
        self.step()?;
        RealDisk.stage(at, name, content)
    }

    fn flush(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.flush(at, name)
    }

    fn flush_all(&self, at: &Folder) -> io::Result<()> {
        self.step()?;
        RealDisk.flush_all(at)
    }

    fn rename(&self, at: &Folder, from: &Path, to: &Path) -> io::Result<()> {
        if self.exchange == Exchange::ByLinks {
            return rename_by_link(self, at, from, to);
        }
        self.step()?;
        RealDisk.rename(at, from, to)
    }

    fn link(&self, at: &Folder, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.link(at, from, to)
    }

    fn exchange(&self, at: &Folder, staged: &Path, target: &Path, spare: &Path) -> io::Result<()> {
        match self.exchange {
            Exchange::AtOnce => {
                self.step()?;
                RealDisk.exchange(at, staged, target, spare)
            }
            Exchange::ByRenames | Exchange::ByLinks => {
                exchange_by_renames(self, at, staged, target, spare)
            }
        }
    }

    fn overwrite(&self, at: &Folder, target: &Path, from: &Path) -> io::Result<()> {
        if self.left.get() == 0 && self.fault != Fault::Lasting {
            let flags = OFlags::WRONLY | OFlags::NOFOLLOW;
            let file = rustix::fs::openat(at, target, flags, Mode::empty())?;
            if let Found::File(mut source) = at.look(from)? {
                let bytes = source.read()?;
                rustix::io::write(file, &bytes[..bytes.len() / 2])?;
            }
        }
        self.step()?;
        RealDisk.overwrite(at, target, from)
    }

    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.remove(at, name)
    }

    fn sync(&self, at: &Folder) -> io::Result<()> {
        self.step()?;
        RealDisk.sync(at)
    }

    fn pack(&self, state: &State, id: &str) -> io::Result<Pack> {
        self.step()?;
        RealDisk.pack(state, id)
    }

    fn keep(&self, pack: &mut Pack, hash: ContentHash, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        RealDisk.keep(pack, hash, bytes)
    }

    fn begin(&self, state: &State, record: &Record) -> io::Result<()> {
        self.step()?;
        RealDisk.begin(state, record)
    }

    fn mark(&self, state: &State, phase: Phase) -> io::Result<()> {
        self.step()?;
        RealDisk.mark(state, phase)
    }

    fn discard(&self, state: &State, id: &str) -> io::Result<()> {
        self.step()?;
        RealDisk.discard(state, id)
    }

    fn archive(&self, state: &State, id: &str) -> io::Result<()> {
        self.step()?;
        RealDisk.archive(state, id)
    }
}

/// Everything in a folder: mode and content by name.
type Picture = BTreeMap<String, (u32, Vec<u8>)>;

/// A tree with one file for each thing that can become of a file.
struct Scene {
    temp: TempDir,
    root: Root,
}

impl Scene {
    fn new() -> Self {
        // Thousands of commits are quicker where nothing has to reach a disk.
        let memory = Path::new("/dev/shm");
        let temp = if memory.is_dir() {
            tempfile::tempdir_in(memory).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        };
        let dir = temp.path().join("root");
        for folder in ["empties/below", "stays"] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        let write = |name: &str, text: &str, mode| {
            fs::write(dir.join(name), text).unwrap();
            fs::set_permissions(dir.join(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        write("replaced", "old\n", 0o640);
        write("same-but-mode", "same\n", 0o644);
        write("stays/linked", "old\n", 0o644);
        write("stays/moved", "moved\n", 0o755);
        write("empties/below/removed", "gone\n", 0o600);
        write("a", "1\n", 0o644);
        write("b", "2\n", 0o600);
        write("two-names", "old, and longer than the new one\n", 0o644);
        fs::hard_link(dir.join("two-names"), dir.join("stays/other-name")).unwrap();
        symlink("stays/linked", dir.join("link")).unwrap();
        let root = Root::open(&dir)
            .unwrap()
            .keeping_state_in(temp.path().join("state"));
        Self { temp, root }
    }

    fn read(&self, name: &str) -> Snapshot {
        self.root.read(&RepoPath::parse(name).unwrap()).unwrap()
    }

    /// Commits on a disk; `None` if the program ended.
    fn commit(&self, disk: &FaultyDisk) -> Option<Result<(), String>> {
        let [
            replaced,
            two_names,
            mode,
            link,
            moved,
            removed,
            a,
            b,
            new,
            to,
        ] = [
            "replaced",
            "two-names",
            "same-but-mode",
            "link",
            "stays/moved",
            "empties/below/removed",
            "a",
            "b",
            "new/folder/file",
            "new/place",
        ]
        .map(|name| self.read(name));
        let put = |text: &str, executable| WriteAction::Put {
            bytes: text.into(),
            executable,
        };
        let rename = |to| WriteAction::Rename {
            to,
            bytes: None,
            executable: None,
        };
        let writes = [
            (&replaced, put("new\n", None)),
            (&two_names, put("new, in place\n", Some(true))),
            (&mode, put("same\n", Some(true))),
            (&link, put("new\n", None)),
            (&moved, rename(&to)),
            (&removed, WriteAction::Remove),
            (&a, rename(&b)),
            (&b, rename(&a)),
            (&new, put("made\n", Some(true))),
        ]
        .map(|(snapshot, action)| FileWrite { snapshot, action });
        ended(|| {
            let changes = plan(&writes).unwrap();
            let done = commit_on(disk, &self.root, changes);
            done.map(|_| ()).map_err(|error| error.to_string())
        })
    }

    fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        paint(&self.temp.path().join("root"), "", &mut picture);
        picture
    }

    #[track_caller]
    fn is_clean(&self) {
        assert!(!self.root.state().unwrap().journal().exists());
    }
}

fn paint(dir: &Path, prefix: &str, picture: &mut Picture) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().display());
        let meta = entry.metadata().unwrap();
        let content = if meta.is_dir() {
            paint(&entry.path(), &format!("{name}/"), picture);
            b"folder".to_vec()
        } else if meta.is_symlink() {
            let to = fs::read_link(entry.path()).unwrap();
            to.as_os_str().as_encoded_bytes().to_vec()
        } else {
            fs::read(entry.path()).unwrap()
        };
        picture.insert(name, (meta.permissions().mode() & 0o7777, content));
    }
}

/// Runs until the program ends; `None` if it did before the function did.
fn ended<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => Some(result),
        Err(payload) if payload.is::<Ended>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// The tree before and after the commit, and the number of its steps.
fn pictures(exchange: Exchange) -> (Picture, Picture, usize) {
    const MANY: usize = 10_000;
    let scene = Scene::new();
    let old = scene.picture();
    let disk = FaultyDisk::new(Fault::Once, exchange, MANY);
    assert_eq!(scene.commit(&disk), Some(Ok(())));
    scene.is_clean();
    (old, scene.picture(), MANY - disk.left.get())
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
    fs::write(scene.root.state().unwrap().make().unwrap().journal(), "{\n").unwrap();
    let error = recover(&scene.root).unwrap_err();
    assert!(matches!(error, RecoverError::Journal { .. }), "{error}");
    let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, usize::MAX);
    assert!(scene.commit(&disk).unwrap().is_err());
}
