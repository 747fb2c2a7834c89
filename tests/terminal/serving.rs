//! The reviewer that stays open, with proposals from other processes.

use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use crate::keeping::wait_for_kept;
use crate::project::Project;
use crate::pty::Terminal;
use crate::schema;

/// Runs the reviewer.
pub(crate) fn serve(project: &Project, arguments: &str) -> Terminal {
    let command = format!("exec $countersign serve --root garden {arguments}");
    project.review_by(&command)
}

/// Hands edits over from another process.
pub(crate) fn submit(project: &Project, agent: &str, edits: &str, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.args([
        "submit",
        "--no-overlay",
        "--root",
        "garden",
        "--agent",
        agent,
    ]);
    command.args(arguments).arg("-");
    project.prepare(&mut command);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, edits.as_bytes()).unwrap();
    child
}

/// What it came to: the exit code, standard output, standard error.
pub(crate) fn ended(child: Child) -> (Option<i32>, String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

pub(crate) fn edit(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

#[test]
fn proposals_come_are_decided_and_answered() {
    let project = Project::new();
    let mut terminal = serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    terminal.wait_for("countersign submit");
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let first = submit(&project, "claude", &more, &["--report", "agent"]);
    terminal.wait_for("claude proposes beds.toml");
    terminal.wait_for("rows = 16");
    let second = submit(
        &project,
        "codex",
        &edit("beds.toml", "rows = 16", "rows = 20"),
        &[],
    );
    terminal.wait_for("waits: an earlier proposal for this file is decided first");
    let wet = edit("notes.md", "Water the beans.", "Water the beans twice.");
    let third = submit(&project, "gemini", &wet, &["--report", "json"]);
    terminal.wait_for("gemini proposes notes.md");
    terminal.keys("a");
    let (code, out, _) = ended(first);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "Applied as sent: 1 hunk.\n")
    );
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    // The third is decided before the second: they have nothing to do with each other.
    terminal.wait_for("rows = 20");
    terminal.keys("gg");
    terminal.keys("/beans twice\r");
    terminal.keys("vctoo wet\r");
    terminal.wait_for("too wet");
    terminal.keys("r");
    let (code, out, _) = ended(third);
    schema::expect_valid(include_str!("../../assets/verdict.schema.json"), &out).unwrap();
    let verdict: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(2));
    assert_eq!(verdict["status"], "refused");
    let said = &verdict["comments"][0];
    assert_eq!(said["text"], "too wet");
    assert_eq!(said["new"]["first"], 3);
    assert_eq!(said["quoted"].as_array().map(Vec::len), Some(2));
    terminal.keys("gg");
    terminal.wait_for("rows = 20");
    terminal.keys("ga");
    terminal.wait_for("Accept several hunks");
    terminal.keys("y");
    let (code, out, _) = ended(second);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "Applied as sent: 1 hunk.\n")
    );
    assert!(project.read("beds.toml").contains("rows = 20\n"));
    terminal.wait_for("Nothing to review");
    terminal.wait_for("Lately");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    terminal.keys("w");
    assert_eq!(terminal.end(), Ok(0));
    terminal.expect_restored();
}

#[test]
fn a_rejection_waits_for_a_word() {
    let project = Project::new();
    let mut terminal = serve(&project, "--grace 1000");
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let client = submit(&project, "claude", &more, &[]);
    terminal.wait_for("rows = 16");
    terminal.keys("r");
    terminal.wait_for("claude gets the answer in 1000 s; c adds a reason");
    terminal.keys("cfourteen is enough\r");
    let (code, out, _) = ended(client);
    assert_eq!(code, Some(2));
    assert!(
        out.contains("the reviewer says: fourteen is enough"),
        "{out}"
    );
    terminal.wait_for("Nothing to review");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
    project.expect_untouched();
}

#[test]
fn what_the_person_changes_is_told_and_not_to_be_changed_back() {
    let project = Project::new();
    let mut terminal = serve(&project, "");
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let client = submit(&project, "claude", &more, &["--report", "agent"]);
    terminal.wait_for("rows = 16");
    terminal.keys("i");
    terminal.wait_for("Esc keep");
    terminal.keys("\x1b[F\x7f5");
    terminal.wait_for("rows = 15");
    terminal.keys("\x1b");
    terminal.wait_gone("Esc keep");
    terminal.keys("a");
    let (code, out, _) = ended(client);
    assert_eq!(code, Some(0), "{out}");
    let expected = "\
Applied, with changes by the reviewer.
beds.toml
  hunk 1 (line 3): applied as the reviewer changed it; do not change it back:
    -rows = 16
    +rows = 15
";
    assert_eq!(out, expected);
    terminal.wait_for("Nothing to review");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn a_killed_reviewer_has_written_nothing_and_the_next_one_knows_what_was_decided() {
    let project = Project::new();
    let mut terminal = serve(&project, "");
    let both = edit("beds.toml", "rows = 12", "rows = 16")
        + &edit("notes.md", "Water the beans.", "Water the beans twice.");
    let client = submit(&project, "claude", &both, &[]);
    terminal.wait_for("2 files");
    terminal.keys("a");
    terminal.wait_for("1 ✓  1 ·");
    wait_for_kept(&project, |kept| kept.contains("accepted"));
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end(), Err("Killed".to_owned()));
    let (code, out, told) = ended(client);
    assert_eq!((code, out.as_str()), (Some(4), ""), "{told}");
    assert!(
        told.contains("the reviewer has ended without a verdict"),
        "{told}"
    );
    project.expect_untouched();

    let mut terminal = serve(&project, "");
    let client = submit(&project, "claude", &both, &[]);
    terminal.wait_for("1 decided before, as you left them");
    terminal.wait_for("1 ✓  1 ·");
    terminal.keys("a");
    let (code, _, told) = ended(client);
    assert_eq!(code, Some(0), "{told}");
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    terminal.wait_for("Nothing to review");
    terminal.keys("\x03\x03");
    assert_eq!(terminal.end(), Ok(130));
}

#[test]
fn a_client_that_is_killed_has_withdrawn() {
    let project = Project::new();
    let mut terminal = serve(&project, "");
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let mut client = submit(&project, "claude", &more, &[]);
    terminal.wait_for("rows = 16");
    client.kill().unwrap();
    client.wait().unwrap();
    terminal.wait_for("withdrawn by claude: nothing of it can be written any more");
    terminal.keys("a");
    terminal.wait_for("Nothing to review");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
    project.expect_untouched();
}

#[test]
fn nobody_there_is_said_and_nothing_is_written() {
    let project = Project::new();
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let (code, out, told) = ended(submit(&project, "claude", &more, &[]));
    assert_eq!((code, out.as_str()), (Some(2), ""));
    // The whole path tells which of the folders of that name is meant.
    let named = told.contains("no reviewer serves `/") && told.contains("/garden`");
    assert!(named, "{told}");
    assert!(
        told.contains("hint: run `countersign serve` in a terminal of its own"),
        "{told}"
    );
    project.expect_untouched();
}

#[test]
fn a_reviewer_for_one_proposal_leaves_after_it() {
    let project = Project::new();
    let mut terminal = serve(&project, "--once");
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let client = submit(&project, "claude", &more, &["--wait", "60"]);
    terminal.wait_for("rows = 16");
    terminal.keys("a");
    assert_eq!(ended(client).0, Some(0));
    assert_eq!(terminal.end(), Ok(0));
    terminal.expect_restored();
}

/// What was accepted of a proposal that could only be taken as a whole is accepted when it comes again.
#[test]
fn what_was_held_back_is_accepted_in_the_next_proposal() {
    let project = Project::new();
    let mut terminal = serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    let more = edit("beds.toml", "rows = 12", "rows = 16");
    let wet = edit("notes.md", "Water the beans.", "Water the beans twice.");
    let first = submit(&project, "claude", &(more.clone() + &wet), &["--whole"]);
    terminal.wait_for("rows = 16");
    terminal.keys("a");
    terminal.wait_for("1 ✓");
    terminal.keys("r");
    assert_eq!(ended(first).0, Some(2));
    assert!(project.read("beds.toml").contains("rows = 12\n"));
    terminal.wait_for("Nothing to review");
    let less = edit("notes.md", "Cut the hedge.", "Leave the hedge.");
    let second = submit(&project, "claude", &(more + &less), &["--whole"]);
    terminal.wait_for("1 hunk is accepted as in an earlier review");
    terminal.wait_for("accepted before");
    terminal.wait_for("Leave the hedge.");
    terminal.keys("]a");
    assert_eq!(ended(second).0, Some(0));
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    assert!(project.read("notes.md").contains("Leave the hedge.\n"));
    terminal.wait_for("Nothing to review");
    terminal.keys("q");
    terminal.wait_for("Finish the review");
    terminal.keys("w");
    assert_eq!(terminal.end(), Ok(0));
}
