//! Sessions made of two versions of a file.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;

use countersign::review::{
    Bytes, Compared, Decision, Found, HunkId, Mark, Opaque, ReviewSession, Settled, Side, Stance,
    Step, Target, compare, settle,
};
use countersign::text::Document;
use proptest::prelude::*;

fn text(bytes: &[u8]) -> Found {
    Found::Text {
        document: Arc::new(Document::decode(bytes.to_vec()).unwrap()),
        executable: false,
    }
}

fn opaque(hash: &str, executable: bool) -> Found {
    Found::Opaque(Opaque {
        size: 3,
        hash: hash.to_owned(),
        executable,
        why: String::new(),
    })
}

fn compared(old: Found, new: Found, stance: Stance) -> Compared {
    Compared {
        path: "file".to_owned(),
        rename: None,
        old,
        new,
        stance,
        doubtful: Vec::new(),
        protected: None,
        origin: "test",
    }
}

fn session(old: Found, new: Found, stance: Stance) -> ReviewSession {
    compare(String::new(), &[compared(old, new, stance)])
}

/// What the file holds then; `None` if it goes.
fn settled(session: &ReviewSession, old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    match settle(&session.files[0]).unwrap().unwrap() {
        Settled::Absent => None,
        Settled::Link { to } => panic!("a link to `{to}`"),
        Settled::Folder => panic!("a folder"),
        Settled::File { bytes, .. } => Some(match bytes {
            Bytes::Old => old.to_vec(),
            Bytes::New => new.to_vec(),
            Bytes::These(bytes) => bytes,
        }),
    }
}

const STANCES: [Stance; 2] = [Stance::Proposed, Stance::Standing];

/// Decides hunk by hunk: `a` accepts, `r` rejects, `.` leaves it open; gives what the file holds then.
#[track_caller]
fn check(old: &str, new: &str, stance: Stance, verdicts: &str, expected: &str) {
    let mut session = session(text(old.as_bytes()), text(new.as_bytes()), stance);
    assert_eq!(session.files[0].hunks.len(), verdicts.len(), "{old:?}");
    for (hunk, verdict) in verdicts.chars().enumerate() {
        let decision = match verdict {
            'a' => Decision::Accepted,
            'r' => Decision::Rejected,
            _ => continue,
        };
        session.decide(&Target::Hunk(HunkId { file: 0, hunk }), decision);
    }
    let bytes = settled(&session, old.as_bytes(), new.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), expected, "{verdicts}");
}

#[test]
fn what_stands_stays_unless_it_is_rejected() {
    let (old, new) = ("a\nb\nc\nd\ne\nf\n", "A\nb\nc\nd\ne\nF\n");
    check(old, new, Stance::Standing, "..", new);
    check(old, new, Stance::Standing, "ra", "a\nb\nc\nd\ne\nF\n");
    check(old, new, Stance::Standing, ".r", "A\nb\nc\nd\ne\nf\n");
    check(old, new, Stance::Proposed, "..", old);
    check(old, new, Stance::Proposed, ".a", "a\nb\nc\nd\ne\nF\n");
}

/// The name, `file`, `link` or `folder`, that is there once all is accepted, and once all is rejected; then the notes of kind.
#[track_caller]
fn check_kind(old: &Found, new: &Found, expected: &str) {
    let outcome = |decision| {
        let mut session = session(old.clone(), new.clone(), Stance::Proposed);
        session.decide(&Target::Rest, decision);
        let remarks = session.files[0].hunks[0].remarks.clone();
        let outcome = match settle(&session.files[0]).unwrap().unwrap() {
            Settled::Absent => "nothing",
            Settled::Link { .. } => "link",
            Settled::Folder => "folder",
            Settled::File { bytes, .. } => match bytes {
                Bytes::Old => "old file",
                Bytes::New => "new file",
                Bytes::These(bytes) if bytes == b"text\n" => "file",
                Bytes::These(_) => "another file",
            },
        };
        (outcome, remarks)
    };
    let (accepted, remarks) = outcome(Decision::Accepted);
    let (rejected, _) = outcome(Decision::Rejected);
    assert_eq!(format!("{accepted}, {rejected}, {remarks:?}"), expected);
}

#[test]
fn a_change_of_kind_is_one_decision() {
    let (none, folder, link) = (Found::Absent, Found::Folder, Found::Link("to".to_owned()));
    let (file, empty, binary) = (text(b"text\n"), text(b""), opaque("h", false));
    check_kind(&none, &folder, "folder, nothing, []");
    check_kind(&folder, &none, "nothing, folder, []");
    check_kind(&folder, &file, "file, folder, [ReplacesFolder]");
    check_kind(&folder, &empty, "new file, folder, [ReplacesFolder]");
    check_kind(&folder, &binary, "new file, folder, [ReplacesFolder]");
    check_kind(&folder, &link, "link, folder, [ReplacesFolder]");
    check_kind(&link, &folder, "folder, link, [ReplacesLink]");
    check_kind(&link, &file, "file, link, [ReplacesLink]");
    check_kind(&link, &binary, "new file, link, [ReplacesLink]");
    check_kind(&file, &link, "link, old file, [ReplacesFile(Some(1))]");
    check_kind(&file, &folder, "folder, old file, [ReplacesFile(Some(1))]");
    check_kind(&binary, &link, "link, old file, [ReplacesFile(None)]");
}

#[test]
fn line_endings_are_a_step_of_their_own() {
    let (old, new) = ("a\nb\nc\n", "a\r\nB\r\nc\r\n");
    check(old, new, Stance::Standing, "..", new);
    check(old, new, Stance::Standing, "r.", "a\nB\nc\n");
    check(old, new, Stance::Standing, ".r", "a\r\nb\r\nc\r\n");
    check(old, new, Stance::Standing, "rr", old);
    check(old, new, Stance::Proposed, "a.", "a\r\nb\r\nc\r\n");
    check("a\nb\n", "a\r\nb\r\n", Stance::Standing, "r", "a\nb\n");
}

#[test]
fn a_line_put_back_has_its_own_ending() {
    check(
        "a\r\nb\nc\n",
        "a\r\nc\n",
        Stance::Standing,
        "r",
        "a\r\nb\nc\n",
    );
    check(
        "a\nb\r\nc\n",
        "a\nX\nc\n",
        Stance::Standing,
        "r",
        "a\nb\r\nc\n",
    );
}

#[test]
fn a_missing_newline_at_the_end_is_a_change() {
    check("a\nb", "a\nb\n", Stance::Standing, "r", "a\nb");
    check("a\nb\n", "a\nb", Stance::Standing, "a", "a\nb");
    check("a\nb", "a\nb\nc\n", Stance::Standing, "r", "a\nb");
}

#[test]
fn a_mark_at_the_start_and_an_encoding_are_steps() {
    let (old, new) = (b"\xEF\xBB\xBFa\n".as_slice(), b"a\n".as_slice());
    let mut session = session(text(old), text(new), Stance::Standing);
    let steps: Vec<_> = session.files[0]
        .hunks
        .iter()
        .map(|hunk| &hunk.step)
        .collect();
    let form = Step::Form {
        from: "UTF-8 with a byte order mark".to_owned(),
        to: "UTF-8".to_owned(),
    };
    assert_eq!(steps, [&Some(form)]);
    session.decide(&Target::File(0), Decision::Rejected);
    assert_eq!(settled(&session, old, new).as_deref(), Some(old));
}

#[test]
fn files_come_and_go_as_a_whole_or_line_by_line() {
    for stance in STANCES {
        for (decision, stays) in [(Decision::Accepted, true), (Decision::Rejected, false)] {
            let mut made = session(Found::Absent, text(b"a\nb\n"), stance);
            made.decide(&Target::File(0), decision);
            let expected = stays.then(|| b"a\nb\n".to_vec());
            assert_eq!(settled(&made, b"", b"a\nb\n"), expected);
            let mut gone = session(text(b"a\nb\n"), Found::Absent, stance);
            gone.decide(&Target::File(0), decision);
            let expected = (!stays).then(|| b"a\nb\n".to_vec());
            assert_eq!(settled(&gone, b"a\nb\n", b""), expected);
        }
    }
    let mut gone = session(text(b"a\nb\n"), Found::Absent, Stance::Standing);
    let second = Target::Lines {
        hunk: HunkId { file: 0, hunk: 0 },
        lines: 1..2,
        side: Side::Both,
    };
    gone.decide(&second, Decision::Rejected);
    assert_eq!(settled(&gone, b"", b""), Some(b"b\n".to_vec()));
}

#[test]
fn what_is_no_text_is_decided_as_a_whole() {
    let mut session = session(opaque("1", false), opaque("2", true), Stance::Standing);
    assert_eq!(session.files[0].hunks.len(), 2);
    session.decide(
        &Target::Hunk(HunkId { file: 0, hunk: 1 }),
        Decision::Rejected,
    );
    let settled = settle(&session.files[0]).unwrap().unwrap();
    let expected = Settled::File {
        path: "file".to_owned(),
        bytes: Bytes::Old,
        executable: true,
    };
    assert_eq!(settled, expected);
    let same = compared(opaque("1", false), opaque("1", false), Stance::Standing);
    assert!(compare(String::new(), &[same]).files.is_empty());
}

#[test]
fn a_decision_about_bytes_is_about_no_others() {
    let check = |old: Found, new: Found, rejected: usize| {
        let first = (opaque("1", false), opaque("2", false));
        let mut before = session(first.0, first.1, Stance::Standing);
        before.decide(&Target::Rest, Decision::Rejected);
        let mut after = session(old, new, Stance::Standing);
        after.carry_over(&before);
        assert_eq!(
            after.counts().rejected,
            rejected,
            "{:?}",
            after.files[0].sides
        );
    };
    check(opaque("1", false), opaque("2", false), 1);
    check(opaque("1", false), opaque("3", false), 0);
    check(opaque("1", false), text(b"3"), 0);
    check(opaque("0", false), opaque("2", false), 0);
}

#[test]
fn an_edit_nobody_accepted_leaves_what_stands() {
    let (old, new) = (b"a\nb\nc\n".as_slice(), b"a\nB\nc\n".as_slice());
    let mut session = session(text(old), text(new), Stance::Standing);
    let id = HunkId { file: 0, hunk: 0 };
    let region = session.begin_edit(id, 0).unwrap();
    session.edit(&region, &["mine".to_owned()]);
    session.finish_edit();
    assert_eq!(settled(&session, old, new).as_deref(), Some(new));
    session.decide(&Target::Hunk(id), Decision::Accepted);
    assert_eq!(
        settled(&session, old, new).as_deref(),
        Some(b"a\nmine\nc\n".as_slice())
    );
}

#[test]
fn in_a_selection_an_undecided_edit_is_selected() {
    let (old, new) = (b"a\nb\nc\n".as_slice(), b"a\nB\nc\n".as_slice());
    let mut session = session(text(old), text(new), Stance::Standing);
    session.files[0].sides.as_mut().unwrap().selects = true;
    let id = HunkId { file: 0, hunk: 0 };
    let region = session.begin_edit(id, 0).unwrap();
    session.edit(&region, &["mine".to_owned()]);
    session.finish_edit();
    assert_eq!(session.selected_edits().collect::<Vec<_>>(), [id]);
    assert_eq!(session.dropped_edits().count(), 0);
    assert_eq!(
        settled(&session, old, new).as_deref(),
        Some(b"a\nmine\nc\n".as_slice())
    );
    session.decide(&Target::Hunk(id), Decision::Rejected);
    assert_eq!(settled(&session, old, new).as_deref(), Some(old));
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        prop::sample::select(vec!["a", "b", "", "cc"]),
        prop::sample::select(vec!["\n", "\r\n"]),
    );
    (prop::collection::vec(line, 0..12), any::<bool>()).prop_map(|(lines, ended)| {
        let lines: Vec<String> = (lines.iter())
            .map(|(line, ending)| [*line, *ending].concat())
            .collect();
        let mut text = lines.concat();
        if !ended && !text.trim_end_matches(['\r', '\n']).is_empty() {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text.into_bytes()
    })
}

proptest! {
    #[test]
    fn all_accepted_is_the_new_version_and_all_rejected_the_old_one(old in bytes(), new in bytes()) {
        for stance in STANCES {
            let mut session = session(text(&old), text(&new), stance);
            prop_assert_eq!(session.files.is_empty(), old == new);
            if session.files.is_empty() {
                continue;
            }
            let open = match stance { Stance::Proposed => &old, Stance::Standing => &new };
            prop_assert_eq!(settled(&session, &old, &new), Some(open.clone()));
            session.decide(&Target::File(0), Decision::Accepted);
            prop_assert_eq!(settled(&session, &old, &new), Some(new.clone()));
            session.decide(&Target::File(0), Decision::Rejected);
            prop_assert_eq!(settled(&session, &old, &new), Some(old.clone()));
        }
    }
}

#[test]
fn an_edited_line_has_the_ending_of_the_line_it_replaces() {
    let check = |new: &str, edited: &[&str], expected: &str| {
        for stance in STANCES {
            let old = "a\r\nb\nc\r\n";
            let mut session = session(text(old.as_bytes()), text(new.as_bytes()), stance);
            let id = HunkId { file: 0, hunk: 0 };
            let region = session.begin_edit(id, 0).unwrap();
            let lines: Vec<String> = edited.iter().map(|line| (*line).to_owned()).collect();
            session.edit(&region, &lines);
            session.finish_edit();
            session.decide(&Target::Hunk(id), Decision::Accepted);
            let bytes = settled(&session, old.as_bytes(), new.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), expected, "{stance:?}");
        }
    };
    check("a\r\nB\nc\r\n", &["BB"], "a\r\nBB\nc\r\n");
    // Of more lines than there were, the others follow the last one.
    check("a\r\nB\nc\r\n", &["x", "y"], "a\r\nx\ny\nc\r\n");
    check("a\r\nB\nC\r\n", &["x", "y"], "a\r\nx\ny\r\n");
}

#[test]
fn a_line_in_the_old_form_has_the_ending_of_the_line_it_replaces() {
    let (old, new) = ("a\nb\r\nc\n", "a\r\nB\r\nc\r\n");
    check(old, new, Stance::Proposed, ".a", "a\nB\r\nc\n");
}

/// What is said of an undecided and of a rejected hunk is what becomes of it, in a proposal, in changes of files, and in a selection.
#[test]
fn the_words_for_a_mark_are_those_of_the_mode() {
    let check = |stance, selects, expected: [&str; 3]| {
        let mut session = session(text(b"old\n"), text(b"new\n"), stance);
        session.files[0].sides.as_mut().unwrap().selects = selects;
        let marks = [Mark::Accepted, Mark::Rejected, Mark::Undecided];
        assert_eq!(marks.map(|mark| session.effect(mark)), expected);
    };
    check(
        Stance::Proposed,
        false,
        [
            "accepted: will be written",
            "rejected: left unchanged",
            "undecided: will be rejected",
        ],
    );
    check(
        Stance::Standing,
        false,
        [
            "accepted: kept",
            "rejected: will be reverted",
            "undecided: left unchanged",
        ],
    );
    check(
        Stance::Standing,
        true,
        [
            "accepted: selected",
            "rejected: not selected, will be reverted",
            "undecided: selected",
        ],
    );
}

#[test]
fn both_versions_are_read_in_one_encoding() {
    for (old, new) in [
        // Alone, one of them would be read as windows-1252 and the other as ISO-8859-2.
        (
            &b"\xa9 2020 Caf\xe9\nx\n"[..],
            &b"\xa9 2021 Caf\xe9s\nx\n"[..],
        ),
        (b"Caf\xe9\nx\n", b"Cafe\nx\n"),
        (b"Cafe\nx\n", b"Caf\xe9\nx\n"),
    ] {
        for stance in STANCES {
            for (decision, expected) in [(Decision::Accepted, new), (Decision::Rejected, old)] {
                let mut session = session(text(old), text(new), stance);
                assert_eq!(session.files[0].hunks.len(), 1, "{old:?} {new:?}");
                session.decide(&Target::Hunk(HunkId { file: 0, hunk: 0 }), decision);
                let bytes = settled(&session, old, new).unwrap();
                assert_eq!(bytes, expected, "{decision:?} {stance:?}");
            }
        }
    }
}
