//! Steps that are undone: their names, and the row that the cursor goes to.

use countersign::review::Row;

use crate::fixture::Batch;
use crate::script::Script;

/// Asserts what an undo says, and the row that the cursor is on then.
#[track_caller]
fn check_undone(keys: &str, words: &str, row: impl Fn(Row) -> bool) {
    let hunks = [("two\nthree", "2\n3"), ("eight", "8"), ("ten", "10")];
    let base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
    let batch = Batch::new("").modify("a.txt", base, &hunks);
    let mut script = Script::new(batch.session(), 100, 30);
    script.press(keys).press("G u");
    let screen = script.screen();
    assert!(screen.contains(words), "{keys}: {screen}");
    let here = script.app.stream.row().expect("a row");
    assert!(row(here), "{keys}: {here:?}");
}

#[test]
fn an_undo_names_what_it_undid_and_goes_there() {
    let is_head = |hunk: usize| move |row: Row| matches!(row, Row::Hunk { id } if id.hunk == hunk);
    let is_line = |hunk: usize, at: usize| move |row: Row| matches!(row, Row::Change { id, line, .. } if id.hunk == hunk && line == at);
    check_undone("] a", "undone: decision about hunk 2 in a.txt", is_head(1));
    check_undone("g a y", "undone: decision about 3 hunks", is_head(0));
    check_undone(
        "] [ j j j v a",
        "undone: decision about lines of hunk 1 in a.txt",
        is_line(0, 1),
    );
    check_undone(
        "] i End <!> Esc",
        "undone: edit of lines of hunk 2 in a.txt",
        is_line(1, 0),
    );
    check_undone("] c <why> Enter", "undone: comment on", |_| true);
    check_undone("g c <why> Enter", "undone: comment on the batch", |_| true);
}

#[test]
fn a_redo_names_what_it_does_again() {
    let batch = Batch::new("").modify("a.txt", "one\ntwo\n", &[("two", "2")]);
    let mut script = Script::new(batch.session(), 100, 30);
    script.press("a u C-r");
    let screen = script.screen();
    let words = "redone: decision about hunk 1 in a.txt";
    assert!(screen.contains(words), "{screen}");
}
