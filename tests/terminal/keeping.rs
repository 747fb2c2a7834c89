//! A review outlives its terminal, and follows the files.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::project::{Project, REVIEW};
use crate::{CTRL_C, ESC};

/// Waits until what is kept of a review is on disk.
#[track_caller]
pub(crate) fn wait_for_kept(project: &Project, is_so: impl Fn(&str) -> bool) {
    wait_until_kept(project, |kept| kept.is_some_and(&is_so));
}

/// Waits until what is kept is so, or until nothing is kept and that is so.
fn wait_until_kept(project: &Project, is_so: impl Fn(Option<&str>) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !is_so(project.kept().as_deref()) {
        assert!(Instant::now() < deadline, "{:?}", project.kept());
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_review_goes_on() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("a");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F, and the roses.");
    terminal.wait_for("and the roses");
    terminal.keys(ESC);
    terminal.wait_gone("Esc keep");
    terminal.keys("cnot so wet\r");
    terminal.wait_for("not so wet");
    wait_for_kept(&project, |kept| kept.contains("not so wet"));
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end(), Err("Killed".to_owned()));
    project.expect_untouched();

    let mut terminal = project.review_by("exec $countersign review --resume --root garden edit.md");
    terminal.wait_for("an earlier review continues: 2 hunks as you left them");
    terminal.wait_for("1 ✓  1 ✎  2 ·");
    terminal.wait_for("not so wet");
    terminal.wait_for("and the roses");
    terminal.keys("gay");
    terminal.wait_for("3 ✓");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert!(
        project
            .read("notes.md")
            .contains("twice., and the roses.\n")
    );
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    assert_eq!(project.kept(), None, "a finished review is not kept");
}

#[test]
fn an_edit_in_progress_outlives_a_kill() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F # half a thou");
    terminal.wait_for("half a thou");
    wait_for_kept(&project, |kept| kept.contains("half a thou"));
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end(), Err("Killed".to_owned()));
    project.expect_untouched();

    let mut terminal = project.review_by("exec $countersign review --resume --root garden edit.md");
    terminal.wait_for("1 ✎  3 ·");
    terminal.wait_for("half a thou");
    terminal.keys("aZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert!(project.read("beds.toml").contains("# half a thou\n"));
}

#[test]
fn what_is_being_typed_outlives_the_terminal() {
    for (begin, typed) in [("i", "\x1b[F # half a thou"), ("c", "half a thou")] {
        let project = Project::new();
        let mut terminal = project.review();
        terminal.keys("a");
        terminal.wait_for("1 ✓  2 ·");
        terminal.keys(begin);
        terminal.wait_for("Esc");
        terminal.keys(typed);
        terminal.wait_for("half a thou");
        terminal.signal(Signal::HUP);
        assert_eq!(terminal.end(), Ok(130), "{terminal}");
        project.expect_untouched();

        let terminal = project.review();
        terminal.wait_for("1 ✓");
        terminal.wait_for("half a thou");
    }
}

#[test]
fn an_edit_that_is_dropped_is_not_kept() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F # half a thou");
    wait_for_kept(&project, |kept| kept.contains("half a thou"));
    terminal.keys(CTRL_C);
    terminal.wait_for("y");
    terminal.keys("y");
    terminal.wait_gone("half a thou");
    wait_until_kept(&project, |kept| {
        !kept.is_some_and(|kept| kept.contains("half a thou"))
    });
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end(), Err("Killed".to_owned()));
}

#[test]
fn a_review_is_kept_for_later_until_it_is_discarded() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("ar");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    terminal.keys("k");
    assert_eq!(terminal.end(), Ok(2));
    terminal.wait_for("the same edits take it up again");
    terminal
        .wait_for("kept for later: 1 accepted, 1 rejected, 1 not decided yet; nothing is written");
    project.expect_untouched();

    let mut terminal = project.review();
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys(&CTRL_C.repeat(2));
    assert_eq!(terminal.end(), Ok(130));

    let mut terminal = project.review();
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    assert_eq!(project.kept(), None);
}

#[test]
fn the_same_hunk_gets_its_verdict_back_in_another_proposal() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("ar");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys(&CTRL_C.repeat(2));
    assert_eq!(terminal.end(), Ok(130));

    let again = "(cat edit.md; echo and so on) | $countersign --root garden";
    let mut terminal = project.review_by(&format!("{again} --resume -"));
    terminal.wait_for("decided in other reviews: 2 hunks");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));

    let mut terminal = project.review_by(&format!("{again} -"));
    // What was accepted is accepted without a word; only what was rejected is asked about.
    terminal.wait_for("1 hunk is accepted as in an earlier review");
    terminal.wait_for("3 files  1 ✓  2 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    assert!(project.kept().is_some(), "the other review is kept still");
}

#[test]
fn a_change_on_disk_shows_and_leaves_other_decisions_alone() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("aa");
    terminal.wait_for("2 ✓  1 ·");
    // Elsewhere in the file: it is still the same hunk.
    project.write(
        "notes.md",
        "# My notes\n\n# Notes\n\nWater the beans.\nCut the hedge.\n",
    );
    terminal.wait_for("notes.md has changed on disk");
    terminal.wait_for("no decision changed");
    terminal.wait_for("2 ✓  1 ·");
    // In the very line.
    project.write("notes.md", "# Notes\n\nWater the peas.\nCut the hedge.\n");
    terminal.wait_for("1 accepted hunk is undecided again");
    // Its place is shown still, and a person has to say that it is meant.
    terminal.wait_for("1 ✓  2 ·");
    // A file comes that is to be made.
    project.write("shed.toml", "[shed]\ndoor = \"red\"\n");
    terminal.wait_for("shed.toml has changed on disk");
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    assert_eq!(
        project.read("notes.md"),
        "# Notes\n\nWater the peas.\nCut the hedge.\n"
    );
}

#[test]
fn a_change_on_disk_does_not_disturb_an_edit() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F # many");
    terminal.wait_for("rows = 16 # many");
    project.write("notes.md", "# Notes\n\nWater the peas.\nCut the hedge.\n");
    project.write(
        "beds.toml",
        "# beds\n[beds]\ncount = 4\nrows = 12\nsoil = \"loam\"\n",
    );
    terminal.keys(" more");
    terminal.wait_for("rows = 16 # many more");
    terminal.keys(ESC);
    terminal.wait_for("changed on disk");
    terminal.wait_for("rows = 16 # many more");
    terminal.wait_for("# beds");
    terminal.keys("aZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    let beds = "# beds\n[beds]\ncount = 4\nrows = 16 # many more\nsoil = \"loam\"\n";
    assert_eq!(project.read("beds.toml"), beds);
}

#[test]
fn a_conflict_at_the_end_goes_back_to_the_review() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("aa");
    terminal.wait_for("2 ✓  1 ·");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    project.write("beds.toml", "[beds]\ncount = 5\nrows = 12\n");
    terminal.keys("w");
    terminal.wait_for("nothing is written yet: changed on disk since the review: beds.toml");
    terminal.wait_for_review();
    terminal.wait_for("1 ✓  2 ·");
    terminal.wait_for("a line around its change");
    assert_eq!(project.read("beds.toml"), "[beds]\ncount = 5\nrows = 12\n");
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert!(
        project
            .read("notes.md")
            .contains("Water the beans twice.\n")
    );
    assert_eq!(project.read("beds.toml"), "[beds]\ncount = 5\nrows = 12\n");
}

#[test]
fn decisions_go_to_a_file_and_come_from_it() {
    let project = Project::new();
    let review = format!("{REVIEW} --decisions decisions.json");
    let mut terminal = project.review_by(&review);
    terminal.keys("ar");
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(2));
    project.expect_untouched();
    assert_eq!(project.kept(), None, "the file stands in for the folder");
    let decisions: serde_json::Value =
        serde_json::from_str(&project.read("../decisions.json")).unwrap();
    assert_eq!(decisions["files"][0]["path"], "beds.toml");
    assert_eq!(decisions["files"][0]["hunks"][0]["decision"], "accepted");

    let mut terminal = project.review_by(&review);
    terminal.wait_for("1 ✓  1 ✗  1 ·");
    terminal.keys(&CTRL_C.repeat(2));
    assert_eq!(terminal.end(), Ok(130));

    let apply = "exec $countersign apply --root garden --decisions decisions.json edit.md";
    let mut terminal = project.run(apply);
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    terminal.wait_for("it was not accepted in `decisions.json`");
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    assert!(project.read("notes.md").contains("Water the beans.\n"));
    assert!(!project.has("shed.toml"));

    project.write("beds.toml", "[beds]\ncount = 4\nrows = 13\n");
    let mut terminal = project.run(apply);
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
    terminal.wait_for("accepted in `decisions.json`, but the hunk has changed since");
    assert_eq!(project.read("beds.toml"), "[beds]\ncount = 4\nrows = 13\n");
}

#[test]
fn there_is_one_reviewer_at_a_time() {
    let project = Project::new();
    let mut first = project.review();
    let mut second = project.run(REVIEW);
    assert_eq!(second.end(), Ok(4), "{second}");
    second.wait_for("another countersign is at work in this folder (process ");
    first.keys("ZQ");
    assert_eq!(first.end(), Ok(2));
    let mut third = project.review();
    third.keys("ZQ");
    assert_eq!(third.end(), Ok(2));
}
