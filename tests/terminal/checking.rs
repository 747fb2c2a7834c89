//! The check command runs on a copy of the files with what is accepted, and on nothing else.

use std::fs;

use crate::ESC;
use crate::project::Project;
use crate::pty::Terminal;

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
