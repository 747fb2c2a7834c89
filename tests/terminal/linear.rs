//! A review line by line: over a pipe, and on a terminal that cannot move its cursor.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use countersign::ui::linear::ANSWERS;

use crate::CTRL_C;
use crate::project::Project;
use crate::pty::Terminal;

/// What came of a review over a pipe.
pub(crate) struct Answered {
    /// Everything that was said.
    pub(crate) said: String,
    /// The report.
    report: String,
    pub(crate) code: Option<i32>,
}

/// Runs the program beside a project, with these answers on standard input.
pub(crate) fn answer(project: &Project, arguments: &[&str], answers: &str) -> Answered {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    project.prepare(&mut command);
    let mut child = command
        .args(arguments)
        .env("EDITOR", "sed -i s/twice/thrice/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
    let output = child.wait_with_output().unwrap();
    Answered {
        said: String::from_utf8(output.stderr).unwrap(),
        report: String::from_utf8(output.stdout).unwrap(),
        code: output.status.code(),
    }
}

pub(crate) fn review(project: &Project, answers: &str) -> Answered {
    answer(
        project,
        &["--linear", "--root", "garden", "edit.md"],
        answers,
    )
}

#[test]
fn a_review_is_a_conversation() {
    let project = Project::new();
    let done = review(&project, "y\nn\nc\ntoo green\ny\nw\n");
    let expected = "\
More rows, more water, and a shed.

3 files, 3 hunks; ? prints what can be answered

beds.toml: modified, +1 -1
Hunk 1 of 1 in beds.toml, inside `[beds]`, line 3, +1 -1, undecided
 [beds]
 count = 4
-rows = 12
+rows = 16
 soil = \"loam\"
(1/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? y

notes.md: modified, +1 -1
Hunk 1 of 1 in notes.md, inside `# Notes`, line 3, +1 -1, undecided
 # Notes
 
-Water the beans.
+Water the beans twice.
 Cut the hedge.
(2/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? n

shed.toml: new, +2 -0
Hunk 1 of 1 in shed.toml, line 1, +2 -0, undecided
+[shed]
+door = \"green\"
(3/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? c
Comment on this hunk, for the agent (an empty line adds no comment): too green
the agent gets the comment
(3/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? y

2 accepted: will be written
1 rejected: left unchanged

2 files will be written, +3 -1
  modify beds.toml  +1 -1  1 of 1 hunk
  create shed.toml  +2 -0  1 of 1 hunk
Write, keep for later, discard, or back [w,k,d,b,?]? w
";
    let folder = project.path("").canonicalize().unwrap();
    let entered = format!("countersign: Entering directory '{}'\n", folder.display());
    assert_eq!(done.said, entered + expected);
    assert_eq!(done.code, Some(1));
    assert!(done.report.contains("too green"), "{}", done.report);
    assert!(project.read("beds.toml").contains("rows = 16\n"));
    assert!(project.read("notes.md").contains("Water the beans.\n"));
    assert!(project.has("shed.toml"));
}

#[test]
fn a_hunk_of_whitespace_or_moved_lines_and_an_unnamed_file_say_so() {
    let project = Project::new();
    project.write(
        "../edit.md",
        "Fixes notes.md and more.md.\n\n--- a/beds.toml\n+++ b/beds.toml\n@@ -2,2 +2,2 @@\n-count = 4\n+count  =  4\n rows = 12\n\
         --- a/notes.md\n+++ b/notes.md\n@@ -3,2 +3,2 @@\n-Water the beans every day.\n Cut the hedge every evening.\n+Water the beans every day.\n",
    );
    project.write(
        "notes.md",
        "# Notes\n\nWater the beans every day.\nCut the hedge every evening.\n",
    );
    let said = review(&project, "y\ny\n").said;
    for words in [
        "beds.toml: modified, +1 -1, not named by the agent\n",
        "\nnamed by the agent, but not changed: more.md\n",
        "line 2, +1 -1, only whitespace, undecided",
        "line 3, +1 -1, only moved lines, undecided",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
}

#[test]
fn answers_that_end_accept_nothing_and_the_review_goes_on() {
    // The last line is cut off, as by a pipe that broke.
    for answers in ["y\nn\n", "y\nn\ny"] {
        let project = Project::new();
        let broken = review(&project, answers);
        assert_eq!(broken.code, Some(130), "{}", broken.said);
        assert!(
            broken.said.contains("the review is kept"),
            "{}",
            broken.said
        );
        project.expect_untouched();
        go_on(&project);
    }
}

fn go_on(project: &Project) {
    let done = review(project, "w\ny\nq\nk\n");
    let goes_on = "an earlier review continues: 2 hunks as you left them";
    assert_eq!(done.said.matches(goes_on).count(), 1, "{}", done.said);
    assert!(done.said.contains("`w` is no answer here; ? prints them"));
    assert!(
        done.said.contains("\n2 accepted: will be written\n"),
        "{}",
        done.said
    );
    assert_eq!(done.code, Some(2), "it was kept for later");
    project.expect_untouched();
    let done = review(project, "w\n");
    assert_eq!(done.code, Some(1), "{}", done.said);
    assert!(project.has("shed.toml"));
}

#[test]
fn every_answer_does_what_the_table_says() {
    let flows = [
        ("y", "y\nq\nk\n", "1 accepted: will be written"),
        ("n", "n\nq\nk\n", "1 rejected: left unchanged"),
        ("a", "a\n", "1 hunk accepted"),
        ("d", "d\n", "1 hunk rejected"),
        (
            "x",
            "y\nK\nx\n",
            "beds.toml, inside `[beds]`, line 3, +1 -1, undecided\n [beds]\n count = 4\n-rows = 12",
        ),
        ("A", "A\ny\n", "3 hunks accepted"),
        ("A", "A\nno\nq\n", "3 undecided: will be rejected"),
        ("R", "R\ny\n", "3 rejected: left unchanged"),
        ("e", "j\ne\ny\n", "+Water the beans thrice."),
        ("=", "j\ne\n=\n", "the agent's text is back"),
        (
            "s",
            "s\n",
            "this hunk has no unchanged line in it to split at",
        ),
        ("l", "l\n", "1 -rows = 12\n2 +rows = 16\n"),
        (
            "l",
            "y 2\nl\n",
            "1 line accepted\n(1/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? l\n1 -rows = 12\n2 +rows = 16\n\\ this line is accepted\n",
        ),
        ("l", "n 2\ny 1\nq\n", "(2/3) Accept"),
        ("l", "y 1-2\n", "2 lines accepted\n\nnotes.md"),
        (
            "l",
            "y 3\n",
            "there is no line 3: this hunk has 2 changed lines; l prints them",
        ),
        ("l", "y one\n", "`one` names no lines"),
        ("m", "m\n", "only a hunk without a sure place"),
        ("<", "<\n", "match threshold is 0.80: no decision changed"),
        (">", ">\n", "match threshold is 0.90: no decision changed"),
        ("c", "c\nwhy?\np\n", "undecided\n# why?\n [beds]"),
        (
            "C",
            "C\nwhy?\nj\nk\n",
            "beds.toml: modified, +1 -1\n# why?\nHunk",
        ),
        ("gc", "gc\nwhy?\n!\n", "why?\n"),
        ("Q", "Q\nwhy 16?\np\n", "why 16?"),
        (
            "u",
            "y\nu\n",
            "(1/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? \n",
        ),
        (
            "U",
            "y\nu\nU\n",
            "beds.toml, inside `[beds]`, line 3, +1 -1, accepted",
        ),
        ("j", "j\n", "(2/3) Accept"),
        ("J", "J\n", "(2/3) Accept"),
        (
            "k",
            "j\nk\nq\n",
            "(1/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? q",
        ),
        (
            "K",
            "y\nK\n",
            "beds.toml, inside `[beds]`, line 3, +1 -1, accepted",
        ),
        (")", ")\n", "nothing needs attention after this"),
        ("-", "-\n", "undecided\n-rows = 12\n+rows = 16\n soil"),
        ("+", "-\n+\n", "undecided\n [beds]\n count = 4\n-rows = 12"),
        (
            "p",
            "p\nq\n",
            "-rows = 12\n+rows = 16\n soil = \"loam\"\n(1/3) Accept this hunk [y,n,a,d,e,s,l,c,u,j,k,q,?]? q",
        ),
        ("!", "!\n", "Report to the agent\n"),
        ("b", "b\n", "no check command is configured"),
        (
            "q",
            "q\nb\n",
            "3 undecided: will be rejected\n\nNothing will be written\n",
        ),
        ("?", "?\n", "gc comment on the whole batch\n"),
    ];
    for (word, answers, expected) in flows {
        let project = Project::new();
        let said = review(&project, answers).said;
        assert!(
            said.contains(expected),
            "{word}: no {expected:?} in\n{said}"
        );
        project.expect_untouched();
    }
    let tried: BTreeSet<&str> = flows.iter().map(|(word, _, _)| *word).collect();
    let known: BTreeSet<&str> = ANSWERS.iter().map(|answer| answer.word).collect();
    assert_eq!(tried, known);
}

/// A project in which a hunk has two places, and none that is sure.
pub(crate) fn ambiguous() -> Project {
    let project = Project::new();
    project.write("notes.md", "# Notes\n\nCut it.\n\nMore.\n\nCut it.\n");
    let edit =
        "notes.md\n```\n<<<<<<< SEARCH\nCut it.\n=======\nCut it twice.\n>>>>>>> REPLACE\n```\n";
    fs::write(project.path("../edit.md"), edit).unwrap();
    project
}

#[test]
fn a_hunk_is_placed_by_hand() {
    let project = ambiguous();
    let done = review(&project, "m\nwhat\nj\nj\n5\n7\ny\ny\nw\n");
    for expected in [
        "ambiguous: its lines match 2 places",
        "At line 3, similar place 1 of 2. Place it here [y,n,j,k,LINE,?]? what\ny takes this place",
        "At line 7, similar place 2 of 2.",
        "At line 5. Place it here",
        "More.\n \n-Cut it.\n+Cut it twice.\n",
        "placed by hand at line 7: y accepts it, u takes the place back",
        "placed by hand, +1 -1, undecided",
    ] {
        assert!(done.said.contains(expected), "{expected}\n{}", done.said);
    }
    let expected = "# Notes\n\nCut it.\n\nMore.\n\nCut it twice.\n";
    assert_eq!(project.read("notes.md"), expected, "{}", done.said);
}

#[test]
fn a_hunk_that_is_not_placed_by_hand_stays_where_it_was() {
    let project = ambiguous();
    let done = review(&project, "m\nj\nn\nq\nk\n");
    assert!(done.said.contains("1 need"), "{}", done.said);
    assert!(!done.said.contains("placed by hand at"), "{}", done.said);
}

#[test]
fn hunks_without_a_place_are_visited_before_the_end() {
    let project = ambiguous();
    let edit = fs::read_to_string(project.path("../edit.md")).unwrap();
    let more =
        "beds.toml\n```\n<<<<<<< SEARCH\nrows = 12\n=======\nrows = 16\n>>>>>>> REPLACE\n```\n";
    fs::write(project.path("../edit.md"), format!("{more}\n{edit}")).unwrap();
    let done = review(&project, "y\nn\nwrite\nw\n");
    for expected in [
        "Hunk 1 of 1 in notes.md, no place\n",
        "This hunk has no place [n,m,c,u,j,k,q,?]? n\n",
        "`write` is no answer here; ? prints them\n",
    ] {
        assert!(done.said.contains(expected), "{expected}\n{}", done.said);
    }
    let done = review(&project, "j\nj\n)\nq\nk\n");
    assert!(
        done.said.contains("nothing else needs attention"),
        "{}",
        done.said
    );
    let done = review(&project, "k\n)\nq\nk\n");
    assert!(
        done.said.contains("This hunk has no place"),
        "{}",
        done.said
    );
}

#[test]
fn what_cannot_be_seen_is_told() {
    let project = Project::new();
    project.write("notes.md", "# Notes\n\nWater the beans.\r\nCut the hedge.");
    fs::write(
        project.path("../edit.md"),
        "notes.md\n```\n<<<<<<< SEARCH\nWater the beans.\nCut the hedge.\n=======\nWater\u{202e} them.  \nCut it.\nRest.\n>>>>>>> REPLACE\n```\n",
    )
    .unwrap();
    let said = review(&project, "q\nd\n").said;
    let expected = "+Water<202E> them.  \n\\ this line ends in 2 blanks\n";
    assert!(said.contains(expected), "{said}");
}

/// Runs a command on a terminal without a cursor to move.
fn dumb(project: &Project, command: &str) -> Terminal {
    project.run(&format!("export TERM=dumb; {command}"))
}

#[test]
fn a_dumb_terminal_is_talked_to_without_being_asked() {
    let project = Project::new();
    let mut terminal = dumb(&project, "cat edit.md | $countersign --root garden");
    terminal.wait_for("(1/3) Accept");
    terminal.keys("y\n");
    terminal.wait_for("(2/3) Accept");
    terminal.keys("A\n");
    terminal.wait_for("Accept the remaining 2 hunks (4 lines, 2 of them never shown) [y,n]?");
    terminal.keys("y\n");
    terminal.wait_for("Write, keep for later");
    project.expect_untouched();
    terminal.keys("w\n");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    assert!(project.has("shed.toml"));
    assert!(!terminal.written().contains('\x1b'), "nothing steers it");
}

#[test]
fn an_interrupt_leaves_everything_as_it_was() {
    let project = Project::new();
    let mut terminal = dumb(&project, "exec $countersign --root garden edit.md");
    terminal.wait_for("(1/3) Accept");
    terminal.keys("y\n");
    terminal.wait_for("(2/3) Accept");
    terminal.keys(CTRL_C);
    assert_eq!(terminal.end(), Ok(130), "{terminal}");
    project.expect_untouched();
    // The last of it may still be on its way.
    terminal.wait_for("the review is kept");
}

#[test]
fn what_changes_on_disk_is_told_after_the_answer() {
    let project = Project::new();
    let mut terminal = dumb(&project, "exec $countersign --linear --root garden edit.md");
    terminal.wait_for("(1/3) Accept");
    terminal.keys("y\n");
    terminal.wait_for("(2/3) Accept");
    project.write(
        "beds.toml",
        "[beds]\ncount = 5\nrows = 12\nsoil = \"loam\"\n",
    );
    let deadline = Instant::now() + Duration::from_secs(30);
    let asked = || terminal.written().matches("Accept this hunk").count();
    let mut count = 4;
    while !terminal.written().contains("beds.toml has changed on disk") {
        // Again and again, as the files may not be watched yet.
        count += 1;
        let text = format!("[beds]\ncount = {count}\nrows = 12\nsoil = \"loam\"\n");
        project.write("beds.toml", &text);
        let before = asked();
        terminal.keys("\n");
        while asked() == before {
            assert!(Instant::now() < deadline, "{terminal}");
            std::thread::yield_now();
        }
    }
    terminal.keys("q\n");
    terminal.wait_for("Write, keep for later");
    terminal.keys("d\n");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
}

#[test]
fn what_stands_already_is_reviewed_line_by_line() {
    let project = Project::new();
    fs::write(project.path("../old.toml"), "[beds]\ncount = 4\nrows = 9\n").unwrap();
    let done = answer(
        &project,
        &["diff", "--linear", "old.toml", "garden/beds.toml"],
        "n\nw\n",
    );
    assert!(
        done.said
            .contains("1 rejected: not selected, will be reverted\n"),
        "{}",
        done.said
    );
    assert_eq!(done.code, Some(0), "{}", done.said);
    assert_eq!(project.read("beds.toml"), "[beds]\ncount = 4\nrows = 9\n");
}

#[test]
fn a_reviewer_that_stays_open_says_that_it_needs_a_screen() {
    let project = Project::new();
    let done = answer(
        &project,
        &["serve", "--set", "ui.linear=true", "--root", "garden"],
        "",
    );
    assert_eq!(done.code, Some(3));
    assert!(done.said.contains("needs a screen"), "{}", done.said);
}

#[test]
fn an_unread_part_is_told_with_its_own_file() {
    let project = Project::new();
    let unread = "--- a/other.txt\n+++ b/other.txt\n@@ -1,3 +1,3 @@\n a\n-b\nz\n";
    let read = "--- a/beds.toml\n+++ b/beds.toml\n@@ -3 +3 @@\n-rows = 12\n+rows = 16\n";
    fs::write(project.path("../edit.md"), format!("{unread}{read}")).unwrap();
    let said = review(&project, "q\nd\n").said;
    let [problem, heading] =
        ["! other.txt, line", "beds.toml: modified"].map(|words| said.find(words));
    assert!(problem.is_some() && problem < heading, "{said}");
}

#[test]
fn a_batch_of_any_number_of_files_is_written() {
    for (files, lines) in [(48, 1), (49, 1), (100, 1), (101, 1), (120, 1), (3, 400)] {
        let project = Project::new();
        let name = |nth: usize| format!("bed-{nth}.txt");
        let text = |by: &str| format!("{by}\n").repeat(lines);
        let mut edits = String::new();
        for nth in 0..files {
            project.write(&name(nth), &text("dry"));
            let (old, new) = (text("-dry"), text("+wet"));
            let name = name(nth);
            write!(
                edits,
                "--- a/{name}\n+++ b/{name}\n@@ -1,{lines} +1,{lines} @@\n{old}{new}"
            )
            .unwrap();
        }
        project.write("many.diff", &edits);
        let arguments = ["--linear", "--root", "garden", "garden/many.diff"];
        let done = answer(&project, &arguments, &("y\n".repeat(files) + "w\n"));
        assert_eq!(done.code, Some(0), "{files} files: {}", done.said);
        for nth in 0..files {
            assert_eq!(project.read(&name(nth)), text("wet"), "{files} files");
        }
    }
}
