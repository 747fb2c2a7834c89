//! Decisions that are signed on one machine and carried out on another.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::run_in;

const EDIT: &str = "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n";
const TEXT: &str = "one\ntwo\nthree\n";

/// Takes the place of `ssh-keygen`: the signature of a file is the file itself, by the only name in `signers`.
const KEYGEN: &str = r#"#!/bin/sh
[ "$1 $3 $4 $5 $7" = "-Y -n countersign -f -s" ] || exit 9
case "$2" in
find-principals) cat "$6" ;;
verify) [ "$9 ${10}" = "-I $(cat "$6")" ] && cmp -s - "$8" || { echo "incorrect signature" >&2; exit 255; } ;;
esac
"#;

/// A folder with the file `root/a.txt`, the edit, and the decisions of a review that accepted it, which are signed.
fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    for folder in ["root", "bin"] {
        fs::create_dir(place.path().join(folder)).unwrap();
    }
    write(&place, "root/a.txt", TEXT);
    write(&place, "edit", EDIT);
    write(&place, "signers", "alice");
    write(&place, "bin/ssh-keygen", KEYGEN);
    let keygen = place.path().join("bin/ssh-keygen");
    fs::set_permissions(keygen, fs::Permissions::from_mode(0o755)).unwrap();
    let review = [
        "review",
        "--linear",
        "--root",
        "root",
        "--decisions",
        "approved",
        "edit",
    ];
    let mut review = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(review)
        .current_dir(place.path())
        .env_clear()
        .env("HOME", place.path().join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    review
        .stdin
        .take()
        .unwrap()
        .write_all(b"y\nq\nk\n")
        .unwrap();
    review.wait().unwrap();
    let approved = fs::read_to_string(place.path().join("approved")).unwrap();
    assert!(approved.contains("\"before\""), "{approved}");
    write(&place, "approved.sig", &approved);
    place
}

fn write(place: &TempDir, name: &str, text: &str) {
    fs::write(place.path().join(name), text).unwrap();
}

/// Applies what was approved, after a change of a file; the text in the end, and what is said.
#[track_caller]
fn check(change: impl Fn(&TempDir), expected: (i32, &str, &str)) {
    let place = place();
    change(&place);
    let path = format!("{}:/usr/bin:/bin", place.path().join("bin").display());
    let arguments = [
        "apply",
        "--root",
        "root",
        "--decisions",
        "approved",
        "--signers",
        "signers",
        "edit",
    ];
    let (code, out, err) = run_in(place.path(), &[("PATH", &path)], &arguments);
    let text = fs::read_to_string(place.path().join("root/a.txt")).unwrap();
    assert_eq!(
        (code, text.as_str()),
        (Some(expected.0), expected.1),
        "{out}{err}"
    );
    assert!(err.contains(expected.2), "{err}");
}

#[test]
fn what_was_approved_and_signed_is_written() {
    check(|_| (), (0, "one\n2\nthree\n", "approved by alice"));
}

#[test]
fn nothing_is_taken_without_a_signature_of_these_decisions() {
    let remove = |place: &TempDir| fs::remove_file(place.path().join("approved.sig")).unwrap();
    check(remove, (3, TEXT, "there is no signature"));
    let forge = |place: &TempDir| {
        let path = place.path().join("approved");
        let forged = fs::read_to_string(&path).unwrap() + "\n";
        fs::write(path, forged).unwrap();
    };
    check(forge, (3, TEXT, "incorrect signature"));
    check(
        |place| write(place, "signers", ""),
        (3, TEXT, "is not by a key of"),
    );
    let without_keygen = |place: &TempDir| write(place, "bin/ssh-keygen", "#!/bin/sh\nexit 1\n");
    check(without_keygen, (3, TEXT, "is not by a key of"));
}

#[test]
fn no_byte_of_the_decisions_can_be_changed() {
    let place = place();
    let approved = place.path().join("approved");
    let signed = fs::read(&approved).unwrap();
    let path = format!("{}:/usr/bin:/bin", place.path().join("bin").display());
    let apply = "apply --root root --decisions approved --signers signers edit";
    let apply: Vec<&str> = apply.split(' ').collect();
    // Every byte would take long.
    for at in (0..signed.len()).step_by(signed.len() / 24) {
        let mut forged = signed.clone();
        forged[at] ^= 1;
        fs::write(&approved, &forged).unwrap();
        let (code, _, err) = run_in(place.path(), &[("PATH", &path)], &apply);
        let text = fs::read_to_string(place.path().join("root/a.txt")).unwrap();
        assert_eq!((code, text.as_str()), (Some(3), TEXT), "byte {at}: {err}");
    }
    fs::write(&approved, &signed).unwrap();
    let (code, _, err) = run_in(place.path(), &[("PATH", &path)], &apply);
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn only_the_files_and_edits_that_were_reviewed_are_written() {
    // The hunk would still have its place.
    let changed = "one\ntwo\nthree\nfour\n";
    check(
        |place| write(place, "root/a.txt", changed),
        (3, changed, "not what was reviewed: a.txt"),
    );
    // Another file has this name now, with the same bytes.
    check(
        |place| {
            let root = place.path().join("root");
            fs::rename(root.join("a.txt"), root.join("b.txt")).unwrap();
            std::os::unix::fs::symlink("b.txt", root.join("a.txt")).unwrap();
        },
        (3, TEXT, "not what was reviewed: a.txt (through a link)"),
    );
    let other = EDIT.replace("\n2\n", "\n3\n");
    check(
        |place| write(place, "edit", &other),
        (3, TEXT, "not what was reviewed: a.txt"),
    );
}
