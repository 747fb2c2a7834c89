//! The index against a revision.

use std::fs;

use crate::repository::Repository;

#[test]
fn what_is_rejected_leaves_the_index_and_nothing_else() {
    let tree = Repository::new();
    let text = "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n";
    tree.write("beds.toml", text);
    tree.write("notes.md", "# Notes\n\nWater the beans.\nCut the roses.\n");
    tree.write("new.txt", "new\n");
    fs::remove_file(tree.path("old/shed.txt")).unwrap();
    tree.git("add --all");
    tree.write("beds.toml", "not staged\n");
    let (code, report) = tree.review("$countersign git --staged", "rrarZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.status(),
        " M beds.toml\nM  notes.md\n D old/shed.txt\n?? new.txt\n"
    );
    assert_eq!(tree.read("beds.toml"), "not staged\n");

    // What is said brings all of it back.
    let again = report
        .lines()
        .find_map(|line| line.split('`').nth(1))
        .unwrap();
    tree.git(again.strip_prefix("git ").unwrap());
    assert_eq!(tree.git("show :beds.toml"), text);
    assert_eq!(
        tree.status(),
        "MM beds.toml\nA  new.txt\nM  notes.md\nD  old/shed.txt\n"
    );
}

#[test]
fn a_part_of_a_hunk_leaves_the_index() {
    let tree = Repository::new();
    tree.write(
        "notes.md",
        "# Notes\n\nWater the beans twice.\nCut the roses.\n",
    );
    tree.git("add notes.md");
    let (code, report) = tree.review("$countersign git --staged", "jjjvrZZw");
    assert_eq!(code, 0, "{report}");
    assert_eq!(
        tree.git("show :notes.md"),
        "# Notes\n\nWater the beans.\nCut the roses.\n"
    );
    assert_eq!(tree.status(), "MM notes.md\n");
}

#[test]
fn a_rename_and_a_mode_leave_the_index() {
    let tree = Repository::new();
    tree.git("mv notes.md words.md");
    tree.set_executable("beds.toml");
    tree.git("add --all");
    let (code, report) = tree.review("$countersign git --staged", "rrZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.git("diff --cached --name-status"), "");
}

#[test]
fn the_first_commit_can_be_reviewed() {
    let tree = Repository::new();
    tree.git("update-ref -d HEAD");
    let (code, report) = tree.review("$countersign git --staged", "arrZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.git("ls-files"), "beds.toml\n");
}

#[test]
fn an_index_that_changed_meanwhile_comes_back_for_review() {
    let tree = Repository::new();
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
    );
    tree.git("add beds.toml");
    let mut terminal = tree.open("$countersign git --staged");
    terminal.wait_for_review();
    terminal.keys("r");
    terminal.wait_for("1 ✗");
    tree.write(
        "beds.toml",
        "[beds]\ncount = 6\nrows = 12\nsoil = \"loam\"\n",
    );
    tree.git("add beds.toml");
    terminal.keys("ZZ");
    terminal.wait_for("nothing is written yet");
    terminal.wait_for("count = 6");
    terminal.wait_for_review();
    terminal.keys("rZZ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert_eq!(tree.status(), " M beds.toml\n");
}

#[test]
fn another_git_at_work_is_respected() {
    let tree = Repository::new();
    tree.write("beds.toml", "none\n");
    tree.git("add beds.toml");
    tree.write(".git/index.lock", "");
    let (code, report) = tree.review("$countersign git --staged", "rZZ");
    assert_eq!(code, 4, "{report}");
    assert!(
        report.contains("another git process is running here"),
        "{report}"
    );
    fs::remove_file(tree.path(".git/index.lock")).unwrap();
    assert_eq!(tree.status(), "M  beds.toml\n");
}

/// A lock that a killed countersign has left is removed by the next one; that of one at work is respected.
#[test]
fn a_lock_that_was_left_behind_is_removed() {
    let tree = Repository::new();
    tree.write("beds.toml", "none\n");
    tree.git("add beds.toml");
    tree.write(
        ".git/index.lock",
        format!("countersign {}\n", std::process::id()),
    );
    let (code, report) = tree.review("$countersign git --staged", "rZZ");
    assert_eq!(code, 4, "{report}");
    let mut ended = std::process::Command::new("true").spawn().unwrap();
    let process = ended.id();
    ended.wait().unwrap();
    tree.write(".git/index.lock", format!("countersign {process}\n"));
    tree.write(
        &format!(".git/index.countersign-{process}"),
        "a part of an index",
    );
    let (code, report) = tree.review("$countersign git --staged", "rZZ");
    assert_eq!(code, 0, "{report}");
    assert_eq!(tree.status(), " M beds.toml\n");
    for name in [
        ".git/index.lock",
        &format!(".git/index.countersign-{process}"),
    ] {
        assert!(!tree.path(name).exists(), "{name}");
    }
}

#[test]
fn a_check_is_tried_on_what_would_be_committed_and_the_repository_stays_as_it_is() {
    let tree = Repository::new();
    tree.write(".gitattributes", "notes.md eol=crlf\n");
    tree.commit("endings");
    tree.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 16\nsoil = \"loam\"\n",
    );
    tree.write(
        "notes.md",
        "# Notes\r\n\r\nWater the roses.\r\nCut the roses.\r\n",
    );
    tree.write("added.txt", "added\n");
    tree.git("add --all");
    tree.git("mv old/shed.txt hut.txt");
    tree.write("beds.toml", "not staged\n");
    tree.write("loose.txt", "not staged\n");
    let before = (tree.git("count-objects"), tree.git("ls-files --stage"));
    let check = "ls -A; grep -c -e 16 -e 5 beds.toml; file=$(mktemp); tr -d -c \"\\r\" < notes.md | wc -c; cat notes.md";
    let mut terminal = tree.open(&format!(
        "$countersign git --staged --set 'check.command={check}'"
    ));
    terminal.wait_for_review();
    // A line of a hunk, so that neither version is left; a whole new file; a name.
    terminal.keys("/added\r");
    terminal.keys("r");
    terminal.keys("/Water the roses\r");
    terminal.keys("vr");
    terminal.keys("!");
    terminal.wait_for("passed in");
    for there in [
        ".gitattributes",
        "hut.txt",
        "Water the beans.",
        "Cut the roses.",
    ] {
        terminal.wait_for(there);
    }
    let screen = terminal.to_string();
    for gone in ["added.txt\n", "loose.txt", "not staged"] {
        assert!(!screen.contains(gone), "{gone}: {screen}");
    }
    terminal.keys("\x1b");
    terminal.wait_gone("Check:");
    terminal.keys("ZQ");
    terminal.end().unwrap();
    let after = (tree.git("count-objects"), tree.git("ls-files --stage"));
    assert_eq!(after, before);
}
