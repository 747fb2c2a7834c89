//! The working tree against the index or a revision.

use std::fs;
use std::os::unix::fs::symlink;

use crate::repository::Repository;

#[test]
fn accepted_stays_rejected_is_taken_back_and_undecided_stays() {
    let tree = Repository::new();
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
    );
    tree.write("notes.md", "# Notes\n\nWater the beans.\nCut the roses.\n");
    tree.write("old/shed.txt", "A green shed.\n");
    let (code, report) = tree.review("$countersign git", "arZZw");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        report,
        "kept            beds.toml:2  hunk 1\n\
         reverted        notes.md:4  hunk 1\n\
         undecided       old/shed.txt:1  hunk 1\n\
         1 hunk kept, 1 hunk reverted, 1 hunk undecided and left unchanged\n"
    );
    assert_eq!(tree.status(), " M beds.toml\n M old/shed.txt\n");
    assert_eq!(tree.read("old/shed.txt"), "A green shed.\n");
}

#[test]
fn what_was_taken_back_comes_again_by_undo() {
    let tree = Repository::new();
    tree.write("notes.md", "# Notes\n\nWater nothing.\nCut the hedge.\n");
    tree.write("new.txt", "new\n");
    fs::remove_file(tree.path("old/shed.txt")).unwrap();
    let (code, report) = tree.review("$countersign git", "rrrZZ");
    assert_eq!((code, tree.status()), (0, String::new()), "{report}");
    let (code, report) = tree.run("$countersign undo");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.status(), " M notes.md\n D old/shed.txt\n?? new.txt\n");
    assert_eq!(
        tree.read("notes.md"),
        "# Notes\n\nWater nothing.\nCut the hedge.\n"
    );
}

#[test]
fn an_edit_becomes_what_stands() {
    let tree = Repository::new();
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
    );
    let mut terminal = tree.open("$countersign git");
    terminal.wait_for_review();
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F0");
    terminal.wait_for("count = 50");
    terminal.keys("\x1b");
    terminal.wait_gone("Esc keep");
    terminal.keys("aZZ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert_eq!(
        tree.read("beds.toml"),
        "[beds]\ncount = 50\nrows = 12\nsoil = \"loam\"\n"
    );
    assert!(
        tree.report().starts_with("kept-with-edits beds.toml:2"),
        "{}",
        tree.report()
    );
}

#[test]
fn files_that_came_went_and_moved_go_back() {
    let tree = Repository::new();
    tree.write("tool", "#!/bin/sh\nexit\n");
    tree.commit("tool");
    tree.set_executable("tool");
    fs::create_dir(tree.path("new")).unwrap();
    fs::rename(tree.path("notes.md"), tree.path("new/notes.md")).unwrap();
    tree.git("add --intent-to-add new/notes.md");
    fs::remove_file(tree.path("old/shed.txt")).unwrap();
    tree.write("deep/er/seed.txt", "untracked\n");
    let before = tree.files();
    assert_eq!(
        before,
        ["beds.toml", "deep/er/seed.txt", "new/notes.md", "tool"]
    );
    let (code, report) = tree.review("$countersign git", "RRRRZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.files(),
        ["beds.toml", "notes.md", "old/shed.txt", "tool"],
        "{report}"
    );
    assert!(!tree.is_executable("tool"));
    assert!(
        report.contains("notes.md  hunk 1 (rename to new/notes.md)"),
        "{report}"
    );
}

#[test]
fn what_is_no_text_is_decided_as_a_whole() {
    let tree = Repository::new();
    tree.write("logo.bin", b"\0one");
    tree.write("gone.bin", b"\0gone");
    tree.commit("logo");
    tree.write("logo.bin", b"\0another");
    fs::remove_file(tree.path("gone.bin")).unwrap();
    let (code, report) = tree.review("$countersign git", "rrZZ");
    assert_eq!((code, tree.status()), (0, String::new()), "{report}");
    assert_eq!(tree.read("logo.bin"), "\0one");
}

#[test]
fn what_git_does_not_hold_as_a_file_is_left_alone() {
    let tree = Repository::new();
    tree.git("-c protocol.file.allow=always submodule --quiet add ./ sub");
    tree.commit("sub");
    let by_name = "-c user.name=T -c user.email=t@e";
    tree.git(&format!(
        "-C sub {by_name} commit --quiet --allow-empty --message=x"
    ));
    tree.write("notes.md", "Other notes.\n");
    let status = tree.status();
    let (code, report) = tree.review("$countersign git", "aZZw");
    assert_eq!((code, tree.status()), (0, status), "{report}");
    assert!(
        report.contains("`sub` is a submodule, whose commit is left alone"),
        "{report}"
    );
    assert!(
        report.ends_with("1 hunk kept, 1 hunk left alone\n"),
        "{report}"
    );
}

#[test]
fn links_are_reviewed_as_links() {
    let tree = Repository::new();
    for name in ["aimed", "gone", "to_file", "renamed"] {
        symlink("notes.md", tree.path(name)).unwrap();
    }
    tree.write("to_link", "text\n");
    tree.commit("links");
    for name in ["aimed", "gone", "to_file", "to_link"] {
        fs::remove_file(tree.path(name)).unwrap();
    }
    symlink("beds.toml", tree.path("aimed")).unwrap();
    tree.write("to_file", "text\n");
    symlink("notes.md", tree.path("to_link")).unwrap();
    symlink("nowhere", tree.path("new")).unwrap();
    symlink("/etc/hostname", tree.path("out")).unwrap();
    fs::create_dir_all(tree.path("folder")).unwrap();
    symlink("../folder", tree.path("folder/link")).unwrap();
    let (code, report) = tree.review("$countersign git", "ggrrrrrrrrZZw");
    assert_eq!((code, tree.status()), (0, String::new()), "{report}");
    assert!(tree.path("notes.md").is_file());
    // A renamed link is one that goes and another that comes.
    tree.git("mv renamed moved");
    let (code, report) = tree.review("$countersign git HEAD", "ggrrZZw");
    assert_eq!(code, 0, "{report}");
    assert!(tree.path("renamed").is_symlink() && !tree.path("moved").is_symlink());
}

#[test]
fn a_file_that_waits_to_be_merged_is_left_alone() {
    let tree = Repository::new();
    tree.git("checkout --quiet -b other");
    tree.write("notes.md", "Theirs.\n");
    tree.commit("theirs");
    tree.git("checkout --quiet main");
    tree.write("notes.md", "Ours.\n");
    tree.commit("ours");
    assert!(!tree.try_git("merge other").status.success());
    tree.write("beds.toml", "none\n");
    let notes = tree.read("notes.md");
    let (code, report) = tree.review("$countersign git", "rZZw");
    assert_eq!(code, 0, "{report}");
    assert!(
        report.contains("`notes.md` is still to be merged, and is left alone"),
        "{report}"
    );
    assert_eq!(tree.read("notes.md"), notes);
    assert_eq!(tree.status(), "UU notes.md\n");
}

#[test]
fn line_endings_of_the_checkout_are_no_change() {
    let tree = Repository::new();
    tree.write(".gitattributes", "*.txt text eol=crlf\n*.up filter=up\n");
    tree.git("config filter.up.clean rev");
    tree.git("config filter.up.smudge rev");
    tree.write("old/shed.txt", "A shed.\r\nA door.\r\nA roof.\r\n");
    tree.write("word.up", "abc\ndef\n");
    tree.commit("crlf");
    tree.write("old/shed.txt", "A shed.\r\nA red door.\r\nA roof.\r\n");
    tree.write("word.up", "abc\nxyz\n");
    let (code, report) = tree.review("$countersign git", "rrZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.read("old/shed.txt"),
        "A shed.\r\nA door.\r\nA roof.\r\n",
        "{report}"
    );
    assert_eq!(tree.read("word.up"), "abc\ndef\n");
    assert_eq!(tree.status(), "");
}

#[test]
fn autocrlf_is_understood() {
    let tree = Repository::new();
    tree.git("config core.autocrlf true");
    for name in ["beds.toml", "notes.md", "old/shed.txt"] {
        fs::remove_file(tree.path(name)).unwrap();
    }
    tree.git("checkout --quiet -- .");
    assert_eq!(tree.read("old/shed.txt"), "A shed.\r\n");
    let text = tree.read("notes.md").replace("hedge", "roses");
    tree.write("notes.md", &text);
    let (code, report) = tree.review("$countersign git", "rZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.read("notes.md"),
        "# Notes\r\n\r\nWater the beans.\r\nCut the hedge.\r\n"
    );
    assert!(report.ends_with("\n1 hunk reverted\n"), "{report}");
}

#[test]
fn a_revision_two_revisions_and_files_say_what_is_reviewed() {
    let tree = Repository::new();
    tree.write(
        "notes.md",
        "# Notes\n\nWater the beans twice.\nCut the hedge.\n",
    );
    tree.commit("twice");
    tree.write(
        "beds.toml",
        "[beds]\ncount = 9\nrows = 12\nsoil = \"loam\"\n",
    );
    tree.commit("nine");

    let (code, report) = tree.review("$countersign git HEAD~2 -- notes.md", "aZZ");
    assert_eq!((code, report.lines().count()), (0, 2), "{report}");
    let (code, report) = tree.review("$countersign git HEAD~2 beds.toml", "aZZ");
    assert_eq!(
        (code, report.lines().next()),
        (0, Some("kept            beds.toml:2  hunk 1"))
    );
    let (code, report) = tree.review("$countersign git HEAD~2..HEAD~1", "rZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.read("notes.md"),
        "# Notes\n\nWater the beans.\nCut the hedge.\n"
    );
    assert_eq!(tree.status(), " M notes.md\n");
    tree.write("beds.toml", "other\n");
    let (code, report) = tree.review("$countersign git HEAD~1..HEAD", "rZZw");
    assert_eq!(code, 0, "{report}");
    assert!(
        report.contains("`beds.toml` has changed since HEAD"),
        "{report}"
    );
    assert_eq!(tree.read("beds.toml"), "other\n");

    let (code, said) = tree.run("$countersign git nowhere");
    assert_eq!(code, 3);
    assert!(
        said.contains("`nowhere` is neither a revision nor a file"),
        "{said}"
    );
    let (code, said) = tree.run("cd .. && $countersign git");
    assert_eq!(code, 3);
    assert!(said.contains("is not in a git working tree"), "{said}");
}

#[test]
fn names_count_from_where_one_stands() {
    let tree = Repository::new();
    tree.write("old/shed.txt", "Another shed.\n");
    tree.write("beds.toml", "none\n");
    let (code, report) = tree.review("cd old && $countersign git shed.txt", "rZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.status(), " M beds.toml\n");
}

#[test]
fn a_change_on_disk_meanwhile_is_never_overwritten() {
    let tree = Repository::new();
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
    );
    let mut terminal = tree.open("$countersign git");
    terminal.wait_for_review();
    terminal.keys("r");
    terminal.wait_for("1 ✗");
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"clay\"\n",
    );
    terminal.wait_for("clay");
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert!(tree.read("beds.toml").contains("clay"), "{}", tree.report());
}

#[test]
fn nothing_to_review_is_said_and_leaving_changes_nothing() {
    let tree = Repository::new();
    let (code, said) = tree.run("$countersign git");
    assert_eq!((code, said.as_str()), (0, "countersign: nothing differs\n"));
    tree.write("beds.toml", "none\n");
    for (keys, code) in [("qd", 2), ("rZQ", 2), ("r\x03\x03", 130)] {
        let (found, report) = tree.review("$countersign git", keys);
        assert_eq!(
            (found, tree.read("beds.toml").as_str()),
            (code, "none\n"),
            "{report}"
        );
    }
}

#[test]
fn nobody_waits_to_be_told_what_became_of_what_stands() {
    let tree = Repository::new();
    tree.write("notes.md", "# Notes\n\nWater nothing.\nCut the hedge.\n");
    let mut terminal = tree.open("$countersign git");
    terminal.wait_for_review();
    terminal.keys("!");
    terminal.wait_for("Plan of what would be written");
    terminal.wait_for("Nothing will be written");
    assert!(!terminal.text().contains("agent"), "{terminal}");
    terminal.keys("\x1b");
    terminal.wait_gone("Plan of");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
}
