//! Two folders or files: as a tool of `git difftool`, as jj's editor of differences, and by itself.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::repository::Repository;

/// Sets the program up as a tool of `git difftool`, as the README says.
fn set_up(tree: &Repository) {
    let program = env!("CARGO_BIN_EXE_countersign");
    let config = tree.path(".git/config");
    let text = fs::read_to_string(&config).unwrap();
    let tool = format!(
        "[difftool \"countersign\"]\n\tcmd = {program} diff \\\"$LOCAL\\\" \\\"$REMOTE\\\"\n"
    );
    fs::write(config, text + &tool).unwrap();
}

#[test]
fn a_tool_of_git_difftool_writes_the_working_tree() {
    for links in ["--symlinks", "--no-symlinks"] {
        let tree = Repository::new();
        set_up(&tree);
        tree.write(
            "beds.toml",
            "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
        );
        tree.write("notes.md", "# Notes\n\nWater the beans.\nCut the roses.\n");
        let command = format!("git difftool -d --tool=countersign {links}");
        let (code, report) = tree.review(&command, "arZZ");
        assert_eq!(code, 0, "{report}");
        assert!(
            report.contains("1 hunk kept, 1 hunk reverted\n"),
            "{links}: {report}"
        );
        assert_eq!(tree.status(), " M beds.toml\n", "{links}: {report}");
    }
}

#[test]
fn files_that_came_and_went_go_back_by_git_difftool() {
    let tree = Repository::new();
    set_up(&tree);
    tree.write("notes.md", "none\n");
    fs::remove_file(tree.path("old/shed.txt")).unwrap();
    tree.write("new.txt", "new\n");
    tree.git("add --intent-to-add new.txt");
    let (code, report) = tree.review("git difftool -d --tool=countersign", "rrrZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.files(),
        ["beds.toml", "notes.md", "old/shed.txt"],
        "{report}"
    );
    let (code, report) = tree.run("$countersign undo");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.files(), ["beds.toml", "new.txt", "notes.md"]);
}

#[test]
fn a_tool_of_git_difftool_takes_one_file_at_a_time_too() {
    let tree = Repository::new();
    set_up(&tree);
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
    );
    let (code, report) = tree.review("git difftool --no-prompt --tool=countersign", "rZZ");
    assert_eq!((code, tree.status()), (0, String::new()), "{report}");
}

/// Two folders as jj lays them out for its editor: what is left on the right side goes into the change.
fn lay_out(tree: &Repository) {
    for (side, beds, notes) in [
        ("left", "four\n", "a\nb\nc\n"),
        ("right", "five\n", "a\nB\nc\n"),
    ] {
        tree.write(&format!("{side}/beds"), beds);
        tree.write(&format!("{side}/notes"), notes);
    }
    tree.write("left/gone.bin", b"\0gone");
    tree.write("right/new/file", "new\n");
    tree.write(
        "right/JJ-INSTRUCTIONS",
        "You are splitting a change into two.\n",
    );
    fs::set_permissions(
        tree.path("left/beds"),
        std::os::unix::fs::PermissionsExt::from_mode(0o444),
    )
    .unwrap();
}

#[test]
fn jj_gets_what_is_accepted_on_the_right_side() {
    let tree = Repository::new();
    lay_out(&tree);
    let mut terminal = tree.open("$countersign diff left right");
    terminal.wait_for_review();
    terminal.keys("t");
    terminal.wait_for("You are splitting a change into two.");
    terminal.keys("t");
    terminal.keys("rrarZZ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    let report = tree.report();
    assert_eq!(tree.read("right/beds"), "four\n", "{report}");
    assert_eq!(tree.read("right/gone.bin"), "\0gone", "{report}");
    assert_eq!(
        (
            tree.read("right/new/file").as_str(),
            tree.read("right/notes").as_str()
        ),
        ("new\n", "a\nb\nc\n"),
        "{report}"
    );
    assert!(tree.read("right/JJ-INSTRUCTIONS").starts_with("You are"));
    assert!(!report.contains("JJ-INSTRUCTIONS"), "{report}");
}

#[test]
fn jj_is_told_when_a_review_was_broken_off() {
    let tree = Repository::new();
    lay_out(&tree);
    for (keys, code) in [("rrqd", 2), ("rr\x03\x03", 130)] {
        let (found, report) = tree.review("$countersign diff left right", keys);
        assert_eq!(found, code, "{report}");
        assert_eq!(tree.read("right/notes"), "a\nB\nc\n");
    }
}

#[test]
fn two_files_are_compared_whatever_their_names() {
    let tree = Repository::new();
    tree.write("a", "one\ntwo\n");
    tree.write("b", "one\nTWO\n");
    let (code, report) = tree.review("$countersign diff a b", "rZZ");
    assert_eq!(
        (code, tree.read("b").as_str()),
        (0, "one\ntwo\n"),
        "{report}"
    );
    let (code, report) = tree.review("$countersign diff /dev/null b", "rZZ");
    assert_eq!((code, tree.path("b").exists()), (0, false), "{report}");
    // A name with a blank at its end is not taken for the one without.
    tree.write("c", "c\n");
    for name in ["c ", " "] {
        tree.write(name, "one\nTWO\n");
    }
    let (_, report) = tree.review("$countersign diff a 'c '", "rZZ");
    assert_eq!(
        (tree.read("c"), tree.read("c ")),
        ("c\n".into(), "one\ntwo\n".into()),
        "{report}"
    );
    let (_, report) = tree.review("$countersign diff a ' '", "rZZw");
    assert_eq!(tree.read(" "), "one\nTWO\n", "{report}");
    assert!(
        report.contains("is no name that can be written"),
        "{report}"
    );
    for (sides, said) in [
        ("a missing", "there is no `missing`"),
        (
            "a old",
            "one of `a` and `old` is a folder and the other is not",
        ),
        (
            "a /dev/null",
            "`/dev/null` cannot be written: it is not a file",
        ),
    ] {
        let (code, report) = tree.run(&format!("$countersign diff {sides}"));
        assert_eq!(code, 3);
        assert!(report.contains(said), "{report}");
    }
}

#[test]
fn links_are_reviewed_and_not_followed() {
    let tree = Repository::new();
    tree.write("left/file", "old\n");
    tree.write("left/link", "old\n");
    tree.write("right/file", "new\n");
    for (link, to) in [
        ("right/link", "/etc/hostname"),
        ("right/new", "file"),
        ("left/gone", "file"),
        ("left/aimed", "file"),
        ("right/aimed", "link"),
        ("left/same", "file"),
        ("right/same", "file"),
    ] {
        symlink(to, tree.path(link)).unwrap();
    }
    let (code, report) = tree.review("$countersign diff left right", "ggrrrrrZZw");
    assert_eq!(code, 0, "{report}");
    assert!(report.ends_with("5 hunks reverted\n"), "{report}");
    for name in ["file", "link"] {
        assert!(!tree.path(&format!("right/{name}")).is_symlink());
        assert_eq!(tree.read(&format!("right/{name}")), "old\n");
    }
    for name in ["gone", "aimed", "same"] {
        let to = fs::read_link(tree.path(&format!("right/{name}"))).unwrap();
        assert_eq!(to, Path::new("file"), "{name}");
    }
    assert!(!tree.path("right/new").is_symlink());
}

#[test]
fn a_check_is_tried_on_what_the_right_side_becomes_where_that_is_a_folder() {
    const CHECK: &str = "--set 'check.command=ls && grep count beds.toml'";
    let tree = Repository::new();
    set_up(&tree);
    let config = tree.path(".git/config");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(config, text.replace(" diff ", &format!(" diff {CHECK} "))).unwrap();
    let beds = "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n";
    tree.write("beds.toml", beds);
    tree.write("../before.toml", beds.replace('5', "4"));
    fs::create_dir(tree.path("../before")).unwrap();
    tree.write("../before/beds.toml", beds.replace('5', "4"));
    for (command, comes) in [
        // The links lead into the working tree, which has more files than differ.
        (
            "git difftool -d --tool=countersign",
            ["passed in", "notes.md", "count = 4"],
        ),
        (
            &format!("$countersign diff {CHECK} ../before ."),
            ["passed in", "notes.md", "count = 4"],
        ),
        (
            &format!("$countersign diff {CHECK} ../before.toml beds.toml"),
            ["Check: ls", "could not be run", "and these are two files"],
        ),
    ] {
        let mut terminal = tree.open(command);
        terminal.wait_for_review();
        terminal.keys("/count\r");
        terminal.keys("r!");
        for text in comes {
            terminal.wait_for(text);
        }
        terminal.keys("\x1b");
        terminal.wait_gone("Check:");
        terminal.keys("ZQ");
        terminal.end().unwrap();
        assert_eq!(tree.read("beds.toml"), beds);
    }
}
