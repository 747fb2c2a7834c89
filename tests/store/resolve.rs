//! Which file an edit means, and which files it may not touch.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use countersign::proposal::{PathClaim, RepoPath};
use countersign::store::{FileState, Forbidden, Protected, Root, Snapshot};

use crate::tree::{Tree, open};

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
fn gits_own_folder_is_known_under_another_name() {
    let tree = Tree::new(&[
        (".git", "gitdir: ./repo.git\n"),
        ("repo.git/HEAD", "ref: refs/heads/main\n"),
        ("repo.git/objects/pack/x", ""),
        ("repo.git/hooks/sample", ""),
        ("repo.git/refs/heads/main", ""),
        // The folder of a linked working tree.
        ("links/one/HEAD", ""),
        ("links/one/commondir", "../../repo.git\n"),
        // A working tree in a bare repository.
        ("repo.git/tree/.git", "gitdir: ../../links/one\n"),
        // Folders that git takes for none of its own.
        ("views/HEAD", ""),
        ("views/refs/x", ""),
        ("data/objects/x", ""),
        ("data/refs/x", ""),
    ]);
    symlink("repo.git", tree.path("db")).unwrap();
    symlink(tree.root.path().join("repo.git/hooks"), tree.path("tools")).unwrap();
    let check = |name: &str, is_allowed: bool| {
        let forbidden = format!("`{name}` is inside git's own folder");
        let found = tree.resolve(&[name]);
        let found = found.map_or_else(|e| e.to_string(), |p| p.to_string());
        let expected = if is_allowed { name } else { &forbidden };
        assert_eq!(found, expected);
    };
    for name in [
        "repo.git/config",
        "repo.git/hooks/lib/new.sh",
        "repo.git/info/attributes",
        "db/config",
        "tools/x",
        "links/one/config.worktree",
    ] {
        check(name, false);
    }
    for name in [
        "a",
        "repo.gitx/config",
        "links/config",
        "repo.git/tree/src/a",
        "views/config",
        "data/config",
    ] {
        check(name, true);
    }
    let inside = open(&tree.path("repo.git/hooks"));
    let x = PathClaim::with_others("x", Vec::new());
    let found = inside.resolve(&x).unwrap_err();
    assert_eq!(found.to_string(), "`x` is inside git's own folder");
    let below = open(&tree.path("repo.git/tree"));
    assert!(below.resolve(&x).is_ok());
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
        "the ignore file `.rooignore` cannot be read: it is a link that leads out of the root"
    );
    fs::remove_file(tree.path(".rooignore")).unwrap();
    let check = |make: &dyn Fn(&Path), why: &str| {
        let path = tree.path(".rooignore");
        make(&path);
        let root = tree.root.anew().unwrap();
        let error = root.read(&RepoPath::parse("file").unwrap()).unwrap_err();
        let expected = format!("the ignore file `.rooignore` cannot be read: {why}");
        assert_eq!(error.to_string(), expected);
        fs::remove_file(path).unwrap();
    };
    let write = |bytes: &'static [u8]| move |path: &Path| fs::write(path, bytes).unwrap();
    check(&write(b"a\na{b\n"), "line 2 is not a valid pattern: `a{b`");
    check(&write(b"\xff\xfef\0i\0"), "it is not a text in UTF-8");
    check(
        &|path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap(),
        "it has 1 TiB and the limit is 1 MiB",
    );
    check(
        &|path| {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        },
        "it is not a regular file",
    );
    let root = tree.root.anew().unwrap();
    root.read(&RepoPath::parse("file").unwrap()).unwrap();
}

#[test]
fn a_byte_order_mark_does_not_hide_a_line() {
    let tree = Tree::new(&[("file", ""), (".rooignore", "\u{feff}file\n")]);
    assert_eq!(
        tree.refusal("file"),
        "`file` is ignored: line 1 of `.rooignore` says `file`"
    );
}

#[test]
fn guards_above_the_root_hold_up_to_the_top_of_the_repository() {
    let tree = Tree::new(&[
        (".rooignore", "outer.txt\n/sub/deep/anchored\n"),
        ("sub/.clineignore", "*.key\n"),
        ("sub/deep/outer.txt", ""),
        ("sub/deep/a.key", ""),
        ("sub/deep/anchored", ""),
        ("sub/deep/plain", ""),
        ("sub/.countersign.toml", "[ui]\n"),
    ]);
    let open_at = |folder: &str| open(&tree.path(folder));
    let open = || open_at("sub/deep");
    let read = |name: &str| match open().read(&RepoPath::parse(name).unwrap()) {
        Ok(_) => "read".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(read("a.key"), "read", "it lies in no repository");
    fs::create_dir(tree.path(".git")).unwrap();
    for (name, expected) in [
        (
            "outer.txt",
            "`outer.txt` is ignored: line 1 of `../../.rooignore` says `outer.txt`",
        ),
        (
            "a.key",
            "`a.key` is ignored: line 1 of `../.clineignore` says `*.key`",
        ),
        (
            "anchored",
            "`anchored` is ignored: line 2 of `../../.rooignore` says `/sub/deep/anchored`",
        ),
        ("plain", "read"),
    ] {
        assert_eq!(read(name), expected);
    }
    let names = |root: &Root| -> Vec<String> {
        let files = root.guard_files(".countersign.toml").unwrap();
        files.into_iter().map(|file| file.name).collect()
    };
    assert_eq!(names(&open()), ["../.countersign.toml"]);
    let guarded = open().guarding(&["/sub/deep/plain".to_owned()], &[]);
    let plain = RepoPath::parse("plain").unwrap();
    assert_eq!(guarded.protection(&plain), Some(Protected::Configured));
    // A name is protected for the folders above the root as well, but not for those outside of the repository.
    fs::create_dir_all(tree.path(".claude/hooks")).unwrap();
    let settings = RepoPath::parse("settings.json").unwrap();
    let hooks = open_at(".claude/hooks");
    assert_eq!(hooks.protection(&settings), Some(Protected::Agent));
    fs::create_dir(tree.path(".claude/hooks/.git")).unwrap();
    assert_eq!(open_at(".claude/hooks").protection(&settings), None);
    // The folder of the root itself may be what is ignored.
    fs::write(tree.path(".rooignore"), "deep/\n").unwrap();
    assert_eq!(
        read("plain"),
        "`plain` is ignored: line 1 of `../../.rooignore` says `deep/`"
    );
    symlink("../../outside/secret", tree.path("sub/.aiderignore")).unwrap();
    assert_eq!(
        read("plain"),
        "the ignore file `../.aiderignore` cannot be read: it is a link that leads out of the root"
    );
}

#[test]
fn the_state_of_countersign_is_never_touched_and_its_settings_are_protected() {
    let tree = Tree::new(&[("state/countersign/x/journal", "{}"), ("home/f", "")]);
    let root = open(&tree.path("")).keeping_state_in(tree.path("state/countersign"));
    let root = root.with_settings_at(&tree.path("home/settings"));
    let read = |name: &str| root.read(&RepoPath::parse(name).unwrap());
    symlink("state/countersign", tree.path("innocent")).unwrap();
    for name in [
        "state/countersign/x/journal",
        "state/countersign/new",
        "State/CounterSign/x/journal",
        "innocent/x/journal",
    ] {
        let error = read(name).unwrap_err().to_string();
        assert_eq!(error, format!("`{name}` is inside countersign's own state"));
    }
    read("state/other").unwrap();
    let protection = |name: &str| root.protection(&RepoPath::parse(name).unwrap());
    assert_eq!(
        protection("home/settings/config.toml"),
        Some(Protected::Settings)
    );
    assert_eq!(protection("home/f"), None);
}

#[test]
fn a_file_over_the_limit_is_refused_in_words() {
    let tree = Tree::new(&[("large", "12345"), ("sparse", "")]);
    let sparse = fs::File::options().write(true).open(tree.path("sparse"));
    sparse.unwrap().set_len(1 << 40).unwrap();
    assert_eq!(
        tree.refusal("sparse"),
        "`sparse` is not read: it has 1 TiB and the limit is 256 MiB"
    );
    let check = |most, expected: Result<(), &str>| {
        let root = open(&tree.path("")).reading_at_most(most);
        let read = root.read(&RepoPath::parse("large").unwrap());
        let read = read.map(drop).map_err(|error| error.to_string());
        assert_eq!(read, expected.map_err(str::to_owned));
    };
    check(5, Ok(()));
    check(
        4,
        Err("`large` is not read: it has 5 bytes and the limit is 4 bytes"),
    );
}

#[test]
fn a_name_that_is_longer_than_the_system_allows_is_refused() {
    let tree = Tree::new(&[]);
    let long = "a/".repeat(2100) + "x";
    let refusal = tree.refusal(&long);
    assert!(refusal.contains("is too long for a file name"), "{refusal}");
    let name = "n".repeat(256);
    assert_eq!(
        tree.refusal(&name),
        format!("`{}…` is too long for a file name: 256 bytes", &name[..60])
    );
    let deep = "a/".repeat(1000) + "x";
    assert_eq!(tree.read(&deep).path.to_string(), deep);
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

#[test]
fn of_a_claim_to_make_a_link_the_name_that_is_there_is_meant() {
    let tree = Tree::new(&[("real/file", "a\n")]);
    symlink("real/file", tree.path("link")).unwrap();
    let check = |readings: &[&str], expected: &str| {
        let others = readings[1..].iter().map(|&name| name.to_owned());
        let claim = PathClaim::with_others(readings[0], others);
        let found = tree.root.resolve_entry(&claim);
        let found = found.map_or_else(|error| error.to_string(), |path| path.to_string());
        assert_eq!(found, expected, "{readings:?}");
    };
    check(&["a/link", "link"], "link");
    check(&["link", "a/link"], "link");
    check(&["new", "a/new"], "new");
    check(&["../up", "up"], "up");
    check(&["../up"], "`../up` is outside the root");
}

#[test]
fn a_link_leads_by_its_words() {
    let tree = Tree::new(&[]);
    let check = |link: &str, target: &str, expected: Option<&str>| {
        let found = tree
            .root
            .link_leads_to(&RepoPath::parse(link).unwrap(), target);
        assert_eq!(
            found.map(|path| path.to_string()).as_deref(),
            expected,
            "{link} {target}"
        );
    };
    check("link", "file", Some("file"));
    check("sub/link", "file", Some("sub/file"));
    check("sub/link", "../file", Some("file"));
    check("sub/link", "./a/../file", Some("sub/file"));
    check("sub/link", "../../file", None);
    check("link", "..", None);
    check("link", "/etc/passwd", None);
    let inside = tree.root.path().join("a/b");
    check("sub/link", inside.to_str().unwrap(), Some("a/b"));
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let tree = Tree::new(&[("end", "x\n")]);
    for nth in 0..41 {
        let to = if nth == 0 {
            "end".to_owned()
        } else {
            format!("l{}", nth - 1)
        };
        symlink(to, tree.path(&format!("l{nth}"))).unwrap();
    }
    assert_eq!(tree.read("l39").target.to_string(), "end");
    let error = tree
        .root
        .read(&RepoPath::parse("l40").unwrap())
        .unwrap_err();
    assert!(error.to_string().contains("links"), "{error}");
}

/// Below a name that is missing there are no links; above it there may be some.
#[test]
fn a_way_up_from_a_missing_folder_is_followed() {
    let tree = Tree::new(&[("real/file", "a\n")]);
    symlink("missing/deeper/../../real", tree.path("back")).unwrap();
    symlink("missing/../../outside", tree.path("out")).unwrap();
    assert_eq!(tree.read("back/file").target.to_string(), "real/file");
    assert!(tree.refusal("out/secret").contains("leads out of the root"));
    // The folder that the link leads through is a link again.
    symlink("real", tree.path("again")).unwrap();
    symlink("missing/../again/file", tree.path("through")).unwrap();
    assert_eq!(tree.read("through").target.to_string(), "real/file");
}

#[test]
fn a_root_that_is_opened_anew_keeps_its_guards() {
    let tree = Tree::new(&[
        ("a.lock", "x\n"),
        ("b.txt", "x\n"),
        ("c.txt", "12345\n"),
        (".mineignore", "b.txt\n"),
        ("settings/x", "x\n"),
        ("state/x", "x\n"),
    ]);
    let root = Root::open(&tree.path(""))
        .unwrap()
        .guarding(&["*.lock".to_owned()], &[".mineignore".to_owned()])
        .with_settings_at(&tree.path("settings"))
        .keeping_state_in(tree.path("state"))
        .reading_at_most(3);
    for root in [&root, &root.anew().unwrap()] {
        let path = |name: &str| RepoPath::parse(name).unwrap();
        let check = |name: &str, expected: &str| {
            let error = root.read(&path(name)).unwrap_err().to_string();
            assert!(error.contains(expected), "{name}: {error}");
        };
        assert_eq!(
            root.protection(&path("a.lock")),
            Some(Protected::Configured)
        );
        assert_eq!(
            root.protection(&path("settings/x")),
            Some(Protected::Settings)
        );
        check("b.txt", ".mineignore");
        check("state/x", "state/x");
        check("c.txt", "c.txt");
        assert!(root.read(&path("a.lock")).is_ok());
    }
}
