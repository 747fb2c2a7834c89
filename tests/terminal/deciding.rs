//! Proposals of the resident reviewer that are listed and decided from another terminal, and notifications of them.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::project::Project;
use crate::schema;
use crate::serving::{edit, ended, serve, submit};

/// Runs `countersign decide` with arguments: the exit code, standard output, standard error.
fn decide(project: &Project, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.args(["decide", "--root", "garden"]).args(arguments);
    project.prepare(&mut command);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// The JSON document of `countersign decide`, which is valid whatever the exit code is.
#[track_caller]
fn document(project: &Project, arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, out, _) = decide(project, &[arguments, &["--report", "json"]].concat());
    schema::expect_valid(include_str!("../../assets/pending.schema.json"), &out).unwrap();
    (code, serde_json::from_str(&out).unwrap())
}

/// The id of the proposal that an agent waits with.
#[track_caller]
fn id_of(project: &Project, agent: &str) -> String {
    let (_, listed) = document(project, &[]);
    let all = listed["proposals"].as_array().unwrap();
    let own = all.iter().find(|one| one["agent"] == agent).unwrap();
    own["id"].as_str().unwrap().to_owned()
}

fn two_files() -> String {
    edit("beds.toml", "rows = 12", "rows = 16")
        + &edit("notes.md", "Water the beans.", "Water the beans twice.")
}

#[test]
fn a_proposal_is_shown_and_decided_from_a_terminal_of_40_columns() {
    let project = Project::new();
    let mut terminal = serve(&project, "--remote");
    let client = submit(&project, "claude", &two_files(), &[]);
    terminal.wait_for("claude proposes beds.toml");
    let id = id_of(&project, "claude");
    let phone = |arguments: &str| {
        let command = format!("exec $countersign decide --root garden {arguments}");
        project.run_sized(&command, (40, 24))
    };
    let mut listed = phone("");
    assert_eq!(listed.end(), Ok(0));
    listed.wait_for(&format!("{id}  claude, "));
    listed.wait_for("  hunk 2.1, line 3, +1 -1");
    let mut shown = phone(&id);
    assert_eq!(shown.end(), Ok(0));
    shown.wait_for("-rows = 12");
    shown.wait_for("+rows = 16");
    shown.wait_for("accept|reject");
    let mut decided = phone(&format!("{id} accept --hunk 1.1"));
    assert_eq!(decided.end(), Ok(0));
    decided.wait_for("claude: 1 hunk accepted, 1 undecided");
    terminal.wait_for("from another terminal: claude: 1 hunk accepted, 1 undecided");
    terminal.wait_for("1 ✓  1 ·");
    let (_, listed) = document(&project, &[]);
    let hunk = |file: usize| &listed["proposals"][0]["files"][file]["hunks"][0]["decision"];
    assert_eq!(
        (hunk(0), hunk(1)),
        (&"accepted".into(), &"undecided".into())
    );
    // The last decision is answered with what was written.
    let (code, decided) = document(&project, &[&id, "reject", "--comment", "once is enough"]);
    assert_eq!(code, Some(0));
    assert_eq!(decided["decided"]["status"], "partial");
    assert_eq!(decided["decided"]["undecided"], 0);
    let (code, out, _) = ended(client);
    assert_eq!(code, Some(1));
    assert!(out.contains("once is enough"), "{out}");
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    terminal.wait_for("Nothing to review");
    assert_eq!(decide(&project, &[]).1, "nothing waits\n");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn what_rules_accepted_is_released_or_rejected_as_a_whole() {
    for (decision, code) in [("accept", 0), ("reject", 2)] {
        let project = Project::new();
        let mut terminal = serve(&project, "--remote --set \"policy.paths=['beds.toml']\"");
        let change = edit("beds.toml", "rows = 12", "rows = 16");
        let client = submit(&project, "claude", &change, &[]);
        terminal.wait_for("1 ✓");
        let id = id_of(&project, "claude");
        let (_, out, _) = decide(&project, &[&id]);
        assert!(out.contains("accepted\n    by policy: paths"), "{out}");
        assert_eq!(decide(&project, &[&id, decision]).0, Some(0));
        assert_eq!(ended(client).0, Some(code));
        terminal.keys("ZZ");
        assert_eq!(terminal.end(), Ok(0));
    }
}

#[test]
fn what_has_changed_since_it_was_listed_is_not_decided() {
    let project = Project::new();
    let mut terminal = serve(&project, "--remote");
    let client = submit(&project, "claude", &two_files(), &[]);
    terminal.wait_for("claude proposes beds.toml");
    let before = id_of(&project, "claude");
    let text = project.read("beds.toml");
    project.write("beds.toml", &format!("# spring\n{text}"));
    terminal.wait_for("beds.toml: changed on disk, placed again");
    let now = id_of(&project, "claude");
    assert_ne!(before, now);
    let (code, _, told) = decide(&project, &[&before, "accept"]);
    assert_eq!(code, Some(2));
    let named = format!("has changed since it was listed as {before}; it is {now} now");
    assert!(told.contains(&named), "{told}");
    let (code, refused) = document(&project, &[&before]);
    assert_eq!(
        (code, refused["proposals"].as_array().map(Vec::len)),
        (Some(2), Some(0))
    );
    let (code, _, told) = decide(&project, &["9-000000", "accept"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("no proposal `9-000000` waits"), "{told}");
    let (code, _, told) = decide(&project, &[&now, "accept", "--hunk", "7"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("no hunk 7 of"), "{told}");
    terminal.wait_for("2 files  2 ·");
    assert_eq!(decide(&project, &[&now, "accept"]).0, Some(0));
    assert_eq!(ended(client).0, Some(0));
    assert!(project.read("beds.toml").starts_with("# spring\n"));
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn nothing_is_decided_unasked_in_the_middle_of_something_or_in_a_batch_that_needs_attention() {
    let project = Project::new();
    // Without `--remote` what waits can be read, not decided.
    let mut terminal = serve(&project, "");
    let client = submit(&project, "claude", &two_files(), &[]);
    terminal.wait_for("claude proposes beds.toml");
    let id = id_of(&project, "claude");
    let (code, _, told) = decide(&project, &[&id, "accept"]);
    assert_eq!(code, Some(2));
    assert!(
        told.contains("this reviewer takes decisions at its screen only"),
        "{told}"
    );
    terminal.keys("ZZ");
    terminal.wait_for("Finish the review");
    terminal.keys("w");
    assert_eq!(terminal.end(), Ok(0));
    assert_eq!(ended(client).0, Some(2));
    project.expect_untouched();

    let mut terminal = serve(&project, "--remote --set guard.protected=notes.md");
    let client = submit(&project, "claude", &two_files(), &[]);
    terminal.wait_for("claude proposes beds.toml");
    terminal.keys("chalf a sentence");
    terminal.wait_for("half a sentence");
    let id = id_of(&project, "claude");
    let (code, _, told) = decide(&project, &[&id, "accept"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("is open on the screen"), "{told}");
    terminal.keys("\x1b");
    terminal.wait_gone("half a sentence");
    let (code, out, _) = decide(&project, &[&id, "accept"]);
    let left =
        "claude: 1 hunk accepted, left out: 1 undecided hunk needs attention (2.1), 1 undecided\n";
    assert_eq!((code, out.as_str()), (Some(1), left));
    project.expect_untouched();
    assert_eq!(
        decide(&project, &[&id, "accept", "--hunk", "2.1"]).0,
        Some(0)
    );
    assert_eq!(ended(client).0, Some(0));
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn a_decision_that_is_taken_back_at_the_screen_is_not_reported_as_done() {
    let project = Project::new();
    let mut terminal = serve(&project, "--remote --grace 1000");
    let client = submit(
        &project,
        "claude",
        &edit("beds.toml", "rows = 12", "rows = 16"),
        &[],
    );
    terminal.wait_for("claude proposes beds.toml");
    let id = id_of(&project, "claude");
    let decided = std::thread::scope(|scope| {
        let decider = scope.spawn(|| decide(&project, &[&id, "reject"]));
        terminal.wait_for("claude gets the answer in 1000 s");
        terminal.keys("u");
        decider.join().unwrap()
    });
    assert_eq!(decided.0, Some(2));
    assert!(
        decided.2.contains("taken back at the screen"),
        "{}",
        decided.2
    );
    assert_eq!(decide(&project, &[&id, "accept"]).0, Some(0));
    assert_eq!(ended(client).0, Some(0));
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn a_person_who_is_away_is_notified_and_nothing_waits_for_the_command() {
    let project = Project::new();
    // The command notes what it gets and then hangs.
    project.write(
        "../notify.sh",
        "env | grep ^COUNTERSIGN_ > env; cat > new.json; mv new.json waits.json; sleep 600\n",
    );
    let mut terminal = serve(
        &project,
        "--notify '. ./notify.sh' --set serve.notify_after=0",
    );
    let agent = "@file $(touch hacked); `touch hacked`'\"";
    let client = submit(&project, agent, &two_files(), &[]);
    terminal.wait_for("proposes beds.toml");
    let written = || fs::read_to_string(project.path("../waits.json")).ok();
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while written().is_none() {
        assert!(
            std::time::Instant::now() < deadline,
            "no notification\n{terminal}"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let waits = written().unwrap();
    schema::expect_valid(include_str!("../../assets/pending.schema.json"), &waits).unwrap();
    let waits: Value = serde_json::from_str(&waits).unwrap();
    assert_eq!(waits["proposals"][0]["agent"], agent);
    let variables = project.read("../env");
    let line = |name: &str| {
        variables
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap()
    };
    assert_eq!(
        line("COUNTERSIGN_MESSAGE="),
        format!("1 proposal waits: {agent} (beds.toml, notes.md)")
    );
    assert_eq!(line("COUNTERSIGN_PROPOSALS="), waits["proposals"][0]["id"]);
    assert_eq!(line("COUNTERSIGN_WAITING="), "1");
    terminal.keys("aa");
    assert_eq!(ended(client).0, Some(0));
    assert!(!project.has("../hacked") && !project.has("hacked"));
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn the_command_runs_once_for_each_proposal() {
    let project = Project::new();
    project.write(
        "../notify.sh",
        "echo \"$COUNTERSIGN_PROPOSALS of $COUNTERSIGN_WAITING: $COUNTERSIGN_MESSAGE\" >> runs; exit 1\n",
    );
    let mut terminal = serve(
        &project,
        "--notify '. ./notify.sh' --set serve.notify_after=0",
    );
    let runs = |count: usize| {
        let read = || fs::read_to_string(project.path("../runs")).unwrap_or_default();
        let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
        while read().lines().count() < count {
            assert!(std::time::Instant::now() < deadline, "{}", read());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        read()
    };
    let beds = edit("beds.toml", "rows = 12", "rows = 16");
    let claude = submit(&project, "claude", &beds, &[]);
    runs(1);
    terminal.wait_for("the notification command failed: it ended with exit code 1");
    let notes = edit("notes.md", "Water the beans.", "Water the beans twice.");
    let codex = submit(&project, "codex", &notes, &[]);
    runs(2);
    // The notice of the proposal may already have given way to that of the command.
    terminal.wait_for("· notes.md");
    let ids = [id_of(&project, "claude"), id_of(&project, "codex")];
    terminal.keys("aa");
    assert_eq!((ended(claude).0, ended(codex).0), (Some(0), Some(0)));
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
    let expected = format!(
        "{} of 1: 1 proposal waits: claude (beds.toml)\n\
         {} of 2: 2 proposals wait: claude (beds.toml), codex (notes.md)\n",
        ids[0], ids[1]
    );
    assert_eq!(runs(2), expected);
}

#[test]
fn a_person_at_the_screen_is_not_notified_and_a_command_that_fails_is_named() {
    let project = Project::new();
    let mut terminal = serve(&project, "--notify 'touch notified'");
    let client = submit(&project, "claude", &two_files(), &[]);
    terminal.wait_for("claude proposes beds.toml");
    terminal.keys("aa");
    assert_eq!(ended(client).0, Some(0));
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
    assert!(!project.has("../notified"));

    let mut terminal = serve(
        &project,
        "--notify 'echo no route; exit 7' --set serve.notify_after=0",
    );
    let more = edit("beds.toml", "rows = 16", "rows = 20");
    let client = submit(&project, "claude", &more, &[]);
    terminal.wait_for("the notification command failed: it ended with exit code 7: no route");
    terminal.keys("a");
    assert_eq!(ended(client).0, Some(0));
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}

#[test]
fn conflicts_are_forecast_and_each_agent_is_listed_with_its_wait() {
    let project = Project::new();
    let mut terminal = serve(&project, "--remote");
    let first = edit("beds.toml", "rows = 12", "rows = 16");
    let claude = submit(&project, "claude", &first, &[]);
    terminal.wait_for("claude proposes beds.toml");
    terminal.wait_for("Waiting");
    let second =
        edit("beds.toml", "count = 4", "count = 5") + &edit("beds.toml", "rows = 12", "rows = 20");
    let codex = submit(&project, "codex", &second, &["--report", "agent"]);
    // It is named on both sides before the first is decided.
    terminal.wait_for("hunk 1 and codex's hunk 2 change the same lines");
    terminal.wait_for("waits: an earlier proposal for this file is decided first");
    terminal.wait_for("hunk 2 and claude's hunk 1 change the same lines");
    terminal.wait_until("both agents with their times", |screen| {
        let text = screen.contents();
        let waits = |agent: &str| {
            let row = format!(" {agent} ");
            let mut rows = text.lines().skip_while(|line| !line.contains(" Waiting "));
            rows.any(|line| line.starts_with(&row))
        };
        waits("claude") && waits("codex")
    });
    let (_, listed) = document(&project, &[]);
    let notes = |at: usize| listed["proposals"][at]["files"][0]["notes"].to_string();
    assert!(
        notes(0).contains("hunk 1 and codex's hunk 2 change the same lines"),
        "{listed}"
    );
    assert!(
        notes(1).contains("hunk 2 and claude's hunk 1 change the same lines"),
        "{listed}"
    );
    assert_eq!(listed["proposals"][1]["files"][0]["held"], true);
    let id = id_of(&project, "claude");
    assert_eq!(decide(&project, &[&id, "accept"]).0, Some(0));
    assert_eq!(ended(claude).0, Some(0));
    // The other is placed in what the first left: what met is not there any more.
    terminal.wait_gone("change the same lines");
    terminal.wait_for("its lines have changed since");
    let id = id_of(&project, "codex");
    assert_eq!(decide(&project, &[&id, "accept", "--hunk", "1"]).0, Some(0));
    let (code, out, _) = ended(codex);
    assert_eq!(code, Some(1), "{out}");
    assert!(project.read("beds.toml").contains("count = 5\nrows = 16\n"));
    terminal.wait_for("Nothing to review");
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0));
}
