//! What was written is taken back although files have changed since, and what was decided is listed.

use crate::project::Project;

const APPLY: &str = "exec $countersign apply --root garden edit.md";
const UNDO: &str = "exec $countersign undo --root garden";

/// Takes back the latest batch, an undo too, by its name.
const UNDO_LATEST: &str = "exec $countersign undo --root garden \"$($countersign log --root garden | head -n 1 | cut -d ' ' -f 1)\"";

fn applied() -> Project {
    let project = Project::new();
    assert_eq!(project.run(APPLY).end(), Ok(0));
    project
}

#[test]
fn what_came_later_stays_when_a_batch_is_taken_back() {
    let project = applied();
    let notes = project.read("notes.md");
    project.write("notes.md", &format!("{notes}Rake the leaves.\n"));
    let mut terminal = project.review_by(UNDO);
    terminal.wait_for("Take back what was written");
    terminal.keys("gay");
    terminal.wait_for("3 ✓");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert_eq!(
        project.read("notes.md"),
        "# Notes\n\nWater the beans.\nCut the hedge.\nRake the leaves.\n"
    );
    assert!(project.read("beds.toml").contains("rows = 12\n"));
    assert!(!project.has("shed.toml"));

    // It was a commit of its own, and can be taken back as well.
    assert_eq!(project.run(UNDO_LATEST).end(), Ok(0));
    assert!(project.read("notes.md").contains("twice.\n"));
    assert!(project.has("shed.toml"));
}

#[test]
fn what_came_later_on_the_same_lines_goes_only_after_a_look() {
    let project = applied();
    let notes = project.read("notes.md").replace("twice", "thrice");
    project.write("notes.md", &notes);
    project.write("shed.toml", "[shed]\ndoor = \"green\"\nroof = \"tin\"\n");
    let mut terminal = project.review_by(UNDO);
    terminal.keys("gay");
    terminal.wait_for("1 ✓  2 ·");
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert_eq!(project.read("notes.md"), notes);
    assert!(project.has("shed.toml"));
    assert!(project.read("beds.toml").contains("rows = 12\n"));
}

#[test]
fn without_a_terminal_nothing_is_taken_back_from_under_a_later_change() {
    let project = applied();
    project.write("notes.md", "Other notes.\n");
    let rehearsed = project
        .run("exec $countersign undo --dry-run --root garden > said")
        .end();
    assert_eq!(rehearsed, Ok(2));
    let said = project.read("../said");
    assert!(said.contains("beds.toml: would restore it\n"), "{said}");
    assert!(
        said.contains("notes.md: changed since: a review asks about 1 of its hunks"),
        "{said}"
    );
    assert!(said.contains("shed.toml: would remove it\n"), "{said}");
    let undone = "setsid -w $countersign undo --root garden > said 2>&1 < /dev/null";
    assert_eq!(project.run(undone).end(), Ok(2));
    let said = project.read("../said");
    assert!(
        said.contains("changed on disk since the review: `notes.md`"),
        "{said}"
    );
    assert!(
        said.contains("hint: `countersign undo` on a terminal"),
        "{said}"
    );
    assert_eq!(project.read("notes.md"), "Other notes.\n");
    assert!(project.has("shed.toml"));
}

#[test]
fn a_finished_review_is_in_the_log() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("arZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    let mut terminal = project.review();
    terminal.keys("rrZZ");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");

    let said = |command: &str| {
        let command = format!("exec $countersign log --root garden {command} > said");
        assert_eq!(project.run(&command).end(), Ok(0));
        project.read("../said")
    };
    let list = said("");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 2, "{list}");
    assert!(
        lines[0].ends_with("review: refused: 2 of 3 hunks not applied; nothing is written"),
        "{list}"
    );
    assert!(
        lines[1].contains("beds.toml  review: partial: 1 hunk written in 1 file, 2 not"),
        "{list}"
    );

    let id = lines[1].split(' ').next().unwrap();
    let shown = said(id);
    for line in [
        "reviewed with `countersign review`",
        "  More rows, more water, and a shed.",
        "applied         beds.toml:3  hunk 1",
        "rejected        notes.md:3  hunk 1",
        "  before  ",
    ] {
        assert!(shown.contains(line), "{line:?}\n{shown}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&said(&format!("{id} --report json"))).unwrap();
    assert_eq!(json["review"]["report"]["hunks"][1]["status"], "rejected");
    assert_eq!(json["files"][0]["path"], "beds.toml");
    let json: serde_json::Value = serde_json::from_str(&said("--report json")).unwrap();
    assert_eq!(json["schema"], "countersign-log/1");
    assert_eq!(json["entries"][1]["id"], id);
}
