//! How alike a reworded place must be is changed while the review is open.

use crate::project::Project;
use crate::serving::{ended, serve, submit};

const EDIT: &str = "\
beds.toml
<<<<<<< SEARCH
rows = 12
=======
rows = 16
>>>>>>> REPLACE

notes.md
<<<<<<< SEARCH
Water the beans in the evening.
Cut the hegde before March.
Sow the carrots in rows.
Mend the fence by the gate.
=======
Water the beans in the evening.
Cut the hegde before March.
Sow the carrots in two rows.
Mend the fence by the gate.
>>>>>>> REPLACE
";

#[test]
fn everything_is_placed_anew_and_decisions_stay() {
    let project = Project::new();
    project.write("../edit.md", EDIT);
    let notes = "Water the beans in the evening.\nCut the hedge before March.\n\
        Sow the carrots in rows.\nMend the fence by the gate.\n";
    project.write("notes.md", notes);
    let mut terminal =
        project.review_by("exec $countersign review --precision 0.8 --root garden edit.md");
    terminal.wait_for("2 files  2 ·");
    terminal.keys("a");
    terminal.wait_for("1 ✓  1 ·");
    terminal.keys("g>g>g>g>");
    terminal.wait_for("match threshold is 1.00: no decision changed, 0 without a place");
    // It is shown at its place, and is not sure any more.
    terminal.wait_for("too many of its lines");
    terminal.keys("g<g<g<g<");
    terminal.wait_for("match threshold is 0.80: no decision changed, 0 without a place");
    terminal.wait_for("1 ✓  1 ·");
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert!(project.read("beds.toml").contains("rows = 16"));
    assert_eq!(project.read("notes.md"), notes);
}

#[test]
fn a_proposal_is_placed_anew_while_its_agent_waits() {
    let project = Project::new();
    let notes = "Water the beans in the evening.\nCut the hedge before March.\n\
        Sow the carrots in rows.\nMend the fence by the gate.\n";
    project.write("notes.md", notes);
    let mut terminal = serve(&project, "--grace 0 --set place.precision=0.8");
    terminal.wait_for("Nothing to review");
    terminal.keys("g<");
    terminal.wait_for("no edit here that can be placed again");
    let waits = submit(&project, "claude", EDIT, &[]);
    terminal.wait_for("claude proposes");
    terminal.wait_for("2 files  2 ·");
    terminal.keys("g>g>g>g>");
    terminal.wait_for("claude: match threshold is 1.00: 0 without a place");
    terminal.wait_for("too many of its lines");
    terminal.keys("g<g<g<g<");
    terminal.wait_for("claude: match threshold is 0.80: 0 without a place");
    // It takes all or nothing; its hunk keeps its place, so that all of it can be decided.
    let (_, notes) = EDIT.split_at(EDIT.find("notes.md").unwrap());
    let whole = submit(&project, "codex", notes, &["--whole"]);
    terminal.wait_for("codex proposes");
    terminal.keys("/rows = 16\r");
    terminal.keys("a");
    terminal.keys("/two rows\r");
    terminal.keys("r");
    assert_eq!(ended(waits).0, Some(1));
    terminal.wait_for("next for notes.md: codex");
    terminal.keys("}");
    terminal.keys("g>g>g>g>");
    terminal.wait_for("codex: match threshold is 1.00: 0 without a place");
    terminal.keys("ZQ");
    assert_eq!(ended(whole).0, Some(2));
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
}
