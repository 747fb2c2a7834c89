//! The real program in a real terminal: what a person sees, types and finds on disk afterwards.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

#[cfg(feature = "model")]
mod asking;
mod behaviour;
mod checking;
mod deciding;
mod diffing;
mod gating;
mod keeping;
mod linear;
#[cfg(feature = "model")]
#[path = "../model/server.rs"]
mod model_server;
mod picture;
mod precision;
mod project;
mod pty;
#[path = "../scenarios/schema.rs"]
mod schema;
mod serving;
mod tasks;
mod threads;
mod transcripts;
mod undoing;

use std::fs;

use project::{Project, demo_project};
use pty::Terminal;
use rustix::process::Signal;
use tempfile::TempDir;

const CTRL_C: &str = "\x03";
const ESC: &str = "\x1b";

#[test]
fn the_demo_goes_from_first_screen_to_written_files() {
    let place = TempDir::new().unwrap();
    let mut terminal = Terminal::run(place.path(), "exec $countersign demo");
    terminal.wait_for_review();
    terminal.wait_for("Add quiet hours");
    terminal.wait_for("15 files  22 ·  3 !");
    terminal.keys("a");
    terminal.wait_for("1 ✓  21 ·");
    terminal.keys("ga");
    terminal.wait_for("20 hunks");
    terminal.keys("y");
    terminal.wait_for("21 ✓  1 ·");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    terminal.keys("w");
    assert_eq!(terminal.end(), Ok(1), "not all was accepted\n{terminal}");
    terminal.expect_restored();

    let project = demo_project(place.path());
    let read = |name: &str| fs::read_to_string(project.join(name)).unwrap();
    assert!(read("core/src/quiet.rs").starts_with("//! Quiet hours: when messages wait"));
    assert!(read("config/pigeon.toml").contains("tries = 5   \nquiet = \"22:00-07:00\"\n"));
    assert!(
        read("web/src/settings.ts").contains("\n      quiet: data.get(\"quiet\") === \"on\",\n")
    );
    assert!(read("desktop/Tray.cs").contains("            if (night && !urgent)\r\n"));
    assert!(read("locales/ja.json").ends_with("お知らせしません 🌙\"\n}"));
    assert!(
        read("README.md").contains("three settings"),
        "a fuzzy place waits for a look"
    );
    assert!(!project.join("tools/mute.sh").exists());
    assert!(!project.join("locales/jp.json").exists());
}

#[test]
fn edits_come_through_a_pipe_and_keys_from_the_terminal() {
    let project = Project::new();
    let mut terminal = project.review_by("cat edit.md | $countersign --root garden -");
    terminal.wait_for("3 files  3 ·");
    terminal.keys("aarZZ");
    assert_eq!(terminal.end(), Ok(1));
    terminal.expect_restored();
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    assert!(
        project
            .read("notes.md")
            .contains("Water the beans twice.\n")
    );
    assert!(!project.has("shed.toml"), "it was rejected");
}

#[test]
fn a_report_goes_to_standard_output_and_nothing_else_does() {
    let project = Project::new();
    let mut terminal =
        project.review_by("exec $countersign --root garden --report json edit.md > report.json");
    terminal.keys("aaaZZ");
    assert_eq!(terminal.end(), Ok(0));
    let report: serde_json::Value = serde_json::from_str(&project.read("../report.json")).unwrap();
    assert_eq!(report["status"], "applied");
    assert_eq!(report["hunks"].as_array().unwrap().len(), 3);
}

#[test]
fn a_hunk_is_edited_in_place_before_it_is_written() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.wait_for("rows = 16");
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    // The cursor is on the first new line: to its end, and another number in place of this one.
    terminal.keys("\x1b[F\x7f\x7f20 # so many?");
    terminal.wait_for("rows = 20 # so many?");
    terminal.keys(ESC);
    terminal.wait_gone("Esc keep");
    terminal.keys("aZZw");
    assert_eq!(terminal.end(), Ok(1));
    assert!(
        project
            .read("beds.toml")
            .contains("\nrows = 20 # so many?\n"),
        "{terminal}"
    );
}

#[test]
fn a_decision_is_undone_and_done_again() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("a");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("r");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("uu");
    terminal.wait_for("3 files  3 ·");
    terminal.keys("\x12");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    project.expect_untouched();
}

#[test]
fn the_screen_follows_the_terminals_size() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.wait_for("Files");
    // Side by side: the old and the new line in one row.
    let beside = |screen: &vt100::Screen| {
        let text = screen.contents();
        text.lines()
            .any(|line| line.contains("rows = 12") && line.contains("rows = 16"))
    };
    terminal.wait_until("old beside new", beside);
    terminal.resize(80, 24);
    terminal.wait_until("old above new, and no list", |screen| {
        let text = screen.contents();
        !beside(screen)
            && text.contains("rows = 12")
            && text.contains("rows = 16")
            && !text.contains("Files")
    });
    terminal.resize(15, 4);
    terminal.wait_for("too small");
    terminal.resize(20, 5);
    terminal.wait_gone("too small");
    // Faster than it can follow: a frame may be drawn for a size that is no more.
    for (cols, rows) in [(99, 7), (160, 50), (1, 1), (40, 3), (80, 24)].repeat(20) {
        terminal.resize(cols, rows);
        terminal.keys("j");
    }
    terminal.resize(160, 50);
    terminal.wait_until("old beside new again", beside);
    // Wherever the keys on the way have led: one of the two ways shows that keys count again.
    terminal.press_until("gg", "▌· beds.toml");
    terminal.press_until("G", "▌·      2 + door");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    terminal.expect_restored();
}

#[test]
fn wide_characters_do_not_break_the_columns() {
    let place = TempDir::new().unwrap();
    let mut terminal = Terminal::run(place.path(), "exec $countersign demo");
    terminal.wait_for_review();
    terminal.keys("G");
    terminal.wait_for("荷物を発送しました 📦");
    terminal.wait_until("one divider", |screen| {
        let (rows, cols) = screen.size();
        let is_bar = |row, col| {
            screen
                .cell(row, col)
                .is_some_and(|cell| cell.contents() == "│")
        };
        let text: Vec<String> = screen.rows(0, cols.into()).collect();
        let shows = |row: &u16| {
            text[usize::from(*row)].contains('お') || text[usize::from(*row)].contains('荷')
        };
        let mut wide = (0..rows.into()).filter(shows).peekable();
        let bars = |row: u16| {
            (0..cols.into())
                .filter(move |&col| is_bar(row, col))
                .collect::<Vec<u16>>()
        };
        let Some(&first) = wide.peek() else {
            return false;
        };
        bars(first).len() == 2 && wide.all(|row| bars(row) == bars(first))
    });
    terminal.keys(&CTRL_C.repeat(2));
    assert_eq!(terminal.end(), Ok(130));
}

#[test]
fn no_color_means_none() {
    let project = Project::new();
    let mut terminal = project.review_by("NO_COLOR=1 exec $countersign --root garden edit.md");
    terminal.keys("a");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    let written = terminal.written();
    let colours = r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9]+)*m";
    let colours = regex::Regex::new(colours).unwrap();
    assert_eq!(colours.find(&written).map(|found| found.as_str()), None);
}

#[test]
fn abort_writes_nothing_and_gives_the_terminal_back() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("a");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys(&CTRL_C.repeat(2));
    assert_eq!(terminal.end(), Ok(130));
    terminal.expect_restored();
    project.expect_untouched();
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_gives_the_terminal_back_before_it_is_told() {
    let project = Project::new();
    let mut terminal =
        project.run("COUNTERSIGN_PANIC=draw exec $countersign --root garden edit.md");
    assert_eq!(terminal.end(), Ok(101));
    terminal.expect_restored();
    terminal.wait_for("COUNTERSIGN_PANIC");
    project.expect_untouched();
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let project = Project::new();
        let mut terminal = project.review();
        terminal.keys("a");
        terminal.wait_for("1 ✓  2 ·");
        terminal.signal(signal);
        assert_eq!(terminal.end(), Ok(130), "{signal:?}");
        terminal.expect_restored();
        project.expect_untouched();
    }
}

#[test]
fn a_light_terminal_gets_light_colours() {
    let check = |ground: &'static str, variables: &str, expected: vt100::Color| {
        let folder = TempDir::new().unwrap();
        let command = format!("{variables} exec $countersign demo");
        let mut terminal = Terminal::run_answering(folder.path(), &command, (100, 30), ground);
        terminal.wait_for_review();
        terminal.wait_until(&format!("{expected:?} for `{ground}`"), |screen| {
            screen
                .cell(11, 0)
                .is_some_and(|cell| cell.bgcolor() == expected)
        });
        terminal.keys("\x03\x03");
        terminal.end().unwrap();
    };
    let (light, dark) = (vt100::Color::Idx(231), vt100::Color::Idx(233));
    check("rgb:ffff/ffff/ffff", "", light);
    check("rgb:fd/f6/e3", "", light);
    check("rgb:0000/2b2b/3636", "", dark);
    check("", "", dark);
    check("rgb:ffff/ffff/ffff", "COUNTERSIGN_UI_BACKGROUND=dark", dark);
    check("rgb:0000/0000/0000", "COUNTERSIGN_UI_THEME=light", light);
}

#[test]
fn what_is_typed_ahead_decides_nothing() {
    let project = Project::new();
    let mut terminal = project.run("read go; exec $countersign --root garden edit.md");
    terminal.keys("\naaaZZ");
    terminal.wait_for_review();
    terminal.wait_for("3 files  3 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    project.expect_untouched();
}

#[test]
fn the_pictures_of_the_readme_show_the_real_screen() {
    for (name, ground) in [("screen-dark", "15;0"), ("screen-light", "0;15")] {
        let place = TempDir::new().unwrap();
        let command = format!("COLORTERM=truecolor COLORFGBG='{ground}' exec $countersign demo");
        let terminal = Terminal::run_sized(place.path(), &command, (120, 36));
        terminal.wait_for_review();
        for accepted in 1..=9 {
            terminal.keys("a");
            terminal.wait_for(&format!("{accepted} ✓"));
            if accepted == 1 {
                // The next file begins with a hunk without a place.
                terminal.wait_for("r reject  m place");
                terminal.keys("\t");
                terminal.wait_for("a accept");
            }
        }
        terminal.keys("i");
        terminal.wait_for("editing");
        picture::expect_picture(&terminal, name);
    }
}

#[test]
fn the_pictures_of_the_resident_reviewer_show_its_real_screen() {
    for (name, ground) in [("serve-dark", "15;0"), ("serve-light", "0;15")] {
        let project = Project::new();
        project.forget_settings();
        let command = format!(
            "COLORTERM=truecolor COLORFGBG='{ground}' exec $countersign serve --root garden"
        );
        let terminal = project.run_sized(&command, (120, 36));
        terminal.wait_for("Nothing to review");
        let rows = serving::edit("beds.toml", "rows = 12", "rows = 16\nrow_gap = \"30 cm\"");
        let wet = serving::edit("notes.md", "Water the beans.", "Water the beans twice.");
        let more = serving::edit("beds.toml", "count = 4", "count = 6");
        let calls = [
            ("claude", rows, "claude proposes beds.toml"),
            ("gemini", wet, "gemini proposes notes.md"),
            ("codex", more, "waits: an earlier"),
        ];
        let agents = calls.map(|(agent, edits, shown)| {
            let waiting = serving::submit(&project, agent, &edits, &[]);
            terminal.wait_for(shown);
            waiting
        });
        terminal.keys("k");
        picture::expect_picture(&terminal, name);
        terminal.keys("qw");
        for agent in agents {
            serving::ended(agent);
        }
    }
}
