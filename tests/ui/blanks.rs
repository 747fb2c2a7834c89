//! Blanks that differ in a changed line are shown by signs, with and without colours.

use countersign::review::Layout;
use countersign::ui::ScreenOptions;
use countersign::ui::theme::Depth;
use ratatui::layout::Size;

use crate::fixture::Batch;
use crate::script::Script;

/// Returns the two sides of the changed line of a hunk, as the screen shows them.
#[track_caller]
fn check(old: &str, new: &str, keys: &str, expected: [&str; 2]) {
    let base = format!("first\n{old}\nlast\n");
    for depth in [Depth::True, Depth::None] {
        let batch = Batch::new("").modify("Makefile", &base, &[(old, new)]);
        let options = ScreenOptions {
            layout: Some(Layout::Unified),
            depth,
            ..ScreenOptions::default()
        };
        let size = Size {
            width: 80,
            height: 12,
        };
        let mut script = Script::with_options(batch.session(), size, &options);
        if !keys.is_empty() {
            script.press(keys);
        }
        let screen = script.screen();
        for line in expected {
            let is_there = screen.lines().any(|shown| shown.ends_with(line));
            assert!(is_there, "{depth:?}: `{line}`\n{screen}");
        }
    }
}

#[test]
fn blanks_that_differ_are_shown() {
    let plain = |old: &str, new: &str, expected| check(old, new, "", expected);
    plain("\tcc a.c", "    cc a.c", ["− →   cc a.c", "+ ····cc a.c"]);
    plain("\tcc a.c", "    cc b.c", ["− →   cc a.c", "+ ····cc b.c"]);
    plain("cc a.c  ", "cc a.c", ["− cc a.c··", "+ cc a.c"]);
    plain("日\u{3000}本", "日  本", ["− 日□ 本", "+ 日··本"]);
    plain("a = b  c", "a = b c", ["− a = b··c", "+ a = b·c"]);
    // With no words emphasised.
    check(
        "\tcc a.c",
        "    cc a.c",
        "D",
        ["− →   cc a.c", "+ ····cc a.c"],
    );
}

#[test]
fn blanks_that_are_the_same_are_not_shown() {
    let plain = |old: &str, new: &str, expected| check(old, new, "", expected);
    plain("\tcc a.c", "\tcc b.c", ["−     cc a.c", "+     cc b.c"]);
    plain("the cat", "the big cat", ["− the cat", "+ the big cat"]);
}
