//! Hunks that the person's rules accept in advance, shown and logged with their proofs.

use std::fs;

use tempfile::TempDir;

use super::answered;

const EDIT: &str = "\
docs/a.md
<<<<<<< SEARCH
one
=======
two
>>>>>>> REPLACE

src/a.rs
<<<<<<< SEARCH
fn a() {}
=======
fn b() {}
>>>>>>> REPLACE

.github/workflows/docs.md
<<<<<<< SEARCH
one
=======
two
>>>>>>> REPLACE
";

fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    for (name, text) in [
        ("root/docs/a.md", "one\n"),
        ("root/src/a.rs", "fn a() {}\n"),
        ("root/.github/workflows/docs.md", "one\n"),
        ("edit", EDIT),
    ] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

/// Runs the program with answers on its standard input, and returns what it prints.
fn run(place: &TempDir, arguments: &[&str], answers: &str) -> String {
    answered(place.path(), place.path(), arguments, answers)
}

const PATHS: [&str; 4] = ["--set", "policy.paths=['*.md']", "--root", "root"];

#[test]
fn each_hunk_is_explained() {
    let place = place();
    let explained = run(
        &place,
        &[&["policy", "explain", "edit"], &PATHS[..]].concat(),
        "",
    );
    let expected = "\
accepts  docs/a.md:1  hunk 1
    paths: `docs/a.md` matches your pattern `*.md`; 2 of at most 200 lines change
asks     src/a.rs:1  hunk 1
    paths: `src/a.rs` matches no pattern
asks     .github/workflows/docs.md:1  hunk 1
    no rule may: the file is protected: ";
    assert!(explained.starts_with(expected), "{explained}");
    assert!(
        explained.ends_with("1 of 3 hunks accepted by paths\n"),
        "{explained}"
    );

    let limit = [
        &["policy", "explain", "edit", "--set", "policy.most_lines=1"],
        &PATHS[..],
    ]
    .concat();
    let explained = run(&place, &limit, "");
    let why = "    paths: 2 lines of the file change, and the limit is 1\n";
    assert!(explained.contains(why), "{explained}");

    let json = run(
        &place,
        &[
            &["policy", "explain", "edit", "--report", "json"],
            &PATHS[..],
        ]
        .concat(),
        "",
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["accepted"], 1);
    assert_eq!(json["hunks"][0]["rule"], "paths");
    assert!(json["hunks"][2]["barred"].is_string());

    let off = run(&place, &["policy", "explain", "edit", "--root", "root"], "");
    assert_eq!(
        off,
        "no rule of `[policy]` is on; `countersign config` lists them\n"
    );
}

#[test]
fn edits_that_cannot_be_judged_are_named() {
    let place = place();
    let explain = |edit: &str| {
        fs::write(place.path().join("edit"), edit).unwrap();
        let arguments = [&["policy", "explain", "edit"], &PATHS[..]].concat();
        let explained = run(&place, &arguments, "");
        let checked = run(&place, &["check", "edit", "--root", "root"], "");
        for line in explained.lines() {
            if let Some(reason) = line.trim().strip_prefix("not judged: ") {
                assert!(checked.contains(reason), "{explained}{checked}");
            }
        }
        explained
    };
    let block = |path: &str, old: &str| {
        format!("{path}\n<<<<<<< SEARCH\n{old}\n=======\ntwo\n>>>>>>> REPLACE\n")
    };
    let one = block("docs/a.md", "one");
    for (edit, named) in [
        (block("docs/a.md", "other"), "asks     docs/a.md  hunk 1"),
        (
            block("../docs/a.md", "one"),
            "asks     ../docs/a.md  hunk 1",
        ),
        (block("docs/a.md", "two"), "asks     docs/a.md  hunk 1"),
        (
            "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1,2 +1,2 @@\n-one\n".to_owned(),
            "asks     docs/a.md",
        ),
    ] {
        let explained = explain(&edit);
        assert!(explained.starts_with(named), "{explained}");
        assert!(explained.contains("\n    not judged: "), "{explained}");
        let end = "0 of 1 hunk accepted by paths\n";
        assert!(explained.ends_with(end), "{explained}");
    }
    let explained = explain(&format!("{one}\n{}", block("docs/b.md", "one")));
    let end = "1 of 2 hunks accepted by paths\n";
    assert!(explained.ends_with(end), "{explained}");
}

#[test]
fn a_repository_switches_no_rule_on() {
    let place = place();
    let settings = "[policy]\npaths = ['*']\nformatting = true\n";
    fs::write(place.path().join("root/.countersign.toml"), settings).unwrap();
    let explained = run(&place, &["policy", "explain", "edit", "--root", "root"], "");
    let why = "a repository cannot accept anything for the person";
    assert!(explained.contains(why), "{explained}");
    assert!(
        explained.contains("no rule of `[policy]` is on"),
        "{explained}"
    );
}

#[test]
fn what_a_rule_accepts_is_written_and_logged_with_its_proof() {
    let place = place();
    let review = [&["review", "--linear", "edit"], &PATHS[..]].concat();
    let reviewed = run(&place, &review, "n\nn\nw\n");
    assert!(
        reviewed.contains("your policy accepted 1 hunk (1 paths); undo takes that back"),
        "{reviewed}"
    );
    let read = |name: &str| fs::read_to_string(place.path().join("root").join(name)).unwrap();
    assert_eq!(read("docs/a.md"), "two\n", "{reviewed}");
    assert_eq!(read("src/a.rs"), "fn a() {}\n");
    let proof = "accepted by policy, paths: `docs/a.md` matches your pattern `*.md`";
    assert!(reviewed.contains(proof), "{reviewed}");
    let log = run(&place, &["log", "--root", "root", "--report", "json"], "");
    let log: serde_json::Value = serde_json::from_str(&log).unwrap();
    let hunk = &log["entries"][0]["review"]["report"]["hunks"][0];
    assert_eq!(hunk["decided_by"]["rule"], "paths", "{log}");

    let tried = run(&place, &[&["policy", "try"], &PATHS[..]].concat(), "");
    assert!(
        tried.ends_with("1 of 1 hunk accepted by paths\n"),
        "{tried}"
    );
}

#[test]
fn the_person_can_reject_what_a_rule_accepted() {
    let place = place();
    let review = [&["review", "--linear", "edit"], &PATHS[..]].concat();
    let reviewed = run(&place, &review, "u\nn\nn\nn\nw\n");
    let text = fs::read_to_string(place.path().join("root/docs/a.md")).unwrap();
    assert_eq!(text, "one\n", "{reviewed}");
}

#[test]
fn apply_and_check_follow_no_rule() {
    let place = place();
    let apply = [
        &[
            "apply",
            "edit",
            "--partial",
            "--confidence",
            "exact",
            "--report",
            "json",
        ],
        &PATHS[..],
    ]
    .concat();
    let report = run(&place, &apply, "");
    assert!(!report.contains("decided_by"), "{report}");
}

#[test]
fn versions_that_rise_are_accepted_in_the_files_that_the_person_names() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("root")).unwrap();
    let manifest = "[package]\nversion = \"0.4.1\"\n\n[dependencies]\na = \"1.2\"\nb = \"1.0.0\"\n";
    for name in ["Cargo.toml", "other.toml"] {
        fs::write(place.path().join("root").join(name), manifest).unwrap();
    }
    let block = |name: &str, old: &str, new: &str| {
        format!("{name}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n")
    };
    let edit = [
        block("Cargo.toml", "version = \"0.4.1\"", "version = \"0.4.2\""),
        block("Cargo.toml", "b = \"1.0.0\"", "b = \"2.0.0\""),
        block("other.toml", "a = \"1.2\"", "a = \"1.3\""),
    ];
    fs::write(place.path().join("edit"), edit.concat()).unwrap();
    let explain = ["policy", "explain", "edit", "--root", "root"];
    let set = ["--set", "policy.versions=['Cargo.toml']"];
    let explained = run(&place, &[&explain[..], &set[..]].concat(), "");
    let expected = "\
accepts  Cargo.toml:2  hunk 1
    versions: `Cargo.toml` matches your pattern `Cargo.toml`, and nothing but these versions changes: 0.4.1 to 0.4.2
asks     Cargo.toml:6  hunk 2
    versions: line 6: 1.0.0 to 2.0.0 is no later version that is compatible
asks     other.toml:5  hunk 1
    versions: `other.toml` matches no pattern
1 of 3 hunks accepted by versions
";
    assert_eq!(explained, expected);
}

/// An edit of a file and of another one that a command makes of it.
const MADE: &str = "\
names
<<<<<<< SEARCH
c
=======
c
b
>>>>>>> REPLACE

sorted
<<<<<<< SEARCH
a
=======
a
b
>>>>>>> REPLACE
";

/// A place with a file, and its sorted copy.
fn sorted_place() -> TempDir {
    let place = TempDir::new().unwrap();
    let files = [
        ("root/names", "c\na\n"),
        ("root/sorted", "a\nc\n"),
        ("edit", MADE),
    ];
    fs::create_dir_all(place.path().join("root")).unwrap();
    for (name, text) in files {
        fs::write(place.path().join(name), text).unwrap();
    }
    place
}

/// Arguments for a command that makes `sorted`.
fn generate<'a>(from: &'a str, command: &'a str) -> Vec<&'a str> {
    let made = ["--root", "root", "--set", "policy.generated=['sorted']"];
    [&made[..], &["--set", from, "--set", command]].concat()
}

const FROM: &str = "policy.generated_from=['names']";
const SORT: &str = "policy.generate='sort names > sorted'";

#[test]
fn a_generated_file_is_accepted_if_the_command_makes_it() {
    let place = sorted_place();
    let check = |edit: &str, from: &str, command: &str, expected: &str| {
        fs::write(place.path().join("edit"), edit).unwrap();
        let arguments = [
            &["policy", "explain", "edit"][..],
            &generate(from, command)[..],
        ]
        .concat();
        let explained = run(&place, &arguments, "");
        let of_sorted = explained.split("sorted:").nth(1).unwrap_or_default();
        assert!(of_sorted.contains(expected), "{explained}");
    };
    let proof = "    generated: `sort names > sorted` makes this file: 6 bytes are equal\n";
    check(MADE, FROM, SORT, proof);
    let other = |line: usize| format!("    generated: line {line}: `");
    // Another text, no text that it is made of, and a command that does nothing, even if it is given what is proposed.
    check(&MADE.replace("a\nb\n", "a\nd\n"), FROM, SORT, &other(2));
    check(MADE, "policy.generated_from=[]", SORT, &other(2));
    check(MADE, FROM, "policy.generate='true'", &other(2));
    let all = "policy.generated_from=['*']";
    check(MADE, all, "policy.generate='true'", &other(2));
    check(MADE, all, SORT, proof);
    check(
        MADE,
        FROM,
        "policy.generate='echo no network; exit 3'",
        "failed with 3: no network\n",
    );
    check(
        MADE,
        FROM,
        "policy.generate='rm sorted; ln -s names sorted'",
        "makes no such file\n",
    );
    let read = |name: &str| fs::read_to_string(place.path().join("root").join(name)).unwrap();
    assert_eq!(
        (read("names"), read("sorted")),
        ("c\na\n".into(), "a\nc\n".into())
    );
}

#[test]
fn a_generated_file_is_written_only_beside_what_it_is_made_from() {
    let place = sorted_place();
    let review = [
        &["review", "--linear", "edit"][..],
        &generate(FROM, SORT)[..],
    ]
    .concat();
    let texts = |place: &TempDir| {
        ["names", "sorted"]
            .map(|name| fs::read_to_string(place.path().join("root").join(name)).unwrap())
    };
    let reviewed = run(&place, &review, "n\nw\n");
    let why = "what your policy accepted is not proven beside your other decisions";
    assert!(reviewed.contains(why), "{reviewed}");
    assert_eq!(texts(&place), ["c\na\n", "a\nc\n"]);

    let place = sorted_place();
    let reviewed = run(&place, &review, "y\nw\n");
    let proof = "accepted by policy, generated: `sort names > sorted` makes this file";
    assert!(reviewed.contains(proof), "{reviewed}");
    assert_eq!(texts(&place), ["c\nb\na\n", "a\nb\nc\n"]);
    let tried = run(
        &place,
        &[&["policy", "try"][..], &generate(FROM, SORT)[..]].concat(),
        "",
    );
    let why = "generated: the files that it was made from are no longer there\n";
    assert!(tried.contains(why), "{tried}");
}

#[test]
fn no_repository_names_a_command_that_makes_files() {
    let place = sorted_place();
    let settings =
        "[policy]\ngenerated = ['sorted']\ngenerated_from = ['names']\ngenerate = 'touch ran'\n";
    fs::write(place.path().join("root/.countersign.toml"), settings).unwrap();
    let explained = run(&place, &["policy", "explain", "edit", "--root", "root"], "");
    let why = "a repository cannot name commands to run";
    assert!(explained.contains(why), "{explained}");
    assert!(
        explained.contains("no rule of `[policy]` is on"),
        "{explained}"
    );
}
