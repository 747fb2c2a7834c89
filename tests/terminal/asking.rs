//! The apply model is asked in the review, and answers while the person goes on.

use std::time::Duration;

use crate::ESC;
use crate::model_server::{Answer, Server, status, tagged};
use crate::project::Project;
use crate::pty::Terminal;
use crate::serving::{ended, serve, submit};

/// One hunk that is out of date, and one that has its place.
const EDIT: &str = "\
beds.toml
<<<<<<< SEARCH
count = four
rows = twelve
=======
count = four
rows = sixteen
>>>>>>> REPLACE
<<<<<<< SEARCH
soil = \"loam\"
=======
soil = \"clay\"
>>>>>>> REPLACE
";
const BEFORE: &str = "[beds]\ncount = 4\nrows = 12\nsoil = \"loam\"\n";
const AFTER: &str = "[beds]\ncount = 4\nrows = sixteen\nsoil = \"loam\"\n";

fn review(project: &Project, server: &Server) -> Terminal {
    project.write("../edit.md", EDIT);
    let endpoint = &server.endpoint;
    let terminal = project.review_by(&format!(
        "exec $countersign review --set model.endpoint={endpoint} --set model.retries=0 --root garden edit.md"
    ));
    terminal.wait_for("1 file  1 ·  1 !");
    terminal
}

#[test]
fn an_answer_is_a_proposal_that_waits_for_a_look() {
    let server = Server::start(vec![
        status(500),
        Answer::CutOff,
        tagged(AFTER),
        tagged(&AFTER.replace("loam", "sand")),
    ]);
    let project = Project::new();
    let mut terminal = review(&project, &server);
    assert!(server.asked().is_empty());
    terminal.keys("(M");
    terminal.wait_for("beds.toml: the apply model answered with status 500");
    terminal.wait_for("1 ·  1 !");
    terminal.keys("M");
    terminal.wait_for("beds.toml: the apply model did not answer");
    terminal.keys("M");
    terminal.wait_for("the apply model has placed it");
    terminal.wait_for("1 file  2 ·");
    // What is accepted together leaves it out: it is looked at by itself.
    terminal.keys("gay");
    terminal.wait_for("1 ✓  1 ·");
    terminal.keys("gg]a");
    terminal.wait_for("2 ✓");
    assert_eq!(project.read("beds.toml"), BEFORE);
    terminal.keys("ZZ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
    let written = AFTER.replace("loam", "clay");
    assert_eq!(project.read("beds.toml"), written);
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn a_slow_model_is_given_up_and_left_without_waiting() {
    let silence = Answer::Silence(Duration::from_mins(10));
    let server = Server::start(vec![silence]);
    let project = Project::new();
    let mut terminal = review(&project, &server);
    terminal.keys("(M");
    terminal.wait_for("asking 127.0.0.1:");
    terminal.wait_for("1 s: Esc cancels");
    // The review goes on.
    terminal.keys("]a");
    terminal.wait_for("1 ✓  1 !");
    terminal.keys(ESC);
    terminal.wait_for("the question to the apply model is cancelled");
    terminal.wait_gone("asking 127");
    terminal.keys("(M");
    terminal.wait_for("asking 127.0.0.1:");
    terminal.keys("ZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
}

#[test]
fn lines_are_changed_as_the_person_says() {
    let answer = BEFORE.replace("\"loam\"", "\"clay and sand\"");
    let server = Server::start(vec![tagged(&answer)]);
    let project = Project::new();
    let mut terminal = review(&project, &server);
    terminal.keys("\tM");
    terminal.wait_for("What should the apply model do with these lines?");
    terminal.keys("mix it with sand\r");
    terminal.wait_for("the apply model has changed your lines");
    terminal.wait_for("clay and sand");
    let asked = server.asked();
    let content = asked[0].1["messages"][1]["content"].as_str().unwrap();
    assert!(content.contains("mix it with sand"), "{content}");
    assert!(content.contains("Change only lines 4 to 4"), "{content}");
    // It comes back with the review.
    terminal.keys("qk");
    assert_eq!(terminal.end(), Ok(2), "{terminal}");
    let mut terminal = project.review_by("exec $countersign review --resume --root garden edit.md");
    terminal.wait_for("clay and sand");
    terminal.keys("\taZZw");
    assert_eq!(terminal.end(), Ok(1), "{terminal}");
    assert_eq!(project.read("beds.toml"), answer);
}

#[test]
fn an_agent_waits_for_what_the_model_is_asked_about() {
    let slow = |answer| Answer::Later(Duration::from_secs(1), Box::new(answer));
    let silence = Answer::Silence(Duration::from_mins(10));
    let server = Server::start(vec![slow(tagged(AFTER)), slow(status(500)), silence]);
    let project = Project::new();
    let endpoint = &server.endpoint;
    let mut terminal = serve(
        &project,
        &format!("--grace 0 --set model.endpoint={endpoint} --set model.retries=0"),
    );
    terminal.wait_for("Nothing to review");
    let ask = || {
        let waits = submit(&project, "claude", EDIT, &[]);
        terminal.wait_for("1 file  1 ·  1 !");
        terminal.keys("(M");
        terminal.wait_for("asking 127.0.0.1:");
        waits
    };
    // All else is decided before it answers, and it is not too late.
    let waits = ask();
    terminal.keys("]a");
    terminal.wait_for("the apply model has placed it");
    terminal.wait_for("1 ✓  1 ·");
    assert_eq!(project.read("beds.toml"), BEFORE);
    terminal.keys("gg]a");
    assert_eq!(ended(waits).0, Some(0));
    assert_eq!(
        project.read("beds.toml"),
        AFTER.replace("loam", "clay"),
        "{terminal}"
    );
    terminal.wait_for("Nothing to review");
    // It fails, or is cancelled: what was decided is all there is.
    for (keys, told) in [
        ("", "the apply model answered with status 500"),
        (ESC, "is cancelled"),
    ] {
        project.write("beds.toml", BEFORE);
        let waits = ask();
        terminal.keys("]a");
        terminal.keys(keys);
        assert_eq!(ended(waits).0, Some(1), "{told}");
        assert_eq!(project.read("beds.toml"), BEFORE.replace("loam", "clay"));
        terminal.wait_for("Nothing to review");
    }
    // It is asked about what waits, and who asks thinks better of it.
    project.write("beds.toml", BEFORE);
    let mut gone = ask();
    gone.kill().unwrap();
    gone.wait().unwrap();
    terminal.wait_for("claude has withdrawn its proposal");
    terminal.keys(ESC);
    terminal.wait_for("is cancelled");
    terminal.keys("ZQ");
    assert_eq!(terminal.end(), Ok(0), "{terminal}");
}
