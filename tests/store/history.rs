//! What was written can be listed and taken back.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use countersign::store::{
    CommitError, FileWrite, HistoryError, LockError, PastVersion, Recovery, UndoError, Warning,
    WriteAction, commit, past, recover, undo,
};
use countersign::text::PieceTable;

use crate::tree::{Tree, open, put, remove, rename, walk};

#[test]
fn a_batch_is_taken_back_and_done_again() {
    let tree = Tree::new(&[
        ("changed", "old\r\n"),
        ("folder/removed", "gone\n"),
        ("from", "moved\n"),
    ]);
    let chmod = |name, mode| {
        fs::set_permissions(tree.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    chmod("folder/removed", 0o600);
    chmod("from", 0o750);
    let old = tree.list();
    let [changed, removed, from, to, made] =
        ["changed", "folder/removed", "from", "to", "new/made"].map(|name| tree.read(name));
    let receipt = commit(
        &tree.root,
        &[
            put(&changed, "new\n"),
            remove(&removed),
            rename(&from, &to, None),
            put(&made, "made\n"),
        ],
    )
    .unwrap();
    let new = tree.list();

    let undone = undo(&tree.root, None).unwrap();
    assert_eq!(tree.list(), old);
    assert_eq!(tree.text("changed"), "old\r\n");
    assert_eq!(
        (tree.mode("folder/removed"), tree.mode("from")),
        (0o600, 0o750)
    );

    undo(&tree.root, Some(&undone.id)).unwrap();
    assert_eq!(tree.list(), new);
    assert_eq!(
        (tree.text("changed"), tree.mode("to")),
        ("new\n".into(), 0o750)
    );

    let log = tree.root.log().unwrap().entries;
    assert_eq!(log.len(), 3);
    assert_eq!((&log[2].id, &log[1].id), (&receipt.id, &undone.id));
    assert_eq!(log[2].files, receipt.written);
    let previous = tree.root.previous_versions();
    let rewrites = |path: &str| -> Vec<[String; 2]> {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let rewrites = previous.rewrites(path, None);
        rewrites.map(|texts| texts.map(text)).collect()
    };
    let (old, new) = ("old\r\n".to_owned(), "new\n".to_owned());
    let (there, back) = ([old.clone(), new.clone()], [new, old]);
    // Written, undone, and the undo undone; the last first.
    assert_eq!(rewrites("changed"), [there.clone(), back, there]);
    assert!(rewrites("new/made").is_empty());
}

#[test]
fn a_line_of_a_large_file_takes_the_room_of_a_line() {
    let line = |n: usize| format!("line {n}\n");
    let old: String = (0..10_000).map(line).collect();
    let new = old.replace("line 5000\n", "another\n");
    let tree = Tree::new(&[("large", &old), ("other", &old)]);
    let [large, other] = ["large", "other"].map(|name| tree.read(name));
    let at = old.find("line 5000\n").unwrap();
    let spliced = |base| {
        let mut text = PieceTable::new(base);
        text.keep(0..at);
        text.add("another\n");
        text.keep(at + line(5000).len()..old.len());
        text
    };
    let splice = |snapshot, text| FileWrite {
        snapshot,
        action: WriteAction::Splice {
            text,
            executable: None,
        },
    };
    // The bytes of one are those that the snapshot has, of the other those of the same text elsewhere.
    let own = spliced(large.document().unwrap().text());
    let elsewhere = spliced(&old);
    let receipt = commit(&tree.root, &[splice(&large, own)]).unwrap();
    assert_eq!(tree.text("large"), new);
    let kept = |id: &str| {
        let mut names = Vec::new();
        let state = tree.path("../state");
        walk(&state, "", &mut names);
        let pack = names
            .iter()
            .find(|name| name.ends_with(&format!("packs/{id}")));
        fs::metadata(state.join(pack.unwrap())).unwrap().len()
    };
    let room = kept(&receipt.id);
    assert!(room < old.len() as u64 + 200, "{room}");
    let past = past(&tree.root, None).unwrap();
    let [file] = past.files.as_slice() else {
        panic!("{past:?}");
    };
    let bytes = |version: &Option<PastVersion>| version.as_ref().map(|it| it.bytes.clone());
    assert_eq!(bytes(&file.before), Some(old.clone().into_bytes()));
    assert_eq!(bytes(&file.after), Some(new.clone().into_bytes()));
    commit(&tree.root, &[splice(&other, elsewhere)]).unwrap();
    assert_eq!(tree.text("other"), new);

    undo(&tree.root, None).unwrap();
    let undone = undo(&tree.root, Some(&receipt.id)).unwrap();
    assert_eq!((tree.text("large"), tree.text("other")), (old.clone(), old));
    undo(&tree.root, Some(&undone.id)).unwrap();
    assert_eq!(tree.text("large"), new);
}

#[test]
fn a_file_that_is_no_text_is_moved_removed_and_brought_back() {
    let tree = Tree::new(&[("gone", "a\0b"), ("from", "c\0d"), ("tool", "e\0f")]);
    let [gone, from, to, tool] = ["gone", "from", "to/there", "tool"].map(|name| tree.read(name));
    let permit = FileWrite {
        snapshot: &tool,
        action: WriteAction::Permit { executable: true },
    };
    commit(
        &tree.root,
        &[remove(&gone), rename(&from, &to, None), permit],
    )
    .unwrap();
    assert_eq!(tree.list(), ["to/", "to/there", "tool"]);
    assert_eq!(
        (tree.text("to/there"), tree.mode("tool") & 0o100),
        ("c\0d".into(), 0o100)
    );
    assert_eq!(tree.text("tool"), "e\0f");

    undo(&tree.root, None).unwrap();
    assert_eq!(tree.list(), ["from", "gone", "tool"]);
    assert_eq!(
        (tree.text("gone"), tree.text("from")),
        ("a\0b".into(), "c\0d".into())
    );
    assert_eq!(tree.mode("tool") & 0o100, 0);
}

#[test]
fn a_batch_is_not_taken_back_from_under_a_later_change() {
    let tree = Tree::new(&[("a", "1\n"), ("b", "1\n")]);
    let [a, b] = ["a", "b"].map(|name| tree.read(name));
    let receipt = commit(&tree.root, &[put(&a, "2\n"), put(&b, "2\n")]).unwrap();
    fs::write(tree.path("b"), "by hand\n").unwrap();
    let error = undo(&tree.root, Some(&receipt.id)).unwrap_err();
    let UndoError::Commit(CommitError::Conflict { paths }) = error else {
        panic!("{error}");
    };
    assert_eq!(paths, [b.path]);
    assert_eq!(
        (tree.text("a"), tree.text("b")),
        ("2\n".into(), "by hand\n".into())
    );
}

#[test]
fn what_is_not_known_cannot_be_taken_back() {
    let tree = Tree::new(&[("a", "1\n")]);
    let error = undo(&tree.root, None).unwrap_err();
    assert!(matches!(error, UndoError::History(HistoryError::Empty)));
    let error = undo(&tree.root, Some("absent")).unwrap_err();
    assert!(matches!(
        error,
        UndoError::History(HistoryError::Unknown { .. })
    ));
    assert_eq!(tree.root.previous_versions().rewrites("a", None).count(), 0);
}

#[test]
fn a_refused_batch_leaves_no_trace_in_the_log() {
    let tree = Tree::new(&[("a", "1\n")]);
    let snapshot = tree.read("a");
    fs::write(tree.path("a"), "2\n").unwrap();
    commit(&tree.root, &[put(&snapshot, "3\n")]).unwrap_err();
    assert_eq!(tree.root.log().unwrap().entries, []);
    assert_eq!(recover(&tree.root).unwrap(), Recovery::Nothing);
}

#[test]
fn one_reviewer_at_a_time() {
    let tree = Tree::new(&[("a", "1\n")]);
    let lock = tree.root.lock().unwrap();
    let other = open(&tree.path(""));
    let error = other.lock().unwrap_err();
    let LockError::Held {
        holder: Some(holder),
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(holder.process, std::process::id());
    assert!(error.to_string().contains(&holder.process.to_string()));
    // A commit of another program goes on.
    tree.put("a", "2\n").unwrap();
    drop(lock);
    other.lock().unwrap();
}

#[test]
fn looking_leaves_no_trace() {
    let tree = Tree::new(&[("a", "1\n")]);
    tree.read("a");
    assert_eq!(recover(&tree.root).unwrap(), Recovery::Nothing);
    assert_eq!(tree.root.log().unwrap().entries, []);
    undo(&tree.root, None).unwrap_err();
    assert!(!tree.temp.path().join("state").exists());
}

#[test]
fn one_undo_after_the_other_goes_back_step_by_step() {
    let tree = Tree::new(&[("f", "0\n")]);
    for text in ["1\n", "2\n", "3\n"] {
        tree.put("f", text).unwrap();
    }
    let first = undo(&tree.root, None).unwrap();
    assert_eq!(tree.text("f"), "2\n");
    undo(&tree.root, None).unwrap();
    assert_eq!(tree.text("f"), "1\n");
    tree.put("f", "new\n").unwrap();
    undo(&tree.root, None).unwrap();
    assert_eq!(tree.text("f"), "1\n");
    undo(&tree.root, None).unwrap();
    assert_eq!(tree.text("f"), "0\n");
    let error = undo(&tree.root, None).unwrap_err();
    assert!(
        matches!(error, UndoError::History(HistoryError::AllUndone)),
        "{error}"
    );
    // By its name an undo is taken back when the file is as it left it.
    let error = undo(&tree.root, Some(&first.id)).unwrap_err();
    assert!(
        matches!(error, UndoError::Commit(CommitError::Conflict { .. })),
        "{error}"
    );
}

#[test]
fn a_damaged_record_blocks_neither_the_log_nor_another_batch() {
    let tree = Tree::new(&[("f", "0\n"), ("g", "0\n")]);
    let log = || {
        let states = fs::read_dir(tree.temp.path().join("state")).unwrap();
        let mut folders = states.map(|entry| entry.unwrap().path().join("log"));
        folders.find(|folder| folder.is_dir()).unwrap()
    };
    let first = tree.put("f", "1\n").unwrap().id;
    let second = tree.put("g", "1\n").unwrap().id;
    let third = tree.put("f", "2\n").unwrap().id;
    fs::write(log().join(&third), b"\xff").unwrap();
    fs::write(log().join("0000000000000000"), "{").unwrap();
    fs::write(log().join("ffffffffffffffff"), "{").unwrap();
    fs::write(log().join("not-a-batch"), "{").unwrap();
    let known = tree.root.log().unwrap();
    let ids: Vec<&str> = known
        .entries
        .iter()
        .map(|entry| entry.id.as_str())
        .collect();
    assert_eq!(ids, [&second, &first]);
    assert_eq!(known.damaged, [third.as_str(), "0000000000000000"]);
    let error = undo(&tree.root, Some(&third)).unwrap_err();
    assert!(
        matches!(error, UndoError::History(HistoryError::Unreadable { .. })),
        "{error}"
    );
    let receipt = undo(&tree.root, None).unwrap();
    assert_eq!(receipt.warnings, [Warning::DamagedRecord(third.clone())]);
    assert_eq!(
        (tree.text("f"), tree.text("g")),
        ("2\n".into(), "0\n".into())
    );
    // The record of one batch under the name of another is damaged too.
    fs::copy(log().join(&first), log().join(&third)).unwrap();
    assert_eq!(tree.root.log().unwrap().damaged[0], third);
    // So is one with a time that no clock shows.
    let text = fs::read_to_string(log().join(&first)).unwrap();
    let (before, after) = text.split_once("\"time\":").unwrap();
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let late = format!("{before}\"time\":{}{after}", u64::MAX);
    fs::write(log().join(&first), late).unwrap();
    assert_eq!(
        tree.root.log().unwrap().damaged.last(),
        Some(&"0000000000000000".to_owned())
    );
    assert!(tree.root.log().unwrap().damaged.contains(&first));
    tree.put("g", "3\n").unwrap();
}

#[test]
fn batches_keep_their_order_when_the_clock_is_set_back() {
    let tree = Tree::new(&[("f", "0\n"), ("g", "0\n")]);
    let ahead = tree.put("f", "1\n").unwrap().id;
    let folder = fs::read_dir(tree.temp.path().join("state")).unwrap();
    let folder = folder.map(|entry| entry.unwrap().path());
    let folder = folder.into_iter().find(|path| path.is_dir()).unwrap();
    // The first batch was written with the clock forty days ahead.
    let days = 40 * 24 * 3600 * 1_000_000_000_u64;
    let later = format!("{:016x}", u64::from_str_radix(&ahead, 16).unwrap() + days);
    let record = fs::read_to_string(folder.join("log").join(&ahead)).unwrap();
    fs::write(
        folder.join("log").join(&later),
        record.replace(&ahead, &later),
    )
    .unwrap();
    fs::remove_file(folder.join("log").join(&ahead)).unwrap();
    fs::rename(
        folder.join("packs").join(&ahead),
        folder.join("packs").join(&later),
    )
    .unwrap();
    let second = tree.put("g", "1\n").unwrap().id;
    assert!(second > later);
    assert_eq!(tree.root.log().unwrap().entries.len(), 2);
    undo(&tree.root, None).unwrap();
    assert_eq!(
        (tree.text("f"), tree.text("g")),
        ("1\n".into(), "0\n".into())
    );
    undo(&tree.root, None).unwrap();
    assert_eq!(tree.text("f"), "0\n");
}
