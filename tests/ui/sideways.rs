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

/// The first of these words that a screen shows after each of some keys: two differences far from each other in a line, those of
/// another long line, and a hunk of one word.
fn far_differences(layout: Layout, keys: &[&str]) -> Vec<&'static str> {
    let line = |words: [&str; 2], length: usize| {
        let filler = "f(a, b); ".repeat(length);
        format!("{filler}{}{filler}{}{filler}", words[0], words[1])
    };
    let old = [line(["OLD1", "OLD2"], 600), line(["OLD3", "OLD4"], 400)].join("\n");
    let new = [line(["NEW1", "NEW2"], 600), line(["NEW3", "NEW4"], 400)].join("\n");
    let base = format!("{old}\n{}last\n", "same\n".repeat(9));
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
    let shown = keys.iter().map(|keys| {
        let screen = script.press(keys).screen();
        let words = ["NEW1", "NEW2", "NEW3", "NEW4", "final"];
        let mut shown = words.into_iter().filter(|word| screen.contains(word));
        shown.next().unwrap_or_default()
    });
    shown.collect()
}

#[test]
fn the_next_hunk_comes_after_the_differences_that_are_cut_off() {
    for layout in [Layout::Unified, Layout::Split] {
        // The heading of the file, then that of the hunk.
        let shown = far_differences(layout, &["g g", "]", "]", "]", "]", "]"]);
        let expected = ["NEW1", "NEW1", "NEW2", "NEW3", "NEW4", "final"];
        assert_eq!(shown, expected, "{layout:?}");
    }
}

#[test]
fn a_step_back_goes_through_the_differences_as_a_step_forward_does() {
    for layout in [Layout::Unified, Layout::Split] {
        let shown = far_differences(layout, &["g g ] ] ] ] ]", "[", "[", "[", "["]);
        let expected = ["final", "NEW4", "NEW3", "NEW2", "NEW1"];
        assert_eq!(shown, expected, "{layout:?}");
    }
}

/// Lines that come and go without another side: too long for the screen, a short line between them, and another file.
fn lines_without_partner() -> Script {
    let added = format!("{}MIDDLE{}END", "a".repeat(2600), "b".repeat(2600));
    let removed = format!("{}GONE", "c".repeat(4500));
    let base = format!("first\n{removed}\nlast\n");
    let hunks = [("first".to_owned(), format!("first\n{added}\nshort"))];
    let mut hunks = hunks.to_vec();
    hunks.push((format!("{removed}\nlast"), "last".to_owned()));
    let hunks: Vec<(&str, &str)> = (hunks.iter())
        .map(|(old, new)| (old.as_str(), new.as_str()))
        .collect();
    let batch = Batch::new("").modify("a.txt", &base, &hunks).modify(
        "b.txt",
        "one\ntwo\n",
        &[("two", "three")],
    );
    let size = Size {
        width: 80,
        height: 24,
    };
    Script::with_options(batch.session(), size, &ScreenOptions::default())
}

#[test]
fn all_of_a_line_without_a_partner_is_a_difference() {
    let is_marked = |script: &mut Script, line: &str| {
        let buffer = script.buffer();
        let rows = buffer.content().chunks(80);
        let row = rows.into_iter().find(|row| {
            let text: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.contains(line)
        });
        let mut signs = row.unwrap_or_default().iter().rev();
        signs.any(|cell| cell.symbol() == "›" && cell.modifier.contains(Modifier::BOLD))
    };
    let is_beginning = |screen: &str| screen.contains("− cccccccc");
    let mut script = lines_without_partner();
    assert!(is_marked(&mut script, "+ aaaaaaaa"));
    assert!(is_marked(&mut script, "− cccccccc"));
    // A step goes on where the last one ended.
    let mut shown = String::new();
    script.press("g g j");
    for _ in 0..200 {
        let screen = script.press("]").screen();
        shown += &screen;
        if screen.contains("three")
            && screen
                .lines()
                .any(|l| l.starts_with('▌') && l.contains("hunk 1/1"))
        {
            break;
        }
    }
    // A step to another line begins with its first difference.
    let screen = lines_without_partner().press("g g j j j $ ]").screen();
    assert!(is_beginning(&screen), "{screen}");
    for words in ["MIDDLE", "END", "GONE"] {
        assert!(shown.contains(words), "{words}");
    }
}

#[test]
fn scrolling_to_a_long_line_blanks_nothing_around_it() {
    let check = |keys: &str| {
        let screen = lines_without_partner().press(keys).screen();
        for words in ["first", "short", "two", "three"] {
            assert!(screen.contains(words), "{keys}: {words}: {screen}");
        }
    };
    check("]");
    check("j j j $");
    check("j j j l l l l");
}
