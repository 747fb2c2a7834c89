//! The sideways offset: the difference of the cursor's line is on the screen, or a sign marks it.

use countersign::review::Layout;
use countersign::ui::ScreenOptions;
use ratatui::layout::Size;
use ratatui::style::Modifier;

use crate::fixture::Batch;
use crate::script::Script;

/// A line with a difference in its middle, too long to be wrapped.
fn long(middle: &str) -> String {
    format!("{}{middle}{}", "q".repeat(3000), "q".repeat(3000))
}

/// A review of a file with long lines: a hunk of two, a line that is not changed, and a hunk of one word.
fn long_lines() -> Script {
    let word = |end: &str| format!("{}{end}", "z".repeat(1990));
    let base = [
        &long("OLD1"),
        &long("OLD2"),
        "same",
        "as",
        "before",
        "and",
        "on",
        &word("old"),
    ];
    let base = base.join("\n") + "\n";
    let two = (
        long("OLD1") + "\n" + &long("OLD2"),
        long("NEW1") + "\n" + &long("NEW2"),
    );
    let one = (word("old"), word("new"));
    let hunks = [
        (two.0.as_str(), two.1.as_str()),
        (one.0.as_str(), one.1.as_str()),
    ];
    let batch = Batch::new("").modify("a.txt", &base, &hunks);
    let options = ScreenOptions {
        layout: Some(Layout::Unified),
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 80,
        height: 24,
    };
    Script::with_options(batch.session(), size, &options)
}

#[test]
fn the_difference_of_the_cursors_line_is_on_the_screen() {
    let check = |keys: &str, expected: &[&str]| {
        let screen = long_lines().press(keys).screen();
        for words in expected {
            assert!(screen.contains(words), "{keys}: {words}: {screen}");
        }
    };
    check("", &["OLD1", "NEW1"]);
    check("j", &["OLD1"]);
    check("j j", &["OLD2"]);
    check("j j j j", &["NEW2"]);
    check("]", &["old", "new"]);
    // Unchanged lines in between are shown from their beginning.
    check("j j j j j", &["same", "as"]);
    check("j j j j j j j j j j j", &["old", "new"]);
    check("w w w", &["OLD1", "NEW1"]);
    check("0 j", &["OLD1"]);
    check("$ j j", &["OLD2"]);
}

#[test]
fn a_sign_marks_a_difference_behind_it() {
    let check = |keys: &str, sign: &str, marked: bool| {
        let mut script = long_lines();
        let buffer = script.press(keys).buffer();
        let cells = buffer.content().iter();
        let signs: Vec<_> = cells.filter(|cell| cell.symbol() == sign).collect();
        assert!(!signs.is_empty(), "{keys}");
        let bold = signs
            .iter()
            .any(|cell| cell.modifier.contains(Modifier::BOLD));
        assert_eq!(bold, marked, "{keys} {sign}");
    };
    check("0", "›", true);
    check("j $", "‹", true);
}

/// Two differences far from each other in a line, then another long line, then a hunk of one word.
#[test]
fn the_next_hunk_comes_after_the_differences_that_are_cut_off() {
    let line = |words: [&str; 2], length: usize| {
        let filler = "f(a, b); ".repeat(length);
        format!("{filler}{}{filler}{}{filler}", words[0], words[1])
    };
    let old = [line(["OLD1", "OLD2"], 600), line(["OLD3", "OLD4"], 400)].join("\n");
    let new = [line(["NEW1", "NEW2"], 600), line(["NEW3", "NEW4"], 400)].join("\n");
    let base = format!("{old}\n{}last\n", "same\n".repeat(9));
    for layout in [Layout::Unified, Layout::Split] {
        let hunks = [(old.as_str(), new.as_str()), ("last", "final")];
        let batch = Batch::new("").modify("a.txt", &base, &hunks);
        let options = ScreenOptions {
            layout: Some(layout),
            ..ScreenOptions::default()
        };
        let size = Size {
            width: 100,
            height: 24,
        };
        let mut script = Script::with_options(batch.session(), size, &options);
        let mut shown = |keys: &str| {
            let screen = script.press(keys).screen();
            let words = ["NEW1", "NEW2", "NEW3", "NEW4", "final"];
            let is_cut = |word: &&str| screen.contains(*word);
            words.into_iter().find(is_cut).map(str::to_owned)
        };
        // The heading of the file, then that of the hunk.
        let steps = ["g g", "]", "]", "]", "]", "]"].map(&mut shown);
        let expected = ["NEW1", "NEW1", "NEW2", "NEW3", "NEW4", "final"];
        assert_eq!(steps.map(Option::unwrap_or_default), expected, "{layout:?}");
    }
}
