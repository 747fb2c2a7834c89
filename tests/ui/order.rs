//! The order of the files in the stream, and the reasons for it.

use countersign::review::{ReviewSession, Row};
use countersign::ui::ScreenOptions;
use countersign::ui::file_list::Sort;
use ratatui::layout::Size;

use crate::fixture::Batch;
use crate::script::Script;

fn session() -> ReviewSession {
    Batch::new("")
        .modify("CHANGELOG.md", "one\n", &[("one", "if a == b { fail }")])
        .modify("Cargo.lock", "two\n", &[("two", "three")])
        .modify(
            "src/names.rs",
            "let name = x;\n",
            &[("let name = x;", "let other = x;")],
        )
        .modify(
            "src/send.rs",
            "send(x)?;\n",
            &[("send(x)?;", "if x != y { send(x); }")],
        )
        .modify(
            "tests/api.rs",
            "f()\n",
            &[("f()", "assert_eq!(f(), 1 + 1)")],
        )
        .modify("Makefile", "all:\n", &[("all:", "every:")])
        .protect("it runs commands")
        .session()
}

/// Checks the names of the files from the top of the stream to its end.
#[track_caller]
fn check(script: &Script, expected: &[&str]) {
    let order = script.app.stream.rows.order().iter();
    let names: Vec<&str> = order
        .map(|part| script.app.session.files[part.file].path.as_str())
        .collect();
    assert_eq!(names, expected);
}

fn by_risk() -> Script {
    let options = ScreenOptions {
        order: Sort::Risk,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 130,
        height: 40,
    };
    Script::with_options(session(), size, &options)
}

#[test]
fn a_file_that_is_not_named_says_so_before_the_reasons_for_its_place() {
    let options = ScreenOptions {
        order: Sort::Risk,
        ..ScreenOptions::default()
    };
    for (width, expected) in [
        (75, "not named by the agent, conditions"),
        (50, "not named by the agent"),
    ] {
        let batch = Batch::new("Changes b.rs.").modify("a.rs", "a\n", &[("a", "if b {")]);
        let session = batch.modify("b.rs", "a\n", &[("a", "b")]).session();
        let size = Size { width, height: 24 };
        let mut script = Script::with_options(session, size, &options);
        let screen = script.screen();
        let heading = screen
            .lines()
            .find_map(|line| line.split_once("a.rs  +1 −1  · "));
        assert_eq!(heading.unwrap_or_default().1.trim(), expected, "{screen}");
    }
}

const BY_RISK: [&str; 6] = [
    "Makefile",
    "src/send.rs",
    "src/names.rs",
    "tests/api.rs",
    "CHANGELOG.md",
    "Cargo.lock",
];

#[test]
fn the_riskiest_file_comes_first_with_its_reasons() {
    let mut script = by_risk();
    check(&script, &BY_RISK);
    let screen = script.screen();
    for words in [
        "Files · riskiest first",
        "· protected",
        "· removes error handling, comparisons and calculations",
        "· tests, comparisons and calculations",
        "· documentation",
        "· lock file",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn the_keys_go_through_the_files_in_their_order() {
    let mut script = by_risk();
    let path = |script: &Script| {
        let file = script.app.stream.file().unwrap();
        script.app.session.files[file].path.clone()
    };
    for expected in BY_RISK {
        assert_eq!(path(&script), expected);
        script.press("a");
    }
    script.press("u u S-Tab");
    assert_eq!(path(&script), "CHANGELOG.md");
    script.press("g g }");
    assert_eq!(path(&script), "src/send.rs");
    script.press("G / <let> Enter");
    assert_eq!(path(&script), "src/names.rs");
    let screen = script.screen();
    assert!(screen.contains("1 of 1"), "{screen}");
}

#[test]
fn another_order_keeps_the_cursor_at_its_line() {
    let mut script = by_risk();
    script.press("/ <three> Enter s s");
    check(
        &script,
        &[
            "Makefile",
            "src/names.rs",
            "src/send.rs",
            "tests/api.rs",
            "CHANGELOG.md",
            "Cargo.lock",
        ],
    );
    let screen = script.screen();
    assert!(
        screen.contains("Cargo.lock  +1 −1  closed, 1 hunk"),
        "{screen}"
    );
    script.press("s");
    check(
        &script,
        &[
            "CHANGELOG.md",
            "Cargo.lock",
            "Makefile",
            "src/names.rs",
            "src/send.rs",
            "tests/api.rs",
        ],
    );
    let screen = script.screen();
    assert!(!screen.contains("closed"), "{screen}");
    script.press("s");
    check(
        &script,
        &[
            "CHANGELOG.md",
            "Cargo.lock",
            "src/names.rs",
            "src/send.rs",
            "tests/api.rs",
            "Makefile",
        ],
    );
}

/// A file with a condition between many comments, and another file.
fn split_session() -> ReviewSession {
    let base: Vec<String> = (0..80).map(|line| format!("let a{line} = x;\n")).collect();
    let comments = "// a comment\n".repeat(60);
    let edits = [
        ("let a10 = x;\n", comments.as_str()),
        ("let a40 = x;\n", "if a > b { send(a + 1); }\n"),
        ("let a70 = x;\n", "// another comment\n"),
    ];
    Batch::new("")
        .modify("src/a.rs", &base.concat(), &edits)
        .modify("src/b.rs", "one\n", &[("one\n", "let two = three;\n")])
        .session()
}

#[test]
fn the_riskiest_hunks_of_a_file_come_before_the_rest_of_it() {
    let options = ScreenOptions {
        order: Sort::Risk,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 130,
        height: 60,
    };
    let mut script = Script::with_options(split_session(), size, &options);
    check(&script, &["src/a.rs", "src/b.rs", "src/a.rs"]);
    let screen = script.screen();
    for words in [
        "first 1 of 3 hunks",
        "other 2 of 3 hunks",
        "⋯ hunk 1 further down",
        "⋯ hunk 3 further down",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    assert_eq!(screen.matches("  b.rs").count(), 1, "{screen}");
    assert_eq!(screen.matches("src/b.rs").count(), 1, "{screen}");
    let hunk = |script: &Script| script.app.stream.hunk().map(|id| (id.file, id.hunk));
    let mut met = Vec::new();
    for _ in 0..4 {
        met.extend(hunk(&script));
        script.press("a");
    }
    assert_eq!(met, [(0, 1), (1, 0), (0, 0), (0, 2)]);
    assert_eq!(script.app.summaries.counts.undecided, 0);
    // A row that names hunks of the other part leads to them; nothing is decided there.
    let away = |row: Row| matches!(row, Row::Elsewhere { hunk: 1, .. });
    let rows = &script.app.stream.rows;
    script.app.stream.cursor = rows.find(0..rows.len(), false, away).unwrap();
    assert_eq!(hunk(&script), None);
    script.press("Enter");
    assert_eq!(hunk(&script), Some((0, 1)));
    // A new layout leaves the cursor where it is.
    script.press("} } } k");
    let before = script.app.stream.row();
    script.press("+ -");
    assert_eq!(script.app.stream.row(), before);
}

#[test]
fn prose_has_no_risk_of_a_program() {
    let options = ScreenOptions {
        order: Sort::Risk,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 120,
        height: 20,
    };
    let shown = |path: &str, text: &str| {
        let session = Batch::new("").create(path, text).session();
        Script::with_options(session, size, &options).screen()
    };
    let prose = "# Errors\n\nIf it fails, expect an error: some calls return none.\n";
    let python =
        "def f():\n    \"\"\"Raise.\n\n    If it fails, an error: none, ok, fail.\n    \"\"\"\n";
    for (path, text) in [("guide.md", prose), ("a.py", python)] {
        let screen = shown(path, text);
        assert!(screen.contains(path));
        assert!(!screen.contains("error handling"), "{screen}");
        assert!(!screen.contains("conditions"), "{screen}");
    }
    let code = "def f():\n    raise ValueError(error)\n";
    let screen = shown("a.py", code);
    assert!(screen.contains("error handling"), "{screen}");
}

#[test]
fn a_sentence_of_the_agent_is_shown_at_its_hunk() {
    let hunks = [("one", "1"), ("four", "4"), ("five", "5"), ("gone", "here")];
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let sentences = [
        "First one.",
        "Then four and five.",
        "Then four and five.",
        "Last.",
    ];
    let batch = Batch::new("")
        .modify("a.txt", text, &hunks)
        .announce(&sentences);
    let mut script = Script::new(batch.session(), 120, 36);
    let screen = script.screen();
    let rows: Vec<&str> = screen
        .lines()
        .map(|row| row.split('│').nth(1).unwrap_or(row))
        .collect();
    let below = |heading: &str| {
        let at = rows.iter().position(|row| row.contains(heading)).unwrap();
        rows[at + 1].trim().trim_start_matches("= ").to_owned()
    };
    assert_eq!(below("hunk 1/4"), "“First one.”", "{screen}");
    assert_eq!(below("hunk 2/4"), "“Then four and five.”", "{screen}");
    assert!(!below("hunk 3/4").contains("Then"), "{screen}");
    assert_eq!(below("! hunk 4: not found"), "“Last.”", "{screen}");

    // One sentence for all is shown once, at the file.
    let batch = Batch::new("").modify("a.txt", text, &hunks[..2]);
    let batch = batch.announce(&["Both.", "Both."]);
    let screen = Script::new(batch.session(), 120, 36).screen();
    assert_eq!(screen.matches("“Both.”").count(), 1, "{screen}");

    // A step of a net change is told from the others by its sentence.
    let steps = [("one", "first one"), ("first one", "very first one")];
    let batch = Batch::new("").modify("a.txt", text, &steps);
    let batch = batch.announce(&["Name it.", "Stress it."]);
    let screen = Script::new(batch.session(), 120, 36).screen();
    let step = "hunk 2 continues hunk 1, and is decided with it: “Stress it.”";
    assert!(screen.contains(step), "{screen}");
}

#[test]
fn generated_and_lock_files_are_closed_until_they_are_opened() {
    let notice = "// Code generated by x. DO NOT EDIT.\n";
    let session = || {
        Batch::new("")
            .modify("Cargo.lock", "two\n", &[("two", "three")])
            .modify("a.pb.rs", notice, &[(notice.trim_end(), "// Code")])
            .modify("src/names.rs", "one\n", &[("one", "if a == b { x }")])
            .modify("yarn.lock", "all:\n", &[("all:", "every:")])
            .protect("it runs commands")
            .session()
    };
    let script = |order: Sort| {
        let options = ScreenOptions {
            order,
            ..ScreenOptions::default()
        };
        let size = Size {
            width: 130,
            height: 40,
        };
        Script::with_options(session(), size, &options)
    };
    let check = |script: &Script, expected: &[&str]| {
        let closed = script.app.stream.folds.closed.iter();
        let mut names: Vec<&str> = closed
            .map(|&file| script.app.session.files[file].path.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, expected);
    };
    // What needs attention is open.
    let mut by_risk = script(Sort::Risk);
    check(&by_risk, &["Cargo.lock", "a.pb.rs"]);
    let screen = by_risk.screen();
    assert!(
        screen.contains("Cargo.lock  +1 −1  closed, 1 hunk"),
        "{screen}"
    );
    // The next undecided hunk opens its file, and nothing closes it again.
    by_risk.press("Tab Tab");
    check(&by_risk, &["Cargo.lock"]);
    by_risk.press("a");
    check(&by_risk, &[]);
    // So does the next or the previous hunk, which passes over none.
    let mut by_hunk = script(Sort::Risk);
    by_hunk.press("g g ] ] ]");
    check(&by_hunk, &["Cargo.lock"]);
    by_hunk.press("]");
    check(&by_hunk, &[]);
    // The last row is the closed head of the other one.
    let mut from_end = script(Sort::Risk);
    from_end.press("G [");
    check(&from_end, &["Cargo.lock"]);
    check(&script(Sort::Path), &[]);
    check(&script(Sort::Proposal), &[]);
}
