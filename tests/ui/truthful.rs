//! Hints, counts, labels and messages say what is true and what works.

use std::collections::BTreeSet;

use countersign::review::{Direction, Layout};
use countersign::ui::action::{Effect, Mouse};
use countersign::ui::file_list::Sort;
use countersign::ui::services::check::{
    Breaking, CheckEnd, CheckNews, CheckState, Checking, Undecided,
};
use countersign::ui::state::mode::Mode;
use countersign::ui::state::reader::ReaderContent;
use countersign::ui::{Ending, ScreenOptions};
use ratatui::layout::Size;

use crate::fixture::Batch;
use crate::script::Script;

fn numbered(count: usize) -> String {
    let lines: Vec<String> = (1..=count).map(|n| format!("line {n}\n")).collect();
    lines.concat()
}

/// Asserts what a screen shows after keys, and what it does not.
#[track_caller]
fn check(script: &mut Script, keys: &str, shown: &[&str], hidden: &[&str]) {
    let screen = script.press(keys).screen();
    for words in shown {
        assert!(screen.contains(words), "{keys}: no {words:?}: {screen}");
    }
    for words in hidden {
        assert!(!screen.contains(words), "{keys}: {words:?}: {screen}");
    }
}

#[test]
fn a_hunk_without_a_place_is_compared_at_its_likeliest() {
    let text = "alpha beta gamma\nsame\nother\nmiddle\nalpha beta gamma\nsame\n";
    let hunks = [("alpha beta gamma\nsame", "alpha beta delta\nsame")];
    let batch = Batch::new("").modify("a.txt", text, &hunks);
    let mut script = Script::new(batch.session(), 160, 20);
    check(
        &mut script,
        "g p",
        &[
            "no place: compared at likely place 1 of 2, line 1",
            "alpha beta delta",
            "m in the review",
        ],
        &[],
    );
    for (key, place) in [
        ("]", "2 of 2, line 5"),
        ("]", "1 of 2, line 1"),
        ("[", "2 of 2, line 5"),
    ] {
        check(&mut script, key, &[place, "alpha beta delta"], &[]);
    }
}

#[test]
fn a_part_of_the_input_that_could_not_be_read_has_a_row_in_each_list() {
    let batch = Batch::new("")
        .modify("a.txt", "one\ntwo\n", &[("two", "2")])
        .problem("gone.txt", 7);
    let mut script = Script::new(batch.session(), 140, 24);
    check(&mut script, "", &["! gone.txt", "not read", " 1 !"], &[]);
    check(&mut script, "t", &["!  gone.txt", "could not be read"], &[]);
    check(&mut script, "g g Enter", &["── gone.txt"], &["── a.txt ──"]);
    check(&mut script, "f <!> Enter", &["gone.txt"], &["· a.txt"]);
    check(
        &mut script,
        "",
        &["0 of 1 files and 1 unread part with `!`"],
        &[],
    );
    let listed = &script.app.file_list;
    assert_eq!((listed.problems.len(), listed.files.len()), (1, 0));
}

#[test]
fn the_first_file_is_opened_below_what_could_not_be_read() {
    for order in [Sort::Proposal, Sort::Intent] {
        let batch = Batch::new("")
            .modify("a.txt", "one\ntwo\n", &[("two", "2")])
            .modify("b.txt", "one\ntwo\n", &[("two", "2")])
            .problem("gone.txt", 7);
        let options = ScreenOptions {
            order,
            ..ScreenOptions::default()
        };
        let size = Size {
            width: 140,
            height: 12,
        };
        let mut script = Script::with_options(batch.session(), size, &options);
        check(&mut script, "g g", &["── gone.txt"], &[]);
        for (keys, file) in [("t j Enter", "a.txt"), ("t j Enter", "b.txt")] {
            check(&mut script, keys, &[&format!("▌· {file}")], &[]);
        }
        check(&mut script, "t k Enter", &["▌· a.txt", "── a.txt ──"], &[]);
    }
}

#[test]
fn a_file_that_a_part_of_the_input_names_needs_attention() {
    let batch = Batch::new("")
        .modify("a.txt", "one\ntwo\n", &[("two", "2")])
        .modify("b.txt", "one\ntwo\n", &[("two", "2")])
        .problem("b.txt", 7);
    let mut script = Script::new(batch.session(), 140, 24);
    script.press("f <!> Enter");
    assert_eq!(script.app.file_list.files, [1]);
    assert!(script.app.file_list.problems.is_empty());
}

#[test]
fn a_change_of_the_match_threshold_is_undone_and_redone_in_its_turn() {
    let text = numbered(9);
    let hunks = [("line 2", "2"), ("line 8", "8")];
    let batch = Batch::new("").modify("a.txt", &text, &hunks);
    let mut script = Script::new(batch.session(), 100, 24);
    script.app.precision = Some(85);
    script.press("a g > g > u C-r a u u u u");
    let mut asked = Vec::new();
    for effect in script.effects() {
        if let Effect::Match { percent, .. } = effect {
            asked.push(percent);
        }
    }
    assert_eq!(asked, [90, 95, 90, 95, 90, 85]);
    assert_eq!(script.app.precision, Some(85));
    assert_eq!(script.app.session.counts().accepted, 0);
    check(&mut script, "u", &["nothing to undo"], &[]);
}

#[test]
fn the_list_at_the_side_shows_the_counts_of_large_changes() {
    let (old, new) = (numbered(180), numbered(185).replace("line", "row"));
    let batch = Batch::new("")
        .modify("src/package-lock-of-the-client.json", &old, &[(&old, &new)])
        .modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 120, 36);
    check(
        &mut script,
        "",
        &["package-lock-of-the-client.json", "+185 −180 │"],
        &[],
    );
    let long = "a-name-that-is-much-too-long-for-any-list-at-the-side-of-a-screen.json";
    let batch = Batch::new("").modify(long, &old, &[(&old, &new)]);
    let mut script = Script::new(batch.session(), 120, 36);
    check(
        &mut script,
        "",
        &[" a-name-that", "+185 −180 │", "creen.json "],
        &[],
    );
}

#[test]
fn a_heading_says_which_hunks_its_counts_leave_out() {
    let hunks = [("two", "  two"), ("nothing like this", "x")];
    let batch = Batch::new("").modify("a.txt", "one\ntwo\nthree\n", &hunks);
    let mut script = Script::new(batch.session(), 120, 24);
    script.press("t s s s t");
    check(
        &mut script,
        "g g",
        &["+1 −1, 1 unplaced not counted"],
        &["· only whitespace, "],
    );
}

#[test]
fn the_filter_of_the_help_starts_empty() {
    let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 100, 24);
    script.press("? / <moved> Enter / <sign>");
    let prompt = script.app.mode.prompt().expect("a prompt");
    assert_eq!(prompt.editor.text(), "sign");
}

#[test]
fn the_preview_opens_at_the_line_of_the_cursor() {
    let text = numbered(200);
    let hunks = [("line 20", "first\nsecond"), ("line 150", "third")];
    let batch = Batch::new("").modify("a.txt", &text, &hunks);
    let mut script = Script::new(batch.session(), 100, 24);
    for (keys, line) in [
        ("Tab p", "line 150"),
        ("Esc S-Tab a p", "line 150"),
        ("Esc a p", "third"),
    ] {
        check(&mut script, keys, &[line], &["line 20 "]);
    }
}

#[test]
fn a_search_leaves_only_the_fold_of_its_match_open() {
    let text = numbered(300);
    let batch = Batch::new("").modify("a.txt", &text, &[("line 2", "2"), ("line 290", "290")]);
    let mut script = Script::new(batch.session(), 100, 24);
    let rows = script.app.stream.rows.len();
    script.press("/ <line 1> Backspace <200> Esc");
    assert_eq!(script.app.stream.rows.len(), rows, "{}", script.screen());
    script.press("/ <line 200> Enter");
    assert_eq!(script.app.stream.folds.opened.len(), 1);
    assert!(script.screen().contains("line 200"));
}

#[test]
fn the_filter_is_named_where_there_is_no_list_at_the_side() {
    let batch = Batch::new("The words of the agent.")
        .modify("a.txt", "one\n", &[("one", "1")])
        .modify("b.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 80, 24);
    check(
        &mut script,
        "f <b.t> Enter Enter",
        &["1 of 2 with `b.t`"],
        &[],
    );
}

#[test]
fn keys_that_decide_lines_are_hinted_where_lines_are_selected() {
    let hunks = [("two", "2"), ("nothing like this", "x")];
    let batch = Batch::new("").modify("a.txt", "one\ntwo\n", &hunks);
    let mut script = Script::new(batch.session(), 100, 24);
    check(&mut script, "v", &["1 selected"], &["a accept", "r reject"]);
    check(&mut script, "Esc Tab j j v", &["a accept"], &[]);
}

#[test]
fn a_place_that_is_only_tried_counts_nothing() {
    let batch = Batch::new("").modify("a.txt", "one\ntwo\n", &[("nothing like this", "x")]);
    let mut script = Script::new(batch.session(), 100, 24);
    check(
        &mut script,
        "m",
        &[" 1 !", "not placed yet"],
        &["placed by hand", " 1 ·  "],
    );
    check(
        &mut script,
        "Enter",
        &["placed by hand", " 1 ·  "],
        &["not placed yet"],
    );
}

#[test]
fn a_target_that_is_not_there_is_named() {
    let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 100, 24);
    script.app.jump(0);
    check(&mut script, "{", &["no file before this"], &[]);
    check(&mut script, "}", &["no file after this"], &[]);
    let found = script.app.summaries.next_undecided(
        &script.app.session,
        &BTreeSet::new(),
        None,
        Direction::Forward,
    );
    assert!(found.is_some());
}

#[test]
fn the_result_of_a_search_for_the_breaking_hunk_replaces_its_progress() {
    let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 100, 30);
    script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
    let ended = |how| CheckState::Ended {
        how,
        took: std::time::Duration::from_secs(1),
        tail: Vec::new(),
    };
    script.press("a !");
    script.checked(CheckNews {
        run: 1,
        what: ended(CheckEnd::Failed(Some(1))),
    });
    check(&mut script, "b", &["fewer and fewer hunks"], &[]);
    let hunk = script.app.stream.hunk().expect("a hunk");
    script.checked(CheckNews {
        run: 2,
        what: ended(CheckEnd::BrokenBy(Breaking {
            hunk,
            with: 0,
            without: 0,
            runs: 2,
        })),
    });
    check(&mut script, "", &["breaks it"], &["fewer and fewer"]);
}

#[test]
fn only_a_click_on_the_mark_decides_a_file() {
    let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 140, 24);
    for (x, accepted) in [(0, 0), (2, 0), (1, 1)] {
        script.mouse(Mouse::Press, x, 2);
        assert_eq!(script.app.session.counts().accepted, accepted, "{x}");
    }
}

#[test]
fn prose_of_the_agent_that_is_cut_says_where_the_rest_is() {
    let prose: Vec<String> = (1..=12).map(|n| format!("Sentence {n}.\n")).collect();
    let prose = prose.concat();
    let batch = Batch::new(&prose).modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 100, 40);
    check(
        &mut script,
        "t",
        &["Sentence 6. … ! shows all"],
        &["Sentence 7."],
    );
    check(
        &mut script,
        "!",
        &["In the words of the agent", "Sentence 12."],
        &[],
    );
    assert!(matches!(script.app.mode, Mode::Read));
    let reader = script.app.reader.as_ref().expect("a reader");
    assert!(matches!(reader.what, ReaderContent::Plan(_)));
}

#[test]
fn a_group_of_the_list_counts_the_files_that_are_still_in_it() {
    let batch = Batch::new("")
        .modify("a", "one\n", &[("one", "1")])
        .modify("b", "two\n", &[("two", "2")])
        .modify("c", "three\n", &[("three", "3")]);
    let mut script = Script::new(batch.session(), 100, 24);
    script.press("t s");
    let screen = script.screen();
    assert!(screen.contains("Undecided · 3 files · 3 hunks"), "{screen}");
    let screen = script.press("j a j").screen();
    assert!(screen.contains("Undecided · 2 files · 2 hunks"), "{screen}");
}

#[test]
fn an_edit_of_an_accepted_hunk_is_said_to_be_accepted() {
    for (keys, words) in [
        ("i <x> Esc", "edited: a accepts it as it is now"),
        ("a g g ] i <x> Esc", "edited, and accepted as it is now"),
    ] {
        let batch = Batch::new("").modify("a", "one\ntwo\n", &[("two", "2")]);
        let mut script = Script::new(batch.session(), 100, 24);
        let screen = script.press(keys).screen();
        assert!(screen.contains(words), "{keys}: {screen}");
    }
}

#[test]
fn the_title_names_the_unread_part_at_the_top() {
    let batch = Batch::new("")
        .modify("a.txt", &numbered(9), &[("line 5", "line five")])
        .problem("gone.txt", 7);
    let mut script = Script::new(batch.session(), 100, 20);
    let screen = script.press("g g ]").screen();
    let title = screen.lines().nth(1).expect("a title");
    // The hunk of the cursor is one of another file.
    let is_true = title.contains("gone.txt") && !title.contains("hunk");
    assert!(is_true, "{screen}");
}

#[test]
fn a_deleted_file_that_is_edited_is_not_said_to_be_deleted() {
    let batch = Batch::new("").delete("a.txt", "one\ntwo\n");
    let mut script = Script::new(batch.session(), 140, 24);
    check(&mut script, "", &["a.txt  deleted", "del 0/1 −2"], &[]);
    let kept = ["a.txt  kept by your edit"];
    check(&mut script, "] i <one> Esc", &kept, &["deleted", "del 0/1"]);
}

#[test]
fn a_hunk_that_is_being_placed_has_one_line_number() {
    let text = numbered(9);
    let hunks = [("line 3\nline 4\nline 55", "line 3\nline 4\nline five")];
    let batch = Batch::new("").modify("a.txt", &text, &hunks);
    let mut script = Script::new(batch.session(), 140, 24);
    let places = ["hunk 1/1 · line 3 ·", "at line 3"];
    check(&mut script, "] m", &places, &["hunk 1/1 · line 5"]);
    let places = ["hunk 1/1 · line 5 ·", "placed by hand at line 5:"];
    check(&mut script, "Enter", &places, &[]);
}

#[test]
fn a_failed_check_is_at_the_top_of_a_long_plan() {
    let names: Vec<String> = (1..=40).map(|n| format!("{n}.txt")).collect();
    let batch = names.iter().fold(Batch::new(""), |batch, name| {
        batch.modify(name, "one\n", &[("one", "1")])
    });
    let mut script = Script::new(batch.session(), 100, 24);
    script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
    script.press("g a y !");
    let ended = |how| CheckNews {
        run: 1,
        what: CheckState::Ended {
            how,
            took: std::time::Duration::ZERO,
            tail: vec!["why".to_owned()],
        },
    };
    let words = "Check `make`: failed with exit code 2 after 0.0 s";
    check(&mut script, "g g", &["40 files will be"], &[words]);
    script.checked(ended(CheckEnd::Failed(Some(2))));
    check(&mut script, "g g", &[words, "40 files will be"], &[]);
    let told = script.screen();
    script.press("Esc !");
    assert_eq!(script.screen(), told, "as if written anew");
    script.checked(ended(CheckEnd::Passed));
    check(&mut script, "g g", &["40 files will be"], &["Check"]);
}

#[test]
fn what_could_not_be_read_is_shown_where_nothing_else_is() {
    let batch = Batch::new("").problem("gone.txt", 7);
    let mut script = Script::new(batch.session(), 100, 10);
    let words = [
        "no edit of the input could be read",
        "gone.txt, line 7 of the input: ",
    ];
    check(&mut script, "", &words, &[]);
}

#[test]
fn a_search_counts_its_own_stops_in_the_order_of_the_stream() {
    let filler: String = (0..30).fold(String::new(), |text, line| format!("{text}line {line}\n"));
    let base = format!("asleep\n{filler}asleep\nawake\n{filler}asleep twice asleep\n");
    let check = |layout: Layout, pattern: &str, expected: usize| {
        let hunks = [
            ("asleep\nawake", "asleep now\nawake"),
            ("nothing like it", "asleep"),
        ];
        let batch = Batch::new("").modify("z/README.md", &base, &hunks).modify(
            "a.txt",
            "one\nREADME\n",
            &[("one", "two")],
        );
        let options = ScreenOptions {
            layout: Some(layout),
            ..ScreenOptions::default()
        };
        let size = Size {
            width: 100,
            height: 24,
        };
        let mut script = Script::with_options(batch.session(), size, &options);
        script.press(&format!("g g / <{pattern}> Enter"));
        let rank = |screen: &str| {
            let last = screen.lines().last().unwrap_or_default();
            let words: Vec<&str> = last.split_whitespace().collect();
            let at = words.iter().position(|word| *word == "of")?;
            let number = |at: usize| words.get(at)?.trim_end_matches(',').parse::<usize>().ok();
            Some((number(at.checked_sub(1)?)?, number(at + 1)?))
        };
        let mut ranks = Vec::new();
        let mut cursors = Vec::new();
        for _ in 0..expected {
            ranks.push(rank(&script.press("n").screen()));
            cursors.push(script.app.stream.cursor);
        }
        ranks.sort_unstable();
        let all: Vec<_> = (1..=expected).map(|nth| Some((nth, expected))).collect();
        assert_eq!(ranks, all, "{layout:?} {pattern}");
        let first = rank(&script.press("n").screen());
        let again = rank(&script.press("N n").screen());
        assert_eq!(first, again);
    };
    // Two lines that stay, both sides of a changed one, and a line of the edit without a place.
    check(Layout::Unified, "asleep", 5);
    check(Layout::Split, "asleep", 4);
    // The name of a file, and a line in another.
    check(Layout::Unified, "README", 2);
    check(Layout::Unified, "^line 7$", 2);
}

#[test]
fn hunks_are_numbered_in_the_order_in_which_they_are_shown() {
    let batch = Batch::new("")
        .create("run.sh", "#!/bin/sh\necho\n")
        .executable();
    let mut script = Script::new(batch.session(), 100, 24);
    let screen = script.screen();
    let headings: Vec<&str> = screen
        .lines()
        .filter(|line| line.contains("· ── hunk"))
        .collect();
    let numbers = ["hunk 1/2", "hunk 2/2"];
    assert_eq!(headings.len(), 2, "{screen}");
    for (heading, number) in headings.iter().zip(numbers) {
        assert!(heading.contains(number), "{screen}");
    }
    assert!(headings[0].starts_with('▌'), "{screen}");
}

#[test]
fn a_deletion_that_was_edited_is_not_said_to_be_one_in_the_list() {
    let text = "one\ntwo\nthree\n";
    let mut script = Script::new(Batch::new("").delete("a.txt", text).session(), 120, 24);
    let screen = script.press("t").screen();
    assert!(screen.contains("deleted"), "{screen}");
    let screen = script.press("Esc ] j i <kept> Esc t").screen();
    assert!(screen.contains("kept"), "{screen}");
    assert!(!screen.contains("deleted"), "{screen}");
}

/// The names of the commands that the palette lists.
fn palette_names(screen: &str) -> Vec<String> {
    let rows = screen.lines().skip_while(|row| !row.contains(" Commands "));
    let inside = rows.skip(3).filter_map(|row| row.split('│').nth(1));
    let names = inside.filter_map(|row| row.split_whitespace().find(|word| *word != "▌"));
    names.map(str::to_owned).collect()
}

#[test]
fn the_palette_begins_with_what_is_no_movement() {
    let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "two")]);
    let mut script = Script::new(batch.session(), 100, 30);
    let names = palette_names(&script.press(":").screen());
    let is_movement = |name: &String| matches!(name.as_str(), "down" | "up" | "left" | "right");
    assert!(
        names.len() > 5 && !names.iter().any(is_movement),
        "{names:?}"
    );
    // They are in it, further down.
    let names = palette_names(&script.press("<down>").screen());
    assert!(names.iter().any(is_movement), "{names:?}");
}

#[test]
fn the_help_explains_every_sign_of_the_bar_at_the_top() {
    let batch = Batch::new("")
        .modify("a.txt", "one\n", &[("one", "1")])
        .modify("b.txt", "two\n", &[("two", "2")])
        .modify("c.txt", "three\nfour\n", &[("three\nfour", "3\n4")])
        .modify("d.txt", "five\n", &[("five", "5")])
        .modify("e.txt", "six\n", &[("six", "6")])
        .modify("f.txt", "seven\n", &[("else", "7")]);
    let mut script = Script::new(batch.session(), 120, 300);
    let keys = "a r j v a Tab i x Esc";
    let bar = script.press(keys).screen();
    let bar = bar.lines().next().unwrap_or_default();
    let is_sign = |c: &char| !c.is_ascii_alphanumeric() && !c.is_whitespace();
    let signs: BTreeSet<char> = bar.chars().filter(is_sign).collect();
    assert_eq!(signs.len(), 8, "{bar}");
    let help = script.press("?").screen();
    let legend = help.split(" Signs").nth(1).unwrap_or_default();
    let explained: Vec<&str> = (legend.lines())
        .filter_map(|row| row.trim().split("  ").next())
        .collect();
    for sign in signs {
        assert!(
            explained.iter().any(|keys| keys.contains(sign)),
            "{sign}: {explained:?}"
        );
    }
}

#[test]
fn hunks_that_a_failed_check_names_lead_the_plan() {
    let batch = Batch::new("")
        .modify("a.txt", "one\n", &[("one", "1")])
        .modify("b.txt", "two\n", &[("two", "2")]);
    let mut script = Script::new(batch.session(), 100, 30);
    script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
    script.press("a a !").checked(CheckNews {
        run: 1,
        what: CheckState::Ended {
            how: CheckEnd::Failed(Some(1)),
            took: std::time::Duration::from_secs(1),
            tail: vec!["b.txt:1: wrong".to_owned(), "b.txt:1:3: wrong".to_owned()],
        },
    });
    let screen = script.screen();
    let at = |words: &str| {
        screen
            .find(words)
            .unwrap_or_else(|| panic!("{words}: {screen}"))
    };
    let named = at("b.txt  hunk 1: the check names line 1, which it adds");
    assert!(at("failed with exit code 1") < named, "{screen}");
    assert!(named < at("will be written"), "{screen}");
    assert_eq!(screen.matches("the check names").count(), 1, "{screen}");
    // After a decision its line numbers are those of another file.
    let screen = script.press("Esc u !").screen();
    assert!(!screen.contains("the check names"), "{screen}");
}

#[test]
fn the_progress_bar_counts_hunks_without_a_place() {
    let batch = Batch::new("")
        .modify("a.txt", "one\ntwo\n", &[("one", "eins"), ("two", "zwei")])
        .modify("b.txt", "red\n", &[("quantum", "flux"), ("noun", "verb")]);
    let mut script = Script::new(batch.session(), 120, 24);
    let full = |script: &mut Script, keys: &str| {
        let screen = script.press(keys).screen();
        screen.lines().next().unwrap().matches('━').count()
    };
    assert_eq!(full(&mut script, ""), 0);
    assert_eq!(full(&mut script, "g a y"), 6, "2 of 4");
    assert_eq!(full(&mut script, ") r"), 9, "3 of 4");
    assert_eq!(full(&mut script, ") r"), 12, "all");
}

#[test]
fn every_change_of_the_display_is_named() {
    let long = "word ".repeat(30);
    let lines = numbered(60);
    let hunks = [("line 20", &*long), ("line 50", "line fifty")];
    let batch = Batch::new("")
        .modify("a.txt", &lines, &hunks)
        .create("b.txt", "new\n");
    let mut script = Script::new(batch.session(), 120, 24);
    script.screen();
    for (keys, words) in [
        ("W", "all blanks, tabs and line endings are shown"),
        ("W", "line endings are shown only where they differ"),
        ("D", "words that differ are not emphasised"),
        ("D", "words that differ are emphasised"),
        ("b", "no file list at the side"),
        ("b", "the file list is at the side"),
        ("+", "6 unchanged lines around hunks"),
        ("- - -", "no unchanged lines around hunks"),
        ("z R", "all folds of this file are open"),
        ("z M", "the folds of this file are closed"),
        ("g g j +", "10 lines of the fold opened"),
    ] {
        check(&mut script, keys, &[words], &[]);
    }
}

#[test]
fn the_first_press_changes_the_layout_that_is_shown() {
    let long = "word ".repeat(30);
    let hunks = [("two", &*long)];
    let batch = Batch::new("")
        .modify("a.txt", "one\ntwo\nthree\n", &hunks)
        .create("b.txt", "new\n");
    let mut script = Script::new(batch.session(), 120, 24);
    script.screen();
    assert_eq!(script.app.stream.layout_of(0), Layout::Unified);
    check(&mut script, "|", &["all files side by side"], &["one side"]);
    assert_eq!(script.app.stream.layout_of(0), Layout::Split);
    check(&mut script, "|", &["all files unified"], &[]);
    assert_eq!(script.app.stream.layout_of(0), Layout::Unified);
    let only = "all files side by side; this file has one side only";
    check(&mut script, "G |", &[only], &[]);
    check(&mut script, "|", &["all files unified"], &["one side"]);
}

#[test]
fn the_plan_names_what_needs_attention_before_what_is_undecided() {
    let mut batch = Batch::new("");
    for n in 0..20 {
        batch = batch.modify(&format!("f{n}.txt"), "one\n", &[("one", "eins")]);
    }
    let batch = batch.modify("z.txt", "red\n", &[("quantum", "flux")]);
    let mut script = Script::new(batch.session(), 100, 24);
    let shown = ["Needs attention: 1", "z.txt  hunk 1: "];
    check(&mut script, "!", &shown, &[]);
}

#[test]
fn the_plan_shows_a_failed_check_once() {
    let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "1")]);
    let mut script = Script::new(batch.session(), 100, 40);
    script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
    script.press("a !").checked(CheckNews {
        run: 1,
        what: CheckState::Ended {
            how: CheckEnd::Failed(Some(7)),
            took: std::time::Duration::from_secs(1),
            tail: vec!["it is broken".to_owned()],
        },
    });
    let screen = script.screen();
    assert_eq!(screen.matches("exit code 7").count(), 1, "{screen}");
    assert!(screen.contains("  it is broken"), "{screen}");
}

#[test]
fn the_plan_writes_and_closes_by_its_keys() {
    let script = || {
        let batch = Batch::new("").modify("a.txt", "one\n", &[("one", "1")]);
        let mut script = Script::new(batch.session(), 100, 24);
        script.screen();
        script
    };
    let mut decided = script();
    assert_eq!(decided.press("a ! w").ending(), Some(Ending::Write));
    let mut open = script();
    assert_eq!(open.press("! w").ending(), None);
    assert!(matches!(open.app.mode, Mode::Finish));
    assert!(matches!(open.press("Esc").app.mode, Mode::Review));
    assert!(matches!(open.press("! Enter").app.mode, Mode::Review));
    let words = "this key writes from the plan only";
    check(&mut script(), "a p w", &[words], &[]);
}

#[test]
fn the_preview_goes_from_change_to_change() {
    let hunks = [
        ("line 10", "line ten"),
        ("line 40\nline 41", "line 41"),
        ("line 60", "line sixty\nmore"),
        ("line 100", ""),
    ];
    let batch = Batch::new("").modify("a.txt", &numbered(100), &hunks);
    let mut script = Script::new(batch.session(), 100, 24);
    script.press("a a a g g p");
    for (key, words) in [
        ("g g ]", "change 1 of 3, line 10"),
        ("]", "change 2 of 3, line 40"),
        ("]", "change 3 of 3, line 59"),
        ("]", "no accepted changes further down"),
        ("[", "change 2 of 3, line 40"),
        ("G [", "change 3 of 3, line 59"),
        ("g g [", "no accepted changes further up"),
    ] {
        check(&mut script, key, &[words], &[]);
    }
    let words = "no accepted changes in this file";
    check(&mut script, "Esc g g x ] x ] x p ]", &[words], &[]);
    check(
        &mut script,
        "Esc ! ]",
        &["the plan has no changes to go to"],
        &[],
    );
}

#[test]
fn an_edit_that_changes_nothing_is_not_called_an_edit() {
    let batch = Batch::new("").modify("a.txt", "one\ntwo\n", &[("two", "zwei")]);
    let mut script = Script::new(batch.session(), 100, 24);
    check(
        &mut script,
        "i x C-u Esc",
        &["no line changed"],
        &["edited"],
    );
    check(&mut script, "i x Esc", &["edited: a accepts it"], &[]);
    let words = "no edit left: these are the agent's lines";
    check(&mut script, "i Del Esc", &[words], &[]);
}
