//! Journals that a commit of the root wrote, and those that it did not.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::faulty_disk::{Exchange, Fault, FaultyDisk, run_until_end};
use super::scene::Scene;
use super::set_aside;
use crate::proposal::RepoPath;
use crate::store::folder::snapshot::{ContentHash, Snapshot};
use crate::store::records::history::latest_id;
use crate::store::state::seal;
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::root::Root;
use crate::store::write::commit::commit_on;
use crate::store::write::plan::{FileWrite, WriteAction, plan};
use crate::store::write::recover::{Recovery, recover};

const ID: &str = "0000000000000001";

/// A root in which each file holds `mine`, some are kept from agents, and some are protected.
fn guarded() -> Scene {
    let mut scene = Scene::new();
    let dir = scene.temp.path().join("root");
    let write = |name: &str, text: &str| {
        fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
        fs::write(dir.join(name), text).unwrap();
    };
    for name in [
        "plain/f",
        "secret/f",
        "hushed/f",
        ".github/workflows/ci.yml",
        "pkg/AGENTS.md",
        "docs/agents.txt",
        "house/f",
    ] {
        write(name, "mine\n");
    }
    write(".cursorignore", "secret/\n");
    write(".hushignore", "hushed/\n");
    symlink("docs/agents.txt", dir.join("CLAUDE.md")).unwrap();
    symlink("plain", dir.join("way")).unwrap();
    fs::create_dir(scene.temp.path().join("outside")).unwrap();
    fs::write(scene.temp.path().join("outside/f"), "mine\n").unwrap();
    symlink("../outside", dir.join("out")).unwrap();
    let patterns = ["house/".to_owned()];
    scene.root = (Root::open(&dir).unwrap())
        .keeping_state_in(scene.temp.path().join("state"))
        .guarding(&patterns, &[".hushignore".to_owned()]);
    scene
}

/// The record of a commit that removes a file.
fn removal(id: &str, path: &str) -> String {
    let hash = ContentHash::of(b"mine\n");
    let before = format!(r#"{{"hash":"{hash}","executable":false}}"#);
    format!(
        r#"{{"id":"{id}","time":1,"folders":[],"files":[{{"path":"{path}","target":"{path}","before":{before},"mode":420,"after":null,"way":"Exchange"}}],"contents":[]}}"#
    )
}

fn with_seal(state: &StateFolder, record: &str, mark: &str) -> String {
    let seal = seal::seal(state, record.as_bytes()).unwrap();
    format!("{record}\nseal {seal}\n{mark}")
}

#[test]
fn a_journal_that_no_commit_wrote_changes_only_what_a_batch_may() {
    let forbidden = [
        ("secret/f", "is ignored"),
        ("hushed/f", "is ignored"),
        (".github/workflows/ci.yml", "is protected"),
        ("pkg/AGENTS.md", "is protected"),
        ("docs/agents.txt", "CLAUDE.md leads to"),
        ("house/f", "guard.protected"),
        ("way/f", "goes through a link to `plain/f`"),
        ("out/f", "leads out of the root"),
    ];
    for (path, words) in forbidden {
        for mark in ["", "staged\n", "placed\n"] {
            let scene = guarded();
            let text = removal(ID, path) + "\n" + mark;
            let why = set_aside(&scene, |path| fs::write(path, &text).unwrap());
            assert!(why.contains(words), "{path}: {why}");
        }
    }
    // A person may change what the ignore files list, but has not been asked.
    let mut scene = guarded();
    scene.root = scene.root.for_a_person();
    let text = removal(ID, "hushed/f") + "\nstaged\n";
    let why = set_aside(&scene, |path| fs::write(path, &text).unwrap());
    assert!(why.contains("is ignored"), "{why}");
    // The other side: any batch may change this.
    let scene = guarded();
    let state = scene.root.state().unwrap().make().unwrap();
    fs::write(state.journal(), removal(ID, "plain/f") + "\nstaged\n").unwrap();
    let recovery = recover(&scene.root).unwrap();
    assert!(
        matches!(recovery, Recovery::Finished { .. }),
        "{recovery:?}"
    );
    assert!(!scene.temp.path().join("root/plain/f").exists());
}

#[test]
fn the_journal_of_a_commit_is_followed_whatever_the_guards_list_now() {
    for path in [
        "secret/f",
        "hushed/f",
        "pkg/AGENTS.md",
        "docs/agents.txt",
        "house/f",
    ] {
        let scene = guarded();
        let state = scene.root.state().unwrap().make().unwrap();
        let journal = with_seal(&state, &removal(ID, path), "staged\n");
        fs::write(state.journal(), journal).unwrap();
        let recovery = recover(&scene.root).unwrap();
        assert!(
            matches!(recovery, Recovery::Finished { .. }),
            "{recovery:?}"
        );
        assert!(!scene.temp.path().join("root").join(path).exists());
    }
    // What no person may allow stays forbidden, and so does a record that was changed or is of another root.
    let scene = guarded();
    let state = scene.root.state().unwrap().make().unwrap();
    fs::create_dir(scene.temp.path().join("root/.git")).unwrap();
    fs::write(scene.temp.path().join("root/.git/config"), "mine\n").unwrap();
    let git = with_seal(&state, &removal(ID, ".git/config"), "staged\n");
    set_aside(&scene, |path| fs::write(path, &git).unwrap());
    let changed = with_seal(&state, &removal(ID, "plain/f"), "staged\n").replace("plain", "secret");
    let why = set_aside(&scene, |path| fs::write(path, &changed).unwrap());
    assert!(why.contains("is ignored"), "{why}");
    let other = StateFolder::of(&scene.temp.path().join("state"), Path::new("/other"));
    let foreign = with_seal(&other.make().unwrap(), &removal(ID, "secret/f"), "staged\n");
    let why = set_aside(&scene, |path| fs::write(path, &foreign).unwrap());
    assert!(why.contains("is ignored"), "{why}");
}

#[test]
fn the_journal_of_a_commit_that_is_done_is_not_followed_again() {
    let scene = guarded();
    let disk = FaultyDisk::new(Fault::Once, Exchange::AtOnce, usize::MAX);
    assert_eq!(scene.commit(&disk), Some(Ok(())));
    let state = scene.root.state().unwrap();
    let done = latest_id(&state).unwrap();
    let record = fs::read_to_string(state.record(done)).unwrap();
    let why = set_aside(&scene, |path| fs::write(path, &record).unwrap());
    assert_eq!(
        why,
        format!("it is of batch {done}, and a later one is done")
    );
    let earlier = with_seal(&state, &removal(ID, "plain/f"), "staged\n");
    set_aside(&scene, |path| fs::write(path, &earlier).unwrap());
    let later = with_seal(&state, &removal("effffffffffffff0", "plain/f"), "staged\n");
    fs::write(state.journal(), later).unwrap();
    let recovery = recover(&scene.root).unwrap();
    assert!(
        matches!(recovery, Recovery::Finished { .. }),
        "{recovery:?}"
    );
}

#[test]
fn a_journal_of_another_version_is_set_aside() {
    let scene = guarded();
    for (old, new) in [
        (r#"{"id""#, r#"{"version":9,"id""#),
        (r#""mode":420"#, r#""mode":420,"owner":0"#),
        ("Exchange", "Reflink"),
    ] {
        let text = removal(ID, "plain/f").replace(old, new) + "\nstaged\n";
        set_aside(&scene, |path| fs::write(path, &text).unwrap());
    }
}

/// Ends a commit at each step that changes protected files, and lists one of its own files in an ignore file.
#[test]
fn a_commit_that_a_person_allowed_is_finished_or_taken_back() {
    let mut outcomes = [0, 0];
    for step in 0.. {
        let scene = guarded();
        let old = scene.picture();
        let read = |name: &str| scene.root.read(&RepoPath::parse(name).unwrap()).unwrap();
        let files = [
            ".cursorignore",
            "plain/f",
            "pkg/AGENTS.md",
            "docs/agents.txt",
        ]
        .map(read);
        let writes: Vec<FileWrite<'_>> = (files.iter())
            .map(|snapshot: &Snapshot| FileWrite {
                snapshot,
                action: WriteAction::Put {
                    bytes: b"*\n".to_vec(),
                    executable: None,
                },
            })
            .collect();
        let disk = FaultyDisk::new(Fault::End, Exchange::AtOnce, step);
        let changes = plan(&writes).unwrap();
        let ended = run_until_end(|| commit_on(&disk, &scene.root, changes, None).unwrap());
        let recovery = recover(&scene.root.anew().unwrap()).unwrap();
        let set_aside = matches!(recovery, Recovery::SetAside { .. });
        assert!(!set_aside, "step {step}: {recovery:?}");
        let found = scene.picture();
        let is_new = found["plain/f"].1 == b"*\n" && found["pkg/AGENTS.md"].1 == b"*\n";
        assert!(is_new || found == old, "step {step}");
        outcomes[usize::from(is_new)] += 1;
        if ended.is_some() {
            break;
        }
    }
    assert!(outcomes[0] > 3 && outcomes[1] > 3, "{outcomes:?}");
}
