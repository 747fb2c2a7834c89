//! The keys that the book counts for common tasks are pressed, and no others.

use crate::project::{Project, REVIEW};
use crate::pty::Terminal;

const PAGE: &str = include_str!("../../docs/src/comparison.md");

/// Returns the keys of a task as the terminal sends them, with a text in place of what is typed.
#[track_caller]
fn keys(task: &str, text: &str) -> String {
    let row = PAGE
        .lines()
        .find_map(|line| line.strip_prefix(&format!("| {task} | ")))
        .unwrap_or_else(|| panic!("no row for {task}"));
    let cell = row.split(" | ").next().unwrap();
    let pieces = cell.split('`').enumerate();
    let typed = pieces.map(
        |(nth, piece)| match (nth % 2, piece.trim_matches([',', ' '])) {
            (1, keys) => keys
                .split(' ')
                .map(|key| match key {
                    "Enter" => "\r",
                    "Esc" => "\x1b",
                    key => key,
                })
                .collect(),
            (_, "the text" | "the name") => text.to_owned(),
            (_, "") => String::new(),
            (_, other) => panic!("{other:?} is no key"),
        },
    );
    typed.collect()
}

/// A review with a hunk that has no place, and one in the middle of a file of 40 lines.
fn review(project: &Project) -> Terminal {
    let lines: Vec<String> = (1..=40).map(|n| format!("line {n}\n")).collect();
    project.write("long.txt", &lines.concat());
    let more = "long.txt\n<<<<<<< SEARCH\nline 20\n=======\nline twenty\n>>>>>>> REPLACE\n\nnotes.md\n<<<<<<< SEARCH\nWeed the \
                path by the pond.\n=======\nMow it.\n>>>>>>> REPLACE\n";
    let edits = project.read("../edit.md");
    project.write("../edit.md", &format!("{edits}\n{more}"));
    project.review_by(&format!("EDITOR='sed -i s/16/20/' {REVIEW}"))
}

/// Does a task in a new review by its keys, and leaves the review to be looked at.
#[track_caller]
fn done(task: &str, text: &str) -> (Project, Terminal) {
    let project = Project::new();
    let terminal = review(&project);
    terminal.keys(&keys(task, text));
    (project, terminal)
}

#[test]
fn hunks_are_decided() {
    done("accept a hunk and go to the next", "")
        .1
        .wait_for("1 ✓");
    done("reject a hunk and go to the next", "")
        .1
        .wait_for("1 ✗");
    done("accept the rest of a file", "").1.wait_for("1 ✓");
    let (_, terminal) = done(
        "accept all that is placed safely, then go to what needs attention",
        "",
    );
    terminal.wait_for("4 ✓");
    terminal.wait_for("no match in the file");
}

#[test]
fn lines_are_changed_and_commented_on() {
    done("change a line", "# ")
        .1
        .wait_for("edited: a accepts it");
    done("change it in your editor", "").1.wait_for("rows = 20");
    done("comment on a hunk for the agent", "too many")
        .1
        .wait_for("too many");
}

#[test]
fn files_lines_and_reasons_are_found() {
    let (project, mut terminal) = done("go to a file", "notes.md");
    terminal.keys("aZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert!(
        project.read("notes.md").contains("beans twice"),
        "{terminal}"
    );
    assert!(
        project.read("beds.toml").contains("rows = 12"),
        "{terminal}"
    );

    let project = Project::new();
    let terminal = review(&project);
    terminal.keys("/twenty\r");
    terminal.wait_for("line 17");
    terminal.wait_gone("line 15");
    terminal.keys(&keys("see more of the file", ""));
    terminal.wait_for("line 15");

    done("see why a hunk has no place", "")
        .1
        .wait_for("no match in the file");
}

#[test]
fn no_task_takes_more_keys_than_in_another_tool() {
    // The keys of a cell: what is between backquotes, one by one. After a dash is something else than the task.
    let count = |cell: &str| {
        let cell = if cell.starts_with('–') { "" } else { cell };
        let keys = cell.split('`').skip(1).step_by(2);
        keys.flat_map(|keys| keys.split(' ')).count()
    };
    let rows: Vec<Vec<&str>> = (PAGE.lines())
        .skip_while(|line| !line.starts_with("| task "))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
        .collect();
    let [tools, _, rows @ ..] = &rows[..] else {
        panic!("no table of keys");
    };
    assert!(rows.len() >= 8 && tools.len() >= 5, "{rows:?}");
    for row in rows {
        let (task, ours) = (row[0], count(row[1]));
        assert!(ours > 0, "{task}");
        assert_eq!(row.len(), tools.len(), "{task}");
        for (tool, theirs) in tools.iter().zip(row).skip(2) {
            let theirs = count(theirs);
            let is_fewer = ours <= theirs || theirs == 0;
            assert!(is_fewer, "{task}: {ours} keys, and {theirs} in {tool}");
        }
    }
}

#[test]
fn a_review_is_finished() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("aaa");
    terminal.wait_for("3 ✓");
    terminal.keys(&keys("finish and write, when all is decided", ""));
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert!(project.read("beds.toml").contains("rows = 16"));
}
