//! What a terminal may do to a review: mouse, pastes, answers, stops, bursts.

use rustix::process::Signal;

use super::project::Project;
use super::pty::Terminal;

fn review(project: &Project) -> Terminal {
    let terminal = project.review();
    terminal.wait_for("3 files  3 ·");
    terminal
}

/// Ends a review in which nothing was decided.
#[track_caller]
fn end_untouched(project: &Project, mut terminal: Terminal) {
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
    terminal.expect_restored();
    project.expect_untouched();
}

/// The column and row of a text on the screen, from 1.
#[track_caller]
fn place_of(terminal: &Terminal, text: &str) -> (usize, usize) {
    terminal.wait_for(text);
    let screen = terminal.text();
    let mut rows = screen.lines().zip(1..);
    let (row, y) = rows.find(|(row, _)| row.contains(text)).unwrap();
    let before = row.split(text).next().unwrap();
    (before.chars().count() + 1, y)
}

/// A report of the mouse: a button or the wheel, at a cell.
fn mouse(button: u8, (x, y): (usize, usize)) -> String {
    format!("\x1b[<{button};{x};{y}M")
}

#[test]
fn the_mouse_decides_by_a_mark_selects_and_scrolls() {
    let project = Project::new();
    let terminal = review(&project);
    // The mark is in front of the number of the line.
    let (x, y) = place_of(&terminal, "· ── hunk 1/1 · line 3");
    terminal.keys(&mouse(0, (x, y)));
    terminal.wait_for("1 ✓  2 ·");
    let (x, y) = place_of(&terminal, "Water the beans.");
    terminal.keys(&(mouse(0, (x, y)) + &mouse(32, (x, y + 1))));
    terminal.wait_for("2 selected");
    terminal.keys("r");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("uu");
    terminal.wait_for("3 files  3 ·");
    // The wheel, however often it turns, decides nothing.
    terminal.keys(&mouse(65, (80, 10)).repeat(30));
    terminal.keys(&mouse(64, (80, 10)).repeat(30));
    end_untouched(&project, terminal);
}

#[test]
fn a_search_finds_in_all_files() {
    let project = Project::new();
    let terminal = review(&project);
    terminal.keys("/green|twice\r");
    terminal.wait_for("1 of 2");
    terminal.keys("n");
    terminal.wait_for("2 of 2");
    terminal.keys("/nowhere");
    terminal.wait_for("no match");
    terminal.keys("\x1b");
    terminal.wait_gone("no match");
    end_untouched(&project, terminal);
}

#[test]
fn an_editor_of_ones_own_brings_its_text_back() {
    let project = Project::new();
    let mut terminal =
        project.review_by("EDITOR='sed -i s/16/20/' exec $countersign --root garden edit.md");
    terminal.wait_for("rows = 16");
    terminal.keys("e");
    terminal.wait_for("rows = 20");
    terminal.wait_for("edited");
    terminal.keys("aZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    terminal.expect_restored();
    assert!(project.read("beds.toml").contains("rows = 20\n"));
}

#[test]
fn a_stopped_review_goes_on_where_it_was() {
    let project = Project::new();
    let mut terminal = project
        .run("set -m; $countersign --root garden edit.md; echo stopped here; read go; fg; exit $?");
    terminal.wait_for_review();
    terminal.keys("a");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("\x1a");
    terminal.wait_for("stopped here");
    terminal.expect_modes_left();
    terminal.keys("\n");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("r");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
    terminal.expect_restored();
    project.expect_untouched();
}

#[test]
fn focus_is_nothing_to_a_review() {
    let project = Project::new();
    let terminal = review(&project);
    terminal.keys("\x1b[I\x1b[O\x1b[I");
    terminal.keys("?");
    terminal.wait_for("── Keys and signs ─");
    assert!(!terminal.text().contains("does nothing"), "{terminal}");
    terminal.keys("q");
    end_untouched(&project, terminal);
}

#[test]
fn a_paste_is_text_and_nothing_else() {
    let paste = "\x1b[200~a\x03r\x1b[Aga\ry\x1b[201~";
    let project = Project::new();
    let terminal = review(&project);
    terminal.keys(paste);
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.wait_for("3 files  3 ·");
    terminal.keys(paste);
    terminal.wait_for("a␃r␛[Aga");
    // One step takes the paste back.
    terminal.keys("\x15");
    terminal.wait_gone("a␃r");
    terminal.keys("\x1b");
    terminal.wait_gone("Esc keep");
    end_untouched(&project, terminal);
}

#[test]
fn answers_of_the_terminal_are_no_keys() {
    let project = Project::new();
    let terminal = review(&project);
    let colours = "\x1b]11;rgb:1e1e/aaaa/1e1e\x1b\\";
    for answer in [
        colours,
        "\x1b]10;rgb:aaaa/1e1e/1e1e\x07",
        "\x1bP>|xterm(390)\x1b\\",
        "\x1b_Gi=31;are here\x1b\\",
        "\x1b[?62;22c",
        "\x1b[1;1R",
        "\x1b[?0u",
    ] {
        terminal.keys(answer);
    }
    // In two pieces, wherever it is cut behind its first three bytes.
    for at in 3..colours.len() {
        terminal.keys(&colours[..at]);
        terminal.keys(&colours[at..]);
    }
    terminal.keys("?");
    terminal.wait_for("── Keys and signs ─");
    terminal.keys("q");
    terminal.wait_for("3 files  3 ·");
    end_untouched(&project, terminal);
}

#[test]
fn a_burst_is_taken_before_it_is_drawn() {
    let project = Project::new();
    let terminal = review(&project);
    let frames = terminal.frames();
    terminal.keys(&("j".repeat(400) + &"k".repeat(400) + "a"));
    terminal.wait_for("1 ✓  2 ·");
    let drawn = terminal.frames() - frames;
    assert!(drawn < 200, "{drawn} frames for 801 keys");
    terminal.keys("u");
    end_untouched(&project, terminal);
}

#[test]
fn what_is_asked_of_the_keyboard_is_taken_back() {
    let project = Project::new();
    let mut terminal = review(&project);
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    let written = terminal.written();
    let count = |sequence: &str| written.matches(sequence).count();
    assert_eq!(count("\x1b[>1u"), 1, "pushed");
    assert_eq!(count("\x1b[<1u"), 1, "popped");
    assert_eq!(count("\x1b[?1049h"), count("\x1b[?1049l"));
    assert_eq!(
        count("\x1b[?2026h"),
        count("\x1b[?2026l") - 1,
        "one more on the way out"
    );
}

#[test]
fn a_screen_that_is_too_small_says_so_and_decides_nothing() {
    let project = Project::new();
    let terminal = review(&project);
    for (cols, rows) in [(19, 5), (20, 4), (7, 2), (1, 1)] {
        terminal.resize(cols, rows);
        terminal.wait_until("as much of a notice as there is room for", |screen| {
            let text = screen.contents();
            let text = text.trim_end();
            !text.is_empty() && "too small: 20 by 5 needed".starts_with(text)
        });
        terminal.keys("agaryAR");
    }
    terminal.resize(160, 50);
    terminal.wait_for("3 files  3 ·");
    terminal.press_until("G", "100 %");
    terminal.wait_for("3 files  3 ·");
    end_untouched(&project, terminal);
}

#[test]
fn a_signal_while_editing_keeps_the_files_as_they_are() {
    let project = Project::new();
    let mut terminal = review(&project);
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("half");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.end(), Ok(130));
    terminal.expect_restored();
    project.expect_untouched();
}
