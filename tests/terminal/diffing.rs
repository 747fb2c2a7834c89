//! `countersign diff` as the diff editor of jj: two folders, of which the right one is read when the program has ended.

use std::fs;

use crate::project::Project;
use crate::pty::Terminal;

/// The folders as jj lays them out for `jj split`: before, after, and its instructions.
fn laid_out() -> Project {
    let project = Project::new();
    let text = |changes: &[(usize, &str)]| {
        let line = |n: usize| {
            let changed = changes.iter().find(|(at, _)| *at == n);
            changed.map_or_else(|| n.to_string(), |(_, text)| (*text).to_owned()) + "\n"
        };
        (1..=40).map(line).collect::<String>()
    };
    let files = [
        ("left/a.txt", text(&[])),
        (
            "right/a.txt",
            text(&[(3, "three"), (20, "twenty"), (35, "last")]),
        ),
        ("right/b.txt", "new\n".to_owned()),
        (
            "right/JJ-INSTRUCTIONS",
            "You are splitting a commit into two.\n".to_owned(),
        ),
    ];
    for (name, text) in files {
        let path = project.path("..").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

fn diff(project: &Project) -> Terminal {
    let terminal = project.review_by("exec $countersign diff left right");
    terminal.wait_for("You are splitting a commit into two.");
    terminal.wait_for("2 files  4 ·");
    terminal
}

#[test]
fn what_is_edited_and_accepted_is_selected_and_what_is_rejected_is_not() {
    let project = laid_out();
    let mut terminal = diff(&project);
    terminal.keys("a");
    terminal.wait_for("1 ✓  3 ·");
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F (edited)");
    terminal.wait_for("twenty (edited)");
    terminal.keys("\x1b");
    terminal.wait_gone("Esc keep");
    terminal.keys("arr");
    terminal.wait_for("everything is decided: q writes it");
    terminal.keys("q");
    // jj goes on only if the program ends with 0, whatever was decided.
    assert_eq!(terminal.end(), Ok(0));
    let text = project.read("../right/a.txt");
    let changed: Vec<&str> = text
        .lines()
        .filter(|line| line.parse::<u8>().is_err())
        .collect();
    assert_eq!(changed, ["three", "twenty (edited)"]);
    assert!(text.contains("\n35\n"));
    assert!(!project.has("../right/b.txt"));
    assert!(
        project
            .read("../right/JJ-INSTRUCTIONS")
            .starts_with("You are")
    );
}

#[test]
fn what_is_undecided_is_selected_and_leaving_without_a_change_is_an_error() {
    let project = laid_out();
    let before = project.read("../right/a.txt");
    let mut terminal = diff(&project);
    terminal.keys("a");
    terminal.wait_for("1 ✓  3 ·");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    terminal.keys("d");
    assert_eq!(terminal.end(), Ok(2));
    assert_eq!(project.read("../right/a.txt"), before);
    let mut terminal = diff(&project);
    terminal.keys("r");
    terminal.wait_for("1 ✗  3 ·");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    terminal.keys("w");
    assert_eq!(terminal.end(), Ok(0));
    assert_eq!(project.read("../right/a.txt"), before.replace("three", "3"));
    assert!(project.has("../right/b.txt"));
}

#[test]
fn an_edit_that_is_left_undecided_is_selected() {
    let project = laid_out();
    let mut terminal = diff(&project);
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F (edited)");
    terminal.wait_for("three (edited)");
    terminal.keys("\x1b");
    terminal.wait_gone("Esc keep");
    terminal.keys("ZZ");
    terminal.wait_for("4 undecided: selected");
    terminal.wait_for("hunk 1 in a.txt is undecided, and selected with your edit");
    terminal.keys("w");
    assert_eq!(terminal.end(), Ok(0));
    let text = project.read("../right/a.txt");
    assert!(text.contains("\nthree (edited)\n"), "{text}");
    assert!(text.contains("\ntwenty\n"), "{text}");
}
