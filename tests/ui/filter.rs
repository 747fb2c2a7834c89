//! The filter of the file list: what it hides is on no part of the screen, and no command acts on it.

use countersign::review::{Decision, Mark};

use crate::fixture::Batch;
use crate::script::Script;

/// Four files, of which the second and the third have `ui` in their names.
fn script() -> Script {
    let batch = Batch::new("")
        .modify("core.rs", "a\n", &[("a", "b")])
        .modify("ui_first.rs", "a\n", &[("a", "b")])
        .rename("list.rs", "ui_second.rs", "a\nx\n", &[("a", "b")])
        .modify("last.rs", "a\n", &[("a", "b")]);
    let mut script = Script::new(batch.session(), 120, 30);
    script.press("f <ui> Enter t");
    script
}

fn marks(script: &Script) -> String {
    let files = script.app.session.files.iter();
    let sign = |mark: Option<Mark>| match mark {
        Some(Mark::Undecided) => '.',
        Some(Mark::Accepted) => 'a',
        Some(Mark::Rejected) => 'r',
        Some(Mark::Mixed) => 'm',
        None => ' ',
    };
    files.map(|file| sign(file.mark())).collect()
}

fn path(script: &Script) -> &str {
    let file = script.app.stream.file();
    file.map_or("", |file| &script.app.session.files[file].path)
}

#[test]
fn motions_go_to_files_that_are_shown() {
    let mut script = script();
    assert_eq!(path(&script), "ui_first.rs");
    for (keys, expected) in [
        ("}", "list.rs"),
        ("}", "list.rs"),
        ("g g", "ui_first.rs"),
        ("G", "list.rs"),
        ("S-Tab S-Tab S-Tab", "ui_first.rs"),
    ] {
        assert_eq!(path(script.press(keys)), expected, "{keys}");
    }
    let screen = script.screen();
    let shows = |name: &str| screen.contains(name);
    assert!(shows("list.rs → ui_second.rs"), "{screen}");
    assert!(!shows("core.rs") && !shows("last.rs"), "{screen}");
    // A new name is found as an old one is.
    assert!(shows("2 of 4 with `ui`"), "{screen}");
    let screen = script.press("Esc").screen();
    assert!(
        screen.contains("core.rs") && screen.contains("last.rs"),
        "{screen}"
    );
}

#[test]
fn the_rest_is_what_is_shown() {
    let mut script = script();
    let screen = script.press("g a").screen();
    for words in [
        "Accept the remaining 3 hunks in the 2 files with `ui`?",
        "not touched: 2 undecided hunks in files that the filter `ui` hides",
    ] {
        assert!(screen.contains(words), "{screen}");
    }
    script.press("y");
    assert_eq!(marks(&script), ".aa.");
    let screen = script.press("g r").screen();
    let words = "nothing is undecided; 2 undecided hunks in files that the filter `ui` hides";
    assert!(screen.contains(words), "{screen}");
    assert_eq!(marks(script.press("Esc g r y")), "raar");
}

#[test]
fn the_end_of_what_is_shown_is_not_the_end_of_all() {
    let mut script = script();
    let screen = script.press("a a a").screen();
    assert_eq!(marks(&script), ".aa.");
    let words = "nothing undecided after this; 2 undecided hunks in files that the filter `ui`";
    assert!(screen.contains(words), "{screen}");
    let screen = script.press("Tab").screen();
    assert!(screen.contains(words), "{screen}");
    let screen = script.press("q").screen();
    let words = "this finishes all files, also 2 files that the filter `ui` hides";
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn chosen_files_that_are_hidden_are_not_decided() {
    let mut script = script();
    script.press("Esc t g g Space j f <ui> Enter Space a");
    assert_eq!(marks(&script), "....");
    script.press("y");
    assert_eq!(marks(&script), ".a..");
}

#[test]
fn what_is_undone_in_a_hidden_file_is_shown() {
    let mut script = script();
    script.press("Esc g g");
    let accepted = script.app.session.files[0].hunks.len();
    assert_eq!(accepted, 1);
    script.press("a f <ui> Enter t");
    assert_eq!(
        script.app.session.files[0].mark(),
        Some(Decision::Accepted.into())
    );
    script.press("u");
    assert_eq!((path(&script), &*marks(&script)), ("core.rs", "...."));
    assert!(script.app.file_list.filter.is_empty());
}

#[test]
fn a_filter_that_no_file_matches_leaves_nothing_to_decide() {
    let mut script = script();
    let screen = script.press("f <nowhere> Enter g a").screen();
    assert!(screen.contains("nothing is undecided"), "{screen}");
    // The review has all files then, and the question is about them.
    let screen = script.press("t g a").screen();
    assert!(screen.contains("core.rs"), "{screen}");
    assert!(screen.contains("Accept the remaining 5 hunks?"), "{screen}");
}
