//! Whatever the keys, no changed line is passed over, and a hunk that fits is shown as a whole.

use countersign::review::ReviewSession;

use crate::fixture::Batch;
use crate::script::Script;

/// Rows for the bar, the title and the hints.
const FRAME: u16 = 3;

/// Returns the words `w0` to `wN` that are on the screen.
fn words(script: &mut Script) -> Vec<usize> {
    let screen = script.screen();
    // Blanks at the end of a line are shown as dots.
    let own = |word: &str| word.trim_end_matches('·').strip_prefix('w')?.parse().ok();
    screen.split_whitespace().filter_map(own).collect()
}

/// A new file with lines of these widths, with a word at every 21 columns, of which three fill a row.
fn wide_lines(widths: &[usize]) -> (ReviewSession, usize) {
    let mut count = 0;
    let mut text = String::new();
    for width in widths {
        for _ in 0..width.div_ceil(21).max(1) {
            let word = format!("w{count}");
            text.extend([format!("{word:<21}")]);
            count += 1;
        }
        text.push('\n');
    }
    (Batch::new("").create("new.txt", &text).session(), count)
}

/// Presses a key until nothing changes any more, and checks that every word was on a screen.
#[track_caller]
fn check(widths: &[usize], start: &str, key: &str) {
    for height in [9, 24] {
        let (session, count) = wide_lines(widths);
        let mut script = Script::new(session, 75, height);
        script.press(start);
        let mut seen = vec![false; count];
        for _ in 0..200 {
            let before = script.screen();
            for word in words(&mut script) {
                seen[word] = true;
            }
            script.press(key);
            if script.screen() == before {
                break;
            }
        }
        let missing: Vec<usize> = (0..count).filter(|&word| !seen[word]).collect();
        assert_eq!(missing, [0; 0], "{key}, {height} rows\n{}", script.screen());
    }
}

#[test]
fn a_page_passes_over_no_line() {
    let wrapped = [20, 500, 20, 20, 600, 600, 20, 300, 300, 300, 20, 20, 20];
    let taller_than_the_screen = [20, 20, 3000, 20, 20, 2000, 4000, 20];
    for widths in [&[20; 60][..], &wrapped, &taller_than_the_screen] {
        check(widths, "g g", "C-d");
        check(widths, "g g", "C-f");
    }
    for widths in [&[20; 60][..], &wrapped] {
        check(widths, "G", "C-u");
        check(widths, "G", "C-b");
    }
}

#[test]
fn a_hunk_that_fits_is_shown_as_a_whole() {
    let base: Vec<String> = (0..200).map(|line| format!("line {line}\n")).collect();
    let base = base.concat();
    let mut count = 0;
    let lines = [3, 12, 16, 5, 17, 2];
    let replaced = lines.map(|lines| {
        let new = (count..count + lines).map(|word| format!("w{word}\n"));
        count += lines;
        new.collect::<String>()
    });
    let names: Vec<String> = (0..lines.len())
        .map(|at| format!("line {}\n", at * 30 + 7))
        .collect();
    let hunks: Vec<(&str, &str)> = (names.iter().map(String::as_str))
        .zip(replaced.iter().map(String::as_str))
        .collect();
    let session = Batch::new("").modify("a.txt", &base, &hunks).session();
    let mut script = Script::new(session, 80, 24);
    script.press("g g");
    let mut first = 0;
    for lines in lines {
        script.press("]");
        let seen = words(&mut script);
        // The heading, three lines above the change, and the line that goes.
        if lines + 5 <= usize::from(24 - FRAME) {
            let expected: Vec<usize> = (first..first + lines).collect();
            assert!(
                expected.iter().all(|word| seen.contains(word)),
                "{}",
                script.screen()
            );
        } else {
            assert!(seen.contains(&first), "{}", script.screen());
        }
        first += lines;
    }
}

#[test]
fn the_first_hunk_of_a_file_is_shown_as_a_whole_where_its_name_has_no_room() {
    let base: Vec<String> = (0..50).map(|line| format!("line {line}\n")).collect();
    let base = base.concat();
    for (height, room) in [(16, 0), (16, 1), (16, 2), (24, 0), (24, 1), (24, 2)] {
        // The heading, three lines above the change, and the line that goes.
        let lines = usize::from(height - FRAME) - 5 - room;
        let new: Vec<String> = (0..lines).map(|word| format!("w{word}\n")).collect();
        let new = new.concat();
        let batch = Batch::new("")
            .modify("a.txt", &base, &[("line 7\n", "seven\n")])
            .modify("b.txt", &base, &[("line 7\n", &new)]);
        let mut script = Script::new(batch.session(), 80, height);
        script.press("g g ] ]");
        let expected: Vec<usize> = (0..lines).collect();
        assert_eq!(words(&mut script), expected, "{}", script.screen());
        let is_named = script.screen().contains("b.txt  +");
        assert_eq!(is_named, room > 1, "{}", script.screen());
    }
}

#[test]
fn the_next_hunk_is_shown_at_its_first_difference() {
    let start = "x".repeat(5000);
    let old = format!("{start} before");
    let new = format!("{start} after");
    let base = format!("one\n{old}\n{}two\n{old}\n", "three\n".repeat(30));
    let hunks = [
        (format!("one\n{old}"), format!("one\n{new}")),
        (format!("two\n{old}"), format!("two\n{new}")),
    ];
    let hunks: Vec<(&str, &str)> = (hunks.iter())
        .map(|(old, new)| (old.as_str(), new.as_str()))
        .collect();
    let session = Batch::new("").modify("a.txt", &base, &hunks).session();
    let mut script = Script::new(session, 80, 24);
    script.press("g g 0 ] ]");
    let screen = script.screen();
    assert!(
        screen.contains("before") && screen.contains("after"),
        "{screen}"
    );
}

/// A file of ten lines of which one is removed and this many are added.
fn one_change(added: usize) -> Script {
    let old: Vec<String> = (0..10).map(|n| format!("line {n}\n")).collect();
    let old = old.concat();
    let new: Vec<String> = (0..added).map(|n| format!("new {n}")).collect();
    let session = Batch::new("")
        .modify("a.txt", &old, &[("line 0", &new.join("\n"))])
        .session();
    Script::new(session, 80, 12)
}

#[test]
fn a_hunk_that_goes_on_below_names_the_lines_that_are_not_on_the_screen() {
    let below = |script: &mut Script| {
        let screen = script.screen();
        let last = screen.lines().nth_back(1).unwrap_or_default().to_owned();
        let title = screen.lines().nth(1).unwrap_or_default().to_owned();
        let count = title.split_once(" below");
        let count = count.and_then(|(above, _)| above.rsplit_once(" · "));
        (
            last.starts_with('▾'),
            count.map(|(_, count)| count.to_owned()),
        )
    };
    // The frame has three rows, and the heading of the hunk has one; one line goes.
    let mut script = one_change(7);
    assert_eq!(below(&mut script), (false, None), "{}", script.screen());
    let mut script = one_change(8);
    script.press("z t");
    let one = Some("1 line".to_owned());
    assert_eq!(below(&mut script), (true, one), "{}", script.screen());
    let mut script = one_change(30);
    let many = Some("24 lines".to_owned());
    assert_eq!(below(&mut script), (true, many), "{}", script.screen());
    script.press("G");
    assert_eq!(below(&mut script), (false, None), "{}", script.screen());
}

#[test]
fn a_comment_leaves_the_changes_of_its_hunk_on_the_screen() {
    let hunks = ["line 0", "line 20"].map(|at| (at, "one\ntwo\nthree"));
    let old: Vec<String> = (0..30).map(|n| format!("line {n}.\n")).collect();
    let old = old.concat();
    let session = Batch::new("")
        .modify("a.txt", &old, &hunks.map(|(at, new)| (at, new)))
        .session();
    let mut script = Script::new(session, 80, 18);
    script.press("] z b k c <one> M-Enter <two> M-Enter <three> Enter");
    let screen = script.screen();
    assert!(screen.contains("three"), "{screen}");
    assert!(!screen.contains(" below"), "{screen}");
}
