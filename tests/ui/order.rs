//! The order of the files in the stream, and the reasons for it.

use countersign::review::ReviewSession;
use countersign::ui::Options;
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
        .map(|&file| script.app.session.files[file].path.as_str())
        .collect();
    assert_eq!(names, expected);
}

fn by_risk() -> Script {
    let options = Options {
        order: Sort::Risk,
        ..Options::default()
    };
    let size = Size {
        width: 130,
        height: 40,
    };
    Script::with_options(session(), size, &options)
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
    script.press("/ <three> Enter s");
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
    assert!(screen.contains("Cargo.lock  +1 −1  closed"), "{screen}");
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
