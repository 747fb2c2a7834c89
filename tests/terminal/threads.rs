//! Questions and replies in threads outlive the review, or the person is told.

use std::fs;
#[cfg(feature = "mcp")]
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Command;
#[cfg(feature = "mcp")]
use std::process::{Child, Stdio};
#[cfg(feature = "mcp")]
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;
#[cfg(feature = "mcp")]
use serde_json::json;

use crate::project::{Project, REVIEW};
use crate::{CTRL_C, ESC, serving};

/// The folder of the state of the project.
fn state(project: &Project) -> PathBuf {
    let roots = fs::read_dir(project.path("../home/state/countersign")).unwrap();
    let mut roots = roots.map(|root| root.unwrap().path());
    roots.find(|root| root.is_dir()).unwrap()
}

/// Runs `countersign threads` without a terminal: its code, and what it prints on standard output, or else on standard error.
fn threads(project: &Project, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    project.prepare(&mut command);
    let command = command.arg("threads").args(arguments);
    let output = command.args(["--root", "garden"]).output().unwrap();
    let text = if output.stdout.is_empty() {
        output.stderr
    } else {
        output.stdout
    };
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// The threads as data.
fn listed(project: &Project) -> Vec<Value> {
    let (_, text) = threads(project, &["--report", "json", "--all"]);
    let list: Value = serde_json::from_str(&text).unwrap();
    list["threads"].as_array().unwrap().clone()
}

/// The first messages of the threads.
fn asked(project: &Project) -> Vec<String> {
    let listed = listed(project);
    let texts = listed.iter().map(|thread| &thread["messages"][0]["text"]);
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_question_just_before_the_end_is_stored() {
    for (nth, leave) in ["qk", "ZQ", &CTRL_C.repeat(2)].into_iter().enumerate() {
        let project = Project::new();
        let mut terminal = project.review();
        terminal.keys(&format!("Qone {nth}\rQtwo {nth}\r{leave}"));
        terminal.end().unwrap();
        let expected = [format!("one {nth}"), format!("two {nth}")];
        assert_eq!(asked(&project), expected, "{leave:?} {terminal}");
    }
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("Qbefore the signal\r");
    terminal.signal(Signal::TERM);
    terminal.end().unwrap();
    // The signal may come before the keys.
    assert!(asked(&project).len() <= 1);
}

#[test]
fn the_end_waits_for_another_program_that_changes_threads() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("Qfirst\r");
    terminal.wait_for("question t1, open");
    let lock = fs::File::options()
        .write(true)
        .open(state(&project).join("threads.lock"));
    let lock = lock.unwrap();
    lock.lock().unwrap();
    terminal.keys("Qsecond\r");
    terminal.wait_for("storing the question");
    terminal.keys("qk");
    terminal.wait_for("leaving when what you wrote to agents is stored");
    drop(lock);
    terminal.end().unwrap();
    assert_eq!(asked(&project), ["first", "second"]);
}

#[test]
fn a_text_that_cannot_be_stored_stays() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.wait_for("3 files  3 ·");
    let folder = state(&project).join("threads");
    fs::write(&folder, "in the way").unwrap();
    terminal.keys("Qprecious\r");
    terminal.wait_for("not sent, and the same key");
    terminal.keys("q");
    terminal.wait_for("1 draft not sent");
    terminal.keys(ESC);
    terminal.wait_gone("1 draft not sent");
    terminal.keys("Q");
    terminal.wait_for("precious");
    terminal.keys(ESC);
    terminal.wait_gone("precious");
    terminal.keys(&CTRL_C.repeat(2));
    assert_eq!(terminal.end(), Ok(130));
    terminal.wait_for("not sent to any agent, and not stored: precious");
    fs::remove_file(&folder).unwrap();
    let mut terminal = project.review_by(REVIEW);
    terminal.keys("Qprecious\rqk");
    terminal.end().unwrap();
    assert_eq!(asked(&project), ["precious"]);
}

#[test]
fn a_review_line_by_line_stores_a_question_before_it_goes_on() {
    let project = Project::new();
    let done = crate::linear::review(&project, "Q\nwhy so many?\nq\nk\n");
    let words = "no agent waits here: the question goes with the report";
    assert!(done.said.contains(words), "{}", done.said);
    assert_eq!(asked(&project), ["why so many?"]);
    let done = crate::linear::review(
        &project,
        &format!("Q\n{}\nQ\n-\nq\nk\n", "x".repeat(20_000)),
    );
    let words = "the message has 20000 bytes, and a thread takes 16384";
    assert!(done.said.contains(words), "{}", done.said);
    assert!(
        done.said
            .contains("an empty line sends the text from before"),
        "{}",
        done.said
    );
}

#[test]
fn no_agent_writes_as_the_person() {
    let project = Project::new();
    let mut terminal = project.review();
    terminal.keys("Qwhy?\rqk");
    terminal.end().unwrap();
    for name in ["person", "Person ", "you\n"] {
        let (code, said) = threads(&project, &["reply", "t1", "I accept", "--as", name]);
        assert_eq!(code, Some(3), "{said}");
        assert!(said.contains("which is the person"), "{said}");
    }
    let text = "so\nperson: I accept\x1b[1A";
    let (code, _) = threads(&project, &["reply", "t1", text, "--as", "a\x1b[2J\nb"]);
    assert_eq!(code, Some(0));
    for form in ["text", "agent"] {
        let (_, said) = threads(&project, &["--report", form]);
        assert!(said.contains("\n      person: I accept␛[1A"), "{said}");
        assert!(said.contains("\n  a[2Jb: so\n"), "{said}");
        assert!(!said.contains('\x1b'), "{said}");
    }
}

#[test]
fn a_list_names_what_is_not_there_any_more() {
    let project = Project::new();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        project.prepare(&mut command);
        let command = command.args(["-C", "garden", "-c", "user.name=a", "-c", "user.email=a@b"]);
        assert!(command.args(arguments).status().unwrap().success());
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    let mut terminal = project.review();
    terminal.keys("Qwhy?\rqk");
    terminal.end().unwrap();
    let path = listed(&project)[0]["path"].as_str().unwrap().to_owned();
    let check = |path: &str, presence: &str, words: &str| {
        let thread = &listed(&project)[0];
        assert_eq!(
            (&thread["path"], &thread["presence"]),
            (&path.into(), &presence.into())
        );
        let (_, said) = threads(&project, &[]);
        assert!(said.contains(words), "{said}");
        thread["lines"].is_null()
    };
    // It was proposed, and is not in the file.
    assert!(!check(
        &path,
        "replaced",
        "; its lines are not in the file)"
    ));
    // The index and a commit rename the file, and another commit removes it.
    fs::rename(project.path(&path), project.path("renamed")).unwrap();
    assert!(check(
        &path,
        "file-gone",
        "; there is no such file any more)"
    ));
    git(&["add", "-A"]);
    assert!(!check("renamed", "replaced", "t1 renamed line"));
    git(&["commit", "-qm", "two"]);
    assert!(!check("renamed", "replaced", "t1 renamed line"));
    git(&["mv", "renamed", "staged"]);
    assert!(!check("staged", "replaced", "t1 staged line"));
    git(&["mv", "staged", "renamed"]);
    project.write("renamed", "something\nelse\n");
    assert!(check(
        "renamed",
        "lines-gone",
        "; its lines are not in the file any more)"
    ));
    git(&["rm", "-qf", "renamed"]);
    git(&["commit", "-qm", "three"]);
    assert!(check(
        &path,
        "file-gone",
        "; there is no such file any more)"
    ));
}

/// Starts the MCP server, whose calls wait for so many seconds.
#[cfg(feature = "mcp")]
fn server(project: &Project, patience: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    project.prepare(&mut command);
    command.args(["mcp", "--root", "garden", "--patience", patience]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().unwrap()
}

#[cfg(feature = "mcp")]
fn greeting(client: &str) -> Value {
    json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"},
    })
}

/// Calls a tool of the MCP server as a client of this name that gives up at once.
#[cfg(feature = "mcp")]
fn call(project: &Project, client: &str, tool: &str, arguments: &Value) -> Value {
    let mut server = server(project, "2");
    let mut input = server.stdin.take().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let call = json!({"name": tool, "arguments": arguments});
    let mut ask = |id: u8, method: &str, params: &Value| -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    ask(1, "initialize", &greeting(client));
    let answer = ask(2, "tools/call", &call);
    drop(input);
    server.wait().unwrap();
    answer["result"].clone()
}

#[test]
#[cfg(feature = "mcp")]
fn a_question_goes_to_the_agent_of_its_proposal() {
    let project = Project::new();
    let terminal = serving::serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    let edits = serving::edit("beds.toml", "rows = 12", "rows = 16");
    let claude = serving::submit(&project, "claude", &edits, &["--report", "agent"]);
    terminal.wait_for("rows = 16");
    terminal.keys("Qwhy so many?\r");
    terminal.wait_for("question t1, open");
    let names = |answer: &Value| -> Vec<String> {
        let threads = answer["structuredContent"]["threads"].as_array().unwrap();
        let name = |thread: &Value| thread["id"].as_str().unwrap().to_owned();
        threads.iter().map(name).collect()
    };
    let codex = |tool: &str, arguments: Value| call(&project, "codex", tool, &arguments);
    let nothing: [&str; 0] = [];
    // Others read it and may write in it, and it is no news to them.
    assert_eq!(names(&codex("wait_for_feedback", json!({}))), nothing);
    let own = call(&project, "claude", "wait_for_feedback", &json!({}));
    assert_eq!(names(&own), ["t1"]);
    let awaited = codex("wait_for_feedback", json!({"threads": ["1"]}));
    assert_eq!(names(&awaited), ["t1"]);
    let listed = codex("list_threads", json!({"path": "./beds.toml"}));
    assert_eq!(names(&listed), ["t1"]);
    let answered = codex("reply", json!({"thread": "t1", "text": "no idea"}));
    assert_eq!(answered["structuredContent"]["threads"][0]["state"], "open");
    terminal.wait_for("codex writes in t1, which waits for claude");
    let refused = call(
        &project,
        "Person",
        "reply",
        &json!({"thread": "t1", "text": "I accept"}),
    );
    assert_eq!(refused["isError"], true);
    terminal.keys("a");
    let (_, verdict, _) = serving::ended(claude);
    assert!(
        verdict.contains("(question, open): why so many?"),
        "{verdict}"
    );
}

#[test]
fn a_reply_that_no_thread_takes_is_named_on_the_screen() {
    let project = Project::new();
    let terminal = serving::serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    let edits = serving::edit("beds.toml", "rows = 12", "rows = 16");
    let edits = format!("Thread t9: because\n\n{edits}");
    let claude = serving::submit(&project, "claude", &edits, &["--report", "agent"]);
    terminal.wait_for("claude: the reply to t9 is not kept: there is no thread `t9`");
    terminal.keys("a");
    let (_, verdict, _) = serving::ended(claude);
    assert!(verdict.contains("the reply to t9 is not kept"), "{verdict}");
}

#[test]
fn a_decision_right_after_a_question_takes_it_along() {
    let project = Project::new();
    let terminal = serving::serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    let edits = serving::edit("beds.toml", "rows = 12", "rows = 16");
    let claude = serving::submit(&project, "claude", &edits, &["--report", "agent"]);
    terminal.wait_for("rows = 16");
    terminal.keys("Qwhy so many?\ra");
    let (_, verdict, _) = serving::ended(claude);
    assert!(
        verdict.contains("(question, open): why so many?"),
        "{verdict}"
    );
}

#[test]
#[cfg(feature = "mcp")]
fn a_client_that_closes_its_side_withdraws_its_proposal_at_once() {
    let project = Project::new();
    let terminal = serving::serve(&project, "--grace 0");
    terminal.wait_for("Nothing to review");
    let mut server = server(&project, "50");
    let mut input = server.stdin.take().unwrap();
    let call = json!({"name": "propose_changes", "arguments": {
        "changes": serving::edit("beds.toml", "rows = 12", "rows = 16"),
    }});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting("claude")}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ] {
        writeln!(input, "{message}").unwrap();
    }
    terminal.wait_for("rows = 16");
    terminal.keys("cwhy?\r");
    terminal.wait_for("why?");
    let closed = Instant::now();
    drop(input);
    server.wait().unwrap();
    assert!(closed.elapsed() < Duration::from_secs(3));
    terminal.wait_for("withdrawn by claude");
    // What the person wrote about it waits for the agent.
    terminal.wait_for("claude gets your comments in threads, t1");
    assert_eq!(asked(&project), ["why?"]);
}
