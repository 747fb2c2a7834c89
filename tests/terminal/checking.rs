//! The check command runs on a copy of the files with what is accepted, and on nothing else.

use std::fs;

use crate::ESC;
use crate::project::Project;
use crate::pty::Terminal;
use crate::serving::{edit, ended, submit};

/// Fails without the accepted rows, passes with them, and does not end once the shed is there.
const CHECK: &str = "exec $countersign review --set check.timeout=2 --set 'check.command=\
    echo mine > litter; grep rows beds.toml; grep -q 16 beds.toml || exit 3; \
    test ! -e shed.toml || sleep 600' --root garden edit.md";

fn plan(terminal: &Terminal, keys: &str, comes: &str) {
    terminal.keys(keys);
    terminal.keys("!");
    terminal.wait_for(comes);
}

#[test]
fn the_plan_says_whether_what_is_accepted_passes() {
    let project = Project::new();
    let mut terminal = project.review_by(CHECK);
    plan(&terminal, "", "failed with exit code 3");
    terminal.wait_for("rows = 12");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    plan(&terminal, "a", "passed in");
    terminal.wait_for("rows = 16");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    terminal.keys("gay");
    terminal.wait_for("3 ✓");
    plan(&terminal, "", "took too long: ended after 2");
    // A run that goes on ends with the review, and nothing of it stays.
    terminal.keys("r");
    terminal.wait_for("runs on a copy of the files");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
    project.expect_untouched();
    let around = fs::read_dir(project.path("..")).unwrap();
    let names = around.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| name.contains("check")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_reviewer_that_stays_open_tries_what_waits_for_its_answer() {
    let project = Project::new();
    let mut terminal = project.review_by(
        "exec $countersign serve --root garden --grace 0 --set 'check.command=\
            grep rows beds.toml; grep -q twice notes.md && exit 4; grep -q 16 beds.toml'",
    );
    terminal.wait_for("Nothing to review");
    let beds = edit("beds.toml", "rows = 12", "rows = 16");
    let more = submit(&project, "claude", &beds, &[]);
    terminal.wait_for("claude proposes");
    // Accepted it would be written: it is tried before.
    plan(&terminal, "", "passed in");
    terminal.wait_for("undecided hunks count as accepted");
    terminal.wait_for("rows = 16");
    assert!(project.read("beds.toml").contains("rows = 12"));
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    // Of one file the second waits for the first, and is no part of it; what is of others is.
    let again = edit("beds.toml", "rows = 16", "rows = 20");
    let later = submit(&project, "codex", &again, &[]);
    terminal.wait_for("waits: an earlier proposal");
    let wet = edit("notes.md", "Water the beans.", "Water the beans twice.");
    let wet = submit(&project, "gemini", &wet, &[]);
    terminal.wait_for("gemini proposes");
    plan(&terminal, "", "failed with exit code 4");
    terminal.wait_for("rows = 16");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    // What has its answer counts no more, though it is still looked at: the file is as whoever wrote it last has left it.
    let notes = project.read("notes.md");
    terminal.keys("/beans twice\r");
    terminal.keys("a");
    assert_eq!(ended(wet).0, Some(0));
    terminal.wait_for("gemini, notes.md: applied");
    project.write("notes.md", &notes);
    plan(&terminal, "", "passed in");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    terminal.keys("/rows = 16\r");
    terminal.keys("a");
    assert_eq!(ended(more).0, Some(0));
    terminal.wait_for("next for beds.toml: codex");
    plan(&terminal, "", "failed with exit code 1");
    terminal.wait_for("rows = 20");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    terminal.keys("ZQ");
    assert_eq!(ended(later).0, Some(2));
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
}

#[test]
fn the_hunk_that_breaks_the_check_is_found() {
    let project = Project::new();
    let mut terminal = project.review_by(
        "exec $countersign review --set 'check.command=\
            grep -nH 16 beds.toml; test ! -e shed.toml' --root garden edit.md",
    );
    terminal.keys("gay");
    terminal.wait_for("3 ✓");
    plan(&terminal, "", "failed with exit code 1");
    terminal.wait_for("hunk 1: the check names line 3, which it adds");
    terminal.keys("b");
    terminal.wait_for(
        "hunk 1 of shed.toml breaks it: passes with 2 more, fails when it is added; 3 runs",
    );
    terminal.keys("b");
    terminal.wait_for("this hunk breaks the check");
    // It is the one at the cursor.
    terminal.keys("r");
    plan(&terminal, "", "passed in");
    terminal.keys("b");
    terminal.wait_for("the check has not failed");
    terminal.keys(ESC);
    terminal.wait_gone("Check:");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
    project.expect_untouched();
}
