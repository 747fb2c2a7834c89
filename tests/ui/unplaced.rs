//! Hunks without a place are visited, explained and decided like all others.

use countersign::review::{HunkId, HunkReview, Mark};
use countersign::ui::ScreenOptions;
use countersign::ui::action::Effect;
use countersign::ui::file_list::Sort;
use ratatui::layout::Size;

use crate::fixture::Batch;
use crate::script::Script;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

fn here(script: &Script) -> Option<(usize, usize)> {
    script.app.stream.hunk().map(|id| (id.file, id.hunk))
}

/// Two files, each with a hunk in its place and one that has none.
fn both() -> Script {
    let hunks = [("two", "2"), ("nothing like this", "x")];
    let batch = Batch::new("").modify("a.txt", TEXT, &hunks);
    Script::new(batch.modify("b.txt", TEXT, &hunks).session(), 100, 30)
}

#[test]
fn the_first_thing_to_decide_is_the_first_row_that_needs_attention() {
    let mut script = both();
    assert_eq!(here(&script), Some((0, 1)), "{}", script.screen());
    script.press("Tab");
    assert_eq!(here(&script), Some((0, 0)));
    script.press("a");
    assert_eq!(here(&script), Some((1, 1)), "{}", script.screen());
    script.press("r a");
    let screen = script.screen();
    let words = "nothing undecided after this; 1 before it: S-Tab goes there";
    assert!(screen.contains(words), "{screen}");
    script.press("S-Tab r");
    assert_eq!(script.app.summaries.waiting, 0);
    let screen = script.screen();
    assert!(screen.contains("everything is decided"), "{screen}");
}

#[test]
fn what_needs_attention_above_the_cursor_is_named() {
    let mut script = both();
    script.press("G )");
    let screen = script.screen();
    let words = "nothing needs attention after this; 2 before it: ( goes there";
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn every_key_that_needs_lines_names_the_keys_that_work() {
    for key in ["Enter", "i", "e", "S", "a"] {
        let mut script = both();
        script.press(key);
        let screen = script.screen();
        let words = "this hunk has no place: m places it, r rejects it, c comments on it";
        assert!(screen.contains(words), "{key}: {screen}");
    }
}

#[test]
fn the_edit_of_a_file_that_is_not_there_is_shown_copied_and_rejected() {
    let batch = Batch::new("").missing("gone.txt", &[("one", "uno\ndue")]);
    let mut script = Script::new(batch.session(), 100, 30);
    let screen = script.screen();
    for words in ["there is no such file", "hunk 1 cannot be written", "+ due"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    assert!(screen.contains(" 1 !"), "{screen}");
    script.press("y");
    assert_eq!(script.effects(), [Effect::Copy("uno\ndue\n".to_owned())]);
    for key in ["a", "i"] {
        let screen = script.press(key).screen();
        let words = "this hunk cannot be written: r rejects it";
        assert!(screen.contains(words), "{key}: {screen}");
    }
    script.press("r");
    let screen = script.screen();
    assert!(!screen.contains(" 1 !"), "{screen}");
    let hunk = &script.app.session.files[0].hunks[0];
    assert_eq!(hunk.mark(), Some(Mark::Rejected));
    script.press("u");
    assert!(script.screen().contains(" 1 !"));
}

#[test]
fn the_reason_of_a_long_hunk_is_in_sight() {
    let lines: Vec<String> = (0..60).map(|line| format!("line {line}")).collect();
    let long = lines.join("\n") + "\n";
    let batch = Batch::new("")
        .modify("a.txt", TEXT, &[("two", "2")])
        .create(".github/workflow.yml", &long)
        .protect("a file that runs commands")
        .create("z.txt", &long);
    let mut script = Script::new(batch.session(), 100, 24);
    let screen = script.press(")").screen();
    for words in [
        "! .github/workflow.yml",
        "protected: a file that runs",
        "! ── hunk 1/1",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    assert!(screen.contains("line 10"), "{screen}");
}

#[test]
fn lines_that_a_hunk_placed_by_hand_leaves_in_the_file_are_named() {
    let hunks = [("alpha\nbeta\ngamma", "ALPHA")];
    let mut script = Script::new(
        Batch::new("").modify("a.txt", TEXT, &hunks).session(),
        100,
        30,
    );
    script.press("m 3 G Enter");
    let screen = script.screen();
    for words in [
        "expected, not in the file, so not removed:",
        "− alpha",
        "− gamma",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let id = HunkId { file: 0, hunk: 0 };
    assert!(
        script
            .app
            .session
            .hunk(id)
            .is_some_and(HunkReview::is_by_hand)
    );
}

#[test]
fn a_difference_in_lines_of_a_kilobyte_is_in_sight() {
    let words = |last: &str| {
        let words: Vec<String> = (100..280).map(|word| format!("word{word}")).collect();
        format!("{} {last} tail", words.join(" "))
    };
    for (width, height) in [(40, 20), (80, 24), (160, 24)] {
        let (old, new) = (words("75A"), words("75B"));
        let batch = Batch::new("").modify("w.txt", &format!("a\n{old}\nb\n"), &[(&old, &new)]);
        let screen = Script::new(batch.session(), width, height).screen();
        assert!(screen.contains("75A") && screen.contains("75B"), "{screen}");
    }
}

#[test]
fn what_could_not_be_read_is_shown_and_copied() {
    let batch = Batch::new("").modify("a.txt", TEXT, &[("two", "2")]);
    let mut script = Script::new(batch.problem("a.txt", 3).session(), 100, 30);
    let screen = script.press("(").screen();
    for words in [
        "line 3 of the input: found",
        "<<<<<<< SEARCH",
        "an old line",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    for key in ["a", "r", "i", "m", "g p", "S"] {
        let screen = script.press(key).screen();
        let words = "this could not be read: y copies its lines, gc comments on the batch";
        assert!(screen.contains(words), "{key}: {screen}");
    }
    script.press("j y");
    let copied = Effect::Copy("<<<<<<< SEARCH\nan old line\n".to_owned());
    assert_eq!(script.effects(), [copied]);
}

#[test]
fn lines_that_are_not_at_the_chosen_place_are_named_wherever_the_hunk_is() {
    let batch = Batch::new("").modify("a.txt", TEXT, &[("two\nthree\nsix", "2\n3\n6")]);
    let mut script = Script::new(batch.session(), 100, 30);
    script.press("m 2 G Enter a");
    let hunk = &script.app.session.files[0].hunks[0];
    assert_eq!(hunk.not_removed(), ["six"]);
    let words = "the file does not have the line `six` there, so it is not removed";
    for key in ["g p", "Esc !"] {
        let screen = script.press(key).screen();
        assert!(screen.contains(words), "{key}: {screen}");
    }
    let screen = script.resize(140, 30).screen();
    let said = format!("hunk 1 (line 2): the reviewer said where it goes: {words}");
    assert!(screen.contains(&said), "{screen}");
}

#[test]
fn hunks_that_overlap_name_each_other() {
    let hunks = [
        ("one", "1"),
        ("two\nthree", "2\n3"),
        ("three\nfour", "III\nIV"),
    ];
    let batch = Batch::new("").modify("a.txt", TEXT, &hunks);
    let mut script = Script::new(batch.session(), 120, 30);
    let screen = script.screen();
    for words in [
        "hunk 2: overlap: hunk 3 changes line 3 too, in another way",
        "hunk 3: overlap: hunk 2 changes line 3 too, in another way",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let screen = script.press("!").screen();
    for words in ["hunk 2: overlaps hunk 3", "hunk 3: overlaps hunk 2"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
}

#[test]
fn a_hunk_without_any_place_is_compared_without_one() {
    let hunks = [("wholly unlike\nsame", "nothing\nsame\nmore")];
    let batch = Batch::new("").modify("a.txt", TEXT, &hunks);
    let mut script = Script::new(batch.session(), 160, 30);
    let screen = script.press("g p").screen();
    for words in [
        "as the edit expects",
        "this hunk has no place: m in the review chooses one",
        "wholly unlike",
        "nothing",
        "more",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let mut script = Script::new(
        Batch::new("")
            .missing("gone.txt", &[("one", "uno")])
            .session(),
        160,
        30,
    );
    let screen = script.press("g p").screen();
    for words in ["this hunk has no place", "one", "uno"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
}

#[test]
fn blanks_that_an_edit_without_a_place_changes_are_shown() {
    let old = "a context\n\tindented\ntrailing\na  b";
    let new = "a context\n    indented\ntrailing   \na b";
    let batch = Batch::new("").modify("a.txt", TEXT, &[(old, new)]);
    let screen = Script::new(batch.session(), 100, 30).screen();
    for words in [
        "− →indented",
        "+ ····indented",
        "+ trailing···",
        "− a··b",
        "+ a·b",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
}

/// A file with two parts that are a little like a hunk of many lines.
fn alike() -> Script {
    let part = |from: usize| -> String {
        (from..from + 12).fold(String::new(), |text, line| {
            format!("{text}let value{line} = compute(input{line}, {line});\n")
        })
    };
    let base = format!("{}{}{}", part(0), "\n".repeat(8), part(40));
    let search: String = (0..12).fold(String::new(), |text, line| {
        format!("{text}let value{line} = measure(output, {line}, other);\n")
    });
    let replace = format!("{search}last();\n");
    let batch = Batch::new("").modify("a.rs", &base, &[(search.trim(), replace.trim())]);
    Script::new(batch.session(), 100, 60)
}

/// Returns the number before the sign of percent behind some words.
fn percent(screen: &str, words: &str) -> Option<usize> {
    let (_, rest) = screen.split_once(words)?;
    let before = rest.split_once(" %")?.0;
    before.rsplit(' ').next()?.parse().ok()
}

#[test]
fn one_similarity_is_shown_of_a_place_and_the_best_one_comes_first() {
    let mut script = alike();
    let screen = script.screen();
    let stated = percent(&screen, "closest match: ");
    assert!(stated.is_some(), "{screen}");
    let screen = script.press("m").screen();
    assert_eq!(percent(&screen, " · similar"), stated, "{screen}");
    assert!(!screen.contains(", place 2 of"), "{screen}");
}

#[test]
fn lines_with_little_in_common_are_not_compared() {
    let screen = alike().screen();
    let stated = percent(&screen, "closest match: ").unwrap_or(100);
    assert!(stated < 60, "{screen}");
    assert!(
        screen.contains("nothing similar was found; closest match:"),
        "{screen}"
    );
    assert!(!screen.contains("the file has"), "{screen}");
}

#[test]
fn what_speaks_against_a_place_is_shown_as_a_whole_on_request() {
    let base: String = (0..14).fold(String::new(), |text, line| {
        format!("{text}let value{line} = compute(input{line}, number);\n")
    });
    let search = base.replace("number", "count");
    let replace = search.replace("value3 ", "result3 ");
    let batch = Batch::new("").modify("a.rs", &base, &[(search.trim(), replace.trim())]);
    let mut script = Script::new(batch.session(), 100, 90);
    let screen = script.screen();
    assert!(screen.contains(" more difference"), "{screen}");
    let rows = screen
        .lines()
        .filter(|line| line.contains("in the edit:"))
        .count();
    for _ in 0..60 {
        let screen = script.screen();
        if screen
            .lines()
            .any(|line| line.starts_with('▌') && line.contains("more difference"))
        {
            break;
        }
        script.press("j");
    }
    let screen = script.press("Enter").screen();
    assert!(!screen.contains(" more difference"), "{screen}");
    let all = screen
        .lines()
        .filter(|line| line.contains("in the edit:"))
        .count();
    assert!(all > rows, "{screen}");
}

#[test]
fn a_new_file_is_no_match_and_is_not_placed() {
    let text = "a\n<<<<<<< one\nb\n=======\nc\n>>>>>>> two\n";
    let batch = Batch::new("").create("t.rs", text);
    let mut script = Script::new(batch.session(), 100, 24);
    let screen = script.screen();
    assert!(
        screen.contains("line 1 · has a conflict marker"),
        "{screen}"
    );
    for words in ["fuzzy", "m place"] {
        assert!(!screen.contains(words), "{words}: {screen}");
    }
}

#[test]
fn a_hunk_that_is_placed_by_hand_is_not_said_to_have_no_place() {
    let batch = Batch::new("")
        .modify("a.txt", "one\ntwo\n", &[("absent", "new")])
        .missing("gone.txt", &[("old", "new")]);
    let options = ScreenOptions {
        order: Sort::Risk,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 110,
        height: 24,
    };
    let mut script = Script::with_options(batch.session(), size, &options);
    let heading = |script: &mut Script| {
        let screen = script.screen();
        let row = screen.lines().skip(2).find(|row| row.contains(" a.txt "));
        row.unwrap_or_default().to_owned()
    };
    script.press("g g");
    assert!(heading(&mut script).contains("· no place"));
    script.press("f <a.txt> Enter Enter ] m Enter");
    let placed = heading(&mut script);
    assert!(!placed.contains("no place"), "{placed}");
    script.press("u");
    assert!(heading(&mut script).contains("· no place"));
    // Where no place could be right, another key is named.
    script.press("Esc f <gone> Enter Enter ] m");
    let screen = script.screen();
    assert!(
        screen.contains("this hunk cannot be written: r rejects it, c comments on it"),
        "{screen}"
    );
}
